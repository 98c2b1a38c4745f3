import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET, WAIT } from "./characters.ts";
import type { Answer } from "./look-ahead.ts";
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
  if (reading.options.generous === true) {
    const passed = closed < 0 ? passSurplus(reading) : passEarlyBracket(reading, level, closed);
    if (passed !== "no") return passed === "yes";
  }
  if (closed < 0) {
    reading.report("wrong-closer", "guess", reading.pos, reading.pos + 1);
  } else if (closed < level) {
    reading.report("missing-inner-closer", "guess", reading.pos, reading.pos);
    while (open.stack.length - 1 > closed) reading.popContainer(reading.pos);
  }
  const listsEnded = code === CLOSE_BRACKET ? reading.listsEnded + 1 : 0;
  if (open.stack.length === 1) {
    reading.listsEnded = listsEnded;
    reading.closedAt = reading.window.offset + reading.pos;
    reading.pos++;
    reading.mode = "tail";
    return true;
  }
  reading.popContainer(reading.pos + 1);
  reading.pos++;
  reading.valueEnded(false);
  reading.listsEnded = listsEnded;
  reading.afterObject = code === CLOSE_BRACE;
  reading.afterArray = !reading.afterObject;
  return true;
}

/** `[{"a": 1}}, {"a": 2}]`: a brace too many after an object, and the list goes on with another one. */
function passSurplus(reading: Reading): Answer {
  if (!reading.afterObject) return "no";
  const next = opensAfterComma(reading, OPEN_BRACE);
  if (next <= 0) return next === WAIT ? "more" : "no";
  reading.report("surplus-closer", "guess", reading.pos, reading.pos + 1);
  reading.pos++;
  return "yes";
}

/** `"key": ["a"], ["b"]`: the list ends only after the second one, since an object holds no list without a key. */
function passEarlyBracket(reading: Reading, level: number, closed: number): Answer {
  const { stack } = reading.open;
  if (closed !== level || stack[level].isObject || stack[level - 1]?.isObject !== true) return "no";
  const next = opensAfterComma(reading, OPEN_BRACKET);
  if (next <= 0) return next === WAIT ? "more" : "no";
  reading.report("closed-too-early", "guess", reading.pos, next + 1);
  reading.pos = next + 1;
  reading.commaAt = -1;
  reading.mode = "item";
  return "yes";
}

/** Index of the opener after the closer that stands here and a comma; 0 if there is none. */
function opensAfterComma({ window, pos }: Reading, opener: number): number {
  const comma = window.skipBlanks(pos + 1);
  if (comma === WAIT || window.at(comma) !== COMMA) return comma === WAIT ? WAIT : 0;
  const next = window.skipBlanks(comma + 1);
  if (next === WAIT) return WAIT;
  return window.at(next) === opener ? next : 0;
}
