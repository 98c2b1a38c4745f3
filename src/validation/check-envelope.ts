import { didYouMean } from "../contract/suggest.ts";
import { argumentSynonyms } from "../values/argument-synonyms.ts";
import { objectJsonIn } from "../values/arguments-reader.ts";
import type { BesideKey } from "../values/candidate.ts";
import { isEnvelopeKey, isWrapper, wordOf } from "../values/envelope-keys.ts";
import { harmlessKeys } from "../values/harmless-keys.ts";
import { parseJson } from "../values/json-text.ts";
import { matchesPatternKey, ownMember, requiresMembers, schemaObject } from "../values/schema-walk.ts";
import { isDefinition, isDescribed, isSchemaOfObject } from "../values/tool-definition.ts";
import type { CandidateFacts } from "./candidate-facts.ts";
import { misspeltKey } from "./misspelt-key.ts";
import type { Policy } from "./policy.ts";
import { type CallRefusal, quote, refuse } from "./refusal.ts";
import type { Tool, ToolSet } from "./tools.ts";

/**
 * Whether the call can be read without dropping a key that the model wrote, and with one reading only. A parameter that
 * stands beside the arguments was meant to be among them; what is unknown cannot be ignored either.
 */
export function checkEnvelope(
  {
    beside = nothing,
    argumentsMissing = false,
    repairs,
  }: Pick<CandidateFacts, "beside" | "argumentsMissing" | "repairs">,
  name: string,
  value: Readonly<Record<string, unknown>>,
  tool: Tool | undefined,
  policy: Policy,
): CallRefusal | undefined {
  if (beside.length === 0 && !argumentsMissing) return undefined;
  const declared = beside.find(
    ({ key, use }) => tool?.keys.has(key) && (use === "synonym" || use === "other" || !Object.hasOwn(value, key)),
  );
  if (declared) return misplaced(declared.key, name);
  // A type that is the name says the same twice: next to arguments, as a description.
  const unknown = beside.find(({ use, text }) =>
    use === "description" || text === name ? argumentsMissing : use === "other",
  );
  if (unknown) return unreadable(unknown.key, argumentsMissing);
  if (tool && isDescribed(beside, value, tool)) return definition(name);
  // A comma says that a member was coming, unless the arguments have said that they are none.
  const kinds = repairs.map(({ kind }) => kind);
  if (argumentsMissing && kinds.includes("extra-comma") && !kinds.includes("empty-arguments")) return cutShort(name);
  // Elsewhere the schema says which.
  if (!argumentsMissing || !tool || policy.schema !== "off") return undefined;
  if (!requiresMembers(tool.schema, tool.schema)) return undefined;
  return refuse("schema", `the call of ${quote(name)} holds no arguments, and the tool requires some; send them`);
}

const nothing: readonly BesideKey[] = [];

function cutShort(name: string): CallRefusal {
  return refuse(
    "malformed",
    `the call of ${quote(name)} ends after a comma, before its arguments; ask for it with them`,
  );
}

function misplaced(key: string, name: string): CallRefusal {
  return refuse(
    "ambiguous",
    `${quote(key)} is a parameter of ${quote(name)} and stands beside the arguments, not among them; ask for the call again`,
  );
}

function unreadable(key: string, argumentsMissing: boolean): CallRefusal {
  const meant = argumentsMissing ? didYouMean(key, argumentSynonyms) : "";
  return refuse(
    "malformed",
    `the key ${quote(key)} stands beside the name and is neither arguments nor an id${meant}, so it would be dropped; ` +
      "ask for the call again with every parameter among the arguments",
  );
}

/**
 * Whether the arguments are arguments. A definition that was copied from the prompt has a schema in their place; a call
 * inside a call has a second name. Both are data only for a tool that declares such keys.
 */
