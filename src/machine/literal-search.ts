import type { ReadyScan, ScanGroup } from "./program.ts";

const never = 0x7fffffff;
const unknown = -1;

/** Where the literals of scans stand next in a window, as far as that is known: each is searched once. */
export class LiteralSearch {
  readonly #groupCount: number;
  /** Where the literals of each group of a scan stand next. */
  readonly #nexts: number[] = [];
  /** From where each was searched: after going back to a place before, it says nothing. */
  readonly #from: number[] = [];
  /** One stands there; false: up to there none does. */
  readonly #isPlace: boolean[] = [];
  #isKnown = false;
  /** How many characters the last search has looked at. */
  examined = 0;

  constructor(groupCount: number) {
    this.#groupCount = groupCount;
  }

  /** The window holds other text. */
  forget(): void {
    this.#isKnown = false;
  }

  /** The window has moved over the same text. */
  shift(by: number): void {
    if (!this.#isKnown) return;
    for (let at = 0; at < this.#nexts.length; at++) {
      const next = this.#nexts[at];
      // What has left the window is not known any more, when it comes back as well.
      if (next !== never) this.#nexts[at] = next < 0 ? unknown : Math.max(unknown, next + by);
      this.#from[at] += by;
    }
  }

  /** The next place where one of the literals of a scan stands; past every end: none does. */
  nearest(window: string, scan: ReadyScan, from: number): number {
    if (!this.#isKnown) this.#begin();
    const { groups, base } = scan;
    if (groups.length === 0) return never;
    const nexts = this.#nexts;
    this.examined = 0;
    for (let at = 0; at < groups.length; at++) {
      // Known is only what stands between where the search began and how far it has come.
      if (nexts[base + at] >= from && from >= this.#from[base + at]) continue;
      this.#from[base + at] = from;
      this.#search(window, scan, at, from, reachMin);
    }
    for (;;) {
      let least = 0;
      for (let at = 1; at < groups.length; at++) if (nexts[base + at] < nexts[base + least]) least = at;
      const next = nexts[base + least];
      if (this.#isPlace[base + least]) return next;
      this.#search(window, scan, least, next, 2 * (next - this.#from[base + least]));
    }
  }

  /** Looks for the literals of a group, and no further than so many characters: one of another group may stand before. */
  #search(window: string, { groups, base, longest }: ReadyScan, at: number, from: number, reach: number): void {
    const end = from + reach + longest;
    const isAll = end >= window.length;
    const place = findGroup(isAll ? window : window.slice(0, end), groups[at], from);
    const isPlace = isAll || place < from + reach;
    const next = isPlace ? place : from + reach;
    this.#isPlace[base + at] = isPlace;
    this.#nexts[base + at] = next;
    this.examined += Math.min(next, window.length) - from;
  }

  #begin(): void {
    for (let at = 0; at < this.#groupCount; at++) {
      this.#nexts[at] = this.#from[at] = unknown;
      this.#isPlace[at] = false;
    }
    this.#isKnown = true;
  }
}

/**
 * The next place of one of a group's literals. They have one unit in common, and a search for one unit is the fastest
 * there is where it stands seldom; where it stands often, one expression for all of them is.
 */
function findGroup(window: string, group: ScanGroup, from: number): number {
  const { literals, unit } = group;
  if (literals.length === 1) return placeOf(window.indexOf(literals[0].text, from));
  let at = window.indexOf(unit, from);
  while (at >= 0) {
    for (let one = 0; one < literals.length; one++) {
      const { text, lead } = literals[one];
      if (at - lead >= from && window.startsWith(text, at - lead)) return at - lead;
    }
    const next = window.indexOf(unit, at + 1);
    if (next >= 0 && next - at < nearUnits) {
      group.search.lastIndex = at + 1;
      return placeOf(group.search.exec(window)?.index ?? -1);
    }
    at = next;
  }
  return never;
}

/** So far is looked at first, and twice as far each time. */
const reachMin = 512;

/** A unit that stands again before so many others stands often. */
const nearUnits = 256;

const placeOf = (index: number) => (index < 0 ? never : index);
