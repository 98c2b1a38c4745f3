import { countMembers } from "../contract/count-members.ts";
import { jsonStringEnd } from "../machine/json-object.ts";
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isBlank,
  isDigit,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from "./characters.ts";
import { leavesOpen } from "./open-string.ts";

/** From this many digits on a number may lose some, which has to be reported. */
const plainDigitsMax = 15;

/** What an error of `JSON.parse` costs, in characters that could have been looked at instead. */
const errorCharacters = 1000;

/** What may stand outside of strings beside the characters that are looked at one by one: literals, signs and a dot. */
const others = new Uint8Array(0x80);
for (const character of "truefalsn+-.") others[character.charCodeAt(0)] = 1;

/** A container that is all there and strict JSON. */
export interface StrictPart {
  value: unknown;
  /** Index after its closer. */
  end: number;
  /** A member follows an object, or an array, somewhere in it. */
  memberAfterObject: boolean;
  memberAfterArray: boolean;
  /** Nothing but closers follows a string that leaves a bracket open. */
  endsOpen: boolean;
}

/**
 * Reads the container at `at` with `JSON.parse`, if it is strict JSON without anything to report: damage is mostly in
 * one place, and the rest of a long document need not take the long way.
 */
export class StrictParts {
  /** Characters that may still be looked at in vain: keeps the whole linear. */
  #budget = -1;
  /** Characters examined by the last call. */
  examined = 0;

  read(text: string, at: number, depthMax: number): StrictPart | undefined {
    if (this.#budget < 0) this.#budget = text.length * 3;
    this.examined = 0;
    if (this.#budget === 0) return undefined;
    const part = this.#scan(text, at, depthMax);
    if (part === undefined) this.wasInVain();
    return part;
  }

  /** The part of the last call is of no use: what it cost is taken off the budget. */
  wasInVain(): void {
    this.#budget = Math.max(0, this.#budget - this.examined);
  }

  #scan(text: string, start: number, depthMax: number): StrictPart | undefined {
    const closers: number[] = [];
    let members = 0;
    let memberAfterObject = false;
    let memberAfterArray = false;
    let after = 0;
    // Where the last value begins and ends, if it is a string.
    let stringAt = -1;
    let stringEnd = -1;
    let at = start;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        stringAt = at;
        at = jsonStringEnd(text, at) - 1;
        stringEnd = at;
        if (at >= text.length) return this.#inVain(at - start);
      } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        if (closers.length >= depthMax) return this.#inVain(at - start);
        closers.push(code === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET);
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        if (closers.pop() !== code || after === COMMA) return this.#inVain(at - start);
        if (closers.length === 0) break;
        after = code;
        continue;
      } else if (code === COLON) members++;
      else if (code === COMMA) {
        if (closers[closers.length - 1] === CLOSE_BRACE) {
          if (after === CLOSE_BRACE) memberAfterObject = true;
          else if (after === CLOSE_BRACKET) memberAfterArray = true;
        }
        after = COMMA;
        continue;
      } else if (isBlank(code)) continue;
      else if (isDigit(code)) {
        const digits = at;
        while (isDigit(text.charCodeAt(at + 1))) at++;
        if (at - digits >= plainDigitsMax) return this.#inVain(at - start);
      } else if (code === 0x65 || code === 0x45) {
        // An exponent may overflow; the `e` of a literal is never followed by a digit or sign.
        const next = text.charCodeAt(at + 1);
        if (isDigit(next) || next === 0x2b || next === 0x2d) return this.#inVain(at - start);
      } else if (others[code] !== 1) return this.#inVain(at - start);
      after = 0;
      if (code !== QUOTE) stringAt = -1;
    }
    if (at >= text.length) return this.#inVain(at - start);
    this.examined = at + 1 - start;
    let value: unknown;
    try {
      value = JSON.parse(text.slice(start, at + 1)) as unknown;
    } catch {
      this.#budget = Math.max(0, this.#budget - errorCharacters);
      return undefined;
    }
    // Fewer members than colons: one key came twice.
    if (countMembers(value) !== members) return undefined;
    const endsOpen = stringAt >= 0 && leavesOpen(text.slice(stringAt, stringEnd));
    return { value, end: at + 1, memberAfterObject, memberAfterArray, endsOpen };
  }

  #inVain(examined: number): undefined {
    this.examined = examined;
    return undefined;
  }
}
