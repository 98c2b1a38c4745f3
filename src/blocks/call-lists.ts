import { roleCodes as role } from "../machine/roles.ts";
import type { Candidate } from "../values/candidate.ts";
import { beginBlock } from "./blocks.ts";
import { endPendingCalls, sendDelta, settleCandidate } from "./candidates.ts";
import type { ReaderState, RoleHandlers } from "./state.ts";

function beginPendingCalls(state: ReaderState, code: number): void {
  state.pendingUntilListEnd = { standsWhenCut: code === role.Group, candidates: [], breakOff };
}

/** The list is damaged or cut: the calls before share its fate, unless they could stand without it. */
function breakOff(state: ReaderState, isCut: boolean): void {
  const pending = state.pendingUntilListEnd;
  state.pendingUntilListEnd = undefined;
  if (!pending) return;
  const { candidates } = pending;
  // What is known of the open call goes out first, as it would have in smaller chunks.
  sendDelta(state);
  if (isCut && pending.standsWhenCut) {
    for (const candidate of candidates) settleCandidate(state, candidate);
    if (!state.block) beginBlock(state, role.Call, candidates.at(-1)?.end ?? state.machine.position);
    return;
  }
  // Damage after the last call is that call's, so that it is listed with its text.
  if (!state.block && candidates.length > 0) {
    const last = candidates.pop() as Candidate;
    beginBlock(state, role.Call, last.start).candidate = last;
  }
  if (state.block) state.block.isInBrokenList = true;
  for (const candidate of candidates) {
    candidate.refuse(isCut ? "truncated" : "malformed", "the list it stands in is not complete, so none of it runs");
    state.owner.refused(candidate);
  }
}

/** Lists of calls that stand or fall together. */
export const listHandlers: RoleHandlers = {
  [role.List]: { open: beginPendingCalls, close: endPendingCalls },
  [role.Group]: { open: beginPendingCalls, close: endPendingCalls },
};
