import { indentMax } from "../machine/indent.ts";
import { literalSearch } from "../machine/program.ts";
import { unitAt } from "../machine/string-units.ts";
import { beginsLine } from "./line-start.ts";

/** Literals by their units. */
interface Prefixes {
  /** One ends here, or has been distinguished from most text. */
  isEnd: boolean;
  /** Units that go on, and what goes on with each. They are few. */
  readonly units: number[];
  readonly next: Prefixes[];
}

/** What a first unit may begin. */
interface Beginning {
  readonly prefixes: Prefixes;
  /** At the beginning of a line it is enough. */
  isOnLine: boolean;
}

const asciiUnits = 128;
const rowLength = asciiUnits + 1;
/** By so many units a literal is distinguished from most text. */
const toldBy = 6;

/** After so many units without a place the next is searched for: a search is faster, but not to begin. */
const nearUnits = 32;
/** Where one begins a literal, a search for it alone would find little else. */
const isLetter = (literal: string) => /^[a-z]/i.test(literal);

/** No further at once: what is found after the next place has been searched for in vain. */
const windowUnits = 512;

/** Finds where one of some literals may begin, by its first units, and at the end of the text by those that are there. */
export class PlainTextSearch {
  readonly #beginnings = new Map<number, Beginning>();
  /** 1: the unit begins something. By code; those above ASCII share the last place. */
  readonly #firsts = new Uint8Array(rowLength);
  /** 1: the unit and the one after it do. */
  readonly #pairs = new Uint8Array(rowLength * rowLength);
  /** 1: the two units are content wherever they stand within a line. */
  readonly #plainPairs = new Uint8Array(rowLength * rowLength);
  readonly #texts: readonly string[];
  /** Made when a text is long enough to be searched. */
  #searches: Searches | undefined;

  /** @param onLines units that count only as the first of a line */
  constructor(literals: readonly string[], onLines: readonly string[]) {
    // Many literals are distinguished by the same units.
    for (const literal of new Set(literals.map((text) => text.slice(0, toldBy)))) {
      const first = literal.charCodeAt(0);
      const beginning = this.#beginningWith(first);
      if (literal.length === 1) this.#fillRow(first);
      else this.#pairs[pairOf(first, literal.charCodeAt(1))] = 1;
      addPrefix(beginning.prefixes, literal.slice(1));
    }
    for (const unit of onLines) {
      this.#beginningWith(unit.charCodeAt(0)).isOnLine = true;
      this.#fillRow(unit.charCodeAt(0));
    }
    this.#texts = [...literals, ...onLines];
  }

  /** Two characters have turned out to begin nothing, whatever follows, unless they begin a line. */
  addPlain(pair: string): void {
    const [first, second] = [pair.charCodeAt(0), pair.charCodeAt(1)];
    // The others share a place with units that may begin something.
    if (first < asciiUnits && second < asciiUnits) this.#plainPairs[pairOf(first, second)] = 1;
  }

