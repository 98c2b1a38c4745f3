/**
 * What functions of recognisers have in common, as functions and constants of their module: a program that starts reads all of
 * them. Questions about one unit are not among it: as calls they would leave less text, and make short replies slower.
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
      this.#counts.set(alive, (this.#counts.get(alive) ?? 0) + 1);
    }
  }

  /** A function as it stands in the module, or its name. */
  write(text: string): string {
    const alive = withoutDeadEnds(text);
    const known = this.#names.get(alive);
    if (known !== undefined) return known;
    const written = alive.replace(
      /("(?:\\u[0-9a-f]{4})+")\.includes/g,
      (_, units: string) => `${this.#named("H", units, ` = ${units}`)}.includes`,
    );
    return (this.#counts.get(alive) as number) > 1 ? this.#named("F", alive, `: RecogniserRule = ${written}`) : written;
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

/** A bail after what has left already. */
const withoutDeadEnds = (text: string) =>
  text.replace(/^((?:break \w+|continue \w+|return -\d);\n)(?:return -\d;\n)+/gm, "$1");
