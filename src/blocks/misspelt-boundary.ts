import { type RenderTemplate, slot } from "../contract/render-template.ts";
import { latePattern } from "../machine/late-pattern.ts";

/** What a format writes between two parameters: the closer of one, the opener of the next. */
interface Boundary {
  /** The words of both. */
  readonly words: readonly string[];
  /** The longest of those that stand in both; undefined: none does. */
  readonly common: string | undefined;
  /** What stands directly before a key, from the beginning of its tag. */
  readonly opener: string;
  /** The first character after a key. */
  readonly afterKey: string;
}

const known = new WeakMap<RenderTemplate, Boundary | null>();

function boundaryOf(template: RenderTemplate): Boundary | null {
  let boundary = known.get(template);
  if (boundary === undefined) known.set(template, (boundary = makeBoundary(template)));
  return boundary;
}

function makeBoundary({ members, comma = "" }: RenderTemplate): Boundary | null {
  const [, ...pieces] = members?.[0] ?? [""];
  const text = (some: readonly (string | number)[]) => some.filter((piece) => typeof piece === "string").join("");
  const after = pieces.indexOf(slot.key) + 1;
  const written = text(pieces.slice(pieces.indexOf(slot.value) + 1)) + comma + text(pieces.slice(0, after - 1));
  const opener = written.slice(written.lastIndexOf("<"));
  if (!written.includes("<") || after === 0) return null;
  const words: string[] = written.toLowerCase().match(letters()) ?? [];
  const twice = words.filter((word, at) => words.indexOf(word) !== at).sort((a, b) => b.length - a.length);
  return { words: [...new Set(words)], common: twice[0], opener, afterKey: String(pieces[after])[0] };
}

/**
 * Whether a raw value holds a closer and the opener of another parameter that are spelt wrong, so that neither of them was
 * one: a closing tag that nothing in the value opens, and the next tag names another parameter; or the word of both tags
 * twice, with nothing but the characters of tags in between, and the name of another parameter. What is spelt as it is
 * due the grammar has judged.
 *
 * @param key the parameter whose value it is
 * @param keys the parameters that may follow
 */
export function holdsBoundary(
  template: RenderTemplate | undefined,
  value: string,
  key: string,
  keys: Iterable<string>,
): boolean {
  if (!value.includes("<")) return false;
  const boundary = template && boundaryOf(template);
  if (!boundary) return false;
  const others = [...keys].filter((one) => one !== key);
  return others.length > 0 && (holdsTags(value, boundary, others) || holdsWords(value, boundary, key, others));
}

function holdsTags(value: string, boundary: Boundary, keys: readonly string[]): boolean {
  if (!value.includes("</")) return false;
  const opened = new Set<string>();
  // After a closing tag that nothing has opened.
  let stray = -1;
  tag.lastIndex = 0;
  for (let found = tag.exec(value); found !== null; found = tag.exec(value)) {
    const [text, slash, inside] = found;
    const [name] = inside.trimStart().split(afterName, 1);
    if (slash !== "") stray = opened.has(name) ? -1 : tag.lastIndex;
    else {
      const isNear = stray >= 0 && found.index - stray <= gapCharsMax;
      if (isNear && namesKey({ text, name, after: textAfter(value, tag.lastIndex) }, boundary, keys)) return true;
      opened.add(name);
      stray = -1;
    }
  }
  return false;
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

function holdsWords(value: string, boundary: Boundary, key: string, keys: readonly string[]): boolean {
  const { common, words, opener, afterKey } = boundary;
  if (common === undefined) return false;
  // Of some characters the capital is longer.
  const lower = value.toLowerCase();
  const text = lower.length === value.length ? lower : value;
  const between = [...words, key.toLowerCase()];
  const names = keys.map((one) => one.toLowerCase());
  let before = text.indexOf(common);
  for (let at = before; before >= 0; before = at) {
    at = text.indexOf(common, before + common.length);
    if (at < 0) return false;
    if (at - before > gapCharsMax || !isOf(text.slice(before, at), between)) continue;
    const found = keyAfter(text, at + common.length, words, names);
    if (found === undefined || !bracket.test(text.slice(before, found.at))) continue;
    const isExact = value.endsWith(opener, found.at);
    if (!isExact || value[found.at + found.key.length] !== afterKey) return true;
  }
  return false;
}

/** Whether a text is made of some words, and of what is no letter. */
function isOf(text: string, words: readonly string[]): boolean {
  for (let at = 0; at < text.length; ) {
    const word = letter().test(text[at]) ? words.find((one) => text.startsWith(one, at)) : text[at];
    if (word === undefined) return false;
    at += word.length;
  }
  return true;
}

/** The first of some keys after an offset, with nothing before it but the words of tags. */
function keyAfter(
  value: string,
  from: number,
  words: readonly string[],
  keys: readonly string[],
): { key: string; at: number } | undefined {
  const end = Math.min(value.length, from + gapCharsMax);
  for (let at = from; at < end; ) {
    if (letter().test(value[at])) {
      const key = keys.find((one) => value.startsWith(one, at) && !letter().test(value[at + one.length] ?? ""));
      if (key !== undefined) return { key, at };
      const word = words.find((one) => value.startsWith(one, at));
      if (word === undefined) return undefined;
      at += word.length;
    } else at++;
  }
  return undefined;
}

/** Between a closer and an opener, and before a key, stands no more than this. */
const gapCharsMax = 48;
const tag = /<(\/?)([^<>]{0,240})>/g;
const afterName = /[\s/=]/;
const bracket = /[<>]/;
const letters = latePattern("\\p{L}+", "gu");
const letter = latePattern("[\\p{L}\\p{N}]");
