import { type RenderTemplate, slot } from "../contract/render-template.ts";
import type { Repair, RepairKind, RepairLevel } from "../contract/repairs.ts";
import { endOfTurnTokens, turnBoundaries } from "../contract/turn-tokens.ts";
import { type PlaceRules, schemaLookupOf } from "../json-repair/schema-lookup.ts";
import { roleCodes as role } from "../machine/roles.ts";
import type { ValueSink } from "../machine/value-sink.ts";
import { Candidate } from "../values/candidate.ts";
import { type EnvelopeLevel, envelopePlace, slotOf } from "../values/envelope-keys.ts";
import { argumentsSink } from "./arguments.ts";
import { deliver } from "./blocks.ts";
import { finishCandidate, flushDelta } from "./candidates.ts";
import { endProof, ownCloserAt } from "./damaged-call-end.ts";
import { newPayload } from "./payload.ts";
import { countReadAgain, mayReadAgain } from "./read-again.ts";
import type { Path, PayloadPlace, PayloadRecovery, Recovery } from "./recovery-types.ts";
import { notUpToCloser, syncPoint } from "./refused-block.ts";
import type { Block, ReaderState, TextEnd } from "./state.ts";

/** Reads the payload again from its start, this time with the recovery. */
export function beginRecovery(state: ReaderState, block: Block, end: TextEnd): void {
  const guarded = state.roles.findIndex(({ code }) => code === role.Payload || code === role.Arguments);
  state.roles.length = guarded + 1;
  state.roles[guarded].at = state.roles[guarded].start;
  const candidate = block.candidate ?? block.pending;
  if (candidate) readAgain(state, block, candidate);
  block.candidate = block.kind === "arguments" ? candidate : undefined;
  block.pending = undefined;
  let sink: ValueSink;
  if (block.kind === "payload") {
    state.rereading = candidate;
    state.payload = newPayload(state, block, block.deliveredEnd);
    sink = state.payload;
  } else sink = argumentsSink(state, candidate as Candidate);
  state.sink = sink;
  const recovery = (state.givenRecovery as Recovery).read(sink, {
    base: block.valueStart,
    ends: state.program.ends,
    placeAt: (path) => placeAt(state, block, path),
    onContradiction: () => sendAndStop(state, block),
  });
  state.recovery = recovery;
  state.pendingUntilVerdict = [];
  block.takenEnd = block.deliveredEnd;
  recovery.push(state.store.slice(block.valueStart, state.store.end));
  if (end !== "open" && recovery.state === "reading") recovery.finish(end === "whole");
}

function nameOf(block: Block): string {
  return (block.candidate ?? block.pending)?.name ?? "";
}

/** What stands at a path of what is read: the envelope above, the arguments below. */
function placeOf({ format }: ReaderState, block: Block, path: Path): ReturnType<typeof envelopePlace> {
  return block.kind === "payload" ? envelopePlace(format.keys, inItem(path)) : { inArguments: path };
}

/** A path in the object that is the call, of those of a list. */
const inItem = (path: Path): Path => (typeof path[0] === "number" ? path.slice(1) : path);

function placeAt(state: ReaderState, block: Block, path: Path): PayloadPlace {
  const place = placeOf(state, block, path);
  if (place === undefined) return undefined;
  if ("level" in place) return { keys: place.level.keys };
  const schema = state.owner.tools.schemaOf(nameOf(block));
  return schema === undefined ? undefined : { schema, path: place.inArguments };
}

/** The candidate is read a second time: what was sent stays, and what was found before the value; what was not is forgotten. */
function readAgain(state: ReaderState, block: Block, candidate: Candidate): void {
  const { started, sendsAtEnd } = candidate;
  flushDelta(state.owner, candidate);
  candidate.writer = candidate.writer.again(started && !sendsAtEnd);
  candidate.problem = block.refusal;
  candidate.repairs = candidate.repairs.slice(0, block.repairsBefore);
  candidate.values.length = 0;
  if (block.kind !== "payload") return;
  candidate.beside.length = 0;
  candidate.hasArguments = false;
  candidate.name = candidate.wireId = undefined;
}

/** The recovery has read something wrongly. What stands before goes out, what follows does not, whatever the chunks. */
function sendAndStop(state: ReaderState, block: Block): void {
  for (const candidate of [...state.pendingUntilVerdict, block.candidate, block.pending]) {
    if (!candidate) continue;
    flushDelta(state.owner, candidate);
    candidate.writer.contradicts = true;
  }
}