  #isPlain(text: string, at: number): boolean {
    // What stands before the text is not known.
    if (at <= indentMax || at + 1 >= text.length) return false;
    return this.#plainPairs[pairOf(text.charCodeAt(at), text.charCodeAt(at + 1))] === 1 && !beginsLine(text, at);
  }

  #beginningWith(unit: number): Beginning {
    let found = this.#beginnings.get(unit);
    if (found === undefined) {
      found = { prefixes: noPrefixes(), isOnLine: false };
      this.#beginnings.set(unit, found);
      this.#firsts[codeOf(unit)] = 1;
    }
    return found;
  }

  #fillRow(first: number): void {
    const row = codeOf(first) * rowLength;
    this.#pairs.fill(1, row, row + rowLength);
  }

  /** The first place from an offset on; the end of the text, where there is none. */
  from(text: string, start: number): number {
    const end = text.length - toldBy;
    let from = Math.min(text.length, start + nearUnits);
    const near = this.#nearFrom(text, start, from);
    if (near >= 0) return near;
    for (; from < end; from += windowUnits) {
      const found = this.#farFrom(text, from, Math.min(end, from + windowUnits));
      if (found >= 0) return found;
    }
    const last = this.#nearFrom(text, Math.min(from, Math.max(end, start)), text.length);
    return last < 0 ? text.length : last;
  }

  /** The same between two offsets, after which more text stands than distinguishes a literal; -1: there is none. */
  #farFrom(text: string, start: number, end: number): number {
    this.#searches ??= searchesFor(this.#texts);
    const mark = this.#markFrom(this.#searches.marks, text, start, end);
    // No further than that, so nothing is searched for twice.
    const word = start + find(this.#searches.words, text.slice(start, mark + toldBy), 0);
    const found = Math.min(word, mark);
    return found < end ? found : -1;
  }

  /** The first place between two offsets that begins with no letter; the second of them: there is none. */
  #markFrom(marks: RegExp | undefined, text: string, start: number, end: number): number {
    const piece = text.slice(start, end);
    for (let at = start; ; at++) {
      at = start + find(marks, piece, at - start);
      if (at === end || this.#isPlace(text, at)) return at;
    }
  }

  /** The first place between two offsets; -1: there is none. */
  #nearFrom(text: string, start: number, end: number): number {
    const firsts = this.#firsts;
    const pairs = this.#pairs;
    for (let at = start; at < end; at++) {
      const unit = unitAt(text, at);
      if (firsts[unit < asciiUnits ? unit : asciiUnits] === 0) continue;
      if (at + 1 < text.length && pairs[pairOf(unit, unitAt(text, at + 1))] === 0) continue;
      if (this.#isPlace(text, at)) return at;
    }
    return -1;
  }

  #isPlace(text: string, at: number): boolean {
    if (this.#isPlain(text, at)) return false;
    const beginning = this.#beginnings.get(text.charCodeAt(at));
    if (beginning === undefined) return false;
    return leadsOn(beginning, text, at + 1) || (beginning.isOnLine && beginsLine(text, at));
  }
}

/** Literals that begin with letters, and first units of the others. Made of the headers, never of model text. */
interface Searches {
  readonly words: RegExp | undefined;
  readonly marks: RegExp | undefined;
}

function searchesFor(texts: readonly string[]): Searches {
  const [words, marks] = [true, false].map((is) => texts.filter((text) => isLetter(text) === is));
  return { words: anyOf(words.map((text) => text.slice(0, toldBy))), marks: anyOf(marks.map((text) => text[0])) };
}

const anyOf = (texts: readonly string[]): RegExp | undefined =>
  texts.length === 0 ? undefined : literalSearch([...new Set(texts)]);

/** Where a search finds something from an offset on; the end of the text: nowhere. */
function find(search: RegExp | undefined, text: string, from: number): number {
  if (search === undefined) return text.length;
  search.lastIndex = from;
  return search.exec(text)?.index ?? text.length;
}

const codeOf = (unit: number) => (unit < asciiUnits ? unit : asciiUnits);
const pairOf = (first: number, second: number) => codeOf(first) * rowLength + codeOf(second);

const noPrefixes = (): Prefixes => ({ isEnd: false, units: [], next: [] });

function addPrefix(prefixes: Prefixes, units: string): void {
  let last = prefixes;
  for (let at = 0; at < units.length; at++) {
    const unit = units.charCodeAt(at);
    const known = last.units.indexOf(unit);
    if (known < 0) {
      last.units.push(unit);
      last.next.push(noPrefixes());
    }
    last = last.next[known < 0 ? last.next.length - 1 : known];
  }
  last.isEnd = true;
}

function leadsOn({ prefixes }: Beginning, text: string, from: number): boolean {
  let last = prefixes;
  for (let at = from; at < text.length && !last.isEnd; at++) {
    const next: number = last.units.indexOf(text.charCodeAt(at));
    if (next < 0) return false;
    last = last.next[next];
  }
  return true;
}
