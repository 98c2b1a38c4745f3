import { Kept } from "../../machine/kept.ts";
import { Machine } from "../../machine/machine.ts";
import { readyProgram } from "../../machine/program.ts";
import type { Alternative, BlockEntry } from "./alternative.ts";

/** Where a block may begin. */
export interface Place {
  /** Empty: none opens it. */
  readonly opener: string;
  /** What follows, as far as it is there; no more than {@link glanceChars} of it count. */
  readonly after: string;
  readonly beginsLine: boolean;
}

/** So much of what follows an opener is looked at before a format is asked to read there. */
export const glanceChars = 16;

/** Texts of these lengths are remembered: most formats are excluded by the first character. */
const rememberedLengths = [1, 2, 4, 8, glanceChars];
/** So many are remembered for a list. */
const rememberedMax = 512;

/**
 * Tells formats that cannot read a place from those that may, by its first characters: their machines run on nothing else.
 * What they say of the same characters is remembered.
 */
export class Glances {
  readonly #marker: string | undefined;
  readonly #machines = new Map<Alternative, Machine>();
  readonly #known = new Kept<string, readonly Alternative[]>(rememberedMax);
  #last: (Place & { readonly of: readonly Alternative[]; readonly left: readonly Alternative[] }) | undefined;
  #text = "";

  constructor(marker: string | undefined) {
    this.#marker = marker;
  }

  /** Those of some formats that do not decline the place. `alternatives`: always the same for the same beginning. */
  remaining(entry: BlockEntry, alternatives: readonly Alternative[], place: Place): readonly Alternative[] {
    const { opener, after, beginsLine } = place;
    const last = this.#last;
    // Most calls of a message begin alike.
    if (last?.of === alternatives && opener !== "" && isAlike(last, place)) return last.left;
    // Which formats may begin a message or line is distinguished by what follows its blanks.
    if (opener === "" && after.trimStart() !== after)
      return this.#run(entry, alternatives, after.slice(0, glanceChars), beginsLine);
    let left = alternatives;
    for (const length of rememberedLengths) {
      if (left.length === 0) break;
      const text = opener + after.slice(0, length);
      const key = `${entry}${beginsLine ? "\n" : " "}${text}`;
      left = this.#known.get(key) ?? this.#known.keep(key, this.#run(entry, left, text, beginsLine));
      if (after.length <= length) break;
    }
    // Forms without an opener are looked for by two entries.
    if (opener !== "") this.#last = { of: alternatives, left, opener, after, beginsLine };
    return left;
  }

  /** Whether the format may find a whole opener where a text begins. */
  mayBeOpener(alternative: Alternative, text: string, beginsLine: boolean): boolean {
    const { opener } = alternative.format.program.entries;
    if (opener === undefined) return false;
    const status = this.#status(alternative, opener, text, beginsLine);
    return status === "done" || status === "starved";
  }

  /** How long the opener of the format is that a text begins with; -1: it is none. */
  openerLength(alternative: Alternative, text: string, beginsLine: boolean): number {
    const { opener } = alternative.format.program.entries;
    if (opener === undefined || this.#status(alternative, opener, text, beginsLine, true) !== "done") return -1;
    return (this.#machines.get(alternative) as Machine).position - (this.#text.length - text.length);
  }

  #run(
    entry: BlockEntry,
    alternatives: readonly Alternative[],
    text: string,
    beginsLine: boolean,
  ): readonly Alternative[] {
    const left = alternatives.filter(
      (one) => this.#status(one, one.format.program.entries[entry], text, beginsLine) !== "declined",
    );
    return left.length === alternatives.length ? alternatives : left;
  }

  #status(alternative: Alternative, entry: number, text: string, beginsLine: boolean, isAll = false) {
    let machine = this.#machines.get(alternative);
    if (machine === undefined) {
      const program = readyProgram(alternative.format.program, this.#marker);
      machine = new Machine(program, alternative.validator.hints, 0, (from) => this.#text.slice(from));
      this.#machines.set(alternative, machine);
    }
    this.#text = beginsLine ? text : `x${text}`;
    machine.enter(entry, this.#text.length - text.length);
    return machine.run(isAll);
  }
}

const isAlike = (left: Place, right: Place) =>
  left.opener === right.opener && left.after === right.after && left.beginsLine === right.beginsLine;
