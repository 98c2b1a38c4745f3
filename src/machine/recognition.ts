import { boundUnitsMax, seenMax } from "./bindings.ts";
import { DeclaredKeys, type Hints } from "./hints.ts";
import { type JsonObject, readJsonObject } from "./json-object.ts";
import { keySlot, nameSlot } from "./program.ts";
import { wholeObjectRole } from "./roles.ts";

/**
 * One rule of a generated recogniser: reads from an offset of a text, and writes the log as the machine does.
 *
 * @returns where it ends; {@link fails}: it does not match; {@link bails}: the machine has to read the block.
 */
export type RecogniserRule = (text: string, at: number, state: Recognition, rules: Recogniser) => number;

/** A block of a format as functions; the first reads it, the others are what several places of it share. */
export type Recogniser = readonly RecogniserRule[];

/** What a rule answers where it does not match. */
export const fails = -1;
/** What it answers where no sample has led the compiler, and where a choice that a cut has closed would be gone back to. */
export const bails = -2;

/**
 * What a recogniser knows while it reads a block: the log, and what has been bound and seen. It takes the place of the
 * machine for a text that is there as a whole. The same grammar gives both, so that where a recogniser answers, it answers
 * as the machine; `test/recogniser.test.ts` compares their logs.
 */
export class Recognition {
  readonly #rules: Recogniser;
  readonly #hints: Hints;
  log: number[] = [];
  logTop = 0;
  /** How many cuts have been passed: a choice made before one is closed. */
  cuts = 0;
  /** How many calls have begun: each forgets the name and the keys of the one before. */
  calls = 0;
  /** Where each literal has been found last. */
  readonly marks: number[] = [];
  readonly slots: (string | undefined)[] = [];
  readonly #seen: string[] = [];
  #text = "";
  /** Where each unit that is searched for stands next, by its code, as far as it has been asked from an offset: see {@link far}. */
  readonly #nexts: number[] = Array(128).fill(-1);
  #askedFrom = 0;
  /** How much of the text has been looked at for objects that are none. */
  #inVain = 0;
  readonly #objects: (JsonObject | undefined)[] = [];
  #objectCount = 0;
  /** How many of them have been taken. */
  #taken = 0;
  seenTop = 0;
  readonly #declaredKeys: DeclaredKeys;

  constructor(rules: Recogniser, hints: Hints) {
    this.#rules = rules;
    this.#hints = hints;
    this.#declaredKeys = hints.keys ?? new DeclaredKeys(hints.keysOf);
  }

  /** Takes a whole text. */
  load(text: string): void {
    this.#text = text;
    this.#inVain = 0;
    this.#askedFrom = text.length;
    if (text === "") this.#forget();
    else for (let at = 0; at < this.marks.length; at++) this.marks[at] = -1;
  }

  /** Nothing of the block before stays. To set the length of an array costs more than to go through it. */
  #forget(): void {
    for (let slot = 0; slot < this.slots.length; slot++) this.slots[slot] = undefined;
    for (let at = 0; at < this.#objectCount; at++) this.#objects[at] = undefined;
    this.#objectCount = this.#taken = 0;
  }

  /** Reads the block at an offset. @returns its end; below zero: the machine has to read it */
  read(at: number): number {
    this.logTop = this.cuts = this.calls = this.seenTop = 0;
    this.#forget();
    return this.#rules[0](this.#text, at, this, this.#rules);
  }

  /** Whether a literal stands at an offset; where it does, that is remembered under its number. */
  is(text: string, at: number, literal: string, index: number): boolean {
    if (!standsAt(text, at, literal)) return false;
    this.marks[index] = at;
    return true;
  }

