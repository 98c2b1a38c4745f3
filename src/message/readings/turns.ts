import {
  allTurnTokens,
  endOfSamplingTokens,
  lostTurnTokens,
  messageOpeners,
  turnOpeners,
} from "../../contract/turn-tokens.ts";
import type { FormatData } from "../../formats/format-data.ts";
import { openersOf } from "./openers.ts";

/** A token, or words, with which another turn begins. */
export interface Turn {
  readonly token: string;
  /** It does so after one of these tokens, which has ended the last; undefined: wherever it stands. */
  readonly after: readonly string[] | undefined;
  /** To these formats it is something else, such as what their headers document. */
  readonly owners: readonly FormatData[];
}

export type TextSlices = { slice(start: number, end: number): string };

/** What begins a turn where a literal stands. */
export function turnAt(turns: readonly Turn[], literal: string, text: TextSlices, start: number): Turn | undefined {
  const found = turns.find(({ token }) => literal.startsWith(token) || literal.trimStart().startsWith(token));
  if (found?.after === undefined) return found;
  const before = text.slice(Math.max(0, start - turnGapMax), start).trimEnd();
  return found.after.some((token) => before.endsWith(token)) ? found : undefined;
}

/** Whether a header without its first token stands within a line, and not behind one of the tokens that end a message: there it is text. */
export function isWordOfText(
  literal: string,
  { endsOfTurns, closers, framing }: Readonly<Record<"endsOfTurns" | "closers" | "framing", readonly string[]>>,
  text: TextSlices,
  start: number,
): boolean {
  if (!lostTurnTokens.includes(literal)) return false;
  const gap = text.slice(Math.max(0, start - turnGapMax), start);
  const before = gap.trimEnd();
  const isEnded = [endsOfTurns, closers, framing].some((ends) => ends.some((token) => before.endsWith(token)));
  return !(before === "" || gap.slice(before.length).includes("\n") || isEnded);
}

/** So much is looked at for the token that ends a turn before another begins. */
const turnGapMax = 48;

/** Whether another reply begins with an opener: the token before it has ended this one, although some formats document several messages of one. */
export const beginsNextReply = (replies: readonly Turn[], text: TextSlices, start: number): boolean =>
  replies.length > 0 && turnAt(replies, text.slice(start, start + replyCharsMax), text, start) !== undefined;

const replyCharsMax = 32;

/** What opens messages of a reply begins another behind a token that has ended sampling. */
export const repliesOf = (openers: readonly string[]): readonly Turn[] =>
  openers
    .filter((opener) => messageOpeners.includes(opener))
    .map((token) => ({ token, after: endOfSamplingTokens, owners: [] }));

/** What begins another turn to some formats of a list, while the headers of others document it as something else. What one documents alone is no turn to anybody. */
export function ownTurnsOf(
  formats: readonly FormatData[],
  marker: string | undefined,
  names: readonly string[] | undefined,
  ends: readonly string[],
): readonly Turn[] {
  if (formats.length === 1) return [];
  const headers = formats.map((format) => [
    ...openersOf(format, marker, names),
    ...format.reasoning.map(({ open }) => open),
    ...(format.framing ?? []),
  ]);
  const turnsOf = (tokens: readonly string[], after: Turn["after"]) =>
    tokens.flatMap((token): Turn[] => {
      const owners = formats.filter((_, at) => headers[at].some((text) => text.startsWith(token)));
      return owners.length === 0 || owners.length === formats.length ? [] : [{ token, after, owners }];
    });
  const words = new Set(formats.flatMap(({ turns = [] }) => turns));
  const ofWords = [...words].flatMap((token): Turn[] => {
    const owners = formats.filter(({ turns }) => !turns?.includes(token));
    return owners.length === 0 ? [] : [{ token, after: undefined, owners }];
  });
  return [...ofWords, ...turnsOf(turnOpeners, ends), ...turnsOf(allTurnTokens(), undefined)];
}
