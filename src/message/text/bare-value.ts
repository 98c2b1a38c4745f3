import type { TextSource } from "../../machine/text-store.ts";
import { bracketUnits, leads, looksLikeCall } from "./value-beginning.ts";
import { ofValues, ValueScan } from "./value-scan.ts";

/**
 * Visible text that begins as JSON does, or as calls in brackets do, and that no marker opens. Damaged or not, what stands
 * in its strings is text. Where one does not end as strings do, nothing that follows is certain to stand outside of them.
 * Others may follow it, as in JSON Lines, and so may what is left of a longer one: brackets, marks between members, strings. Scalars,
 * comments and tokens that begin a text may stand before it. Read piece by piece, each once.
 */
export class BareValue {
  readonly #store: TextSource;
  #start = 0;
  /** Up to where it has been read. */
  #to = 0;
  #isKnown = false;
  /** A word before it may be the name of a tool. */
  #isAfterToken = false;
  /** Another value stands before it. */
  #isFurther = false;
  /** It counts if it looks like a call: text stands before it. */
  #isCall = false;
  /** It is none: what follows is other text. */
  #isOver = false;
  /** A bracket begins it, whatever it is. */
  #hasBracket = false;
  #scan = new ValueScan(json);
  #isSpoilt = false;

  constructor(store: TextSource) {
    this.#store = store;
  }

  /** Visible text begins here, right after a token that stands in calls or not. */
  begin(start: number, isAfterToken = false): void {
    this.#hasBracket = false;
    this.#goOn(start, isAfterToken);
  }