/** The recovery has its verdict: what it read is delivered, or refused. */
export function endRecovery(state: ReaderState, recovery: PayloadRecovery): void {
  const block = state.block as Block;
  state.recovery = undefined;
  // Read again, it is no object that could be the call which had begun.
  const lost = state.rereading;
  state.rereading = undefined;
  // Read again, the list would end inside a call before: what stands after that call is not to be read.
  const endsBefore = recovery.end < Math.max(block.deliveredEnd, lost?.started ? lost.start : 0);
  if (lost?.started) {
    lost.refuse("contradicts-sent", "the damaged call can only be read against what has already been sent");
    lost.end = endsBefore ? state.machine.position : recovery.end;
    finishCandidate(state, block, lost);
    if (endsBefore) block.takenEnd = lost.end;
  }
  const complete = state.pendingUntilVerdict;
  state.pendingUntilVerdict = [];
  const last = block.candidate ?? block.pending;
  const read = last && !complete.includes(last) ? [...complete, last] : complete;
  // No name holds what opens a call: a quote before that has been doubled.
  const misread = read.find(({ name }) => state.openers.some((opener) => name?.includes(opener)));
  const isTooFar =
    misread !== undefined || (recovery.repairs.some(isInnerQuote) && holdsNextCall(state, block, recovery));
  const readEnd = recovery.endedBy === "end-of-text" ? state.store.end : isTooFar ? recovery.end : undefined;
  // What is no call in a list is not taken: a text in it may go on over the end of the list.
  const lastComplete = complete.at(-1);
  const stray = lastComplete?.isStray ? lastComplete : undefined;
  const closer = readEnd === undefined ? -1 : findOwnCloser(state, block, readEnd, stray?.start ?? block.takenEnd);
  if (stray !== undefined && closer >= 0 && closer < stray.end) {
    complete.pop();
    block.takenEnd = stray.start;
  }
  if (recovery.state === "failed" || endsBefore || closer >= 0) {
    if (misread && closer >= 0) misread.name = undefined;
    shareRepairs(state, block, read, recovery);
    for (const candidate of complete) deliver(state, block, candidate);
    const failure = Math.max(recovery.failure?.at ?? 0, closer);
    // An opener where a value should begin is the next call, though it may begin like a list; it is not the block's own.
    const isNext = failure > block.start && failure >= block.deliveredEnd && opensCall(state, failure);
    const at = isNext || closer >= 0 ? failure : Math.max(failure, state.machine.position);
    const message = closer >= 0 ? notUpToCloser : recovery.failure?.message;
    syncPoint(state, block, "malformed", message ?? "it cannot be repaired", at);
    return;
  }
  if (recovery.endedBy === "end-of-text") state.truncated ||= recovery.closersMissing > 0;
  if (read.length === 0 && block.takenEnd === block.start) {
    // What is no call in any part is one that is damaged.
    const none = new Candidate(block.start, block.variant);
    none.end = recovery.end;
    none.refuse("malformed", "what is left of it names no tool");
    // Where nothing was read, `read` is `complete`.
    complete.push(none);
  }
  shareRepairs(state, block, read, recovery);
  const proof = endProof(state, block, endWithMarker(state, recovery));
  for (const candidate of proof === "certain" ? [] : read) {
    const isDamaged = candidate.repairs.length > 0 || candidate.problem !== undefined;
    if (proof === undefined) candidate.endIsUnproven ||= isDamaged;
    else candidate.endIsLikely ||= isDamaged;
  }
  if (recovery.contradicts) for (const candidate of read) candidate.writer.contradicts = true;
  if (block.kind === "arguments") block.candidate = last;
  if (block.listed) {
    block.pending = read.pop();
    for (const candidate of read) deliver(state, block, candidate);
  } else for (const candidate of complete) deliver(state, block, candidate);
  state.machine.resumeBehindPayload(recovery.end);
}

/** Whether a string that ends elsewhere than its quotes say holds the end of the call and what opens the next one. */
function holdsNextCall(state: ReaderState, { valueStart }: Block, { end }: PayloadRecovery): boolean {
  const closers = payloadClosersOf(state).filter((closer) => closer.trim() !== "");
  const text = state.store.slice(valueStart, end);
  for (const opener of state.openers) {
    for (let at = text.indexOf(opener); at >= 0; at = text.indexOf(opener, at + 1)) {
      const before = text.slice(Math.max(0, at - markerRoom), at).trimEnd();
      if (closers.some((closer) => before.endsWith(closer))) return true;
    }
  }
  return false;
}

