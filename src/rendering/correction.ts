import type { RejectionReason } from "../contract/reasons.ts";
import type { Correctable } from "../formats/format.ts";
import type { FormatData } from "../formats/format-data.ts";
import { howToCall } from "./instruction.ts";

/** What the model should do differently, by what was wrong. */
const advice: Record<RejectionReason, string> = {
  "unknown-tool": "There is no tool of that name: use one that you were given, spelt exactly as there.",
  schema: "The arguments do not fit the tool's parameters.",
  "type-mismatch": "An argument does not have the type that the tool declares.",
  malformed: "The call is not well-formed.",
  truncated: "The call was cut off: write it again, whole, and shorter if you can.",
  "needs-guess": "The call is damaged, and it is not certain what was meant.",
  ambiguous: "The call can be read in more than one way.",
  "duplicate-key": "A key is given twice: give each once.",
  "sensitive-key": "A key of the arguments is not allowed: leave it out.",
  "in-reasoning": "A call inside your reasoning does not count: write it after the reasoning.",
  quoted: "A call in quotes or a code fence does not count: write it without them.",
  "no-intent": "Nothing said that a tool was needed: say so as instructed, then make the call.",
  "several-candidates": "There were several calls: make one.",
  "too-large": "The call is too long: make it shorter, or split the work.",
  "too-deep": "The arguments are nested too deep.",
  "too-many": "There were too many calls in one message: make fewer.",
  "not-first": "Only the first call of a message counts: make one call at a time.",
  "no-name": "The call does not say which tool it is for.",
  "contradicts-sent": "The call is damaged, and it is not certain what was meant.",
  "validator-error": "The arguments could not be checked.",
  "behind-damage": "A call before it is damaged, and nothing shows where that one ends: make all of them again.",
  "after-turn": "Your turn had ended before this call: make the call in your own turn, and write nothing after it.",
  "not-alone": "The call stands in a text: write it alone, with nothing around it.",
  "other-format": "The call is written in another way than you were given.",
};

/** More refusals than these in one correction teach a model nothing. */
const correctedMax = 8;

/**
 * The message that asks the model to make refused calls again: what was wrong, by reason, then how a call looks.
 * `rejection.message` may quote a clipped piece of the model's own text.
 */
export function correctionOf(format: FormatData, rejections: Correctable | readonly Correctable[]): string {
  const list: readonly Correctable[] = Array.isArray(rejections) ? rejections : [rejections as Correctable];
  if (list.length === 0) return "";
  const [only] = list;
  const wrong =
    list.length === 1
      ? [`Your last message held ${calledOf(only)}, and it was not run. ${advice[only.reason]}`, ...detailOf(only)]
      : [
          "Your last message held calls that were not run:",
          list
            .slice(0, correctedMax)
            .map((one) => `- ${[`${calledOf(one)}: ${advice[one.reason]}`, ...detailOf(one)].join(" ")}`)
            .join("\n"),
        ];
  const still = list.length === 1 ? "the call is still needed, write it" : "they are still needed, write them";
  return [
    ...wrong,
    `If ${still} again. ${howToCall(format)}`,
    "That is an example: its names and values are made up.",
  ].join("\n\n");
}

function calledOf({ name }: Correctable): string {
  return name === undefined ? "a tool call" : `the call of ${JSON.stringify(name)}`;
}

function detailOf({ message }: Correctable): string[] {
  return message ? [`In detail: ${message}.`] : [];
}
