import { plainSigns } from "../../contract/plain-signs.ts";
import { latePattern } from "../../machine/late-pattern.ts";
import type { Doubt } from "./doubt.ts";

/**
 * What follows a call that has written no arguments, although its tool takes some: they may have been written after the
 * end of the call. A closer that is left over says so, and so does text that begins as arguments and names one of them.
 */
export class EmptyCall implements Doubt {
  readonly message = "the call has no arguments, and what may be its arguments follows its end; ask for the call again";
  readonly #keys: ReadonlySet<string>;
  #text = "";

  /** @param keys the parameters that the tool declares */
  constructor(keys: ReadonlySet<string>) {
    this.#keys = keys;
  }

  contradictedAt(piece: string): number {
    const text = plainSigns(piece);
    for (let at = 0; at < text.length && this.#text.length < textCharsMax; at++) {
      const unit = text[at];
      // In a string its quotes are escaped.
      if (unit === "\\" || (this.#text === "" && unit.trim() === "")) continue;
      this.#text += unit;
      if (follows.test(unit) && this.#namesKey()) return at;
    }
    return -1;
  }

  /** Whether the text so far ends in a key as arguments have it: in quotes, brackets or a tag, or before a sign. */
  #namesKey(): boolean {
    const found = lastWord().exec(this.#text);
    if (found === null) return false;
    const [, before, word, after] = found;
    const bare = word.replace(marks, "");
    if (![word, word.toLowerCase(), bare, bare.toLowerCase()].some((one) => this.#keys.has(one))) return false;
    if (sign.test(after) && (beginsLine().test(before) || inBraces.test(before))) return true;
    if (inCell.test(this.#text)) return true;
    return begins.test(before) && (opensKey.test(before) || (isSet.test(before) && sign.test(after)));
  }
}

/** So much of the text is looked at. */
const textCharsMax = 200;
/** What may stand after a key. */
const follows = /["'`:=><|\s]/;
const lastWord = latePattern(
  "^([\\s\\S]*?)([\\p{L}\\p{N}_.$]+(?:-[\\p{L}\\p{N}_.$]+)*)((?::?\\*\\*|[\"'`])?\\s*(?:[:=|<]|-*>)?|:\\*\\*\\s?|[\"'`\\s])$",
);
const sign = /[:=>]$|:\*\*\s?$/;
/** No word stands before it on its line, whatever mark does; the number or letter of a list item may. */
const beginsLine = latePattern("(?:^|[\\r\\n])[^\\p{L}\\p{N}\\r\\n]*(?:(?:\\d+|[a-z])[.)][^\\p{L}\\p{N}\\r\\n]*)?$");
/** What belongs to no key: emphasis, what marks a variable. */
const marks = /^[_.$]+|[_.]+$/g;
const inBraces = /[{,]\s*["'`]$/;
/** A cell of a table, an option of a command line, the text of a tag. */
const inCell = /(?:^|[\r\n])\s*(?:\|\s*[^|\s]+\s*\||--[^|\s]+\s|<[\w:.-]+>[^<>\s]+<)$/;
/** With what arguments begin, as an object, in a string or behind the name of the tool as well. */
const begins =
  /^[,;]?\s*(?:[-*+]\s|\*\*|(?:["'`]?(?:arguments|args|parameters|params|input|kwargs)["'`]?\s*[:=]\s*)?["']?(?:[{[(<`]|&lt;)|[\w.]+\()/i;
const opensKey = /["'`<{(,=]$/;
/** A key after a blank, a tag or marks of emphasis needs a sign. */
const isSet = /[\s>*]$/;
