import { all, any, chars, charsOf, holds, nothing, type Part, rangesOf, rule, type UntilPart, without } from "./parts.ts";

/**
 * `until` in the other parts: one rule for each beginning of a forbidden string that may have been written just now (the
 * automaton of Aho and Corasick). So the text can end after any beginning of a forbidden string, and what stands after
 * it is free. The `excludes` of xgrammar's own free text (0.1.30 to 0.2.5) say less: they let a text end in the middle
 * of a string that the next part then completes, and older versions have none.
 *
 * @param name what the rules are called; more than one get a number each
 * @returns the part that stands for it, and the rules it needs
 */
export function untilStates(part: UntilPart, name: string): { start: Part; rules: Map<string, Part> } {
  const rules = new Map<string, Part>();
  const words = part.not.filter((word) => word !== "").map((word) => [...word]);
  const { first } = part;
  if (words.length === 0 && part.escape === undefined && first === undefined) {
    return { start: charsOf(part.chars, part.min), rules };
  }
  const automaton = buildAutomaton(words);
  const ruleName = (state: number) => (state === 0 ? name : `${name}-${state}`);
  const bodyOf = (state: number, allowed: UntilPart["chars"], mayEnd: boolean): Part => {
    const targets = new Map<number, number[]>();
    const special: string[] = [];
    for (const char of automaton.alphabet) {
      const code = char.codePointAt(0) as number;
      const target = automaton.next(state, char);
      if (target === 0) continue;
      special.push(char);
      // A forbidden string would be whole.
      if (target < 0 || !holds(allowed, code)) continue;
      const codes = targets.get(target) ?? [];
      targets.set(target, codes);
      codes.push(code);
    }
    const isCut = part.coarse === true && special.some((char) => char > "\x7f");
    const rest = without(allowed, [...rangesOf(special.join("")), ...(isCut ? [0x80, 0x10ffff] : [])]);
    const ways: Part[] = [];
    if (rest.length > 0) ways.push(all(chars(rest), rule(ruleName(0))));
    for (const [target, codes] of targets) {
      ways.push(all(chars(rangesOf(String.fromCodePoint(...codes))), rule(ruleName(target))));
    }
    if (part.escape !== undefined && allowed === part.chars) ways.push(all(part.escape, rule(ruleName(0))));
    if (mayEnd) ways.push(nothing);
    return any(...ways);
  };
  for (let state = 0; state < automaton.size; state++) {
    if (automaton.isWhole(state)) continue;
    rules.set(ruleName(state), bodyOf(state, part.chars, true));
  }
  const isPlain = first === undefined && part.min === 0;
  const start = isPlain ? rule(name) : bodyOf(0, first ?? part.chars, part.min === 0);
  return { start, rules };
}

function buildAutomaton(words: readonly (readonly string[])[]) {
  const children: Map<string, number>[] = [new Map()];
  const whole = new Set<number>();
  for (const word of words) {
    let state = 0;
    for (const char of word) {
      let target = children[state].get(char);
      if (target === undefined) {
        target = children.push(new Map()) - 1;
        children[state].set(char, target);
      }
      state = target;
    }
    whole.add(state);
  }
  const back = new Array<number>(children.length).fill(0);
  const next = (state: number, char: string): number => {
    for (let at = state; ; at = back[at]) {
      const target = children[at].get(char);
      if (target !== undefined) return whole.has(target) ? -1 : target;
      if (at === 0) return 0;
    }
  };
  const queue = [...children[0].values()];
  for (const state of queue) {
    for (const [char, target] of children[state]) {
      let at = back[state];
      while (at > 0 && !children[at].has(char)) at = back[at];
      back[target] = state === 0 ? 0 : (children[at].get(char) ?? 0);
      // A beginning that ends with a whole forbidden string is never reached: `next` refuses it before.
      if (whole.has(back[target])) whole.add(target);
      queue.push(target);
    }
  }
  const alphabet = new Set(words.flat());
  return { size: children.length, alphabet, next, isWhole: (state: number) => whole.has(state) };
}
