/** What a client of each interface gets from `toolpeg/proxy`, in front of an upstream that says what its script says. */
import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { formats, type Rejection } from "toolpeg";
import { createProxy, type LogRecord, type ProxyOptions } from "toolpeg/proxy";
import { formatOfTemplate } from "toolpeg/template";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { chatTools, dialSchema, hermesCall, northCall, ventCall, wrongName, wrongType } from "./support/dials.ts";
import { saidTwice, turnSchema } from "./support/said-twice.ts";
import { type ScriptedReply, type ScriptedUpstream, scriptedUpstream } from "./support/scripted-upstream.ts";

let upstream: ScriptedUpstream;
let logged: LogRecord[] = [];
beforeAll(async () => {
  upstream = await scriptedUpstream();
});
afterAll(() => upstream.close());
beforeEach(() => {
  logged = [];
  upstream.serves({});
});

const messages = [{ role: "user", content: "How is the north dial?" }];
const chatBody = { model: "m", messages, tools: chatTools };

function proxyOf(options: Partial<ProxyOptions> = {}) {
  return createProxy({ upstream: upstream.url, format: "hermes", log: (record) => logged.push(record), ...options });
}

interface Sent {
  options?: Partial<ProxyOptions>;
  headers?: Record<string, string>;
  /** The answer is not one JSON value. */
  asText?: boolean;
}

function request(path: string, body: unknown, headers: Record<string, string> = {}): Request {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const given = { "content-type": "application/json", ...headers };
  return new Request(`http://proxy${path}`, { method: "POST", headers: given, body: text });
}

/** An answer that came whole. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into it
async function whole(path: string, body: unknown, { options, headers, asText }: Sent = {}): Promise<any> {
  const response = await proxyOf(options)(request(path, body, headers));
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    ...(text === "" || asText ? {} : JSON.parse(text)),
  };
}

/** The data of an event stream. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into it
async function events(path: string, body: object, { options, headers }: Sent = {}): Promise<any[]> {
  const response = await proxyOf(options)(request(path, { ...body, stream: true }, headers));
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const blocks = (await response.text()).split("\n\n").filter((block) => block !== "");
  const data = blocks.map((block) => block.replace(/^event: .*\n/, "").replace(/^data: /, ""));
  return data.map((one) => (one === "[DONE]" ? one : JSON.parse(one)));
}

/** What a client makes of the chunks of one choice. */
// biome-ignore lint/suspicious/noExplicitAny: of any shape
function joined(chunks: any[], index = 0) {
  const choices = chunks.flatMap((chunk) =>
    (chunk.choices ?? []).filter((one: { index: number }) => one.index === index),
  );
  const deltas = choices.map((choice) => choice.delta);
  return {
    content: deltas.map((delta) => delta.content ?? "").join(""),
    reasoning: deltas.map((delta) => delta.reasoning_content ?? "").join(""),
    calls: deltas
      .flatMap((delta) => delta.tool_calls ?? [])
      .map((call) => [call.index, call.function.name, call.function.arguments]),
    finish: choices.map((choice) => choice.finish_reason).filter((reason) => reason !== null),
  };
}

/** Both ways to ask, as one shape. */
async function both(reply: string | ScriptedReply | (string | ScriptedReply)[], body: object, sent: Sent = {}) {
  const replies = Array.isArray(reply) ? reply : [reply];
  upstream.script(...replies);
  const chunks = await events("/v1/chat/completions", body, sent);
  const streamed = joined(chunks);
  upstream.script(...replies);
  const { choices } = await whole("/v1/chat/completions", body, sent);
  const [{ message, finish_reason }] = choices;
  // biome-ignore lint/suspicious/noExplicitAny: of any shape
  const calls = (message.tool_calls ?? []).map((call: any, at: number) => [
    at,
    call.function.name,
    call.function.arguments,
  ]);
  expect(streamed).toEqual({
    content: message.content ?? "",
    reasoning: message.reasoning_content ?? "",
    calls,
    finish: [finish_reason],
  });
  return { ...streamed, finish: finish_reason, chunks };
}

const northRead = [0, "read_dial", '{"dial":"north"}'];

