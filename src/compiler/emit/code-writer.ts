import type { RepairKind } from "../../contract/repairs.ts";
import { Operation, type RuleCode } from "../../machine/program.ts";
import { repairRoleBase } from "../../machine/roles.ts";
import { type CharSet, equalSets, isFull, sizeOf } from "../analyse/char-set.ts";

/** A place of the code, which may not be known yet. */
export interface Label {
  address: number;
}

/** Writes the code of a program, and the tables that its operations refer to by number. */
export class CodeWriter {
  readonly #code: (number | Label)[] = [];
  readonly #names: [Label, string][] = [];
  readonly #tables: Label[][] = [];
  readonly #sets: CharSet[] = [];
  readonly strings: string[] = [];
  readonly scans: number[][] = [];
  readonly variants: string[] = [];
  readonly repairs: RepairKind[] = [];
  /** Those of names and keys come first. */
  readonly #slots: string[] = ["", ""];

  get address(): number {
    return this.#code.length;
  }

  get sets(): readonly CharSet[] {
    return this.#sets;
  }

  get tables(): number[][] {
    return this.#tables.map((table) => runsOf(table.map(({ address }) => address)));
  }

  emit(operation: Operation, ...operands: (number | Label)[]): void {
    this.#code.push(operation, ...operands);
  }

  /** One unit of a set. */
  set(set: CharSet): void {
    if (isFull(set)) this.emit(Operation.Any);
    else if (sizeOf(set) === 1) this.emit(Operation.Char, set[0]);
    else this.emit(Operation.Set, this.setIndex(set));
  }

  testSet(set: CharSet, otherwise: Label): void {
    if (sizeOf(set) === 1) this.emit(Operation.TestChar, set[0], otherwise);
    else this.emit(Operation.TestSet, this.setIndex(set), otherwise);
  }

  label(): Label {
    return { address: -1 };
  }

  place(label: Label): void {
    label.address = this.#code.length;
  }

  /** A rule begins here. */
  placeRule(label: Label, name: string): void {
    this.place(label);
    this.#names.push([label, name]);
  }

  /** The code of each rule, and of what comes before the first. */
  rules(): RuleCode[] {
    const code = this.#code.map((part, at) => (typeof part === "number" ? part : part.address - at));
    const starts: [number, string][] = [
      [0, ""],
      ...this.#names.map(([{ address }, name]) => [address, name] as [number, string]),
    ];
    return starts.map(([start, name], index) => [name, ...code.slice(start, starts[index + 1]?.[0])]);
  }

  table(labels: Label[]): number {
    return this.#tables.push(labels) - 1;
  }

  scan(literals: readonly string[]): number {
    return this.scans.push(literals.map((literal) => this.string(literal))) - 1;
  }

  string(text: string): number {
    return indexIn(this.strings, text);
  }

  setIndex(set: CharSet): number {
    return indexIn(this.#sets, set, (one) => equalSets(one, set));
  }

  slot(name: string): number {
    return indexIn(this.#slots, name);
  }

  repair(kind: RepairKind): number {
    return repairRoleBase + indexIn(this.repairs, kind);
  }

  variant(name: string): number {
    return indexIn(this.variants, name) + 1;
  }
}

/** [length, item, length, item, ...] */
function runsOf(items: readonly number[]): number[] {
  const runs: number[] = [];
  for (const item of items) {
    if (runs.length > 0 && runs.at(-1) === item) runs[runs.length - 2]++;
    else runs.push(1, item);
  }
  return runs;
}

function indexIn<T>(list: T[], item: T, matches = (one: T) => one === item): number {
  const at = list.findIndex(matches);
  return at >= 0 ? at : list.push(item) - 1;
}
