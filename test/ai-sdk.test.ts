/** `toolpeg/ai-sdk` with the real packages: `ai` 6 and 5 in full, `ai` 7 as far as Node 20 goes. */
import * as ai6 from "ai";
import { convertArrayToReadableStream, MockLanguageModelV3 } from "ai/test";
import * as ai5 from "ai5";
import { MockLanguageModelV2 } from "ai5/test";
import * as ai7 from "ai7";
import { MockLanguageModelV4 } from "ai7/test";
import { formats, type ParseOptions, parse, type Rejection, type TelemetryRecord } from "toolpeg";
import { repairToolCall, type ToolCallMiddlewareOptions, toolCallMiddleware } from "toolpeg/ai-sdk";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { hermes } from "../generated/hermes.ts";
import { corpusRuns, oddChunks } from "./support/corpus-runs.ts";
import { saidTwice, turnSchema } from "./support/said-twice.ts";

const schema = { type: "object", properties: { dial: { type: "string" } }, required: ["dial"] };
const offered = [{ name: "read_dial", parameters: schema }];
const call = (dial: unknown) =>
  `<tool_call>\n${JSON.stringify({ name: "read_dial", arguments: { dial } })}\n</tool_call>\n`;
const reply = `<think>Which?</think>Reading.\n${call("north 😀")}${call(7)}Done.`;
const counted = { callIds: () => (n: number) => `call_${n}` };

type Version = "v2" | "v3" | "v4";
// The three packages have types of their own for the same thing; the tests below treat them alike.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Loose = any;

/** Without the refused calls that the SDK gets. */
const valid = (calls: Loose[]): Loose[] => calls.filter((one) => !one.invalid);

const zero = {
  total: 0,
  noCache: undefined,
  cacheRead: undefined,
  cacheWrite: undefined,
  text: undefined,
  reasoning: undefined,
};

function finishOf(version: Version, word: string) {
  return version === "v2"
    ? { finishReason: word, usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } }
    : { finishReason: { unified: word, raw: word }, usage: { inputTokens: zero, outputTokens: zero } };
}

/** A model that answers its n-th call with the n-th text, in odd chunks, and remembers what it was asked. */
function replaying(
  version: Version,
  texts: string[],
  finish = "stop",
  around: { before?: object[]; after?: object[] } = {},
) {
  const rest = [...texts];
  const Model: Loose = { v2: MockLanguageModelV2, v3: MockLanguageModelV3, v4: MockLanguageModelV4 }[version];
  return new Model({
    doGenerate: async () => ({
      content: [...(around.before ?? []), { type: "text", text: rest.shift() ?? "" }, ...(around.after ?? [])],
      ...finishOf(version, finish),
      warnings: [],
    }),
    doStream: async () => ({
      stream: convertArrayToReadableStream<Loose>([
        { type: "stream-start", warnings: [] },
        ...(around.before ?? []),
        { type: "text-start", id: "1" },
        ...oddChunks(rest.shift() ?? "").map((delta) => ({ type: "text-delta", id: "1", delta })),
        { type: "text-end", id: "1" },
        ...(around.after ?? []),
        { type: "finish", ...finishOf(version, finish) },
      ]),
    }),
  });
}

const sdks: { version: Version; name: string; sdk: Loose }[] = [
  { version: "v3", name: "ai 6", sdk: ai6 },
  { version: "v2", name: "ai 5", sdk: ai5 },
  { version: "v4", name: "ai 7", sdk: ai7 },
];

/** Tools without `execute`: the SDK gives the calls back. */
const shownTools = (sdk: Loose) => ({ read_dial: sdk.tool({ inputSchema: sdk.jsonSchema(schema) }) });

async function streamed(sdk: Loose, request: object) {
  const errors: unknown[] = [];
  const result = sdk.streamText({ ...request, onError: ({ error }: Loose) => errors.push(error) });
  const parts: Loose[] = [];
  for await (const part of result.fullStream) parts.push(part);
  return { parts, errors, result };
}