describe("chat completions", () => {
  test("calls in the text become tool_calls, streamed and whole alike", async () => {
    const answer = await both(`Reading.\n${northCall}${ventCall}`, chatBody);
    expect(answer).toMatchObject({
      content: "Reading.\n",
      calls: [northRead, [1, "open_vent", '{"vent":"roof","degrees":30}']],
      finish: "tool_calls",
    });
    expect(answer.chunks.at(-1)).toBe("[DONE]");
    expect(answer.chunks[0]).toMatchObject({
      id: expect.stringMatching(/^up-/),
      model: "m",
      created: 1_700_000_000,
      system_fingerprint: "fp",
    });
    const [sent] = upstream.requests;
    expect(sent.path).toBe("/v1/chat/completions");
    expect(sent.body).not.toHaveProperty("tools");
    expect(sent.body.messages[0].content).toContain('"name":"open_vent"');
  });

  test("past calls and results are written as text", async () => {
    upstream.script("It is high.");
    const call = { id: "call_1", type: "function", function: { name: "read_dial", arguments: '{"dial":"north"}' } };
    const past = [
      ...messages,
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "call_1", content: "high" },
    ];
    const { choices } = await whole("/v1/chat/completions", { ...chatBody, messages: past });
    expect(choices[0]).toMatchObject({ message: { content: "It is high." }, finish_reason: "stop" });
    const sent = upstream.requests[0].body.messages;
    expect(sent.map((message: { role: string }) => message.role)).toEqual(["system", "user", "assistant", "user"]);
    expect(sent[2].content).toContain('"arguments": {"dial": "north"}');
    expect(sent[3].content).toContain('"content":"high"');
  });

  test("without tools not a byte is changed", async () => {
    const body = '{ "model":"m", "messages":[{"role":"user","content":"hi"}],  "odd":1 }';
    upstream.script({ body: `{"choices": [{"message": {"content": ${JSON.stringify(northCall)}}}],  "x": 1}` });
    const answer = await whole("/v1/chat/completions", body);
    expect(answer.text).toContain('],  "x": 1}');
    expect(answer.choices[0].message.content).toBe(northCall);
    expect(upstream.requests[0].body).toEqual(JSON.parse(body));
  });

  test("several choices, each read by itself", async () => {
    const texts = [`One ${northCall}`, "Two", northCall];
    upstream.script({ texts });
    const chunks = await events("/v1/chat/completions", { ...chatBody, n: 3 });
    expect([0, 1, 2].map((index) => joined(chunks, index).calls.length)).toEqual([1, 0, 1]);
    expect([0, 1, 2].map((index) => joined(chunks, index).finish)).toEqual([["tool_calls"], ["stop"], ["tool_calls"]]);
    upstream.script({ texts });
    const { choices } = await whole("/v1/chat/completions", { ...chatBody, n: 3 });
    expect(choices.map((one: { message: { content: string } }) => one.message.content)).toEqual(["One ", "Two", null]);
    expect(upstream.requests[0].body.n).toBe(3);
  });

  test("usage comes when it was asked for, and with a second asking it is that of both", async () => {
    const asked = { ...chatBody, stream_options: { include_usage: true } };
    upstream.script(northCall);
    const chunks = await events("/v1/chat/completions", asked);
    expect(chunks.at(-2)).toMatchObject({ choices: [], usage: { total_tokens: 18 } });
    upstream.script(northCall);
    expect((await events("/v1/chat/completions", chatBody)).filter((chunk) => chunk.usage)).toEqual([]);
    expect(upstream.requests[0].body).not.toHaveProperty("stream_options");
    upstream.script(wrongName, northCall);
    expect((await events("/v1/chat/completions", asked)).at(-2).usage.total_tokens).toBe(36);
    upstream.script(wrongName, northCall);
    expect((await whole("/v1/chat/completions", chatBody)).usage.total_tokens).toBe(36);
  });

  test("log probabilities are those of the model's text: none is lost", async () => {
    const text = `Reading. ${northCall}`;
    upstream.script({ texts: [text], logprobs: true });
    const chunks = await events("/v1/chat/completions", { ...chatBody, logprobs: true });
    const tokens = chunks.flatMap((chunk) => chunk.choices?.[0]?.logprobs?.content ?? []);
    expect(tokens.map((one: { token: string }) => one.token).join("")).toBe(text);
    upstream.script({ texts: [text], logprobs: true });
    const { choices } = await whole("/v1/chat/completions", { ...chatBody, logprobs: true });
    expect(choices[0].logprobs.content[0].token).toBe(text);
  });

  test("a call in thoughts that the server has split off, and nothing else, is refused", async () => {
    const thoughts = { texts: [""], deltas: [{ reasoning_content: northCall }] };
    const { calls, content } = await both(thoughts, chatBody, { options: { maxRetries: 0 } });
    expect([calls, content]).toEqual([[], expect.stringContaining("in-reasoning")]);
    expect(logged.at(-1)).toMatchObject({ refused: 1 });
  });

  test("thoughts are reasoning_content, whoever split them off", async () => {
    const own = await both(`<think>Which one?</think>${northCall}`, chatBody);
    expect(own).toMatchObject({ reasoning: "Which one?", calls: [northRead] });
    const split = await both({ texts: [northCall], deltas: [{ reasoning_content: "Hm." }] }, chatBody);
    expect(split).toMatchObject({ reasoning: "Hm.", calls: [northRead] });
    const opened = await both(`Which one?</think>${northCall}`, chatBody, { options: { prefill: "<think>\n" } });
    expect(opened).toMatchObject({ reasoning: "Which one?", calls: [northRead] });
  });

  test.each([
    ["<think>\n", `I might call ${northCall} but no.</think>Hello.`],
    ["```json\n", `${northCall}\n\`\`\`\n`],
  ])("the answer goes on with what the client has begun: %j", async (content, reply) => {
    const begun = { ...chatBody, messages: [...messages, { role: "assistant", content }] };
    expect((await both(reply, begun)).calls).toEqual([]);
    expect((await both(reply, { ...chatBody, messages: [...begun.messages, messages[0]] })).calls).toEqual([northRead]);
    // Several messages in a row are one turn to some servers.
    const twice = { ...chatBody, messages: [...begun.messages, { role: "assistant", content: "I could" }] };
    expect((await both(reply, twice)).calls).toEqual([]);
  });

  test("with a prefill, thoughts that the upstream splits off leave the text what it is", async () => {
    const options = { prefill: "<think>\n" };
    const thought = { delta: { role: "assistant", reasoning_content: "Which one?" } };
    const said = { delta: { content: `It is high. ${northCall}` } };
    const chunks = [thought, said, { delta: {}, finish_reason: "stop" }];
    const data = [...chunks.map((choice) => JSON.stringify({ choices: [choice] })), "[DONE]"];
    const headers = { "content-type": "text/event-stream" };
    upstream.script({ headers, body: data.map((one) => `data: ${one}\n\n`).join("") });
    expect(joined(await events("/v1/chat/completions", chatBody, { options }))).toEqual({
      reasoning: "Which one?",
      content: "It is high. ",
      calls: [northRead],
      finish: ["tool_calls"],
    });
    const message = { ...thought.delta, ...said.delta };
    upstream.script({ body: JSON.stringify({ choices: [{ message, finish_reason: "stop" }] }) });
    const { choices } = await whole("/v1/chat/completions", chatBody, { options });
    expect(choices[0].message).toMatchObject({ reasoning_content: "Which one?", content: "It is high. " });
  });

  test("a cut message keeps its finish reason, and its cut call never runs", async () => {
    const reply = { texts: [`${northCall}<tool_call>\n{"name": "read_d`], finishReason: "length" };
    const answer = await both(reply, chatBody);
    expect(answer).toMatchObject({ calls: [northRead], finish: "length" });
    expect(upstream.requests).toHaveLength(1);
  });

  test("calls that the upstream has read itself have ids of their own, and none that two share", async () => {
    const natives = ["", "a", "a", undefined].map((id, index) => ({
      index,
      id,
      type: "function",
      function: { name: "elsewhere", arguments: `{"n": ${index}}` },
    }));
    const checkIds = (calls: { id?: string }[]) => {
      const ids = calls.map(({ id }) => id);
      expect(ids[1]).toBe("a");
      expect([new Set(ids).size, ids.every((id) => typeof id === "string" && id !== "")]).toEqual([4, true]);
    };
    upstream.script({ texts: [""], deltas: [{ tool_calls: natives }], finishReason: "tool_calls" });
    const chunks = await events("/v1/chat/completions", chatBody);
    checkIds(chunks.flatMap((chunk) => chunk.choices?.[0]?.delta.tool_calls ?? []));
    upstream.script({ texts: [""], deltas: [{ tool_calls: natives }], finishReason: "tool_calls" });
    checkIds((await whole("/v1/chat/completions", chatBody)).choices[0].message.tool_calls);
  });

  test("one that tool_choice does not name is not passed on, and said", async () => {
    const native = { index: 0, id: "n", type: "function", function: { name: "open_vent", arguments: "{}" } };
    const reply = { texts: [""], deltas: [{ tool_calls: [native] }], finishReason: "tool_calls" };
    const named = { ...chatBody, tool_choice: { type: "function", function: { name: "read_dial" } } };
    expect(await both([reply, northCall], named)).toMatchObject({ calls: [northRead], finish: "tool_calls" });
    const answer = await both(reply, named, { options: { maxRetries: 0 } });
    expect(answer).toMatchObject({ calls: [], finish: "stop" });
    expect(answer.content).toContain('call of "open_vent" was refused and not run: unknown-tool: tool_choice');
    const allowed = { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "read_dial" }] };
    expect((await both(reply, { ...chatBody, tool_choice: allowed })).calls).toEqual([]);
  });

  test("nobody is told that a call was refused which the upstream has made", async () => {
    const bad = { name: "open_vent", arguments: '{"degrees":"far","vent":"roof"}' };
    const native = { index: 0, id: "n", type: "function", function: bad };
    const reply = { texts: [wrongType], deltas: [{ tool_calls: [native] }], finishReason: "tool_calls" };
    const { calls, content } = await both(reply, chatBody);
    expect(calls).toEqual([[0, bad.name, bad.arguments]]);
    expect(content).not.toContain("not run");
  });

  test("the query of a request goes along, and members that are not known come back", async () => {
    const completion = {
      id: "c",
      choices: [{ message: { content: northCall }, finish_reason: "stop" }],
      timings: { n: 1 },
    };
    upstream.script({ body: JSON.stringify(completion) });
    const answer = await whole("/v1/chat/completions?api-version=2", chatBody);
    expect(answer).toMatchObject({ object: "chat.completion", timings: { n: 1 } });
    expect(upstream.requests.at(-1)?.path).toBe("/v1/chat/completions?api-version=2");
    const piece = { choices: [{ delta: { content: northCall } }] };
    const last = { choices: [{ delta: {}, finish_reason: "stop" }], timings: { n: 2 } };
    const body = [piece, last].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
    upstream.script({ headers: { "content-type": "text/event-stream" }, body: `${body}data: [DONE]\n\n` });
    const chunks = await events("/v1/chat/completions", chatBody);
    expect(chunks.filter((chunk) => chunk.timings)).toMatchObject([
      { choices: [{ finish_reason: "tool_calls" }], timings: { n: 2 } },
    ]);
    upstream.script("Hello.");
    await whole("/v1/messages?beta=true", { model: "m", max_tokens: 9, messages });
    expect(upstream.requests.at(-1)?.path).toBe("/v1/chat/completions");
  });

  test("what an upstream says of a choice, and parts of a content that are no text, come back, streamed and whole", async () => {
    const picture = { type: "image_url", image_url: { url: "data:,x" } };
    const content = [{ type: "text", text: "Look." }, picture, { type: "text", text: northCall }];
    const message = { content };
    const beside = { content_filter_results: { hate: {} } };
    upstream.script({ body: JSON.stringify({ choices: [{ message, ...beside, finish_reason: "stop" }] }) });
    const [choice] = (await whole("/v1/chat/completions", chatBody)).choices;
    const calls = [{ function: { name: "read_dial" } }];
    expect(choice).toMatchObject({
      ...beside,
      message: { content: "Look.", content_parts: [picture], tool_calls: calls },
    });
    const pieces = [
      { delta: message, ...beside, token_ids: [1] },
      { delta: {}, token_ids: [2], stop_reason: null, finish_reason: "stop" },
    ];
    const body = pieces.map((piece) => `data: ${JSON.stringify({ choices: [piece] })}\n\n`).join("");
    upstream.script({ headers: { "content-type": "text/event-stream" }, body: `${body}data: [DONE]\n\n` });
    const chunks = await events("/v1/chat/completions", chatBody);
    expect(joined(chunks)).toMatchObject({ content: "Look.", calls: [northRead] });
    expect(chunks.flatMap((chunk) => chunk.choices?.[0].delta.content_parts ?? [])).toEqual([picture]);
    const last = chunks.at(-2).choices[0];
    expect([last, "stop_reason" in last]).toMatchObject([{ ...beside, token_ids: [1, 2] }, false]);
  });

  test("members of a request that its interface has not go along", async () => {
    upstream.script("Hello.");
    const own = { top_k: 4, chat_template_kwargs: { enable_thinking: false } };
    const output = { max_tokens: 9, thinking: { type: "disabled" }, metadata: {} };
    await whole("/v1/messages", { model: "m", messages, ...output, ...own });
    await whole("/v1/responses", { model: "m", input: "Hi.", store: false, include: [], top_p: 0.5, ...own });
    const [{ body: ofAnthropic }, { body: ofResponses }] = upstream.requests.slice(-2);
    const sent = { model: "m", stream: false, messages: expect.any(Array), ...own };
    expect(ofAnthropic).toEqual({ ...sent, max_tokens: 9 });
    expect(ofResponses).toEqual({ ...sent, top_p: 0.5 });
  });

  test("a stream of messages in the place of deltas is read", async () => {
    const chunk = { choices: [{ message: { role: "assistant", content: northCall }, finish_reason: "stop" }] };
    const body = `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
    upstream.script({ headers: { "content-type": "text/event-stream" }, body });
    expect(joined(await events("/v1/chat/completions", chatBody)).calls).toEqual([northRead]);
  });

  test("the upstream is where it was said to be: a redirect is no answer", async () => {
    upstream.script({ status: 307, headers: { location: "http://127.0.0.1:9/v1/chat/completions" }, body: "" });
    expect(await whole("/v1/chat/completions", chatBody)).toMatchObject({
      status: 502,
      error: { code: "upstream_redirects" },
    });
  });

  test("an upstream that falls silent ends a request that is passed on, too", async () => {
    upstream.script({ texts: ["Hello there."], breaks: { after: 1, how: "silence" } });
    const options = { idleTimeoutMs: 50 };
    const response = await proxyOf(options)(request("/v1/chat/completions", { model: "m", messages, stream: true }));
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow("fell silent");
  });

  test("what the upstream has read itself is passed on untouched, and does not come twice", async () => {
    const native = { index: 0, id: "n1", type: "function", function: { name: "elsewhere", arguments: '{"a": 1}' } };
    const extra = { tool_calls: [native], annotations: [1] };
    upstream.script({ texts: ["Said."], deltas: [extra], finishReason: "tool_calls" });
    const chunks = await events("/v1/chat/completions", chatBody);
    expect(joined(chunks)).toMatchObject({
      content: "Said.",
      calls: [[0, "elsewhere", '{"a": 1}']],
      finish: ["tool_calls"],
    });
    upstream.script({ texts: ["Said."], deltas: [extra], finishReason: "tool_calls" });
    const { choices } = await whole("/v1/chat/completions", chatBody);
    const { index: _, ...passedOn } = native;
    expect(choices[0].message).toEqual({
      role: "assistant",
      content: "Said.",
      refusal: null,
      tool_calls: [passedOn],
      annotations: [1],
    });
    const same = {
      index: 0,
      id: "n1",
      type: "function",
      function: { name: "read_dial", arguments: '{"dial": "north"}' },
    };
    const twice = { texts: [northCall], deltas: [{ tool_calls: [same] }], finishReason: "stop" };
    upstream.script(twice);
    expect(joined(await events("/v1/chat/completions", chatBody)).calls).toEqual([northRead]);
    upstream.script(twice);
    const again = (await whole("/v1/chat/completions", chatBody)).choices[0];
    expect(again).toMatchObject({ message: { content: null }, finish_reason: "tool_calls" });
    expect(again.message.tool_calls).toHaveLength(1);
  });

  test.each(saidTwice)(
    "one that the upstream reads otherwise comes once: $what",
    async ({ format, text, native, runs }) => {
      const upstreamCall = { index: 0, id: "n1", type: "function", function: { name: "turn", arguments: native } };
      const reply = { texts: [text], deltas: [{ tool_calls: [upstreamCall] }], finishReason: "tool_calls" };
      const sent = { options: { format } };
      const tools = [{ type: "function", function: { name: "turn", parameters: turnSchema } }];
      const answer = await both(reply, { ...chatBody, tools }, sent);
      expect(answer.calls.map(([, , json]) => JSON.parse(json as string))).toEqual([runs]);
      const body = { model: "m", max_tokens: 9, messages };
      const callsOf = async (path: string, given: object) => {
        upstream.script(reply);
        const answer = await whole(path, { ...body, ...given }, sent);
        const parts = answer.output ?? answer.content ?? answer.message.tool_calls;
        // biome-ignore lint/suspicious/noExplicitAny: of three shapes
        return parts.map((part: any) => {
          const args = part.arguments ?? part.input ?? part.function.arguments;
          return typeof args === "string" ? JSON.parse(args) : args;
        });
      };
      const [{ function: turn }] = tools;
      const input = [{ role: "user", content: "Hi" }];
      expect(
        await callsOf("/v1/responses", { messages: undefined, input, tools: [{ type: "function", ...turn }] }),
      ).toEqual([runs]);
      expect(await callsOf("/v1/messages", { tools: [{ name: "turn", input_schema: turnSchema }] })).toEqual([runs]);
      expect(await callsOf("/api/chat", { stream: false, tools })).toEqual([runs]);
    },
  );

  test("a call without arguments that the upstream has read itself has an empty object of them", async () => {
    const native = { index: 0, id: "n1", type: "function", function: { name: "elsewhere", arguments: "" } };
    const reply = { texts: [""], deltas: [{ tool_calls: [native] }], finishReason: "tool_calls" };
    upstream.script(reply);
    const { calls } = joined(await events("/v1/chat/completions", chatBody));
    expect(calls.map(([, , json]) => json).join("")).toBe("{}");
    upstream.script(reply);
    const { choices } = await whole("/v1/chat/completions", chatBody);
    expect(choices[0].message.tool_calls).toMatchObject([{ id: "n1", function: { arguments: "{}" } }]);
  });

  test("one that was cut before its arguments gets none", async () => {
    const native = { index: 0, id: "n1", type: "function", function: { name: "elsewhere", arguments: "" } };
    const cut = { texts: [""], deltas: [{ tool_calls: [native] }], finishReason: "length" };
    upstream.script(cut);
    const { calls } = joined(await events("/v1/chat/completions", chatBody));
    expect(calls.map(([, , json]) => json).join("")).toBe("");
    upstream.script(cut);
    const { choices } = await whole("/v1/chat/completions", chatBody);
    expect(choices[0].message.tool_calls).toMatchObject([{ id: "n1", function: { arguments: "" } }]);
    upstream.script(cut);
    const { message } = await whole("/api/chat", { ...chatBody, stream: false });
    expect(message.tool_calls).toBeUndefined();
    expect(message.content).toContain('call of "elsewhere" was refused and not run: truncated');
  });

  test("a call in the text beside one that the upstream has read comes too, streamed or not, unless one is enough", async () => {
    const native = { index: 0, id: "n1", type: "function", function: { name: "elsewhere", arguments: '{"a": 1}' } };
    const reply = { texts: [northCall], deltas: [{ tool_calls: [native] }], finishReason: "tool_calls" };
    const names = async (body: object) => {
      upstream.script(reply);
      const streamed = joined(await events("/v1/chat/completions", body)).calls.map(([, name]) => name);
      upstream.script(reply);
      const { message } = (await whole("/v1/chat/completions", body)).choices[0];
      expect(message.content).toBeNull();
      expect((message.tool_calls ?? []).map((call: typeof native) => call.function.name)).toEqual(streamed);
      return streamed;
    };
    expect(await names(chatBody)).toEqual(["read_dial", "elsewhere"]);
    expect(await names({ ...chatBody, parallel_tool_calls: false })).toEqual(["read_dial"]);
  });

  test("the one `function_call` of an older server is a call", async () => {
    const old = { function_call: { name: "elsewhere", arguments: "{}" } };
    upstream.script({ texts: [""], deltas: [old], finishReason: "function_call" });
    const ids = new Set();
    for (const stream of [false, true]) {
      upstream.script({ texts: [""], deltas: [old], finishReason: "function_call" });
      const { text } = await whole("/v1/chat/completions", { ...chatBody, stream }, { asText: true });
      const calls = [...text.matchAll(/"id":"(call_\w+)"/g)].map(([, id]) => id);
      expect(calls).toHaveLength(1);
      ids.add(calls[0]);
    }
    expect(ids.size).toBe(2);
    const { message, finish_reason } = (await whole("/v1/chat/completions", chatBody)).choices[0];
    expect([finish_reason, message.function_call]).toEqual(["tool_calls", undefined]);
    const id = expect.stringMatching(/^call_\w{24}$/);
    expect(message.tool_calls).toEqual([{ id, type: "function", function: old.function_call }]);
  });
});

describe("tool_choice, parallel_tool_calls, response_format", () => {
  test("none: no tool is described, and nothing runs", async () => {
    const answer = await both(`Reading. ${northCall}`, { ...chatBody, tool_choice: "none" });
    expect(answer).toMatchObject({ calls: [], finish: "stop" });
    expect(answer.content).toContain("<tool_call>");
    expect(upstream.requests[0].body.messages).toEqual(messages);
    const native = { index: 0, id: "n1", type: "function", function: { name: "read_dial", arguments: "{}" } };
    for (const stream of [true, false]) {
      upstream.script({ texts: ["Said."], deltas: [{ tool_calls: [native] }], finishReason: "tool_calls" });
      const body = { ...chatBody, tool_choice: "none" };
      const said = stream
        ? joined(await events("/v1/chat/completions", body))
        : (await whole("/v1/chat/completions", body)).choices[0];
      expect(JSON.stringify(said)).toMatch(/"Said\."/);
      expect(JSON.stringify(said)).not.toContain("read_dial");
    }
    // A message that holds nothing else does not end as an empty stop.
    const alone = { texts: [""], deltas: [{ tool_calls: [native] }], finishReason: "tool_calls" };
    for (const options of [{}, { onRefusal: "drop" as const }]) {
      const empty = await both(alone, { ...chatBody, tool_choice: "none" }, { options });
      expect(empty).toMatchObject({ calls: [], finish: "stop" });
      expect(empty.content).toMatch(/^\[A tool call of "read_dial" was refused and not run: unknown-tool/);
    }
  });

  test("required: said to the model, asked for again, and the text before it goes out once", async () => {
    const body = { ...chatBody, tool_choice: "required" };
    const answer = await both(["I would rather not.", `Well. ${northCall}`], body);
    expect(answer).toMatchObject({ content: "Well. ", calls: [northRead], finish: "tool_calls" });
    expect(upstream.requests[0].body.messages[0].content).toContain("a tool must be called");
    expect(upstream.requests[1].body.messages.slice(-2)).toMatchObject([
      { role: "assistant", content: "I would rather not." },
      { role: "user", content: expect.stringContaining("called no tool") },
    ]);
    const never = await both(["No.", "Never."], body);
    expect(never).toMatchObject({ content: "Never.", calls: [], finish: "stop" });
    expect(logged.at(-1)).toMatchObject({ retries: 1, tool_choice_unmet: true });
  });

  test("a named tool is the only one", async () => {
    const body = { ...chatBody, tool_choice: { type: "function", function: { name: "read_dial" } } };
    const answer = await both([ventCall, northCall], body);
    expect(answer).toMatchObject({ calls: [northRead], finish: "tool_calls" });
    expect(upstream.requests[0].body.messages[0].content).not.toContain("open_vent");
    const allowed = {
      type: "allowed_tools",
      allowed_tools: { mode: "auto", tools: [{ function: { name: "open_vent" } }] },
    };
    expect(await both([northCall, ventCall], { ...chatBody, tool_choice: allowed })).toMatchObject({
      calls: [[0, "open_vent", expect.anything()]],
    });
    const unknown = await whole("/v1/chat/completions", {
      ...body,
      tool_choice: { type: "function", name: "read_dail" },
    });
    expect(unknown).toMatchObject({ status: 400, error: { param: "tool_choice" } });
  });

  test("parallel_tool_calls false: said to the model, and the first call alone runs", async () => {
    const answer = await both(`${northCall}${ventCall}`, { ...chatBody, parallel_tool_calls: false });
    expect(answer).toMatchObject({ content: "", calls: [northRead], finish: "tool_calls" });
    expect(upstream.requests[0].body.messages[0].content).toContain("at most one call");
  });

  test("a response format goes on without tools, and is written beside them", async () => {
    const schema = { type: "object", properties: { name: { type: "string" } } };
    const response_format = { type: "json_schema", json_schema: { name: "person", schema } };
    upstream.script('{"name": "Ada"}');
    await whole("/v1/chat/completions", { model: "m", messages, response_format });
    expect(upstream.requests[0].body.response_format).toEqual(response_format);
    const answer = await both('{"name": "read_dial", "arguments": {"dial": "north"}}', {
      ...chatBody,
      response_format,
    });
    expect(answer).toMatchObject({ content: '{"name": "read_dial", "arguments": {"dial": "north"}}', calls: [] });
    expect(upstream.requests[0].body).not.toHaveProperty("response_format");
    expect(upstream.requests[0].body.messages[0].content).toContain(JSON.stringify(schema));
    expect(await both(northCall, { ...chatBody, response_format })).toMatchObject({ calls: [northRead] });
    const mistral = '[TOOL_CALLS]read_dial[ARGS]{"dial": "north"}';
    const marked = await both(mistral, { ...chatBody, response_format }, { options: { format: "mistral" } });
    expect(marked).toMatchObject({ calls: [northRead], content: "" });
  });
});

describe("refused calls", () => {
  test.each([
    ["an unknown tool", wrongName],
    ["a wrong type", wrongType],
    ["a missing key", hermesCall("read_dial", {})],
    ["a malformed call", '<tool_call>\n{"name": "read_dial", "arguments": {dial north}}\n</tool_call>'],
    ["a cut call", '<tool_call>\n{"name": "read_dial", "argum'],
    [
      "two readings",
      '<tool_call>{"name": "read_dial", "arguments": {"dial": "a"}, "parameters": {"dial": "b"}}</tool_call>',
    ],
  ])("%s goes back to the model, which mends it", async (_what, reply) => {
    const answer = await both([`Reading. ${reply}`, northCall], chatBody);
    expect(answer).toMatchObject({ content: "Reading. ", calls: [northRead], finish: "tool_calls" });
    const [said, correction] = upstream.requests[1].body.messages.slice(-2);
    expect(said).toEqual({ role: "assistant", content: `Reading. ${reply}` });
    expect(correction.content).toContain("was not run");
  });

  test.each(["", "<think>Hm.</think>"])(
    "a second try that says nothing (%j) leaves what was refused to be said",
    async (nothing) => {
      const refused = /^\[A tool call of "read_dail" was refused and not run: unknown-tool/;
      const alone = await both([wrongName, nothing], chatBody);
      expect(alone).toMatchObject({ content: expect.stringMatching(refused), calls: [], finish: "stop" });
      expect(logged.at(-1)).toMatchObject({ refused: 1, retries: 1 });
      const { content } = await both([`Reading. ${wrongName}`, nothing], chatBody);
      expect(content.split("\n")).toEqual(["Reading. ", expect.stringMatching(refused)]);
      const once = (_: unknown, { retries }: { retries: number }) => (retries === 0 ? "retry" : "drop");
      const dropped = await both([wrongName, nothing], chatBody, { options: { onRefusal: once } });
      expect([dropped.content, dropped.finish]).toEqual(["", "content_filter"]);
      upstream.script(wrongName, { deltas: [{ refusal: "I will not." }], texts: [""] });
      const [{ message }] = (await whole("/v1/chat/completions", chatBody)).choices;
      expect(message).toMatchObject({ content: "", refusal: "I will not." });
    },
  );

  test("the text of a second try stands on a line of its own", async () => {
    const answer = await both([`Reading. ${wrongType}`, `Again. ${northCall}`], chatBody);
    expect(answer).toMatchObject({ content: "Reading. \nAgain. ", calls: [northRead] });
    const said = await both([`Reading. ${wrongType}`, wrongType], chatBody);
    expect(said.content).toMatch(/^Reading\. \n\[A tool call of "open_vent" was refused/);
  });

  test("what the model does not mend is said, never left out without a word", async () => {
    const answer = await both(wrongName, chatBody);
    expect(answer).toMatchObject({ calls: [], finish: "stop" });
    expect(answer.content).toMatch(/^\[A tool call of "read_dail" was refused and not run: unknown-tool/);
    expect(upstream.requests).toHaveLength(2);
    expect(logged.at(-1)).toMatchObject({ refused: 2, retries: 1, calls: 0 });
  });

  test("beside a call that runs nothing is asked again, and the refusal is said", async () => {
    const answer = await both(`${northCall}${wrongType}`, chatBody);
    expect(answer).toMatchObject({ calls: [northRead], finish: "tool_calls" });
    expect(answer.content).toContain('"open_vent" was refused');
    expect(upstream.requests).toHaveLength(1);
  });

  test("in one of several choices it is asked again for that one", async () => {
    upstream.script({ texts: [northCall, wrongName] }, ventCall);
    const { choices } = await whole("/v1/chat/completions", { ...chatBody, n: 2 });
    const names = choices.map((one: { message: { tool_calls: { function: { name: string } }[] } }) =>
      one.message.tool_calls.map((call) => call.function.name),
    );
    expect(names).toEqual([["read_dial"], ["open_vent"]]);
    expect(upstream.requests[1].body).not.toHaveProperty("n");
  });

  test.each([...formats])("$id: the text of a refused call stands in its place, where text follows", async (format) => {
    const call = format.renderCall({ name: "read_dail", arguments: { dial: "north" } });
    const text = `Let us look.\n${call}\nDone {x}, as was asked.`;
    const { content } = await both(text, chatBody, { options: { format: format.id, onRefusal: "text" } });
    let at = 0;
    for (const character of text) if (content[at] === character) at++;
    expect(content.slice(at), "all that is shown was written, once and in its order").toBe("");
    expect(content).toContain("read_dail");
    expect(content).toContain("Done {x}");
  });

  test("drop, text, a function, and no second asking", async () => {
    const drop = await both(wrongName, chatBody, { options: { onRefusal: "drop" } });
    expect(drop).toMatchObject({ content: "", calls: [], finish: "content_filter" });
    const text = await both(`See: ${wrongName}`, chatBody, { options: { onRefusal: "text" } });
    expect(text).toMatchObject({ content: expect.stringContaining('"read_dail"'), finish: "stop" });
    // What the model made up of another turn is not shown.
    const madeUp = await both(`[INST] hi [/INST]${wrongName}`, chatBody, { options: { onRefusal: "text" } });
    expect(madeUp).toMatchObject({ content: "", calls: [], finish: "content_filter" });
    const reasons: string[] = [];
    const chosen = await both(wrongName, chatBody, {
      options: {
        onRefusal: (rejections) => {
          reasons.push(...rejections.map(({ reason }) => reason));
          return "text";
        },
      },
    });
    expect(chosen.content).toContain("<tool_call>");
    expect(reasons).toContain("unknown-tool");
    await both(wrongName, chatBody, { options: { maxRetries: 0 } });
    expect(upstream.requests).toHaveLength(1);
  });

  test.each([
    [
      () => "banana",
      'onRefusal failed: onRefusal cannot be "banana": one of feed-back, retry, drop, text, or a function',
    ],
    [
      () => {
        throw new Error("no such row");
      },
      "onRefusal failed: no such row",
    ],
  ])("an onRefusal that fails is named to the client, and the log says why", async (onRefusal, note) => {
    const options = { onRefusal: onRefusal as never };
    const said = { message: "the onRefusal of the proxy failed; its log says why", code: "on_refusal_failed" };
    upstream.script(wrongName);
    expect(await whole("/v1/chat/completions", chatBody, { options })).toMatchObject({ status: 500, error: said });
    expect(logged.at(-1)).toMatchObject({ error: "on_refusal_failed", notes: [note] });
    upstream.script(wrongName);
    expect((await events("/v1/chat/completions", chatBody, { options })).at(-1)).toMatchObject({ error: said });
    expect(logged.at(-1)).toMatchObject({ error: "on_refusal_failed", notes: [note] });
  });
});

describe("formats", () => {
  test("by-model takes the format of the request's model", async () => {
    const qwen = "<tool_call>\n<function=read_dial>\n<parameter=dial>\nnorth\n</parameter>\n</function>\n</tool_call>";
    const options = { format: "by-model" };
    const body = { ...chatBody, model: "Qwen/Qwen3-Coder-30B-A3B-Instruct" };
    expect(await both(qwen, body, { options })).toMatchObject({ calls: [northRead] });
    expect(logged.at(-1)?.format).toBe("qwen3_coder");
    expect(upstream.requests[0].body.messages[0].content).toContain("<function=");
    const served = { data: [{ id: "house-model", root: "deepseek-ai/DeepSeek-V3.1" }, { id: "other" }] };
    upstream.script({ body: JSON.stringify(served) }, "It is high.");
    await whole("/v1/chat/completions", { ...chatBody, model: "house-model" }, { options });
    expect(upstream.requests.map(({ path }) => path)).toEqual(["/v1/models", "/v1/chat/completions"]);
    expect(logged.at(-1)?.format).toBe("deepseek_v31");
    upstream.script({ body: JSON.stringify({ data: [{ id: "/models/Qwen3-8B-Q4_K_M.gguf" }] }) }, "It is high.");
    await whole("/v1/chat/completions", { ...chatBody, model: "gpt-4o" }, { options });
    expect(logged.at(-1)?.format).toBe("hermes");
    upstream.script({ status: 404, body: "" });
    const unknown = await whole("/v1/chat/completions", { ...chatBody, model: "unknown-model" }, { options });
    expect(unknown).toMatchObject({ status: 400, error: { type: "invalid_request_error", param: "model" } });
    expect(unknown.error.message).toContain('"unknown-model"');
    upstream.script("Hello.");
    expect(await whole("/v1/chat/completions", { model: "unknown-model", messages }, { options })).toMatchObject({
      status: 200,
    });
  });

  describe("by-model, and what the upstream says of its model", () => {
    const template = (name: string) => readFileSync(new URL(`./templates/${name}.jinja`, import.meta.url), "utf8");
    const options = { format: "by-model", formatOfTemplate };
    const ask = async (handle: (request: Request) => Promise<Response>, model: string) => {
      upstream.script("It is high.");
      const response = await handle(request("/v1/chat/completions", { ...chatBody, model }));
      return { status: response.status, answer: await response.json(), record: logged.at(-1) as LogRecord };
    };

    test("an unknown model is read as its chat template says", async () => {
      upstream.serves({ "/props": { chat_template: template("glm47"), eos_token: "</s>" }, "/v1/models": {} });
      const { record } = await ask(proxyOf(options), "house model/1");
      expect(record).toMatchObject({ status: 200, format: "glm47" });
      expect(upstream.asked[0].path).toBe("/props?model=house%20model%2F1");
      expect(upstream.requests[0].body.messages[0].content).toContain("<arg_key>");
      expect(record.notes).toEqual([expect.stringContaining('opens "<think>"')]);
      const prefilled = await ask(proxyOf({ ...options, prefill: "<think>" }), "house");
      expect(prefilled.record).not.toHaveProperty("notes");
    });

    test("a template that no format reads is read by one that is made from it", async () => {
      upstream.serves({ "/props": { chat_template: template("unknown-group") } });
      const { record } = await ask(proxyOf(options), "house");
      expect(record).toMatchObject({ status: 200, format: "from_template" });
    });

    test("the template counts for more than the name, and the name decides among formats that read it", async () => {
      upstream.serves({ "/props": { chat_template: template("kimi_k2") } });
      expect((await ask(proxyOf(options), "qwen3")).record.format).toBe("kimi_k2");
      upstream.serves({ "/props": { chat_template: template("llama3_json") }, "/v1/models": {} });
      expect((await ask(proxyOf(options), "house")).record.format).toBe("llama3");
      expect((await ask(proxyOf(options), "llama3.1:8b")).record.format).toBe("llama3_json");
      // The file's name says of the model what the client's does not.
      const file = { chat_template: template("llama3_json"), model_path: "/models/Meta-Llama-3.1-8B-Q4_K_M.gguf" };
      upstream.serves({ "/props": file, "/v1/models": { data: [{ id: "default" }] } });
      expect((await ask(proxyOf(options), "default")).record.format).toBe("llama3_json");
      // What is made from a template says less of a model than the format that names it.
      upstream.serves({ "/props": { chat_template: template("unknown-group") } });
      expect((await ask(proxyOf(options), "qwen3")).record.format).toBe("hermes");
    });

    test("it is asked once per model, a template is read once, and a fault of it is reported once", async () => {
      let read = 0;
      const counted: typeof formatOfTemplate = (source) => {
        read++;
        return formatOfTemplate(source);
      };
      upstream.serves({ "/props": { chat_template: template("no-calls") } });
      const handle = proxyOf({ ...options, formatOfTemplate: counted });
      const records = await Promise.all(["qwen3", "qwen3", "qwen3:8b"].map((model) => ask(handle, model)));
      await ask(handle, "qwen3");
      expect(logged.map(({ format }) => format)).toEqual(["hermes", "hermes", "hermes", "hermes"]);
      expect(logged.flatMap(({ notes = [] }) => notes)).toEqual([
        "the upstream's chat template is not used: the template writes no calls",
      ]);
      expect(records).toHaveLength(3);
      expect(read).toBe(1);
      expect(upstream.asked.map(({ path }) => path).sort()).toEqual(["/props?model=qwen3", "/props?model=qwen3%3A8b"]);
    });

    test("a template that cannot be read leaves the name, and its fault is reported", async () => {
      upstream.serves({ "/props": { chat_template: "{% for message in" } });
      const { record } = await ask(proxyOf(options), "qwen3");
      expect(record).toMatchObject({ status: 200, format: "hermes", notes: [expect.stringContaining("not used")] });
      const bare = await ask(proxyOf({ format: "by-model" }), "qwen3");
      expect(bare.record).toMatchObject({ format: "hermes", notes: [expect.stringContaining("formatOfTemplate")] });
      upstream.serves({ "/props": { chat_template: template("no-calls") }, "/v1/models": {} });
      const unknown = await ask(proxyOf(options), "unknown-model");
      expect(unknown).toMatchObject({ status: 400, record: { notes: [expect.stringContaining("writes no calls")] } });
    });

    test("Ollama says which parser reads a model, and what it was made from", async () => {
      const show = (facts: object) => upstream.serves({ "/v1/models": { data: [] }, "/api/show": facts });
      show({ template: "{{ .Prompt }}", parser: "qwen3-coder", details: { family: "qwen3moe" } });
      expect((await ask(proxyOf(options), "house:latest")).record.format).toBe("qwen3_coder");
      expect(upstream.asked.at(-1)).toMatchObject({
        method: "POST",
        path: "/api/show",
        body: { model: "house:latest" },
      });
      show({ details: { parent_model: "" }, model_info: { "general.basename": "Meta-Llama-3.1" } });
      expect((await ask(proxyOf(options), "house")).record.format).toBe("llama3_json");
      show({ model_info: { "general.base_model.0.repo_url": "https://huggingface.co/Qwen/Qwen2.5-7B" } });
      expect((await ask(proxyOf(options), "house")).record.format).toBe("hermes");
      show({ details: { family: "llama" } });
      expect((await ask(proxyOf(options), "house")).status).toBe(400);
    });

    test("an upstream that does not answer a question keeps no request for long, and is asked again", async () => {
      upstream.serves({ "/props": "silence" });
      const handle = proxyOf({ ...options, answerTimeoutMs: 150 });
      expect((await ask(handle, "qwen3")).record).toMatchObject({ status: 200, format: "hermes" });
      upstream.serves({ "/props": 503, "/v1/models": 503, "/api/show": 503 });
      const late = proxyOf(options);
      expect((await ask(late, "house")).status).toBe(400);
      upstream.serves({ "/props": { chat_template: template("kimi_k2") } });
      expect((await ask(late, "house")).record.format).toBe("kimi_k2");
    });
  });

  test("a reply in a format that was not asked for is text, and the log names the format, once", async () => {
    const qwen = "<tool_call>\n<function=read_dial>\n<parameter=dial>\nnorth\n</parameter>\n</function>\n</tool_call>";
    const handle = proxyOf({ format: "deepseek_v31" });
    for (const notes of [[expect.stringMatching(/^m: this looks like \w+, which was not asked for/)], undefined]) {
      upstream.script(qwen);
      const answer = await (await handle(request("/v1/chat/completions", chatBody))).json();
      expect(answer.choices[0].message.content).toBe(qwen);
      expect(logged.at(-1)?.notes).toEqual(notes);
      expect(logged.at(-1)?.telemetry?.[0].rejections).toEqual({ "other-format": 1 });
    }
  });

  test("a list reads each, the first is written; auto reads all", async () => {
    const deepseek =
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_dial<｜tool▁sep｜>{"dial":"north"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>';
    const list = { format: ["hermes", "deepseek_v31"] };
    expect(await both(deepseek, chatBody, { options: list })).toMatchObject({ calls: [northRead] });
    expect(upstream.requests[0].body.messages[0].content).toContain("<tool_call>");
    const auto = { format: "auto", promptFormat: "hermes" };
    expect(await both(deepseek, chatBody, { options: auto })).toMatchObject({ calls: [northRead] });
  });
});

describe("what goes to the upstream", () => {
  test("send: tools leaves the messages to the upstream's template", async () => {
    const options = { send: "tools" as const, upstreamToolChoice: "none", body: { skip_special_tokens: false } };
    expect(await both(northCall, chatBody, { options })).toMatchObject({ calls: [northRead] });
    expect(upstream.requests[0].body).toMatchObject({
      messages,
      tools: chatTools,
      tool_choice: "none",
      skip_special_tokens: false,
    });
  });

  test("send: prompt completes text", async () => {
    const options = { send: "prompt" as const };
    expect(
      await both(`Reading. ${northCall}`, { ...chatBody, stop: "END", max_completion_tokens: 9 }, { options }),
    ).toMatchObject({
      content: "Reading. ",
      calls: [northRead],
    });
    const [{ path, body }] = upstream.requests;
    expect(path).toBe("/v1/completions");
    expect(body.prompt).toMatch(/^<\|im_start\|>system\n[\s\S]*<\|im_start\|>assistant\n$/);
    expect(body).toMatchObject({ stop: ["END", "<|im_end|>"], max_tokens: 9 });
    expect(body).not.toHaveProperty("messages");
    const image = [{ role: "user", content: [{ type: "image_url", image_url: { url: "data:," } }] }];
    expect(await whole("/v1/chat/completions", { ...chatBody, messages: image }, { options })).toMatchObject({
      status: 400,
    });
  });

  test("a constraint goes to the upstream that takes one, and what is written under it is read", async () => {
    const held = async (constrain: ProxyOptions["constrain"], body: object = chatBody) => {
      expect(await both(northCall, body, { options: { constrain } })).toMatchObject({ calls: [northRead] });
      return upstream.requests[0].body;
    };
    const tag = await held("structural-tag");
    expect(tag).toMatchObject({ response_format: { type: "structural_tag" }, skip_special_tokens: false });
    expect(JSON.stringify(tag.response_format)).toContain("read_dial");
    const lazy = await held("gbnf");
    expect(lazy).toMatchObject({ grammar_lazy: true, grammar_triggers: [{ type: 1, value: expect.any(String) }] });
    const forced = await held("gbnf", {
      ...chatBody,
      tool_choice: { type: "function", function: { name: "read_dial" } },
    });
    expect(forced).not.toHaveProperty("grammar_lazy");
    expect(forced.grammar).not.toContain("open_vent");
    expect((await held("lark")).structured_outputs.grammar).toContain("read_dial");
    const response_format = { type: "json_object" };
    expect(await held("gbnf", { ...chatBody, response_format })).not.toHaveProperty("grammar");
    expect(await held("gbnf", { ...chatBody, tool_choice: "auto" })).toEqual(lazy);
  });

  test("an instruction of one's own", async () => {
    const options: Partial<ProxyOptions> = { instruction: (tools) => `Tools: ${tools.length}` };
    await both(northCall, chatBody, { options });
    expect(upstream.requests[0].body.messages[0]).toEqual({ role: "system", content: "Tools: 2" });
  });

  test("headers go by a list; a key of the proxy's own replaces the client's", async () => {
    upstream.script({ texts: [northCall], headers: { "x-request-id": "theirs" } });
    const headers = { authorization: "Bearer mine", cookie: "secret=1", "x-request-id": "r1", "x-tenant": "t" };
    const answer = await whole("/v1/chat/completions", chatBody, { headers });
    expect(answer.headers.get("x-request-id")).toBe("r1");
    expect(upstream.requests[0].headers).toMatchObject({ authorization: "Bearer mine", "x-request-id": "r1" });
    expect(upstream.requests[0].headers).not.toHaveProperty("cookie");
    expect(upstream.requests[0].headers).not.toHaveProperty("x-tenant");
    const options = { apiKey: "theirs", passHeaders: ["X-Tenant"] };
    await whole("/v1/chat/completions", chatBody, { headers, options });
    expect(upstream.requests[1].headers).toMatchObject({ authorization: "Bearer theirs", "x-tenant": "t" });
  });

  test("other paths go through unchanged", async () => {
    upstream.script({ body: '{"data":  []}', headers: { "x-own": "1", etag: '"e"' } });
    const proxy = proxyOf();
    const models = await proxy(
      new Request("http://proxy/v1/models?limit=2", { headers: { authorization: "Bearer mine" } }),
    );
    expect(await models.text()).toBe('{"data":  []}');
    expect(models.headers.get("x-own")).toBe("1");
    await proxy(request("/v1/embeddings", { input: "x" }));
    await proxy(request("/tokenize", { text: "x" }));
    await proxy(new Request("http://proxy/api/tags"));
    await proxy(request("/v1/completions", { prompt: northCall }));
    expect(upstream.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /v1/models?limit=2",
      "POST /v1/embeddings",
      "POST /tokenize",
      "GET /api/tags",
      "POST /v1/completions",
    ]);
    expect(upstream.requests[0].headers.authorization).toBe("Bearer mine");
    expect(upstream.requests[4].body).toEqual({ prompt: northCall });
    upstream.script({ status: 404, body: "no such path" });
    const missing = await proxy(new Request("http://proxy/nowhere"));
    expect([missing.status, await missing.text()]).toEqual([404, "no such path"]);
  });
});

describe("odd clients", () => {
  test("null stands for nothing, and a path may have a slash too many", async () => {
    const nothing = {
      ...{ functions: null, function_call: null, tool_choice: null, parallel_tool_calls: null, response_format: null },
      ...{ stream: null, stream_options: null, n: null, stop: null },
    };
    const [tool, ...others] = chatTools;
    const tools = [{ ...tool, function: { ...tool.function, description: null, strict: null } }, ...others];
    for (const path of [
      "/v1/chat/completions",
      "/v1/chat/completions/",
      "/v1//chat/completions",
      "//v1/chat/completions",
    ]) {
      upstream.script(northCall);
      const answer = await whole(path, { ...chatBody, ...nothing, tools });
      expect(answer.choices?.[0].message.tool_calls).toHaveLength(1);
    }
    upstream.script("Hi.");
    const bare = { type: "function", function: { name: "ping", description: null, parameters: null } };
    expect(await whole("/v1/chat/completions", { ...chatBody, tools: [bare] })).toMatchObject({ status: 200 });
  });

  test("past calls: arguments as an object are written, what is no call is the client's to mend", async () => {
    const past = (tool_calls: unknown) => ({
      ...chatBody,
      messages: [...messages, { role: "assistant", content: null, tool_calls }],
    });
    upstream.script("Hi.");
    await whole("/v1/chat/completions", past([{ id: "1", function: { name: "read_dial", arguments: { dial: "x" } } }]));
    expect(upstream.requests[0].body.messages[2].content).toContain('{"dial": "x"}');
    for (const wrong of [{}, [null], [{}], [{ function: { name: 3 } }], [{ function: { name: "a", arguments: 3 } }]]) {
      const answer = await whole("/v1/chat/completions", past(wrong));
      expect(answer).toMatchObject({ status: 400, error: { type: "invalid_request_error" } });
      expect(answer.error.message).not.toMatch(/undefined|is not a function|destructure/);
    }
    const unnamed = await whole("/v1/chat/completions", past([{ id: "1", function: { name: "" } }]));
    expect(unnamed).toMatchObject({
      status: 400,
      error: { param: "messages", message: expect.stringContaining("messages[1]") },
    });
  });

  test("a packed body is refused as one", async () => {
    const headers = { "content-encoding": "gzip" };
    const request = new Request("http://proxy/v1/chat/completions", { method: "POST", headers, body: "\u001f" });
    const answer = await createProxy({ upstream: upstream.url, format: "hermes" })(request);
    expect([answer.status, answer.headers.get("connection")]).toEqual([415, "close"]);
    expect(await answer.text()).toContain("content-encoding: gzip");
  });

  test("a long name of a model does not fill the log", async () => {
    upstream.script("Hi.");
    await whole("/v1/chat/completions", { ...chatBody, model: "x".repeat(5000) });
    expect(logged.at(-1)?.model).toHaveLength(200);
  });

  test("a client that has left before its body was read costs the upstream nothing", async () => {
    upstream.script("Hi.");
    const leaves = new AbortController();
    const body = new ReadableStream({
      pull(controller) {
        leaves.abort();
        controller.enqueue(new TextEncoder().encode(JSON.stringify(chatBody)));
        controller.close();
      },
    });
    const init = { method: "POST", body, duplex: "half", signal: leaves.signal } as RequestInit;
    const response = await proxyOf()(new Request("http://proxy/v1/chat/completions", init));
    expect(response.status).toBe(499);
    expect(upstream.requests).toEqual([]);
  });
});

describe("odd servers", () => {
  const stream = (...chunks: unknown[]): ScriptedReply => ({
    headers: { "content-type": "text/event-stream" },
    body: [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"].map((data) => `data: ${data}\n\n`).join(""),
  });
  const piece = (delta: unknown, finish_reason: string | null = null) => ({ choices: [{ delta, finish_reason }] });
  const native = (id: string, name: string, args: unknown, index?: number) =>
    piece({ tool_calls: [{ index, id, type: "function", function: { name, arguments: args } }] });

  test("what is no choice, delta, text or call is left out, and the rest arrives", async () => {
    const slips = [{ choices: [null] }, { choices: {} }, piece(null), piece(3), piece({ content: {} })];
    const more = [
      piece({ tool_calls: [null] }),
      piece({ tool_calls: {} }),
      piece({ reasoning_content: 3, refusal: {} }),
    ];
    const parts = piece({ content: [null, "Read", { type: "text", text: "ing." }, { type: "image" }] });
    upstream.script(stream({ created: "now", id: 3, model: null }, ...slips, ...more, parts, piece({}, "stop")));
    const chunks = await events("/v1/chat/completions", chatBody);
    expect(joined(chunks)).toEqual({ content: "Reading.", reasoning: "", calls: [], finish: ["stop"] });
    expect(chunks[0]).toMatchObject({ id: expect.any(String), model: "m", created: expect.any(Number) });
    upstream.script({ body: JSON.stringify({ created: "now", choices: [{ message: { content: northCall } }] }) });
    const { message } = await whole("/api/chat", { ...chatBody, stream: false });
    expect(message.tool_calls).toHaveLength(1);
  });

  test("a call is not put together across a part of the content that is no text, streamed or whole", async () => {
    const [begun, ended] = [northCall.slice(0, 30), northCall.slice(30)].map((text) => ({ type: "text", text }));
    const apart = [
      { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
      { type: "reasoning", text: "Hm." },
      { type: "image_url", image_url: {} },
    ];
    for (const part of apart) {
      const content = [begun, part, ended];
      upstream.script(stream(piece({ content }), piece({}, "stop")));
      const streamed = joined(await events("/v1/chat/completions", chatBody, { options: { onRefusal: "drop" } }));
      expect(streamed.calls).toEqual([]);
      expect(streamed.reasoning).toBe(part.type === "image_url" ? "" : "Hm.");
      upstream.script({ body: JSON.stringify({ choices: [{ message: { content }, finish_reason: "stop" }] }) });
      const { choices } = await whole("/v1/chat/completions", chatBody, { options: { onRefusal: "drop" } });
      expect(choices[0].message.tool_calls).toBeUndefined();
    }
    const content = [begun, { type: "text", text: "" }, null, ended];
    upstream.script(stream(piece({ content }), piece({}, "stop")));
    expect(joined(await events("/v1/chat/completions", chatBody)).calls).toEqual([northRead]);
  });

  test("nothing of another role runs, and a content may be one part", async () => {
    const calls = [{ id: "n", type: "function", function: { name: "read_dial", arguments: "{}" } }];
    for (const message of [{ content: northCall }, { content: null, tool_calls: calls }]) {
      const theirs = { role: "tool", ...message };
      const dropped = { options: { onRefusal: "drop" as const } };
      upstream.script(stream(piece(theirs), piece({}, "stop")));
      const streamed = joined(await events("/v1/chat/completions", chatBody, dropped));
      expect([streamed.calls, streamed.finish]).toEqual([[], ["content_filter"]]);
      upstream.script({ body: JSON.stringify({ choices: [{ message: theirs, finish_reason: "stop" }] }) });
      const { choices } = await whole("/v1/chat/completions", chatBody, dropped);
      expect([choices[0].message.tool_calls, choices[0].finish_reason]).toEqual([undefined, "content_filter"]);
    }
    upstream.script(stream(piece({ content: { type: "text", text: northCall } }), piece({}, "stop")));
    expect(joined(await events("/v1/chat/completions", chatBody)).calls).toEqual([northRead]);
  });

  test("a call without a name, or of a custom tool, is refused where the interface has no place for it", async () => {
    const unnamed = { id: "n", type: "function", function: { arguments: '{"dial": "north"}' } };
    const custom = { id: "n", type: "custom", custom: { name: "read_dial", input: "north" } };
    for (const call of [unnamed, custom]) {
      const body = JSON.stringify({ choices: [{ message: { tool_calls: [call] }, finish_reason: "tool_calls" }] });
      for (const path of ["/v1/messages", "/v1/responses", "/api/chat"]) {
        upstream.script({ body });
        const asked = { ...chatBody, input: "Go.", max_tokens: 9, tools: [], stream: false };
        const reasons: string[] = [];
        const onRejection = ({ reason, name }: Rejection) => reasons.push(`${reason} ${name}`);
        const answer = await whole(path, asked, { options: { onRefusal: "drop", onRejection } });
        expect(JSON.stringify(answer)).not.toMatch(/"name":|tool_use|function_call"/);
        expect(reasons).toEqual([`malformed ${call === custom ? "read_dial" : undefined}`]);
      }
      upstream.script({ body });
      const { choices } = await whole("/v1/chat/completions", chatBody);
      expect(choices[0].message.tool_calls).toMatchObject([call]);
    }
  });

  test("calls without an index, or all with the same, stay apart", async () => {
    for (const index of [undefined, 0]) {
      const two = [native("a", "one", '{"x"', index), native("", "", ":1}", index), native("b", "two", "{}", index)];
      upstream.script(stream(...two, piece({}, "tool_calls")));
      const { calls } = joined(await events("/v1/chat/completions", chatBody));
      expect(calls).toEqual([
        [0, "one", '{"x"'],
        [0, "", ":1}"],
        [1, "two", "{}"],
      ]);
      upstream.script(stream(...two, piece({}, "tool_calls")));
      const input = [{ role: "user", content: "Hi" }];
      const tools = [{ type: "function", ...chatTools[0].function }];
      const { response } = (await events("/v1/responses", { model: "m", input, tools })).at(-1);
      expect(response.output).toMatchObject([
        { call_id: "a", name: "one", arguments: '{"x":1}' },
        { call_id: "b", name: "two", arguments: "{}" },
      ]);
    }
  });

  test("a call under an id that the conversation holds gets a new one", async () => {
    const called = { name: "one", arguments: "{}" };
    const given = { id: "call_0", type: "function", function: called };
    const messages = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: null, tool_calls: [given] },
      { role: "tool", tool_call_id: "call_0", content: "1" },
    ];
    const anthropic = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: [{ type: "tool_use", id: "call_0", name: "one", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "call_0", content: "1" }] },
    ];
    const idOf = async (path: string, body: object) => {
      const message = { content: "", tool_calls: [given] };
      upstream.script({ body: JSON.stringify({ choices: [{ message, finish_reason: "tool_calls" }] }) });
      const { choices, content } = await whole(path, body);
      return (
        choices?.[0].message.tool_calls[0].id ?? content.find(({ type }: { type: string }) => type === "tool_use").id
      );
    };
    expect(await idOf("/v1/chat/completions", chatBody)).toBe("call_0");
    expect(await idOf("/v1/chat/completions", { ...chatBody, messages })).toMatch(/^call_[a-z0-9]{24}$/);
    const tools = [{ name: "one", input_schema: { type: "object" } }];
    const body = { model: "m", max_tokens: 9, tools, messages: anthropic };
    expect(await idOf("/v1/messages", body)).toMatch(/^call_[a-z0-9]{24}$/);
    upstream.script(stream(native("call_0", "one", "{}", 0), piece({}, "tool_calls")));
    const chunks = await events("/v1/chat/completions", { ...chatBody, messages });
    const ids = chunks.flatMap(
      (chunk) => chunk.choices?.[0]?.delta?.tool_calls?.map(({ id }: { id?: string }) => id) ?? [],
    );
    expect(ids.filter(Boolean)).toEqual([expect.stringMatching(/^call_[a-z0-9]{24}$/)]);
  });

  test("a server that makes a new id for each piece means one call", async () => {
    const pieces = [
      native("a", "one", "", 0),
      piece({ tool_calls: [{ index: 0, id: "z", function: { arguments: "{}" } }] }),
    ];
    upstream.script(stream(...pieces, piece({}, "tool_calls")));
    const { calls } = joined(await events("/v1/chat/completions", chatBody));
    expect(calls.map(([index]) => index)).toEqual([0, 0]);
  });

  test("a name that each piece repeats with the id is said once, one in pieces is put together", async () => {
    const names = (given: string[]) => given.map((name, at) => native("a", name, ['{"x"', ":1}"][at], 0));
    for (const pieces of [names(["one", "one"]), names(["on", "e"])]) {
      const replies = stream(...pieces, piece({}, "tool_calls"));
      upstream.script(replies);
      const { calls } = joined(await events("/v1/chat/completions", chatBody));
      expect(calls.map(([, name]) => name ?? "").join("")).toBe("one");
      upstream.script(replies);
      const input = [{ role: "user", content: "Hi" }];
      const tools = [{ type: "function", ...chatTools[0].function }];
      const { response } = (await events("/v1/responses", { model: "m", input, tools })).at(-1);
      expect(response.output).toMatchObject([{ call_id: "a", name: "one", arguments: '{"x":1}' }]);
      upstream.script(replies);
      const lines = (await whole("/api/chat", chatBody, { asText: true })).text.trim().split("\n");
      const said = lines.flatMap((line: string) => JSON.parse(line).message.tool_calls ?? []);
      expect(said).toEqual([{ function: { name: "one", arguments: { x: 1 } } }]);
    }
    // Without an id it is another piece of the name.
    upstream.script(stream(native("a", "ta", "", 0), native("", "ta", "{}", 0), piece({}, "tool_calls")));
    const { calls } = joined(await events("/v1/chat/completions", chatBody));
    expect(calls.map(([, name]) => name).join("")).toBe("tata");
  });

  test("arguments that come as an object are an object", async () => {
    const message = {
      role: "assistant",
      content: "",
      tool_calls: [{ id: "a", function: { name: "one", arguments: { x: 1 } } }],
    };
    upstream.script({ body: JSON.stringify({ choices: [{ message, finish_reason: "tool_calls" }] }) });
    const answer = await whole("/api/chat", { ...chatBody, stream: false });
    expect(answer.message.tool_calls).toEqual([{ function: { name: "one", arguments: { x: 1 } } }]);
  });

  /** A call that the upstream has read itself, in an answer that comes whole; streams take it as one chunk. */
  const wholeNative = (name: string, given: string) => {
    const message = { role: "assistant", content: "", tool_calls: [{ id: "a", function: { name, arguments: given } }] };
    return { body: JSON.stringify({ choices: [{ message, finish_reason: "tool_calls" }] }) };
  };
  const anyTools = {
    "/v1/messages": { max_tokens: 9, tools: [{ name: "one", input_schema: { type: "object" } }] },
    "/api/chat": { tools: [{ type: "function", function: { name: "one", parameters: { type: "object" } } }] },
  };

  test("numbers go out with the digits that were written, where an object is wanted", async () => {
    const written = '{"dial": "north",\n "at": 12345678901234567890, "half": "\ud800", "one": 1.0}';
    const sent = '{"dial":"north","at":12345678901234567890,"half":"\\ud800","one":1.0}';
    const text = `<tool_call>\n{"name": "one", "arguments": ${written}}\n</tool_call>`;
    for (const reply of [text, wholeNative("one", written)]) {
      const textOf = async (path: keyof typeof anyTools, streamed: boolean) => {
        upstream.script(reply);
        const body = { ...chatBody, ...anyTools[path], stream: streamed };
        return (await whole(path, body, { asText: true })).text;
      };
      expect(await textOf("/v1/messages", false)).toContain(`"input":${sent}`);
      expect(await textOf("/v1/messages", true)).toContain("12345678901234567890");
      expect(await textOf("/api/chat", false)).toContain(`"arguments":${sent}`);
      expect(await textOf("/api/chat", true)).toContain(`"arguments":${sent}`);
    }
  });

  test.each(['{"x": 1, "x": 2}', '{"x": {"y": 1, "y": 1}}', '{"x": 1e999}', JSON.stringify('{"x":1,"x":2}')])(
    "native arguments that say two things, or no number, are refused where an object is wanted: %s",
    async (written) => {
      const options = { maxRetries: 0, onRefusal: "feed-back" as const };
      for (const [path, tools] of Object.entries(anyTools)) {
        for (const streamed of [false, true]) {
          upstream.script(wholeNative("one", written));
          const body = { ...chatBody, ...tools, stream: streamed };
          const { text } = await whole(path, body, { options, asText: true });
          expect(text).toMatch(/given twice|too large/);
          expect(text).not.toMatch(/tool_use|tool_calls/);
        }
      }
    },
  );

  test("null is no arguments and an object in a string that object, where an object is wanted", async () => {
    const readings: [string, object | undefined][] = [
      ["null", {}],
      ['""', {}],
      [JSON.stringify('{"x": 1}'), { x: 1 }],
      [JSON.stringify(JSON.stringify('{"x": 1}')), undefined],
      ["[]", undefined],
      ["{'x': 1}", undefined],
    ];
    for (const [written, read] of readings) {
      const replies = stream(native("a", "one", written, 0), piece({}, "tool_calls"));
      upstream.script(replies);
      const { text } = await whole("/api/chat", chatBody, { options: { maxRetries: 0 }, asText: true });
      const lines = text
        .trim()
        .split("\n")
        .map((line: string) => JSON.parse(line).message);
      const calls = lines.flatMap((message: { tool_calls?: object[] }) => message.tool_calls ?? []);
      expect(calls).toEqual(read === undefined ? [] : [{ function: { name: "one", arguments: read } }]);
      upstream.script(replies);
      const body = { ...chatBody, max_tokens: 9, tools: [{ name: "one", input_schema: { type: "object" } }] };
      const list = await events("/v1/messages", body, { options: { maxRetries: 0 } });
      const inputs = list.flatMap((one) =>
        one.delta?.type === "input_json_delta" ? [JSON.parse(one.delta.partial_json)] : [],
      );
      expect(inputs).toEqual(read === undefined ? [] : [read]);
      // Chunks of a stream go out as they come.
      upstream.script(replies);
      expect(joined(await events("/v1/chat/completions", chatBody)).calls).toEqual([[0, "one", written]]);
    }
    upstream.script(stream(native("a", "one", "null", 0), piece({}, "length")));
    const { text } = await whole("/api/chat", chatBody, { asText: true });
    expect(text).not.toContain("tool_calls");
  });

  test("other members of a streamed piece go on to clients of chat completions", async () => {
    const members = { annotations: [{ type: "url_citation" }], images: [{ type: "image_url" }] };
    upstream.script(stream(piece({ content: "Hi", ...members, audio: null }), piece({}, "stop")));
    const chunks = await events("/v1/chat/completions", chatBody);
    const deltas = chunks.map(({ choices }) => choices?.[0]?.delta);
    expect(deltas).toContainEqual(members);
    expect(joined(chunks).content).toBe("Hi");
  });

  test("a refusal in pieces is one part of a response", async () => {
    const part = { content: [{ type: "refusal", refusal: "won't." }] };
    upstream.script(stream(piece({ refusal: "I " }), piece(part), piece({}, "stop")));
    const tools = [{ type: "function", ...chatTools[0].function }];
    const list = await events("/v1/responses", { model: "m", input: "Hi", tools });
    expect(list.filter(({ type }) => type === "response.refusal.delta")).toHaveLength(2);
    expect(list.find(({ type }) => type === "response.refusal.done")).toMatchObject({ refusal: "I won't." });
    expect(list.at(-1).response.output).toMatchObject([
      { type: "message", status: "completed", content: [{ type: "refusal", refusal: "I won't." }] },
    ]);
  });

  test("an answer without an end does not fill the memory", async () => {
    const endless: typeof fetch = async () => {
      const piece = new Uint8Array(1 << 20).fill(32);
      const body = new ReadableStream({ pull: (controller) => controller.enqueue(piece) });
      return new Response(body, { headers: { "content-type": "application/json" } });
    };
    const answer = await whole("/v1/chat/completions", chatBody, { options: { fetch: endless } });
    expect(answer).toMatchObject({ status: 502, error: { message: "the upstream's answer is too long" } });
  });
});

describe("errors", () => {
  test.each([
    ["a body that is no JSON", "{", "not JSON"],
    ["a body that nests without end", `{"messages":${"[".repeat(200_000)}${"]".repeat(200_000)}}`, "nests deeper"],
    [
      "a schema that nests without end",
      `${JSON.stringify(chatBody).slice(0, -1)},"x":${'{"a":'.repeat(200_000)}1${"}".repeat(200_001)}`,
      "nests deeper",
    ],
    ["messages that are no list", { ...chatBody, messages: "hi" }, "messages"],
    ["a tool that only OpenAI runs", { ...chatBody, tools: [{ type: "web_search" }] }, "web_search"],
    ["two tools of one name", { ...chatBody, tools: [chatTools[0], chatTools[0]] }, "read_dial"],
    ["the old form of tools", { ...chatBody, functions: [] }, "tools"],
    [
      "a schema that is none",
      { ...chatBody, tools: [{ type: "function", function: { name: "a", parameters: { type: "nonsense" } } }] },
      '"a"',
    ],
  ])("%s is the client's to mend", async (_what, body, said) => {
    upstream.script("never");
    const answer = await whole("/v1/chat/completions", body);
    expect(answer).toMatchObject({ status: 400, error: { type: "invalid_request_error" } });
    expect(answer.error.message).toContain(said);
    expect(upstream.requests).toEqual([]);
  });

  test("brackets in strings are text, and a body may nest as deep as any client writes", async () => {
    upstream.script("Fine.");
    const deep = `${'{"a":'.repeat(900)}1${"}".repeat(900)}`;
    const content = `"]}${"[".repeat(3000)}`;
    const body = { ...chatBody, messages: [{ role: "user", content }], metadata: JSON.parse(deep) };
    expect(await whole("/v1/chat/completions", body)).toMatchObject({ status: 200 });
    expect(upstream.requests).toHaveLength(1);
  });

  test("a long body is refused", async () => {
    const answer = await whole("/v1/chat/completions", chatBody, { options: { maxBodyBytes: 100 } });
    expect(answer).toMatchObject({ status: 413, error: { code: "too_large" } });
    expect(logged.at(-1)).toMatchObject({ status: 413, error: "too_large" });
  });

  test("an upstream's error keeps its status, its body and when to try again", async () => {
    const body = '{"error": {"message": "slow down", "type": "rate", "code": "busy"}}';
    const headers = { "retry-after": "7", "x-ratelimit-remaining-requests": "0" };
    for (const stream of [false, true]) {
      upstream.script({ status: 429, body, headers });
      const answer = await whole("/v1/chat/completions", { ...chatBody, stream });
      expect(answer).toMatchObject({ status: 429, text: body });
      expect(answer.headers.get("retry-after")).toBe("7");
      expect(answer.headers.get("x-ratelimit-remaining-requests")).toBe("0");
    }
    upstream.script({ status: 429, body, headers });
    const anthropic = await whole("/v1/messages", { model: "m", max_tokens: 9, messages });
    expect(anthropic).toMatchObject({
      status: 429,
      type: "error",
      error: { type: "rate_limit_error", message: "slow down" },
    });
    expect(anthropic.headers.get("retry-after")).toBe("7");
    expect(await whole("/api/chat", { model: "m", messages })).toMatchObject({ status: 429, error: "slow down" });
  });

  test("an error of the upstream whose body stalls is reported in time", async () => {
    const stalling: typeof fetch = async (_url, init) => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode("{"));
          init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason));
        },
      });
      return new Response(body, { status: 500 });
    };
    const options = { idleTimeoutMs: 50, fetch: stalling };
    expect(await whole("/v1/chat/completions", chatBody, { options })).toMatchObject({ status: 504 });
  });

  test("an upstream that is down is a 502, one that is slow a 504", async () => {
    const options = { upstream: "http://127.0.0.1:9/v1" };
    expect(await whole("/v1/chat/completions", chatBody, { options })).toMatchObject({
      status: 502,
      error: { code: "upstream_unreachable" },
    });
    expect((await whole("/v1/models", "", { options })).status).toBe(502);
    upstream.script({ texts: ["late"], delayMs: 300 });
    expect(await whole("/v1/chat/completions", chatBody, { options: { answerTimeoutMs: 30 } })).toMatchObject({
      status: 504,
      error: { code: "upstream_timeout" },
    });
    upstream.script({ body: "<html>", headers: { "content-type": "text/html" } });
    expect((await whole("/v1/chat/completions", chatBody)).status).toBe(502);
  });

  test.each([
    ["end", "upstream_cut"],
    ["error", "out of memory"],
    ["connection", "upstream_unreachable"],
    ["silence", "upstream_timeout"],
  ] as const)("a stream that breaks by its %s ends as an error, and its open call never runs", async (how, said) => {
    const whole = `Reading. ${northCall}`;
    const options = how === "silence" ? { idleTimeoutMs: 100 } : {};
    for (const after of [1, 4, 14]) {
      upstream.script({ texts: [whole], breaks: { after, how } });
      const chunks = await events("/v1/chat/completions", chatBody, { options });
      expect(JSON.stringify(chunks.at(-1))).toContain(said);
      expect(joined(chunks)).toMatchObject({ finish: [] });
      expect(chunks).not.toContain("[DONE]");
      expect(logged.at(-1)).toMatchObject({ status: 200, error: expect.any(String) });
    }
    upstream.script({ texts: [wrongName], wholeEvents: true }, { texts: [whole], breaks: { after: 2, how } });
    const again = await events("/v1/chat/completions", chatBody, { options });
    expect(JSON.stringify(again.at(-1))).toContain(said);
  });

  test("text that waited comes before the error", async () => {
    const body = { ...chatBody, tool_choice: "required" };
    upstream.script({ texts: ["Reading the north dial"], breaks: { after: 4, how: "error" } });
    expect(joined(await events("/v1/chat/completions", body))).toMatchObject({ content: "Reading the", finish: [] });
    upstream.script({ texts: ['{"name": "read_dial", "parameters": {}}'], breaks: { after: 4, how: "end" } });
    const chunks = await events("/v1/chat/completions", chatBody, { options: { format: "llama3_json" } });
    expect(joined(chunks)).toMatchObject({ calls: [], finish: [] });
    expect(chunks.at(-1)).toMatchObject({ error: { code: "upstream_cut" } });
  });

  test("without a choice of tools, what looks like a call is text in a stream that fails, too", async () => {
    const body = { ...chatBody, tool_choice: "none" };
    for (const how of ["error", "end"] as const) {
      for (const written of [`Reading. ${northCall} Done.`, `Reading. ${northCall.slice(0, 30)}`]) {
        upstream.script({ texts: [written], breaks: { after: 1000, how } }, written);
        const [chunks, answer] = [
          await events("/v1/chat/completions", body),
          await whole("/v1/chat/completions", body),
        ];
        expect(joined(chunks)).toMatchObject({ content: written, calls: [] });
        expect(answer.choices[0].message.content).toBe(written);
      }
    }
  });

  test("a choice that is over says nothing again when another fails", async () => {
    const texts = [`A ${wrongName} x`, `B ${wrongName} y`];
    upstream.script({ texts }, { status: 503, body: '{"error": {"message": "overloaded"}}' });
    const onRefusal: ProxyOptions["onRefusal"] = (_, { content }) => (content.startsWith("A") ? "text" : "retry");
    const chunks = await events("/v1/chat/completions", { ...chatBody, n: 2 }, { options: { onRefusal } });
    expect(joined(chunks)).toMatchObject({ content: texts[0], finish: ["stop"] });
    expect(joined(chunks, 1).finish).toEqual([]);
    expect(chunks.at(-1)).toMatchObject({ error: { message: "overloaded" } });
  });

  test("the second asking fails: the error of the upstream", async () => {
    upstream.script(wrongName, { status: 503, body: '{"error": {"message": "overloaded"}}' });
    expect(await whole("/v1/chat/completions", chatBody)).toMatchObject({ status: 503 });
    upstream.script(wrongName, { status: 503, body: '{"error": {"message": "overloaded"}}' });
    expect((await events("/v1/chat/completions", chatBody)).at(-1)).toMatchObject({ error: { message: "overloaded" } });
  });

  test("[DONE] without a finish reason is an end that says nothing: no open call comes", async () => {
    const open = northCall.replace(/\s*<\/tool_call>.*/s, "");
    for (const text of [open, `<think>Hm. ${northCall}`, ""]) {
      upstream.script({ texts: [text], withoutFinish: true });
      const chunks = await events("/v1/chat/completions", chatBody);
      expect(joined(chunks)).toMatchObject({ calls: [], finish: [] });
      expect(chunks.at(-1)).toMatchObject({ error: { code: "upstream_cut" } });
    }
    upstream.script({ texts: [northCall], withoutFinish: true });
    const chunks = await events("/v1/chat/completions", chatBody);
    expect(joined(chunks)).toMatchObject({ calls: [northRead], finish: [] });
    expect(chunks.at(-1)).toMatchObject({ error: { code: "upstream_cut" } });
  });

  test.each(["/v1/chat/completions", "/v1/responses", "/v1/messages", "/api/chat"])(
    "an answer without a choice is an error of the upstream: %s",
    async (path) => {
      upstream.script({ body: JSON.stringify({ choices: [] }) });
      const { messages, tools } = chatBody;
      const own = tools.map((tool) => ({ ...tool.function, input_schema: tool.function.parameters }));
      const body = {
        "/v1/responses": { input: "Go.", tools: own.map((tool) => ({ ...tool, type: "function" })) },
        "/v1/messages": { messages, max_tokens: 9, tools: own },
      }[path] ?? { messages, tools };
      expect((await whole(path, { model: "m", stream: false, ...body })).status).toBe(502);
    },
  );

  test("a whole completion is a stream of one chunk", async () => {
    const completion = { choices: [{ index: 0, message: { content: northCall }, finish_reason: "stop" }] };
    upstream.script({ body: JSON.stringify(completion) });
    expect(joined(await events("/v1/chat/completions", chatBody))).toMatchObject({
      calls: [northRead],
      finish: ["tool_calls"],
    });
  });
});

