import type { TextSource } from "../../machine/text-store.ts";
import type { AlternativeReading } from "./alternative-reading.ts";
import type { Frame } from "./frames.ts";
import { LimitedText } from "./limited-text.ts";
import type { Openings } from "./openings.ts";

/**
 * Formats have read a block alike: read alone, from its opener to its end, it says whether they do so for its frame.
 *
 * @param readings - Theirs, the one that counts first.
 */
export function provenFrame(
  readings: readonly AlternativeReading[],
  start: number,
  store: TextSource,
  openings: Openings,
): Frame | undefined {
  const [best] = readings;
  const end = best.settledAt as number;
  const text = new LimitedText(store);
  text.limit = end;
  const [first, ...rest] = readings.map(({ alternative }) => {
    const reading = openings.makeReading(alternative, text, () => {});
    reading.begin({ entry: "block", start, begunLine: openings.begunLine }, undefined);
    return reading;
  });
  const object = first.onlyObject;
  if (object === undefined || first.settledAt !== end) return undefined;
  const isAlike = (one: AlternativeReading) =>
    one.settledAt === end && one.onlyObject?.start === object.start && one.onlyObject.end === object.end;
  if (!rest.every(isAlike)) return undefined;
  return {
    before: store.slice(start, object.start),
    after: store.slice(object.end, end),
    reader: best.alternative,
  };
}
