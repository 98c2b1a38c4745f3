import { charCodeAt } from "../../machine/string-units.ts";
import { beginsLine } from "./line-start.ts";

/** Literals by their units. */
interface Prefixes {
  /** One ends here, or has been distinguished from most text. */
  isEnd: boolean;
  /** Units that go on, and what goes on with each. They are few. */
  readonly units: number[];
  readonly next: Prefixes[];
  /** Those that have not been looked at by what goes on in them. A text comes by few of all. */
  readonly rest: string[];
}

/** What is searched for to find literals that have it in common. */
interface Anchor {
  readonly text: string;
  /** By the unit that follows it: after how many units of a literal it stands, the most first. */
  readonly leadsBefore: readonly (readonly number[])[];
  /** It stands after letters in some literal. */
  readonly isInWords: boolean;
}

const asciiUnits = 128;
const rowLength = asciiUnits + 1;
/** By so many units a literal is distinguished from most text. */
export const toldBy = 6;

/** So little text is looked at unit by unit: a search is faster, but not to begin. */
const nearUnits = 32;
/** No further at once at first: whoever asks may do so for another text next time. */
const reachMin = 1024;

/**
 * Words stand in every text, and what follows the first letters of a literal seldom: how many there are. A literal of
 * letters alone has none.
 */
function leadOf(literal: string): number {
  const first = literal.charCodeAt(0);
  // Most begin with no letter, and there are hundreds of them.
  return first === 0x20 || (first >= 0x61 && first <= 0x7a) ? Math.max(0, literal.search(/[^a-z ]/)) : 0;
}

/** Beginnings of two units or more that say of a place what it is, whatever follows. */
export class KnownPrefixes {
  #prefixes = noPrefixes();
  /** 1: two units are one of them; 2: some go on after two that share the place with these. */
  readonly #pairs = new Uint8Array(rowLength * rowLength);

  add(prefix: string): void {
    this.#prefixes.rest.push(prefix);
    const [first, second] = [prefix.charCodeAt(0), prefix.charCodeAt(1)];
    const pair = pairOf(first, second);
    this.#pairs[pair] = prefix.length === 2 && areAscii(first, second) ? 1 : this.#pairs[pair] || 2;
  }

  clear(): void {
    this.#prefixes = noPrefixes();
    this.#pairs.fill(0);
  }

