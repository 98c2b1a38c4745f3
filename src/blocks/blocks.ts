import { variantShift } from "../machine/roles.ts";
import { type Candidate, looseVariant } from "../values/candidate.ts";
import { candidateAt, endPendingCalls, finishCandidate } from "./candidates.ts";
import { endBeforeOpener } from "./left-open-string.ts";
import type { Block, ReaderState } from "./state.ts";

/** A call begins: what stood before it is complete. */
export function beginBlock(state: ReaderState, code: number, at: number): Block {
  state.run.end();
  const variant = code >> variantShift;
  const block: Block = {
    start: at,
    variant: variant ? state.program.source.variants[variant - 1] : undefined,
    valueStart: at,
    kind: "members",
    candidate: undefined,
    pending: undefined,
    deliveredEnd: at,
    takenEnd: at,
    listed: false,
    isRead: false,
    isGap: false,
    isInBrokenList: false,
    brokenList: undefined,
    isUnreadable: false,
    refusal: undefined,
    repairsBefore: 0,
  };
  state.owner.blockBegins(block.variant === looseVariant);
  state.block = block;
  state.sink = undefined;
  if (state.path.length > 0) state.path.length = 0;
  state.streams = false;
  if (state.repeated.size > 0) state.repeated.clear();
  if (state.givenKeys.size > 0) state.givenKeys.clear();
  if (state.namedElsewhere.size > 0) state.namedElsewhere.clear();
  if (state.shapeTexts.size > 0) state.shapeTexts.clear();
  state.loneCloser = undefined;
  state.loneOpener = undefined;
  state.attributed = undefined;
  state.holdsBoundary = undefined;
  state.shownIn = -1;
  return block;
}

/** An object that was read in one go: what its parts would have said, one after another. */
export function takeWholeObject(state: ReaderState, start: number): void {
  const object = state.machine.takeObject(start);
  state.objects.push({ start, end: start + object.text.length });
  if (state.block?.kind === "payload") state.payload?.whole(object);
  else state.block?.candidate?.writer.whole(object);
}

/** A listed candidate is complete when what follows it is legal. */
export function confirmPending(state: ReaderState, block: Block): void {
  const { pending } = block;
  if (!pending || !block.listed || state.recovery) {
    if (pending && state.recovery && block.listed) waitForVerdict(state, block, pending);
    if (state.recovery) block.pending = undefined;
    return;
  }
  block.pending = undefined;
  deliver(state, block, pending);
}

/** What recovery has read waits until its verdict on the closers is known. */
export function waitForVerdict(state: ReaderState, block: Block, candidate: Candidate): void {
  state.pendingUntilVerdict.push(candidate);
  block.takenEnd = candidate.end;
}

/** A candidate is dealt with: what stands before its end is not read again. */
export function deliver(state: ReaderState, block: Block, candidate: Candidate): void {
  block.deliveredEnd = block.takenEnd = candidate.end;
  finishCandidate(state, block, candidate);
}

/** A call is complete. */
export function endBlock(state: ReaderState, at: number): void {
  const block = state.block as Block;
  // A shape that is refused whole may hold no part of a call.
  if (block.refusal && !block.pending && block.takenEnd === block.start) candidateAt(state, at);
  const candidate = block.candidate ?? block.pending;
  if (candidate && block.kind === "members") {
    state.handlers.end?.close?.(state, block.start, at);
    if (candidate.hasArguments) candidate.writer.endObject();
  }
  block.candidate = block.pending = undefined;
  state.block = undefined;
  if (!candidate) return;
  const isUnsure = candidate.problem !== undefined && candidate.repairs.some(({ kind }) => kind === "inner-quote");
  const end = isUnsure ? endBeforeOpener(state, block, at) : at;
  // Of a list it ends with its own brace.
  if (!block.listed) candidate.end = end;
  finishCandidate(state, block, candidate, end);
  if (end < at) endPendingCalls(state);
}
