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

/** Takes note that the call is none, and why. */
export function failBlock(block: Block, reason: RejectionReason, message: string): void {
  block.candidate ??= block.pending ?? new Candidate(block.takenEnd, block.variant);
  block.pending = undefined;
  block.candidate.refuse(reason, message);
}

/** Reading goes on: what was damaged ends here. */
export function endDamage(state: ReaderState, at: number): void {
  const block = state.block;
  state.block = undefined;
  state.sink = undefined;
  const candidate = block?.candidate;
  if (!candidate || (block.isGap && state.slice(block.start, at).trim() === "")) return;
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
