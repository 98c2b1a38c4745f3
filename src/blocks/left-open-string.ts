import { nextQuoteEnd, ownCloserAt, stringsOf } from "./damaged-call-end.ts";
import { countReadAgain, mayReadAgain, rawTextReadAgainMin } from "./read-again.ts";
import type { Block, ReaderState } from "./state.ts";

/**
 * Where a string is left open, the quotes behind it change places, and the next call stands in what looks like a string. A call
 * that is refused for its strings ends before that one, and so does its block.
 *
 * @param at where the call would end otherwise
 */
export function endBeforeOpener(state: ReaderState, block: Block, at: number): number {
  const { format, openers, store } = state;
  const { quotes, escapes } = stringsOf(format, block.kind);
  if (block.kind !== "members" || quotes.length === 0 || !mayReadAgain(state, rawTextReadAgainMin)) return at;
  if (!leavesOpen(store.slice(block.valueStart, at), quotes, escapes)) return at;
  const opener = ownCloserAt(state, block, openers, at);
  if (opener <= block.start || !namesTool(state, store.slice(opener, Math.min(at, opener + headCharsMax)))) return at;
  countReadAgain(state, opener, at);
  state.endedAt = opener;
  return opener;
}

/** Whether a text ends in a string, if quotes pair as they come. */
export function leavesOpen(text: string, quotes: readonly string[], escapes: boolean): boolean {
  for (let at = 0; at < text.length; ) {
    const quote = quotes.find((one) => text.startsWith(one, at));
    if (quote === undefined) at++;
    else if ((at = nextQuoteEnd(text, at, text.length, quote, escapes)) < 0) return true;
  }
  return false;
}

/** Whether one of the first words is the name of a tool: a marker that a string shows by itself opens no call. */
const namesTool = ({ hints }: ReaderState, head: string): boolean =>
  (head.match(/[\p{L}\p{N}_.-]+/gu) ?? []).slice(0, wordsMax).some((word) => hints.names?.includes(word) ?? true);

const headCharsMax = 256;
/** Words of the opener, of what may stand behind it, and the name. */
const wordsMax = 8;
