import { latePattern } from "../machine/late-pattern.ts";
import { matchAt } from "../machine/match-at.ts";
import { type Boundary, gapCharsMax, letter, ownKey } from "./misspelt-boundary-words.ts";

/** Whether a word stands around an offset; letters that are not ASCII are rare. */
const isLetterAt = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at) | 0x20;
  return (unit >= 0x61 && unit <= 0x7a) || (unit !== 0x3c && unit !== 0x20 && letter().test(text[at] ?? ""));
};

/**
 * Whether another key stands between most of the words and marks that are due around it, and nothing else in between; or its
 * opener lacks one of them.
 *
 * @param isRest the value begins before the text
 */
export function holdsPieces(
  value: string,
  boundary: Boundary,
  key: string,
  keys: readonly string[],
  isRest: boolean,
): boolean {
  const { closer, before, after, opener, afterKey, head, closers } = boundary;
  const names = keys.map((one) => one.toLowerCase()).filter((one) => one !== "");
  if (names.length === 0 || closer.length + before.length < boundaryTokensMin) return false;
  const stretches = stretchesOf(value);
  const self = key.toLowerCase();
  const closed = closer.map((one) => (one === ownKey ? self : one));
  const words = closer.includes(ownKey) ? [...boundary.words, self] : boundary.words;
  if (!boundary.isMarks && !stretches.some(({ text }) => words.some((one) => text.includes(one)))) return false;
  const marks = new Set([...closed, ...before, ...after.flat()]);
  const areMarked = names.some(({ length }) => length >= nearCharsMin);
  const holdsIn = ({ text, start, from, to }: Stretch): boolean => {
    const marked = areMarked ? wordsAfter(marks, text) : [];
    for (const name of names) {
      for (const { at, end, isSpelt } of placesOf(name, text, marked)) {
        if (at < from || at >= to) continue;
        const isOpener = value.endsWith(opener, start + at) && value[start + end] === afterKey;
        if (isOpener && (isSpelt || endsInCloser(value.slice(0, start + at - opener.length), closers))) continue;
        const left = piecesBeside(text, at, -1, words, marks);
        if (left === undefined || left.pieces.length === 0) continue;
        const right = piecesBeside(text, end, 1, words, marks);
        if (right === undefined) continue;
        const pieces = [...left.pieces, ...right.pieces];
        const hasWord = pieces.some((one) => words.includes(one));
        // A closing tag that another key stands in is what is left of two.
        const slash = left.pieces.indexOf("/");
        const isInTag = slash > 0 && left.pieces[slash + 1] === "<" && !left.pieces.slice(0, slash).includes(">");
        if (isInTag && hasWord && right.pieces.includes(">")) return true;
        const isFirst = start + left.end === 0 && !isRest;
        for (const one of after) {
          const due = [...before, ...one];
          const missing = due.length - commonCount(pieces, due);
          if (missing <= 1 && !isOpener && head !== undefined && left.pieces.includes(head)) return true;
          // The value itself may be lost with its closer.
          const all = isFirst ? due : [...closed, ...due];
          if (!hasWord && (!boundary.isMarks || all.length < wordlessMin)) continue;
          if (all.length - commonCount(pieces, all) <= Math.floor(all.length / 3)) return true;
        }
      }
    }
    return false;
  };
  return stretches.some(holdsIn);
}

/** A part of a value in lower case, with what stands around it: places are looked for between two offsets of its text. */
interface Stretch {
  readonly text: string;
  /** Where the text begins in the value. */
  readonly start: number;
  readonly from: number;
  readonly to: number;
}

/** For a string of more than 128 KB an engine asks the system for memory, which takes longer than all that is done with it here. */
const stretchChars = 32_768;
/** No boundary goes further, blanks in it included. */
const reachChars = 1024;

function stretchesOf(value: string): Stretch[] {
  const stretches: Stretch[] = [];
  for (let at = 0; at < value.length; at += stretchChars) {
    const start = Math.max(0, at - reachChars);
    const piece = value.slice(start, at + stretchChars + reachChars);
    // Of some characters the capital is longer.
    const lower = piece.toLowerCase();
    const text = lower.length === piece.length ? lower : piece;
    stretches.push({ text, start, from: at - start, to: at - start + stretchChars });
  }
  return stretches;
}

function endsInCloser(text: string, closers: ReadonlySet<string>): boolean {
  const written = text.trimEnd();
  return [...closers].some((closer) => written.endsWith(closer));
}

/** Where a name stands in a text, and which of the words beside marks of boundaries are one character away from it. */
function* placesOf(
  name: string,
  text: string,
  words: readonly PlacedWord[],
): Generator<{ at: number; end: number; isSpelt: boolean }> {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    yield { at, end: at + name.length, isSpelt: true };
  if (name.length < nearCharsMin) return;
  for (const { text: found, at } of words) {
    if (isNear(found, name)) yield { at, end: at + found.length, isSpelt: false };
  }
}