describe.each(sdks)("$name", ({ version, sdk }) => {
  const wrapped = (model: Loose, options: Partial<ToolCallMiddlewareOptions> = {}) =>
    sdk.wrapLanguageModel({ model, middleware: toolCallMiddleware({ format: "hermes", ...counted, ...options }) });

  test("generateText: text, reasoning, the calls that passed, the finish reason", async () => {
    const model = wrapped(replaying(version, [reply]));
    const result = await sdk.generateText({ model, tools: shownTools(sdk), prompt: "Read it." });
    expect(result.text).toBe(parse(reply, { format: "hermes", tools: offered }).content);
    expect(result.reasoningText).toBe("Which?");
    expect(
      valid(result.toolCalls).map(({ toolCallId, toolName, input }: Loose) => ({ toolCallId, toolName, input })),
    ).toEqual([{ toolCallId: "call_0", toolName: "read_dial", input: { dial: "north 😀" } }]);
    expect(result.finishReason).toBe("tool-calls");
    expect(result.providerMetadata.toolpeg).toMatchObject({ calls: 1, rejections: { schema: 1 } });
  });

  test("where one tool is chosen, a refused call is asked for again: the SDK takes none of another name", async () => {
    const request = () => ({
      model: wrapped(replaying(version, [`Look. ${call(7)}`, call("north")])),
      tools: shownTools(sdk),
      toolChoice: { type: "tool", toolName: "read_dial" },
      prompt: "Read it.",
    });
    const whole = await sdk.generateText(request());
    const { result, errors } = await streamed(sdk, request());
    expect(errors).toEqual([]);
    for (const calls of [whole.toolCalls, await result.toolCalls]) {
      expect(calls).toMatchObject([{ toolName: "read_dial", input: { dial: "north" } }]);
    }
    expect(await result.text).toBe(whole.text);
  });

  test("a check of a schema library that answers later is waited for", async () => {
    const inputSchema = z.object({ dial: z.string().refine(async (dial) => dial !== "south") });
    const tools = { read_dial: sdk.tool({ inputSchema }) };
    const text = `${call("south")}and${call("north")}`;
    const request = () => ({ model: wrapped(replaying(version, [text])), tools, prompt: "Read it." });
    const made = (calls: Loose[]) => valid(calls).map(({ input }: Loose) => input);
    expect(made((await sdk.generateText(request())).toolCalls)).toEqual([{ dial: "north" }]);
    const { result, errors } = await streamed(sdk, request());
    expect(made(await result.toolCalls)).toEqual([{ dial: "north" }]);
    expect(errors).toEqual([]);
  });

  test("the answer goes on with a last message of the assistant", async () => {
    const text = `I might call ${call("north")} but no.</think>Hello.`;
    const asked = { role: "user", content: "Read it." };
    const ask = (messages: object[]) =>
      sdk.generateText({ model: wrapped(replaying(version, [text])), tools: shownTools(sdk), messages });
    const begun = await ask([asked, { role: "assistant", content: "<think>\n" }]);
    expect(valid(begun.toolCalls)).toEqual([]);
    expect(begun.text).toBe("Hello.");
    expect(valid((await ask([asked])).toolCalls)).toHaveLength(1);
  });

  test("streamText: inputs live, a call after its end, a refused one never", async () => {
    const { parts, errors, result } = await streamed(sdk, {
      model: wrapped(replaying(version, [reply])),
      tools: shownTools(sdk),
      prompt: "Read it.",
    });
    expect(errors).toEqual([]);
    expect(await result.text).toBe("Reading.\n\nDone.");
    expect(await result.reasoningText).toBe("Which?");
    expect(await result.finishReason).toBe("tool-calls");
    const kinds = parts.map((part) => part.type);
    expect(valid(parts.filter((part) => part.type === "tool-call")).length).toBe(1);
    expect(kinds.filter((kind) => kind === "tool-input-end").length).toBe(
      kinds.filter((kind) => kind === "tool-input-start").length,
    );
    const started = parts.find((part) => part.type === "tool-input-start");
    const deltas = parts.filter((part) => part.type === "tool-input-delta" && part.id === started.id);
    expect(deltas.length).toBeGreaterThan(2);
    expect(JSON.parse(deltas.map((part) => part.delta).join(""))).toEqual({ dial: "north 😀" });
    const called = parts.find((part) => part.type === "tool-call");
    expect(called).toMatchObject({ toolCallId: started.id, toolName: "read_dial", input: { dial: "north 😀" } });
    expect(parts.indexOf(called)).toBeGreaterThan(parts.lastIndexOf(deltas.at(-1)));
    const texts = parts.filter((part) => part.type === "text-delta");
    expect(new Set(texts.map((part) => part.id)).size).toBe(2);
  });

  test("a whole turn: the tool runs once, its result comes back as text, the past call as the model wrote it", async () => {
    const execute = vi.fn(async () => ({ position: 3 }));
    const model = replaying(version, [`Let me see.\n${call("north")}`, "It stands at 3."]);
    const tools = { read_dial: sdk.tool({ description: "Reads.", inputSchema: sdk.jsonSchema(schema), execute }) };
    const request = { model: wrapped(model), tools, system: "Be brief.", prompt: "North?" };
    const result = await sdk.generateText({ ...request, stopWhen: sdk.stepCountIs(3) });
    expect(result.text).toBe("It stands at 3.");
    expect(execute).toHaveBeenCalledOnce();
    const [first, second] = model.doGenerateCalls;
    expect(first.tools).toBeUndefined();
    expect(first.toolChoice).toBeUndefined();
    const described = [{ ...offered[0], description: "Reads." }];
    expect(first.prompt[0].role).toBe("system");
    expect(first.prompt[0].content).toBe(`Be brief.\n\n${formats.get("hermes").instruction(described)}`);
    const [, , assistant, answer] = second.prompt;
    expect(assistant.role).toBe("assistant");
    const said = assistant.content.map((part: Loose) => part.text).join("");
    expect(parse(said, { format: "hermes", tools: offered })).toMatchObject({
      calls: [{ name: "read_dial", arguments: { dial: "north" } }],
      content: "Let me see.\n",
    });
    expect(answer.role).toBe("user");
    expect(answer.content[0].text).toBe(
      '<tool_response>\n{"name":"read_dial","content":{"position":3}}\n</tool_response>\n',
    );
    expect(second.prompt.length).toBe(4);
  });

  test("a message that was cut runs nothing and keeps its finish reason", async () => {
    const execute = vi.fn(async () => "ran");
    const text = `${call("north")}<tool_call>\n{"name": "read_dial", "arguments": {"dial": "so`;
    const tools = { read_dial: sdk.tool({ inputSchema: sdk.jsonSchema(schema), execute }) };
    const { parts, result } = await streamed(sdk, {
      model: wrapped(replaying(version, [text], "length")),
      tools,
      prompt: "Both?",
    });
    expect(await result.finishReason).toBe("length");
    expect(valid(parts.filter((part) => part.type === "tool-call")).length).toBe(1);
    if (version !== "v2") expect(execute).not.toHaveBeenCalled();
  });

  test("without tools on offer, what looks like a call is text, each word of it once", async () => {
    const text = `Type \`<tool_call>\` first, or <tool_call> alone. It looks so: ${call("north")}And <tool_call>{"na`;
    const whole = await sdk.generateText({ model: wrapped(replaying(version, [text])), prompt: "How does it look?" });
    expect(whole.text).toBe(text);
    expect([whole.toolCalls, whole.finishReason]).toEqual([[], "stop"]);
    const { result } = await streamed(sdk, {
      model: wrapped(replaying(version, [`<think>Hm.</think>${text}`])),
      prompt: "How?",
    });
    expect([await result.text, await result.reasoningText]).toEqual([text, "Hm."]);
  });

  // The newest has all of them.
  const isShare = (_: unknown, index: number) => index % (version === "v4" ? 4 : 8) === (version === "v4" ? 1 : 0);
  test("calls through streamText equal parse, for corpus cases", async () => {
    const runs = corpusRuns().filter(isShare);
    for (const { name, text, options, whole } of runs) {
      const { format, policy, prefill, marker, intent } = options as ParseOptions & { format: string };
      const tools: Loose = {};
      for (const one of options.tools as Loose[]) {
        const { name: toolName, parameters } = one.function ?? one;
        tools[toolName] = sdk.tool({ inputSchema: sdk.jsonSchema(parameters ?? { type: "object" }) });
      }
      const finish = options.finishReason ?? "unknown";
      const { result } = await streamed(sdk, {
        model: wrapped(replaying(version, [text], finish), { format, policy, prefill, marker, intent }),
        tools,
        prompt: "Go.",
      });
      const calls = valid(await result.toolCalls).map(({ toolName, input }: Loose) => [toolName, input]);
      expect({ name, calls }).toEqual({
        name,
        calls: whole.calls.map((one) => [one.name, one.arguments]),
      });
      if (options.tools.length > 0) expect({ name, text: await result.text }).toEqual({ name, text: whole.content });
    }
  });
});

