import { onceFor } from "../contract/once-for.ts";
import { type Repair, type RepairKind, readingRepairs } from "../contract/repairs.ts";
import { didYouMean } from "../contract/suggest.ts";
import type { JsonSchema, Violation } from "../contract/types.ts";
import { type Allowed, allowedBy } from "../values/allowed-values.ts";
import { memberTwice, repeatsKey } from "../values/duplicate-key-messages.ts";
import { isEnvelopeKey } from "../values/envelope-keys.ts";
import { measureJson, parseJson } from "../values/json-text.ts";
import { inexactNumbers } from "../values/number-text.ts";
import {
  declaredKeys,
  isClosedObject,
  itemSchema,
  ownMember,
  propertySchema,
  schemaObject,
  visitSchemas,
} from "../values/schema-walk.ts";
import { kindOf } from "../values/value-kinds.ts";
import type { CandidateFacts } from "./candidate-facts.ts";
import { checkEnvelope, checkNoEnvelope } from "./check-envelope.ts";
import { coerceArguments } from "./coerce-arguments.ts";
import { type ValueWalk, walkValue } from "./json-walk.ts";
import type { Policy, QuickValidate } from "./policy.ts";
import { type CallRefusal, clip, quote, refuse } from "./refusal.ts";
import { runStandardCheck, type StandardAnswer, type StandardCheck } from "./standard-check.ts";
import type { Tool, ToolSet } from "./tools.ts";

// The order of the questions. What is cheap and informative comes first; nothing is parsed that is too large or
// too deep, nothing is validated that was not walked:
//
//   1. no-name          there is nothing to look up
//   2. unknown-tool     exact match only
//   3. too-large        payload over policy.maxPayloadChars
//   4. too-deep         nesting over policy.maxDepth
//   5. duplicate-key, truncated, ambiguous, needs-guess     repairs the policy does not allow
//   6. malformed        the arguments are no JSON object
//   7. ambiguous, malformed      something stands beside the arguments that would be dropped
//   8. too-deep, sensitive-key, duplicate-key, type-mismatch (a number that overflows)     one walk over the value
//   9. malformed, ambiguous      the arguments are a definition, or a call themselves
//  10. schema, validator-error

/** A yes with what may run, or the reason why not. */
export type CallVerdict = AcceptedCall | CallRefusal;

/** What may run. */
export interface AcceptedCall {
  ok: true;
  arguments: Record<string, unknown>;
  argumentsText: string;
  repairs: Repair[];
  /** What the model wrote, where the tool's schema library made something else of it. */
  written?: Record<string, unknown>;
  /** The library takes its time: this is the verdict, and the rest is not certain yet. */
  later?: Promise<CallVerdict>;
}

/** Decides whether a candidate is a call. Never throws on what a model wrote. */
export function checkCall(facts: CandidateFacts, tools: ToolSet, policy: Policy): CallVerdict {
  const refusal =
    checkName(facts.name, tools, policy) ??
    checkSize(facts, policy) ??
    (facts.repairs.length === 0 ? undefined : checkRepairs(facts.repairs, policy));
  if (refusal !== undefined) return refusal;
  const name = facts.name as string;
  const tool = tools.get(name);
  const value = facts.value ?? readArguments(facts.argumentsText);
  if (value === undefined) return noObject(name);
  if (tool !== undefined && isPlain(facts, value, tool, policy))
    return { ok: true, arguments: value, argumentsText: facts.argumentsText, repairs: [] };
  const misread = checkEnvelope(facts, name, value, tool, policy);
  if (misread !== undefined) return misread;
  const walk = walkValue(value, (key, depth) => declares(tool, key, depth));
  const unsafe = checkWalk(walk, facts, policy) ?? checkNoEnvelope(name, value, tool, tools);
  if (unsafe !== undefined) return unsafe;
  const stranded = facts.repairs.some(({ kind }) => closerKinds.includes(kind))
    ? nestedParameter(value, tool)
    : undefined;
  if (stranded !== undefined) return nested(stranded, name);
  const accepted = (text: string, found: Record<string, unknown>, repairs: Repair[]): CallVerdict => {
    const call: AcceptedCall = { ok: true, arguments: found, argumentsText: text, repairs };
    return tool?.check === undefined || policy.schema === "off" ? call : askLibrary(tool, tool.check, call);
  };
  if (tool === undefined || policy.schema === "off") return accepted(facts.argumentsText, value, [...facts.repairs]);
  const lostDigits = walk.hasNumber ? inexactNumbers(facts.argumentsText) : undefined;
  const unfit = checkAgainstSchema(tool, value, lostDigits, policy);
  if (unfit === undefined) return accepted(facts.argumentsText, value, [...facts.repairs]);
  if (policy.schema !== "coerce" || unfit.reason !== "schema") return unfit;

  const text = coerceArguments(facts.argumentsText, tool.schema);
  const coerced = text === undefined ? undefined : readArguments(text);
  if (text === undefined || coerced === undefined) return unfit;
  const coercedWalk = walkValue(coerced, (key, depth) => declares(tool, key, depth));
  const refused =
    checkWalk(coercedWalk, { members: measureJson(text).members, argumentsText: text }, policy) ??
    checkAgainstSchema(tool, coerced, inexactNumbers(text), policy);
  if (refused !== undefined) return refused;
  const repair: Repair = { kind: "coerced", level: "safe", start: facts.start ?? 0, end: facts.end ?? 0 };
  return accepted(text, coerced, [...facts.repairs, repair]);
}