describe("responses", () => {
  const tools = [{ type: "function", name: "read_dial", parameters: dialSchema, strict: true }];

  test("items in, items out", async () => {
    upstream.script(`<think>Hm.</think>Reading. ${northCall}`);
    const input = [
      { role: "developer", content: "Be short." },
      { type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] },
      { type: "reasoning", id: "rs_1", summary: [] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "One moment." }] },
      { type: "function_call", call_id: "c1", name: "read_dial", arguments: '{"dial":"south"}' },
      { type: "function_call_output", call_id: "c1", output: "low" },
    ];
    const body = {
      model: "m",
      instructions: "You watch dials.",
      input,
      tools,
      max_output_tokens: 50,
      metadata: { a: "b" },
    };
    const answer = await whole("/v1/responses", body);
    expect(answer).toMatchObject({
      object: "response",
      status: "completed",
      metadata: { a: "b" },
      usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
      output: [
        { type: "reasoning", content: [{ type: "reasoning_text", text: "Hm." }] },
        { type: "message", content: [{ type: "output_text", text: "Reading. " }] },
        { type: "function_call", name: "read_dial", arguments: '{"dial":"north"}', status: "completed" },
      ],
    });
    const sent = upstream.requests[0].body;
    expect(sent.max_tokens).toBe(50);
    expect(sent.messages.map((message: { role: string }) => message.role)).toEqual([
      "system",
      "system",
      "user",
      "assistant",
      "user",
    ]);
    expect(sent.messages[3].content).toMatch(/^One moment\.\n<tool_call>/);
  });

  test("the events of a stream come to the same response", async () => {
    upstream.script(`<think>Hm.</think>Reading. ${northCall}`);
    const seen = await events("/v1/responses", { model: "m", input: "Hi", tools });
    expect(seen.map((event) => event.sequence_number)).toEqual(seen.map((_, at) => at));
    expect(seen[0].type).toBe("response.created");
    const last = seen.at(-1);
    expect(last).toMatchObject({
      type: "response.completed",
      response: { status: "completed", usage: { total_tokens: 18 } },
    });
    const done = seen.filter((event) => event.type === "response.output_item.done").map((event) => event.item);
    expect(done).toEqual(last.response.output);
    const text = seen.filter((event) => event.type === "response.output_text.delta").map((event) => event.delta);
    expect(text.join("")).toBe("Reading. ");
  });

  test("what needs a memory is refused; a cut response is incomplete; a broken stream fails", async () => {
    const body = { model: "m", input: "Hi", tools };
    expect(await whole("/v1/responses", { ...body, previous_response_id: "resp_1" })).toMatchObject({
      status: 400,
      error: { param: "previous_response_id" },
    });
    expect((await whole("/v1/responses", { ...body, tools: [{ type: "web_search" }] })).status).toBe(400);
    upstream.script({ texts: ["cut he"], finishReason: "length" });
    expect(await whole("/v1/responses", body)).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
    });
    upstream.script({ texts: ["broken"], breaks: { after: 1, how: "end" } });
    const seen = await events("/v1/responses", body);
    expect(seen.slice(-2).map((event) => event.type)).toEqual(["error", "response.failed"]);
  });

  test("a failed response holds what was said of it, and no call that was open", async () => {
    for (const written of ["Reading. ", `<think>Hm.</think>Reading. ${northCall}`]) {
      upstream.script({ texts: [`${written}<tool_call>{"name": "read_dial"`], breaks: { after: 30, how: "error" } });
      const seen = await events("/v1/responses", { model: "m", input: "Hi", tools });
      const { response } = seen.at(-1);
      expect(response).toMatchObject({ status: "failed", error: { message: "out of memory" } });
      const done = seen.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item);
      expect(done).toEqual(response.output);
      const said = response.output.filter((item: { type: string }) => item.type === "message");
      expect(said).toMatchObject([{ content: [{ type: "output_text", text: "Reading. " }] }]);
      expect(seen.map((event) => event.sequence_number)).toEqual(seen.map((_, at) => at));
    }
  });
});

