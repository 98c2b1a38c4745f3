import type { RepairKind } from "../contract/repairs.ts";
import type { Candidate } from "../values/candidate.ts";
import { type Doubt, type Following, textAndThoughts } from "./doubt.ts";

/** Those that put in braces which may stand further on. */
const closes: ReadonlySet<RepairKind> = new Set<RepairKind>(["missing-closer", "missing-envelope-closer"]);

/** Whether closers of a call are put in, so that a brace alone may be one of them. */
export const bracesArePutIn = (repairs: Candidate["repairs"]): boolean => repairs.some(({ kind }) => closes.has(kind));

/** What may be the rest of a call may stand in a damaged one, too. */
const textAndDamage: readonly Following[] = ["text", "damage"];

/** What stands after the last quote, while it may be the next member. */
class NextMember {
  #begun = "";

  /** @returns whether a member is named that ends here */
  isNamedBy(unit: string): boolean {
    if (this.#begun === "" && unit !== '"') return false;
    this.#begun += unit;
    if (nextMember.test(this.#begun)) return true;
    if (this.#begun.length > restCharsMax || !mayGoOn.test(this.#begun)) this.#begun = unit === '"' ? unit : "";
    return false;
  }
}

/**
 * What follows a call whose end is a repair: it may be the rest of one of its strings, if it ends a string and a container
 * that it has not begun, or ends a string and names another member. Where braces were put in, a brace alone is what may have been missing.
 */
export class DoubtfulEnd implements Doubt {
  readonly message = restLeftOver;
  readonly looksAt = textAndDamage;
  readonly #needsQuote: boolean;
  /** Brackets that the text has opened, and whether the last thing in it was a quote. */
  #depth = 0;
  #isAfterQuote = false;
  readonly #member = new NextMember();

  constructor({ repairs }: Pick<Candidate, "repairs">) {
    this.#needsQuote = !bracesArePutIn(repairs);
  }

  contradictedAt(text: string): number {
    for (let at = 0; at < text.length; at++) {
      const unit = text[at];
      if (this.#member.isNamedBy(unit) && this.#depth === 0) return at;
      if (unit === '"' || unit === "'") this.#isAfterQuote = true;
      else if (closing.includes(unit)) {
        if (this.#depth === 0 && (this.#isAfterQuote || !this.#needsQuote)) return at;
        this.#depth = Math.max(0, this.#depth - 1);
      } else if (unit.trim() !== "") {
        if (opening.includes(unit)) this.#depth++;
        this.#isAfterQuote = false;
      }
    }
    return -1;
  }
}

/**
 * What follows a call that nothing but brackets ends: it may be the rest of one of its strings, if it ends a string and the
 * call, or ends a string and names another member. A bracket in quotes is a word of the text. Directly after the call the
 * quote that a key begins with may be missing: a bracket may stand in its place.
 */
export class RestOfCall implements Doubt {
  readonly message = restLeftOver;
  readonly looksAt = textAndDamage;
  /** Brackets that the text has opened. */
  #depth = 0;
  /** What stands after the last quote that may have ended a string. */
  #last = "";
  /** The last quote begins a string of the text, if another one on its line ends it. */
  #isString = false;
  /** What stands last on the line, blanks aside. */
  #before = "";
  /** That is a bracket which the text has opened, closed behind a quote on the line. */
  #hasClosedOwn = false;
  /** What stands after the call, while it may be a key without its first quote. */
  #key: string | undefined = beforeKey;

  callFollows(isOpen: boolean): void {
    if (isOpen) this.#key = beforeKey;
  }

  contradictedAt(text: string): number {
    for (let at = 0; at < text.length; at++) {
      const unit = text[at];
      const before = this.#before;
      if (unit === "\n") this.#endLine();
      else if (unit.trim() !== "") {
        this.#before = before === "\\" ? "" : unit;
        this.#hasClosedOwn = false;
      }
      if (this.#endsKey(unit)) return at;
      if (this.#isString && unit !== "\n") {
        this.#readString(unit, before);
        continue;
      }
      this.#isString = false;
      if (this.contradictedByEnd && !ofWords.test(unit)) return at;
      const isRest = this.#last !== "" && mayGoOn.test(this.#last + unit);
      if (unit === '"' && before !== "" && beforeString.includes(before) && !isRest) {
        this.#isString = true;
        this.#last = unit;
        continue;
      }
      const isOpened = this.#count(unit);
      if (this.#last === "" && unit !== '"') continue;
      // What the text has opened and closes after a quote says nothing of the brackets that follow on its line.
      if (isOpened && closing.includes(unit) && mayGoOn.test(this.#last)) {
        this.#hasClosedOwn = !this.#last.includes("\n");
        continue;
      }
      this.#last += unit;
      if (unit === ":" && this.#depth === 0 && nextMember.test(this.#last)) return at;
      if (isOpened || this.#last.length > restCharsMax || !mayGoOn.test(this.#last))
        this.#last = unit === '"' ? unit : "";
    }
    return -1;
  }

  /** A line that ends in the bracket of a value of the text has not ended a string of the call: brackets below it are not its own. */
  #endLine(): void {
    this.#before = "";
    if (this.#hasClosedOwn && this.#depth === 0) this.#last = "";
    this.#hasClosedOwn = false;
  }

  /** Goes on in a string of the text; until it ends, it may as well be the end of one of the call. */
  #readString(unit: string, before: string): void {
    if (unit === '"' && before !== "\\") {
      this.#isString = false;
      // In brackets of the text one bracket too many may be that of the call.
      this.#last = this.#depth > 0 ? unit : "";
    } else if (this.#last !== "") this.#last = mayGoOn.test(this.#last + unit) ? this.#last + unit : "";
  }

  #endsKey(unit: string): boolean {
    if (this.#key === undefined) return false;
    this.#key += unit;
    if (nextMember.test(this.#key)) return true;
    const isBracket = opening.includes(unit) || closing.includes(unit);
    if (isBracket || this.#key.length > restCharsMax || !mayGoOn.test(this.#key)) this.#key = undefined;
    return false;
  }

  get contradictedByEnd(): boolean {
    return this.#last !== "" && closed.test(this.#last);
  }

  /** Whether it is a bracket of the text itself. */
  #count(unit: string): boolean {
    if (opening.includes(unit)) this.#depth++;
    else if (this.#depth === 0 || !closing.includes(unit)) return false;
    else this.#depth--;
    return true;
  }
}

/**
 * What follows a call that can only be read by a guess: a quote may be lost in it, and what stands up to the next one is its string. That ends
 * where another member is named; brackets before it are words of the string.
 */
export class LostQuote implements Doubt {
  readonly message = restLeftOver;
  readonly #member = new NextMember();

  contradictedAt(text: string): number {
    for (let at = 0; at < text.length; at++) if (this.#member.isNamedBy(text[at])) return at;
    return -1;
  }
}

/** The same of thoughts: only where nothing closes them may they be the rest of a call. */
export class RestInThoughts implements Doubt {
  readonly message = restLeftOver;
  readonly looksAt = textAndThoughts;
  readonly #begin: () => Doubt;
  #rest: Doubt | undefined;
  #isFound = false;

  /** @param begin makes what looks at the text of thoughts */
  constructor(begin: () => Doubt) {
    this.#begin = begin;
  }

  contradictedAt(text: string, what: Following): number {
    if (what === "text") {
      this.#rest = undefined;
      this.#isFound = false;
      return -1;
    }
    this.#rest ??= this.#begin();
    this.#isFound ||= this.#rest.contradictedAt(text, what) >= 0;
    return -1;
  }

  get contradictedByEnd(): boolean {
    return this.#isFound || this.#rest?.contradictedByEnd === true;
  }
}

const restLeftOver =
  "quotes and brackets are left over after the call, so its text may have ended too early; ask for the call again";

const opening = "{[(";
/** A quote after one of these begins a string. */
const beforeString = "{[(,:=";
const closing = "}])";
/** Text without any of these says nothing to {@link RestOfCall}. */
export const mayBeRest = /[{}[\])]|"\s*:/;
/** A key is no longer. */
const restCharsMax = 128;
const closed = /^"\s*[}\])][}\])\s]*$/;
const nextMember = /^"\s*,\s*"[^"]+"\s*:$/;
/** With this before it, a key without its first quote is the next member. */
const beforeKey = '","';
/** The end of a string and of the call, or the next member, as far as it is there. */
const mayGoOn = /^"\s*(?:[}\])][}\])\s]*|,\s*(?:"[^"]*"?\s*)?)?$/;
/** What follows a bracket that is a word of the text. */
const ofWords = /["'`\p{L}\p{N}}\])]|[^\S\r\n]/u;