describe("the middleware", () => {
  const wrap = (model: Loose, options: Partial<ToolCallMiddlewareOptions> = {}) =>
    ai6.wrapLanguageModel({ model, middleware: toolCallMiddleware({ format: "hermes", ...options }) });
  const tools = shownTools(ai6);

  test("fits the types of ai 5, 6 and 7", () => {
    const middleware = toolCallMiddleware({ format: "hermes" });
    const five: ai5.LanguageModelMiddleware = middleware;
    const six: ai6.LanguageModelMiddleware = middleware;
    const seven: ai7.LanguageModelMiddleware = middleware;
    expect([five, six, seven]).toEqual([middleware, middleware, middleware]);
  });

  test("ids differ between messages", async () => {
    const ids = async () => {
      const result = await ai6.generateText({ model: wrap(replaying("v3", [call("n")])), tools, prompt: "Go." });
      return result.toolCalls.map((one) => one.toolCallId);
    };
    const [[one], [other]] = [await ids(), await ids()];
    expect(one).toMatch(/^call_[a-z0-9]{24}$/);
    expect(one).not.toBe(other);
  });

  test("reports what was refused, and keeps records without model text", async () => {
    const rejections: Rejection[] = [];
    const records: TelemetryRecord[] = [];
    const model = wrap(replaying("v3", [reply]), {
      onRejection: (rejection) => rejections.push(rejection),
      onTelemetry: (record) => records.push(record),
    });
    await ai6.generateText({ model, tools, prompt: "Go." });
    expect(rejections.map((one) => one.reason)).toEqual(["schema"]);
    expect(formats.get("hermes").correction(rejections[0])).toContain("read_dial");
    expect(records).toMatchObject([{ format: "hermes", calls: 1 }]);
  });

  test.each([...formats])(
    "$id: text behind a call that passed is in the content, and behind the call",
    async (format) => {
      const [good, unknown] = ["read_dial", "read_dail"].map((name) =>
        format.renderCall({ name, arguments: { dial: "n" } }),
      );
      const text = `Before that.\n${good}\nBetween them.\n${unknown}\nBehind that.`;
      const { calls, content, nodes } = parse(text, { format, tools: offered });
      const shownTo = (to: number, withRefused = false) =>
        nodes
          .filter(({ type, end }) => end <= to && (type === "content" || (withRefused && type === "rejected")))
          .map(({ start, end }) => text.slice(start, end))
          .join("");
      for (const onRefusal of ["feed-back", "drop", "text"] as const) {
        const model = wrap(replaying("v3", [text]), { format, onRefusal });
        const result = await ai6.generateText({ model, tools, prompt: "Go." });
        const isText = onRefusal === "text";
        expect(result.text).toBe(isText ? shownTo(text.length, true) : content);
        const before: string[] = [];
        let said = "";
        for (const part of result.content) {
          if (part.type === "text") said += part.text;
          else if (part.type === "tool-call" && !part.invalid) before.push(said);
        }
        expect(before).toEqual(calls.map(({ start }) => shownTo(start, isText)));
      }
    },
  );

  test("calls between texts keep their order, one that the provider has read as well", async () => {
    const functionCall = (dial: string) =>
      `<tool_call>\n<function=read_dial>\n<parameter=dial>\n${dial}\n</parameter>\n</function>\n</tool_call>`;
    const first = `<think>Which?</think>A${functionCall("a")}${functionCall("b")}B`;
    const second = `C${functionCall("c")}D`;
    const parts = [text(first), nativeCall("n"), text(second)];
    for (const onRefusal of ["feed-back", "drop", "text"] as const) {
      const model = wrap(saying(parts), { format: "qwen3_coder", onRefusal });
      const { content } = await ai6.generateText({ model, tools, prompt: "Go." });
      const said = content.map((part: Loose) => part.text ?? part.input.dial);
      expect({ onRefusal, said }).toEqual({ onRefusal, said: ["Which?", "A", "a", "b", "B", "n", "C", "c", "D"] });
    }
    // Text behind what was refused waits for the end, and the calls keep their places in it.
    const unknown = call("x").replace("read_dial", "read_gauge");
    for (const onRefusal of ["drop", "text"] as const) {
      const mixed = [text(`A${unknown}B${call("b")}C`), nativeCall("n"), text(call("c"))];
      const request = { model: wrap(saying(mixed), { onRefusal }), tools, prompt: "Go." };
      const { content, toolCalls } = await ai6.generateText(request);
      const said = content.map((part: Loose) => (part.text ?? part.input.dial).trim());
      const shown = onRefusal === "text" ? `A${unknown}B` : "A\nB";
      expect(said.filter((one) => one !== "")).toEqual([shown, "b", "C", "n", "c"]);
      const dials = (calls: Loose[]) => calls.map(({ input }) => input.dial);
      expect(dials(await (await streamed(ai6, request)).result.toolCalls)).toEqual(dials(toolCalls));
    }
  });

  test("a call in thoughts that the provider has split off, and nothing else, is refused", async () => {
    for (const id of ["hermes", "qwen3_coder", "mistral", "deepseek_v31", "llama3_json", "harmony"]) {
      const format = formats.get(id);
      const written = format.renderCall({ name: "read_dial", arguments: { dial: "north" } });
      const delta = { type: "reasoning-delta", id: "r", delta: written };
      const thoughts = [{ type: "reasoning-start", id: "r" }, delta, { type: "reasoning-end", id: "r" }];
      const refused: unknown[] = [];
      const made = async (...further: Loose[]) => {
        const onRejection = ({ reason }: Rejection) => refused.push(reason);
        const model = wrap(saying([...thoughts, ...further]), { format, onRejection });
        const request = { model, tools, prompt: "Go." };
        const { result } = await streamed(ai6, request);
        const whole = await ai6.generateText(request);
        expect([await result.finishReason, await result.text]).toEqual([whole.finishReason, whole.text]);
        return [whole.reasoningText, whole.text, whole.toolCalls.map(({ toolName }) => toolName)];
      };
      expect([format.id, ...(await made())]).toEqual([
        format.id,
        delta.delta,
        "",
        [expect.stringMatching(/^refused_/)],
      ]);
      expect([format.id, ...new Set(refused.splice(0))]).toEqual([format.id, "in-reasoning"]);
      expect((await made(text("So."))).at(2)).toEqual([]);
      expect(refused).toEqual([]);
    }
  });

  test("text: what the model made up of another turn is not shown, and the message does not end as an empty stop", async () => {
    const madeUp = `[INST] hi [/INST]${call("north")}`;
    const model = () => wrap(replaying("v3", [madeUp]), { onRefusal: "text" });
    const whole = await ai6.generateText({ model: model(), tools, prompt: "Go." });
    expect([whole.content, whole.finishReason]).toEqual([[], "other"]);
    const { result } = await streamed(ai6, { model: model(), tools, prompt: "Go." });
    expect([await result.text, await result.finishReason]).toEqual(["", "other"]);
  });

  test("passes on what is not text, in its place, and counts native calls", async () => {
    const source = { type: "source", sourceType: "url", id: "s", url: "https://example.org" };
    const native = { type: "tool-call", toolCallId: "n", toolName: "read_dial", input: '{"dial":"n"}' };
    const model = wrap(replaying("v3", ["Look. "], "tool-calls", { before: [source], after: [native] }));
    const result = await ai6.generateText({ model, tools, prompt: "Go." });
    expect(result.content.map((part) => part.type)).toEqual(["source", "text", "tool-call"]);
    expect(result.finishReason).toBe("tool-calls");
    const alone = await ai6.generateText({ model: wrap(replaying("v3", ["No."], "tool-calls")), tools, prompt: "Go." });
    expect(alone.finishReason).toBe("stop");
    const { parts } = await streamed(ai6, {
      model: wrap(replaying("v3", ["Look. "], "tool-calls", { before: [source], after: [native] })),
      tools,
      prompt: "Go.",
    });
    expect(parts.filter((part) => part.type === "source" || part.type === "tool-call").length).toBe(2);
  });

  test("tool choice: none offers nothing, a tool only that one, required asks for a call", async () => {
    const both: Loose = { ...tools, list_dials: ai6.tool({ inputSchema: ai6.jsonSchema({ type: "object" }) }) };
    const ask = async (toolChoice: Loose, text: string) => {
      const model = replaying("v3", [text]);
      const result = await ai6.generateText({ model: wrap(model), tools: both, toolChoice, prompt: "Go." });
      return { system: String(model.doGenerateCalls[0].prompt[0].content), calls: valid(result.toolCalls).length };
    };
    expect(await ask("none", call("n"))).toMatchObject({ calls: 0 });
    const listing = '<tool_call>{"name": "list_dials", "arguments": {}}</tool_call>';
    const one = await ask({ type: "tool", toolName: "list_dials" }, call("n") + listing);
    expect(one.calls).toBe(1);
    expect(one.system).not.toContain('{"name":"read_dial","parameters"');
    expect((await ask("required", call("n"))).system).toContain("must be called");
  });

  test("tool choice holds for native calls", async () => {
    const input = { type: "tool-input-start", id: "n_north", toolName: "read_dial" };
    const listing = '<tool_call>{"name": "list_dials", "arguments": {}}</tool_call>';
    const parts = [text("Look."), input, nativeCall("north")];
    const both: Loose = { ...tools, list_dials: ai6.tool({ inputSchema: ai6.jsonSchema({ type: "object" }) }) };
    const ask = async (toolChoice: Loose, said = "") => {
      const request = { model: wrap(saying([...parts, text(said)])), tools: both, toolChoice, prompt: "Go." };
      const streamedAnswer = await streamed(ai6, request);
      const whole = await ai6.generateText(request);
      const { result } = streamedAnswer;
      const begun = streamedAnswer.parts.filter(({ type }) => type === "tool-input-start");
      const called = (await result.toolCalls).map(({ toolName }: Loose) => toolName);
      expect(begun.map(({ toolName }) => toolName)).toEqual(called.filter((name: string) => !/^refused_/.test(name)));
      expect(whole.toolCalls.map(({ toolName }) => toolName)).toEqual(called);
      expect([await result.text, await result.finishReason]).toEqual([whole.text, whole.finishReason]);
      return [whole.text, called, whole.finishReason];
    };
    expect(await ask("none")).toEqual(["Look.", [], "stop"]);
    const named = { type: "tool", toolName: "list_dials" };
    expect(await ask(named, listing)).toEqual(["Look.", ["list_dials", "refused_read_dial"], "tool-calls"]);
    // Where nothing else stands in the message, it does not end as an empty stop.
    const alone = async (toolChoice: Loose, options: Partial<ToolCallMiddlewareOptions> = {}) => {
      const refused: Rejection[] = [];
      const model = wrap(saying([nativeCall("north")]), { onRejection: (one) => refused.push(one), ...options });
      const { result } = await streamed(ai6, { model, tools: both, toolChoice, prompt: "Go." });
      const names = (await result.toolCalls).map(({ toolName }: Loose) => toolName);
      expect(refused.map(({ reason, name }) => [reason, name])).toEqual([["unknown-tool", "read_dial"]]);
      return [await result.text, names, await result.finishReason];
    };
    const said = expect.stringContaining('call of "read_dial" was refused and not run: unknown-tool: tool_choice');
    expect(await alone("none")).toEqual([said, [], "stop"]);
    expect(await alone("none", { onRefusal: "drop" })).toEqual([said, [], "stop"]);
    expect(await alone(named, { maxRetries: 0 })).toEqual(["", ["refused_read_dial"], "tool-calls"]);
    expect(await alone(named, { onRefusal: "text" })).toEqual([said, [], "stop"]);
    expect(await alone(named, { onRefusal: "drop" })).toEqual(["", [], "other"]);
    expect(await ran(parts)).toEqual(["north"]);
    expect(await ran(parts, { toolChoice: { type: "tool", toolName: "read_dial" } })).toEqual(["north"]);
  });

  test("prompt native leaves prompt and tools alone and still reads the answer", async () => {
    const model = replaying("v3", [call("n")]);
    const result = await ai6.generateText({ model: wrap(model, { prompt: "native" }), tools, prompt: "Go." });
    expect(model.doGenerateCalls[0].tools.length).toBe(1);
    expect(model.doGenerateCalls[0].prompt.length).toBe(1);
    expect(result.toolCalls.length).toBe(1);
  });

  test("a list of formats writes in its first, auto needs a model that is known", async () => {
    const model = replaying("v3", [""]);
    await ai6.generateText({ model: wrap(model, { promptFormat: "deepseek_v31" }), tools, prompt: "Go." });
    expect(model.doGenerateCalls[0].prompt[0].content).toContain(formats.get("deepseek_v31").instruction(offered));
    const unknown = wrap(replaying("v3", [""]), { format: "auto" });
    await expect(ai6.generateText({ model: unknown, tools, prompt: "Go.", maxRetries: 0 })).rejects.toThrow(
      "promptFormat",
    );
    expect(() => toolCallMiddleware({ format: "hermex" })).toThrow('Did you mean "hermes"');
    expect(() => (toolCallMiddleware as Loose)()).toThrow("toolCallMiddleware() needs options");
    expect(() => toolCallMiddleware({ format: hermes, onRejecton: () => {} } as never)).toThrow('"onRejection"');
    expect(() => toolCallMiddleware({ format: hermes, onRefusal: "retri" as never })).toThrow('"retry"');
    const of = (more: object) => () => toolCallMiddleware({ format: hermes, ...more } as never);
    expect(of({ prompt: "natve" })).toThrow('prompt cannot be "natve" (did you mean "native"?)');
    expect(of({ renderResult: "json" })).toThrow("renderResult must be a function");
    expect(of({ callIds: "call" })).toThrow("callIds must be a function");
    expect(of({ intent: "yes" })).toThrow("intent must be true or false");
    expect(of({ policy: null })).toThrow("policy must be an object");
    expect(() => toolCallMiddleware({ format: "hermes", policy: { shema: "off" } as never })).toThrow("schema");
  });

  test("an error of the server reaches the SDK; the open call is not sent", async () => {
    const failing = new MockLanguageModelV3({
      doStream: async () => ({
        stream: new ReadableStream<Loose>({
          start(controller) {
            controller.enqueue({ type: "text-start", id: "1" });
            controller.enqueue({ type: "text-delta", id: "1", delta: call("north").slice(0, 60) });
            controller.enqueue({ type: "error", error: new Error("connection lost") });
            controller.enqueue({ type: "finish", ...finishOf("v3", "error") });
            controller.close();
          },
        }),
      }),
    });
    const { parts, errors } = await streamed(ai6, { model: wrap(failing), tools, prompt: "Go." });
    expect(String(errors[0])).toContain("connection lost");
    expect(parts.some((part) => part.type === "tool-call")).toBe(false);
    expect(parts.some((part) => part.type === "tool-input-end")).toBe(true);
  });

  /** A model whose stream, and whose whole answer, is made of these parts. */
  const saying = (parts: Loose[], finish: object = finishOf("v3", "stop")) =>
    new MockLanguageModelV3({
      doGenerate: async () => ({
        content: parts.flatMap((part): Loose[] => {
          if (part.type === "text-delta") return [{ type: "text", text: part.delta }];
          if (part.type === "reasoning-delta") return [{ type: "reasoning", text: part.delta }];
          return part.type === "tool-call" ? [part] : [];
        }),
        ...(finish as Loose),
        warnings: [],
      }),
      doStream: async () => ({
        stream: convertArrayToReadableStream<Loose>([
          ...parts,
          ...(finish === none ? [] : [{ type: "finish", ...finish }]),
        ]),
      }),
    });
  const none = {};
  const text = (delta: string) => ({ type: "text-delta", id: "t", delta });
  const thought = [
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-delta", id: "r", delta: "Hm." },
    { type: "reasoning-end", id: "r" },
  ];
  const nativeCall = (dial: string) => ({
    type: "tool-call",
    toolCallId: `n_${dial}`,
    toolName: "read_dial",
    input: `{ "dial": "${dial}" }`,
  });
  const dialsOf = (calls: Loose[]) => valid(calls).map((one) => one.input.dial);
  /** What runs of these parts, whole and streamed: the same. */
  async function ran(parts: Loose[], more: Loose = {}): Promise<unknown[]> {
    const request = { model: wrap(saying(parts)), tools, prompt: "Go.", ...more };
    const { result } = await streamed(ai6, request);
    const dials = dialsOf(await result.toolCalls);
    expect(dialsOf((await ai6.generateText(request)).toolCalls)).toEqual(dials);
    return dials;
  }

  test("a call is not put together across thoughts", async () => {
    const [first, second] = [call("north").slice(0, 40), call("north").slice(40)];
    expect(await ran([text(first), ...thought, text(second)])).toEqual([]);
    expect(await ran([text(first.slice(0, 5)), ...thought, text(first.slice(5) + second)])).toEqual([]);
    expect(await ran([text(`Look. ${call("north")}`), ...thought, text(call("south"))])).toEqual(["north", "south"]);
    // Nor across one that the provider reads, however far that has come.
    const begun = [{ type: "tool-input-start", id: "n", toolName: "list_dials" }];
    const { result } = await streamed(ai6, {
      model: wrap(saying([text(first), ...begun, text(second)])),
      tools,
      prompt: "Go.",
    });
    expect(dialsOf((await result.toolCalls).filter(({ invalid }: Loose) => !invalid))).toEqual([]);
    // What was begun live ends as a failed call, not in the air.
    const { parts } = await streamed(ai6, {
      model: wrap(saying([text(first), ...thought, text(second)])),
      tools,
      prompt: "Go.",
    });
    expect(parts.filter((part) => part.type === "tool-error").length).toBe(1);
  });

  test("text parts that interleave are read one after the other, as in a whole answer", async () => {
    const [begin, end] = call("north").split(/(?=north)/);
    const start = (id: string) => ({ type: "text-start", id });
    const delta = (id: string, delta: string) => ({ type: "text-delta", id, delta });
    const close = (id: string) => ({ type: "text-end", id });
    const request = (parts: Loose[]) => ({ model: wrap(saying(parts)), tools, prompt: "Go." });
    const mixed = [start("a"), start("b"), delta("a", begin), delta("b", "south"), delta("a", end), delta("b", "!")];
    const oneByOne = [delta("a", begin + end), close("a"), delta("b", "south!")];
    const { toolCalls, text: said } = await ai6.generateText(request(oneByOne));
    expect([dialsOf(toolCalls), said.trim()]).toEqual([["north"], "south!"]);
    for (const ends of [["a", "b"], ["b", "a"], []]) {
      const { result } = await streamed(ai6, request([...mixed, ...ends.map(close)]));
      expect([dialsOf(await result.toolCalls), (await result.text).trim()]).toEqual([["north"], "south!"]);
    }
    // What waits when the stream breaks off is no call, and no text either.
    const broken = [start("a"), delta("a", "Look."), start("b"), delta("b", call("south"))];
    const { parts } = await streamed(ai6, request([...broken, { type: "error", error: new Error("lost") }]));
    const deltas = parts.filter(({ type }) => type === "text-delta").map((part) => part.text);
    expect(deltas.join("").trim()).toBe("Look.");
    expect(parts.some(({ type }) => type === "tool-call")).toBe(false);
  });

  test("a call that stands in the text and comes natively is made once", async () => {
    expect(await ran([text(call("north")), nativeCall("north")])).toEqual(["north"]);
    expect(await ran([nativeCall("north"), text(call("north"))])).toEqual(["north"]);
    expect(await ran([text(call("north")), nativeCall("south")])).toEqual(["north", "south"]);
    expect(await ran([nativeCall("south"), text(call("north") + call("north"))])).toEqual(["south", "north", "north"]);
    const streamedNative = [
      { type: "tool-input-start", id: "n_north", toolName: "read_dial" },
      { type: "tool-input-delta", id: "n_north", delta: '{ "dial": "north" }' },
      { type: "tool-input-end", id: "n_north" },
      nativeCall("north"),
    ];
    const { parts } = await streamed(ai6, {
      model: wrap(saying([text(call("north")), ...streamedNative])),
      tools,
      prompt: "",
    });
    expect(parts.filter((part) => part.type === "tool-input-start").length).toBe(1);
  });

  test("one that the provider has executed itself is not made again", async () => {
    const native = { ...nativeCall("north"), providerExecuted: true };
    const told = {
      type: "tool-result",
      toolCallId: "n_north",
      toolName: "read_dial",
      result: "ok",
      providerExecuted: true,
    };
    const made = async (parts: Loose[], way: string) => {
      const all: unknown[] = [];
      const execute = async ({ dial }: Loose) => all.push(dial);
      const own = { read_dial: ai6.tool({ inputSchema: ai6.jsonSchema(schema as Loose), execute }) };
      const request = { model: wrap(saying(parts)), tools: own, prompt: "Go." };
      if (way === "whole") await ai6.generateText(request);
      else await streamed(ai6, request);
      return all;
    };
    for (const way of ["whole", "stream"]) {
      expect(await made([native, told, text(call("north"))], way)).toEqual([]);
      expect(await made([native, told, text(call("south"))], way)).toEqual(["south"]);
    }
    expect(await made([text(call("north")), native, told], "whole")).toEqual([]);
    const elsewhere = [
      { ...native, toolName: "search" },
      { ...told, toolName: "search" },
    ];
    expect(await made([text(call("north")), ...elsewhere], "whole")).toEqual(["north"]);
  });

  test.each(saidTwice)("one that the provider reads otherwise is made once: $what", async (one) => {
    const native = { type: "tool-call", toolCallId: "n", toolName: "turn", input: one.native };
    const executed = async (parts: Loose[]) => {
      const all: unknown[] = [];
      const execute = async (given: unknown) => all.push(given);
      const turn = { turn: ai6.tool({ inputSchema: ai6.jsonSchema(turnSchema as Loose), execute }) };
      const model = wrap(saying(parts), { format: formats.get(one.format) });
      await ai6.generateText({ model, tools: turn, prompt: "Go.", experimental_repairToolCall: repairToolCall });
      const whole = all.splice(0);
      const { errors } = await streamed(ai6, {
        model: wrap(saying(parts), { format: formats.get(one.format) }),
        tools: turn,
        prompt: "Go.",
        experimental_repairToolCall: repairToolCall,
      });
      expect([errors, all]).toEqual([[], whole]);
      return whole;
    };
    expect(await executed([text(one.text), native])).toEqual([one.runs]);
    expect(await executed([native, text(one.text)])).toHaveLength(1);
    expect(await executed([text(one.text), { ...native, input: '{"n": 6}' }])).toEqual([one.runs, { n: 6 }]);
  });

  test("where JSON was asked for, JSON is the answer", async () => {
    const output = ai6.Output.object({ schema: ai6.jsonSchema<{ name: string }>({ type: "object" }) });
    const answer = JSON.stringify({ name: "read_dial", arguments: { dial: "north" }, note: call("north") });
    const answering = (format: string) =>
      ai6.generateText({
        model: wrap(replaying("v3", [answer]), { format: formats.get(format) }),
        tools,
        prompt: "Go.",
        output,
      });
    for (const format of ["hermes", "llama3_json", "json_array", "strict_json"]) {
      const result = await answering(format);
      expect([format, result.toolCalls, result.output]).toEqual([format, [], JSON.parse(answer)]);
    }
    // A closer behind it that closes nothing is framing, as everywhere; in a string it is text.
    const closed = (text: string) =>
      ai6.generateText({ model: wrap(replaying("v3", [text])), tools, prompt: "Go.", output });
    for (const stray of ["</tool_call>", "\n</tool_call>\n", "<|im_end|>"])
      expect((await closed(`{"name": "</tool_call>"}${stray}`)).output).toEqual({ name: "</tool_call>" });
    // A call on the way to the answer is a call all the same.
    for (const begun of [
      "Let me see. ",
      "1. Look.\n",
      "12 dials.\n",
      "true so far: ",
      "- Look.\n",
      "`north` first. ",
      "[Docs](a) say so. ",
      "\n",
    ]) {
      expect(await ran([text(begun + call("north"))], { output })).toEqual(["north"]);
    }
    const begun = [
      '```json\n{"name": "x"}\n```\n',
      '{"name": "x"}',
      '[{"note": ',
      "[true, ",
      '"',
      "12\n",
      "null",
      "-1 ",
    ];
    for (const answer of begun.map((text) => text + call("north"))) {
      for (const before of ["", "<think>Hm.</think>", `<think>${call("north")}</think>`, "<|im_start|>assistant\n"]) {
        const said = [text(before + answer)];
        const { parts } = await streamed(ai6, { model: wrap(saying(said)), tools, prompt: "Go.", output });
        const deltas = parts.filter(({ type }) => type === "text-delta").map((part) => part.text);
        expect([deltas.join(""), parts.some(({ type }) => type === "tool-call")]).toEqual([answer, false]);
      }
    }
    // So is one that the prompt has begun, but no call that it has.
    const replies: [string, string, number][] = [
      ["Here, `as` JSON:\n", `{"name": "x"}\n${call("north")}`, 0],
      ["<think>", `Hm.</think>{"name": "x"}${call("north")}`, 0],
      ["<think>", `{"plan": 1}</think>${call("north")}`, 1],
      ["<tool_call>", call("north").replace("<tool_call>", ""), 1],
    ];
    for (const [prefill, reply, calls] of replies) {
      const { parts } = await streamed(ai6, {
        model: wrap(saying([text(reply)]), { prefill }),
        tools,
        prompt: "Go.",
        output,
      });
      expect(parts.filter(({ type }) => type === "tool-call")).toHaveLength(calls);
    }
  });

  test("where JSON was asked for, every format makes its calls but those that an answer may look like", async () => {
    const written = [...formats].map((format) => [
      format,
      format.renderCall({ name: "read_dial", arguments: { dial: "n" } }),
    ]);
    const responseFormat = { type: "json" };
    const offered = [{ type: "function", name: "read_dial", inputSchema: schema }];
    const callsOf = async (format: Loose, said: string, stream: boolean) => {
      const { wrapGenerate, wrapStream } = toolCallMiddleware({ format, intent: true });
      const params = { prompt: [], tools: offered, responseFormat };
      if (!stream) {
        const doGenerate = async () => ({ content: [text(said)], finishReason: "stop" });
        const { content } = await wrapGenerate({ params, model: { modelId: "m", doGenerate } });
        return (content as Loose[]).filter(({ type }) => type === "tool-call").length;
      }
      const deltas = [...said].map((delta) => ({ type: "text-delta", id: "1", delta }));
      const doStream = async () => ({
        stream: convertArrayToReadableStream<Loose>([...deltas, { type: "finish", finishReason: "stop" }]),
      });
      const { stream: parts } = await wrapStream({ params, model: { modelId: "m", doStream } });
      let calls = 0;
      for await (const { type } of parts as AsyncIterable<Loose>) if (type === "tool-call") calls++;
      return calls;
    };
    // An answer that the host has begun goes on.
    const { wrapGenerate } = toolCallMiddleware({ format: "hermes" });
    const prompt = [{ role: "assistant", content: [{ type: "text", text: '{"note": "' }] }];
    const doGenerate = async () => ({ content: [text(`See ${call("north")}"}`)], finishReason: "stop" });
    const params = { prompt, tools: offered, responseFormat };
    const goingOn = await wrapGenerate({ params, model: { modelId: "m", doGenerate } });
    expect(goingOn.content).toMatchObject([{ type: "text", text: `See ${call("north")}"}` }]);
    for (const [format, said] of written as [Loose, string][]) {
      const isJson = /^(?:\{|\[\s*\{)/.test(said);
      for (const stream of [true, false]) {
        expect([format.id, await callsOf(format, said, stream)]).toEqual([format.id, isJson ? 0 : 1]);
        const [thinks] = format.reasoning;
        if (!isJson || thinks === undefined) continue;
        const thought = `${thinks.open}Hm.${thinks.close}`;
        expect([format.id, await callsOf(format, thought + said, stream)]).toEqual([format.id, 0]);
      }
    }
  });

  test("a stream that breaks off is an error, and delivers no call that was open", async () => {
    // It lacks only its closer: at the end of a message it would be a call.
    const open = text(call("north").replace("</tool_call>\n", ""));
    for (const parts of [[open], [open, { type: "error", error: new Error("connection lost") }]]) {
      const model = wrap(saying(parts, none));
      const seen = await streamed(ai6, { model, tools, prompt: "Go." });
      expect(seen.errors.length).toBe(1);
      expect(seen.parts.some((part) => part.type === "tool-call")).toBe(false);
    }
    // What comes behind the error is read on: the rest of the call is none of the text.
    const whole = `Look. ${call("north")}So.`;
    const refused: string[] = [];
    for (const at of [3, 20, 60, whole.length]) {
      const halves = [text(whole.slice(0, at)), { type: "error", error: new Error("lost") }, text(whole.slice(at))];
      const model = wrap(saying(halves), { onRejection: ({ name, reason }) => refused.push(`${name} ${reason}`) });
      const { parts } = await streamed(ai6, { model, tools, prompt: "Go." });
      const deltas = parts.filter(({ type }) => type === "text-delta").map((part) => part.text);
      expect(deltas.join("").replace(/\s+/g, " ")).toBe("Look. So.");
      expect(parts.filter(({ type }) => type === "tool-call").length).toBe(at === whole.length ? 1 : 0);
    }
    expect(refused).toEqual(Array(3).fill("read_dial truncated"));
    const made = saying([text(call("north")), { type: "error", error: new Error("lost") }]);
    expect(await (await streamed(ai6, { model: wrap(made), tools, prompt: "Go." })).result.finishReason).toBe(
      "tool-calls",
    );
    const after = [{ type: "error", error: new Error("lost") }, text(call("north"))];
    const failed = await streamed(ai6, { model: wrap(saying(after, finishOf("v3", "error"))), tools, prompt: "Go." });
    expect(failed.parts.some((part) => part.type === "tool-call")).toBe(false);
    expect(await failed.result.finishReason).toBe("error");
  });

  test("with no tool to choose, a stream that fails shows what looks like a call, as a whole answer does", async () => {
    const lost = { type: "error", error: new Error("lost") };
    const [whole, half] = [`Look. ${call("north").trim()}`, ` So. ${call("south").slice(0, 30)}`];
    for (const [parts, said] of [
      [[text(whole), lost], whole],
      [[text(whole), lost, text(half)], whole + half],
      [[text(half)], half],
    ] as const) {
      const model = wrap(saying([...parts], none));
      const seen = await streamed(ai6, { model, tools, toolChoice: "none", prompt: "Go." });
      const deltas = seen.parts.filter(({ type }) => type === "text-delta").map((part) => part.text);
      expect(deltas.join("")).toBe(said);
      expect(seen.parts.some(({ type }) => type === "tool-call")).toBe(false);
      expect(seen.errors.length).toBe(1);
    }
  });

  test("what was held back comes before the error of a stream that throws", async () => {
    const { wrapStream } = toolCallMiddleware({ format: "hermes" });
    const delta = { type: "text-delta", id: "0", delta: "Look at <to" };
    const parts = [{ type: "text-start", id: "0" }, delta];
    const source = new ReadableStream<Loose>({
      pull(controller) {
        const next = parts.shift();
        if (next === undefined) controller.error(new Error("lost"));
        else controller.enqueue(next);
      },
    });
    const { stream } = await wrapStream({
      params: { prompt: [], tools: [{ type: "function", name: "read_dial", inputSchema: { type: "object" } }] },
      model: { modelId: "m", doStream: async () => ({ stream: source }) },
    });
    let said = "";
    const read = async () => {
      for await (const part of stream) if (part.type === "text-delta") said += part.delta;
    };
    await expect(read()).rejects.toThrow("lost");
    expect(said).toBe("Look at <to");
  });

  test("an answer that ends in an error delivers the calls that were complete, whole or streamed", async () => {
    const { wrapGenerate, wrapStream } = toolCallMiddleware({ format: "hermes" });
    const params = {
      prompt: [],
      tools: [{ type: "function", name: "read_dial", inputSchema: { type: "object" } }],
    };
    const types = async (said: string, finishReason: string, before: object[] = []) => {
      const doGenerate = async () => ({ content: [...before, text(said)], finishReason });
      const source = new ReadableStream<Loose>({
        start(controller) {
          for (const part of [...before, { type: "text-start", id: "1" }, { type: "text-delta", id: "1", delta: said }])
            controller.enqueue(part);
          controller.enqueue({ type: "text-end", id: "1" });
          controller.enqueue({ type: "finish", finishReason, usage: {} });
          controller.close();
        },
      });
      const { content } = await wrapGenerate({ params, model: { modelId: "m", doGenerate } });
      const { stream } = await wrapStream({
        params,
        model: { modelId: "m", doStream: async () => ({ stream: source }) },
      });
      const streamed: string[] = [];
      for await (const { type } of stream) streamed.push(type);
      const whole = (content as Loose[]).map(({ type }) => type);
      expect(streamed.filter((type) => type === "tool-call")).toEqual(whole.filter((type) => type === "tool-call"));
      return whole;
    };
    expect(await types(`Look. ${call("north")}`, "stop")).toEqual(["text", "tool-call"]);
    expect(await types(`Look. ${call("north")}`, "error")).toEqual(["text", "tool-call"]);
    expect(await types(`Look. ${call("north").slice(0, 40)}`, "error")).toEqual(["text"]);
    // Behind one that the provider has read itself, which might have come once more.
    const native = { type: "tool-call", toolCallId: "n", toolName: "read_dial", input: '{"dial":"south"}' };
    expect(await types(call("north"), "error", [native])).toEqual(["tool-call", "tool-call"]);
    expect(await types(call("south"), "error", [native])).toEqual(["tool-call"]);
    expect(await types(call("north").slice(0, 40), "error", [native])).toEqual(["tool-call"]);
  });

  test("a second try that says nothing leaves what was refused to be fed back", async () => {
    for (const nothing of ["", "<think>Hm.</think>"]) {
      const request = () => ({
        model: wrap(replaying("v3", [`Look. ${call(7)}`, nothing]), { onRefusal: "retry" }),
        tools,
        prompt: "Go.",
      });
      const answered = await ai6.generateText(request());
      const { result } = await streamed(ai6, request());
      for (const { toolCalls, finishReason } of [
        answered,
        { toolCalls: await result.toolCalls, finishReason: await result.finishReason },
      ]) {
        expect([toolCalls.map(({ toolName }: Loose) => toolName), finishReason]).toEqual([
          ["refused_read_dial"],
          "tool-calls",
        ]);
      }
    }
  });

  test("files in a result go to the model behind its text", async () => {
    const file = { type: "file-data", data: "QUJD", mediaType: "image/png", filename: "a.png" };
    const value = [{ type: "text", text: "See" }, file];
    const model = replaying("v3", ["Nice."]);
    const messages: Loose = [
      { role: "user", content: "Look." },
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "1", toolName: "look", input: {} }] },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "1", toolName: "look", output: { type: "content", value } }],
      },
    ];
    await ai6.generateText({ model: wrap(model), tools, messages });
    expect(model.doGenerateCalls[0].prompt.at(-1).content).toEqual([
      { type: "text", text: expect.stringContaining("See[file-data image/png]") },
      { ...file, type: "file" },
    ]);
  });

  test("a request that was ended is not asked again for", async () => {
    const ending = new AbortController();
    const model = replaying("v3", [call(7), call("north")]);
    const onRefusal = () => {
      ending.abort();
      return "retry" as const;
    };
    const request = {
      model: wrap(model, { onRefusal }),
      tools,
      prompt: "Go.",
      abortSignal: ending.signal,
      maxRetries: 0,
    };
    await expect(ai6.generateText(request)).rejects.toThrow();
    expect(model.doGenerateCalls.length).toBe(1);
  });

  test("a consumer that stops early cancels the server's stream", async () => {
    const cancelled = vi.fn();
    const endless = {
      doStream: async () => ({
        stream: new ReadableStream<Loose>({
          async pull(controller) {
            await new Promise((resolve) => setTimeout(resolve, 0));
            controller.enqueue({ type: "text-delta", id: "1", delta: "word " });
          },
          cancel: cancelled,
        }),
      }),
      modelId: "m",
    };
    const { wrapStream } = toolCallMiddleware({ format: "hermes" });
    const { stream } = await wrapStream({ params: { prompt: [] }, model: endless });
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(cancelled).toHaveBeenCalledOnce();
  });
});

