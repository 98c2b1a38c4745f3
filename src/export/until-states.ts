import {
  all,
  any,
  type CharRanges,
  chars,
  charsOf,
  holds,
  nothing,
  type Part,
  rangesOf,
  rule,
  type UntilPart,
  without,
} from "./parts.ts";

/**
 * `until` in the other parts: one rule for each beginning of a forbidden string that may have been written just now (the
 * automaton of Aho and Corasick). So the text can end after any beginning of a forbidden string, and what stands after
 * it is free. The `excludes` of xgrammar's own free text (0.1.30 to 0.2.5) say less: they let a text end in the middle
 * of a string that the next part then completes, and older versions have none.
 */
export class UntilStates {
  /** The rules, by name. */
  readonly rules = new Map<string, Part>();
  readonly #name: string;
  readonly #states: readonly State[];
  readonly #part: UntilPart;
  /** Nothing is forbidden: one set says it all. */
  readonly #isFree: boolean;
  readonly #rests = new Map<string, CharRanges>();

  /** @param name what the rules are called; all but the first get a number */
  constructor(part: UntilPart, name: string) {
    this.#part = part;
    this.#name = name;
    this.#states = statesOf(part.not.filter((word) => word !== ""));
    this.#isFree = this.#states.length === 1 && part.instead === undefined;
    if (this.#isFree) return;
    for (const state of this.#states.keys())
      this.rules.set(this.#ruleName(state), this.#ways(state, part.chars, this.#mayEnd(state)));
    this.rules.set(this.#beginName, any(...this.#begins()));
  }

  /** What two `until` have in common when they can share their rules. */
  static key({ not, notLast, chars, instead, coarse }: UntilPart): string {
    return JSON.stringify([[...not].sort(), notLast, chars, instead, coarse]);
  }

  /** What stands for an `until` that has this key. */
  start({ first, min }: UntilPart): Part {
    if (first === undefined && this.#isFree) return charsOf(this.#part.chars, min);
    if (first === undefined && min === 0) return rule(this.#name);
    return this.#ways(0, first ?? this.#part.chars, min === 0);
  }

  #ruleName(state: number): string {
    return state === 0 ? this.#name : `${this.#name}-${state}`;
  }

  get #beginName(): string {
    return `${this.#name}-0`;
  }

  /** What may stand in every state: the beginnings of forbidden strings, what stands for a character, the end. */
  #begins(): Part[] {
    const { instead, chars: usual } = this.#part;
    const ways = this.#moves([...this.#states[0].moves], usual);
    if (instead !== undefined) ways.push(all(instead, rule(this.#ruleName(0))));
    if (this.#mayEnd(0)) ways.push(nothing);
    return ways;
  }

  #mayEnd(state: number): boolean {
    const { notLast } = this.#part;
    return notLast === undefined || !notLast.some((end) => this.#states[state].written.endsWith(end));
  }

  #ways(state: number, allowed: CharRanges, mayEnd: boolean): Part {
    const { instead, chars: usual } = this.#part;
    const { moves } = this.#states[state];
    const rest = this.#rest([...moves.keys()].join(""), allowed);
    const back = rest.length > 0 ? [all(chars(rest), this.#next(0))] : [];
    const begins = this.#states[0].moves;
    const isUsual = state > 0 && mayEnd && this.#mayEnd(0) && [...begins].every(([char, to]) => moves.get(char) === to);
    if (isUsual) {
      const own = [...moves].filter(([char]) => !begins.has(char));
      return any(...back, ...this.#moves(own, allowed), rule(this.#beginName));
    }
    const ways = [...back, ...this.#moves([...moves], allowed)];
    if (instead !== undefined && allowed === usual) ways.push(all(instead, rule(this.#ruleName(0))));
    if (mayEnd) ways.push(nothing);
    return any(...ways);
  }

  #moves(moves: readonly (readonly [char: string, target: number])[], allowed: CharRanges): Part[] {
    const targets = new Map<number, string>();
    for (const [char, target] of moves) {
      // A forbidden string would be whole.
      if (target < 0 || !holds(allowed, char.codePointAt(0) as number)) continue;
      targets.set(target, (targets.get(target) ?? "") + char);
    }
    return [...targets].map(([target, found]) => all(chars(rangesOf(found)), this.#next(target)));
  }

  #next(target: number): Part {
    return this.#isFree ? charsOf(this.#part.chars, 0) : rule(this.#ruleName(target));
  }

  /** What leads back to the beginning: all that is allowed but some characters. The same set once. */
  #rest(special: string, allowed: CharRanges): CharRanges {
    const key = allowed === this.#part.chars ? special : `first ${special}`;
    let rest = this.#rests.get(key);
    if (rest === undefined) {
      const isCut = this.#part.coarse === true && /[^\0-\x7f]/.test(special);
      rest = without(allowed, [...rangesOf(special), ...(isCut ? [0x80, 0x10ffff] : [])]);
      this.#rests.set(key, rest);
    }
    return rest;
  }
}

interface State {
  /** The beginning of a forbidden string that has been written. */
  readonly written: string;
  /** The characters that lead elsewhere than to the beginning; -1: a forbidden string is whole. */
  readonly moves: ReadonlyMap<string, number>;
}

function statesOf(words: readonly string[]): readonly State[] {
  const children: Map<string, number>[] = [new Map()];
  const written = [""];
  const whole = new Set<number>();
  for (const word of words) {
    let state = 0;
    for (const char of word) {
      let target = children[state].get(char);
      if (target === undefined) {
        target = children.push(new Map()) - 1;
        written.push(written[state] + char);
        children[state].set(char, target);
      }
      state = target;
    }
    whole.add(state);
  }
  const back = new Array<number>(children.length).fill(0);
  const moves: Map<string, number>[] = [new Map(children[0])];
  const numbers = [0];
  const queue = [...children[0].values()];
  for (const state of queue) {
    if (whole.has(state)) continue;
    const found = new Map(moves[back[state]]);
    for (const [char, target] of children[state]) {
      back[target] = moves[back[state]].get(char) ?? 0;
      if (whole.has(back[target])) whole.add(target);
      found.set(char, target);
      queue.push(target);
    }
    moves[state] = found;
    numbers.push(state);
  }
  // States that are reached, numbered without gaps; what is whole has none.
  const numberOf = new Map(numbers.map((state, number) => [state, number]));
  return numbers.map((state) => ({
    written: written[state],
    moves: new Map([...moves[state]].map(([char, target]) => [char, numberOf.get(target) ?? -1])),
  }));
}
