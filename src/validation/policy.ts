import { oneOf, show } from "../contract/option-values.ts";
import { type RepairKind, repairKinds } from "../contract/repairs.ts";
import { didYouMean } from "../contract/suggest.ts";
import type { JsonSchema, Violation } from "../contract/types.ts";
import type { PlainCheck } from "./schema/plain-check.ts";

/**
 * Checks a value against a schema: `true`, or a sentence or a list that says what is wrong. One that throws rejects the
 * call (`validator-error`). `options` says what else the policy asks of it.
 */
export type Validate = (
  schema: JsonSchema,
  value: unknown,
  options?: ValidateOptions,
) => true | string | readonly Violation[];

/** A validator that may say yes at once to most arguments: the built-in one does. */
export type QuickValidate = Validate & { readonly plainCheckOf?: (schema: JsonSchema) => PlainCheck | undefined };

/** How a value is checked. */
export interface ValidateOptions {
  /** JSON Schema's `format`: an annotation, or checked. Default `annotate`. */
  formats?: "annotate" | "assert" | undefined;
  /** Numbers of the arguments as they are written, where a JavaScript number does not keep all their digits. */
  lostDigits?: readonly string[] | undefined;
}

/** Which repairs a call may carry: a level, or exactly the kinds listed. */
export type RepairPolicy = "safe" | "none" | "guess" | { readonly allow: readonly RepairKind[] };

/** What the two fallback formats (`strict_json`, `bracket`) must meet on top of everything else. */
export interface FallbackPolicy {
  /** The model signalled that it needs a tool (`options.intent`). Default true. */
  requireIntent: boolean;
  /** Exactly one candidate in the message. Default true. */
  single: boolean;
}

/** What may run. Every default is the closed one. */
export interface Policy {
  /** A name that is not among the tools: refuse it, or pass it on unchecked. Default `reject`. */
  unknownTool: "reject" | "pass";
  /** Arguments that do not fit the schema: refuse; convert losslessly and list it; or do not look. Default `reject`. */
  schema: "reject" | "coerce" | "off";
  /** The validator. The root entry brings one, the core has none. */
  validate: Validate | undefined;
  /** JSON Schema's `format`: an annotation, or checked by the built-in validator. Default `annotate`. */
  formats: "annotate" | "assert";
  /** Which repairs a call may carry; one with others is refused as `needs-guess`. Default `safe`. */
  repairs: RepairPolicy;
  /** A call whose text was cut: refuse, or deliver the members that are complete. Unsafe. Default `reject`. */
  truncated: "reject" | "deliver-complete-members";
  /**
   * Calls inside a think block. `trailing`: those of a block that is never closed run when nothing follows them but blanks,
   * framing and other calls, unless the message was cut; `ignore`: none; `parse`: all that a marker opens (see `bare` for
   * others). Default `trailing`.
   */
  reasoning: "trailing" | "ignore" | "parse";
  /** Calls that no marker opens: only as the whole message, or on lines of their own. Default `message`. */
  bare: "message" | "anywhere";
  /** Pairs of tags whose inside is quoted, beside those of markup and of tool results. Default: none. */
  quoted: readonly (readonly [open: string, close: string])[];
  /** `__proto__`, and `constructor` and `prototype` unless declared: refuse, or keep as own data. Default `reject`. */
  sensitiveKeys: "reject" | "own";
  /** Deepest nesting of the arguments, the object itself being 1. Default 128. */
  maxDepth: number;
  /** Longest payload in UTF-16 units. Default 16 MiB, 2048 for fallback formats, or what the format says. */
  maxPayloadChars: number;
  /** Most calls in a message; the surplus is rejected. Default 128. */
  maxCalls: number;
  /** What the two fallback formats must meet besides. Default: all of it. */
  fallback: FallbackPolicy;
  /** Which calls of a message count. Default `all`. */
  calls: "all" | "first";
}

/** What a caller writes: any part of the policy. */
export type PolicyInput = Partial<Omit<Policy, "fallback">> & { fallback?: Partial<FallbackPolicy> };

/** What kind of format it is: `json` and `bracket` are the fallbacks. */
export type FormatMode = "primary" | "json" | "bracket";

const depthDefault = 128;
const callsDefault = 128;
const payloadCharsDefault = 16 * 1024 * 1024;
/** A fallback snippet stays small: what is long is a document, not a call. */
const fallbackCharsDefault = 2048;

/** The first of each is the default. */
const choices = {
  unknownTool: ["reject", "pass"],
  schema: ["reject", "coerce", "off"],
  formats: ["annotate", "assert"],
  truncated: ["reject", "deliver-complete-members"],
  reasoning: ["trailing", "ignore", "parse"],
  bare: ["message", "anywhere"],
  sensitiveKeys: ["reject", "own"],
  calls: ["all", "first"],
} as const;
const limits = ["maxDepth", "maxPayloadChars", "maxCalls"] as const;
const repairLevels = ["safe", "none", "guess"] as const;
const fallbackKeys = ["requireIntent", "single"] as const;
const policyKeys = [...Object.keys(choices), ...limits, "validate", "repairs", "fallback", "quoted"];

/**
 * Completes a policy with its defaults.
 *
 * @param input What the caller gave; keys that are undefined take their default.
 * @param mode The mode of the format.
 * @param formatPayloadChars The payload limit of the format itself, where it has one.
 * @throws TypeError on an unknown key or value, with what was probably meant.
 */
