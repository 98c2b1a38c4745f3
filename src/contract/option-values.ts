import { didYouMean, nearestName } from "./suggest.ts";

/** Makes sure that an option has a value that it takes; `where` is its name in the message. */
export type CheckValue = (where: string, value: unknown) => void;

const mustBe =
  /* @__NO_SIDE_EFFECTS__ */
    (what: string, fits: (value: unknown) => boolean): CheckValue =>
    (where, value) => {
      if (!fits(value)) throw new TypeError(`${where} must be ${what}, not ${show(value)}`);
    };

export const isFlag = mustBe("true or false", (value) => typeof value === "boolean");

/** @param example How one may look. */
export const isText = /* @__NO_SIDE_EFFECTS__ */ (example: string): CheckValue =>
  mustBe(`a string such as ${JSON.stringify(example)}`, (value) => typeof value === "string");

/** @param signature How it is called, such as `(n) => string`. */
export const isFunction = /* @__NO_SIDE_EFFECTS__ */ (signature: string): CheckValue =>
  mustBe(`a function ${signature}`, (value) => typeof value === "function");

export const isOneOf =
  /* @__NO_SIDE_EFFECTS__ */
    (...allowed: readonly string[]): CheckValue =>
    (where, value) => {
      oneOf(where, value, allowed);
    };

export const isListOfTexts = mustBe(
  'a list of strings such as ["read_dial"]',
  (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
);

export const isNumber = mustBe("a number", (value) => typeof value === "number");

/** One of several kinds of value; the message says what all of them are. */
export const isEither = /* @__NO_SIDE_EFFECTS__ */ (what: string, ...kinds: readonly string[]): CheckValue =>
  mustBe(what, (value) => value !== null && kinds.includes(typeof value));

export const isAnything: CheckValue = () => {};

/** @param what Such as `an object that holds ...`. */
export const isObjectWith = /* @__NO_SIDE_EFFECTS__ */ (what: string, member: PropertyKey): CheckValue =>
  mustBe(what, (value) => typeof value === "object" && value !== null && member in value);

/**
 * Makes sure that options are spelt as they are called.
 *
 * @param caller The function that takes them, in the message.
 * @throws TypeError that names the option, and what was probably meant.
 */
export function checkNames(options: object, known: readonly string[], caller: string): void {
  for (const key of Object.keys(options)) {
    if (known.includes(key)) continue;
    const near = nearestName(key, known);
    const hint = near === undefined ? `; it has ${known.join(", ")}` : `: did you mean "${near}"?`;
    throw new TypeError(`${caller}() has no option "${key}"${hint}`);
  }
}

/**
 * Makes sure of the names and values of the options of a function that takes no others.
 *
 * @throws TypeError that names the option, and what was probably meant.
 */
export function checkOptionsOf(caller: string, options: object, checks: Readonly<Record<string, CheckValue>>): void {
  const known = Object.keys(checks);
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`${caller}() takes its options as an object, { ${known.join(", ")} }, not ${show(options)}`);
  }
  checkNames(options, known, caller);
  checkValues(options, checks);
}

/**
 * Makes sure of what a function is given beside its options.
 *
 * @param what What it takes, such as `the result of parse`.
 * @param kinds The members that it has to have, and their kinds: a word of `typeof`, or `array`.
 * @throws TypeError that names the function and what it takes.
 */
export function checkGiven(
  caller: string,
  what: string,
  given: unknown,
  kinds: Readonly<Record<string, string>>,
): void {
  const members = Object(given) as Readonly<Record<string, unknown>>;
  const fits = Object.entries(kinds).every(([key, kind]) =>
    kind === "array" ? Array.isArray(members[key]) : typeof members[key] === kind,
  );
  if (!fits || typeof given !== "object" || given === null)
    throw new TypeError(`${caller}() takes ${what}, not ${show(given)}`);
}

/** Makes sure of the result of a message. */
export function checkResult(caller: string, given: unknown): void {
  checkGiven(caller, "the result of `parse`, or of a parser that has ended", given, {
    calls: "array",
    content: "string",
    reasoning: "string",
  });
}

/** The same for a list. */
export function checkList(caller: string, what: string, given: unknown): void {
  const fits = Array.isArray(given) && given.every((one) => typeof one === "object" && one !== null);
  if (!fits) throw new TypeError(`${caller}() takes ${what}, not ${show(given)}`);
}

/**
 * Makes sure that options have values that they take; undefined is the default.
 *
 * @param prefix What stands before the name of an option in the message, such as `options.`
 * @throws TypeError that names the option, what it takes, and what it was given.
 */
export function checkValues(options: object, checks: Readonly<Record<string, CheckValue>>, prefix = "options."): void {
  for (const key in options) {
    const value = (options as Readonly<Record<string, unknown>>)[key];
    if (value !== undefined && Object.hasOwn(checks, key)) checks[key](`${prefix}${key}`, value);
  }
}

/**
 * One of several words.
 *
 * @throws TypeError with what was probably meant.
 */
export function oneOf<Choice extends string>(where: string, value: unknown, allowed: readonly Choice[]): Choice {
  if ((allowed as readonly unknown[]).includes(value)) return value as Choice;
  const hint = typeof value === "string" ? didYouMean(value, allowed) : "";
  const list =
    allowed.length <= 6 ? `: ${allowed.map((choice) => show(choice)).join(", ")}` : " of the documented kinds";
  throw new TypeError(`${where} cannot be ${show(value)}${hint}; use one${list.startsWith(":") ? " of" : ""}${list}`);
}

/** A value as a message shows it. */
export function show(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (typeof value === "bigint" || typeof value === "symbol") return String(value);
  return JSON.stringify(value) ?? String(value);
}
