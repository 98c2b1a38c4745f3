import type { RejectionReason } from "../contract/reasons.ts";
import { Candidate } from "../values/candidate.ts";
import { confirmPending } from "./blocks.ts";
import { flushDelta, placeCandidate } from "./candidates.ts";
import { endProof } from "./damaged-call-end.ts";
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

/**
 * Whether what a damaged block has run over may be read again: so much in all, and for each character. What is refused is
 * refused, however far it goes.
 */
export const mayReadAgain = ({ store, readAgainChars }: ReaderState, charsMin: number): boolean =>
  readAgainChars <= charsMin + readAgainPerChar * store.end;

export function countReadAgain(state: ReaderState, from: number): void {
  state.readAgainChars += state.store.end - from;
}

const readAgainPerChar = 8;

/** Takes note that the call is none, and why. */
export function failBlock(block: Block, reason: RejectionReason, message: string): Candidate {
  block.candidate ??= block.pending ?? new Candidate(block.takenEnd, block.variant);
  block.pending = undefined;
  block.candidate.refuse(reason, message);
  return block.candidate;
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
  candidate.end = at;
  const proof = endProof(state, block, at);
  candidate.endIsLikely = proof === "likely" || block.isInBrokenList;
  if (proof === undefined) candidate.endIsUnproven = true;
  candidate.isBroken = true;
  candidate.textStart = block.start;
  placeCandidate(state, block, candidate, at);
  state.owner.refused(candidate);
}