/** A block that holds its own closer, or the next opener, has ended there, and is not cut. */
function findOwnCloser(state: ReaderState, block: Block, end: number, takenEnd: number): number {
  if (!mayReadAgain(state, readAgainMin)) return -1;
  const closer = ownCloserAt(state, block, [...payloadClosersOf(state), ...state.openers], end);
  // What has been taken is not read again.
  if (closer < takenEnd) return -1;
  countReadAgain(state, closer, end);
  return closer;
}

const readAgainMin = 65_536;

/** Where a damaged payload ends, with the marker that ends it. */
function endWithMarker(state: ReaderState, recovery: PayloadRecovery): number {
  if (recovery.endedBy !== "marker") return recovery.end;
  const text = state.store.slice(recovery.end, recovery.end + markerRoom);
  const at = text.length - text.trimStart().length;
  return recovery.end + at + endAt(state, text.slice(at)).length;
}

/** A marker and the blanks before it are no longer than this. */
const markerRoom = 256;

/** Each candidate carries the repairs that stand in it, or before it and after the one before. */
function shareRepairs(state: ReaderState, block: Block, candidates: Candidate[], recovery: PayloadRecovery): void {
  const depth = block.kind === "arguments" ? 0 : block.listed ? 2 : 1;
  const closers = recovery.closersMissing > 0 ? closersLevel(state, block, candidates, recovery) : undefined;
  const kind = recovery.closersMissing <= depth ? "missing-envelope-closer" : "missing-closer";
  const oneReading = recovery.repairs.some(isInnerQuote) && quotesHaveOneReading(state, block, candidates, recovery);
  /** The calls after which a comma is put in. */
  const joined = new Set<Candidate>();
  let owner = 0;
  for (const repair of recovery.repairs) {
    // What is put in where a call ends is put into that call.
    while (owner < candidates.length - 1 && repair.start > candidates[owner].end) owner++;
    const proven = oneReading && isInnerQuote(repair) ? { ...repair, level: "safe" as const } : repair;
    const shared: Repair = closers && repair.kind === "missing-closer" ? { ...repair, kind, level: closers } : proven;
    const listed = { ...shared, ...state.span(repair.start, repair.end) };
    const inDoubt = candidates[owner];
    // What stands in other quotes than JSON's may be the object as it is, whose escapes are read once.
    if (repair.kind === "quote-style" && inDoubt !== undefined && holdsEscapedObject(state, inDoubt, repair.start))
      listed.level = "guess";
    inDoubt?.repair(listed);
    // Words in a list are damage, and no value: nothing proves where it ends.
    if (block.listed && inDoubt?.isStray) inDoubt.endIsUnproven = true;
    if (repair.kind === "escaped-document") for (const other of candidates.slice(owner + 1)) other.repair(listed);
    // A closer that is in doubt may have ended the call before it too early.
    const before = candidates[owner - 1];
    if (before && repair.start < candidates[owner].start && closerKinds.includes(repair.kind)) before.repair(listed);
    if (repair.kind === "missing-comma" && inDoubt && repair.start >= inDoubt.end) joined.add(inDoubt);
  }
  // What proves that the comma was left out is the call after it.
  for (let at = candidates.length - 2; at >= 0; at--) {
    const [one, next] = [candidates[at], candidates[at + 1]];
    if (joined.has(one) && isSafe(one) && !isSafe(next)) one.refuse("ambiguous", damageInList);
  }
  listTextBehind(state, candidates[candidates.length - 1], recovery);
}

/** Whether a string that begins here holds the arguments, and backslashes. */
function holdsEscapedObject(state: ReaderState, { repairs }: Candidate, start: number): boolean {
  const from = state.span(start, start).start;
  const encoded = repairs.find(({ kind, start: at }) => kind === "encoded-arguments" && at >= from && at <= from + 1);
  return encoded !== undefined && state.store.slice(start, start + encoded.end - from).includes("\\");
}

const isSafe = ({ problem, repairs }: Candidate) =>
  problem === undefined && repairs.every(({ level }) => level === "safe");

const damageInList =
  "the comma after the call is missing, and what follows is no sound call, so the call may have ended too early; ask for it again";