test("parts of a second try have ids of their own", async () => {
  const texts = [`<think>Hm.</think>Look. ${call(7)}`, `Again. ${call("north")}`];
  const middleware = toolCallMiddleware({ format: hermes, onRefusal: "retry" });
  const model = ai6.wrapLanguageModel({ model: replaying("v3", texts), middleware });
  const tools = [{ type: "function" as const, name: "read_dial", inputSchema: schema as Loose }];
  const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "Go." }] }];
  const { stream } = await model.doStream({ prompt, tools });
  const ids: string[] = [];
  for await (const part of stream as Loose) if (/^(text|reasoning)-start$/.test(part.type)) ids.push(part.id);
  expect(ids).toEqual(["toolpeg-reasoning-0", "toolpeg-text-1", "toolpeg-text-2"]);
});

test("a fence that a past text leaves open is closed before the call", async () => {
  const model = replaying("v3", ["Done."]);
  const wrapped = ai6.wrapLanguageModel({ model, middleware: toolCallMiddleware({ format: hermes }) });
  const past = { type: "tool-call" as const, toolCallId: "n", toolName: "read_dial", input: { dial: "north" } };
  const messages = [
    { role: "user" as const, content: "Go." },
    { role: "assistant" as const, content: [{ type: "text", text: "So:\n```\nx" }, past] },
    { role: "tool" as const, content: [{ ...past, type: "tool-result", output: { type: "text", value: "5" } }] },
  ];
  await ai6.generateText({ model: wrapped, messages: messages as Loose, tools: shownTools(ai6) as Loose });
  const { content } = model.doGenerateCalls[0].prompt.find(({ role }: Loose) => role === "assistant");
  const written = content.map(({ text }: Loose) => text).join("");
  expect(written).toContain("So:\n```\nx\n```\n<tool_call>");
  expect(parse(written, { format: hermes, tools: offered }).calls).toHaveLength(1);
});

