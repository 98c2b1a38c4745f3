/** The clients that people have, through the proxy: loops of two tools, parallel calls, refusals, errors, aborts. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import Anthropic from "@anthropic-ai/sdk";
import { tool as langchainTool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import {
  Agent,
  tool as agentTool,
  type Model,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
} from "@openai/agents";
import { tool as aiTool, generateText, stepCountIs, streamText } from "ai";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { formats } from "toolpeg";
import { type ProxyServer, serveProxy } from "toolpeg/proxy/node";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { chatTools, dialSchema, northCall, ventCall, ventSchema, wrongName, wrongType } from "./support/dials.ts";
import { type ScriptedUpstream, scriptedUpstream } from "./support/scripted-upstream.ts";

setTracingDisabled(true);

let upstream: ScriptedUpstream;
let proxy: ProxyServer;
beforeAll(async () => {
  upstream = await scriptedUpstream();
  proxy = await serveProxy({ upstream: upstream.url, format: "hermes", port: 0 });
});
afterAll(async () => {
  await proxy.close(0);
  await upstream.close();
});

/** What the tools were called with. */
let ran: unknown[] = [];
beforeEach(() => {
  ran = [];
});
const readDial = async (given: unknown) => {
  ran.push(["read_dial", given]);
  return "high";
};
const openVent = async (given: unknown) => {
  ran.push(["open_vent", given]);
  return "opened";
};
const bothRan = [
  ["read_dial", { dial: "north" }],
  ["open_vent", { vent: "roof", degrees: 30 }],
];
const dialInput = z.object({ dial: z.string() });
const ventInput = z.object({ vent: z.string(), degrees: z.number().int() });
const question = "How is the north dial?";

/** A loop of two tools, one after the other; both at once; and one that the model has to mend. */
const loops: [what: string, replies: string[], requests: number][] = [
  ["two tools, one after the other", [`First. ${northCall}`, `Then. ${ventCall}`, "Done."], 3],
  [
    "two tools at once, after thoughts",
    [`<think>Both?</think>Both. ${northCall}${ventCall}`, "<think>So.</think>Done."],
    2,
  ],
  ["a wrong name and a wrong type", [wrongName, northCall, wrongType, ventCall, "Done."], 5],
];
const never = /^\[A tool call of "read_dail" was refused and not run/;

function client(): OpenAI {
  return new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: "key", maxRetries: 0 });
}

function openaiTools() {
  const parse = JSON.parse;
  return [
    { type: "function" as const, function: { ...chatTools[0].function, function: readDial, parse } },
    { type: "function" as const, function: { ...chatTools[1].function, function: openVent, parse } },
    // biome-ignore lint/suspicious/noExplicitAny: the schemas are constants
  ] as any;
}

describe("openai", () => {
  test.each(loops)("runTools: %s", async (_what, replies, requests) => {
    for (const stream of [false, true]) {
      ran = [];
      upstream.script(...replies);
      const body = { model: "m", messages: [{ role: "user" as const, content: question }], tools: openaiTools() };
      const runner = stream
        ? client().chat.completions.runTools({ ...body, stream: true })
        : client().chat.completions.runTools(body);
      expect(await runner.finalContent()).toBe("Done.");
      expect(ran).toEqual(bothRan);
      expect(upstream.requests).toHaveLength(requests);
    }
  });

  test("a refusal that is not mended ends the loop with words", async () => {
    upstream.script(wrongName);
    const runner = client().chat.completions.runTools({
      model: "m",
      messages: [{ role: "user", content: question }],
      tools: openaiTools(),
    });
    expect(await runner.finalContent()).toMatch(never);
    expect(ran).toEqual([]);
  });

  test.each(["qwen3_coder", "harmony", "kimi_k2", "glm45", "deepseek_v31"])("%s, streamed", async (id) => {
    const format = formats.get(id);
    const other = await serveProxy({ upstream: upstream.url, format, port: 0 });
    try {
      const write = (name: string, given: Record<string, unknown>) => format.renderCalls([{ name, arguments: given }]);
      upstream.script(
        write("read_dial", { dial: "north" }),
        write("open_vent", { vent: "roof", degrees: 30 }),
        id === "harmony" ? "<|channel|>final<|message|>Done." : "Done.",
      );
      const openai = new OpenAI({ baseURL: `${other.url}/v1`, apiKey: "key" });
      const runner = openai.chat.completions.runTools({
        model: "m",
        stream: true,
        messages: [{ role: "user", content: question }],
        tools: openaiTools(),
      });
      expect(await runner.finalContent()).toBe("Done.");
      expect(ran).toEqual(bothRan);
    } finally {
      await other.close(0);
    }
  });

  test("errors of the upstream, before the answer and within", async () => {
    upstream.script({ status: 429, body: '{"error": {"message": "slow down"}}', headers: { "retry-after": "1" } });
    const ask = () =>
      client().chat.completions.create({
        model: "m",
        stream: true,
        messages: [{ role: "user", content: question }],
        tools: chatTools as never,
      });
    await expect(ask()).rejects.toThrow(OpenAI.RateLimitError);
    upstream.script({ texts: [`Reading. ${northCall}`], breaks: { after: 3, how: "error" } });
    const stream = await ask();
    const consume = async () => {
      for await (const _chunk of stream);
    };
    await expect(consume()).rejects.toThrow("out of memory");
  });

  test("an aborted stream ends at the upstream too", async () => {
    upstream.script({ texts: ["a long story ".repeat(200)], chunkDelayMs: 5 });
    const stream = await client().chat.completions.create({
      model: "m",
      stream: true,
      messages: [{ role: "user", content: question }],
      tools: chatTools as never,
    });
    for await (const _chunk of stream) break;
    await expect.poll(() => upstream.requests[0].left, { timeout: 2000 }).toBe(true);
  });

  test("responses, streamed", async () => {
    upstream.script(`Reading. ${northCall}`);
    const tools = [{ type: "function" as const, name: "read_dial", parameters: { ...dialSchema }, strict: false }];
    const stream = client().responses.stream({ model: "m", input: question, tools: tools as never });
    const response = await stream.finalResponse();
    expect(response.output_text).toBe("Reading. ");
    expect(response.output.at(-1)).toMatchObject({
      type: "function_call",
      name: "read_dial",
      arguments: '{"dial":"north"}',
    });
  });
});