interface PlacedWord {
  readonly text: string;
  readonly at: number;
}

/** The words that stand directly after a mark: of a long text, few do, and to search for a mark is faster than to look at each unit. */
function wordsAfter(marks: ReadonlySet<string>, text: string): PlacedWord[] {
  const found: PlacedWord[] = [];
  const pattern = word();
  for (const mark of marks) {
    if (mark.length !== 1) continue;
    for (let at = text.indexOf(mark) + 1; at > 0; at = text.indexOf(mark, at) + 1) {
      // Most marks stand before a blank.
      if (!(text.charCodeAt(at) > 0x2f)) continue;
      const [here] = matchAt(pattern, text, at) ?? [];
      if (here !== undefined) found.push({ text: here, at });
    }
  }
  return found;
}

/** Whether one character less, more or other makes one word the other, or two that have changed places. */
export function isNear(left: string, right: string): boolean {
  const difference = left.length - right.length;
  if (difference < -1 || difference > 1 || left === right) return false;
  const least = Math.min(left.length, right.length);
  let same = 0;
  while (same < least && left[same] === right[same]) same++;
  let alike = 0;
  while (alike < least - same && left[left.length - 1 - alike] === right[right.length - 1 - alike]) alike++;
  const rest = Math.max(left.length, right.length) - same - alike;
  if (rest <= 1) return true;
  return difference === 0 && rest === 2 && left[same] === right[same + 1] && left[same + 1] === right[same];
}

/** Whether a value begins with what is left of the tag before it. */
export function beginsAsTag(value: string, { after }: Boundary): boolean {
  const words = after.flat().filter((one) => letter().test(one));
  if (words.length === 0) return false;
  const text = value.slice(0, gapCharsMax).toLowerCase();
  const { pieces = [] } = piecesBeside(text, 0, 1, words, new Set(after.flat())) ?? {};
  const isMost = after.some((one) => 2 * pieces.length >= one.length);
  return isMost && pieces.length >= boundaryTokensMin && pieces.some((one) => words.includes(one));
}

/**
 * The words and marks of boundaries directly after an offset, or before it, and up to where they go; undefined: it stands in
 * another word.
 */
function piecesBeside(
  text: string,
  from: number,
  step: 1 | -1,
  words: readonly string[],
  marks: ReadonlySet<string>,
): { pieces: string[]; end: number } | undefined {
  const pieces: string[] = [];
  let end = from;
  let at = from;
  const next = () => text[step > 0 ? at : at - 1];
  while (Math.abs(at - from) < gapCharsMax) {
    while (next() !== undefined && blank.test(next())) at += step;
    if (next() === undefined) break;
    const unit = step > 0 ? at : at - 1;
    const isLetter = isLetterAt(text, unit);
    const isHere = (word: string) => (step > 0 ? text.startsWith(word, at) : text.endsWith(word, at));
    let piece = isLetter ? words.find(isHere) : text[unit];
    let length = piece?.length ?? 0;
    const run = isLetter && at !== from ? wordBeside(text, at, step) : "";
    const near = words.find((one) => one.length >= nearCharsMin && isNear(run, one));
    if (near !== undefined && (piece === undefined || piece === near)) {
      piece = near;
      length = run.length;
    }
    if (piece === undefined || !marks.has(piece)) {
      if (isLetter && at === from) return undefined;
      break;
    }
    pieces.push(piece);
    at += step * length;
    end = at;
  }
  return { pieces, end: at === 0 ? 0 : end };
}

/** The word directly after an offset, or before it. */
function wordBeside(text: string, from: number, step: 1 | -1): string {
  let at = from;
  while (Math.abs(at - from) < gapCharsMax && (step > 0 ? at < text.length : at > 0)) {
    if (!isLetterAt(text, step > 0 ? at : at - 1)) break;
    at += step;
  }
  return step > 0 ? text.slice(from, at) : text.slice(at, from);
}

/** How many of the pieces that are due stand in a text, each as often as it is due. */
function commonCount(found: readonly string[], due: readonly string[]): number {
  const left = [...found];
  return due.filter((piece) => {
    const at = left.indexOf(piece);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  }).length;
}

/** What has fewer words and marks cannot be distinguished from text. */
const boundaryTokensMin = 4;
/** And so many it has to have where no word of it is left. */
const wordlessMin = 8;
/** A shorter word that is spelt wrong cannot be distinguished from another. */
export const nearCharsMin = 4;
const blank = /\s/;
const word = latePattern("[\\p{L}\\p{N}_]+", "uy");
