import { isNear } from "../../blocks/boundary-pieces.ts";
import { thinkingTags } from "../../contract/thinking-tags.ts";
import { latePattern } from "../../machine/late-pattern.ts";

/**
 * Whether a text holds what closes thoughts, as some family writes it or one character away from that. What makes no difference: case,
 * blanks and bars in it, look-alikes of its letters and signs, references in place of its brackets, where its slash stands.
 *
 * @param closers other ones than those of {@link thinkingTags}
 */
export function closesThoughts(text: string, closers: readonly string[]): boolean {
  const plain = written(text);
  if (anyName.test(plain)) return true;
  const all = [...thinkingTags.map(({ close }) => close), ...closers].map(written);
  // Where a closer has lost its bracket it begins with its slash. Without that it is an opener.
  return [...plain.matchAll(beginning)].some(({ index }) => all.some((closer) => isNearAt(plain, index, closer)));
}

/** So long is what closes thoughts, at the most, with all that makes no difference. */
export const closerCharsMax = 256;

function isNearAt(text: string, at: number, closer: string): boolean {
  return [-1, 0, 1].some((more) => {
    const found = text.slice(at, at + closer.length + more);
    return found === closer || isNear(found, closer);
  });
}

/** A text without what makes no difference. */
const written = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(reference, (_, isOpen) => (isOpen === undefined ? ">" : "<"))
    .replace(blanks(), "")
    .replace(slashes, "/")
    .replace(openingBrackets, "<")
    .replace(closingBrackets, ">")
    .replace(slashBehind, "</$1>");

const reference = /(?:&(?:amp;)?(?:(lt|#60|#x3c)|gt|#62|#x3e);)|\\u00(?:(3c)|3e)/g;
/** Blanks, signs of no width and bars: few of them. */
const blanks = latePattern("(?<![\\s|\\p{M}\\p{Cf}])[\\s|\\p{M}\\p{Cf}]{1,4}(?![\\s|\\p{M}\\p{Cf}])", "gu");
const slashes = /[\\∕⁄]/g;
const openingBrackets = /[[{‹〈⟨]/g;
const closingBrackets = /[\]}›〉⟩]/g;
const slashBehind = /<(\w{1,32})\/>/g;
const anyName = /<\/(?:[\w:]{0,32}think|>)/;
const beginning = /<(?!think(?:ing)?>)|\//g;
