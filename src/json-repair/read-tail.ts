import type { Repair, RepairKind } from "../contract/repairs.ts";
import { COLON, COMMA, END, isCloser, isDigit, isQuote, MINUS, QUOTE, SEMICOLON, WAIT } from "./characters.ts";
import type { Reading } from "./reading.ts";

/**
 * The top value is balanced. Its end is reported only now that what follows is known: a surplus closer or comma before
 * the end is dropped, members that follow are joined and said to be a guess, other text is the caller's.
 */
export function readTail(reading: Reading): boolean {
  const window = reading.window;
  const container = reading.open.top;
  let at = window.skipBlanks(reading.pos);
  if (at === WAIT) return false;
  let surplus = -1;
  let surplusEnd = reading.pos;
  let code: number;
  let marker: number;
  for (;;) {
    code = window.at(at);
    marker = code === END ? 0 : window.markerAt(at);
    if (marker === WAIT) return false;
    // A marker may begin as a closer does.
    if (!isCloser(code) || marker > 0) break;
    if (surplus < 0) surplus = at;
    surplusEnd = at + 1;
    at = window.skipBlanks(at + 1);
    if (at === WAIT) return false;
  }
  const ends = code === END || marker > 0;
  if (code === COMMA) {
    const next = window.skipCommas(at + 1);
    if (next === WAIT) return false;
    const last = window.at(next) === END ? 1 : window.markerAt(next);
    if (last === WAIT) return false;
    if (last > 0) {
      if (surplus >= 0) reportSurplus(reading, surplus, surplusEnd, true);
      reading.reportBlanks(surplus >= 0 ? surplusEnd : reading.pos, at);
      reading.report("extra-comma", "safe", at, at + 1);
      return endTopValue(reading, at + 1);
    }
    const follows = window.at(next);
    if (container?.isObject === true && (isQuote(follows) || container.bareKeys)) {
      const start = reading.closing.memberStart(next, -1);
      if (start === "more") return false;
      const isMember = start === "damaged" ? reading.options.generous === true : start !== "none";
      if (isMember) return goOnInside(reading, next, "key");
    }
    if (container?.isObject === false && (isQuote(follows) || isDigit(follows) || follows === MINUS)) {
      return goOnInside(reading, next, "item");
    }
    if (reading.options.several === true) return endTopValue(reading, reading.pos);
    return reading.fail("several-documents", at, "another document follows the first");
  }
  if (code === SEMICOLON && container?.isObject === true) {
    const next = window.skipBlanks(at + 1);
    if (next === WAIT) return false;
    const start = isQuote(window.at(next)) ? reading.closing.memberStart(next, -1) : "none";
    if (start === "more") return false;
    if (start !== "none" && start !== "damaged") return goOnInside(reading, next, "key");
  }
  if (isQuote(code) && container?.isObject === true) {
    const start = reading.closing.memberStart(at, -1);
    if (start === "more") return false;
    if (start !== "none" && start !== "partial" && start !== "damaged") return goOnInside(reading, at, "key");
  }
  if (code === QUOTE || code === COLON) {
    return reading.fail("trailing-text", at, "the value has ended, and what follows it is no new one");
  }
  const last = surplus >= 0 ? surplusEnd : reading.pos;
  reading.textFollows = !ends && !window.crossesLine(last, at) && !window.endsInMarker(at);
  if (surplus >= 0) {
    reportSurplus(reading, surplus, surplusEnd, ends);
    return endTopValue(reading, surplusEnd);
  }
  return endTopValue(reading, reading.pos);
}

/**
 * Closers too many at the very end are noise, unless another edit explains them: one that came too early, so that a member
 * is in the wrong object, a bracket that a string before it or the document has lost, or what else is missing.
 */
function reportSurplus(reading: Reading, from: number, to: number, ends: boolean): void {
  const hasBracket = reading.window.text.slice(from, to).includes("]");
  const isInDoubt =
    reading.endsOpen ||
    reading.memberAfterObject ||
    (hasBracket && (reading.memberAfterArray || mayEndList(reading))) ||
    reading.log.entries.some(({ kind }) => mayBeOpener.includes(kind));
  reading.reportBlanks(reading.pos, from);
  // Where nothing else is wrong, and both ends of a call are doubled, what stands between them is one: without its name it would be none.
  const brace = doubledBrace(reading);
  const { entries } = reading.log;
  if (brace && reading.options.holdsName === true && entries.length === 1 && ends && to - from === 1 && !isInDoubt)
    brace.level = brace.end - brace.start === 1 ? "safe" : "guess";
  reading.report("surplus-closer", ends && !isInDoubt ? "safe" : "guess", from, to);
}

/** The brace of a doubled one that was left out first. */
export const doubledBrace = ({ log }: Reading): Repair | undefined =>
  log.entries.find(({ kind }) => kind === "doubled-brace");

/** What is missing may have been the opener of the closer that is left over. */
const mayBeOpener: readonly RepairKind[] = ["missing-comma", "missing-colon"];

/**
 * A bracket more before, or one less, puts the last list of the document one level deeper, so that the bracket that is left
 * over ends a list. Is that legal?
 */
function mayEndList({ options, listsEnded }: Reading): boolean {
  if (options.holdsCalls === true) return false;
  const type = options.typeAt?.(new Array<number>(listsEnded).fill(0));
  return type === undefined || type === "array";
}

/** Members or items follow: the closer of the top value came too early, and the reading goes on inside. */
function goOnInside(reading: Reading, next: number, mode: "key" | "item"): true {
  reading.log.add("closed-too-early", "guess", reading.closedAt, reading.closedAt + 1);
  reading.pos = next;
  reading.mode = mode;
  reading.commaAt = -1;
  return true;
}

function endTopValue(reading: Reading, end: number): true {
  if (reading.open.stack.length > 0) reading.popContainer(reading.closedAt + 1 - reading.window.offset);
  return reading.done("value", end);
}
