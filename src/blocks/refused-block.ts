import type { RejectionReason } from "../contract/reasons.ts";
import { Candidate } from "../values/candidate.ts";
import { confirmPending } from "./blocks.ts";
import { flushDelta, placeCandidate } from "./candidates.ts";
import { endProof, ownCloserAt, stringsOf } from "./damaged-call-end.ts";
import { endBeforeOpener, leavesOpen } from "./left-open-string.ts";
import { countReadAgain, mayReadAgain, rawTextReadAgainMin } from "./read-again.ts";
import type { Block, ReaderState } from "./state.ts";

/** The call is refused; the grammar goes on where its loop can. */
export function syncPoint(
  state: ReaderState,
  block: Block,
  reason: RejectionReason,
  message: string,
  position: number,
): void {
  if (block.isRead) {
    const { pending } = block;
    // A list is complete with its bracket. An object after it may be the arguments of its last call.
    if (pending && objectAfterList.test(state.slice(pending.end, Math.min(pending.end + lookedAtMax, state.store.end))))
      pending.refuse(
        "ambiguous",
        "an object follows the list, and may hold the arguments of its last call; ask for it again",
      );
    confirmPending(state, block);
  }
  failBlock(block, reason, message);
  state.roles.length = 0;
  state.isLost = !state.machine.resumeAfterDamage(position);
}

const lookedAtMax = 1024;
const objectAfterList = /^\s*\]\s*\{/;

/** Takes note that the call is none, and why. */
export function failBlock(block: Block, reason: RejectionReason, message: string): Candidate {
  block.candidate ??= block.pending ?? new Candidate(block.takenEnd, block.variant);
  block.pending = undefined;
  block.candidate.refuse(reason, message);
  return block.candidate;
}

/**
 * A text that nothing closes has not shown the whole calls in it: each is listed, from the first that is opened there.
 *
 * @param shownIn where the text begins
 * @param at up to where it has been read
 * @returns whether the text holds any
 */
export function endBeforeShownCall(state: ReaderState, block: Block, shownIn: number, at: number): boolean {
  if (shownIn < 0 || !mayReadAgain(state, rawTextReadAgainMin)) return false;
  state.shownIn = -1;
  countReadAgain(state, shownIn, at);
  if (block.candidate?.problem?.reason === "truncated") block.candidate.problem = undefined;
  const message = `nothing closes "${state.key}", and whole calls follow, so where the call ends is not known; ask for all again`;
  endUnproven(state, block, "ambiguous", message, shownIn);
  return true;
}

/**
 * A string that is open at the end of the text holds the closer of its call: the call has ended there, and is not cut.
 *
 * @returns whether reading goes on there
 */
export function endAtOwnCloser(state: ReaderState, block: Block): boolean {
  const { format, store } = state;
  const closers = (format.closers ?? []).filter((closer) => closer.trim() !== "");
  const { quotes, escapes } = stringsOf(format, block.kind);
  // Of raw text a quote is a part.
  if (
    format.rawValues !== undefined ||
    quotes.length === 0 ||
    closers.length === 0 ||
    !mayReadAgain(state, rawTextReadAgainMin)
  )
    return false;
  if (!leavesOpen(store.slice(block.valueStart, store.end), quotes, escapes)) return false;
  const closer = ownCloserAt(state, block, closers, store.end);
  if (closer < block.takenEnd) return false;
  countReadAgain(state, closer, store.end);
  endUnproven(state, block, "malformed", notUpToCloser, closer);
  return true;
}

export const notUpToCloser = "it cannot be read up to its closing marker";

/** The call is refused, and nothing proves where it has ended; the grammar goes on all the same. */
function endUnproven(state: ReaderState, block: Block, reason: RejectionReason, message: string, at: number): void {
  failBlock(block, reason, message).endIsUnproven = true;
  syncPoint(state, block, reason, message, at);
}

/** Reading goes on: what was damaged ends here. */
export function endDamage(state: ReaderState, at: number): void {
  const block = state.block;
  const isRead = block?.isUnreadable && state.givenRecovery?.readPythonCall(state, block, at);
  if (block?.brokenList && !isRead) {
    state.pendingUntilListEnd = block.brokenList;
    block.brokenList.breakOff(state, false);
  }
  state.block = undefined;
  state.sink = undefined;
  const candidate = block?.candidate;
  if (!candidate || isRead || (block.isGap && state.slice(block.start, at).trim() === "")) return;
  flushDelta(state.owner, candidate);
  const end = endBeforeOpener(state, block, at);
  // The prompt holds it, and it is none of the reply.
  if (end <= state.prefillEnd) return;
  candidate.end = end;
  const proof = endProof(state, block, end);
  candidate.endIsLikely = proof === "likely" || block.isInBrokenList;
  if (proof === undefined) candidate.endIsUnproven = true;
  candidate.isBroken = true;
  candidate.textStart = block.start;
  placeCandidate(state, block, candidate, end);
  state.owner.refused(candidate);
}