export function checkNoEnvelope(
  name: string,
  value: Readonly<Record<string, unknown>>,
  tool: Tool | undefined,
  tools: ToolSet,
): CallRefusal | undefined {
  const isOwn = (key: string) => tool?.keys.has(key) === true;
  if (isDefinition(value, isOwn) || (tool && holdsDefinition(value, tool))) return definition(name);
  const other = tool && misspeltKey(value, tool.schema);
  if (other !== undefined) return misspelt(other, name);
  // As the OpenAI interface writes calls, one object further in.
  const wrapped = isOwn("function") ? undefined : schemaObject(ownMember(value, "function"));
  const inner =
    innerName(value, isOwn, tools, tool !== undefined, name) ??
    (wrapped && innerName(wrapped, () => false, tools, tool !== undefined, name)) ??
    (tool && (nameBesideObject(value, tool, tools) ?? nestedName(value, tool, tools) ?? heldCall(value, tool, tools)));
  if (inner === undefined) {
    const isTwice = tool && (isWrappedTwice(value, tool, name) || isEnvelope(value, tool, name));
    return isTwice ? wrappedTwice(name) : undefined;
  }
  return refuse(
    "ambiguous",
    `the arguments of ${quote(name)} are a call themselves, of ${quote(inner)}; ask for one of the two`,
  );
}

/** No argument of the tool, but a schema of arguments, or the description that the tool was offered with. */
function holdsDefinition(value: Readonly<Record<string, unknown>>, tool: Tool): boolean {
  const keys = Object.keys(value);
  if (keys.some((key) => tool.keys.has(key))) return false;
  if (tool.description !== undefined && value.description === tool.description) return true;
  return keys.some((key) => isSchemaOfObject(schemaObject(value[key])));
}

/** Keys that the tool does not declare, although it declares others. */
function undeclared(value: Readonly<Record<string, unknown>>, tool: Tool): readonly string[] {
  return tool.keys.size === 0 ? [] : Object.keys(value).filter((key) => !tool.keys.has(key));
}

/** Parameters of the tool stand further in: in arguments among the arguments, or under the name of the tool, written as arguments may be. */
function isWrappedTwice(value: Readonly<Record<string, unknown>>, tool: Tool, name: string): boolean {
  const heldIn = (holder: Readonly<Record<string, unknown>>) =>
    undeclared(holder, tool)
      .filter((key) => key === name || wordOf(key) === "synonym")
      .flatMap((key) => heldObjects(holder[key]));
  for (let held = heldIn(value); held.length > 0; held = held.flatMap(heldIn)) {
    if (held.some((one) => Object.keys(one).some((key) => tool.keys.has(key)))) return true;
  }
  return false;
}

/**
 * Nothing but keys of envelopes that the tool does not declare, one of them with what may be arguments: an object, or what
 * says that there are none.
 */
function isEnvelope(value: Readonly<Record<string, unknown>>, tool: Tool, name: string): boolean {
  const keys = Object.keys(value);
  const isOwn = (key: string) => tool.keys.has(key) || matchesPatternKey(tool.schema, tool.schema, key);
  if (!keys.every((key) => (key === name || isEnvelopeKey(key)) && !isOwn(key))) return false;
  return keys.some((key) => (key === name || wordOf(key) === "synonym") && saysArguments(value[key]));
}

function saysArguments(value: unknown): boolean {
  const saysNone = value === null || value === "" || (Array.isArray(value) && value.length === 0);
  return saysNone || heldObjects(value).length > 0;
}

/** The object that a value is, or that it holds as a string or first in a list, if there is one. */
function heldObjects(value: unknown): readonly Record<string, unknown>[] {
  const held = typeof value === "string" ? (parseJson(value) ?? objectLikeIn(value)) : value;
  const object = schemaObject(Array.isArray(held) ? held[0] : held);
  return object === undefined ? [] : [object];
}

/** What a text says that begins as an object or a list does and is no JSON: of Python, in a fence, or escaped once more. */
function objectLikeIn(text: string): Record<string, unknown> | undefined {
  if (!beginsObject.test(text)) return undefined;
  return Object.fromEntries([...text.matchAll(memberLike)].map(([, , key, , word = null]) => [key, word]));
}

