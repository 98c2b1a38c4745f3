import { roleCodes as role } from "../machine/roles.ts";
import { ArgumentsReader } from "../values/arguments-reader.ts";
import type { Candidate } from "../values/candidate.ts";
import { withoutBlanks } from "../values/json-text.ts";
import { candidateAt, startIfReady, unquoteArguments } from "./candidates.ts";
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

function soundArguments(call: SoundCall, log: readonly number[], at: number): number {
  if (call.name === undefined || !holdsWholeObject(log, at)) return -1;
  const { text, value, members, depth, blanks } = call.takeObject(log[at + 3]);
  return call.whole(blanks ? withoutBlanks(text) : text, value as Record<string, unknown>, members, depth)
    ? at + 8
    : -1;
}

/** Arguments that stand after their name as one value. */
export const argumentsHandlers: RoleHandlers = {
  [role.Arguments]: {
    open: beginArguments,
    close(state) {
      state.sink = state.block?.candidate?.writer;
    },
    sound: soundArguments,
  },
};
