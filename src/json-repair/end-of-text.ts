import type { RepairKind } from "../contract/repairs.ts";
import type { OpenString } from "./open-string.ts";
import type { Reading } from "./reading.ts";

/** The text is over inside the value: close what is open, keep what is certain, say that more may be missing. */
export function endOfText(reading: Reading, cut?: RepairKind): true {
  const length = reading.window.text.length;
  const kind = cut ?? (reading.keyPending ? "cut-key" : undefined);
  if (kind !== undefined) reading.report(kind, "truncated", Math.min(reading.pos, length), length);
  reading.keyPending = false;
  if (reading.open.stack.length === 0) {
    return reading.fail("truncated", length, "the text ended before the value was certain");
  }
  return closeAll(reading, "end-of-text", length);
}

/** The text ended inside a string: what is certain of it stays. */
export function cutString(reading: Reading, at: number): true {
  const string = reading.string as OpenString;
  const length = reading.window.text.length;
  reading.string = undefined;
  reading.pos = length;
  if (string.place === "key") {
    reading.log.add("cut-key", "truncated", string.start, reading.window.offset + length);
    return endOfText(reading);
  }
  reading.report("cut-string", "truncated", at, length);
  reading.sink.endString(reading.window.offset + length);
  if (reading.open.stack.length > 0) return endOfText(reading);
  return reading.done("end-of-text", length);
}

/** The closing marker of the format stands inside the value: it ends there. */
export function endAtMarker(reading: Reading): true {
  if (reading.keyPending) reading.report("cut-key", "truncated", reading.pos, reading.pos);
  reading.keyPending = false;
  if (reading.open.stack.length === 0) return reading.fail("no-value", reading.pos, "no value before the end marker");
  return closeAll(reading, "marker", reading.pos);
}

function closeAll(reading: Reading, by: "marker" | "end-of-text", at: number): true {
  const stack = reading.open.stack;
  // `[[1, 2` may lack the inner bracket before the comma, too.
  const twoPlaces = stack.some(({ isObject }, level) => !isObject && stack[level + 1]?.isObject === false);
  reading.endsAfterValue = reading.mode === "after" && !twoPlaces;
  for (const container of stack) if (!container.implied) reading.closersMissing++;
  if (reading.closersMissing > 0) reading.report("missing-closer", "truncated", at, at);
  while (stack.length > 0) reading.popContainer(at);
  return reading.done(by, at);
}
