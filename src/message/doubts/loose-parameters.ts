import { type ParameterTag, parameterTagOf } from "../../blocks/parameter-tag.ts";
import type { FormatData } from "../../formats/format-data.ts";
import { besideCharsMax, haveLines, lineAtStart } from "./beside-calls.ts";
import { closersLeftOver } from "./contradicting-text.ts";
import type { ParameterNames } from "./declared-parameters.ts";
import type { Doubt, Following } from "./doubt.ts";

/** A token of calls is no text, but may open an argument. */
const textAndClosers: readonly Following[] = ["text", "closer"];

/**
 * What may be left over after a call of some formats: openers of its parameters, and what closes them by name.
 *
 * @param areValues so are openers of values, whose key may be lost
 */
export function looseAfter(
  formats: readonly FormatData[],
  { isOne, mayLack }: Pick<ParameterNames, "isOne" | "mayLack">,
  areValues = false,
): readonly Doubt[] {
  const tags = formats.flatMap((one) => (one.rawValues && parameterTagOf(one.template)) || []);
  const lines = formats.some(haveLines) ? [new LooseLine(mayLack)] : [];
  if (tags.length === 0) return lines;
  const openers = new LooseParameter(tags, mayLack, areValues);
  return [openers, ...(tags.some((tag) => tag.isClosedByName) ? [new LooseNamedCloser(isOne)] : []), ...lines];
}

/**
 * What follows a call with raw values that was refused, or lacks an argument: where the opener of one stands there, the call
 * may have ended too early, and what follows may be its value.
 */
class LooseParameter implements Doubt {
  readonly message = argumentFollows;
  readonly looksAt = textAndClosers;
  readonly #tags: readonly ParameterTag[];
  readonly #mayLack: ParameterNames["mayLack"];
  readonly #areValues: boolean;
  #before = "";
  /** Nothing but blanks stands before that. */
  #isDirect = true;

  /**
   * @param mayLack whether the call may be without an argument of that name
   * @param areValues the opener of a value says the same
   */
  constructor(tags: readonly ParameterTag[], mayLack: ParameterNames["mayLack"], areValues: boolean) {
    this.#tags = tags;
    this.#mayLack = mayLack;
    this.#areValues = areValues;
  }

  contradictedAt(piece: string): number {
    const text = this.#before + piece;
    const end = firstOf(this.#tags.map((tag) => this.#endIn(text, tag)));
    if (end >= 0) return end - this.#before.length;
    this.#before = text.slice(-2 * keyCharsMax);
    this.#isDirect &&= text.slice(0, text.length - this.#before.length).trim() === "";
    return -1;
  }

  /** Where the key of the first of such openers has ended, or the opener of a value; -1: there is none. */
  #endIn(text: string, { opener, afterKey, valueOpener }: ParameterTag): number {
    const at = this.#areValues && valueOpener !== "" ? text.indexOf(valueOpener) : -1;
    return firstOf([at < 0 ? -1 : at + valueOpener.length - 1, this.#keyEndIn(text, opener, afterKey)]);
  }

  /** Looks from where keys end: an opener is tried once, with the first end behind it, whatever pieces the text comes in. */
  #keyEndIn(text: string, opener: string, afterKey: string): number {
    const firstInk = this.#isDirect ? text.search(/\S/) : -1;
    let opened = text.indexOf(opener);
    for (let end = text.indexOf(afterKey, this.#before.length); end >= 0; end = text.indexOf(afterKey, end + 1)) {
      const begin = Math.max(end > 0 ? text.lastIndexOf(afterKey, end - 1) + 1 : 0, end - keyCharsMax) - opener.length;
      // Found once: looked for from each end, one that stands far behind costs the text between.
      if (opened < begin) opened = text.indexOf(opener, begin);
      if (opened < 0) return -1;
      for (let at = opened; at >= 0 && at + opener.length <= end; at = text.indexOf(opener, at + 1))
        if (this.#mayLack(text.slice(at + opener.length, end).trim(), this.#isDirect && firstInk >= at)) return end;
    }
    return -1;
  }
}

/** What follows a call whose arguments stand on lines: one that it lacks, directly behind it. */
class LooseLine implements Doubt {
  readonly message = argumentFollows;
  readonly looksAt = textAndClosers;
  readonly #mayLack: ParameterNames["mayLack"];
  /** What follows the call, as far as it is looked at. */
  #text = "";

  constructor(mayLack: ParameterNames["mayLack"]) {
    this.#mayLack = mayLack;
  }

  contradictedAt(piece: string): number {
    if (this.#text.length >= besideCharsMax) return -1;
    const before = this.#text.length;
    this.#text += piece.slice(0, besideCharsMax - before);
    const [whole, key] = lineAtStart.exec(this.#text) ?? [];
    if (whole === undefined || whole.length <= before) return -1;
    return this.#mayLack(key, true) ? whole.length - 1 - before : -1;
  }
}

/** What follows a call whose parameters are closed by name: such a closer that the text has not opened is left over. */
class LooseNamedCloser implements Doubt {
  readonly message = closersLeftOver;
  readonly looksAt = textAndClosers;
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

const argumentFollows =
  "the opener of an argument follows the end of the call, so it may have ended too early; ask for the call again";

/** An opener and a key are no longer, each. */
const keyCharsMax = 128;

/** The first of some places that have been looked for; -1: none has been found. */
function firstOf(places: readonly number[]): number {
  const found = places.filter((place) => place >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}
