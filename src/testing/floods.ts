/** Texts that are made to hurt: one piece over and over. */

import { recovery } from "../blocks/make-recovery.ts";
import type { Format } from "../formats/format.ts";
import { parseMessage } from "../message/prepared-messages.ts";
import { validateSchema } from "../validation/validate-schema.ts";
import { sampleTools } from "./samples.ts";

/** What stands over and over in a flood. */
export const floods: readonly string[] = [
  ...'< </ > [ { ( ] } ) " \' ` \\ \\" , : = | / & # - ~ 0 1e9 true {} [] [[ {{ \'\' ""'.split(" "),
  ...[
    " ",
    "\t",
    "\n",
    "\r\n",
    "\n ",
    "a\n",
    "\0",
    "\ufeff",
    "\u2028",
    "\u00a0",
    "\ud800",
    "\udc00",
    "\u{1f600}",
    "e\u0301",
  ],
  ...[
    '{"a":',
    '[{"a":',
    '"a",',
    "a=",
    "<a>",
    "</a>",
    "<a>b</a>",
    "<!--",
    "<![CDATA[",
    "&lt;",
    "```\n",
    "~~~\n",
    "```json\n",
    "`a`",
  ],
  ...["<think>", "</think>", "<|", "|>", "<｜", "\\u12", "\\ud83d", "f(", "f(a=", "- a\n", "a: b\n", "a: {"],
];

/** What is left of a text that is cut at each edge of a literal in it, the shortest first. */
export function cutsAt(text: string, literals: readonly string[]): string[] {
  const cuts = new Set<number>();
  for (const literal of literals) {
    for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1))
      cuts.add(at).add(at + literal.length);
  }
  return [...cuts].sort((left, right) => left - right).flatMap((cut) => text.slice(0, cut) || []);
}

/** Floods of a call that is cut: again and again, with an operator after it, behind marks and before an escape, and before a long word. */
export const cutFloods: readonly ((cut: string, chars: number) => string)[] = [
  (cut, chars) => cut.repeat(Math.ceil(chars / cut.length)),
  (cut, chars) => `${cut}1==`.repeat(Math.ceil(chars / (cut.length + 3))),
  (cut, chars) => `\`\`\`${cut}\\`.repeat(Math.ceil(chars / (cut.length + 4))),
  (cut, chars) => cut + "x".repeat(chars),
];

/** Characters looked at per character of text. */
export const floodStepsMax = 64;

/** How many characters are looked at per character of a text. */
export function floodCost(format: Format, text: string): number {
  const options = { format, tools: sampleTools, intent: true, policy: { validate: validateSchema }, recovery };
  const message = parseMessage(options, true);
  message.push(text);
  message.end();
  message.result();
  return message.steps / text.length;
}
