import { onceFor } from "../../contract/once-for.ts";
import { opensThoughts } from "../../contract/thinking-tags.ts";
import { allTurnTokens, promptHeaders, replyHeaders, turnOpeners } from "../../contract/turn-tokens.ts";
import { literalSearch } from "../../machine/program.ts";
import type { MessageSets } from "./message-sets.ts";

/** Headers that are words. The first counts in rounds that are numbered; none does where the prompt may be in thoughts. */
const round = { opener: "[Round ", header: "ASSISTANT:" };
const wordHeaders = [round.header, "\nThought:"];

const ofPrompts = [...promptHeaders, ...wordHeaders];
const headers = [...replyHeaders, ...ofPrompts];
// A message of Functionary names who speaks: a tool by its name.
const othersTurns = [...turnOpeners, ...allTurnTokens(), "<|from|>"];

/** By the tokens that end a turn, made once for each choice of formats. */
const searchFor = onceFor((endsOfTurns: readonly string[]): RegExp => {
  const tokens = [...headers, ...othersTurns, ...endsOfTurns];
  // Of two that begin alike the longer one stands there.
  return literalSearch(tokens.sort((left, right) => right.length - left.length));
});

type ReplySets = Pick<MessageSets, "endsOfTurns" | "openers">;

/**
 * Where the turn begins that the reply belongs to: at the last header of the assistant that stands at the beginning, after the
 * end of a turn, or after the turn of somebody else. One in the middle of the assistant's own text is text.
 *
 * @param sets endsOfTurns: tokens that end a turn; openers: what opens blocks, also where it is a header
 */
export function replyStart(prefill: string, { endsOfTurns, openers }: ReplySets): number {
  if (prefill === "") return 0;
  let start = 0;
  let isOthers = false;
  let isRound = false;
  let turnEnd = 0;
  const hasThoughts = opensThoughts.test(prefill);
  const isOpener = (token: string) => [...openers].some((opener) => token.startsWith(opener));
  for (const { 0: token, index } of prefill.matchAll(searchFor(endsOfTurns))) {
    isRound ||= token === round.opener;
    if (token === round.header && !isRound) continue;
    if (wordHeaders.includes(token) && hasThoughts) continue;
    if (headers.includes(token)) {
      const isText = ofPrompts.includes(token) && !isOpener(token);
      const isNext = prefill.slice(turnEnd, index).trim() === "";
      if (isText) turnEnd = index + token.length;
      if (isOthers || isNext || token === round.header) start = isText ? turnEnd : index;
      isOthers = false;
      continue;
    }
    // Some tokens do both.
    if (endsOfTurns.includes(token)) turnEnd = index + token.length;
    isOthers ||= othersTurns.includes(token);
  }
  return start;
}
