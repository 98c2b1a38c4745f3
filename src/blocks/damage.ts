import { expectedAt } from "../machine/expected.ts";
import { roleCodes as role } from "../machine/roles.ts";
import type { Candidate } from "../values/candidate.ts";
import { beginBlock, confirmPending } from "./blocks.ts";
import { passPartialText } from "./capture-log.ts";
import { endAtOwnCloser, endBeforeShownCall, endDamage, failBlock, syncPoint } from "./refused-block.ts";
import type { Block, ReaderState, TextEnd } from "./state.ts";

/** Longer damage is reported without what was expected there. */
const explainedCharsMax = 65536;

/** The grammar cannot go on here: the end of the text, or damage. */
export function meetDamage(state: ReaderState, end: TextEnd): void {
  const { machine } = state;
  const isCut = end !== "open" && machine.ranOut;
  const open = state.block;
  const isUnreadable = !isCut && open?.candidate !== undefined && isReadable(open.candidate);
  if (isUnreadable && state.pendingUntilListEnd) deferList(state, open);
  else state.pendingUntilListEnd?.breakOff(state, isCut);
  const block = state.block;
  if (!block) {
    if (!machine.ranOut && beginUnreadable(state)) return;
    // No reading is left and nothing was open: the grammar does not speak of this text.
    state.roles.length = 0;
    if (!machine.resumeAfterDamage(machine.position)) state.endedAt = machine.safePosition;
    return;
  }
  const recovery = machine.guarded ? state.givenRecovery : undefined;
  if (isCut && !(recovery && state.hints.readsCut)) {
    const hasEnded = endBeforeShownCall(state, block, state.shownIn, state.store.end) || endAtOwnCloser(state, block);
    if (!hasEnded) cutBlock(state, block);
    return;
  }
  if (recovery) {
    recovery.begin(state, block, end);
    return;
  }
  // In smaller chunks what was certain by now would have gone out.
  passPartialText(state);
  block.isUnreadable = isUnreadable;
  syncPoint(state, block, "malformed", explain(state, block), machine.position);
}

/** What becomes of the calls before it is known once it is known whether the damaged one can be read. */
function deferList(state: ReaderState, block: Block): void {
  block.brokenList = state.pendingUntilListEnd;
  block.isInBrokenList = true;
  state.pendingUntilListEnd = undefined;
}

/** What stands between the calls of a section and is none is listed as one that cannot be read, up to where reading goes on. */
function beginUnreadable(state: ReaderState): boolean {
  const { machine } = state;
  const block = beginBlock(state, role.Call, machine.position);
  block.isGap = true;
  syncPoint(state, block, "malformed", "this stands between calls and is none", machine.position);
  return true;
}

/** The text ended inside a call: nothing is completed, nothing runs. */
function cutBlock(state: ReaderState, block: Block): void {
  state.truncated = true;
  if (block.listed && block.pending) confirmPending(state, block);
  // What a value that is cut is not, it may have become.
  if (block.candidate?.problem?.reason === "type-mismatch") block.candidate.problem = undefined;
  failBlock(block, "truncated", `the text ends inside the call; ${explain(state, block)}`);
  endDamage(state, state.store.end);
  if (state.endedAt < 0) state.endedAt = state.store.end;
}

/** A second pass over the call, which only runs on damage: what would have been legal where it stops. */
function explain(state: ReaderState, block: Block): string {
  const at = state.machine.position;
  if (at - block.start > explainedCharsMax) return "it cannot be read on";
  const text = state.store.slice(block.start, Math.min(at + 1, state.store.end));
  return expectedAt(state.program, state.hints, text, at - block.start);
}

/** Nothing but quotes and raw characters of strings was found in it so far. */
const isReadable = ({ problem, repairs }: Candidate): boolean =>
  problem === undefined && repairs.every(({ kind }) => kind === "inner-quote" || kind === "raw-control-character");
