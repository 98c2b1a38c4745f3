/**
 * Texts that are made to hurt, for every registered format: nothing throws, nothing overflows, the work per character
 * stays under a bar, what is read tiles the text, and a limit that is hit is a rejection with its reason.
 */
import { describe, expect, test } from "vitest";
import { sampledFormats, sampleTools } from "../scripts/samples.ts";
import { recovery } from "../src/blocks/make-recovery.ts";
import { createParser, type Format, formats, parse } from "../src/index.ts";
import { literalsOf } from "../src/machine/program.ts";
import { parseMessage } from "../src/message/prepared-messages.ts";
import { cutFloods, cutsAt, floods } from "../src/testing/floods.ts";
import { tilingGap } from "../src/testing/observe.ts";
import { validateSchema } from "../src/validation/validate-schema.ts";
import { isAsked } from "./support/shares.ts";

/** Characters looked at per character of text. */
const stepsMax = 72;
/** The same in chunks of a few characters, where each marker of a format is tried by itself: `<|` begins twenty. */
const stepsOfShortChunksMax = 80;
const floodChars = 300;
/** At about so many places a call is cut. */
const cutsMax = 6;

function read(format: Format | readonly Format[], text: string, size: number) {
  const options = { format, tools: sampleTools, intent: true, policy: { validate: validateSchema }, recovery };
  const message = parseMessage(options, true);
  for (let at = 0; at < text.length; at += size) message.push(text.slice(at, at + size));
  message.end();
  return { result: message.result(), steps: message.steps };
}

describe.each(sampledFormats)("$id", ({ id, format, samples }) => {
  const [sample] = samples;
  const index = sampledFormats.findIndex((one) => one.format === format);
  // By threes, as the formats are asked.
  const [turn, share] = [index % 2, Math.floor(index / 3) % 3];
  const { triggers, reasoning, stop, framing = [], closers = [] } = format;
  const around = [
    ...triggers,
    ...reasoning.flatMap(({ open, close }) => [open, close]),
    ...stop,
    ...framing,
    ...closers,
  ];
  const own = [...new Set([...literalsOf(format.program), ...around])].filter((literal) => literal.length > 1);
  const calls = samples.slice(0, 3).map(({ text }) => text);
  const broken = calls
    .slice(0, 2)
    .flatMap((text) => [text.slice(0, text.length >> 1), text.slice(0, -2), text.slice(3)]);
  /** A call that is open inside its first value. */
  const opened = sample.text.slice(0, Math.max(1, sample.text.indexOf("north")));

  test.runIf(isAsked(id, 0, 3))("no flood costs more than the bar, alone, inside a value or after a call", () => {
    const dear: string[] = [];
    const tryText = (text: string, size: number, max: number, label: string) => {
      const { result, steps } = read(format, text, size);
      // What a call costs that stands before the flood is not the flood's.
      if (steps > max * text.length) dear.push(`${label}: ${(steps / text.length).toFixed(1)}`);
      expect(tilingGap(result, text), label).toBeUndefined();
    };
    for (const [at, part] of [...floods, ...own, ...calls, ...broken].entries()) {
      // A third of them: the others in the next formats.
      if ((at >> 1) % 3 !== share) continue;
      const flood = part.repeat(Math.ceil(floodChars / part.length));
      const label = JSON.stringify(part);
      // Of the format's own literals, whole and in short chunks by turns as well.
      const isOwn = at >= floods.length && at < floods.length + own.length;
      if (!isOwn || at % 4 < 2) tryText(flood, flood.length, stepsMax, `${label} alone`);
      if (!isOwn || at % 4 > 1) tryText(flood, 7, stepsOfShortChunksMax, `${label} in short chunks`);
      // By turns: each flood meets both in one format or another.
      if (at % 2 === turn) tryText(opened + flood, 300, stepsMax, `${label} inside a value`);
      else tryText(`${sample.text} ${flood}`, 10_000, stepsMax, `${label} after a call`);
    }
    expect(dear).toEqual([]);
  });

  test.runIf(isAsked(id, 1, 3))("four times the flood costs four times the steps", () => {
    const grown: string[] = [];
    for (const part of [...floods.filter((_, at) => at % 4 === 2 * turn), ...calls, ...broken]) {
      for (const before of ["", opened]) {
        const [short, long] = [250, 1000].map((chars) => {
          const text = before + part.repeat(Math.ceil(chars / part.length));
          return read(format, text, text.length).steps / text.length;
        });
        if (long > short * 1.6 + 10)
          grown.push(`${JSON.stringify(before + part)}: ${short.toFixed(1)} to ${long.toFixed(1)}`);
      }
    }
    expect(grown).toEqual([]);
  });

  test.runIf(isAsked(id, 2, 3))("four times a flood of cut calls costs four times the steps", () => {
    const grown: string[] = [];
    const cuts = cutsAt(sample.text, [...own, ..."=([{\"',:>"]);
    // So many, spread over the call, and the last that are none of a value.
    const every = Math.max(1, Math.floor(cuts.length / cutsMax));
    for (const cut of cuts.filter((_, at) => at % every === 0 || cuts[at] === opened)) {
      for (const flood of cutFloods) {
        const text = flood(cut, 200);
        const short = read(format, text, text.length).steps / text.length;
        // Longer it might not be read in a day.
        const longer = short > stepsMax ? text : flood(cut, 800);
        const long = read(format, longer, longer.length).steps / longer.length;
        if (short > stepsMax || long > short * 1.6 + 10)
          grown.push(`${JSON.stringify(text.slice(0, 80))}: ${short.toFixed(1)} to ${long.toFixed(1)}`);
      }
    }
    expect(grown).toEqual([]);
  });

  test.runIf(isAsked(id, 1, 5))("100,000 levels end as a rejection or as text", () => {
    const texts = ["[".repeat(100_000), `${opened}${"[".repeat(100_000)}`, `${opened}${'{"a":'.repeat(10_000)}`];
    for (const text of texts) {
      const { result, steps } = read(format, text, 65_536);
      expect(result.calls).toEqual([]);
      expect(steps).toBeLessThan(stepsMax * text.length);
    }
  });
});

