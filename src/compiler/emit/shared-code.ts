/**
 * What functions of recognisers have in common, as functions and constants of their module: a program that starts reads all of
 * them, and much of what they ask is asked in many places. Questions about a unit are written between marks, by {@link asksUnit};
 * what is asked seldom stays where it is.
 */
export class SharedCode {
  readonly #counts = new Map<string, number>();
  /** By the text in whose place each stands. */
  readonly #names = new Map<string, string>();
  readonly #definitions: string[] = [];

  /** `functions`: all that will be written. */
  constructor(functions: readonly string[]) {
    for (const text of functions) {
      const alive = withoutDeadEnds(text);
      this.#count(alive);
      for (const { pattern } of questions) for (const [found] of alive.matchAll(pattern)) this.#count(found);
    }
  }

  #count(text: string): void {
    this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
  }

  /** A function as it stands in the module, or its name. */
  write(text: string): string {
    const alive = withoutDeadEnds(text);
    const known = this.#names.get(alive);
    if (known !== undefined) return known;
    let written = alive;
    for (const { pattern, letter, define, call, inline } of questions) {
      written = written.replace(pattern, (found, question: string) =>
        (this.#counts.get(found) as number) < sharedLeast
          ? this.#withUnits(inline(question))
          : call(this.#named(letter, found, this.#withUnits(define(question)))),
      );
    }
    if (/\bu\b/.test(written)) written = written.replace("{\n", "{\nlet u = 0;\n");
    return (this.#counts.get(alive) as number) > 1 ? this.#named("F", alive, `: RecogniserRule = ${written}`) : written;
  }

  /** Units beyond ASCII that several sets have in common. */
  #withUnits(text: string): string {
    return text.replace(
      /("(?:\\u[0-9a-f]{4})+")\.includes/g,
      (_, units: string) => `${this.#named("H", units, ` = ${units}`)}.includes`,
    );
  }

  #named(letter: string, text: string, definition: string): string {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = `${letter}${this.#names.size}`;
      this.#names.set(text, name);
      this.#definitions.push(`const ${name}${definition};\n`);
    }
    return name;
  }

  /** What the names stand for. */
  definitions(): string {
    return this.#definitions.join("");
  }
}

/** Asks whether the unit at `p`, which the test calls `u`, is as a test says. */
export const asksUnit = (test: string) => `\u0001${test}\u0001`;

/** Of so many questions that are alike one function is made. */
const sharedLeast = 3;

interface Question {
  readonly pattern: RegExp;
  /** What its name begins with. */
  readonly letter: string;
  /** What stands after its name where it is made. */
  readonly define: (question: string) => string;
  readonly call: (name: string) => string;
  readonly inline: (question: string) => string;
}

const questions: readonly Question[] = [
  {
    pattern: /while \(\u0001([^\u0001]*)\u0001\) p\+\+;/g,
    letter: "W",
    define: (test) =>
      ` = (t: string, p: number): number => {\nlet u = 0;\nwhile ((u = t.charCodeAt(p)), ${test}) p++;\nreturn p;\n}`,
    call: (name) => `p = ${name}(t, p);`,
    inline: (test) => `while ((u = t.charCodeAt(p)), ${test}) p++;`,
  },
  {
    pattern: /\u0001([^\u0001]*)\u0001/g,
    letter: "C",
    define: (test) => ` = (t: string, p: number): boolean => {\nconst u = t.charCodeAt(p);\nreturn ${test};\n}`,
    call: (name) => `${name}(t, p)`,
    inline: (test) => `(u = t.charCodeAt(p)), ${test}`,
  },
];

/** A bail after what has left already. */
const withoutDeadEnds = (text: string) =>
  text.replace(/^((?:break \w+|continue \w+|return -\d);\n)(?:return -\d;\n)+/gm, "$1");