  /** What follows belongs to the same text. */
  #goOn(start: number, isAfterToken = false): void {
    this.#isAfterToken = isAfterToken || (this.#isAfterToken && start === this.#start);
    this.#start = this.#to = start;
    this.#isKnown = this.#isOver = this.#isSpoilt = this.#isFurther = this.#isCall = false;
    this.#scan = new ValueScan(json);
  }

  /** Something begins here as a call does, up to an offset: its value is what it leaves open, or what follows. */
  beginCall(start: number, end: number): void {
    const open: number[] = [];
    for (const { 0: unit, index } of this.#store.slice(start, end).matchAll(brackets)) {
      if (openers.includes(unit)) open.push(index);
      else open.pop();
    }
    this.begin(open.length > 0 ? start + open[0] : end);
    this.#isKnown = open.length > 0;
  }

  /** Something else begins at a place, whatever bracket it begins with. */
  endAt(at: number): void {
    if (!this.holds(at)) this.#isKnown = this.#isOver = true;
  }

  /** A line of other text begins here: with a call, or with none. */
  beginLine(start: number): void {
    this.#isIn(start);
    if (!this.#isOver) return;
    this.#goOn(start);
    this.#isCall = true;
  }

  /** Text before this offset is no longer asked for, once {@link readTo} has seen it. */
  get neededFrom(): number {
    return this.#isKnown ? Number.POSITIVE_INFINITY : this.#start;
  }

  /** Text up to here is about to be let go. */
  readTo(end: number): void {
    if (this.#isKnown || end >= this.#start + beginningCharsMax) this.#isIn(end, false);
  }

  /** Does this place stand in it, in a string or not? */
  holds(at: number): boolean {
    return this.#isIn(at) && (this.#isSpoilt || this.#scan.depth > 0 || this.#scan.quote !== "");
  }

  /** Does this place stand behind what may open a string, in text that a bracket begins? Damaged beyond that, it may be JSON. */
  followsQuote(at: number): boolean {
    this.#isIn(at);
    return this.#hasBracket && opensString.test(this.#store.slice(Math.max(0, at - blanksMax), at));
  }

  /** @param isSettled more text will not be asked for before this place */
  #isIn(at: number, isSettled = true): boolean {
    while (this.#isKnown || this.#isBegun(at, isSettled)) {
      if (this.#isOver) return false;
      if (at <= this.#to || !this.#endsIn(this.#store.slice(this.#to, at))) {
        this.#to = Math.max(this.#to, at);
        return true;
      }
    }
    return false;
  }

  /** What begins here is there, so it is known what it is. */
  #isBegun(at: number, isSettled: boolean): boolean {
    // Between most calls stand blanks.
    if (at - this.#start < beginningCharsMax && this.#store.slice(this.#start, at).trim() === "") return false;
    // What stands at the place closes no value: it belongs to what begins there.
    const to = closers.includes(this.#store.slice(at, at + 1)) ? at : at + 1;
    for (;;) {
      const text = this.#store.slice(this.#start, Math.min(to, this.#start + beginningCharsMax));
      const isLong = text.length >= beginningCharsMax;
      if (!isLong && !isSettled) return false;
      const word = this.#leadingWord(text);
      const [{ length }, parts] = (this.#isFurther ? leadsFurther : leads).exec(text.slice(word)) as RegExpExecArray;
      const value = text.slice(word + length);
      // Strings alone are no value.
      const isFurther = this.#isFurther || betweenParts.test(parts ?? "");
      const goesOn = isLong && word + length > beginningCharsMax / 2;
      // A comment or a string that has begun may stand before a value, too, and what stands here may still become one.
      const mayGrow = this.#isCall ? maybeCall.test(value) : maybeValue.test(value);
      const isOpen = mayGrow || openComment.test(value) || (!isFurther && openString.test(value));
      if (!isLong && (this.#start + word + length >= at || isOpen)) return false;
      this.#start = this.#to = this.#start + word + length;
      this.#isFurther = isFurther;
      this.#isAfterToken = false;
      // Nothing stands before a string as a bracket does.
      const lead = text.slice(0, word + length).trimEnd();
      this.#scan.before = lead.at(-1) ?? "[";
      this.#hasBracket ||= !this.#isCall && (isFurther || bracketUnits.includes(value[0] ?? " "));
      if (goesOn) continue;
      this.#isKnown = true;
      const begins = this.#isCall ? looksLikeCall(value) : beginsValue.test(value);
      this.#isOver = !(begins || (isFurther && this.#beginsFurther(value)));
      return true;
    }
  }

  #beginsFurther(value: string): boolean {
    const isSingle = value[0] === "'" && json.before.includes(this.#scan.before);
    return isSingle || beginsString.test(value) || beginsArguments.test(value);
  }

  #leadingWord(text: string): number {
    return this.#isAfterToken ? leadingWord.exec(text)![0].length : 0;
  }

  /** Whether the value ends in a text that it goes on with: another may begin there. */
  #endsIn(text: string): boolean {
    const scan = this.#scan;
    for (let at = scan.next(text, 0); at < text.length && !this.#isSpoilt; at = scan.next(text, scan.to)) {
      const { depth, found } = scan;
      const isQuote = found === "quote" && text[at] === '"';
      if (isQuote && depth === 0 && this.#isFurther) scan.quote = '"';
      else if (isQuote || found === "misplaced") this.#isSpoilt = true;
      else if (depth > 0) continue;
      else if (found === "break") {
        scan.leaveString();
        this.#isOver = true;
        return false;
      } else if (found === "closes" || found === "ends") {
        this.#goOn(this.#to + at + 1);
        this.#isFurther = true;
        return true;
      }
    }
    return false;
  }
}

/** What JSON begins with, and calls in brackets, also where a bracket is doubled or moved. */
const beginsValue =
  /^\s*(?:\{(?:\s|\/\/[^\n]*\n|#[^\n]*\n|\/\*[^*]*\*\/)*(?:["'“}[{]|[^\s"'{}[\]:,]{1,64}(?:"(?:[\w-]*")?\s*[:,}\]]|\s*:\s*(?:["'“[{\d]|true|false|null)))|\[\s*(?:[{["'\]]|\(?[\w.-]+(?:"(?:[\w-]*")?\s*[:,}\]]|[()]|=\s*["'])|\([\w.-]+\s*=|(?:-?\d[\d.eE+-]*|true|false|null)\s*[,\]]))/;
/** Their beginnings. */
const maybeValue =
  /^(?:\{(?:\s|\/\/[^\n]*\n|#[^\n]*\n|\/\*[^*]*\*\/)*(?:[^\s"'{}[\]:,]{1,64}(?:"[\w-]*"?)?\s*(?::\s*[a-z]{0,4})?)?|\[\s*(?:\(?[\w.-]*(?:"[\w-]*"?)?\s*=?\s*|-?\d[\d.eE+-]*\s*))$/;
const maybeCall = /^\s*(?:\[\s*)?(?:\{\s*(?:["'“]\w*(?:["'”]\s*)?)?|\[\s*[\w.-]*(?:\(\s*[\w.-]*\s*)?)?$/;
/** A string that is all of a value holds no line break; on a line without its end it is none. */
const beginsString = /^"(?:[^"\\\r\n]|\\.)*(?:"|$)/;
const beginsArguments = /^\(\s*[\w.-]+\s*=\s*["']/;
/** The same before another. What is left of a longer one may be brackets and names. */
const leadsFurther =
  /^(?:[\s\p{Cc}\p{Cf},;:)}\]]|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/|"(?:[^"\\\r\n]|\\.)*"|(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?=[\s,;:)}\]])|[\w.-]{1,64}\s*=(?=\s*["']))*/u;
const betweenParts = /[,;:}\]]\s*$/;
const openComment = /^\/(?:\/[^\n]*|\*(?:[^*]|\*(?!\/))*)$/;
const openString = /^"(?:[^"\\\r\n]|\\.)*$/;
const leadingWord = /^\s*[\w.:/-]{0,128}/;
/** So much says which it is. */
const beginningCharsMax = 1280;

/** A mark of quotation at the beginning of a line, or behind what values stand behind in JSON and its like. */
const opensString = /[\r\n([{,:=>][ \t]*["'“]$/;
const blanksMax = 64;
const brackets = /[([{)\]}]/g;
const openers = "([{";
const closers = ")]}";
const json = { ...ofValues, outside: /["'([{)\]}]/g, inside: /["'\\\r\n]/g };