describe("a limit that is hit is a rejection with its reason, never a cut value", () => {
  // Fallback formats and those of one call a message have other limits.
  const plain = sampledFormats.filter(({ format, samples }) => format.mode === "primary" && samples.length > 1);
  const reasonsOf = (format: Format, text: string, policy: object) => {
    const { calls, rejected } = parse(text, { format, tools: sampleTools, policy, intent: true });
    return { calls: calls.length, reasons: rejected.map(({ reason }) => reason) };
  };

  test.each(plain)("$id: size and number", ({ format, samples }) => {
    const [one] = samples;
    expect(reasonsOf(format, one.text, { maxPayloadChars: 10 })).toEqual({ calls: 0, reasons: ["too-large"] });
    const three = samples.find(({ calls }) => calls.length === 3);
    if (three)
      expect(reasonsOf(format, three.text, { maxCalls: 1 })).toEqual({ calls: 1, reasons: ["too-many", "too-many"] });
  });

  test.each(plain)("$id: depth", ({ format }) => {
    const deep: unknown[] = [];
    for (let level = 0, top = deep; level < 40; level++) top.push((top = []));
    const tools = [{ name: "read_dial", parameters: { type: "object", properties: { dial: { type: "array" } } } }];
    let text: string;
    try {
      text = format.renderCall({ name: "read_dial", arguments: { dial: deep } });
    } catch {
      return;
    }
    const { calls, rejected } = parse(text, { format, tools, policy: { maxDepth: 20 } });
    expect([calls.length, rejected.map(({ reason }) => reason)]).toEqual([0, ["too-deep"]]);
  });

  test.each([
    ["mappings on a line, and a bracket too many", `q: x\n${"a: ".repeat(4000)}}`],
    ["a bracket in a plain text", `q: x{${Array(2000).fill('"k": "v"').join(", ")}}`],
    ["lists on a line", `q: x\n${"- ".repeat(4000)}}`],
    ["brackets", `q: ${"[".repeat(4000)}`],
  ])("yaml_xml: depth by %s", (_, body) => {
    for (const format of ["yaml_xml", ["hermes", "yaml_xml"]]) {
      const { calls } = parse(`<read_dial>\n${body}\n</read_dial>`, { format, tools: [{ name: "read_dial" }] });
      expect(calls).toEqual([]);
    }
  });

  test("many tiny calls of all formats at once are read in one pass", () => {
    const text = formats.get("hermes").renderCall({ name: "list_dials", arguments: {} }).repeat(1000);
    const all = read([...formats], text, 4096);
    expect(all.result.calls).toHaveLength(128);
    expect(all.result.rejected).toHaveLength(1000 - 128);
  });
});