/** Whether there is nothing left to ask: what a walk over the arguments, the envelope and the schema say is known at once. */
function isPlain(facts: CandidateFacts, value: Record<string, unknown>, tool: Tool, policy: Policy): boolean {
  const { beside, argumentsMissing, repairs, members } = facts;
  if (repairs.length > 0 || argumentsMissing || (beside !== undefined && beside.length > 0)) return false;
  if (tool.check !== undefined || policy.schema === "off" || policy.formats !== "annotate") return false;
  const validate: QuickValidate | undefined = policy.validate;
  const check = validate?.plainCheckOf?.(tool.schema);
  if (check === undefined || check.depth > policy.maxDepth || check.count(value) !== members) return false;
  if (check.hasZero && mayVanish.test(facts.argumentsText)) return false;
  // What is an integer to JavaScript may have been written as none.
  return !check.mayHoldIntegers || inexactNumbers(facts.argumentsText) === undefined;
}

/** Whether a name may be called at all. Exact match: a near name is somebody else's tool. */
function checkName(name: string | undefined, tools: ToolSet, policy: Policy): CallRefusal | undefined {
  if (name === undefined || name === "") {
    return refuse("no-name", "the call names no tool; ask for it again with the name of one of the tools");
  }
  if (tools.has(name) || policy.unknownTool === "pass") return undefined;
  const offered = tools.names.length === 0 ? "no tools are offered" : `use one of the offered tools`;
  return refuse("unknown-tool", `${quote(name)} is not among the tools${didYouMean(name, tools.names)}; ${offered}`);
}

/** Whether the payload is within the limits; the streaming driver asks the same while text arrives. */
function checkSize(facts: Pick<CandidateFacts, "chars" | "depth">, policy: Policy): CallRefusal | undefined {
  if (facts.chars > policy.maxPayloadChars) {
    return refuse(
      "too-large",
      `the call is longer than ${policy.maxPayloadChars} characters; shorten it, or raise policy.maxPayloadChars`,
    );
  }
  return facts.depth > policy.maxDepth ? tooDeep(policy) : undefined;
}

/** Where one of these was made, a brace is missing: it may have stood earlier than where the call ends. */
const closerKinds: readonly RepairKind[] = ["missing-envelope-closer", "missing-closer"];

/**
 * A key that may belong to a container further out, because its schema declares it there. Where a brace is missing
 * somewhere, that may be where it is missing.
 */
function nestedParameter(value: Record<string, unknown>, tool: Tool | undefined): string | undefined {
  if (tool === undefined) return undefined;
  const root = tool.schema;
  const beside = Object.keys(value).find((key) => isEnvelopeKey(key) && !tool.keys.has(key));
  if (beside !== undefined) return beside;
  const work: { holder: object; schema: JsonSchema | undefined; outer: Surrounding }[] = [];
  const open = (holder: unknown, schema: JsonSchema | undefined, outer: Surrounding): void => {
    if (typeof holder === "object" && holder !== null) work.push({ holder, schema, outer });
  };
  open(value, root, undefined);
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const { holder, schema } = next;
    if (Array.isArray(holder)) {
      for (const [index, item] of holder.entries()) open(item, itemSchema(schema, root, index), next.outer);
      continue;
    }
    const keys = Object.keys(holder);
    for (let place = next.outer; place !== undefined; place = place.outer) {
      const { declared, holder: around } = place;
      const key = keys.find((one) => declared.has(one) && !Object.hasOwn(around, one));
      if (key !== undefined) return key;
    }
    const declared = declaredKeys(schema, root);
    const outer = declared.size === 0 ? next.outer : { declared, holder, outer: next.outer };
    for (const key of keys) open(ownMember(holder, key), propertySchema(schema, root, key), outer);
  }
  return movableMember(value, root);
}