  /** The first place from an offset on where one of some units stands; the end of the text: none does. For what is far away. */
  far(text: string, at: number, units: string): number {
    const nexts = this.#nexts;
    if (at < this.#askedFrom) nexts.fill(-1);
    this.#askedFrom = at;
    let nearest = text.length;
    for (let one = 0; one < units.length; one++) {
      const unit = units.charCodeAt(one);
      if (nexts[unit] < at) {
        const found = text.indexOf(units[one], at);
        nexts[unit] = found < 0 ? text.length : found;
      }
      if (nexts[unit] < nearest) nearest = nexts[unit];
    }
    return nearest;
  }

  put(entry: number, position: number): void {
    this.log[this.logTop] = entry;
    this.log[this.logTop + 1] = position;
    this.logTop += 2;
  }

  /** Reads the object that stands at an offset. @returns where it ends; below zero: the machine has to read what stands there */
  object(text: string, at: number): number {
    if (text.charCodeAt(at) !== 0x7b || this.#inVain > text.length) return bails;
    const object = readJsonObject(text, at, 0);
    if (typeof object === "number") {
      // As in the machine: what is broken often must not be searched often.
      this.#inVain += object;
      return bails;
    }
    const end = at + object.text.length;
    this.#objects[this.#objectCount++] = object;
    this.put(wholeObjectRole << 1, at);
    this.put((wholeObjectRole << 1) | 1, end);
    return end;
  }

  /** The object that the log says was read in one go at an offset; once only, in their order. */
  takeObject(start: number): JsonObject {
    // Readings that were given up may have left some behind.
    let object = this.#objects[this.#taken++] as JsonObject;
    while (object.start !== start) object = this.#objects[this.#taken++] as JsonObject;
    return object;
  }

  beginCall(): void {
    this.calls++;
    this.seenTop = 0;
    this.slots[nameSlot] = undefined;
  }

  /** Takes back what was seen since so many calls had begun and so many keys been seen. */
  back(calls: number, seenTop: number): void {
    const isSame = this.calls === calls;
    this.seenTop = isSame ? seenTop : 0;
    if (!isSame) this.slots[nameSlot] = undefined;
  }

  /** Binds a text; false: the machine clips it. */
  bind(slot: number, text: string): boolean {
    this.slots[slot] = text;
    return text.length <= boundUnitsMax;
  }

  /** The text bound as a key has been seen; false: the machine has to remember it. */
  see(): boolean {
    const key = this.slots[keySlot] as string;
    if (this.#hasSeen(key)) return true;
    if (this.seenTop >= seenMax) return false;
    this.#seen[this.seenTop++] = key;
    return true;
  }

  /** Where the text bound to a slot ends, if it stands at an offset. */
  same(text: string, at: number, slot: number): number {
    const bound = this.slots[slot];
    return bound !== undefined && standsAt(text, at, bound) ? at + bound.length : fails;
  }

  /** Where the longest name of a tool that stands at an offset ends. */
  tool(text: string, at: number): number {
    const { names } = this.#hints;
    return names === undefined ? bails : this.#longest(text, at, names, false);
  }

  /** The same for a declared key that has not been seen in this call. */
  key(text: string, at: number): number {
    const name = this.slots[nameSlot];
    if (name === undefined) return bails;
    const keys = this.#declaredKeys.of(name);
    return keys === undefined ? bails : this.#longest(text, at, keys, true);
  }

  /** The same for a key that has been seen. */
  seenKey(text: string, at: number): number {
    let longest = 0;
    for (let one = 0; one < this.seenTop; one++) {
      const word = this.#seen[one];
      if (word.length > longest && standsAt(text, at, word)) longest = word.length;
    }
    return longest === 0 ? fails : at + longest;
  }

  #longest(text: string, at: number, words: readonly string[], unseen: boolean): number {
    const first = text.charCodeAt(at);
    let longest = 0;
    for (let one = 0; one < words.length; one++) {
      const word = words[one];
      if (word.length <= longest || word.charCodeAt(0) !== first || !standsAt(text, at, word)) continue;
      if (!unseen || !this.#hasSeen(word)) longest = word.length;
    }
    return longest === 0 ? fails : at + longest;
  }

  #hasSeen(key: string): boolean {
    for (let one = 0; one < this.seenTop; one++) if (this.#seen[one] === key) return true;
    return false;
  }
}

/** To compare a piece takes half as long as `startsWith` where a short word stands there. */
const standsAt = (text: string, at: number, word: string): boolean => text.slice(at, at + word.length) === word;
