/**
 * Texts that are made to hurt, for every registered format: nothing throws, nothing overflows, the work per character
 * stays under a bar, what is read tiles the text, and a limit that is hit is a rejection with its reason.
 */
import { describe, expect, test } from "vitest";
import { sampledFormats, sampleTools } from "../scripts/samples.ts";
import { type Format, formats, parse } from "../src/index.ts";
import { validateSchema } from "../src/gate/validate-schema.ts";
import { parseMessage } from "../src/streaming/message.ts";
import { recovery } from "../src/streaming/recovery.ts";
import { tilingGap } from "../src/testing/observe.ts";

/** What stands over and over in a flood. */
const floods: string[] = [
  ..."< </ > [ { ( ] } ) \" ' ` \\ \\\" , : = | / & # - ~ 0 1e9 true {} [] [[ {{ '' \"\"".split(" "),
  ...[" ", "\t", "\n", "\r\n", "\n ", "a\n", "\0", "\ufeff", "\u2028", "\u00a0", "\ud800", "\udc00", "\u{1f600}", "e\u0301"],
  ...['{"a":', '[{"a":', '"a",', "a=", "<a>", "</a>", "<a>b</a>", "<!--", "<![CDATA[", "&lt;", "```\n", "~~~\n", "```json\n", "`a`"],
  ...["<think>", "</think>", "<|", "|>", "<｜", '\\u12', "\\ud83d", "f(", "f(a=", "- a\n", "a: b\n", "a: {"],
];

/** Characters looked at per character of text. */
const stepsMax = 40;
const floodChars = 3000;

function read(format: Format | readonly Format[], text: string, size: number) {
  const options = { format, tools: sampleTools, intent: true, policy: { validate: validateSchema }, recovery };
  const message = parseMessage(options, true);
  for (let at = 0; at < text.length; at += size) message.push(text.slice(at, at + size));
  message.end();
  return { result: message.result(), steps: message.steps };
}

/** Floods of one format: what anyone may write, its own literals, its calls, and its calls broken off. */
function floodsOf({ format, samples }: (typeof sampledFormats)[number]): string[] {
  const own = format.program.strings.filter((literal) => literal.length > 1);
  const calls = samples.slice(0, 3).map(({ text }) => text);
  const broken = calls.slice(0, 2).flatMap((text) => [text.slice(0, text.length >> 1), text.slice(0, -2), text.slice(3)]);
  return [...floods, ...own, ...calls, ...broken];
}

describe.each(sampledFormats)("$id", (sampled) => {
  const { format, samples } = sampled;
  const [sample] = samples;
  const opened = sample.text.slice(0, Math.max(1, sample.text.indexOf("north")));

  test("no flood costs more than the bar, alone, inside a value or behind a call", () => {
    const dear: string[] = [];
    for (const part of floodsOf(sampled)) {
      const flood = part.repeat(Math.ceil(floodChars / part.length));
      for (const [place, text] of Object.entries({ alone: flood, inside: opened + flood, behind: `${sample.text} ${flood}` })) {
        const { result, steps } = read(format, text, place === "alone" ? 61 : text.length);
        if (steps > stepsMax * text.length + 4000) dear.push(`${place} ${JSON.stringify(part)}: ${steps / text.length}`);
        expect(tilingGap(result, text), JSON.stringify([place, part])).toBeUndefined();
      }
    }
    expect(dear).toEqual([]);
  });

  test("100,000 levels end as a rejection or as text", () => {
    for (const part of ["[", "{", '{"a":', "(", "<a>", "[{'a': "]) {
      for (const text of [part.repeat(100_000), opened + part.repeat(100_000)]) {
        const { result, steps } = read(format, text, 65_536);
        expect(result.calls).toEqual([]);
        expect(steps).toBeLessThan(stepsMax * text.length);
      }
    }
  });
});