/**
 * The key of a member that ends the text of the arguments, and that an object further out may have instead. No brace moves the
 * first member of an object, nor one that its object needs, nor one out of a list. A key that its object declares stands there
 * for certain, unless the object further out has it, too, by another keyword than `properties`.
 */
function movableMember(value: Record<string, unknown>, root: JsonSchema): string | undefined {
  const around: { holder: object; allowed: Allowed; isClosed: boolean }[] = [];
  let allowed = allowedBy(root);
  let last: unknown = value;
  for (let schema: JsonSchema | undefined = root; typeof last === "object" && last !== null; ) {
    const holder: object = last;
    const keys = Object.keys(holder);
    const key = keys[keys.length - 1];
    if (key === undefined) return undefined;
    last = ownMember(holder, key);
    if (Array.isArray(holder)) {
      around.length = 0;
      schema = itemSchema(schema, root, keys.length - 1);
      allowed = allowed.item(keys.length - 1);
      continue;
    }
    const kind = kindOf(last);
    const isDeclared = declaredKeys(schema, root).has(key);
    const mayHave = (one: (typeof around)[number]) =>
      (one.isClosed || !isDeclared) && !Object.hasOwn(one.holder, key) && (one.allowed.member(key).kinds & kind) !== 0;
    if (keys.length > 1 && !requiresKey(schema, key) && around.some(mayHave)) return key;
    around.push({ holder, allowed, isClosed: isClosedObject(schema, root) });
    schema = propertySchema(schema, root, key);
    allowed = allowed.member(key);
  }
  return undefined;
}

function requiresKey(schema: JsonSchema | undefined, key: string): boolean {
  const required = ownMember(schema, "required");
  return Array.isArray(required) && required.includes(key);
}

/** The objects round a place whose schema declares keys, innermost first. */
type Surrounding = { declared: ReadonlySet<string>; holder: object; outer: Surrounding } | undefined;

function nested(key: string, name: string): CallRefusal {
  return refuse(
    "ambiguous",
    `a brace is missing, and ${quote(key)}, which may be a parameter of ${quote(name)}, stands inside another one; ask for the call again`,
  );
}

function tooDeep(policy: Policy): CallRefusal {
  return refuse(
    "too-deep",
    `the arguments nest deeper than ${policy.maxDepth} levels; flatten them, or raise policy.maxDepth`,
  );
}

/** Whether the policy allows every repair that was needed. */
function checkRepairs(repairs: readonly Repair[], policy: Policy): CallRefusal | undefined {
  const refused = repairs.filter((repair) => !mayRepair(repair, policy));
  if (refused.length === 0) return undefined;
  const kinds = [...new Set(refused.map((repair) => repair.kind))].join(", ");
  if (refused.some((repair) => repair.kind === "duplicate-key")) return duplicateKey();
  if (refused.some((repair) => repair.level === "truncated")) {
    return refuse(
      "truncated",
      `the text ended before the call did (${kinds}), so more may have been coming; raise the token limit, or retry`,
    );
  }
  if (refused.some((repair) => readingRepairs.has(repair.kind))) {
    return refuse(
      "ambiguous",
      `the text of the call can be read in two ways (${kinds}); ask for the call again, or allow these kinds in ` +
        "policy.repairs",
    );
  }
  const guessed = refused.some((repair) => repair.level === "guess");
  return guessed
    ? refuse(
        "needs-guess",
        `the arguments are damaged and can be read in more than one way (${kinds}); ask for the call again, or allow ` +
          "these kinds in policy.repairs",
      )
    : refuse(
        "malformed",
        `the arguments are damaged (${kinds}) and policy.repairs allows no such repair; ask for the call again`,
      );
}

/** Whether the policy allows a repair. */
export function mayRepair(repair: Pick<Repair, "kind" | "level">, policy: Policy): boolean {
  // Half a string is no complete member, and part of it has been sent.
  if (repair.level === "truncated")
    return policy.truncated === "deliver-complete-members" && repair.kind !== "cut-string";
  if (typeof policy.repairs === "object") return policy.repairs.allow.includes(repair.kind);
  if (policy.repairs === "none" || readingRepairs.has(repair.kind)) return false;
  return repair.level === "safe" || policy.repairs === "guess";
}

function duplicateKey(): CallRefusal {
  return refuse("duplicate-key", memberTwice);
}

function readArguments(text: string): Record<string, unknown> | undefined {
  return schemaObject(parseJson(text)) as Record<string, unknown> | undefined;
}

