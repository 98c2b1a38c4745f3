import type { Repair, RepairKind, RepairLevel } from "../contract/repairs.ts";

/** Collects repairs. What happens many times in one string, or in one run, is one entry that grows. */
export class RepairLog {
  readonly entries: Repair[] = [];

  add(kind: RepairKind, level: RepairLevel, start: number, end: number): Repair {
    const last = this.entries[this.entries.length - 1];
    if (last !== undefined && last.kind === kind && last.level === level && last.end === start) {
      last.end = end;
      return last;
    }
    const entry: Repair = { kind, level, start, end };
    this.entries.push(entry);
    return entry;
  }

  /**
   * The reading is over. Entries are put in the order of the text: a look-back rule may have spoken after a later one.
   * Digits that a double does not hold are strict JSON: where nothing else was wrong, nothing was repaired.
   */
  settle(): void {
    this.entries.sort((left, right) => left.start - right.start);
    if (this.entries.every((entry) => entry.kind === "precision")) this.entries.length = 0;
  }
}