// After damage the machine goes back to a place it has searched before: what it found there is still known.
test("ernie45: a flood of calls that are broken off costs no more than the bar", () => {
  const { format, samples } = sampledFormats.find(({ id }) => id === "ernie45") as (typeof sampledFormats)[number];
  const opened = samples[0].text.slice(0, samples[0].text.indexOf("north"));
  const text = opened + samples[1].text.slice(0, samples[1].text.length >> 1).repeat(100);
  expect(read(format, text, text.length).steps).toBeLessThan(stepsMax * text.length);
});

// What a fence is closed by is fetched from text that may have left the window.
test.each([["hermes"], [["hermes", "mistral"]], ["auto"]])(
  "%s: a fence of very many marks, however it is cut",
  (format) => {
    const call = formats.get("hermes").renderCall({ name: "list_dials", arguments: {} });
    const marks = "`".repeat(20_000);
    const text = `${marks}\n${call}\n\`\`\`\n${call}\n${marks}\n${call}`;
    const options = { format, tools: [{ name: "list_dials" }] };
    const whole = parse(text, options);
    expect(whole.calls.map(({ start }) => start)).toEqual([text.length - call.length]);
    for (const size of [7, 100, 5000]) {
      const parser = createParser(options);
      for (let at = 0; at < text.length; at += size) parser.push(text.slice(at, at + size));
      parser.end();
      expect(parser.result()).toEqual(whole);
    }
  },
);

test("openers in a row that open nothing are no levels of the reader's own stack", () => {
  const tools = [...sampleTools];
  // To these formats an opener without a call is a token that no text holds.
  for (const format of [...formats].filter(({ flags }) => flags.includes("framing-openers"))) {
    for (const trigger of format.triggers) {
      const text = trigger.repeat(3000);
      for (const other of ["hermes", "harmony", "minimax_m2"] as const)
        expect(parse(text, { format: [format, formats.get(other)], tools }).calls).toEqual([]);
    }
  }
});

// Where a list of formats has been at an opener, prose goes on in the same text: what it searched for is still known.
test.each([
  ["two formats", [formats.get("hermes"), formats.get("qwen3_coder")]],
  ["all formats", [...formats]],
])("%s at once: a text eight times as long costs eight times the steps", (_title, list) => {
  const call = formats.get("hermes").renderCall({ name: "list_dials", arguments: {} });
  for (const part of ["<tool_call>\n", call, call.slice(0, -3), "<tool_call>{", "<", "[", "`", "<think>"]) {
    const [short, long] = [1000, 8000].map((chars) => {
      const text = part.repeat(Math.ceil(chars / part.length));
      return read(list, text, text.length).steps / text.length;
    });
    expect(long, JSON.stringify(part)).toBeLessThan(short * 1.2);
  }
});

// With something after them they end no turn: each would be looked at with all that follow it.
test.each(["</s>", "<|im_end|>\n"])(
  "tokens %j in a row, and a letter: no more than the bar, in every format",
  (token) => {
    const text = `${token.repeat(1000)}x`;
    for (const format of formats) {
      const { steps } = read([format], text, text.length);
      expect(steps, format.id).toBeLessThan(40 * text.length);
    }
  },
);

// One of two formats ends at the next opener, the other reads on: how far it may is limited in all, not for each opener.
test("two formats that begin alike: a text four times as long costs four times the steps", () => {
  const part = '<|start|>assistant to=f<|message|><atem:function_calls>\n<atem:invoke name="f">\n<';
  const list = [formats.get("muse_glimmer"), formats.get("harmony")];
  const [short, long] = [20_000, 80_000].map((chars) => {
    const text = part.repeat(Math.ceil(chars / part.length));
    return read(list, text, text.length).steps / text.length;
  });
  expect(long).toBeLessThan(short * 1.2);
});