describe("anthropic messages", () => {
  const tools = [{ name: "read_dial", input_schema: dialSchema }];

  test("what came from the upstream's cache is counted apart", async () => {
    const usage = { prompt_tokens: 11, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 8 } };
    upstream.script({ texts: ["Hi."], usage });
    expect((await whole("/v1/messages", { model: "m", max_tokens: 9, messages })).usage).toEqual({
      input_tokens: 3,
      output_tokens: 7,
      cache_read_input_tokens: 8,
    });
  });

  test("blocks in, blocks out", async () => {
    upstream.script(`<think>Hm.</think>Reading. ${northCall}`);
    const past = [
      { role: "user", content: "Hi" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "x", signature: "s" },
          { type: "text", text: "One moment." },
          { type: "tool_use", id: "t1", name: "read_dial", input: { dial: "south" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "low" }], is_error: true },
          { type: "text", text: "And north?" },
        ],
      },
    ];
    const system = [{ type: "text", text: "You watch dials.", cache_control: { type: "ephemeral" } }];
    const body = { model: "m", max_tokens: 50, system, messages: past, tools, stop_sequences: ["END"] };
    const answer = await whole("/v1/messages", body, { headers: { "x-api-key": "mine" } });
    expect(answer).toMatchObject({
      type: "message",
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm." },
        { type: "text", text: "Reading. " },
        { type: "tool_use", name: "read_dial", input: { dial: "north" } },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 11, output_tokens: 7 },
    });
    const [{ body: sent, headers }] = upstream.requests;
    expect(headers.authorization).toBe("Bearer mine");
    expect(sent).toMatchObject({ max_tokens: 50, stop: ["END"] });
    expect(sent.messages.map((message: { role: string }) => message.role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
      "user",
    ]);
    expect(sent.messages[0].content).toMatch(/^You watch dials\./);
    expect(sent.messages[2].content).toMatch(/^One moment\.\n<tool_call>/);
    expect(sent.messages[3].content).toContain("Error: low");
  });

  test("tool choices, images, and what Anthropic runs itself", async () => {
    const body = { model: "m", max_tokens: 9, messages, tools };
    upstream.script("No.", northCall);
    const any = { ...body, tool_choice: { type: "any", disable_parallel_tool_use: true } };
    expect(await whole("/v1/messages", any)).toMatchObject({
      stop_reason: "tool_use",
      content: [{ type: "tool_use" }],
    });
    expect(upstream.requests[0].body.messages[0].content).toContain("at most one call");
    const source = { type: "base64", media_type: "image/png", data: "AAAA" };
    upstream.script("A dial.");
    await whole("/v1/messages", { ...body, messages: [{ role: "user", content: [{ type: "image", source }] }] });
    const { content } = upstream.requests[0].body.messages[1];
    const shown = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    expect(content).toEqual([shown]);
    const result = [
      { type: "text", text: "Taken." },
      { type: "image", source },
    ];
    const asked = { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: result }] };
    upstream.script("A dial.");
    await whole("/v1/messages", { ...body, messages: [...messages.slice(0, 2), asked] });
    expect(upstream.requests[0].body.messages.at(-1).content).toEqual([
      { type: "text", text: expect.stringContaining("Taken.") },
      shown,
    ]);
    const theirs = { ...body, tools: [{ type: "web_search_20250305", name: "web_search" }] };
    expect(await whole("/v1/messages", theirs)).toMatchObject({
      status: 400,
      error: { type: "invalid_request_error" },
    });
  });

  test("a form of the answer is written beside tools and sent without them", async () => {
    const schema = { type: "object", properties: { level: { type: "string" } } };
    const format = { type: "json_schema", schema };
    for (const given of [{ output_config: { format } }, { output_format: format }]) {
      upstream.script('{"level": "high"}');
      const asked = { model: "m", max_tokens: 9, messages, ...given };
      await whole("/v1/messages", asked);
      expect(upstream.requests[0].body.response_format).toEqual({
        type: "json_schema",
        json_schema: { name: "answer", schema },
      });
      upstream.script('{"level": "high"}');
      const { content } = await whole("/v1/messages", { ...asked, tools });
      expect(content).toEqual([{ type: "text", text: '{"level": "high"}' }]);
      expect(JSON.stringify(upstream.requests[0].body.messages)).toContain("JSON Schema");
      expect(upstream.requests[0].body).not.toHaveProperty("response_format");
    }
  });

  test("a call that the upstream has read itself is a block as well", async () => {
    const native = {
      index: 0,
      id: "n1",
      type: "function",
      function: { name: "read_dial", arguments: '{"dial": "x"}' },
    };
    for (const stream of [false, true]) {
      upstream.script({ texts: [""], deltas: [{ tool_calls: [native] }], finishReason: "tool_calls" });
      const body = { model: "m", max_tokens: 9, messages, tools, stream };
      const answer = stream
        ? JSON.stringify(await events("/v1/messages", body))
        : (await whole("/v1/messages", body)).text;
      expect(answer).toContain('"id":"n1"');
      expect(answer).toContain('"stop_reason":"tool_use"');
    }
  });
});

