import type { FormatData } from "../../formats/format-data.ts";

/**
 * Whether what follows a block to the end of the text is the beginning of what the format writes there, blanks aside: the closers
 * of the call and of the block it stands in. Elsewhere so few characters say nothing.
 *
 * @param block the block, or the end of it
 */
export function isCutCloser(block: string, rest: string, { template, closers: ends = [] }: FormatData): boolean {
  const written = rest.replace(blanks, "");
  if (template === undefined || written === "") return false;
  const last = template.call.at(-1);
  const closers = `${typeof last === "string" ? last : ""}${template.close}`.replace(blanks, "");
  const before = block.replace(blanks, "");
  const close = template.close.replace(blanks, "");
  // What closes the block is there.
  if (before.endsWith(close.replace(brackets, "") === "" ? closers : close)) return false;
  // So is it where the format reads calls in another form: this one ends as the form does that it writes, or has a closer of its own.
  if (ends.some((end) => before.endsWith(end) && (closers.endsWith(end) || !closers.includes(end)))) return false;
  // Nothing is lacking where brackets are all that ends a call, or where one follows the marker that stands behind them.
  const marker = closers.replace(brackets, "");
  if (marker === "" || (brackets.test(written) && before.endsWith(marker))) return false;
  // A list of calls ends in a bracket of its own.
  if (marker !== closers && marker.startsWith(written) && bracket.test(before)) return true;
  const begun = closers.length - written.length - 1;
  // What the block ends in may be all that is written before the rest, or a part of it alone.
  for (let length = begun; length >= 0; length--) {
    if (closers.startsWith(written, length) && before.endsWith(closers.slice(0, length))) return true;
  }
  return false;
}

/** So much of a block says how far its closers have been written. */
export const closersMax = 256;

const blanks = /\s+/g;
/** What ends the value of a call. */
const brackets = /^["'}\])]+/;
const bracket = /[}\])]$/;
