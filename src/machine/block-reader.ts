import type { Hints } from "./machine.ts";

/** Reads blocks of a format in the machine's place, as far as it can: see {@link Recognition}. */
export interface BlockReader {
  readonly log: readonly number[];
  readonly logTop: number;
  /** Reads the block at an offset of a whole text. @returns its end; below zero: the machine has to read it */
  read(text: string, at: number): number;
}

type MakeBlockReader = (format: { readonly id: string }, hints: Hints) => BlockReader | undefined;

let make: MakeBlockReader | undefined;

/** An entry point that brings such readers says so. All others read with the machine, and do not carry them. */
export function announceBlockReaders(maker: MakeBlockReader): void {
  make = maker;
}

/** What reads the blocks of a format in the machine's place, where the program has loaded it. */
export function blockReaderOf(format: { readonly id: string }, hints: Hints): BlockReader | undefined {
  return make?.(format, hints);
}
