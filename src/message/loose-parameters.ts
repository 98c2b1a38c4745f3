import { type ParameterTag, parameterTagOf } from "../blocks/parameter-tag.ts";
import type { FormatData } from "../formats/format-data.ts";
import { closersLeftOver, type Doubt, firstOf } from "./contradicting-text.ts";

/** The parameters of a call, by what its tool declares, or, where it is not known, all tools. */
export interface ParameterNames {
  isOne(key: string): boolean;
  /** The call may be without it: it was refused, has no arguments, or lacks one that its tool requires. */
  mayLack(key: string): boolean;
}

/**
 * What may be left over after a call of some formats: openers of its parameters, and what closes them by name.
 *
 * @param areValues so are openers of values, whose key may be lost
 */
export function looseAfter(
  formats: readonly FormatData[],
  { isOne, mayLack }: ParameterNames,
  areValues = false,
): readonly Doubt[] {
  const tags = formats.flatMap((one) => (one.rawValues && parameterTagOf(one.template)) || []);
  if (tags.length === 0) return [];
  const openers = new LooseParameter(tags, mayLack, areValues);
  return tags.some(({ isClosedByName }) => isClosedByName) ? [openers, new LooseNamedCloser(isOne)] : [openers];
}

/**
 * What follows a call with raw values that was refused, or lacks an argument: where the opener of one stands there, the call
 * may have ended too early, and what follows may be its value.
 */
class LooseParameter implements Doubt {
  readonly message =
    "the opener of an argument follows the end of the call, so it may have ended too early; ask for the call again";
  readonly #tags: readonly ParameterTag[];
  readonly #mayLack: (key: string) => boolean;
  readonly #areValues: boolean;
  #before = "";

  /**
   * @param mayLack whether the call may be without an argument of that name
   * @param areValues the opener of a value says the same
   */
  constructor(tags: readonly ParameterTag[], mayLack: (key: string) => boolean, areValues: boolean) {
    this.#tags = tags;
    this.#mayLack = mayLack;
    this.#areValues = areValues;
  }

  contradictedAt(piece: string): number {
    const text = this.#before + piece;
    const end = firstOf(this.#tags.map((tag) => this.#endIn(text, tag)));
    if (end >= 0) return end - this.#before.length;
    this.#before = text.slice(-2 * keyCharsMax);
    return -1;
  }

  /** Where the key of the first of such openers has ended, or the opener of a value; -1: there is none. */
  #endIn(text: string, { opener, afterKey, valueOpener }: ParameterTag): number {
    const at = this.#areValues && valueOpener !== "" ? text.indexOf(valueOpener) : -1;
    return firstOf([at < 0 ? -1 : at + valueOpener.length - 1, this.#keyEndIn(text, opener, afterKey)]);
  }

  #keyEndIn(text: string, opener: string, afterKey: string): number {
    for (let at = text.indexOf(opener); at >= 0; at = text.indexOf(opener, at + 1)) {
      const from = at + opener.length;
      const key = text.slice(from, from + keyCharsMax).split(afterKey, 1)[0];
      if (text.startsWith(afterKey, from + key.length) && this.#mayLack(key.trim())) return from + key.length;
    }
    return -1;
  }
}

/** What follows a call whose parameters are closed by name: such a closer that the text has not opened is left over. */
class LooseNamedCloser implements Doubt {
  readonly message = closersLeftOver;
  readonly #isKey: (name: string) => boolean;
  readonly #opened = new Set<string>();
  #before = "";

  constructor(isKey: (name: string) => boolean) {
    this.#isKey = isKey;
  }

  contradictedAt(piece: string): number {
    const text = this.#before + piece;
    let read = 0;
    for (const found of text.matchAll(namedTag)) {
      const [whole, slash, name] = found;
      read = found.index + whole.length;
      if (slash === "") this.#opened.add(name);
      else if (!this.#opened.has(name) && this.#isKey(name)) return Math.max(0, read - 1 - this.#before.length);
    }
    this.#before = text.slice(Math.max(read, text.length - keyCharsMax));
    return -1;
  }
}

/** The name is taken as a whole: what follows may hold the same units, and each way to part them would be tried. */
const namedTag = /<(\/?)([^<>/\s"'=]+)(?![^<>/\s"'=])[^<>]*>/g;

/** Whether the closer of a parameter bears its name. */
export const isClosedByName = ({ template }: FormatData): boolean => parameterTagOf(template)?.isClosedByName === true;

/** An opener and a key are no longer, each. */
const keyCharsMax = 128;
