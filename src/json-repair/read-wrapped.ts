import { matchAt } from "../machine/match-at.ts";
import type { Reading } from "./reading.ts";

/** Types that databases print as calls round the value. */
const wrapped =
  /(?:(?:ObjectId|ISODate|NumberLong|NumberInt|NumberDecimal|UUID)[ \t]{0,8})?\([ \t]{0,8}(?:("[^"\\\n]{0,256}")|(-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,14})?))[ \t]{0,8}\)/y;

/**
 * A scalar in parentheses that make no list of it: Python's, or the type of a database before them. Of whole texts only:
 * where the text may be cut, the parenthesis is not known to close.
 */
export function readWrapped(reading: Reading, kind: "tuple" | "constructor-call"): boolean {
  const { window, pos } = reading;
  if (reading.onStrictPart === undefined) return false;
  const found = matchAt(wrapped, window.text, pos);
  if (found === undefined) return false;
  const [whole, string, number] = found;
  window.steps += whole.length;
  const end = pos + whole.length;
  reading.report(kind, "guess", pos, end);
  if (string === undefined) reading.literal(number, pos, end);
  else reading.plainString(string.slice(1, -1), pos, end);
  reading.pos = end;
  return true;
}
