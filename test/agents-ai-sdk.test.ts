/** Agent loops of the AI SDK 5, 6 and 7 through `toolpeg/ai-sdk`: to their end, and healed after a refusal. */
import * as ai6 from "ai";
import { convertArrayToReadableStream, MockLanguageModelV3 } from "ai/test";
import * as ai5 from "ai5";
import { MockLanguageModelV2 } from "ai5/test";
import * as ai7 from "ai7";
import { MockLanguageModelV4 } from "ai7/test";
import { formats, type Rejection } from "toolpeg";
import { type ToolCallMiddlewareOptions, toolCallMiddleware } from "toolpeg/ai-sdk";
import { describe, expect, test } from "vitest";
import {
  dialSchema,
  finalAnswer,
  healedAnswer,
  healingReplies,
  loopFormats,
  loopRan,
  loopReplies,
  noArguments,
  Panel,
  refusedReplies,
  Script,
} from "./support/agent-scripts.ts";

// The three packages have types of their own for the same thing; the tests treat them alike.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Loose = any;

const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };

function finishOf(version: string, word: string) {
  return version === "v2"
    ? { finishReason: word, usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } }
    : { finishReason: { unified: word, raw: word }, usage: { inputTokens: tokens, outputTokens: tokens } };
}

function modelOf(version: string, script: Script): Loose {
  const Model: Loose = { v2: MockLanguageModelV2, v3: MockLanguageModelV3, v4: MockLanguageModelV4 }[version];
  return new Model({
    doGenerate: async ({ prompt }: Loose) => ({
      content: [{ type: "text", text: script.say(prompt) }],
      ...finishOf(version, "stop"),
      warnings: [],
    }),
    doStream: async ({ prompt }: Loose) => ({
      stream: convertArrayToReadableStream<Loose>([
        { type: "stream-start", warnings: [] },
        { type: "text-start", id: "1" },
        ...script.chunks(prompt).map((delta) => ({ type: "text-delta", id: "1", delta })),
        { type: "text-end", id: "1" },
        { type: "finish", ...finishOf(version, "stop") },
      ]),
    }),
  });
}

const sdks = [
  { name: "ai 5", version: "v2", sdk: ai5 as Loose },
  { name: "ai 6", version: "v3", sdk: ai6 as Loose },
  { name: "ai 7", version: "v4", sdk: ai7 as Loose },
];
const ways = ["generateText", "streamText"];
const runs = sdks.flatMap((one) => ways.map((way) => ({ ...one, way, title: `${one.name}, ${way}` })));

