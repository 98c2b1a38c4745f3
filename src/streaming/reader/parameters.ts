import type { Candidate } from "../../normalise/candidate.ts";
import { parseJson } from "../../normalise/json-text.ts";
import type { JsonWriter } from "../../normalise/json-writer.ts";
import { pythonNumberToJson } from "../../normalise/python-literal.ts";
import { schemaAt } from "../../normalise/schema-walk.ts";
import { endsInBrokenCloser, hasStrayCloser } from "../../normalise/stray-closer.ts";
import { type TextType, textTypeOf } from "../../normalise/text-type.ts";
import { inferText, typeText } from "../../normalise/type-text.ts";
import { roleCodes as role } from "../../runtime/roles.ts";
import { candidateAt, startIfReady } from "./candidates.ts";
import type { Block, ReaderState } from "./state.ts";

/** The arguments are an object whose members come one by one. */
export function beginMembers(state: ReaderState, candidate: Candidate): JsonWriter {
  if (!candidate.hasArguments) {
    candidate.hasArguments = true;
    candidate.writer.beginObject();
    startIfReady(state, candidate);
  }
  state.sink = candidate.writer;
  return candidate.writer;
}

/** A key was read: of the arguments, or inside the value of a parameter. */
export function endKey(state: ReaderState, start: number, at: number): void {
  const block = state.block as Block;
  if (block.kind === "members") beginMembers(state, candidateAt(state, start));
  const key = state.captured.trim();
  if (state.path.length > 0) state.path[state.path.length - 1] = key;
  else state.key = key;
  writeKey(state, key, start, at);
}

export function writeKey(state: ReaderState, key: string, start: number, at: number): void {
  state.sink?.beginString(start, true);
  state.sink?.text(key);
  state.sink?.endString(at);
}

/** A value begins; inside an array it has a place of its own. */
export function beginItem(state: ReaderState): void {
  const top = state.path[state.path.length - 1];
  if (typeof top === "number") state.path[state.path.length - 1] = top + 1;
}

/** An object or array begins inside the value of a parameter; `first` is where its first value stands. */
export function enterContainer(state: ReaderState, first: string | number): void {
  if (state.block?.kind !== "members") return;
  beginItem(state);
  state.path.push(first);
}

/** Roles whose text is the whole value of a parameter. */
export function isParameterText(code: number): boolean {
  if (code === role.JsonText || code === role.Verbatim) return true;
  return code === role.Text || code === role.StringText || code === role.Markup;
}

/** How text is typed at the place that is being read. */
export function typeHere(state: ReaderState): TextType | undefined {
  const name = state.block?.candidate?.name;
  if (name === undefined) return undefined;
  if (state.path.length === 0) return state.owner.parameterType(name, state.key);
  const root = state.owner.schemaOf(name);
  return root === undefined ? undefined : textTypeOf(schemaAt(root, [state.key, ...state.path]), root);
}

export function beginTypedText(state: ReaderState, code: number, at: number): void {
  state.captured = "";
  beginItem(state);
  state.type = typeHere(state);
  state.streams = state.type?.streams ?? false;
  // What the wire calls a string is one, where no schema says otherwise.
  if (code === role.StringText && (state.type === undefined || state.type.inferred)) state.streams = true;
  if (state.streams) state.sink?.beginString(at, false);
}

/** The text is complete: the schema says what it is. */
export function endTypedText(state: ReaderState, at: number): void {
  if (state.streams) return state.sink?.endString(at);
  const candidate = state.block?.candidate;
  if (state.type === undefined || state.type.inferred) return writeJson(state, inferText(state.captured));
  const typed = typeText(state.captured, state.type);
  if ("json" in typed) {
    for (const kind of typed.repairs ?? []) candidate?.repair({ kind, level: "safe", ...state.span(at, at) });
    return writeJson(state, typed.json);
  }
  candidate?.refuse("type-mismatch", `the value of "${state.key}": ${typed.mismatch}`);
  writeJson(state, "null");
}

export function endJsonText(state: ReaderState, start: number, at: number): void {
  const text = state.captured.trim();
  if (parseJson(text) !== undefined) return writeJson(state, text);
  // The wire said JSON and it is none: text, which the schema may still want.
  state.sink?.beginString(start, false);
  state.sink?.text(state.captured);
  state.sink?.endString(at);
}

export function endPythonNumber(state: ReaderState, start: number, at: number): void {
  const json = pythonNumberToJson(state.captured);
  if (json !== undefined) return state.sink?.literal(json, start, at);
  state.block?.candidate?.refuse("type-mismatch", `${state.captured} is no finite number`);
  state.sink?.literal("null", start, at);
}

function writeJson(state: ReaderState, json: string): void {
  state.block?.candidate?.writer.json(json);
}

/** Where the newest value stands; a closer that is missing already makes it suspect. */
export function noteValue(state: ReaderState, start: number, end: number): void {
  state.valueStart = start;
  state.valueEnd = end;
  const candidate = state.block?.candidate;
  if (candidate?.repairs.some(({ kind }) => kind === "missing-value-closer")) checkStrays(state, candidate);
}

/** A closer is missing somewhere: a closing tag that nothing opened leaves two readings of where. */
export function checkStrays(state: ReaderState, candidate: Candidate | undefined): void {
  const value = state.slice(state.valueStart, state.valueEnd);
  if (!hasStrayCloser(value) && !endsInBrokenCloser(value, [...state.program.strings, state.key])) return;
  candidate?.refuse("ambiguous", "a parameter is not closed, and its text holds a closing tag of something else");
}

export function refuseAmbiguous(state: ReaderState): void {
  state.block?.candidate?.refuse("ambiguous", "the text of the call can be read in two ways");
}