test("a past call with a number that has overflowed ends no conversation", async () => {
  const model = replaying("v3", [call("north"), "Done."]);
  const wrapped = ai6.wrapLanguageModel({ model, middleware: toolCallMiddleware({ format: hermes }) });
  const calls = { type: "tool-call" as const, toolCallId: "n", toolName: "read_dial", input: { dial: Infinity } };
  const messages = [
    { role: "user" as const, content: "Go." },
    { role: "assistant" as const, content: [calls] },
    {
      role: "tool" as const,
      content: [{ ...calls, type: "tool-result" as const, output: { type: "text", value: "5" } }],
    },
  ];
  await ai6.generateText({ model: wrapped, messages: messages as Loose, tools: shownTools(ai6) as Loose });
  const past = model.doGenerateCalls[0].prompt.find(({ role }: Loose) => role === "assistant");
  expect(past.content).toEqual([{ type: "text", text: '{"name":"read_dial","arguments":{"dial":null}}' }]);
});

describe("repairToolCall", () => {
  const native = (input: string, toolName = "read_dial") =>
    replaying("v3", [""], "tool-calls", { after: [{ type: "tool-call", toolCallId: "n", toolName, input }] });
  const run = async (model: Loose) => {
    const tools = shownTools(ai6);
    const result = await ai6.generateText({ model, tools, prompt: "Go.", experimental_repairToolCall: repairToolCall });
    return result.toolCalls.map((one: Loose) => (one.invalid ? "refused" : one.input));
  };

  test("mends what is sure", async () => expect(await run(native("{'dial': 'north',}"))).toEqual([{ dial: "north" }]));
  test("measures what is sure as in the calls that are read from text", async () => {
    const inputSchema = async () => ({
      type: "object",
      properties: { dial: { type: "string" }, times: { type: "integer" } },
      required: ["dial"],
    });
    const inputs = [
      String.raw`{\"dial\": \"north\"}`,
      '{"dial": "north", "times": "5",}',
      '{"dial": "north", "times": "05",}',
      JSON.stringify('{"dial": "north", "times": "5"}'),
      JSON.stringify("{'dial': 'north'}"),
    ];
    for (const input of inputs) {
      const toolCall = { toolName: "read_dial", input };
      await expect(repairToolCall({} as never)).rejects.toThrow("experimental_repairToolCall: repairToolCall");
      const mended = await repairToolCall({ toolCall, inputSchema, error: {} });
      const text = `<tool_call>{"name": "read_dial", "arguments": ${input}}</tool_call>`;
      const tools = [{ name: "read_dial", parameters: await inputSchema() }];
      expect(mended?.input).toBe(parse(text, { format: hermes, tools }).calls[0]?.argumentsText);
    }
  });
  test("leaves cut arguments refused", async () => expect(await run(native('{"dial": "nor'))).toEqual(["refused"]));
  test("leaves unknown tools refused", async () =>
    expect(await run(native("{'dial': 1}", "gone"))).toEqual(["refused"]));
  test("leaves what validation refuses refused", async () => {
    expect(await run(native("{'dial': 'north', '__proto__': {}}"))).toEqual(["refused"]);
    expect(await run(native("{'dial': 'north', 'dial': 'south'}"))).toEqual(["refused"]);
    expect(await run(native("{'dial': 'north', 'n': 123456789012345678901}"))).toEqual(["refused"]);
  });
  test("leaves a key that is given twice refused, in sound JSON too", async () => {
    const inputSchema = async () => ({
      type: "object",
      properties: { dial: { type: "string" }, n: { type: "integer" }, at: { type: "object" } },
    });
    const inputs = [
      '{"dial": "north", "dial": "south", "n": "3"}',
      '{"dial": "north", "n": 1, "n": "3"}',
      '{"n": "3", "at": {"x": 1, "x": 2}}',
      '{"n": "3", "at": "{\\"x\\": 1, \\"x\\": 2}"}',
      JSON.stringify('{"dial": "north", "dial": "south"}'),
      '{"n": 1e999}',
    ];
    for (const input of inputs) {
      const toolCall = { toolName: "read_dial", input };
      expect(await repairToolCall({ toolCall, inputSchema, error: {} }), input).toBe(null);
    }
  });
  test("leaves what the middleware has refused refused", async () => {
    const execute = vi.fn();
    const model = ai6.wrapLanguageModel({
      model: replaying("v3", [call(7)]),
      middleware: toolCallMiddleware({ format: hermes }),
    });
    const tools = { read_dial: ai6.tool({ inputSchema: ai6.jsonSchema(schema as Loose), execute }) };
    await ai6.generateText({ model, tools, prompt: "Go.", experimental_repairToolCall: repairToolCall });
    expect(execute).not.toHaveBeenCalled();
  });
  test("leaves what does not fit the schema refused", async () =>
    expect(await run(native("{'dial': 7}"))).toEqual(["refused"]));
});