describe.each(runs)("$title", ({ sdk, version, way }) => {
  async function run(script: Script, options: ToolCallMiddlewareOptions, steps = 6) {
    const panel = new Panel();
    const errors: unknown[] = [];
    const tools = {
      list_dials: sdk.tool({ inputSchema: sdk.jsonSchema(noArguments), execute: panel.list_dials }),
      // No `validate`: the SDK lets everything through to this tool, so only what it cannot read is safe from it.
      read_dial: sdk.tool({ inputSchema: sdk.jsonSchema(dialSchema), execute: panel.read_dial }),
    };
    const model = sdk.wrapLanguageModel({ model: modelOf(version, script), middleware: toolCallMiddleware(options) });
    const stopWhen = sdk.stepCountIs(steps);
    const request = { model, tools, stopWhen, prompt: "What do the dials say?", maxRetries: 0 };
    if (way === "generateText") {
      const result = await sdk.generateText(request);
      return { panel, errors, steps: result.steps, text: result.text, finish: result.finishReason, ui: [] };
    }
    const result = sdk.streamText({ ...request, onError: ({ error }: Loose) => errors.push(error) });
    const ui: Loose[] = [];
    for await (const chunk of result.toUIMessageStream()) ui.push(chunk);
    // What a page shows at the end: no input that streams for ever.
    let last: Loose;
    for await (const message of sdk.readUIMessageStream({ stream: convertArrayToReadableStream(ui) })) last = message;
    const states = (last?.parts ?? [])
      .map((part: Loose) => part.state)
      .filter((state: unknown) => /^input-/.test(String(state)));
    expect(states).toEqual([]);
    const [text, all, finish] = [await result.text, await result.steps, await result.finishReason];
    return { panel, errors, steps: all, text, finish, ui };
  }

  test("what a refused call leaves is nothing that a host could run, however it reads inputs", async () => {
    const script = new Script([refusedReplies[1].text, healedAnswer]);
    const { steps } = await run(script, { format: formats.get("hermes") });
    const [fed] = steps[0].toolCalls;
    expect([fed.toolName, fed.input]).toEqual(["refused_read_dial", expect.stringContaining("not run: schema: ")]);
  });

  test.each(loopFormats)("two tools in %s, to the end", async (id) => {
    const { panel, text, errors, steps } = await run(new Script(loopReplies(id)), { format: formats.get(id) });
    expect([panel.ran, text, errors]).toEqual([loopRan, finalAnswer, []]);
    const ids = steps.flatMap((step: Loose) => step.toolCalls.map((call: Loose) => call.toolCallId));
    expect(new Set(ids).size).toBe(3);
  });

  describe.each(refusedReplies)("$cause", ({ text: refused, reason }) => {
    test("is given to the model, which makes the call again", async () => {
      const script = new Script(healingReplies(refused));
      const { panel, text, ui, steps } = await run(script, { format: formats.get("hermes") });
      expect([panel.ran, text]).toEqual([["read_dial north"], healedAnswer]);
      expect(script.asked[1]).toContain("was not run");
      expect(script.asked[1]).toContain(JSON.stringify(refused).slice(1, -1));
      expect(steps[0].content.map((part: Loose) => part.type)).toEqual(["tool-call", "tool-error"]);
      const kinds = ui.map((chunk) => chunk.type);
      // No input is left streaming.
      if (way === "streamText") expect(kinds).toContain("tool-input-error");
    });

    test("for ever: nothing runs, and the end is no empty stop", async () => {
      const script = new Script([refused], true);
      const reasons: string[] = [];
      const onRejection = (rejection: Rejection) => reasons.push(rejection.reason);
      const { panel, text, finish, steps } = await run(script, { format: formats.get("hermes"), onRejection }, 3);
      expect([panel.ran, reasons]).toEqual([[], [reason, reason, reason]]);
      expect([finish, text]).not.toEqual(["stop", ""]);
      expect(steps.at(-1).content.some((part: Loose) => part.type === "tool-error")).toBe(true);
    });

    test("with retry, the model is asked again in the same step", async () => {
      const script = new Script(healingReplies(refused));
      const { panel, text, steps } = await run(script, { format: formats.get("hermes"), onRefusal: "retry" });
      expect([panel.ran, text, steps.length]).toEqual([["read_dial north"], healedAnswer, 2]);
      expect(script.asked[1]).toContain("was not run");
      expect(steps[0].usage.outputTokens).toBe(2);
      expect(steps[0].content.some((part: Loose) => part.type === "tool-error")).toBe(false);
    });

    test("dropped or as text, nothing runs, and the end is no empty stop", async () => {
      const dropped = await run(new Script([refused]), { format: formats.get("hermes"), onRefusal: "drop" });
      expect([dropped.panel.ran, dropped.text, dropped.finish]).toEqual([[], "", "other"]);
      const shown = await run(new Script([refused]), { format: formats.get("hermes"), onRefusal: () => "text" });
      expect([shown.panel.ran, shown.text, shown.finish]).toEqual([[], refused, "stop"]);
      const kinds = [...dropped.ui, ...shown.ui].map((chunk) => chunk.type);
      expect(kinds.filter((kind) => kind.startsWith("tool-"))).toEqual([]);
    });
  });
});
