import { CLOSE_BRACE } from "./characters.ts";
import type { Reading } from "./reading.ts";

/** The comma before a closer. */
export function reportTrailingComma(reading: Reading): void {
  if (reading.commaAt >= 0) reading.log.add("extra-comma", "safe", reading.commaAt, reading.commaAt + 1);
  reading.commaAt = -1;
}

/** A closer: of the innermost container, of one around it, or of none. */
export function readCloser(reading: Reading, code: number): boolean {
  const open = reading.open;
  const level = open.stack.length - 1;
  const closed = open.nearest(level, code);
  if (closed < 0) {
    reading.report("wrong-closer", "guess", reading.pos, reading.pos + 1);
  } else if (closed < level) {
    reading.report("missing-inner-closer", "guess", reading.pos, reading.pos);
    while (open.stack.length - 1 > closed) reading.popContainer(reading.pos);
  }
  if (open.stack.length === 1) {
    reading.closedAt = reading.window.offset + reading.pos;
    reading.pos++;
    reading.mode = "tail";
    return true;
  }
  reading.popContainer(reading.pos + 1);
  reading.pos++;
  reading.valueEnded(false);
  reading.afterObject = code === CLOSE_BRACE;
  reading.afterArray = !reading.afterObject;
  return true;
}