/** Damage inside a token: it moves nothing from one container to another. */
const insideTokens: readonly RepairKind[] = [
  "odd-blank",
  "escaped-blank",
  "fence",
  "raw-control-character",
  "escaped-apostrophe",
  "quote-style",
  "literal-spelling",
  "bare-key",
];

/**
 * How sure it is where missing closers belong; undefined where the text or turn may just have been cut. Directly before
 * the format's own closing marker, after complete arguments, they can only have stood there; with any other damage
 * there is another way to mend both. Where something else is missing, it is no call.
 */
function closersLevel(
  state: ReaderState,
  block: Block,
  candidates: readonly Candidate[],
  recovery: PayloadRecovery,
): RepairLevel | undefined {
  // A call of a list is complete with its own brace: what the list lacks is nothing to it.
  if (block.listed && recovery.closersMissing === 1 && recovery.endedBy === "marker") return "safe";
  // At the next call or message the text goes on: nothing has been cut.
  const isClosed = endedByCloser(state, recovery);
  if (!isClosed && !endedByNext(state, recovery)) return undefined;
  const last = candidates[candidates.length - 1];
  const isThere = block.kind === "arguments" || (last?.name !== undefined && last.hasArguments);
  if (!recovery.endsAfterValue || !isThere) {
    last?.refuse("malformed", "the call ends before its arguments do: more is missing than closing braces");
    return "guess";
  }
  const others = recovery.repairs.some(({ kind }) => kind !== "missing-closer" && !insideTokens.includes(kind));
  return others || !isClosed || holdsEnd(state, block, recovery) ? "guess" : "safe";
}

/** A closing brace and a marker after it stand in a string: its quotation mark may have been moved after them. */
function holdsEnd({ program, format, store }: ReaderState, { valueStart }: Block, { end }: PayloadRecovery): boolean {
  const text = store.slice(valueStart, end);
  const markers = ["```", ...program.ends, ...(format.closers ?? [])].filter((one) => one.trim() !== "");
  return markers.some((marker) => {
    for (let at = text.indexOf(marker, 1); at > 0; at = text.indexOf(marker, at + 1)) {
      if (/[}\]]\s*$/.test(text.slice(Math.max(0, at - markerRoom), at))) return true;
    }
    return false;
  });
}

const isInnerQuote = ({ kind }: Repair): boolean => kind === "inner-quote";

/**
 * Do strings with quotes in them end in one place only? The closing marker must be there, and no marker before it: a
 * call that is quoted in the string could not be distinguished from the call itself.
 */
function quotesHaveOneReading(
  state: ReaderState,
  block: Block,
  candidates: readonly Candidate[],
  recovery: PayloadRecovery,
): boolean {
  const { valueStart } = block;
  const { openers, program } = state;
  const text = state.store.slice(valueStart, recovery.end);
  if (recovery.closersMissing > 0 || !closerFollows(state, recovery)) return false;
  if ([...openers, ...program.ends].some((marker) => marker.trim() !== "" && text.includes(marker))) return false;
  return recovery.hasOneReading(text, valueStart, (path, entry) => {
    const candidate = block.listed ? candidates.find(({ start }) => start === entry) : candidates[0];
    return candidate && rulesAt(state, block, candidate, path);
  });
}

/** What is legal at a path of the payload, in the envelope and in the arguments of the tool that is called. */
function rulesAt(state: ReaderState, block: Block, { name }: Candidate, path: Path): PlaceRules | undefined {
  const place = placeOf(state, block, path);
  if (place === undefined) {
    const holder = placeOf(state, block, path.slice(0, -1));
    if (holder === undefined || !("level" in holder)) return undefined;
    const slot = slotOf(holder.level, String(path[path.length - 1]));
    if (slot === "name") return { text: name };
    return slot === "description" ? undefined : { isLabel: true };
  }
  if ("level" in place) return envelopeRules(place.level);
  const schema = name === undefined ? undefined : state.owner.tools.schemaOf(name);
  return schema === undefined ? undefined : schemaLookupOf(schema).rulesAt(place.inArguments);
}

function envelopeRules(level: EnvelopeLevel): PlaceRules {
  const names = [...level.slots].filter(([, slot]) => slot === "name").map(([key]) => key);
  return {
    allows: (key) => level.inner.has(key) || slotOf(level, key) !== "other",
    required: names.length === 0 ? [] : [names],
  };
}

