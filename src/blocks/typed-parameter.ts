import { type TextType, textTypeOf } from "../values/declared-type.ts";
import { parseJson, trimJson } from "../values/json-text.ts";
import { schemaAt } from "../values/schema-walk.ts";
import {
  fitsType,
  isString,
  type PlainValue,
  plainKindsOf,
  readPlain,
  type TypedText,
  typeText,
} from "../values/text-to-value.ts";
import { kindBits } from "../values/value-kinds.ts";
import type { ReaderState } from "./state.ts";

export function writeKey(state: ReaderState, key: string, start: number, at: number): void {
  state.sink?.beginString(start, true);
  state.sink?.text(key);
  state.sink?.endString(at);
}

/** How text is typed at the place that is being read. */
export function typeHere(state: ReaderState): TextType | undefined {
  const name = state.block?.candidate?.name;
  if (name === undefined) return undefined;
  if (state.path.length === 0) return state.owner.tools.parameterType(name, state.key);
  const root = state.owner.tools.schemaOf(name);
  return root === undefined ? undefined : textTypeOf(schemaAt(root, [state.key, ...state.path]), root);
}

/** How text is typed under another key of the object that is being read. */
export function typeBeside(state: ReaderState, key: string): TextType | undefined {
  const name = state.block?.candidate?.name;
  if (state.path.length === 0) return state.owner.tools.parameterType(name, key);
  const root = state.owner.tools.schemaOf(name);
  return root === undefined
    ? undefined
    : textTypeOf(schemaAt(root, [state.key, ...state.path.slice(0, -1), key]), root);
}

/** What fits no type may be a damaged list or object, where no string is allowed. */
export function repaired<Typed extends object>(
  state: ReaderState,
  text: string,
  type: TextType | undefined,
  typed: Typed,
): Typed | TypedText {
  if (!("mismatch" in typed) || type === undefined || type.inferred || type.anyString) return typed;
  const trimmed = text.trim();
  const fenced = state.givenRecovery && textInFence(trimmed);
  const value = fenced ?? trimmed;
  const bit = value[0] === "{" ? kindBits.object : value[0] === "[" ? kindBits.array : 0;
  const root = state.owner.tools.schemaOf(state.block?.candidate?.name);
  if ((type.kinds & bit) === 0 || root === undefined) return typed;
  const sound = fenced === undefined ? typed : typeText(fenced, type);
  if ("json" in sound) return { ...sound, repairs: ["fence", ...(sound.repairs ?? [])] };
  const read = state.givenRecovery?.readValue(value, root, [state.key, ...state.path]);
  if (read === undefined || !fitsType(read.json, type)) return typed;
  return fenced === undefined ? read : { ...read, repairs: ["fence", ...read.repairs] };
}

/** What stands in a fence that is all of a text. */
function textInFence(text: string): string | undefined {
  const begin = text.startsWith("```") && text.endsWith("```") ? text.indexOf("\n") : -1;
  if (begin < 0 || !/^```\w*\s*$/.test(text.slice(0, Math.min(begin, fenceLineMax)))) return undefined;
  return text.slice(begin, -3).trim();
}

const fenceLineMax = 32;

/** Most values are written as JSON writes them, and no string is allowed there. */
export function plainOf(text: string, type: TextType): PlainValue | undefined {
  const kinds = plainKindsOf(type);
  return kinds === 0 ? undefined : readPlain(trimJson(text), kinds);
}

export function writeTyped(state: ReaderState, key: string, typed: TypedText | PlainValue, at: number): void {
  const candidate = state.block?.candidate;
  if ("value" in typed) return candidate?.writer.member(typed);
  if ("json" in typed) return writeRepaired(state, typed, at, writeJson);
  candidate?.refuse(typed.reason ?? "type-mismatch", `the value of "${key}": ${typed.mismatch}`);
  writeJson(state, "null");
}

export function writeRepaired(
  state: ReaderState,
  { json, repairs = [] }: Extract<TypedText, { json: string }>,
  at: number,
  write: (state: ReaderState, json: string) => void,
): void {
  for (const kind of repairs) state.block?.candidate?.repair({ kind, level: "safe", ...state.span(at, at) });
  write(state, json);
}

/** A string is written as one, so that it may be read out of its quotes where none is allowed. */
export function writeValue(state: ReaderState, json: string): void {
  if (!isString(json)) return writeJson(state, json);
  state.sink?.beginString(state.valueStart, false);
  state.sink?.text(parseJson(json) as string);
  state.sink?.endString(state.valueEnd);
}

export function writeJson(state: ReaderState, json: string): void {
  state.block?.candidate?.writer.json(json);
}
