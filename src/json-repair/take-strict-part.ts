import { CLOSE_BRACKET, COMMA, END, isBlank, isDigit, isOpener, isQuote, MINUS, WAIT } from "./characters.ts";
import type { Reading } from "./reading.ts";

/** Takes a container that is strict JSON whole. Inside a damaged value only: the whole was asked about before. */
export function takeStrictPart(reading: Reading): boolean {
  const depth = reading.open.stack.length;
  if (reading.onStrictPart === undefined || depth === 0 || reading.closing.doubled) return false;
  const window = reading.window;
  const part = reading.strictParts.read(window.text, reading.pos, reading.maxDepth - depth);
  window.steps += reading.strictParts.examined;
  if (part === undefined) return false;
  if (!goesOnAfter(reading, part.end)) {
    reading.strictParts.wasInVain();
    return false;
  }
  reading.beginValue();
  reading.onStrictPart(part.value);
  reading.pos = part.end;
  reading.valueEnded(false);
  reading.endsOpen = part.endsOpen;
  reading.commaAt = -1;
  reading.listsEnded = listsEndedAt(window.text, part.end);
  reading.afterArray = Array.isArray(part.value);
  reading.afterObject = !reading.afterArray;
  reading.memberAfterObject ||= part.memberAfterObject;
  reading.memberAfterArray ||= part.memberAfterArray;
  return true;
}

/** How many lists end before `at`, with nothing but blanks between their brackets. */
function listsEndedAt(text: string, end: number): number {
  let count = 0;
  for (let at = end - 1; text.charCodeAt(at) === CLOSE_BRACKET || isBlank(text.charCodeAt(at)); at--) {
    if (text.charCodeAt(at) === CLOSE_BRACKET) count++;
  }
  return count;
}

/** Is what follows a container what should follow it? If not, its last string may not have ended where it seems. */
function goesOnAfter(reading: Reading, at: number): boolean {
  const window = reading.window;
  const open = reading.open;
  let level = open.stack.length - 1;
  let next = window.skipBlanks(at);
  for (; level >= 0 && next !== WAIT && window.at(next) === open.stack[level].closer; level--) {
    next = window.skipBlanks(next + 1);
  }
  if (next === WAIT) return false; // a comment or an escape that the text cuts
  const code = window.at(next);
  if (level < 0 || code === END) return code === END;
  if (code !== COMMA) return false;
  const after = window.skipBlanks(next + 1);
  if (after === WAIT) return false;
  const follows = window.at(after);
  if (!open.stack[level].isObject) {
    if (isQuote(follows)) return reading.closing.beginsMember(after) === "no";
    return isOpener(follows) || isDigit(follows) || follows === MINUS;
  }
  const start = reading.closing.memberStart(after, level);
  return start === "declared" || start === "unknown";
}
