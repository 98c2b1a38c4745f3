import { isObject } from "../contract/is-object.ts";
import { roleCodes as role } from "../machine/roles.ts";
import type { Candidate } from "../values/candidate.ts";
import { parseJson } from "../values/json-text.ts";
import { requiresMembers } from "../values/schema-walk.ts";
import { inferText, isDamagedContainer } from "../values/text-to-value.ts";
import { everyKind } from "../values/value-kinds.ts";
import { candidateAt, startIfReady, unquoteArguments } from "./candidates.ts";
import { endsAsJson } from "./parameter-ends.ts";
import { beginMembers, collect } from "./parameters.ts";
import type { Block, ReaderState, RoleHandlers } from "./state.ts";
import { writeKey } from "./typed-parameter.ts";

/** The arguments are written in another language: the format brings who reads it. */
function endBody(state: ReaderState, start: number, at: number): void {
  const candidate = candidateAt(state, at);
  candidate.hasArguments = true;
  candidate.values.push(start, at);
  const root = state.owner.tools.schemaOf(candidate.name);
  const { readBody } = state.format;
  const body = readBody?.(state.captured, root) ?? { problem: "the format brings no reader for its body" };
  (state.block as Block).kind = "arguments";
  if ("problem" in body) {
    // The text ends before the closer: what is no value yet may have become one.
    const isCut = state.mayBeCut && at >= state.store.end;
    candidate.refuse(isCut ? "truncated" : (body.reason ?? "malformed"), body.problem);
    // What closes the call may be text of the string.
    candidate.endIsUnproven = !isCut && body.isOpen === true;
    return;
  }
  startIfReady(state, candidate);
  unquoteArguments(state, candidate);
  candidate.writer.json(body.json);
  candidate.writer.finish();
  const { level = "safe" } = body;
  for (const kind of body.repairs ?? []) candidate.repair({ kind, level, ...state.span(start, at) });
}

/** A tool that takes one text needs no key. Without a name, the format says which tools are meant. */
function beginOnlyText(state: ReaderState, _code: number, at: number): void {
  const candidate = candidateAt(state, at);
  const { names, keysOf } = state.hints;
  const { unnamed = [] } = state.format;
  candidate.name ??= unnamed.find((name) => names?.includes(name)) ?? unnamed[0];
  const name = candidate.name ?? "";
  const keys = [...(keysOf(name) ?? [])];
  if (keys.length === 1 && state.owner.tools.parameterType(name, keys[0])?.streams) {
    beginMembers(state, candidate);
    state.key = keys[0];
    writeKey(state, state.key, at, at);
    state.sink?.beginString(at, false);
    return;
  }
  state.sink = undefined;
  if (names && !names.includes(name)) candidate.refuse("unknown-tool", `"${name}" is not among the tools`);
}

/**
 * Text that nothing has closed may have been cut, unless the model said itself that it had come to its end. One that names the
 * parameter, ends as JSON does, or is nothing but brackets, may be an object that has lost its brace; one that ends in an object with the
 * parameter, or with the name of another tool before it, may be arguments that are written otherwise; one that says that there are no
 * arguments is none of a tool that takes no text.
 */
function endOnlyText(state: ReaderState, start: number, at: number): void {
  state.sink?.endString(at);
  const candidate = candidateAt(state, at);
  // Where none is taken it is no value.
  if (state.sink) candidate.values.push(start, at);
  const text = state.slice(start, at).trimStart();
  const saysNone = text === "null" || text === '""';
  if (state.sink) {
    const [, ...keys] = namedFirst.exec(text) ?? [];
    if (onlyMarks.test(text.trimEnd())) refuseText(candidate, "what is left of an object without arguments");
    else if (keys.includes(state.key) || endsAsJson(text) || isDamagedContainer(text, inferText(text), everyKind))
      refuseText(candidate, `what is left of an object with "${state.key}"`);
    else if (endsInArguments(text, state.key, state.hints.names))
      refuseText(candidate, `arguments with "${state.key}", and what stands before them`);
    const root = state.owner.tools.schemaOf(candidate.name) ?? true;
    if (saysNone && !requiresMembers(root, root)) refuseText(candidate, "a word for no arguments");
  } else if (saysNone) {
    (state.block as Block).kind = "arguments";
    candidate.sayNone(state.span(start, at));
  } else {
    candidate.refuse(
      "type-mismatch",
      `the call holds plain text, and "${candidate.name}" does not take one text alone`,
    );
  }
  if (!state.mayBeCut || at < state.store.end) return;
  state.truncated = true;
  candidate.refuse("truncated", "nothing closes the text of the call, so more may have been coming");
}

function refuseText(candidate: Candidate, what: string): void {
  candidate.refuse("ambiguous", `the text may be ${what}; ask for the call again`);
}

/** Brackets and nothing else, or a quote. */
const onlyMarks = /^(?:["'`,:\s]*[{}[\]()][{}[\]()"'`,:\s]*|["'`])$/;

/** In brackets or not: a key and a colon, an assignment of a quoted text and nothing else, or of one line without blanks, or a pair of tags. */
const namedFirst =
  /^[\s{([]*(?:["']?([^\s"':{}([][^\s"':{}]*)["']?\s*:|([^\s"':={}([][^\s"':={}]*)(?:\s*=\s*(?:"[^"\n]*"|'[^'\n]*')|=[^\s=][^\n]*)$|<([^\s<>]+)>[\s\S]*<\/\3>$)/;

/**
 * Whether an object ends a text, which names the parameter, or has nothing but the name of a tool before it; in quotes or brackets, one
 * that is all of it.
 */
function endsInArguments(text: string, key: string, names: readonly string[] | undefined): boolean {
  const [at, end] = [text.indexOf("{"), text.lastIndexOf("}") + 1];
  const value = at < end && quotesEnd.test(text.slice(end)) ? parseJson(text.slice(at, end)) : undefined;
  const [, before] = wordAndQuotes.exec(text.slice(0, Math.max(at, 0))) ?? [];
  const isNamed = (end === text.length || before === "") && isObject(value) && Object.hasOwn(value, key);
  return isNamed || (isObject(value) && before !== undefined && names?.includes(before) === true);
}

const wordAndQuotes = /^([^\s(["'`“‘]*)[\s(["'`“‘]*$/;
const quotesEnd = /^[\s)\]"'`”’]*$/;

/** Arguments in another language. */
export const bodyHandlers: RoleHandlers = { [role.Body]: { open: collect, close: endBody } };

/** A text that is the one argument. */
export const onlyTextHandlers: RoleHandlers = { [role.OnlyText]: { open: beginOnlyText, close: endOnlyText } };
