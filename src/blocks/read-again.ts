import type { ReaderState } from "./state.ts";

/**
 * Whether what a damaged block has run over may be read again: so much in all, and for each character. What is refused is
 * refused, however far it goes.
 */
export const mayReadAgain = ({ store, readAgainChars }: ReaderState, charsMin: number): boolean =>
  readAgainChars <= charsMin + readAgainPerChar * store.end;

/** Of raw text, which the grammar reads character by character. */
export const rawTextReadAgainMin = 8192;

export function countReadAgain(state: ReaderState, from: number, to: number): void {
  state.readAgainChars += to - from;
}

const readAgainPerChar = 8;
