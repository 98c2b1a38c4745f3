import type { RejectionReason } from "../contract/reasons.ts";
import type { Rejection } from "../contract/types.ts";

/** What to do about each reason, in one line: the end of a message. */
const rejectionHelp: Readonly<Record<RejectionReason, string>> = {
  "unknown-tool": "offer a tool of exactly this name, or say to the model which tools it has.",
  schema: "the arguments do not fit the tool's schema; send the message back to the model, or widen the schema.",
  "type-mismatch": "the text cannot be read as the declared type without guessing; the model has to write it again.",
  malformed: "the payload has no single reading; ask the model for the call again.",
  truncated: "the reply stopped too early, and what is cut is never completed. Raise the token limit, or retry.",
  "needs-guess": 'two readings are possible; policy.repairs "guess" takes the likelier one, at your risk.',
  "behind-damage": "nothing proves where the damaged call before it ends; ask for the calls again.",
  "after-turn": "the reply goes on after the end of its turn: give the model its stop tokens, or cut the reply there.",
  "not-alone":
    'a call that no marker opens has text around it; policy.bare: "anywhere" reads those on lines of their own.',
  "other-format": "the reply is written in another format than the one that was asked for; name that one.",
  ambiguous: "two readings of the same text disagree; name one format instead of several.",
  "duplicate-key": "the same key stands twice, so either value may be meant; ask the model for the call again.",
  "sensitive-key": "this key can change how objects behave; declare it in the schema only if you need it.",
  "in-reasoning": 'the model was thinking aloud; policy.reasoning "parse" treats such calls as meant.',
  quoted: "a call in inline code or a fence is shown, not made; nothing to do if the model explains itself.",
  "no-intent": "a fallback format needs a sign that the model needs a tool: pass the intent option.",
  "several-candidates": "a fallback format takes exactly one call in a message; nothing says which one is meant.",
  "too-large": "the payload is longer than policy.maxPayloadChars.",
  "too-deep": "the payload is nested deeper than policy.maxDepth.",
  "too-many": "the message holds more calls than policy.maxCalls; the first ones stand.",
  "not-first": 'policy.calls is "first": only the first call of a message counts.',
  "no-name": "nothing in the call says which tool is meant.",
  "contradicts-sent": "what was streamed before does not fit what followed, so the call was withdrawn.",
  "validator-error": "the validator itself failed; look at policy.validate and at the tool's schema.",
};

/** What a rejection says, without its reason, and what to do: a message may bring its own help. */
export function rejectionText({ reason, message }: Pick<Rejection, "reason" | "message">): {
  what: string;
  help: string;
} {
  const [first = "", ...rest] = message.split("\n");
  const own = rest.find((line) => line.startsWith("help: "))?.slice("help: ".length);
  const what = first.startsWith(`${reason}: `) ? first.slice(reason.length + 2) : first;
  return { what, help: own ?? rejectionHelp[reason] };
}
