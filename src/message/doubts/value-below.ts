import type { FormatData } from "../../formats/format-data.ts";
import { latePattern } from "../../machine/late-pattern.ts";
import type { Candidate } from "../../values/candidate.ts";
import { type EnvelopeSlot, envelopeOf, slotOf, wordOf, wrapperKey } from "../../values/envelope-keys.ts";
import { parseJson } from "../../values/json-text.ts";
import { lineBreak } from "../text/fence-lines.ts";
import { find, ValueScan } from "../text/value-scan.ts";
import type { ParameterNames } from "./declared-parameters.ts";
import type { Doubt, Following } from "./doubt.ts";

/**
 * What follows a call that nothing but brackets ends, its closer missing or not: JSON directly on lines below it, or behind words on its own line, is text, such as
 * a result that the model makes up, unless it may be the arguments that were meant, or another call. So may an object be of which each key
 * is one of the tool, one with a key that holds arguments or names a tool, and of one that is damaged what names any of these.
 */
export class ValueBelow implements Doubt {
  readonly message =
    "JSON stands behind the call that may be the arguments that were meant, or another call; ask for the call again";
  readonly looksAt = all;
  readonly only: Candidate;
  readonly #formats: readonly Pick<FormatData, "keys">[];
  readonly #names: Pick<ParameterNames, "mayTake" | "isTool">;
  /** The value, as far as it is there. */
  #text = "";
  readonly #scan = new ValueScan(json);
  /** Words stand on the line of the call: no line below counts any more. */
  #hasWords = false;
  /** That line has ended; the break may belong to the call. */
  #isBelow: boolean;
  /** Other text follows: what stands behind that is no value of the call. */
  #isOver = false;

  /** @param formats that read it: what their headers call the arguments */
  constructor(
    call: Candidate,
    names: Pick<ParameterNames, "mayTake" | "isTool">,
    formats: readonly Pick<FormatData, "keys">[],
  ) {
    this.only = call;
    this.#formats = formats;
    const { raw } = call.placed;
    this.#isBelow = lineBreak.test(raw.slice(raw.trimEnd().length));
    this.#names = names;
  }

