import type { Hints } from "./hints.ts";
import type { JsonObject } from "./json-object.ts";

/** What has been read of a block: the log of the machine, or one like it. */
export interface BlockLog {
  readonly log: readonly number[];
  readonly logTop: number;
  /** The object that the log says was read in one go at an offset; once only. */
  takeObject(start: number): JsonObject;
}

/** Reads blocks of a format in the machine's place, as far as it can: see {@link Recognition}. */
export interface BlockReader extends BlockLog {
  /** Takes a whole text. */
  load(text: string): void;
  /** Reads the block at an offset of it. @returns its end; below zero: the machine has to read it */
  read(at: number): number;
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