describe("ollama", () => {
  test("messages in, messages out, whole and in lines", async () => {
    const past = [
      { role: "user", content: "Hi", images: ["AAAA"] },
      {
        role: "assistant",
        content: "",
        tool_calls: [{ function: { name: "read_dial", arguments: { dial: "south" } } }],
      },
      { role: "tool", tool_name: "read_dial", content: "low" },
    ];
    const body = {
      model: "m",
      messages: past,
      tools: chatTools,
      think: false,
      options: { num_predict: 5, num_ctx: 9 },
    };
    upstream.script(`<think>Hm.</think>Reading. ${northCall}`);
    const answer = await whole("/api/chat", { ...body, stream: false });
    expect(answer).toMatchObject({
      model: "m",
      message: {
        role: "assistant",
        content: "Reading. ",
        thinking: "Hm.",
        tool_calls: [{ function: { name: "read_dial", arguments: { dial: "north" } } }],
      },
      done: true,
      done_reason: "stop",
      eval_count: 7,
    });
    const [{ body: sent, path }] = upstream.requests;
    expect(path).toBe("/v1/chat/completions");
    expect(sent).toMatchObject({ max_tokens: 5, chat_template_kwargs: { enable_thinking: false }, stream: false });
    expect(sent.messages[3].content).toContain('{"name":"read_dial","content":"low"}');
    upstream.script(`Reading. ${northCall}`);
    const response = await proxyOf()(request("/api/chat", body));
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    const lines = (await response.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => line.message.content).join("")).toBe("Reading. ");
    expect(lines.flatMap((line) => line.message.tool_calls ?? [])).toHaveLength(1);
    expect(lines.map((line) => line.done)).toEqual([...lines.slice(1).map(() => false), true]);
  });

  test("a message that is empty without its refused call says so, and a filtered one that it was", async () => {
    const native = { id: "a", type: "function", function: { name: "read_dial", arguments: "{'dial'" } };
    const refused: [ScriptedReply | string, string][] = [
      [wrongName, '"read_dail"'],
      [northCall.slice(0, 40), "truncated"],
      [
        { texts: [""], deltas: [{ tool_calls: [{ index: 0, ...native }] }], finishReason: "tool_calls" },
        "no JSON object",
      ],
    ];
    const filtered = { texts: ["I would "], finishReason: "content_filter" };
    for (const [reply, said] of [...refused, [filtered, "I would "] as const]) {
      for (const stream of [true, false]) {
        upstream.script(reply);
        const options = { onRefusal: "drop" as const };
        const { text } = await whole("/api/chat", { ...chatBody, stream }, { options, asText: true });
        const lines = text
          .trim()
          .split("\n")
          .map((line: string) => JSON.parse(line));
        expect(lines.map((line: { message: { content: string } }) => line.message.content).join("")).toContain(said);
        expect(lines.at(-1)).toMatchObject({ done: true, done_reason: "content_filter" });
      }
    }
    upstream.script(`Reading. ${wrongName}`);
    const options = { onRefusal: "drop" as const };
    const answer = await whole("/api/chat", { ...chatBody, stream: false }, { options });
    expect(answer).toMatchObject({ message: { content: "Reading. " }, done_reason: "stop" });
  });

  test("without messages a model is loaded: the upstream has its own", async () => {
    upstream.script("never");
    expect(await whole("/api/chat", { model: "m" })).toMatchObject({ status: 200, done: true, done_reason: "load" });
    const unload = { model: "m", messages: [], keep_alive: 0 };
    expect(await whole("/api/chat", unload)).toMatchObject({ status: 200, done_reason: "unload" });
    expect(upstream.requests).toEqual([]);
  });
});

