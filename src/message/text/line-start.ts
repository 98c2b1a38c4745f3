import { indentMax, isIndent, isLineBreak } from "../../machine/indent.ts";
import { latePattern } from "../../machine/late-pattern.ts";

/** What `blanks` of grammars/shared/json.peggy matches, where a text begins. */
export const blanks = /^[\s\x85\u180e\u200b-\u200f\u2060]+/;
/** Any other unit. */
export const notBlank = /[^\s\x85\u180e\u200b-\u200f\u2060]/;

/** Where the blanks before a place begin, as far as they may indent what begins a line. */
export function indentBegin(text: string, at: number): number {
  let begin = at;
  while (begin > 0 && at - begin < indentMax && isIndent(text.charCodeAt(begin - 1))) begin--;
  return begin;
}

/** Whether a place is the first of a line, blanks aside; so is the beginning of the text. */
export function beginsLine(text: string, at: number): boolean {
  const begin = indentBegin(text, at);
  return begin === 0 || isLineBreak(text[begin - 1]);
}

/** Whether a place stands within a word: what begins there is the rest of another one. A capital after a small letter begins one. */
export const isInWord = (text: string, at: number): boolean =>
  at > 0 &&
  !isBracket(text.charCodeAt(at)) &&
  wordUnit().test(text[at]) &&
  wordUnit().test(text[at - 1]) &&
  !beginsCapital.test(text.slice(at - 1, at + 1));

/** Most openers begin so. */
const isBracket = (unit: number) => unit === 0x3c || unit === 0x5b;

// Scripts that set no blanks between words are not among them.
const wordUnit = latePattern("[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Nd}\\udc00-\\udfff_$-]");
const beginsCapital = /[a-z0-9][A-Z]/;

/** Where a stretch of text ends without the blanks at its end. */
export const endBeforeBlanks = (text: Pick<string, "slice">, from: number, end: number): number =>
  from < end ? from + text.slice(from, end).trimEnd().length : end;
