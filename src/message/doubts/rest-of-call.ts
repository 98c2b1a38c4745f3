import type { RepairKind } from "../../contract/repairs.ts";
import type { Candidate } from "../../values/candidate.ts";
import { ValueScan } from "../text/value-scan.ts";
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
    const isNamed = nextMember.test(this.#begun);
    if (this.#begun.length > restCharsMax || !mayGoOn.test(this.#begun)) this.#begun = unit === '"' ? unit : "";
    return isNamed;
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

  contradictedAt(text: string, what: Following): number {
    for (let at = 0; at < text.length; at++) {
      const unit = text[at];
      if (this.#member.isNamedBy(unit) && this.#depth === 0) return at;
      // A quote within the brackets of another call is its own.
      if (unit === '"' || unit === "'") this.#isAfterQuote = what !== "damage" || this.#depth === 0;
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
  /** A quote begins a string of the text, if another one on its line ends it. */
  readonly #scan = new ValueScan(ofText);
  /** What stands after the last quote that may have ended a string. */
  #last = "";
  /** What stands last on the line is a bracket which the text has opened, closed behind a quote on that line. */
  #hasClosedOwn = false;
  /** What stands after the call, while it may be a key without its first quote. */
  #key = beforeKey;
  /** Another call is looked at: a quote within its brackets is its own. */
  #isInCall = false;

  callFollows(isOpen: boolean): void {
    if (isOpen) this.#key = beforeKey;
  }

  contradictedAt(text: string, what: Following): number {
    this.#isInCall = what === "damage";
    const scan = this.#scan;
    const key = this.#keyEnd(text);
    const end = key < 0 ? text.length : key;
    for (let from = 0; from < end; from = scan.to) {
      const { depth, quote } = scan;
      const at = Math.min(scan.next(text, from), end);
      const said = this.#last === "" ? -1 : this.#saidBy(text.slice(from, at), quote !== "", depth);
      if (said >= 0) return from + said;
      if (at < end && this.#isSaidBy(text[at], depth)) return at;
    }
    return key;
  }

  /** Where words say so; -1: nowhere. In a string they do not: until it ends, it may as well be the end of one of the call. */
  #saidBy(words: string, isInString: boolean, depth: number): number {
    const last = this.#last;
    const rest = last + words;
    const goesOn = (isInString || rest.length <= restCharsMax) && mayGoOn.test(rest);
    // However many brackets or blanks stand in a string, no more of them are kept than say the same.
    this.#last = !goesOn ? "" : !isInString ? rest : closed.test(rest) ? '"]' : rest.replace(manyBlanks, "$1");
    this.#hasClosedOwn &&= words.trim() === "";
    if (isInString) return -1;
    const end = closed.test(last) ? words.search(notSpace) : -1;
    if (end >= 0 && last.length + end <= restCharsMax && !ofWords.test(words[end])) return end;
    const [named] = (depth === 0 && nextMember.exec(rest.slice(0, restCharsMax + 1))) || [""];
    return named === "" ? -1 : named.length - 1 - last.length;
  }

  /** Whether a quote, bracket or line break says so. @param depth how many brackets are open before it */
  #isSaidBy(unit: string, depth: number): boolean {
    const { found } = this.#scan;
    const rest = this.#last + unit;
    const isRest = this.#last !== "" && mayGoOn.test(rest);
    if (found === "begins" && isRest) this.#scan.leaveString();
    // A line that ends in the bracket of a value of the text has not ended a string of the call: brackets below it are not its own.
    const isBehindOwn = found === "break" && this.#hasClosedOwn && depth === 0;
    // What the text has opened and closes after a quote says nothing of the brackets that follow on its line.
    this.#hasClosedOwn = found === "closes" && depth > 0 && this.#last !== "" && !this.#last.includes("\n");
    if (isBehindOwn) this.#last = "";
    // In brackets of the text one bracket too many may be that of the call.
    else if (found === "ends") this.#last = depth > 0 && !this.#isInCall ? unit : "";
    else if (this.contradictedByEnd && !ofWords.test(unit)) return true;
    else if (found !== "closes" || depth === 0) {
      const goesOn = isRest && found !== "opens" && rest.length <= restCharsMax;
      this.#last = goesOn ? rest : unit === '"' ? unit : "";
    }
    return false;
  }

  #keyEnd(text: string): number {
    for (let at = 0; this.#key !== "" && at < text.length; at++) {
      this.#key += text[at];
      if (nextMember.test(this.#key)) return at;
      if (brackets.test(text[at]) || this.#key.length > restCharsMax || !mayGoOn.test(this.#key)) this.#key = "";
    }
    return -1;
  }

  get contradictedByEnd(): boolean {
    return this.#last !== "" && closed.test(this.#last);
  }
}

/** The same of a string in which calls stand, and of which the beginning is lost: it ends with its line. */
export class RestOfString extends RestOfCall {
  #isOver = false;

  override contradictedAt(text: string, what: Following): number {
    if (this.#isOver) return -1;
    const end = text.search(/[\r\n]/);
    const at = super.contradictedAt(end < 0 ? text : text.slice(0, end + 1), what);
    this.#isOver = end >= 0;
    return at;
  }

  override get contradictedByEnd(): boolean {
    return !this.#isOver && super.contradictedByEnd;
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
const closing = "}])";
const brackets = /[{}[\]()]/;
const ofText = {
  outside: /["{}[\]()\\\n]/g,
  inside: /["\\\n]/g,
  before: "{[(,:=",
  isOnLine: true,
  // Blanks may stand behind a backslash.
  escaped: /[\S\n]/g,
};
/** Text without any of these says nothing to {@link RestOfCall}. */
export const mayBeRest = /[{}[\])]|"\s*:/;
/** A key is no longer. */
const restCharsMax = 128;
const closed = /^"\s*[}\])][}\])\s]*$/;
const nextMember = /^"\s*,\s*"[^"]+"\s*:/;
/** With this before it, a key without its first quote is the next member. */
const beforeKey = '","';
/** The end of a string and of the call, or the next member, as far as it is there. */
const mayGoOn = /^"\s*(?:[}\])][}\])\s]*|,\s*(?:"[^"]*"?\s*)?)?$/;
const manyBlanks = /(\s{129})\s+/g;
const notSpace = /[\S\r\n]/;
/** What follows a bracket that is a word of the text. */
const ofWords = /["'`\p{L}\p{N}}\])]|[^\S\r\n]/u;
