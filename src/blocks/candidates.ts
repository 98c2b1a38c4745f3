import type { RejectionReason } from "../contract/reasons.ts";
import { Candidate } from "../values/candidate.ts";
import { JsonWriter } from "../values/json-writer.ts";
import { indentBefore } from "./indented-calls.ts";
import type { ReaderOwner } from "./reader-owner.ts";
import type { Block, ReaderState } from "./state.ts";

/** The candidate of a block whose name stands outside the payload. */
export function candidateAt(state: ReaderState, at: number): Candidate {
  const block = state.block as Block;
  block.candidate ??= refusedWith(block, new Candidate(block.start, block.variant));
  block.candidate.end = at;
  return block.candidate;
}

/** What the grammar has said of the block before it was known what is called. */
export function refusedWith(block: Block, candidate: Candidate): Candidate {
  if (block.refusal) candidate.refuse(block.refusal.reason, block.refusal.message);
  return candidate;
}

export function refuseAmbiguous(state: ReaderState): void {
  refuseHere(state, "ambiguous", "the text of the call can be read in two ways");
}

/**
 * What the grammar says of the call that it is reading: before a payload it is kept for the calls in it, after one it
 * is said of the last.
 */
export function refuseHere(state: ReaderState, reason: RejectionReason, message: string): void {
  const { block } = state;
  if (block === undefined) return;
  const candidate = block.candidate ?? block.pending;
  if (candidate) candidate.refuse(reason, message);
  else if (block.takenEnd === block.start) block.refusal ??= { reason, message };
}

/** A complete candidate goes to the owner, whole. */
export function finishCandidate(state: ReaderState, block: Block, candidate: Candidate, textEnd = candidate.end): void {
  const { writer } = candidate;
  if (!candidate.hasArguments || writer.length === 0) {
    candidate.writer = emptyObject(candidate.writer);
  } else writer.finish();
  if (candidate.problem === undefined && !candidate.started) startIfReady(state, candidate, true);
  flushDelta(state.owner, candidate);
  placeCandidate(state, block, candidate, textEnd);
  const { start, end } = candidate.placed;
  for (const kind of candidate.writer.quoted) candidate.repair({ kind, level: "safe", start, end });
  if (state.pendingUntilListEnd) state.pendingUntilListEnd.candidates.push(candidate);
  else settleCandidate(state, candidate);
}

/** The list has ended as a list should. */
export function endPendingCalls(state: ReaderState): void {
  const candidates = state.pendingUntilListEnd?.candidates ?? [];
  state.pendingUntilListEnd = undefined;
  for (const candidate of candidates) settleCandidate(state, candidate);
}

/** Reports the call to the owner. One that stands whole in the prefill was made before, and is not reported. */
export function settleCandidate(state: ReaderState, candidate: Candidate): void {
  if (candidate.start < state.prefillEnd && state.isInPrefill(candidate.end)) return state.owner.isMade(candidate);
  if (candidate.problem) {
    // A string that holds quotes of its own may have ended elsewhere.
    candidate.endIsUnproven ||= candidate.repairs.some(({ kind }) => kind === "inner-quote");
    state.owner.refused(candidate);
  } else state.owner.end(candidate, candidate.end - candidate.start);
}

/**
 * Offsets of a finished candidate become offsets of the text that was passed.
 *
 * @param textEnd what it takes along ends here
 */
export function placeCandidate(state: ReaderState, block: Block, candidate: Candidate, textEnd: number): void {
  const { start, end } = state.span(candidate.start, candidate.end);
  const from = Math.max(candidate.start, state.prefillEnd);
  const raw = state.slice(from, candidate.end);
  candidate.placed = { start, end, raw };
  candidate.before = state.slice(Math.max(0, candidate.start - beforeCharsMax), candidate.start);
  if (state.format.rawValues !== undefined && block.kind === "members") {
    const indent = indentBefore(state, state.from);
    if (indent !== "" && holdsLines(state, candidate)) candidate.indent = indent;
  }
  candidate.kind = block.kind;
  const isAll = candidate.textStart === from && candidate.end === textEnd;
  const text = isAll ? raw : state.slice(candidate.textStart, textEnd);
  const isInFence = block.listed && state.slice(block.start, block.valueStart).includes(fence);
  candidate.text = isInFence ? text.replace(fenceAtEnd, "") : text;
}

/** A value that is raw text goes over several lines. */
function holdsLines(state: ReaderState, { values }: Candidate): boolean {
  for (let at = 0; at < values.length; at += 2) {
    const text = state.slice(values[at], values[at + 1]);
    if (text.includes("\n") && !beginsMarked.test(text)) return true;
  }
  return false;
}

/** JSON, in which blanks between tokens say nothing. */
const beginsMarked = /^\s*[[{"]/;

/** The opener of a section is no longer, with the blanks round it. */
const beforeCharsMax = 128;

/** It closes the one that a list of calls stands in. */
const fenceAtEnd = /```\s*$/;
const fence = "```";

/** The tool is known: what stands in quotes in its arguments, or in marks of strings, and may be no string, is read. */
export function unquoteArguments(state: ReaderState, candidate: Candidate): void {
  const unquoting = state.owner.tools.unquotingOf(candidate.name);
  if (unquoting !== undefined) candidate.writer.unquotes(unquoting);
}

/** Announces a candidate as soon as its name is certain and the owner agrees. `isOver`: it has ended. */
export function startIfReady(state: ReaderState, candidate: Candidate, isOver = false): void {
  candidate.idAtStart ??= candidate.wireId ?? "";
  // What stands before it goes out first.
  if (state.recovery && state.pendingUntilVerdict.length > 0) return;
  if (candidate.started || candidate.problem) return;
  state.startPendingUntilText = mayStandInPrefill(state, candidate, isOver);
  if (state.startPendingUntilText || !state.owner.mayStart(candidate)) return;
  candidate.started = true;
  state.owner.start(candidate);
}

/** It may be that all of the call stands in the prefill: nothing of it has been read in the text. */
function mayStandInPrefill(state: ReaderState, { start, end }: Candidate, isOver: boolean): boolean {
  const { prefillEnd, roles, scanner, store } = state;
  if (start >= prefillEnd || !state.isInPrefill(end)) return false;
  const isInObject = scanner !== undefined && scanner.start >= 0 && store.end > prefillEnd;
  return isOver || !(isInObject || roles.some(({ at }) => !state.isInPrefill(at)));
}

/** What is known of the open call goes out. */
export function sendDelta(state: ReaderState): void {
  const candidate = state.block?.candidate ?? state.block?.pending;
  if (candidate) flushDelta(state.owner, candidate);
}

/** What is known of the arguments and has not been sent goes out. */
export function flushDelta(owner: Pick<ReaderOwner, "delta">, candidate: Candidate): void {
  if (!candidate.started || candidate.sendsAtEnd) return;
  const delta = candidate.writer.take();
  if (delta !== "" && !candidate.writer.contradicts) owner.delta(candidate, delta);
}

/** No arguments were given: an empty object. */
function emptyObject(before: JsonWriter): JsonWriter {
  const writer = before.length === 0 ? before : new JsonWriter();
  writer.beginObject();
  writer.endObject();
  return writer;
}