function noObject(name: string): CallRefusal {
  return refuse("malformed", `the arguments of ${quote(name)} are no JSON object; send them as {"parameter": value}`);
}

function checkWalk(
  walk: ValueWalk,
  { members, argumentsText }: Pick<CandidateFacts, "members" | "argumentsText">,
  policy: Policy,
): CallRefusal | undefined {
  if (walk.depth > policy.maxDepth) return tooDeep(policy);
  if (walk.sensitive !== undefined && policy.sensitiveKeys === "reject") {
    return refuse(
      "sensitive-key",
      `the arguments have the key ${clip(walk.sensitive)}, which can change how objects behave; leave it out, or set ` +
        'policy.sensitiveKeys to "own" if your code only reads own members',
    );
  }
  if (repeatsKey(members, walk.members)) return duplicateKey();
  if (walk.nonFinite !== undefined) {
    return refuse("type-mismatch", `the number at ${clip(walk.nonFinite)} is too large to be one; send it as text`);
  }
  if (!walk.hasZero || !mayVanish.test(argumentsText) || measureJson(argumentsText).finite) return undefined;
  return refuse("type-mismatch", "a number of the arguments is too small to be one, and became 0; send it as text");
}

/** Only numbers that are written so can be too small. */
const mayVanish = /[eE]-|0\.0{300}/;

const deepNamesOf = onceFor(({ schema }: Tool): ReadonlySet<string> => {
  const names = new Set<string>();
  visitSchemas(schema, (one) => {
    for (const name of Object.keys(schemaObject(ownMember(one, "properties")) ?? {})) names.add(name);
    return false;
  });
  return names;
});

/** Whether a tool declares a key: as a parameter, or, deeper, anywhere in its schema. */
function declares(tool: Tool | undefined, key: string, depth: number): boolean {
  if (tool === undefined) return false;
  return (depth === 1 ? tool.keys : deepNamesOf(tool)).has(key);
}

function checkAgainstSchema(
  tool: Tool,
  value: unknown,
  lostDigits: readonly string[] | undefined,
  policy: Policy,
): CallRefusal | undefined {
  let answer: unknown;
  try {
    if (policy.validate === undefined) throw new Error("there is no validator");
    const validate: QuickValidate = policy.validate;
    // A validator of the host may change what it is given, as Ajv does with defaults: what was written is what runs.
    const given = validate.plainCheckOf === undefined ? structuredClone(value) : value;
    answer = validate(tool.schema, given, lostDigits === undefined ? policy : { ...policy, lostDigits });
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return validatorError(tool, `threw: ${clip(cause.split("\n", 1)[0] ?? "")}`);
  }
  if (answer === true) return undefined;
  if (isViolations(answer)) return misfit(tool, answer);
  if (typeof answer !== "string")
    return validatorError(tool, "answered neither true nor what is wrong (it must not be async)");
  return refuse("schema", schemaMessage(tool, answer));
}

/** The tool's schema library has the last word, and what it makes of the arguments is what runs. */
function askLibrary(tool: Tool, check: StandardCheck, call: AcceptedCall): CallVerdict {
  const verdictOn = (answer: StandardAnswer): CallVerdict => {
    if ("problem" in answer) return validatorError(tool, answer.problem);
    if ("value" in answer) {
      return { ...call, arguments: answer.value as Record<string, unknown>, written: call.arguments };
    }
    return { ...refuse("schema", schemaMessage(tool, answer.message)), violations: answer.violations };
  };
  // A value of its own: what the library does to it is not what was written.
  const answer = runStandardCheck(check, readArguments(call.argumentsText));
  return answer instanceof Promise ? { ...call, later: answer.then(verdictOn) } : verdictOn(answer);
}

function isViolations(answer: unknown): answer is readonly Violation[] {
  return (
    Array.isArray(answer) &&
    answer.length > 0 &&
    answer.every(
      (one) => typeof one === "object" && one !== null && "path" in one && "expected" in one && "found" in one,
    )
  );
}

function misfit(tool: Tool, violations: readonly Violation[]): CallRefusal {
  const sentences = violations.map(({ path, expected, found }) => `${path}: expected ${expected}, found ${found}`);
  return { ...refuse("schema", schemaMessage(tool, sentences.join("; "))), violations };
}

function schemaMessage(tool: Tool, what: string): string {
  return `the arguments of ${quote(tool.name)} do not fit its schema: ${what}; correct the call`;
}

function validatorError(tool: Tool, what: string): CallRefusal {
  return refuse(
    "validator-error",
    `the arguments of ${quote(tool.name)} could not be checked, so the call is refused: the validator ${what}`,
  );
}