/** What the format writes after the arguments and the closers of their envelope. */
export function closingText(template: RenderTemplate | undefined): string {
  if (!template) return "";
  const last = template.call.findLastIndex((piece) => piece === slot.arguments || piece === slot.members);
  return (template.call.slice(last + 1).join("") + template.close).replace(/^[\]}\s]+/, "");
}

/** Does the format's own closing marker stand directly after the payload? */
function closerFollows(state: ReaderState, recovery: PayloadRecovery): boolean {
  const closers = payloadClosersOf(state);
  for (let at = recovery.end; ; at++) {
    const text = textAt(state, at);
    if (closers.includes(endAt(state, text))) return true;
    if (text.startsWith(fence) && isFenced(state, recovery)) return true;
    if (text.trimStart() === text) return false;
  }
}

/** Text between a damaged payload and the marker that should close it: how much of it belonged to the payload is not known. */
function listTextBehind(state: ReaderState, candidate: Candidate | undefined, recovery: PayloadRecovery): void {
  if (!recovery.textFollows || payloadClosersOf(state).length === 0) return;
  candidate?.repair({ kind: "surrounding-prose", level: "guess", ...state.span(recovery.end, recovery.end) });
}

/** Repairs of brackets. */
export const closerKinds: readonly RepairKind[] = [
  "closed-too-early",
  "missing-inner-closer",
  "surplus-closer",
  "wrong-closer",
];

/**
 * Was it a closing marker that ended the payload? At a stop token and at the next opener more may have been coming, also in
 * a format that has no such marker, or to which a token that ends any turn is one.
 */
function endedByCloser(state: ReaderState, recovery: PayloadRecovery): boolean {
  if (recovery.endedBy !== "marker") return false;
  const text = textAt(state, recovery.end);
  if (text.startsWith(fence) && isFenced(state, recovery)) return true;
  const marker = endAt(state, text);
  return payloadClosersOf(state).includes(marker) && !endOfTurnTokens.includes(marker);
}

/** Was it the next opener, or a token that ends a message of the format, but not the turn? */
function endedByNext(state: ReaderState, { endedBy, end }: PayloadRecovery): boolean {
  if (endedBy !== "marker") return false;
  const { store, openers, format } = state;
  const text = store.slice(end, end + markerRoom).trimStart();
  if (format.framing?.some((marker) => format.stop.includes(marker) && text.startsWith(marker))) return true;
  // Of an opener the rest may be still to come: what has ended the payload says that it is one.
  const marker = endAt(state, text);
  return marker !== "" && openers.some((opener) => text.startsWith(opener) || opener.startsWith(marker));
}

/** The text at `at`, as long as the longest marker. */
function textAt({ store, program: { ends } }: ReaderState, at: number): string {
  return store.slice(at, at + Math.max(fence.length, ...ends.map((end) => end.length)));
}

/** The marker that a text begins with; of several the longest, for which the recovery has waited. */
function endAt({ program: { ends } }: ReaderState, text: string): string {
  let longest = "";
  for (const end of ends) if (end.length > longest.length && text.startsWith(end)) longest = end;
  return longest;
}

/** A fence that was opened before the payload, by the format itself or as framing, closes it. */
function isFenced(state: ReaderState, recovery: PayloadRecovery): boolean {
  const { start, valueStart } = state.block as Block;
  return state.slice(start, valueStart).includes(fence) || recovery.repairs.some((repair) => repair.kind === "fence");
}

/** Does the opener of a call stand here? */
function opensCall({ openers, store }: ReaderState, at: number): boolean {
  return openers.some((opener) => store.slice(at, at + opener.length) === opener);
}

const fence = "```";

/** Which of the markers that may follow a payload close it. */
function payloadClosersOf(state: ReaderState): readonly string[] {
  state.payloadClosers ??= findPayloadClosers(state);
  return state.payloadClosers;
}

function findPayloadClosers({ format, openers, program: { ends } }: ReaderState): readonly string[] {
  const others = [
    ...turnBoundaries(),
    ...format.stop,
    ...openers,
    ...format.reasoning.flatMap(({ open, close }) => [open, close]),
    // What closes calls may be named as framing, too.
    ...(format.framing ?? []).filter((marker) => !format.closers?.includes(marker)),
    String(format.template?.call[0] ?? ""),
    fence,
    "~~~",
  ];
  const tail = closingText(format.template);
  return ends.filter((end) => tail.startsWith(end) || !others.some((other) => other.startsWith(end)));
}
