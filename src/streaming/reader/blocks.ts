import { Candidate } from "../../normalise/candidate.ts";
import { type PayloadOwner, PayloadReader } from "../../normalise/payload-reader.ts";
import { variantShift } from "../../runtime/roles.ts";
import { finishCandidate, startIfReady } from "./candidates.ts";
import type { Block, ReaderState } from "./state.ts";

/** A call begins: what stood before it is complete. */
export function beginBlock(state: ReaderState, code: number, at: number): void {
  state.run.end();
  state.owner.blockBegins?.();
  const variant = code >> variantShift;
  state.block = {
    start: at,
    variant: variant ? state.format.program.variants[variant - 1] : undefined,
    valueStart: at,
    kind: "members",
    candidate: undefined,
    pending: undefined,
    deliveredEnd: at,
    takenEnd: at,
    listed: false,
    failed: false,
  };
  state.sink = undefined;
  state.path.length = 0;
  state.streams = false;
  state.repeated.clear();
}

/** Name and arguments come as one value. */
export function beginPayload(state: ReaderState, at: number): void {
  const block = state.block as Block;
  block.kind = "payload";
  block.valueStart = at;
  state.payload = newPayload(state, block, 0);
  state.sink = state.payload;
}

/** An object that was read in one go: what its parts would have said, one after another. */
export function takeWholeObject(state: ReaderState, start: number): void {
  const object = state.machine.takeObject(start);
  if (state.block?.kind === "payload") state.payload?.whole(object);
  else state.block?.candidate?.writer.whole(object);
}

/** `done`: what begins before has been delivered already, and is passed over. */
export function newPayload(state: ReaderState, block: Block, done: number): PayloadReader {
  state.payloadBlock = block;
  state.payloadDone = done;
  const { keys, flags } = state.format;
  return new PayloadReader(keys, payloadOwner(state), flags.includes("arguments-required"));
}

function payloadOwner(state: ReaderState): PayloadOwner {
  state.payloadOwner ??= {
    beginItem: (at, listed) => {
      const block = state.payloadBlock as Block;
      block.listed = listed;
      if (at < state.payloadDone) return undefined;
      // Read again: the same candidate goes on, so that what has been sent stays true.
      const again = state.rereading;
      state.rereading = undefined;
      const isFirst = !listed && block.takenEnd === block.start;
      const candidate = again ?? new Candidate(isFirst ? block.start : at, block.variant);
      if (!listed && !again) candidate.outerName = block.candidate?.name;
      block.candidate = candidate;
      return candidate;
    },
    ready: (candidate) => startIfReady(state, candidate),
    endItem: (candidate, at) => {
      const block = state.payloadBlock as Block;
      candidate.end = at;
      block.candidate = undefined;
      block.pending = candidate;
    },
    confirmItem: () => confirmPending(state, state.payloadBlock as Block),
    span: (start, end) => state.span(start, end),
    strayItem: (start, end) => {
      const block = state.payloadBlock as Block;
      confirmPending(state, block);
      if (start < state.payloadDone || (!block.listed && (block.candidate ?? block.pending))) return;
      const stray = new Candidate(start, block.variant);
      stray.end = end;
      stray.refuse("malformed", "an element of the list is no object, so it is no call");
      if (state.recovery) waitForVerdict(state, block, stray);
      else deliver(state, block, stray);
    },
  };
  return state.payloadOwner;
}

/** The payload is complete, and with it the last call of its list. */
export function endPayload(state: ReaderState): void {
  const block = state.block as Block;
  state.sink = undefined;
  if (block.listed) confirmPending(state, block);
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
function waitForVerdict(state: ReaderState, block: Block, candidate: Candidate): void {
  state.waiting.push(candidate);
  block.takenEnd = candidate.end;
}

/** A candidate is dealt with: what stands before its end is not read again. */
export function deliver(state: ReaderState, block: Block, candidate: Candidate): void {
  block.deliveredEnd = block.takenEnd = candidate.end;
  finishCandidate(state, candidate);
}

/** A call is complete. */
export function endBlock(state: ReaderState, at: number): void {
  const block = state.block as Block;
  const candidate = block.candidate ?? block.pending;
  if (candidate && block.kind === "members") {
    state.steps.end?.close?.(state, block.start, at);
    if (candidate.hasArguments) candidate.writer.endObject();
  }
  block.candidate = block.pending = undefined;
  state.block = undefined;
  if (!candidate) return;
  candidate.end = at;
  finishCandidate(state, candidate);
}