  isAt(text: string, at: number): boolean {
    const known = this.#pairs[pairOf(charCodeAt.call(text, at), charCodeAt.call(text, at + 1))];
    return known === 1 || (known === 2 && leadsOn(this.#prefixes, text, at, false));
  }
}

/** Where one of some literals may begin, by its first units, and at the end of the text by those that are there. */
export class PlainTextPlaces {
  readonly #prefixes = noPrefixes();
  readonly #onLines: readonly string[];
  /** 1: the unit begins something. By code; those above ASCII share the last place. */
  readonly firsts = new Uint8Array(rowLength);
  /** 1: the unit and the one after it do; 2: some of those after them do as well; 3: the unit does, at the beginning of a line. */
  readonly #pairs = new Uint8Array(rowLength * rowLength);
  /** 1: three units that share the place with these do; 2: so does the sixth, see {@link #sixes}. */
  readonly triples = new Uint8Array(sumMask + 1);
  /** 1: three units and the sixth that share the place with these do. */
  readonly #sixes = new Uint8Array(sumMask + 1);
  /** All that is looked for, by as many units as tell of it. */
  readonly #texts: readonly string[];
  #anchors: readonly Anchor[] | undefined;
  /** Before so many units at the end of a text an anchor may be missing. */
  readonly tail: number;

  /**
   * @param onLines units that count only as the first of a line
   * @param tags how tags begin, in lower case; they stand in any
   */
  constructor(literals: readonly string[], onLines: readonly string[], tags: readonly string[] = []) {
    const told = new Set(literals.map((literal) => (leadOf(literal) > 0 ? literal : literal.slice(0, toldBy))));
    // Many literals are distinguished by the same units.
    const { rest } = this.#prefixes;
    rest.push(...told);
    for (const tag of tags) {
      const begin = tag.slice(0, tag[1] === "/" ? 3 : 2);
      // Another letter is a "k" in lower case as well.
      const [more] = tag.slice(begin.length, toldBy).split("k", 1);
      for (const text of [begin, begin.toUpperCase()]) {
        rest.push(text);
        told.add(text + more);
      }
    }
    const texts = [...told];
    let tail = 1;
    for (let at = 0; at < texts.length; at++) {
      this.#add(texts[at]);
      tail = Math.max(tail, texts[at].length);
    }
    this.tail = tail;
    this.#onLines = onLines;
    for (const unit of onLines) this.#add(unit, 3);
    this.#texts = [...texts, ...onLines];
  }

  /** Made when a text is long enough to be searched. */
  get anchors(): readonly Anchor[] {
    return (this.#anchors ??= anchorsOf(this.#texts));
  }

  /** Its first units may begin a literal. @param alone what one unit says by itself */
  #add(text: string, alone = 1): void {
    const first = codeOf(text.charCodeAt(0));
    this.firsts[first] = 1;
    const row = first * rowLength;
    if (text.length === 1) {
      for (let pair = row; pair < row + rowLength; pair++) if (this.#pairs[pair] !== 1) this.#pairs[pair] = alone;
      return;
    }
    const pair = row + codeOf(text.charCodeAt(1));
    this.#pairs[pair] = text.length === 2 ? 1 : this.#pairs[pair] || 2;
    if (text.length === 2) return;
    const sum = sumOf(text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2));
    this.triples[sum] = text.length < toldBy ? 1 : this.triples[sum] || 2;
    if (text.length >= toldBy) this.#sixes[sumWith(sum, text.charCodeAt(toldBy - 1))] = 1;
  }

  /**
   * A search in the texts of one reader.
   *
   * @param units that begin what is looked for, which is neither a letter nor a blank; undefined: all
   * @param isWithout they begin what is not looked for
   * @param plain what is none of it within a line
   */
  search(units?: string, isWithout = false, plain = nothingKnown): PlainTextSearch {
    return new PlainTextSearch(this, units, isWithout, plain);
  }

  /** Whether a literal may begin at an offset. */
  isAt(text: string, at: number): boolean {
    if (at + toldBy <= text.length) {
      const first = charCodeAt.call(text, at);
      const second = charCodeAt.call(text, at + 1);
      const pair = this.#pairs[pairOf(first, second)];
      if (pair === 0) return false;
      if (pair === 1 && areAscii(first, second)) return true;
      if (pair === 2) {
        const sum = sumOf(first, second, charCodeAt.call(text, at + 2));
        const known = this.triples[sum];
        if (known === 0 || (known === 2 && this.#sixes[sumWith(sum, charCodeAt.call(text, at + toldBy - 1))] === 0))
          return false;
      }
    }
    return leadsOn(this.#prefixes, text, at, true) || (this.#onLines.includes(text[at]) && beginsLine(text, at));
  }
}

/** Finds places in a text, from its beginning on: what has been searched for is remembered. */
export class PlainTextSearch {
  readonly #places: PlainTextPlaces;
  readonly #plain: KnownPrefixes;
  /** As those of the places: what a unit begins is looked for; 2: it begins something else. */
  readonly #firsts: Uint8Array;
  /** Of those of the places; undefined: nothing has been searched. */
  #anchors: readonly Anchor[] | undefined;
  readonly #suits: (anchor: Anchor) => boolean = () => true;
  readonly #findsWords: boolean = true;
  #text = "";
  /** The stretch that is searched, and where it begins and ends; after it stands more, in which its last literals end. */
  #piece = "";
  #start = 0;
  #end = 0;
  /** From where it was asked last, and the place that was found. */
  #asked = 0;
  #found = 0;
  /** Between where it was asked last and what it has found something else may begin that is not looked for. */
  mayPassOthers = false;
  /** Where what each anchor finds stands next; at the end of the stretch: not in it. */
  readonly #nexts: number[] = [];

  constructor(places: PlainTextPlaces, units: string | undefined, isWithout: boolean, plain: KnownPrefixes) {
    this.#places = places;
    this.#plain = plain;
    this.#firsts = places.firsts;
    if (units === undefined) return;
    const suits = (unit: number) => units.includes(String.fromCharCode(unit)) !== isWithout;
    this.#firsts = places.firsts.map((isFirst, unit) => (suits(unit) ? isFirst : 2 * isFirst));
    // Words are found by what stands within them.
    this.#findsWords = isWithout;
    this.#suits = ({ text, isInWords }) => suits(text.charCodeAt(0)) || (isWithout && isInWords);
  }

  /** The text that was searched last is not kept. */
  forget(): void {
    this.#text = this.#piece = "";
    this.#end = 0;
  }

  /**
   * The first place from an offset on; the end of the text, where there is none.
   *
   * @param until no place after this is asked for: any may be given then
   */
  from(text: string, start: number, until = text.length): number {
    this.mayPassOthers = false;
    if (start + nearUnits >= Math.min(until, text.length - this.#places.tail)) return this.#near(text, start, until);
    let from = start;
    if (text !== this.#text || start < this.#asked) {
      from += nearUnits;
      const near = this.#near(text, start, from);
      if (near < from) return near;
      this.#begin(text, from, reachMin);
    } else if (start <= this.#found) {
      this.mayPassOthers = true;
      return this.#found;
    }
    this.#asked = start;
    this.mayPassOthers = true;
    this.#found = this.#far(text, from);
    return this.#found;
  }

  /** The same after the place that was found last. */
  #far(text: string, start: number): number {
    let from = start;
    while (from < text.length - this.#places.tail) {
      if (from >= this.#end) this.#begin(text, from, 4 * (this.#end - this.#start));
      const found = this.#next(from);
      if (found < this.#end) return found;
      from = this.#end;
    }
    return this.#near(text, from, text.length);
  }

  /** The first place between two offsets, unit by unit; the second of them: there is none. */
  #near(text: string, start: number, end: number): number {
    const firsts = this.#firsts;
    for (let at = start; at < end; at++) {
      const first = firsts[codeOf(charCodeAt.call(text, at))];
      if (first === 1 && this.#isAt(text, at)) return at;
      if (first === 2) this.mayPassOthers = true;
    }
    return end;
  }

  #isAt(text: string, at: number): boolean {
    // What stands before the text is not known.
    return this.#places.isAt(text, at) && !(this.#plain.isAt(text, at) && !beginsLine(text, at));
  }

  #begin(text: string, start: number, reach: number): void {
    const { tail } = this.#places;
    this.#text = text;
    this.#start = start;
    this.#end = Math.min(start + reach, text.length - tail);
    this.#piece = text.slice(start, this.#end + tail);
    this.#anchors ??= this.#places.anchors.filter(this.#suits);
    for (let at = 0; at < this.#anchors.length; at++) this.#nexts[at] = -1;
  }

  /** The first place of the stretch from an offset on; its end, or after it: there is none. */
  #next(from: number): number {
    const nexts = this.#nexts;
    const anchors = this.#anchors as readonly Anchor[];
    let least = this.#end;
    for (let at = 0; at < nexts.length; at++) {
      if (nexts[at] < from) nexts[at] = this.#search(anchors[at], from);
      if (nexts[at] < least) least = nexts[at];
    }
    return least;
  }

  #search({ text: anchor, leadsBefore }: Anchor, from: number): number {
    const start = this.#start;
    const piece = this.#piece;
    const text = this.#text;
    const places = this.#places;
    const plain = this.#plain;
    const { triples } = places;
    // A literal that ends with the piece begins after the stretch.
    const last = piece.length - anchor.length;
    const first = charCodeAt.call(anchor, 0);
    const isFirst = this.#firsts[codeOf(first)] === 1;
    for (let at = piece.indexOf(anchor, from - start); at >= 0 && at < last; at = piece.indexOf(anchor, at + 1)) {
      const next = charCodeAt.call(piece, at + anchor.length);
      const leads = leadsBefore[codeOf(next)];
      // Most of what is found is told here from what is looked for, and no function is called.
      if (leads === alone && triples[sumOf(first, next, charCodeAt.call(piece, at + 2))] === 0) continue;
      for (let one = 0; one < leads.length; one++) {
        const lead = leads[one];
        const place = start + at - lead;
        if (place < from || !(lead > 0 ? this.#findsWords : isFirst) || !places.isAt(text, place)) continue;
        if (!plain.isAt(text, place) || beginsLine(text, place)) return place;
      }
    }
    return this.#end;
  }
}

/** One for each unit that literals have after their lead. */
function anchorsOf(literals: readonly string[]): Anchor[] {
  const byUnit = new Map<string, { text: string; rests: string[]; leads: number[] }>();
  for (const literal of literals) {
    const lead = leadOf(literal);
    const rest = literal.slice(lead);
    let found = byUnit.get(rest[0]);
    if (found === undefined) byUnit.set(rest[0], (found = { text: rest, rests: [], leads: [] }));
    while (!rest.startsWith(found.text)) found.text = found.text.slice(0, -1);
    found.rests.push(rest);
    found.leads.push(lead);
  }
  return [...byUnit.values()].map(({ text, rests, leads }) => {
    const whole = leads.filter((_, at) => rests[at] === text);
    const leadsBefore = Array<readonly number[]>(rowLength).fill(inOrder(whole));
    for (let at = 0; at < rests.length; at++) {
      const code = codeOf(rests[at].charCodeAt(text.length));
      const known = leadsBefore[code];
      if (rests[at] !== text && !known.includes(leads[at])) leadsBefore[code] = inOrder([...known, leads[at]]);
    }
    if (text.length === 1 && whole.length === 0) {
      const lastUnits = new Set(rests.filter((rest) => rest.length <= 2).map((rest) => rest.charCodeAt(1)));
      for (let code = 0; code < asciiUnits; code++) {
        const known = leadsBefore[code];
        if (known.length === 1 && known[0] === 0 && !lastUnits.has(code)) leadsBefore[code] = alone;
      }
    }
    return { text, leadsBefore, isInWords: Math.max(...leads) > 0 };
  });
}

/** Nothing stands before it, and at least two units after it. */
const alone: readonly number[] = [0];

const inOrder = (leads: number[]) => leads.sort((left, right) => right - left);

const codeOf = (unit: number) => (unit < asciiUnits ? unit : asciiUnits);

const sumMask = 0xfff;
/** A sum of three units, whatever the case of letters. */
const sumOf = (first: number, second: number, third: number) =>
  ((first & anyCase) ^ ((second & anyCase) << 3) ^ ((third & anyCase) << 6)) & sumMask;
const sumWith = (sum: number, next: number) => (sum ^ ((next & anyCase) << 4)) & sumMask;
const anyCase = ~0x20;

/** Two units share their place with no others. */
const areAscii = (first: number, second: number) => (first | second) < asciiUnits;
const pairOf = (first: number, second: number) => codeOf(first) * rowLength + codeOf(second);

const noPrefixes = (): Prefixes => ({ isEnd: false, units: [], next: [], rest: [] });

/** Nothing is added to these. */
const nothingKnown = new KnownPrefixes();

/** Looks at the rest of some literals that begin alike. @param length of what they have in common */
function divide(prefixes: Prefixes, length: number): void {
  const { units, next, rest } = prefixes;
  for (let at = 0; at < rest.length; at++) {
    const literal = rest[at];
    if (literal.length === length) {
      prefixes.isEnd = true;
      break;
    }
    const unit = literal.charCodeAt(length);
    let known = units.indexOf(unit);
    if (known < 0) {
      known = units.push(unit) - 1;
      next.push(noPrefixes());
    }
    next[known].rest.push(literal);
  }
  rest.length = 0;
}

/** @param atEnd what a text says that ends before */
function leadsOn(prefixes: Prefixes, text: string, from: number, atEnd: boolean): boolean {
  let last = prefixes;
  for (let at = from; ; at++) {
    if (last.rest.length > 0) divide(last, at - from);
    if (last.isEnd) return true;
    if (at >= text.length) return atEnd;
    const unit = charCodeAt.call(text, at);
    const { units } = last;
    let next = 0;
    while (next < units.length && units[next] !== unit) next++;
    if (next === units.length) return false;
    last = last.next[next];
  }
}
