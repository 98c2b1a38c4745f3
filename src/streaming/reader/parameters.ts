import type { Candidate } from "../../normalise/candidate.ts";
import { decodeEntity } from "../../normalise/entity.ts";
import { parseJson } from "../../normalise/json-text.ts";
import type { JsonWriter } from "../../normalise/json-writer.ts";
import { decodePythonEscape, pythonNumberToJson } from "../../normalise/python-literal.ts";
import { schemaAt } from "../../normalise/schema-walk.ts";
import { endsInBrokenCloser, hasStrayCloser } from "../../normalise/stray-closer.ts";
import { type TextType, textTypeOf } from "../../normalise/text-type.ts";
import { inferText, typeText } from "../../normalise/type-text.ts";
import { roleCodes as role } from "../../runtime/roles.ts";
import { candidateAt, refuseAmbiguous, startIfReady } from "./candidates.ts";
import { takeDecoded } from "./capture-log.ts";
import type { Block, OpenRole, ReaderState, ReaderSteps } from "./state.ts";
import { beginItem } from "./value-place.ts";

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
function endKey(state: ReaderState, start: number, at: number): void {
  const block = state.block as Block;
  if (block.kind === "members") beginMembers(state, candidateAt(state, start));
  const isParameter = block.kind === "members" && state.path.length === 0;
  // Blanks round the name of a parameter are layout; in a map that is a value, or holds all, they are part of the key.
  const key = isParameter ? state.captured.trim() : state.captured;
  if (state.path.length > 0) state.path[state.path.length - 1] = key;
  else state.key = key;
  writeKey(state, key, start, at);
}

export function writeKey(state: ReaderState, key: string, start: number, at: number): void {
  state.sink?.beginString(start, true);
  state.sink?.text(key);
  state.sink?.endString(at);
}

/** How text is typed at the place that is being read. */
export function typeHere(state: ReaderState): TextType | undefined {
  const name = state.block?.candidate?.name;
  if (name === undefined) return undefined;
  if (state.path.length === 0) return state.owner.parameterType(name, state.key);
  const root = state.owner.schemaOf(name);
  return root === undefined ? undefined : textTypeOf(schemaAt(root, [state.key, ...state.path]), root);
}

function beginTypedText(state: ReaderState, code: number, at: number): void {
  state.captured = "";
  beginItem(state);
  state.type = typeHere(state);
  state.streams = state.type?.streams ?? false;
  // What the wire calls a string is one, where no schema says otherwise.
  if (code === role.StringText && (state.type === undefined || state.type.inferred)) state.streams = true;
  if (state.streams) state.sink?.beginString(at, false);
}

/** The text is complete: the schema says what it is. */
function endTypedText(state: ReaderState, start: number, at: number): void {
  noteValue(state, start, at);
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

function endJsonText(state: ReaderState, start: number, at: number): void {
  noteValue(state, start, at);
  const text = state.captured.trim();
  if (parseJson(text) !== undefined) return writeJson(state, text);
  // The wire said JSON and it is none: text, which the schema may still want.
  state.sink?.beginString(start, false);
  state.sink?.text(state.captured);
  state.sink?.endString(at);
}

function endPythonNumber(state: ReaderState, start: number, at: number): void {
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
function checkStrays(state: ReaderState, candidate: Candidate | undefined): void {
  const value = state.slice(state.valueStart, state.valueEnd);
  if (!hasStrayCloser(value) && !endsInBrokenCloser(value, [...state.program.strings, state.key])) return;
  candidate?.refuse("ambiguous", "a parameter is not closed, and its text holds a closing tag of something else");
}

/** What an escape stands for; the text round it goes on behind. */
function endEscape(state: ReaderState, at: number, decoded: string): void {
  const parent = state.roles[state.roles.length - 1] as OpenRole;
  parent.at = at;
  takeDecoded(state, parent.code, decoded);
}

/** Text that is collected, and used when its role closes. */
export function collect(state: ReaderState): void {
  state.captured = "";
}

/** Arguments that come one by one, as text of their own. */
export const parameterSteps: ReaderSteps = {
  [role.Key]: { open: collect, close: endKey },
  [role.Text]: { open: beginTypedText, close: endTypedText },
  [role.StringText]: { open: beginTypedText, close: endTypedText },
  [role.Verbatim]: {
    open(state, _code, at) {
      beginItem(state);
      state.sink?.beginString(at, false);
    },
    close(state, start, at) {
      noteValue(state, start, at);
      state.sink?.endString(at);
    },
  },
  [role.JsonText]: { open: collect, close: endJsonText },
  [role.PythonNumber]: { open: collect, close: endPythonNumber },
  [role.PythonEscape]: {
    close: (state, start, at) => endEscape(state, at, decodePythonEscape(state.slice(start, at))),
  },
  [role.Entity]: {
    close(state, start, at) {
      const reference = state.slice(start, at);
      // Between tags it is decoded when it is known what is a tag.
      const isLater = state.roles[state.roles.length - 1].code === role.Markup && !state.streams;
      endEscape(state, at, isLater ? reference : decodeEntity(reference));
    },
  },
  [role.Undeclared]: {
    close(state) {
      if (!state.hints.takesFurther?.(state.block?.candidate?.name ?? "")) refuseAmbiguous(state);
    },
  },
  [role.Computed]: {
    close({ block }) {
      const candidate = block?.candidate ?? block?.pending;
      candidate?.refuse("malformed", "an argument is an expression or has no name: only `name=literal` is read");
    },
  },
  "missing-value-closer": {
    close: (state) => checkStrays(state, state.block?.candidate ?? state.block?.pending),
  },
};
