import { latePattern } from "../machine/late-pattern.ts";
import type { Candidate } from "../values/candidate.ts";

/**
 * What follows a call that has written no arguments, although its tool takes some: they may have been written behind the
 * end of the call. A closer that is left over says so, and so does text that begins as arguments and names one of them.
 */
export class EmptyCall {
  readonly #keys: ReadonlySet<string>;
  #text = "";
  /** Something other than framing follows: then a closer is not that of the call, a little late. */
  hasText = false;

  /** @param keys the parameters that the tool declares */
  constructor(keys: ReadonlySet<string>) {
    this.#keys = keys;
  }

  /** Where the next piece of the text says that the arguments follow; -1: nowhere. */
  contradictedAt(text: string): number {
    for (let at = 0; at < text.length && this.#text.length < textCharsMax; at++) {
      const unit = text[at];
      if (this.#text === "" && unit.trim() === "") continue;
      this.hasText = true;
      this.#text += unit;
      if (follows.test(unit) && this.#namesKey()) return at;
    }
    return -1;
  }

  /** Whether the text so far ends in a key as arguments have it: in quotes, brackets or a tag, or before a sign. */
  #namesKey(): boolean {
    const found = lastWord().exec(this.#text);
    if (found === null || !this.#keys.has(found[2])) return false;
    const [, before, , after] = found;
    if (before === "") return sign.test(after);
    return begins.test(before) && (opensKey.test(before) || (isSet.test(before) && sign.test(after)));
  }
}

/** Whether a call has written no arguments, so that its object is empty. */
export const isEmpty = ({ writer }: Candidate): boolean => writer.length === emptyChars;

const emptyChars = "{}".length;
/** So much of the text is looked at. */
const textCharsMax = 200;
/** What may stand after a key. */
const follows = /["'`:=>\s]/;
const lastWord = latePattern("^([\\s\\S]*?)([\\p{L}\\p{N}_.$-]+)([\"'`]?\\s*[:=>]?|[\"'`\\s])$");
const sign = /[:=>]$/;
/** With what arguments begin. */
const begins = /^[{[(<`]/;
const opensKey = /["'`<{(,=]$/;
/** A key after a blank needs a sign. */
const isSet = /\s$/;
