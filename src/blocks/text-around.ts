import type { RejectionReason } from "../contract/reasons.ts";
import type { FormatData } from "../formats/format-data.ts";
import type { Candidate } from "../values/candidate.ts";
import { nextQuoteEnd, stringsOf } from "./damaged-call-end.ts";
import { parameterTagOf } from "./parameter-tag.ts";

/** Where values of such a call end is not known: its text has two readings, is damaged, or is mended by a guess. */
const inDoubt: readonly RejectionReason[] = ["malformed", "truncated", "ambiguous", "needs-guess"];

/**
 * What of the text that a refused call takes along may be text around it: what stands in no string and in no raw value which the
 * grammar has closed. Where damage goes on beyond the closer of the call, it is all of it.
 */
export function textAround(candidate: Candidate, format: Omit<FormatData, "program">): string {
  const { text, isBroken } = candidate;
  if (isBroken && !format.closers?.some((closer) => text.trimEnd().endsWith(closer))) return text;
  const markup = hasSoundValues(candidate) ? markupOf(format) : undefined;
  return textWithout(candidate, format, (value) => markup !== undefined && isValue(value, markup));
}

/** What of the text of a call stands in no string and in no raw value. */
export const textOutside = (candidate: Candidate, format: Omit<FormatData, "program">): string =>
  textWithout(candidate, format, (value) => value !== "");

/** The text of a call without its strings, and without those of its raw values that are some. */
function textWithout(
  { text, kind, values, textStart }: Candidate,
  format: Omit<FormatData, "program">,
  isHidden: (value: string) => boolean,
): string {
  const { quotes, escapes } = stringsOf(format, kind);
  let around = "";
  let value = 0;
  for (let at = 0; at < text.length; ) {
    while (values[value] < at + textStart) value += 2;
    const valueEnd = values[value] === at + textStart ? values[value + 1] - textStart : at;
    const quote = quotes.find((one) => text.startsWith(one, at));
    let end = at;
    if (isHidden(text.slice(at, valueEnd))) end = valueEnd;
    else if (quote !== undefined) end = nextQuoteEnd(text, at, text.length, quote, escapes);
    if (end < 0) return around + text.slice(at);
    around += end > at ? valueMark : text[at];
    at = Math.max(end, at + 1);
  }
  return around;
}

/** What stands for a string or a value: a word, so that lines and paragraphs stay what they are. */
const valueMark = "_";

function hasSoundValues({ problem, repairs, isBroken, hasKnownValues }: Candidate): boolean {
  const isInDoubt = problem !== undefined && inDoubt.includes(problem.reason) && !hasKnownValues;
  if (isBroken || isInDoubt) return false;
  return repairs.every(({ level }) => level === "safe");
}

/** What closes a call or its parts, or opens a parameter. */
function markupOf({ closers = [], template }: Pick<FormatData, "closers" | "template">): readonly string[] {
  const opener = parameterTagOf(template)?.opener ?? "";
  return [...closers, opener].filter((text) => /\w/.test(text));
}

/** A value that shows markup of calls may have ended there. */
const isValue = (text: string, markup: readonly string[]) => text !== "" && !markup.some((one) => text.includes(one));
