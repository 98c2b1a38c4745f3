import { plainSigns } from "../contract/plain-signs.ts";
import { latePattern } from "../machine/late-pattern.ts";
import { beginsAsTag, holdsPieces } from "./boundary-pieces.ts";
import { type Boundary, boundaryOf, gapCharsMax, letter, type Source } from "./misspelt-boundary-words.ts";
import { isInQuotes } from "./parameter-debris.ts";
import { mayHoldBoundary } from "./parameter-signs.ts";

/**
 * Whether a raw value holds a closer and the opener of another parameter that are spelt wrong, so that neither of them was
 * one. Either both are tags still: a closing tag that nothing in the value opens, and the next tag names another parameter,
 * or both are tags of the format. Or most of their words and marks stand before and after the name of another parameter,
 * and nothing else in between. What is spelt as it is due the grammar has judged.
 *
 * @param key the parameter whose value it is
 * @param keys the parameters that may follow
 * @param isRest the value begins before the text
 */
export function holdsBoundary(
  format: Source,
  given: string,
  key: string,
  keys: Iterable<string>,
  isRest = false,
): boolean {
  if (!mayHoldBoundary(given)) return false;
  const boundary = boundaryOf(format);
  if (!boundary) return false;
  // Marks with something that nobody sees between them, and wide ones, look like those of the format, which may have wide bars.
  const isOdd = /[^\0-\xff]/.test(given);
  const value = isOdd ? given.replace(/[\u200b-\u200d\u2060\ufeff]/g, "").replace(/[^｜]+/g, plainSigns) : given;
  const others = [...keys].filter((one) => one !== key);
  return (
    holdsTags(value, boundary, others) ||
    (!isRest && beginsAsTag(value, boundary)) ||
    holdsPieces(value, boundary, key, others, isRest)
  );
}

/**
 * Whether a raw value holds a closer of the format that nothing in it opens, and behind it an opener that nothing in it closes. Read
 * by pairs, the value has ended at the closer, and what ends it closes the opener.
 *
 * @param keys of the tool
 * @param names of the tools on offer: where tags are named for what they are of, these and the keys are tags of the format
 */
export function holdsCrossing(
  format: Source,
  value: string,
  keys: Iterable<string>,
  names: readonly string[] = [],
): boolean {
  const boundary = value.includes("</") ? boundaryOf(format) : null;
  if (!boundary) return false;
  const { closers, isClosedByName } = boundary;
  const known = new Set(isClosedByName ? [...keys, ...names] : []);
  let isBehindCloser = false;
  /** For each opener that is open, by its name, whether it stands behind such a closer. */
  const open = new Map<string, boolean[]>();
  for (const { 0: text, 1: slash, 2: inside, index } of value.matchAll(tagOrCutCloser)) {
    const [name] = inside.trimStart().split(afterName, 1);
    const isOwn = name === "" || (isClosedByName ? known.has(name) : closers.has(`</${name}>`));
    const isCut = !text.endsWith(">") && (slash === "" || inside.trim() !== name);
    if (!isOwn || isCut || text.endsWith("/>") || isInQuotes(value, index, index + text.length)) continue;
    const same = open.get(name) ?? [];
    open.set(name, same);
    // A tag without a name is closed as others are, and opens nothing of the format.
    if (slash === "") same.push(isBehindCloser && name !== "");
    else if (same.pop() === undefined) isBehindCloser = true;
  }
  return [...open.values()].some((same) => same.includes(true));
}

function holdsTags(value: string, boundary: Boundary, keys: readonly string[]): boolean {
  const { closers, openers, tokens, closeTag, valueOpener } = boundary;
  if (!value.includes("</") && !tokens.some((one) => value.includes(one))) return false;
  const opened = new Set<string>();
  // After a closing tag that nothing has opened, and after one that may be the format's.
  let stray = -1;
  let own = -1;
  tag.lastIndex = 0;
  for (let found = tag.exec(value); found !== null; found = tag.exec(value)) {
    const [text, slash, inside] = found;
    const [name] = inside.trimStart().split(afterName, 1);
    if (slash !== "" || tokens.includes(text)) {
      const opener = text === closeTag && valueOpener !== "" ? valueOpener : callOpened;
      stray = opened.has(slash === "" ? opener : name) ? -1 : tag.lastIndex;
      if (stray >= 0 && (isOfTags(name, boundary) || closers.has(text))) own = stray;
      continue;
    }
    const isNear = stray >= 0 && found.index - stray <= gapCharsMax;
    if (isNear && namesKey({ text, name, after: textAfter(value, tag.lastIndex) }, boundary, keys)) return true;
    const isOwnNear = own >= 0 && found.index - own <= gapCharsMax;
    const isOpener = openers.has(text);
    if (isOwnNear && (isOpener || isOwnTag(name, boundary)) && isGap(value.slice(own, found.index), boundary))
      return true;
    opened.add(isOpener ? callOpened : name);
    if (isOpener) opened.add(name);
    if (text === valueOpener) opened.add(valueOpener);
    stray = -1;
  }
  return false;
}

/** Stands for the opener of a call. */
const callOpened = "\0";

/** Whether a text may stand between the closer of one call and a tag of the next: words of tags, or a name on its line. */
function isGap(text: string, { words, callWords }: Boundary): boolean {
  const all = text.toLowerCase().match(word()) ?? [];
  const others = all.filter((one) => !words.includes(one) && !callWords.has(one));
  return others.length === 0 || (others.length === 1 && text.includes("\n"));
}

interface Tag {
  readonly text: string;
  readonly name: string;
  /** What stands between it and the next tag. */
  readonly after: string;
}

const textAfter = (value: string, at: number): string =>
  value
    .slice(at, at + gapCharsMax)
    .split("<", 1)[0]
    .trim();

/** Whether one of the keys stands where the format has it: after the tag, as its name, or in it after its name. */
function namesKey({ text, name, after }: Tag, { opener, words }: Boundary, keys: readonly string[]): boolean {
  if (opener.endsWith(">")) return keys.includes(after);
  if (!letter().test(opener)) return keys.some((key) => key.toLowerCase() === name.toLowerCase());
  return keys.some((key) => {
    const at = text.indexOf(key, 2);
    if (at < 0 || letter().test(text[at + key.length] ?? "")) return false;
    return !letter().test(text[at - 1]) || words.some((word) => text.toLowerCase().endsWith(word, at));
  });
}

/** Whether a name is made of the words that a format has in its tags. */
function isOfTags(name: string, { words, head }: Boundary): boolean {
  if (head === undefined) return false;
  const lower = name.toLowerCase();
  for (let at = 0; at < lower.length; ) {
    const word = letter().test(lower[at]) ? words.find((one) => lower.startsWith(one, at)) : lower[at];
    if (word === undefined) return false;
    at += word.length;
  }
  return true;
}

/** Whether a tag begins a parameter or a call. */
function isOwnTag(name: string, boundary: Boundary): boolean {
  const { head, closers } = boundary;
  if (closers.has(`</${name}>`)) return true;
  return head !== undefined && name.toLowerCase().includes(head) && isOfTags(name, boundary);
}

const tag = /<(\/?)([^<>]{0,240})>/g;
/** A closing tag may have lost its end. */
const tagOrCutCloser = /<(\/?)([^<>]{0,240})(?:>|(?=<))/g;
const afterName = /[\s/=]/;
const word = latePattern("[\\p{L}\\p{N}_]+", "gu");