describe("@openai/agents", () => {
  const tools = () => [
    agentTool({ name: "read_dial", description: "Reads a dial.", parameters: dialInput, execute: readDial }),
    agentTool({ name: "open_vent", description: "Opens a vent.", parameters: ventInput, execute: openVent }),
  ];
  const models: [name: string, model: () => Model][] = [
    ["chat completions", () => new OpenAIChatCompletionsModel(client() as never, "m")],
    ["responses", () => new OpenAIResponsesModel(client() as never, "m")],
  ];

  describe.each(models)("over %s", (_name, model) => {
    test.each(loops)("%s", async (_what, replies, requests) => {
      for (const stream of [false, true]) {
        ran = [];
        upstream.script(...replies);
        const agent = new Agent({ name: "watch", instructions: "You watch dials.", model: model(), tools: tools() });
        const runner = new Runner({ tracingDisabled: true });
        const result = stream ? await runner.run(agent, question, { stream }) : await runner.run(agent, question);
        if ("completed" in result) await result.completed;
        expect(result.finalOutput).toBe("Done.");
        expect(ran).toEqual(bothRan);
        expect(upstream.requests).toHaveLength(requests);
      }
    });
  });
});

describe("LangGraph", () => {
  const agent = () =>
    createReactAgent({
      llm: new ChatOpenAI({ model: "m", apiKey: "key", maxRetries: 0, configuration: { baseURL: `${proxy.url}/v1` } }),
      tools: [
        langchainTool(readDial, { name: "read_dial", description: "Reads a dial.", schema: dialInput }),
        langchainTool(openVent, { name: "open_vent", description: "Opens a vent.", schema: ventInput }),
      ],
    });

  test.each(loops)("%s", async (_what, replies, requests) => {
    upstream.script(...replies);
    const { messages } = await agent().invoke({ messages: [{ role: "user", content: question }] });
    expect(messages.at(-1)?.content).toBe("Done.");
    expect(ran).toEqual(bothRan);
    expect(upstream.requests).toHaveLength(requests);
  });

  test("streamed, and a refusal that is not mended", async () => {
    upstream.script(`First. ${northCall}`, wrongName);
    let text = "";
    const stream = await agent().stream(
      { messages: [{ role: "user", content: question }] },
      { streamMode: "messages" },
    );
    for await (const [message] of stream) if (message.getType() === "ai") text += message.content;
    expect(text).toMatch(/^First\. \[A tool call of "read_dail" was refused/);
    expect(ran).toEqual([bothRan[0]]);
  });
});

describe("AI SDK, openai-compatible", () => {
  const provider = () => createOpenAICompatible({ name: "proxy", baseURL: `${proxy.url}/v1`, apiKey: "key" });
  const settings = () => ({
    model: provider()("m"),
    prompt: question,
    maxRetries: 0,
    stopWhen: stepCountIs(5),
    tools: {
      read_dial: aiTool({ description: "Reads a dial.", inputSchema: dialInput, execute: readDial }),
      open_vent: aiTool({ description: "Opens a vent.", inputSchema: ventInput, execute: openVent }),
    },
  });

  test.each(loops)("%s", async (_what, replies, requests) => {
    upstream.script(...replies);
    expect((await generateText(settings())).text).toBe("Done.");
    expect(ran).toEqual(bothRan);
    expect(upstream.requests).toHaveLength(requests);
    ran = [];
    upstream.script(...replies);
    const streamed = streamText(settings());
    expect(await streamed.text).toBe("Done.");
    expect(await streamed.finishReason).toBe("stop");
    expect(ran).toEqual(bothRan);
  });

  test("thoughts, and an upstream that breaks", async () => {
    upstream.script(`<think>Hm.</think>${northCall}`, "Done.");
    const { steps } = await generateText(settings());
    expect(steps[0].reasoningText).toBe("Hm.");
    upstream.script({ texts: [`Reading. ${northCall}`], breaks: { after: 3, how: "connection" } });
    const errors: unknown[] = [];
    const broken = streamText({ ...settings(), onError: ({ error }) => void errors.push(error) });
    for await (const _part of broken.fullStream);
    expect(errors).toHaveLength(1);
    expect(ran).toEqual([bothRan[0]]);
  });
});

describe("ollama", () => {
  test.each(loops)("%s", async (_what, replies, requests) => {
    for (const stream of [false, true]) {
      ran = [];
      upstream.script(...replies);
      const ollama = new Ollama({ host: proxy.url });
      const messages: Parameters<Ollama["chat"]>[0]["messages"] = [{ role: "user", content: question }];
      let said = "";
      for (let turn = 0; turn < 5; turn++) {
        const body = { model: "m", messages, tools: chatTools as never };
        const parts = stream ? await ollama.chat({ ...body, stream: true }) : [await ollama.chat(body)];
        const calls = [];
        said = "";
        for await (const { message } of parts) {
          said += message.content;
          calls.push(...(message.tool_calls ?? []));
        }
        if (calls.length === 0) break;
        messages?.push({ role: "assistant", content: said, tool_calls: calls });
        for (const { function: called } of calls) {
          const content = await (called.name === "read_dial" ? readDial : openVent)(called.arguments);
          messages?.push({ role: "tool", content, tool_name: called.name });
        }
      }
      expect(said).toBe("Done.");
      expect(ran).toEqual(bothRan);
      expect(upstream.requests).toHaveLength(requests);
    }
  });

  test("an error within a stream is thrown", async () => {
    upstream.script({ texts: ["Reading."], breaks: { after: 2, how: "error" } });
    const consume = async () => {
      const stream = await new Ollama({ host: proxy.url }).chat({
        model: "m",
        messages: [{ role: "user", content: question }],
        tools: chatTools as never,
        stream: true,
      });
      for await (const _part of stream);
    };
    await expect(consume()).rejects.toThrow("out of memory");
  });
});

describe("@anthropic-ai/sdk", () => {
  const anthropic = () => new Anthropic({ baseURL: proxy.url, apiKey: "key", maxRetries: 0 });
  const tools = [
    { name: "read_dial", description: "Reads a dial.", input_schema: dialSchema },
    { name: "open_vent", description: "Opens a vent.", input_schema: ventSchema },
    // biome-ignore lint/suspicious/noExplicitAny: the schemas are constants
  ] as any;

  test.each(loops)("%s", async (_what, replies, requests) => {
    for (const stream of [false, true]) {
      ran = [];
      upstream.script(...replies);
      const messages: Anthropic.MessageParam[] = [{ role: "user", content: question }];
      let said = "";
      for (let turn = 0; turn < 5; turn++) {
        const body = { model: "m", max_tokens: 100, messages, tools };
        const answer = stream
          ? await anthropic().messages.stream(body).finalMessage()
          : await anthropic().messages.create(body);
        said = answer.content.map((block) => (block.type === "text" ? block.text : "")).join("");
        if (answer.stop_reason !== "tool_use") break;
        messages.push({ role: "assistant", content: answer.content as Anthropic.ContentBlockParam[] });
        const results: Anthropic.ToolResultBlockParam[] = [];
        for (const block of answer.content) {
          if (block.type !== "tool_use") continue;
          const content = await (block.name === "read_dial" ? readDial : openVent)(block.input);
          results.push({ type: "tool_result", tool_use_id: block.id, content });
        }
        messages.push({ role: "user", content: results });
      }
      expect(said).toBe("Done.");
      expect(ran).toEqual(bothRan);
      expect(upstream.requests).toHaveLength(requests);
    }
  });

  test("errors of the upstream, before the answer and within", async () => {
    const body = { model: "m", max_tokens: 9, messages: [{ role: "user" as const, content: question }], tools };
    upstream.script({ status: 529, body: '{"error": {"message": "overloaded"}}' });
    await expect(anthropic().messages.create(body)).rejects.toThrow("overloaded_error");
    upstream.script({ texts: ["Reading."], breaks: { after: 2, how: "error" } });
    await expect(anthropic().messages.stream(body).finalMessage()).rejects.toThrow("out of memory");
  });
});