const beginsObject = /^\s*(?:`{3,}\w*\s*)?(?:\[\s*)?\{/;
/** A key in quotes of any kind, or in none, and its value if that is a word in quotes. */
const memberLike =
  /(?<![\w.-])(["'\\]{0,8})(?<![\w.-])([\w.-]{1,128})\1\s{0,8}:(?:\s{0,8}(["'\\]{1,8})([\w.-]{1,128})\3)?/g;

/** The name of a tool on offer that stands beside an object, both under keys that the tool does not declare. */
function nameBesideObject(value: Readonly<Record<string, unknown>>, tool: Tool, tools: ToolSet): string | undefined {
  const values = undeclared(value, tool).map((key) => value[key]);
  const name = values.find((one) => typeof one === "string" && tools.has(one));
  return name !== undefined && values.some((one) => heldObjects(one).length > 0) ? (name as string) : undefined;
}

/** The name of a tool on offer that a whole call under such a key calls. */
function nestedName(value: Readonly<Record<string, unknown>>, tool: Tool, tools: ToolSet): string | undefined {
  const calls = undeclared(value, tool)
    .filter((key) => wordOf(key) === "synonym" || schemaObject(value[key]) !== undefined)
    .flatMap((key) => heldObjects(value[key]));
  const found = calls.find(
    ({ name, ...others }) =>
      typeof name === "string" && tools.has(name) && Object.keys(others).some((key) => wordOf(key) === "synonym"),
  );
  return found?.name as string | undefined;
}

/** The name of a tool on offer that all of the arguments, under keys that the tool does not declare, call. */
function heldCall(value: Readonly<Record<string, unknown>>, tool: Tool, tools: ToolSet): string | undefined {
  const isOwn = (key: string) => tool.keys.has(key) || matchesPatternKey(tool.schema, tool.schema, key);
  return Object.keys(value).some(isOwn) ? undefined : calledIn(value, tools);
}

/** The name of a tool and its arguments, under whatever keys, or the arguments under that name, in objects that wrap calls or in none. */
function calledIn(value: Readonly<Record<string, unknown>>, tools: ToolSet, depth = 0): string | undefined {
  const keys = Object.keys(value).filter((key) => !harmlessKeys.includes(key));
  if (keys.length > 2 || depth > wrappersMax) return undefined;
  for (const [at, key] of keys.entries()) {
    const [held] = heldObjects(value[key]);
    if (held === undefined) continue;
    const said = keys.length === 1 ? key : value[keys[1 - at]];
    const name = typeof said === "string" ? said.replace(namespace, "") : "";
    if (areArgumentsOf(held, tools.get(name))) return name;
    const inner = isWrapper(key) ? calledIn(held, tools, depth + 1) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function areArgumentsOf(held: Readonly<Record<string, unknown>>, tool: Tool | undefined): boolean {
  if (tool === undefined || tool.keys.size === 0) return tool !== undefined;
  const keys = Object.keys(held);
  return keys.length > 0 && keys.every((key) => tool.keys.has(key));
}

/** So many objects may stand round a call. */
const wrappersMax = 3;
/** As some interfaces write names. */
const namespace = /^functions?\./;

function wrappedTwice(name: string): CallRefusal {
  return refuse(
    "ambiguous",
    `the arguments of ${quote(name)} stand under a key of their own among the arguments; ask for the call with them directly`,
  );
}

function misspelt(key: string, name: string): CallRefusal {
  return refuse(
    "ambiguous",
    `${quote(key)} is no parameter of ${quote(name)}, and nearly one that is missing; ask for the call again`,
  );
}

function definition(name: string): CallRefusal {
  return refuse(
    "malformed",
    `this is the definition of ${quote(name)} and no call of it; ask for the call with arguments in place of the schema`,
  );
}

/** The name that stands among the arguments, next to arguments of its own. */
function innerName(
  value: Readonly<Record<string, unknown>>,
  isOwn: (key: string) => boolean,
  tools: ToolSet,
  isKnown: boolean,
  outer: string,
): string | undefined {
  const keys = Object.keys(value);
  // Another tool's name under a key that is no parameter.
  for (const key of keys) {
    const name = value[key];
    if (!isKnown || isOwn(key) || typeof name !== "string" || wordOf(key) !== "second-name") continue;
    if (name !== outer && tools.has(name)) return name;
  }
  const isHeld = (key: string) => wordOf(key) === "synonym" && mayBeArguments(value[key]);
  let holds = false;
  for (let at = 0; at < keys.length && !holds; at++) holds = isHeld(keys[at]);
  if (!holds) return undefined;
  const held = keys.filter(isHeld);
  for (const key of keys) {
    const name = value[key];
    if (typeof name !== "string" || wordOf(key) !== "second-name") continue;
    if (isOwn(key) && held.every(isOwn)) continue;
    // Where the name is a parameter, or nothing is known of the tool, only a tool's name makes a second reading.
    if ((isKnown && !isOwn(key)) || tools.has(name)) return name;
  }
  return undefined;
}

function mayBeArguments(value: unknown): boolean {
  if (value === null || schemaObject(value) !== undefined) return true;
  return typeof value === "string" && objectJsonIn(value) !== undefined;
}