describe("memory", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const heapNow = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const chatTool = chatTools[0].function;
  const clients: [path: string, body: object][] = [
    ["/v1/chat/completions", { tools: chatTools, messages }],
    ["/v1/messages", { tools: [{ name: chatTool.name, input_schema: chatTool.parameters }], max_tokens: 9, messages }],
    ["/api/chat", { tools: chatTools, messages }],
  ];

  test.each(clients)(
    "a stream of %s keeps its text once while it is open, and nothing after",
    async (path, body) => {
      const upstreams: ReadableStreamDefaultController[] = [];
      const openEnded: typeof fetch = async () => {
        const stream = new ReadableStream({ start: (controller) => void upstreams.push(controller) });
        return new Response(stream, { headers: { "content-type": "text/event-stream" } });
      };
      const handle = proxyOf({ fetch: openEnded, log: () => {} });
      const streams = 20;
      const chunks = 100;
      const encoder = new TextEncoder();
      const feed = (data: unknown) => {
        const text = typeof data === "string" ? data : JSON.stringify(data);
        for (const one of upstreams) one.enqueue(encoder.encode(`data: ${text}\n\n`));
      };
      const say = async (from: number, to: number) => {
        for (let at = from; at < to; at++) {
          feed({ choices: [{ index: 0, delta: { content: `${at}: ${"word ".repeat(600)}\n` } }] });
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const run = async () => {
        const readers = await Promise.all(
          Array.from({ length: streams }, async () => {
            const response = await handle(request(path, { model: "m", stream: true, ...body }));
            return (response.body as ReadableStream).getReader();
          }),
        );
        const drained = readers.map(async (reader) => {
          while (!(await reader.read()).done);
        });
        await say(0, chunks / 10);
        const early = await heapNow();
        await say(chunks / 10, chunks);
        const late = await heapNow();
        feed({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
        feed("[DONE]");
        await Promise.all(drained);
        upstreams.length = 0;
        return late - early;
      };
      await run();
      const before = await heapNow();
      const grown = await run();
      const text = streams * chunks * 0.9 * 3005;
      expect(grown / text).toBeGreaterThan(0.8);
      expect(grown / text).toBeLessThan(1.5);
      expect((await heapNow()) - before).toBeLessThan(text / 5);
    },
    60_000,
  );
});

describe("around it", () => {
  test("a line of log per request holds no text and no credential", async () => {
    upstream.script(`Secret words. ${northCall}`);
    await whole("/v1/chat/completions", chatBody, {
      headers: { authorization: "Bearer hidden", "x-request-id": "r9" },
    });
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatchObject({
      id: "r9",
      method: "POST",
      path: "/v1/chat/completions",
      protocol: "chat.completions",
      model: "m",
      format: "hermes",
      status: 200,
      calls: 1,
      refused: 0,
      usage: { total_tokens: 18 },
    });
    expect(logged[0].telemetry?.[0]).toMatchObject({ parse_mode: "primary", calls: 1 });
    expect(JSON.stringify(logged)).not.toMatch(/hidden|Secret|north/);
  });

  test("the log never throws into an answer", async () => {
    upstream.script(northCall);
    const log = () => {
      throw new Error("disk full");
    };
    expect((await whole("/v1/chat/completions", chatBody, { options: { log } })).status).toBe(200);
    expect((await events("/v1/chat/completions", chatBody, { options: { log } })).at(-1)).toBe("[DONE]");
  });

  test("health", async () => {
    const response = await proxyOf()(new Request("http://proxy/healthz"));
    expect(await response.json()).toEqual({ status: "ok", active: 0 });
    expect(logged).toEqual([]);
  });

  test.each([
    [{ upstraem: "x" }, 'did you mean "upstream"'],
    [{ upstream: "localhost:8000" }, "upstream must be a URL"],
    [{ upstream: "http://me:pw@127.0.0.1/v1" }, "no credential"],
    [{ format: "hermse" }, 'Did you mean "hermes"'],
    [{ promptFormat: "hermse" }, 'promptFormat: there is no format "hermse". Did you mean "hermes"'],
    [{ promptFormat: 3 }, "promptFormat: format must be a compiled format"],
    [{ format: "auto", promptFormat: ["hermes"] }, "promptFormat: format must be a compiled format"],
    [{ send: "massages" }, 'did you mean "messages"'],
    [{ onRefusal: "droop" }, 'did you mean "drop"'],
    [{ constrain: "gnbf" }, 'did you mean "gbnf"'],
    [{ idleTimeoutMs: 0 }, "idleTimeoutMs"],
  ])("misuse throws at once: %j", (options, said) => {
    expect(() => proxyOf(options as never)).toThrow(said);
  });
});
