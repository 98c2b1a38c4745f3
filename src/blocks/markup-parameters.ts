import { roleCodes as role } from "../machine/roles.ts";
import type { Candidate } from "../values/candidate.ts";
import { mayRepeat, readMarkup } from "../values/markup.ts";
import { propertySchema } from "../values/schema-walk.ts";
import { candidateAt } from "./candidates.ts";
import {
  beginMembers,
  checkExpected,
  collect,
  keepText,
  noteValue,
  typeHere,
  writeKey,
  writeRepeated,
} from "./parameters.ts";
import type { ReaderState, RoleHandlers } from "./state.ts";

const plainMarkup = { prefix: "", entities: false };

/** The value of a parameter that may hold tags of its own. */
function beginMarkup(state: ReaderState, _code: number, at: number): void {
  state.captured = "";
  state.type = typeHere(state);
  state.streams = state.type?.streams ?? false;
  if (!state.streams) return;
  writeKey(state, state.key, at, at);
  state.sink?.beginString(at, false);
}

function endMarkup(state: ReaderState, start: number, at: number): void {
  noteValue(state, start, at);
  if (state.streams) {
    state.sink?.endString(at);
    const { prefix = "" } = state.format.markup ?? {};
    if (prefix === "" || !state.slice(state.valueStart, at).includes(prefix)) return;
    state.block?.candidate?.refuse("type-mismatch", `the value of "${state.key}" is a string, and holds tags`);
  } else if (mayRepeat(state.type)) {
    keepText(state, writeMarkup);
  } else writeMarkup(state, candidateAt(state, at), state.key, [state.captured]);
}

/** What the texts of one parameter mean, by its schema. */
function writeMarkup(state: ReaderState, candidate: Candidate, key: string, texts: readonly string[]): void {
  const root = candidate.name === undefined ? undefined : state.owner.schemaOf(candidate.name);
  const schema = root === undefined ? undefined : propertySchema(root, root, key);
  const value = readMarkup(texts, schema, root ?? true, state.format.markup ?? plainMarkup);
  if ("mismatch" in value) {
    candidate.refuse(value.tooDeep ? "too-deep" : "type-mismatch", `the value of "${key}": ${value.mismatch}`);
  }
  state.sink = candidate.writer;
  writeKey(state, key, state.valueStart, state.valueEnd);
  candidate.writer.json("json" in value ? value.json : "null");
}

/** Arguments that come one by one, in tags whose values may hold tags of their own. */
export const markupHandlers: RoleHandlers = {
  [role.Tag]: {
    open: collect,
    close(state, start) {
      beginMembers(state, candidateAt(state, start));
      state.key = state.captured;
      checkExpected(state, state.key);
    },
  },
  [role.Markup]: { open: beginMarkup, close: endMarkup },
  end: { close: writeRepeated },
};