export function resolvePolicy(input: PolicyInput | undefined, mode: FormatMode, formatPayloadChars?: number): Policy {
  const payloadChars = formatPayloadChars ?? (mode === "primary" ? payloadCharsDefault : fallbackCharsDefault);
  if (input === undefined) return resolvePolicy(noPolicy, mode, formatPayloadChars);
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new TypeError(`policy must be an object such as { schema: "reject" }, not ${JSON.stringify(input)}`);
  }
  const known = recent.find((one) => one.payloadChars === payloadChars && saysTheSame(one, input));
  if (known !== undefined) return known.policy;
  checkKeys("policy", input, policyKeys);
  const given = input as Readonly<Record<string, unknown>>;
  const policy: Record<string, unknown> = {
    validate: undefined,
    repairs: "safe",
    quoted: [],
    maxDepth: depthDefault,
    maxPayloadChars: payloadChars,
    maxCalls: callsDefault,
    fallback: { requireIntent: true, single: true },
  };
  for (const [key, allowed] of Object.entries(choices)) {
    policy[key] = given[key] === undefined ? allowed[0] : oneOf(`policy.${key}`, given[key], allowed);
  }
  for (const key of limits) {
    if (given[key] === undefined) continue;
    if (!Number.isInteger(given[key]) || (given[key] as number) < 1) {
      throw new TypeError(`policy.${key} must be a whole number of at least 1, not ${show(given[key])}`);
    }
    policy[key] = given[key];
  }
  if (input.validate !== undefined) {
    if (typeof input.validate !== "function") {
      throw new TypeError("policy.validate must be a function (schema, value) => true | string");
    }
    policy.validate = input.validate;
  }
  if (input.repairs !== undefined) policy.repairs = repairPolicy(input.repairs);
  if (input.quoted !== undefined) policy.quoted = quotingPairs(input.quoted);
  if (input.fallback !== undefined) policy.fallback = fallbackPolicy(input.fallback);
  if (Object.values(input).every((value) => typeof value !== "object")) {
    recent.unshift({ entries: Object.entries(input), payloadChars, policy: policy as unknown as Policy });
    if (recent.length > recentMax) recent.pop();
  }
  return policy as unknown as Policy;
}

const noPolicy: PolicyInput = {};

/** A policy with the validator that it names, or else this one. What is no policy stays, for {@link resolvePolicy} to refuse. */
export function withValidator(policy: PolicyInput | undefined, validate: Validate): PolicyInput {
  const isPolicy = typeof policy === "object" && policy !== null && !Array.isArray(policy);
  return policy === undefined || isPolicy ? { validate, ...policy } : policy;
}

/** A policy that was completed before, and what the caller had said. One that holds objects may change, and is not kept. */
interface Completed {
  readonly entries: readonly (readonly [key: string, value: unknown])[];
  readonly payloadChars: number;
  readonly policy: Policy;
}

/** The newest first; most hosts have one. */
const recent: Completed[] = [];
const recentMax = 16;

function saysTheSame({ entries }: Completed, input: PolicyInput): boolean {
  if (Object.keys(input).length !== entries.length) return false;
  return entries.every(
    ([key, value]) => Object.hasOwn(input, key) && (input as Readonly<Record<string, unknown>>)[key] === value,
  );
}

/**
 * Makes sure that arguments can be checked, or that the caller said they need not be.
 *
 * @throws TypeError when the policy asks for the schema and there is no validator.
 */
export function requireValidator(policy: Policy): void {
  if (policy.validate !== undefined || policy.schema === "off") return;
  throw new TypeError(
    'no validator: this entry has none of its own. Give policy.validate, set policy.schema to "off", or import ' +
      "from the package root, which brings one",
  );
}

function repairPolicy(value: unknown): RepairPolicy {
  if (typeof value !== "object" || value === null) return oneOf("policy.repairs", value, repairLevels);
  checkKeys("policy.repairs", value, ["allow"]);
  const allow = (value as { allow?: unknown }).allow;
  if (!Array.isArray(allow)) {
    throw new TypeError('policy.repairs.allow must be a list of repair kinds such as ["fence"]');
  }
  return { allow: allow.map((kind) => oneOf("policy.repairs.allow", kind, repairKinds)) };
}

function quotingPairs(value: unknown): Policy["quoted"] {
  const isPair = (pair: unknown) =>
    Array.isArray(pair) && pair.length === 2 && pair.every((tag) => typeof tag === "string" && tag !== "");
  if (!Array.isArray(value) || !value.every(isPair))
    throw new TypeError('policy.quoted must be a list of pairs such as [["<quote>", "</quote>"]]');
  const alike = value.find(([open, close]) => open === close);
  if (alike !== undefined)
    throw new TypeError(
      `policy.quoted: ${JSON.stringify(alike[0])} cannot be both ends of a pair; one of them must differ`,
    );
  return value as Policy["quoted"];
}

function fallbackPolicy(value: unknown): FallbackPolicy {
  const result: FallbackPolicy = { requireIntent: true, single: true };
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(`policy.fallback must be an object such as { single: true }, not ${show(value)}`);
  }
  checkKeys("policy.fallback", value, fallbackKeys);
  for (const key of fallbackKeys) {
    const choice = (value as Record<string, unknown>)[key];
    if (choice === undefined) continue;
    if (typeof choice !== "boolean") {
      throw new TypeError(`policy.fallback.${key} must be true or false, not ${show(choice)}`);
    }
    result[key] = choice;
  }
  return result;
}

function checkKeys(where: string, value: object, known: readonly string[]): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    throw new TypeError(`${where} has no key ${show(key)}${didYouMean(key, known)}. Keys: ${known.join(", ")}`);
  }
}
