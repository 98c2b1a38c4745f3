import { roleCodes as role } from "../machine/roles.ts";
import { ArgumentsReader } from "../values/arguments-reader.ts";
import type { Candidate } from "../values/candidate.ts";
import { wordOf } from "../values/envelope-keys.ts";
import { withoutBlanks } from "../values/json-text.ts";
import { fitsType } from "../values/text-to-value.ts";
import { candidateAt, startIfReady, unquoteArguments } from "./candidates.ts";
import { parameterTagOf } from "./parameter-tag.ts";
import { rawCharacterHandlers } from "./raw-characters.ts";
import { holdsWholeObject, type SoundCall } from "./sound-call.ts";
import type { Block, ReaderState, RoleHandlers } from "./state.ts";

/** The name is known; the arguments come as one value. */
function beginArguments(state: ReaderState, _code: number, at: number): void {
  const block = state.block as Block;
  const candidate = candidateAt(state, at);
  block.kind = "arguments";
  block.valueStart = at;
  block.refusal ??= candidate.problem;
  block.repairsBefore = candidate.repairs.length;
  candidate.hasArguments = true;
  unquoteArguments(state, candidate);
  startIfReady(state, candidate);
  state.sink = argumentsSink(state, candidate);
}

/** Who hears of arguments that stand by themselves. */
export function argumentsSink(state: ReaderState, candidate: Candidate): ArgumentsReader {
  return new ArgumentsReader(candidate, (start, end) => state.span(start, end));
}

/** One parameter holds all arguments, unless the schema names that itself, by a pattern or by what it says of further ones. */
function refuseNamed(state: ReaderState, start: number, at: number): void {
  const candidate = state.block?.candidate;
  const key = candidate && parameterBefore(state, candidate, start);
  const type = key === undefined ? undefined : state.owner.tools.parameterType(candidate?.name, key);
  if (type === undefined || type.untyped || type.inferred) return;
  const text = state.slice(start, at);
  if (!fitsType(text, type) && !fitsType(JSON.stringify(text), type)) return;
  candidate?.refuse("ambiguous", `"${key}" may hold all arguments, or be an argument itself; ask for the call again`);
}

/** The word for arguments that is named by a tag directly before them. */
function parameterBefore(state: ReaderState, { start }: Candidate, at: number): string | undefined {
  if (parameterTagOf(state.format.template) === null) return undefined;
  const key = keyInTag.exec(state.slice(Math.max(start, at - tagCharsMax), at))?.[1];
  return key !== undefined && wordOf(key) === "synonym" ? key : undefined;
}

/** A tag is no longer. */
const tagCharsMax = 256;
const keyInTag = /^[\s\S]*\b(?:name|key)\s*=\s*"([^"<>]*)"/;

function soundArguments(call: SoundCall, log: readonly number[], at: number): number {
  if (call.name === undefined || !holdsWholeObject(log, at)) return -1;
  // A tag may stand before them that names an argument.
  if (parameterTagOf(call.source.format.template) !== null) return -1;
  const { text, value, members, depth, blanks } = call.takeObject(log[at + 3]);
  return call.whole(blanks ? withoutBlanks(text) : text, value as Record<string, unknown>, members, depth)
    ? at + 8
    : -1;
}

/** Arguments that stand after their name as one value. */
export const argumentsHandlers: RoleHandlers = {
  ...rawCharacterHandlers,
  [role.Arguments]: {
    open: beginArguments,
    close(state, start, at) {
      state.sink = state.block?.candidate?.writer;
      refuseNamed(state, start, at);
    },
    sound: soundArguments,
  },
};