  contradictedAt(text: string, what: Following): number {
    if (what === "closer") {
      const isCut = this.contradictedByEnd;
      this.#isOver = true;
      return isCut ? 0 : -1;
    }
    for (let from = 0; !this.#isOver; ) {
      if (this.#scan.depth === 0) {
        from = this.#opening(text, from);
        if (from === text.length) return -1;
      }
      const end = this.#endIn(text, from);
      this.#text += text.slice(from, end + 1);
      const isEnded = this.#scan.depth === 0;
      // Brackets round words are no JSON: they are other text.
      const isText = isEnded && !holdsQuote.test(this.#text) && !isEmpty.test(this.#text);
      this.#isOver = this.#isLong;
      if ((isEnded || this.#isOver) && this.#isMeant()) return isEnded ? end : text.length - 1;
      if (!isEnded) return -1;
      if (isText) this.#passWords();
      this.#text = "";
      from = end + 1;
    }
    return -1;
  }

  /** An object that was read as a further call, and has no name, says the same; in a list one that may only be a call does not. */
  readNameless(raw: string, isListed: boolean): void {
    const value = raw.replace(notValue, "");
    if (!value.startsWith("{") || (isListed && this.#isOtherCall(value))) return;
    if (this.contradictedAt(value, "text") >= 0 || this.contradictedByEnd) this.only.refuse("ambiguous", this.message);
  }

  /** Whether an element names another tool, has arguments that are none, or is cut before it shows a key of any. */
  #isOtherCall(text: string): boolean {
    const { mayTake, isTool } = this.#names;
    const isCut = !text.trimEnd().endsWith("}");
    let isOther = isCut;
    let valueStart = -1;
    for (const { 0: found, 1: quote, 2: word, 3: sign, index } of text.slice(0, valueCharsMax).matchAll(words())) {
      const end = index + found.length;
      const isValue = text.slice(valueStart, index).trim() === "" && valueStart >= 0;
      if (isValue && quote !== "" && word !== this.only.name && isTool(word)) return true;
      valueStart = sign === "" ? -1 : end;
      // What the cut has left of a key, or the head of the call.
      if (isCut ? sign === "" || this.#isOfHead(word) : sign === "" && quote === "") continue;
      const isNone = this.#holds(word) && none.test(text.slice(end));
      if (mayTake(word) || (this.#holds(word) && !isNone)) return false;
      isOther ||= isNone;
    }
    return isOther;
  }

  /** Whether a key holds the name of a call, or what stands beside that. */
  #isOfHead(key: string): boolean {
    return this.#formats.some(({ keys }) => headSlots.has(slotOf(envelopeOf(keys), key)));
  }

  /** Whether arguments may stand under a key. */
  #holds(key: string): boolean {
    return wordOf(key) === "synonym" || this.#formats.some(({ keys }) => keys.arguments.includes(key));
  }

  /** Where a value begins; the end of the text: nowhere. */
  #opening(text: string, from: number): number {
    for (let at = from - 1; !this.#isOver; ) {
      at = find(this.#hasWords ? opensOrBreaks : notBetween, text, at + 1);
      if (at === text.length || opening.includes(text[at])) return at;
      if (!lineBreaks.includes(text[at])) this.#passWords();
      else {
        this.#isBelow = true;
        this.#isOver = this.#hasWords;
      }
    }
    return text.length;
  }

  #passWords(): void {
    this.#hasWords = true;
    this.#isOver = this.#isBelow;
  }

  get #isLong(): boolean {
    return this.#text.length >= valueCharsMax;
  }

  /** Where the value ends that is open; the end of the text: not in it. */
  #endIn(text: string, from: number): number {
    let at = this.#scan.next(text, from);
    while (at < text.length && this.#scan.depth > 0) at = this.#scan.next(text, at + 1);
    return at;
  }

  get contradictedByEnd(): boolean {
    // A bracket among words need not open a value: what follows on its line says.
    const text = this.#hasWords ? this.#text.split(lineBreak, 1)[0] : this.#text;
    return !this.#isOver && this.#scan.depth > 0 && (mayBeCut.test(this.#text) || this.#isNamed(text));
  }

  #isMeant(): boolean {
    const value = this.#isLong ? undefined : parseJson(this.#text);
    return value === undefined ? this.#isNamed(this.#text) : outerObjects(value).some((object) => this.#mayBe(object));
  }

  #mayBe(object: Readonly<Record<string, unknown>>): boolean {
    const { mayTake, isTool } = this.#names;
    const keys = Object.keys(object);
    // What is left of a key that is damaged: with nothing left of it, it may be any.
    const mayBeKey = (key: string) => mayTake(key) || !hasWord.test(key) || mayTake(key.replace(noWord, ""));
    const isOfCall = (key: string) => {
      const value = object[key];
      if (typeof value === "string" && isTool(value)) return true;
      const holds = key === wrapperKey || this.#holds(key);
      return isTool(key) || (holds && (typeof value === "object" || String(value).startsWith("{")));
    };
    return (keys.length > 0 && keys.every(mayBeKey)) || keys.some(isOfCall);
  }

  /** Whether what is no JSON names a key of the tool, or a tool. */
  #isNamed(text: string): boolean {
    const { mayTake, isTool } = this.#names;
    for (const [, quote, word, sign] of text.slice(0, valueCharsMax).matchAll(words())) {
      if (quote !== "" && isTool(word)) return true;
      if ((quote !== "" || sign !== "") && (mayTake(word) || wordOf(word) === "synonym")) return true;
    }
    return false;
  }
}

/** The objects that a list holds, or that stand alone. */
function outerObjects(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  const found: Record<string, unknown>[] = [];
  for (const left = [value]; left.length > 0; ) {
    const one = left.pop();
    if (Array.isArray(one)) for (const item of one) left.push(item);
    else if (typeof one === "object" && one !== null) found.push(one as Record<string, unknown>);
  }
  return found;
}

const headSlots: ReadonlySet<EnvelopeSlot> = new Set<EnvelopeSlot>([
  "name",
  "second-name",
  "id",
  "harmless",
  "description",
]);
/** Arguments that are none. */
const none = /^\s*(?:\{\s*\}|\[\s*\]|null|"\s*(?:\{\s*\}\s*)?")/;
/** A token of calls is no text, but may open an argument, and ends what is open. */
const all: readonly Following[] = ["text", "thoughts", "closer"];
/** More of a value is not looked at. */
const valueCharsMax = 65_536;
const opening = "{[";
const json = { outside: /["{}[\]]/g, inside: /["\\]/g };
const hasWord = /[\p{L}\p{N}]/u;
const noWord = /[^\p{L}\p{N}_$.-]/gu;
const holdsQuote = /["'“]/;
/** How an object begins, or a list of them: where the end cuts it, what it holds is not known. */
const mayBeCut = /^(?:\[\s*)?(?:\{\s*(?:["'“]|$)|$)/;
/** An object or a list of nothing. */
const isEmpty = /^[[\]{},\s]*$/;
/** Line breaks, and what stands neither between values nor round them, as marks of fences do. */
const notBetween = /(?![\x85\u180e\u200b-\u200f\u2060,;()>`~])[\S\r\n]/g;
const opensOrBreaks = /[{[\r\n]/g;
/** What a list and its call may be closed with. */
const notValue = /^[\s\]};]+/;
const lineBreaks = "\r\n";
const words = latePattern("([\"'“]?)([\\p{L}\\p{N}_$.-]+)[\\s\\\\]*[\"'”]?\\s*([:=]?)", "gu");
