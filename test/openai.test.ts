/** `toolpeg/openai`, held against the types and the stream accumulator of the `openai` package. */
import type OpenAI from "openai";
import { ChatCompletionStream } from "openai/lib/ChatCompletionStream";
import { createParser, formats, type ParseEvent, type ParseOptions, parse, parseStream } from "toolpeg";
import {
  type ChatChunk,
  ChatStreamError,
  fromChatCompletionChunk,
  type IncomingChunk,
  type ResponseEvent,
  refusalsOf,
  refusalText,
  rewriteChatCompletionChunks,
  toChatCompletionChoice,
  toChatCompletionChunks,
  toChatCompletionMessage,
  toRejectedToolCall,
  toResponseEvents,
  toResponseItems,
  toTextMessages,
  uniqueCallIds,
} from "toolpeg/openai";
import { describe, expect, test } from "vitest";
import { corpusRuns, oddChunks } from "./support/corpus-runs.ts";
import { saidTwice, turnSchema } from "./support/said-twice.ts";

const dial = { type: "object", properties: { dial: { type: "string" } }, required: ["dial"] };
const tools = [{ name: "read_dial", parameters: dial }];
const options: ParseOptions = { format: "hermes", tools };
const call = (name: string, dial: unknown) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: { dial } })}\n</tool_call>\n`;
const reply = `<think>Which one?</think>Reading.\n${call("read_dial", 7)}${call("read_dial", "north")}`;

function eventsOf(text: string, given: ParseOptions = options): ParseEvent[] {
  const parser = createParser(given);
  return [...oddChunks(text).flatMap((chunk) => parser.push(chunk)), ...parser.end()];
}

/** What a client of the `openai` package makes of the chunks. */
async function accumulate(chunks: readonly ChatChunk[]): Promise<OpenAI.ChatCompletion> {
  const lines = chunks.map((chunk) => `${JSON.stringify(chunk)}\n`);
  const stream = new ReadableStream({
    start(controller) {
      for (const line of lines) controller.enqueue(new TextEncoder().encode(line));
      controller.close();
    },
  });
  return ChatCompletionStream.fromReadableStream(stream).finalChatCompletion();
}

describe("toChatCompletionMessage", () => {
  test("is a message of the openai package: calls that passed, no other", () => {
    const message: OpenAI.ChatCompletionMessage = toChatCompletionMessage(parse(reply, options));
    expect(message).toEqual({
      role: "assistant",
      content: "Reading.\n",
      refusal: null,
      tool_calls: [{ id: "call_1", type: "function", function: { name: "read_dial", arguments: '{"dial":"north"}' } }],
      reasoning_content: "Which one?",
    });
  });

  test("content is null beside calls without text, and text otherwise", () => {
    expect(toChatCompletionMessage(parse(call("read_dial", "n"), options)).content).toBeNull();
    expect(toChatCompletionMessage(parse("", options))).toEqual({ role: "assistant", content: "", refusal: null });
    expect(toChatCompletionMessage(parse(reply, options), { reasoning: false })).not.toHaveProperty(
      "reasoning_content",
    );
  });

  test("a choice says tool_calls only when there is a call, and length whenever the server did", () => {
    const choice: OpenAI.ChatCompletion.Choice = toChatCompletionChoice(parse(reply, options));
    expect(choice.finish_reason).toBe("tool_calls");
    const refused = parse(call("read_dial", 7), options);
    expect(toChatCompletionChoice(refused, { finishReason: "tool_calls" }).finish_reason).toBe("content_filter");
    expect(toChatCompletionChoice({ ...refused, content: "Hm." }).finish_reason).toBe("stop");
    expect(toChatCompletionChoice(parse(reply, options), { finishReason: "length" }).finish_reason).toBe("length");
    for (const [finishReason, said] of [
      ["MAX_TOKENS", "length"],
      ["error", "length"],
      ["SAFETY", "content_filter"],
      ["content-filter", "content_filter"],
    ] as const)
      expect(toChatCompletionChoice(parse(reply, options), { finishReason }).finish_reason).toBe(said);
  });
});

test.each([
  [() => toChatCompletionMessage({} as never), "toChatCompletionMessage() takes the result of `parse`"],
  [() => toChatCompletionChoice(undefined as never), "toChatCompletionChoice() takes the result of `parse`"],
  [() => toResponseItems(null as never), "toResponseItems() takes the result of `parse`"],
  [() => toTextMessages("hello" as never, { format: "hermes", formats }), "toTextMessages() takes a list of messages"],
  [() => toTextMessages([null] as never, { format: "hermes", formats }), "toTextMessages() takes a list of messages"],
  [
    () => toTextMessages([{ role: "tool" }], { format: "hermes", formats, renderResult: () => 5 as never }),
    "renderResult must",
  ],
  [
    () => toTextMessages([], { format: "hermes", formats, tools, instruction: () => 5 as never }),
    "instruction must give",
  ],
  [() => refusalsOf([], undefined as never), "refusalsOf() takes as its second argument the result of `parse`"],
  [() => refusalText([5] as never), "refusalText() takes a list of rejections"],
  [() => toRejectedToolCall(undefined as never), "toRejectedToolCall() takes one of the `rejected` of a result"],
  [
    () => fromChatCompletionChunk({ choices: [{ delta: { content: "x" } }] } as never, undefined as never),
    "`parser` is what `createParser` makes",
  ],
])("what is none of what a function takes is said to be none: %s", (misuse, message) => {
  expect(misuse).toThrow(message);
  expect(misuse).toThrow(TypeError);
});

describe("toChatCompletionChunks", () => {
  test("chunks are chunks of the openai package", () => {
    const chunks: OpenAI.ChatCompletionChunk[] = [...toChatCompletionChunks(eventsOf(reply))];
    expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1);
  });

  test("a call is sent in one piece after its end, numbered from 0", () => {
    const chunks = [...toChatCompletionChunks(eventsOf(reply), { id: "c", model: "m", created: 5 })];
    const sent = chunks.flatMap((chunk) => chunk.choices[0].delta.tool_calls ?? []);
    expect(sent).toEqual([
      { index: 0, id: "call_1", type: "function", function: { name: "read_dial", arguments: '{"dial":"north"}' } },
    ]);
    expect(chunks[0]).toEqual({
      id: "c",
      object: "chat.completion.chunk",
      created: 5,
      model: "m",
      choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null, logprobs: null }],
    });
    expect(chunks.at(-1)?.choices[0]).toMatchObject({ delta: {}, finish_reason: "tool_calls" });
  });

  test("provisional sends deltas as they come; a call refused later makes the finish reason stop", async () => {
    const good = [...toChatCompletionChunks(eventsOf(call("read_dial", "a north dial")), { provisional: true })];
    expect(good.filter((chunk) => chunk.choices[0].delta.tool_calls).length).toBeGreaterThan(3);
    const finished = (await accumulate(good)).choices[0];
    expect(finished.finish_reason).toBe("tool_calls");
    expect(finished.message.tool_calls).toEqual([
      { id: "call_0", type: "function", function: { name: "read_dial", arguments: '{"dial":"a north dial"}' } },
    ]);
    const bad = [...toChatCompletionChunks(eventsOf(reply), { provisional: true })];
    expect(bad.flatMap((chunk) => chunk.choices[0].delta.tool_calls ?? []).map((delta) => delta.index)).toContain(1);
    expect(bad.at(-1)?.choices[0].finish_reason).toBe("stop");
  });

  test("the finish reason may be known only after the last event", async () => {
    let finishReason = "stop";
    async function* source() {
      yield "cut he";
      finishReason = "length";
    }
    const chunks: ChatChunk[] = [];
    const events = parseStream(source(), options);
    for await (const chunk of toChatCompletionChunks(events, { finishReason: () => finishReason })) chunks.push(chunk);
    expect((await accumulate(chunks)).choices[0].finish_reason).toBe("length");
  });

  test("the accumulator of the openai package ends with what parse gives, for every corpus case", async () => {
    const runs = corpusRuns();
    expect(runs.length).toBeGreaterThan(10);
    for (const { name, text, options: given, whole } of runs) {
      const parser = createParser(given);
      const events = [...oddChunks(text).flatMap((chunk) => parser.push(chunk)), ...parser.end()];
      const { message, finish_reason } = (await accumulate([...toChatCompletionChunks(events)])).choices[0];
      expect({ name, calls: message.tool_calls ?? [], content: message.content ?? "" }).toEqual({
        name,
        calls: toChatCompletionMessage(whole).tool_calls ?? [],
        content: whole.content,
      });
      const isWithheld = whole.rejected.length > 0 && whole.content.trim() === "";
      const ended = whole.calls.length > 0 ? "tool_calls" : isWithheld ? "content_filter" : "stop";
      expect({ name, finish_reason }).toEqual({ name, finish_reason: ended });
    }
  });
});

describe("chunks of a server", () => {
  const chunk = (delta: object, finish_reason: string | null = null): IncomingChunk =>
    ({ id: "up", created: 9, model: "served", choices: [{ index: 0, delta, finish_reason }] }) as IncomingChunk;

  test("feed a parser; the server's finish reason ends it", () => {
    const typed: OpenAI.ChatCompletionChunk[] = [...toChatCompletionChunks([{ type: "text-delta", text: "Hi" }])];
    const parser = createParser(options);
    expect(typed.flatMap((one) => fromChatCompletionChunk(one, parser))).toEqual([{ type: "text-delta", text: "Hi" }]);
    expect(parser.result().content).toBe("Hi");
  });

  test("plain text completions, other choices, split-off reasoning and chunks of usage", () => {
    const parser = createParser(options);
    expect(fromChatCompletionChunk({ choices: [{ text: "Hi" }] }, parser)).toEqual([
      { type: "text-delta", text: "Hi" },
    ]);
    expect(fromChatCompletionChunk({ choices: [{ index: 1, text: "no" }] }, parser)).toEqual([]);
    expect(fromChatCompletionChunk({ choices: [] }, parser)).toEqual([]);
    expect(fromChatCompletionChunk(chunk({ reasoning_content: "why" }), parser)).toEqual([
      { type: "reasoning-delta", text: "why" },
    ]);
    const parts = [
      { type: "thinking", thinking: [{ type: "text", text: "Hm" }] },
      { type: "thinking", thinking: "m." },
      { type: "text", text: " there" },
      { type: "image_url" },
    ];
    expect(fromChatCompletionChunk({ choices: [{ delta: { content: parts } }] }, parser)).toEqual([
      { type: "reasoning-delta", text: "Hmm." },
      { type: "text-delta", text: " there" },
    ]);
    fromChatCompletionChunk(chunk({}, "length"), parser);
    expect(parser.result()).toMatchObject({ content: "Hi there", truncated: true });
    const late = call("read_dial", "north");
    expect(fromChatCompletionChunk(chunk({ content: late }), parser)).toEqual([{ type: "text-delta", text: late }]);
  });

  test("no call is put together across a part of the content that is no text", async () => {
    const [begun, ended] = ["<tool_call>", '{"name": "read_dial", "arguments": {"dial": "north"}}</tool_call>'].map(
      (text) => ({ type: "text", text }),
    );
    const thoughts = [
      { type: "thinking", thinking: "Hm." },
      { type: "reasoning_text", text: "Hm." },
      { type: "text", text: "Hm.", thought: true },
    ];
    for (const part of [...thoughts, { type: "image_url" }, { type: "tool_result", text: "ok" }]) {
      const incoming = [chunk({ content: [begun, part, ended] }), chunk({}, "stop")];
      const parser = createParser(options);
      const calls = incoming.flatMap((one) => fromChatCompletionChunk(one, parser));
      expect(calls.some(({ type }) => type === "call-end")).toBe(false);
      const { chunks } = await collect(incoming, createParser(options));
      expect(chunks.some((one) => one.choices[0].delta.tool_calls !== undefined)).toBe(false);
    }
    const { chunks } = await collect([chunk({ content: [begun, ended] }), chunk({}, "stop")], createParser(options));
    expect((await accumulate(chunks)).choices[0].message.tool_calls).toHaveLength(1);
  });

  test("nor across thoughts in a field of their own, whatever it is called", async () => {
    const [begun, ended] = [call("read_dial", "north").slice(0, 30), call("read_dial", "north").slice(30)];
    const fields: [object, string][] = [
      [{ reasoning: "Hm." }, "Hm."],
      [{ reasoning_text: "Hm." }, "Hm."],
      [{ thinking: "Hm." }, "Hm."],
      [{ reasoning: "Hm.", reasoning_details: [{ type: "reasoning.text", text: "Hm." }] }, "Hm."],
      [{ reasoning_details: [{ type: "reasoning.summary", summary: "Hm." }] }, "Hm."],
      [{ reasoning_details: [{ type: "reasoning.encrypted", data: "x" }] }, ""],
      [{ thinking_blocks: [{ type: "thinking", thinking: "Hm.", signature: "" }] }, "Hm."],
    ];
    for (const [field, thought] of fields) {
      const incoming = [chunk({ content: begun }), chunk(field), chunk({ content: ended }), chunk({}, "stop")];
      const parser = createParser(options);
      const found = incoming.flatMap((one) => fromChatCompletionChunk(one, parser));
      const thoughts = found.flatMap((event) => (event.type === "reasoning-delta" ? [event.text] : []));
      expect([found.some(({ type }) => type === "call-end"), thoughts.join("")]).toEqual([false, thought]);
      const { chunks } = await collect(incoming, createParser(options));
      expect(chunks.some((one) => one.choices[0].delta.tool_calls !== undefined)).toBe(false);
    }
    const incoming = [
      chunk({ content: begun }),
      chunk({ reasoning: "", reasoning_details: [] }),
      chunk({ content: ended }),
    ];
    const { chunks } = await collect([...incoming, chunk({}, "stop")], createParser(options));
    expect((await accumulate(chunks)).choices[0].message.tool_calls).toHaveLength(1);
  });

  test("text and calls of another role than the assistant's run nothing, and are refused", async () => {
    const native = { index: 0, id: "n", type: "function", function: { name: "read_dial", arguments: "{}" } };
    const content = call("read_dial", "north");
    for (const role of ["tool", "user", "System"]) {
      for (const theirs of [[{ role, content }], [{ role }, { content }], [{ role, tool_calls: [native] }]]) {
        const incoming = [...theirs.map((delta) => chunk(delta)), chunk({}, "stop")];
        const parser = createParser(options);
        const found = incoming.flatMap((one) => fromChatCompletionChunk(one, parser));
        expect(found.some(({ type }) => type === "call-end")).toBe(false);
        const { chunks } = await collect(incoming, createParser(options));
        expect(chunks.some((one) => one.choices[0].delta.tool_calls !== undefined)).toBe(false);
        expect(chunks.at(-1)?.choices[0].finish_reason).toBe("content_filter");
      }
    }
    // What the assistant has called before stands.
    const mine = [chunk({ role: "assistant", content }), chunk({ role: "tool", content }), chunk({}, "stop")];
    const { chunks } = await collect(mine, createParser(options));
    expect((await accumulate(chunks)).choices[0].message.tool_calls).toHaveLength(1);
  });

  test("a content that is one part, and a call of a custom tool beside one of the text", async () => {
    const part = { type: "text", text: call("read_dial", "north") };
    const custom = { index: 0, id: "c", type: "custom", custom: { name: "run", input: "x" } };
    const incoming = [chunk({ content: part }), chunk({ tool_calls: [custom] }), chunk({}, "stop")];
    const { chunks } = await collect(incoming, createParser(options));
    const calls = chunks.flatMap((one) => one.choices[0].delta.tool_calls ?? []);
    expect(calls).toMatchObject([
      { function: { name: "read_dial" } },
      { index: 1, type: "custom", custom: custom.custom },
    ]);
  });

  test("a call in a part of the content that is no text of the model's is none", async () => {
    for (const type of ["reasoning_text", "tool_result", "refusal", "document", "text-plain", "web_search_result"]) {
      const content = [
        { type, text: call("read_dial", "north") },
        { type: "text", text: "ok" },
      ];
      const { chunks } = await collect([chunk({ content }), chunk({}, "stop")], createParser(options));
      const [{ message }] = (await accumulate(chunks)).choices;
      expect([message.tool_calls, message.content], type).toEqual([undefined, "ok"]);
    }
  });

  test("a stream is rewritten: text calls become tool_calls, id and model stay the server's", async () => {
    const incoming = [...oddChunks(reply).map((content) => chunk({ content })), chunk({}, "stop")];
    const chunks: ChatChunk[] = [];
    for await (const one of rewriteChatCompletionChunks(incoming, createParser(options))) chunks.push(one);
    const { id, model, created, choices } = await accumulate(chunks);
    expect({ id, model, created }).toEqual({ id: "up", model: "served", created: 9 });
    expect(choices[0].message.tool_calls).toEqual(toChatCompletionMessage(parse(reply, options)).tool_calls);
  });

  test("calls that the server has read itself are passed on, numbered among the others", async () => {
    const piece = (index: number, more: object) => chunk({ tool_calls: [{ index, ...more }] });
    const incoming = [
      chunk({ content: call("read_dial", "north") }),
      piece(0, { id: "n", type: "function", function: { name: "list_dials", arguments: "" } }),
      piece(0, { function: { arguments: "{}" } }),
      chunk({}, "tool_calls"),
    ];
    const chunks: ChatChunk[] = [];
    for await (const one of rewriteChatCompletionChunks(incoming, createParser(options))) chunks.push(one);
    const [{ message, finish_reason }] = (await accumulate(chunks)).choices;
    expect(finish_reason).toBe("tool_calls");
    expect(message.tool_calls?.map((one) => one.type === "function" && one.function)).toEqual([
      { name: "read_dial", arguments: '{"dial":"north"}' },
      { name: "list_dials", arguments: "{}" },
    ]);
  });

  test.each(["tool_calls", "length"])(
    "one without arguments gets an empty object, unless it was cut: %s",
    async (end) => {
      const called = { name: "list_dials", arguments: "" };
      const incoming = [
        chunk({ tool_calls: [{ index: 0, id: "n", type: "function", function: called }] }),
        chunk({}, end),
      ];
      const sent = end === "length" ? "" : "{}";
      for (const before of [[], [chunk({ content: call("read_dial", "north") })]]) {
        const { chunks } = await collect([...before, ...incoming], createParser(options));
        const [{ message }] = (await accumulate(chunks)).choices;
        expect(message.tool_calls?.at(-1)).toMatchObject({ function: { name: "list_dials", arguments: sent } });
      }
    },
  );

  const collect = async (
    incoming: Iterable<IncomingChunk>,
    given: Parameters<typeof rewriteChatCompletionChunks>[1],
  ) => {
    const chunks: ChatChunk[] = [];
    let error: unknown;
    try {
      for await (const one of rewriteChatCompletionChunks(incoming, given)) chunks.push(one);
    } catch (thrown) {
      error = thrown;
    }
    return { chunks, error, text: chunks.map((one) => one.choices[0]?.delta.content ?? "").join("") };
  };

  test("what stands in the place of a chunk, or of a choice, and is none brings nothing", async () => {
    const noChunks = [null, undefined, "x", {}, { choices: {} }, { choices: [null] }, { choices: [{ delta: null }] }];
    const incoming = [chunk({ content: "Hi." }), ...noChunks, chunk({}, "stop")] as IncomingChunk[];
    const { error, text } = await collect(incoming, createParser(options));
    expect([text, error]).toEqual(["Hi.", undefined]);
    const parser = createParser(options);
    expect(incoming.flatMap((one) => fromChatCompletionChunk(one, parser)).map(({ type }) => type)).not.toEqual([]);
    expect(parser.result().content).toBe("Hi.");
  });

  test("a stream that ends without a finish reason is an error, and ends no open call", async () => {
    // The call lacks only its closer: at the end of a message it would be one.
    const open = 'Hi. <tool_call>{"name": "read_dial", "arguments": {"dial": "north"}}';
    const { chunks, error, text } = await collect([chunk({ content: open })], createParser(options));
    expect(error).toBeInstanceOf(ChatStreamError);
    expect(text).toBe("Hi. ");
    expect(chunks.some((one) => one.choices[0].delta.tool_calls !== undefined)).toBe(false);
    expect((await collect([], createParser(options))).error).toBeInstanceOf(ChatStreamError);
  });

  test("a server that fails in the middle fails for the client too", async () => {
    const incoming = [chunk({ content: `Hi.${call("read_dial", "n")}` }), { error: { message: "out of memory" } }];
    const { chunks, error } = await collect(incoming, createParser(options));
    expect(String(error)).toContain("out of memory");
    expect(chunks.filter((one) => one.choices[0].finish_reason !== null)).toEqual([]);
    expect(() => fromChatCompletionChunk({ error: "gone" }, createParser(options))).toThrow("gone");
    // A call of the text waits behind one that the server has read itself, which may be the same; then it is made once.
    const native = (dial: string) => ({
      index: 0,
      id: "n",
      function: { name: "read_dial", arguments: `{"dial":"${dial}"}` },
    });
    for (const dial of ["n", "s"]) {
      const both = [chunk({ tool_calls: [native(dial)] }), chunk({ content: call("read_dial", "n") })];
      const made = dial === "n" ? [0] : [0, 1];
      for (const last of [{ error: "gone" }, chunk({}, "error")]) {
        const { chunks } = await collect([...both, last] as IncomingChunk[], createParser(options));
        expect(chunks.flatMap((one) => one.choices[0].delta.tool_calls ?? []).map(({ index }) => index)).toEqual(made);
      }
    }
  });

  test("usage, log probabilities, refusals and further choices are passed on", async () => {
    const piece = (index: number, more: object) => ({ choices: [{ index, delta: {}, finish_reason: null, ...more }] });
    const incoming = [
      piece(0, { delta: { content: "No" }, logprobs: { content: [{ token: "No" }] } }),
      piece(1, { delta: { content: call("read_dial", "n") } }),
      piece(0, { delta: { refusal: "I will" } }),
      piece(0, { delta: { content: [{ type: "refusal", refusal: " not." }] } }),
      { ...piece(0, { delta: { content: "<tool_" } }), timings: { n: 1 } },
      piece(0, { delta: { content: [{ type: "image_url", image_url: {} }] } }),
      { ...piece(0, { finish_reason: "stop", content_filter_results: {} }), system_fingerprint: "f" },
      piece(1, { finish_reason: "stop" }),
      { choices: [], usage: { total_tokens: 7 } },
    ] as IncomingChunk[];
    const { chunks, error } = await collect(incoming, () => createParser(options));
    expect(error).toBeUndefined();
    const { choices } = await accumulate(chunks);
    expect(choices[0].message).toMatchObject({ content: "No<tool_", refusal: "I will not." });
    const beside = { timings: { n: 1 }, system_fingerprint: "f" };
    expect(Object.assign({}, ...chunks)).toMatchObject(beside);
    const parts = { delta: { content_parts: [{ type: "image_url", image_url: {} }] } };
    for (const one of [parts, { finish_reason: "stop", content_filter_results: {} }])
      expect(chunks.flatMap((one) => one.choices)).toContainEqual(expect.objectContaining(one));
    expect(choices[0].logprobs?.content?.[0].token).toBe("No");
    expect([choices[1].finish_reason, choices[1].message.tool_calls?.length]).toEqual(["tool_calls", 1]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 7 } });
  });

  test("one parser reads choice 0, and the text of another is passed on as it is", async () => {
    const written = call("read_dial", "n").trim();
    const at = (index: number, content: string, finish_reason: string | null = null) => ({
      choices: [{ index, delta: { content }, finish_reason }],
    });
    const native = { index: 0, id: "n", type: "function", function: { name: "list_dials", arguments: "{}" } };
    for (const cut of [0, 5, 20, written.length]) {
      const incoming = [
        at(1, "B <to"),
        at(0, `A ${written.slice(0, cut)}`),
        at(1, `ol ${written}`),
        at(0, written.slice(cut)),
        at(0, "", "stop"),
        at(1, " C"),
        { choices: [{ index: 1, delta: { tool_calls: [native] }, finish_reason: "tool_calls" }] },
      ];
      const { chunks, error } = await collect(incoming as IncomingChunk[], createParser(options));
      expect(error).toBeUndefined();
      const [first, second] = (await accumulate(chunks)).choices.sort((one, other) => one.index - other.index);
      expect([first.message.content?.trim(), first.finish_reason]).toEqual(["A", "tool_calls"]);
      expect(first.message.tool_calls).toMatchObject([{ function: { arguments: '{"dial":"n"}' } }]);
      expect([second.message.content, second.finish_reason]).toEqual([`B <tool ${written} C`, "tool_calls"]);
      expect(second.message.tool_calls).toMatchObject([{ id: "n", function: native.function }]);
    }
  });

  test("a source that throws fails as one that says so: what was held back comes first", async () => {
    function* throwing(content: string) {
      yield chunk({ content });
      throw new Error("connection lost");
    }
    const open = '<tool_call>{"name": "read_dial", "arguments": {"dial": "north"}}';
    for (const [said, shown] of [
      ["Hi <to", "Hi <to"],
      [`Hi ${open}`, "Hi "],
    ]) {
      const { chunks, error, text } = await collect(throwing(said), createParser(options));
      expect(String(error)).toContain("connection lost");
      expect(text).toBe(shown);
      expect(chunks.some(({ choices }) => choices[0].delta.tool_calls || choices[0].finish_reason)).toBe(false);
    }
  });

  test("a call is not put together across thoughts that the server has split off", async () => {
    const [first, second] = ['<tool_call>{"name": "read_dial", "argu', 'ments": {"dial": "north"}}</tool_call>'];
    const incoming = [chunk({ content: first }), chunk({ reasoning_content: "Hm." }), chunk({ content: second })];
    const events = incoming.flatMap((one) => fromChatCompletionChunk(one, createParser(options)));
    expect(events.some((event) => event.type === "call-end")).toBe(false);
    const parser = createParser(options);
    const joined = [...incoming, chunk({}, "stop")].flatMap((one) => fromChatCompletionChunk(one, parser));
    expect(joined.filter((event) => event.type === "call-end" || event.type === "call-rejected")).toMatchObject([
      { type: "call-rejected", rejection: { reason: "malformed", raw: first + second } },
    ]);
    const { chunks } = await collect([...incoming, chunk({}, "stop")], createParser(options));
    expect(chunks.some((one) => one.choices[0].delta.tool_calls !== undefined)).toBe(false);
    expect(chunks.at(-1)?.choices[0].finish_reason).toBe("content_filter");
  });

  test.each([{ refusal: "No." }, { audio: { data: "" } }])("nor across %j", async (between) => {
    const [first, second] = ['<tool_call>{"name": "read_dial", "argu', 'ments": {"dial": "north"}}</tool_call>'];
    const incoming = [
      chunk({ content: first }),
      chunk(between as never),
      chunk({ content: second }),
      chunk({}, "stop"),
    ];
    const parser = createParser(options);
    const events = incoming.flatMap((one) => fromChatCompletionChunk(one, parser));
    expect(events.filter(({ type }) => type === "call-end" || type === "text-delta")).toEqual([]);
    const { chunks } = await collect(incoming, createParser(options));
    expect(chunks.some((one) => one.choices[0].delta.tool_calls !== undefined)).toBe(false);
    // A server that says so with every chunk says nothing.
    const quiet = [chunk({ content: first, refusal: null } as never), chunk({ content: second, audio: null } as never)];
    const made = await collect([...quiet, chunk({}, "stop")], createParser(options));
    expect(made.chunks.at(-1)?.choices[0].finish_reason).toBe("tool_calls");
  });

  const begun = { name: "read_dial", arguments: "" };
  const rest = { arguments: '{ "dial":"north" }' };
  const ofToday = [
    chunk({ tool_calls: [{ index: 0, id: "n", type: "function", function: begun }] }),
    chunk({ tool_calls: [{ index: 0, function: rest }] }),
  ];
  const ofOldServers = [chunk({ function_call: begun }), chunk({ function_call: rest })];

  const whole = { name: "read_dial", arguments: { dial: "north" } as unknown as string };
  const ofObjects = [chunk({ tool_calls: [{ index: 0, id: "n", type: "function", function: whole }] })];

  test.each([ofToday, ofOldServers])("a call that the server has read itself is passed on", async (...native) => {
    const { chunks } = await collect([...native, chunk({}, "tool_calls")], createParser(options));
    const { message, finish_reason } = (await accumulate(chunks)).choices[0];
    expect([finish_reason, message.tool_calls?.length, message.tool_calls?.[0]]).toMatchObject([
      "tool_calls",
      1,
      { id: expect.stringMatching(/./), function: { name: "read_dial", arguments: rest.arguments } },
    ]);
  });

  test.each([
    ["text first", ofToday],
    ["native first", ofToday],
    ["text first", ofOldServers],
    ["native first", ofOldServers],
    ["native first", ofObjects],
  ])("a call that stands in the text and comes natively is one: %s", async (order, native) => {
    const text = [chunk({ content: call("read_dial", "north") }), chunk({ content: call("read_dial", "south") })];
    const incoming = order === "text first" ? [...text, ...native] : [...native, ...text];
    const { chunks } = await collect([...incoming, chunk({}, "stop")], createParser(options));
    const { message } = (await accumulate(chunks)).choices[0];
    const dials = message.tool_calls?.map((one) => one.type === "function" && JSON.parse(one.function.arguments).dial);
    expect(dials?.sort()).toEqual(["north", "south"]);
  });

  test.each(saidTwice)("one that the server reads otherwise is one: $what", async ({ format, text, native, runs }) => {
    const given = { format, tools: [{ name: "turn", parameters: turnSchema }] };
    const called = (args: string) => [
      chunk({ tool_calls: [{ index: 0, id: "n", type: "function", function: { name: "turn", arguments: args } }] }),
    ];
    const callsOf = async (...incoming: IncomingChunk[]) => {
      const { chunks } = await collect([...incoming, chunk({}, "tool_calls")], createParser(given));
      const { tool_calls = [] } = (await accumulate(chunks)).choices[0].message;
      return tool_calls.map((one) => (one.type === "function" ? one.function.arguments : ""));
    };
    expect((await callsOf(chunk({ content: text }), ...called(native))).map((json) => JSON.parse(json))).toEqual([
      runs,
    ]);
    // What has been sent stays sent.
    expect(await callsOf(...called(native), chunk({ content: text }))).toEqual([native || "{}"]);
    expect(await callsOf(chunk({ content: text }), ...called('{"n": 6}'))).toHaveLength(2);
  });
});

test("results are items of the Responses API", () => {
  const items: OpenAI.Responses.ResponseOutputItem[] = toResponseItems(parse(reply, options), { id: "x" });
  expect(items).toEqual([
    {
      type: "reasoning",
      id: "rs_x",
      summary: [],
      content: [{ type: "reasoning_text", text: "Which one?" }],
      status: "completed",
    },
    {
      type: "message",
      id: "msg_x",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Reading.\n", annotations: [] }],
    },
    {
      type: "function_call",
      id: "fc_x_0",
      call_id: "call_1",
      name: "read_dial",
      arguments: '{"dial":"north"}',
      status: "completed",
    },
  ]);
});

test("events are those of a streamed response, and come to the same items", async () => {
  const events = [];
  for await (const event of toResponseEvents(eventsOf(reply), { id: "r", finishReason: "stop" })) events.push(event);
  const typed = events as unknown as OpenAI.Responses.ResponseStreamEvent[];
  expect(typed.map((event) => event.sequence_number)).toEqual(typed.map((_, at) => at));
  expect(typed.filter((event) => event.type === "response.function_call_arguments.done")).toMatchObject([
    { arguments: '{"dial":"north"}' },
  ]);
  const last = typed.at(-1);
  if (last?.type !== "response.completed") throw new Error(`the last event is ${last?.type}`);
  const plain = (items: { type: string }[]) => items.map(({ type }) => type);
  expect(plain(last.response.output)).toEqual(plain(toResponseItems(parse(reply, options))));
  const cut = [];
  for await (const event of toResponseEvents(eventsOf(reply), { finishReason: () => "length" })) cut.push(event.type);
  expect(cut.at(-1)).toBe("response.incomplete");
});

test("options are checked: names and values", async () => {
  const of = async (events: AsyncIterable<unknown>) => {
    for await (const _ of events);
  };
  await expect(
    of(rewriteChatCompletionChunks([], createParser(options), { provisionl: true } as never)),
  ).rejects.toThrow('rewriteChatCompletionChunks() has no option "provisionl": did you mean "provisional"?');
  await expect(of(rewriteChatCompletionChunks([], { format: "hermes" } as never))).rejects.toThrow(
    "`parser` is what `createParser` makes, or a function",
  );
  await expect(of(toResponseEvents([], { usage: 5 } as never))).rejects.toThrow(
    "options.usage must be counts of tokens",
  );
  expect(() => toChatCompletionChunks([], { provisional: "yes" } as never)).toThrow(
    'options.provisional must be true or false, not "yes"',
  );
  expect(() => toTextMessages([], { format: formats.get("hermes"), tool: [] } as never)).toThrow(
    'did you mean "tools"?',
  );
});

test("a streamed response that is empty because its call was refused is incomplete", async () => {
  let last: ResponseEvent | undefined;
  const parser = createParser(options);
  const events = [...parser.push('<tool_call>{"name": "open_door", "arguments": {}}</tool_call>'), ...parser.end()];
  for await (const event of toResponseEvents(events, { finishReason: "stop" })) last = event;
  expect(last).toMatchObject({
    type: "response.incomplete",
    response: { status: "incomplete", incomplete_details: { reason: "content_filter" } },
  });
});

describe("toTextMessages", () => {
  const format = formats.get("hermes");
  const asked: OpenAI.ChatCompletionMessageParam[] = [
    { role: "system", content: "Be brief." },
    { role: "user", content: [{ type: "text", text: "Both dials?" }] },
    {
      role: "assistant",
      content: "Reading.",
      tool_calls: [
        { id: "a", type: "function", function: { name: "read_dial", arguments: '{"dial":"north"}' } },
        { id: "b", type: "function", function: { name: "read_dial", arguments: '{"dial":"south"}' } },
      ],
    },
    { role: "tool", tool_call_id: "a", content: "7" },
    { role: "tool", tool_call_id: "b", content: "9" },
  ];

  test("tools stand in the system message, calls as the model writes them, results as text", () => {
    const [system, user, assistant, results, ...rest] = toTextMessages(asked, { format, tools });
    expect(rest).toEqual([]);
    expect(system.content).toBe(`Be brief.\n\n${format.instruction(tools)}`);
    expect(user).toEqual({ role: "user", content: [{ type: "text", text: "Both dials?" }] });
    expect(parse(assistant.content as string, options).calls.map((one) => one.arguments)).toEqual([
      { dial: "north" },
      { dial: "south" },
    ]);
    expect(results).toEqual({
      role: "user",
      content:
        '<tool_response>\n{"name":"read_dial","content":"7"}\n</tool_response>\n' +
        '<tool_response>\n{"name":"read_dial","content":"9"}\n</tool_response>',
    });
  });

  test("numbers of past calls keep their digits", () => {
    const called = { name: "read_dial", arguments: '{"dial": 12345678901234567890}' };
    const past = [{ role: "assistant", content: null, tool_calls: [{ id: "a", type: "function", function: called }] }];
    const [message] = toTextMessages(past as never, { format });
    expect(message.content).toContain("12345678901234567890");
  });

  test("a result that is a value and no text is written as JSON", () => {
    const given = [
      { role: "tool", tool_call_id: "a", content: { at: 7 } },
      { role: "tool", tool_call_id: "b", content: 9 },
    ];
    const [, results] = toTextMessages([...asked.slice(0, 3), ...given] as never, { format, tools }).slice(2);
    expect(results.content).toBe(
      '<tool_response>\n{"name":"read_dial","content":"{\\"at\\":7}"}\n</tool_response>\n' +
        '<tool_response>\n{"name":"read_dial","content":"9"}\n</tool_response>',
    );
  });

  test("what a result shows stands behind its text", () => {
    const shown = [
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
      { type: "file", file: {} },
    ];
    const given = [
      { role: "tool", tool_call_id: "a", content: "7" },
      { role: "tool", tool_call_id: "b", content: [{ type: "text", text: "9" }, ...shown] },
      { role: "tool", tool_call_id: "c", content: "8" },
    ];
    const written = (name: string, content: string) =>
      `<tool_response>\n${JSON.stringify({ name, content })}\n</tool_response>`;
    const [, results] = toTextMessages([...asked.slice(0, 3), ...given] as never, { format, tools }).slice(2);
    expect(results.content).toEqual([
      { type: "text", text: `${written("read_dial", "7")}\n${written("read_dial", "9")}` },
      ...shown,
      { type: "text", text: written("", "8") },
    ]);
  });

  test("what a message shows beside its calls stays", () => {
    const tool_calls = [{ id: "a", function: { name: "read_dial", arguments: "{}" } }];
    const shown = { type: "image_url", image_url: { url: "data:,x" } };
    const content = [{ type: "text", text: "See." }, shown, { type: "thinking", thinking: "Hm." }];
    const [, message] = toTextMessages([{ role: "assistant", content, tool_calls }], { format, tools });
    expect(message.content).toEqual([{ type: "text", text: expect.stringMatching(/^See\.\n<tool_call>/) }, shown]);
  });

  test("where calls are the whole message, the text beside one is left out", () => {
    const { tool_calls, ...said } = asked[2] as { tool_calls: object[] };
    const past = [{ ...said, tool_calls: tool_calls.slice(0, 1) }] as never;
    for (const one of formats) {
      const [message] = toTextMessages(past, { format: one });
      const { calls, content } = parse(String(message.content), { ...options, format: one, intent: true });
      expect([one.id, calls.map(({ arguments: given }) => given)]).toEqual([one.id, [{ dial: "north" }]]);
      expect(["", "Reading."]).toContain(content.trim());
    }
  });

  test.each([
    ["Look:\n```js\nlet a", "\n```\n"],
    ["Look:\n~~~~\n```\n", "~~~~\n"],
    ["- a\n  ```\n  x", "\n  ```\n"],
    ["> ```\n> x", "\n> ```\n"],
    ["Look:\n```js\nlet a\n```", "\n"],
    ["Look.", "\n"],
  ])("a fence that the text before a call leaves open is closed: %j", (content, between) => {
    const called = { id: "a", function: { name: "read_dial", arguments: '{"dial":"north"}' } };
    const [message] = toTextMessages([{ role: "assistant", content, tool_calls: [called] }], { format });
    const text = format.renderCalls([{ name: "read_dial", arguments: { dial: "north" } }]);
    expect(message.content).toBe(content + between + text);
    expect(parse(String(message.content), options).calls).toHaveLength(1);
  });

  test("without tools nothing is said of them; without a system message there comes to be one", () => {
    expect(toTextMessages([{ role: "user", content: "Hi" }], { format })).toEqual([{ role: "user", content: "Hi" }]);
    const named = [
      { role: "developer", content: "Be brief.", name: "host" },
      { role: "assistant", content: "It is high.", reasoning_content: "Hm.", tool_calls: [] },
    ];
    expect(toTextMessages(named, { format })).toEqual([
      { role: "system", content: "Be brief.", name: "host" },
      { role: "assistant", content: "It is high.", reasoning_content: "Hm." },
    ]);
    const [system] = toTextMessages([{ role: "user", content: "Hi" }], { format, tools });
    expect(system).toEqual({ role: "system", content: format.instruction(tools) });
  });

  test("an id is looked up in the registry; what is wished and an instruction of one's own are said", () => {
    const asking = (more: object) => toTextMessages([], { format: "hermes", formats, tools, ...more })[0].content;
    expect(asking({})).toBe(format.instruction(tools));
    expect(asking({ toolChoice: { name: "read_dial" }, parallel: false })).toContain(
      'the tool "read_dial" must be called',
    );
    expect(asking({ parallel: false })).toContain("at most one call");
    expect(asking({ instruction: "Own words.", toolChoice: "required" })).toBe(
      "Own words.\n\nThis time a tool must be called.",
    );
    expect(asking({ instruction: (given: readonly unknown[]) => `${given.length} tool` })).toBe("1 tool");
    expect(() => toTextMessages([], { format: "hermez", tools })).toThrow('Did you mean "hermes"');
  });

  test("a past call that the format cannot carry is written as JSON", () => {
    const broken = {
      instruction: () => "",
      renderCalls: () => {
        throw Object.assign(new Error("no text of this format"), { name: "RenderError" });
      },
    };
    const written = toTextMessages(asked.slice(2, 3) as never, { format: broken });
    expect(written[0].content).toContain('{"name":"read_dial","arguments":{"dial":"north"}}');
  });

  test("arguments of a past call that are no object are written as they are", () => {
    const past = (given: string) => {
      const tool_calls = [{ id: "1", type: "function", function: { name: "read_dial", arguments: given } }];
      return toTextMessages([{ role: "assistant", content: null, tool_calls }] as never, { format })[0].content;
    };
    expect(past('{"dial": bad')).toBe('{"name":"read_dial","arguments":"{\\"dial\\": bad"}');
    expect(past("[1]")).toBe('{"name":"read_dial","arguments":[1]}');
    expect(past("")).toBe(format.renderCall({ name: "read_dial", arguments: {} }));
  });
});

test("unique ids are given once, whatever they are asked for", () => {
  const id = uniqueCallIds();
  const ids = [0, 0, 1, 0].map(id);
  expect(ids[0]).toMatch(/^call_[a-z0-9]{24}$/);
  expect(new Set(ids).size).toBe(4);
  const numbered = call("read_dial", "n");
  const [one, other] = [parse(numbered, { ...options, id }), parse(numbered, { ...options, id })];
  expect(one.calls[0].id).not.toBe(other.calls[0].id);
});

test("ids that the host makes are used, and the model's own are only wire ids", () => {
  const text = formats
    .get("kimi_k2")
    .renderCalls([{ name: "read_dial", arguments: { dial: "n" }, id: "functions.read_dial:0" }]);
  const [host] = parse(text, { format: "kimi_k2", tools, id: (n) => `host_${n}` }).calls;
  expect([host.id, host.wireId]).toEqual(["host_0", "functions.read_dial:0"]);
  expect(parse(text, { format: "kimi_k2", tools }).calls[0].id).toBe("functions.read_dial:0");
});
