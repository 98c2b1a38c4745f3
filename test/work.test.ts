import { describe, expect, test } from "vitest";
import {
  argumentOf,
  chunksOf,
  type FormatId,
  formatIds,
  prose,
  tools,
  type Workload,
  workloadsOf,
} from "../bench/workloads.ts";
import { recovery } from "../src/blocks/make-recovery.ts";
import { chooseFormats } from "../src/formats/choose-formats.ts";
import { formats } from "../src/index.ts";
import { looseAfter } from "../src/message/doubts/loose-parameters.ts";
import { parseMessage } from "../src/message/prepared-messages.ts";
import { validateSchema } from "../src/validation/validate-schema.ts";
import { isAsked } from "./support/shares.ts";

// A step is a character the machine has looked at. Steps are the same on every machine and every day, so they guard
// what a clock can only show: that reading is linear, and that a change to a grammar does not make it look twice.

const format = (id: FormatId) => formats.get(id);

function examinedOf(id: FormatId | "all", chunks: readonly string[]): number {
  const read = id === "all" ? [...formats] : format(id);
  const message = parseMessage({ format: read, tools, policy: { validate: validateSchema }, recovery }, true);
  for (const chunk of chunks) message.push(chunk);
  message.end();
  return message.steps;
}

const perCharacter = ({ format: id, text }: Workload, size: number) =>
  examinedOf(id, chunksOf(text, size)) / text.length;

/** Steps a character may cost: whole, and in chunks of 4. About 1.4 times what the dearest of the six formats costs. */
const ceilings: Record<string, readonly [whole: number, chunked: number]> = {
  "small reply": [8, 6],
  "20 calls": [9, 6.5],
  "200 KB argument": [5, 2.5],
  // Each first character of the sets of the message (openers, thoughts, turns, quoting tags) is one search more.
  "1 MB prose": [13.5, 12],
  "non-Latin text": [7, 6.5],
};

/** Text that makes a reader look ahead and be disappointed, again and again. */
const floods = [
  "<",
  "</",
  "`",
  "`a`",
  "```\n",
  "~~~\n",
  "{",
  "[",
  '{"a":',
  '"',
  "\\",
  " ",
  "\n",
  "<think>",
  "</think>",
  "<|",
];
/** The bar for any text at all. */
const hostileCeiling = 72;

describe("characters examined per character", () => {
  for (const id of formatIds) {
    for (const workload of workloadsOf(id)) {
      test(`${id}: ${workload.name}`, () => {
        const [whole, chunked] = ceilings[workload.name];
        expect(perCharacter(workload, workload.text.length)).toBeLessThan(whole);
        expect(perCharacter(workload, 4)).toBeLessThan(chunked);
      });
    }
  }

  test.each(formatIds)("%s: as many for a long argument as for a short one", (id) => {
    for (const size of [4, 4096]) {
      const short = perCharacter(argumentOf(id, 100_000), size);
      const long = perCharacter(argumentOf(id, 400_000), size);
      expect(long).toBeLessThan(short * 1.05);
    }
  });

  test.each(formatIds.filter((id) => isAsked(id, 0)))(
    "%s: a flood of openers, markers or brackets costs no more than the bar",
    (id) => {
      const { example, triggers } = format(id);
      const cut = [...triggers, example, example.slice(0, example.length >> 1), example.slice(0, -2)];
      for (const part of [...floods, ...cut]) {
        const text = part.repeat(Math.ceil(15_000 / part.length));
        for (const size of [7, text.length]) {
          const steps = examinedOf(id, chunksOf(text, size)) / text.length;
          expect(steps, `${JSON.stringify(part)} in chunks of ${size}`).toBeLessThan(hostileCeiling);
        }
      }
    },
  );

  test("an object that is broken is looked at once, however many begin in it", () => {
    const text = `<tool_calls>\n{"name": "read_dial", "arguments": {"dial": "${'\n{"'.repeat(5000)}`;
    const read = formats.get("minimax_m1");
    const message = parseMessage({ format: read, tools, policy: { schema: "off" }, recovery }, true);
    message.push(text);
    message.end();
    expect(message.steps / text.length).toBeLessThan(hostileCeiling);
  });

  test("lines that are no calls are read once, however many follow", () => {
    for (const line of ["{}\n", '{"a": true}\n', '{"name": "unknown", "parameters": {}}\n']) {
      const steps = (count: number) => {
        const message = parseMessage(
          { format: formats.get("llama3"), tools, policy: { validate: validateSchema }, recovery },
          true,
        );
        message.push(line.repeat(count));
        message.end();
        return message.steps / (count * line.length);
      };
      expect(steps(200), line).toBeLessThan(1.1 * steps(20));
      expect(steps(200), line).toBeLessThan(30);
    }
  });

  test("of the formats that read the same call alike, one reads it", () => {
    const text = workloadsOf("hermes")[1].text;
    const stepsOf = (list: Parameters<typeof parseMessage>[0]["format"]) => {
      const message = parseMessage({ format: list, tools, policy: { validate: validateSchema }, recovery }, true);
      message.push(text);
      message.end();
      return message.steps;
    };
    const automatic = chooseFormats("auto", formats, false);
    expect(stepsOf(automatic)).toBeLessThan(1.5 * stepsOf(format("hermes")));
  });

  test.each([prose(3000), ...floods])("all formats in a list: as many for long text as for short: %j", (part) => {
    const perCharacterOf = (chars: number, size: number) => {
      const text = part.repeat(Math.ceil(chars / part.length));
      return examinedOf("all", chunksOf(text, Math.min(size, text.length))) / text.length;
    };
    // Where a long text begins it is plain, and costs less.
    const short = Math.max(3000, 4 * part.length);
    for (const size of [7, Number.POSITIVE_INFINITY]) {
      expect(perCharacterOf(4 * short, size)).toBeLessThan(1.25 * perCharacterOf(short, size) + 1);
    }
  });
});

// What declined openers leave comes in pieces of one character: what stands before them is not looked at again with each.
test.each(["cline_xml", "qwen3_coder"] as const)("%s: behind a call an opener is tried once, whatever pieces", (id) => {
  let tried = 0;
  const mayLack = () => ++tried < 0;
  const doubts = looseAfter([formats.get(id)], { isOne: () => false, mayLack });
  const text = `${"<parameter=".repeat(20)}x>${"a <".repeat(100)}`;
  for (const piece of text) for (const doubt of doubts) expect(doubt.contradictedAt(piece, "text")).toBe(-1);
  expect(tried).toBeGreaterThan(0);
  expect(tried).toBeLessThanOrEqual(20);
});
