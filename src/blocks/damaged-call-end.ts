import { roleCodes as role } from "../machine/roles.ts";
import type { Block, ReaderState } from "./state.ts";

/**
 * Whether a damaged call has ended where reading goes on. Its strings say so: each closes where a string may close, and
 * outside of them stands no closer before that place. Otherwise what follows may still stand in one of its strings.
 *
 * @param text from where the value begins up to where reading goes on
 * @param closers what closes calls
 * @param quotes what strings are delimited by
 * @param escapes a backslash takes the next character with it
 */
export function stringsEnd(
  text: string,
  closers: readonly string[],
  quotes: readonly string[],
  escapes = true,
): boolean {
  let end = text.trimEnd().length;
  let closer: string | undefined;
  // The closers of the value, the call and its section may follow each other.
  for (;;) {
    const last = closers.find((one) => one.length <= end && text.startsWith(one, end - one.length));
    if (last === undefined) break;
    closer = last;
    end = text.slice(0, end - last.length).trimEnd().length;
  }
  const firsts = new Set([...closers, ...quotes].map((one) => one[0]));
  let depth = 0;
  let isPayload = end === 0;
  for (let at = 0; at < end; ) {
    const unit = text[at];
    const quote = firsts.has(unit) ? quotes.find((one) => text.startsWith(one, at)) : undefined;
    if (quote !== undefined) {
      const next = stringEnd(text, at, end, quote, escapes);
      if (next < 0) return false;
      at = next;
      continue;
    }
    if (openers.includes(unit)) depth++;
    else if (endings.includes(unit)) depth--;
    if (openers.includes(unit)) isPayload = true;
    if (firsts.has(unit) && closers.some((one) => text.startsWith(one, at))) return false;
    at++;
  }
  // A closing marker is an end in itself; before the next opener, only a payload that is balanced is complete.
  return closer !== undefined || (depth <= 0 && isPayload);
}

const openers = "([{";
const endings = ")]}";

/** Where a string that begins at `start` ends, if a value or key may end there; -1: it does not. */
function stringEnd(text: string, start: number, end: number, quote: string, escapes: boolean): number {
  for (let at = start + quote.length; at < end; at++) {
    if (escapes && text[at] === "\\") at++;
    else if (text.startsWith(quote, at)) {
      const after = at + quote.length;
      blank.lastIndex = after;
      blank.test(text);
      const next = blank.lastIndex;
      return next >= end || mayFollow.includes(text[next]) ? after : -1;
    }
  }
  return -1;
}

const blank = /\s*/y;
/** What may stand after a string. */
const mayFollow = ",:}])";

/**
 * Whether the strings of a damaged block prove that it ends at an offset. Raw text has no strings: its grammar says what
 * is not proven.
 */
export function provesEnd(state: ReaderState, block: Block, end: number): boolean {
  const quotes = quotesOf(state, block);
  if (quotes.length === 0) return true;
  const { format, store } = state;
  const closers = [...(format.closers ?? []), ...(format.framing ?? [])];
  return stringsEnd(
    store.slice(block.valueStart, Math.min(end, store.end)),
    closers,
    quotes,
    !format.template?.style?.string,
  );
}

/** What delimits the strings of a block; empty: nothing does. */
function quotesOf({ format, handlers }: ReaderState, { kind }: Block): readonly string[] {
  if (format.pythonValues) return ['"', "'"];
  // Tokens of the format's own.
  const own = format.template?.style?.string;
  if (own) return [own[0]];
  const isJson = kind !== "members" || handlers[role.Key] === undefined;
  return isJson && (handlers[role.Payload] ?? handlers[role.Arguments]) ? ['"'] : [];
}
