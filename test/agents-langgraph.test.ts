/** `toolpeg/langchain` with `@langchain/core` and an agent of LangGraph: to the end, healed after a refusal, streamed. */
import { InMemoryCache } from "@langchain/core/caches";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import {
  AIMessage,
  AIMessageChunk,
  type AIMessageChunkFields,
  type BaseMessage,
  ChatMessage,
  HumanMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { formats } from "toolpeg";
import { ToolCallChatModel, type ToolCallChatModelFields, ToolCallOutputParser } from "toolpeg/langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { hermes } from "../generated/hermes.ts";
import {
  dialSchema,
  finalAnswer,
  healedAnswer,
  healingReplies,
  loopFormats,
  loopRan,
  loopReplies,
  Panel,
  refusedReplies,
  Script,
} from "./support/agent-scripts.ts";
import { saidTwice, turnSchema } from "./support/said-twice.ts";

/** A chat model that says what the script says; it has no tools. */
class ScriptedModel extends BaseChatModel {
  readonly script: Script;
  readonly options: object[] = [];

  constructor(script: Script) {
    super({});
    this.script = script;
  }

  _llmType(): string {
    return "scripted";
  }

  async _generate(messages: BaseMessage[], options: object): Promise<ChatResult> {
    this.options.push(options);
    const text = this.script.say(messages.map(plain));
    return { generations: [{ text, message: new AIMessage({ content: text, usage_metadata: usage } as never) }] };
  }

  override async *_streamResponseChunks(messages: BaseMessage[], options: object): AsyncGenerator<ChatGenerationChunk> {
    this.options.push(options);
    for (const text of this.script.chunks(messages.map(plain))) {
      yield new ChatGenerationChunk({ text, message: new AIMessageChunk({ content: text }) });
    }
    const message = new AIMessageChunk({
      content: "",
      usage_metadata: usage,
      response_metadata: { finish_reason: "stop" },
    } as never);
    yield new ChatGenerationChunk({ text: "", message });
  }
}

/** A chat model that gives chunks, and in a whole answer all of them as one. */
class ChunkModel extends ScriptedModel {
  readonly chunks: AIMessageChunk[];

  constructor(...chunks: AIMessageChunkFields[]) {
    super(new Script([""]));
    this.chunks = chunks.map((fields) => new AIMessageChunk(fields));
  }

  override async _generate(): Promise<ChatResult> {
    const [first, ...rest] = this.chunks;
    return { generations: [{ text: "", message: rest.reduce((one, other) => one.concat(other), first) }] };
  }

  override async *_streamResponseChunks(): AsyncGenerator<ChatGenerationChunk> {
    for (const message of this.chunks) yield new ChatGenerationChunk({ text: "", message });
  }
}

const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
const plain = (message: BaseMessage) => [message.getType(), message.content];

function toolsOf(panel: Panel) {
  return [
    tool(async () => JSON.stringify(panel.list_dials()), {
      name: "list_dials",
      description: "Lists.",
      schema: z.object({}),
    }),
    tool(async (given) => String(panel.read_dial(given)), {
      name: "read_dial",
      description: "Reads.",
      schema: z.object({ dial: z.string() }).strict(),
    }),
  ];
}

async function run(
  script: Script,
  fields: Omit<ToolCallChatModelFields, "model">,
  way: string,
): Promise<{ panel: Panel; text: string; messages: BaseMessage[]; tokens: string }> {
  const panel = new Panel();
  const llm = new ToolCallChatModel({ model: new ScriptedModel(script), ...fields });
  const agent = createReactAgent({ llm, tools: toolsOf(panel) });
  const input = { messages: [new HumanMessage("What do the dials say?")] };
  if (way === "invoke") {
    const { messages } = await agent.invoke(input, { recursionLimit: 12 });
    return { panel, text: String(messages.at(-1)?.content), messages, tokens: "" };
  }
  let tokens = "";
  let messages: BaseMessage[] = [];
  const stream = await agent.stream(input, { recursionLimit: 12, streamMode: ["messages", "values"] });
  for await (const [mode, value] of stream) {
    if (mode === "values") messages = (value as { messages: BaseMessage[] }).messages;
    else {
      const [message] = value as unknown as [BaseMessage];
      if (AIMessageChunk.isInstance(message)) tokens += String(message.content);
    }
  }
  return { panel, text: String(messages.at(-1)?.content), messages, tokens };
}

describe.each(["invoke", "stream"])("a LangGraph agent, %s", (way) => {
  test.each(loopFormats)("two tools in %s, to the end", async (id) => {
    const { panel, text, messages, tokens } = await run(new Script(loopReplies(id)), { format: formats.get(id) }, way);
    expect([panel.ran, text]).toEqual([loopRan, finalAnswer]);
    const calls = messages.flatMap((message) => (message as AIMessage).tool_calls ?? []);
    expect(new Set(calls.map((call) => call.id)).size).toBe(3);
    expect(messages.filter((message) => ToolMessage.isInstance(message)).length).toBe(3);
    // Nothing of the markup of calls is shown on the way.
    if (way === "stream") expect(tokens).toBe(`Let me look.\n${finalAnswer}`);
  });

  describe.each(refusedReplies)("$cause", ({ text: refused, reason }) => {
    test("makes the model be asked again", async () => {
      const script = new Script(healingReplies(refused));
      const { panel, text } = await run(script, { format: hermes }, way);
      expect([panel.ran, text]).toEqual([["read_dial north"], healedAnswer]);
      expect(script.asked[1]).toContain("was not run");
      expect(script.asked[1]).toContain(JSON.stringify(refused).slice(1, -1));
    });

    test("for ever: nothing runs, and the refusal is seen", async () => {
      const { panel, text, messages } = await run(new Script([refused], true), { format: hermes }, way);
      expect(panel.ran).toEqual([]);
      expect(text).toContain(`refused and not run: ${reason}: `);
      expect((messages.at(-1) as AIMessage).invalid_tool_calls).toMatchObject([
        { args: expect.stringContaining(`not run: ${reason}: `) },
      ]);
    });
  });
});

describe("ToolCallChatModel", () => {
  const call = '<tool_call>{"name": "read_dial", "arguments": {"dial": "north"}}</tool_call>';
  const definition = { type: "function" as const, function: { name: "read_dial", parameters: dialSchema } };
  const fields = (script: Script, more: Partial<ToolCallChatModelFields> = {}) => ({
    model: new ScriptedModel(script),
    format: hermes,
    ...more,
  });

  test("the server sees no tools, the model reads of them, results come back as text", async () => {
    const model = new ScriptedModel(new Script([call, "It stands at 3."]));
    const bound = new ToolCallChatModel({ model, format: hermes }).bindTools([definition], { tool_choice: "any" });
    const first = await bound.invoke("North?");
    expect(first.tool_calls).toMatchObject([{ name: "read_dial", args: { dial: "north" } }]);
    expect(first.usage_metadata).toEqual(usage);
    expect(first.response_metadata).toMatchObject({ finish_reason: "tool_calls", toolpeg: { calls: 1 } });
    const id = first.tool_calls?.[0].id as string;
    await bound.invoke([new HumanMessage("North?"), first, new ToolMessage({ content: "3", tool_call_id: id })]);
    const [asked, again] = model.script.asked;
    expect(asked).toContain("This time a tool must be called.");
    expect(asked).toContain("read_dial");
    expect(again).toContain('<tool_response>\\\\n{\\\\"name\\\\":\\\\"read_dial\\\\"'.replaceAll("\\\\", "\\"));
    expect(model.options.every((options) => !("tools" in options) && !("tool_choice" in options))).toBe(true);
  });

  /** What a model answers, whole and streamed: the messages. */
  async function answers(model: BaseChatModel, tools: object[], kwargs: object = {}, options: object = {}) {
    const bound = new ToolCallChatModel({ model, format: hermes, ...options }).bindTools(tools as never, kwargs);
    let streamed: AIMessageChunk | undefined;
    for await (const chunk of await bound.stream("North?")) streamed = streamed?.concat(chunk) ?? chunk;
    return [await bound.invoke("North?"), streamed as AIMessageChunk];
  }

  test("no call goes across thoughts of any field, nor is one of another role", async () => {
    const halves = [{ content: call.slice(0, 30) }, { content: call.slice(30) }];
    for (const additional_kwargs of [
      { reasoning_content: "Hm." },
      { reasoning: { type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] } },
      { reasoning_details: [{ type: "reasoning.text", text: "Hm." }] },
    ]) {
      const model = new ChunkModel(halves[0], { content: "", additional_kwargs } as never, halves[1]);
      const [, streamed] = await answers(model, [definition], {}, { onRefusal: "drop" });
      expect([streamed.tool_calls, streamed.additional_kwargs.reasoning_content]).toEqual([[], "Hm."]);
    }
    const model = new ScriptedModel(new Script([call]));
    for (const message of [new ToolMessage({ content: call, tool_call_id: "" }), new ChatMessage(call, "user")]) {
      model._generate = async () => ({ generations: [{ text: "", message }] });
      const bound = new ToolCallChatModel({ model, format: hermes, onRefusal: "drop" }).bindTools([definition]);
      expect((await bound.invoke("North?")).tool_calls).toEqual([]);
    }
  });

  test("thoughts, refusals and whole calls arrive, whatever the block, and what was executed is not made again", async () => {
    const whole = {
      content: "",
      tool_calls: [{ type: "tool_call", id: "n", name: "read_dial", args: { dial: "north" } }],
    };
    const [, streamed] = await answers(new ChunkModel(whole as never, whole as never), [definition]);
    expect(streamed.tool_calls).toEqual(whole.tool_calls);
    for (const part of [
      { type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] },
      { type: "reasoning_content", reasoningText: { text: "Hm." } },
    ]) {
      for (const { content, additional_kwargs } of await answers(new ChunkModel({ content: [part] } as never), [
        definition,
      ]))
        expect([content, additional_kwargs.reasoning_content]).toEqual(["", "Hm."]);
    }
    const refusal = { content: [{ type: "refusal", refusal: `No: ${call}` }] };
    for (const { content, tool_calls } of await answers(new ChunkModel(refusal as never), [definition]))
      expect([content, tool_calls]).toEqual([`No: ${call}`, []]);
    const executed = [
      { content: [{ type: "server_tool_call_chunk", id: "s", name: "read_dial", args: '{"dial":', index: 0 }] },
      { content: [{ type: "server_tool_call_chunk", args: '"north"}', index: 0 }] },
      { content: [{ type: "text", text: call, index: 1 }] },
    ];
    for (const { tool_calls } of await answers(new ChunkModel(...(executed as never[])), [definition]))
      expect(tool_calls).toEqual([]);
  });

  test("arguments are what the model wrote: the tool alone makes of them what its schema says", async () => {
    const schema = z.object({ dial: z.string().transform((dial) => `${dial}!`), exact: z.boolean().default(false) });
    let ran: unknown;
    const dial = tool(async (given) => (ran = given), { name: "read_dial", description: "Reads.", schema });
    const parser = new ToolCallOutputParser({ format: hermes, tools: [{ name: "read_dial", parameters: schema }] });
    const model = () => new ScriptedModel(new Script([call, call]));
    const read = [
      ...(await answers(model(), [{ name: "read_dial", parameters: schema }])),
      ...(await answers(model(), [dial])),
      await parser.parse(call),
    ];
    for (const { tool_calls: [made] = [] } of read) {
      expect(made.args).toEqual({ dial: "north" });
      await dial.invoke({ ...made, type: "tool_call" });
      expect(ran).toEqual({ dial: "north!", exact: false });
    }
  });

  test.each([
    { response_metadata: { finish_reason: "length" } },
    { response_metadata: { done_reason: "length" } },
    { response_metadata: { stopReason: "max_tokens" } },
    { response_metadata: { messageStop: { stopReason: "max_tokens" } } },
    { response_metadata: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } } },
    { response_metadata: { status: "incomplete", incomplete_details: null } },
    { additional_kwargs: { stop_reason: "max_tokens", stop_sequence: null } },
  ])("a message that was cut is known as one, as providers say it: %j", async (said) => {
    const model = new ChunkModel({ content: `<think>${call}` }, { content: "", ...said });
    for (const { tool_calls, response_metadata } of await answers(model, [definition])) {
      expect([tool_calls, response_metadata.finish_reason]).toEqual([[], "length"]);
    }
  });

  test("a response that has been completed was not cut", async () => {
    const said = { response_metadata: { status: "completed", incomplete_details: null } };
    const model = new ChunkModel({ content: `<think>${call}` }, { content: "", ...said });
    for (const { tool_calls } of await answers(model, [definition])) expect(tool_calls).toHaveLength(1);
  });

  const piece = (name: string, args: string) => ({ type: "tool_call_chunk" as const, index: 0, id: "n", name, args });

  test.each(["none", "read_dial"])("tool_choice %s holds for calls that the server has read itself", async (choice) => {
    const other = { type: "function" as const, function: { name: "wipe", parameters: { type: "object" } } };
    const model = new ChunkModel(
      { content: "Look.", tool_call_chunks: [piece("wipe", "{}")] },
      { content: "", response_metadata: { finish_reason: "tool_calls" } },
    );
    for (const message of await answers(model, [definition, other], { tool_choice: choice })) {
      expect([message.tool_calls, message.response_metadata.finish_reason]).toEqual([[], "stop"]);
      // Beside an answer of a model that was to make no call, one is no fault; of a tool that was not chosen, it is asked again.
      if (choice === "none") expect(message.content).toBe("Look.");
      else
        expect(message.content).toMatch(
          /^Look\.\nLook\.\n\[A tool call of "wipe" was refused and not run: unknown-tool/,
        );
      expect(message.invalid_tool_calls).toMatchObject([{ id: "n", name: "wipe", error: /tool_choice/ }]);
    }
    for (const message of await answers(model, [definition, other])) {
      expect(message.tool_calls).toMatchObject([{ id: "n", name: "wipe", args: {} }]);
    }
  });

  test("a call in thoughts that the provider has split off, and nothing else, is refused", async () => {
    const model = new ChunkModel({ content: "", additional_kwargs: { reasoning_content: call } });
    for (const { content, invalid_tool_calls } of await answers(model, [definition])) {
      expect(content).toContain("in-reasoning");
      expect(invalid_tool_calls).toMatchObject([{ name: "read_dial" }]);
    }
  });

  test("a native call without an id gets one, whole and streamed", async () => {
    const { id: _, ...native } = piece("read_dial", '{"dial":"n"}');
    const model = new ChunkModel({ content: "", tool_call_chunks: [native] });
    for (const { tool_calls, invalid_tool_calls } of await answers(model, [definition])) {
      expect(tool_calls).toMatchObject([
        { id: expect.stringMatching(/^call_/), name: "read_dial", args: { dial: "n" } },
      ]);
      expect(invalid_tool_calls).toEqual([]);
    }
  });

  test.each([
    ["none", piece("wipe", "{}"), 1, /tool_choice wants no call/],
    ["read_dial", piece("wipe", "{}"), 2, /tool_choice names another tool/],
    ["auto", piece("read_dial", "{'dial':'north'}"), 2, /no JSON object: \{'dial':'north'\}/],
    ["auto", piece("read_dial", '{"dial":"north"'), 2, /no JSON object/],
    ["auto", piece("read_dial", '{"dial":"south","dial":"north"}'), 2, /given twice/],
    ["auto", piece("read_dial", '{"dial":"north","at":1e999}'), 2, /too large/],
  ])("tool_choice %s: a refused native call is one like any other: %j", async (choice, native, asked, why) => {
    const other = { type: "function" as const, function: { name: "wipe", parameters: { type: "object" } } };
    const end = { content: "", response_metadata: { finish_reason: "tool_calls" } };
    const made = async (options: object) => {
      const times = { asked: 0 };
      const model = new (class extends ChunkModel {
        override async _generate() {
          times.asked++;
          return super._generate();
        }
        override async *_streamResponseChunks() {
          times.asked++;
          yield* super._streamResponseChunks();
        }
      })({ content: "", tool_call_chunks: [native] }, end);
      const given = await answers(model, [definition, other], { tool_choice: choice }, options);
      return { given, asked: times.asked / 2 };
    };
    const { given, asked: times } = await made({});
    expect(times).toBe(asked);
    for (const { content, tool_calls, invalid_tool_calls } of given) {
      expect([content, tool_calls]).toEqual([expect.stringMatching(why), []]);
      expect(invalid_tool_calls).toMatchObject([{ id: "n", name: native.name, error: why }]);
    }
    for (const { content, response_metadata } of (await made({ onRefusal: "drop" })).given) {
      expect([content, response_metadata.finish_reason]).toEqual(["", "content_filter"]);
    }
  });

  test("text: what the model made up of another turn is not shown, and the message does not end as an empty stop", async () => {
    const model = new ScriptedModel(new Script([`[INST] hi [/INST]${call}`, `[INST] hi [/INST]${call}`]));
    for (const { content, response_metadata } of await answers(model, [definition], {}, { onRefusal: "text" })) {
      expect([content, response_metadata.finish_reason]).toEqual(["", "content_filter"]);
    }
  });

  test.each(['{"dial":"nor', '{"dial":"north"', "", '{"dial":"north"} {'])(
    "a native call that was cut does not run: %s",
    async (args) => {
      const model = new ChunkModel(
        { content: "Look.", tool_call_chunks: [piece("read_dial", args)] },
        { content: "", response_metadata: { finish_reason: "length" } },
      );
      const [whole, streamed] = await answers(model, [definition]);
      expect([whole.tool_calls, streamed.tool_calls]).toEqual([[], []]);
      for (const { invalid_tool_calls, response_metadata } of [whole, streamed]) {
        expect(invalid_tool_calls).toMatchObject([{ id: "n", name: "read_dial" }]);
        expect(response_metadata.finish_reason).toBe("length");
      }
    },
  );

  test("what was said before the model is asked again stays, whole and streamed", async () => {
    const refused =
      '<think>Hm.</think>Look. <tool_call>{"name": "read_dial", "arguments": {"dial": 1}}</tool_call> So <';
    const replies = [refused, `<think>Again.</think>Sorry. ${call}`];
    for (const message of await answers(new ScriptedModel(new Script([...replies, ...replies])), [definition])) {
      const { content, additional_kwargs, tool_calls } = message;
      expect([content, additional_kwargs.reasoning_content]).toEqual(["Look.  So <\nSorry. ", "Hm.Again."]);
      expect(tool_calls).toMatchObject([{ args: { dial: "north" } }]);
    }
  });

  test("what is said of refusals after a second try stands on a line of its own", async () => {
    const refused = '<tool_call>{"name": "read_dial", "arguments": {"dial": 1}}</tool_call>';
    const replies = [`Look.${refused}`, refused];
    for (const { content } of await answers(new ScriptedModel(new Script([...replies, ...replies])), [definition]))
      expect(content).toMatch(/^Look\.\n\[A tool call of "read_dial" was refused/);
  });

  test("a second try that says nothing leaves what was refused to be said", async () => {
    const refused = '<tool_call>{"name": "read_dial", "arguments": {"dial": 1}}</tool_call>';
    for (const nothing of ["", "<think>Hm.</think>"]) {
      const replies = [refused, nothing];
      for (const message of await answers(new ScriptedModel(new Script([...replies, ...replies])), [definition])) {
        expect(message.content).toMatch(/^\n?\[A tool call of "read_dial" was refused/);
        expect(message.invalid_tool_calls).toMatchObject([{ name: "read_dial" }]);
      }
    }
  });

  test("a call under the id of another, in the conversation too, gets one of its own", async () => {
    const made = ["south", "west"].map((dial) => ({ name: "read_dial", args: { dial }, id: "n" }));
    const past = new AIMessage({ content: "", tool_calls: [{ name: "read_dial", args: { dial: "north" }, id: "n" }] });
    const conversation = [new HumanMessage("?"), past, new ToolMessage({ content: "7", tool_call_id: "n" })];
    const pieces = made.map(({ args, ...one }, index) => ({ ...one, index, args: JSON.stringify(args) }));
    for (const given of [
      { content: "", tool_calls: made },
      { content: "", tool_call_chunks: pieces },
    ]) {
      const model = new ToolCallChatModel({ model: new ChunkModel(given as never), format: hermes });
      const { tool_calls = [] } = await model.invoke(conversation, { tools: [definition] });
      expect(tool_calls.map(({ args }) => args.dial)).toEqual(["south", "west"]);
      expect(new Set(["n", ...tool_calls.map(({ id }) => id)]).size).toBe(3);
    }
  });

  test("the last native call of a message that was cut may have been, unless its text is known", async () => {
    const made = async (given: object, finish_reason: string) => {
      const model = new (class extends ScriptedModel {
        override async _generate(): Promise<ChatResult> {
          const message = new AIMessage({ content: "", response_metadata: { finish_reason }, ...given } as never);
          return { generations: [{ text: "", message }] };
        }
      })(new Script([""]));
      // Without a stream of its own.
      model._streamResponseChunks = BaseChatModel.prototype._streamResponseChunks as never;
      const all = await answers(model, [definition]);
      return all.map(({ tool_calls }) => tool_calls?.map(({ args }) => args.dial));
    };
    const tool_calls = ["north", "sou"].map((dial) => ({ name: "read_dial", args: { dial }, id: dial }));
    expect(await made({ tool_calls }, "tool_calls")).toEqual(Array(2).fill(["north", "sou"]));
    expect(await made({ tool_calls }, "length")).toEqual(Array(2).fill(["north"]));
    const raw = tool_calls.map(({ id, name, args }) => ({ id, function: { name, arguments: JSON.stringify(args) } }));
    const additional_kwargs = { tool_calls: raw };
    expect(await made({ tool_calls, additional_kwargs }, "length")).toEqual(Array(2).fill(["north", "sou"]));
    raw[1].function.arguments = '{"dial":"north","dial":"sou"}';
    expect(await made({ tool_calls, additional_kwargs }, "tool_calls")).toEqual(Array(2).fill(["north"]));
  });

  test("a native call that is whole goes on, in a message that was cut too, and one of a tool that takes text", async () => {
    const text = { ...piece("read_dial", "nor"), isCustomTool: true };
    const made = async (call: object, finish_reason: string) => {
      const model = new ChunkModel(
        { content: "", tool_call_chunks: [call as never] },
        { content: "", response_metadata: { finish_reason } },
      );
      return (await answers(model, [definition])).map(({ tool_calls }) => tool_calls?.map(({ args }) => args));
    };
    expect(await made(piece("read_dial", '{"dial":"north"}'), "length")).toEqual(Array(2).fill([{ dial: "north" }]));
    expect(await made(piece("read_dial", ""), "tool_calls")).toEqual(Array(2).fill([{}]));
    expect(await made(text, "tool_calls")).toEqual(Array(2).fill([{ input: "nor" }]));
    expect(await made(text, "length")).toEqual([[], []]);
  });

  test("the answer goes on with a last message of the assistant", async () => {
    const script = new Script([`I might call ${call} but no.</think>Hello.`]);
    const bound = new ToolCallChatModel(fields(script, { onRefusal: "drop" })).bindTools([definition]);
    const answer = await bound.invoke([new HumanMessage("North?"), new AIMessage("<think>\n")]);
    expect(answer.tool_calls).toEqual([]);
    expect(answer.content).toBe("Hello.");
  });

  test("a stream brings each call as one chunk, after validation has passed it", async () => {
    const script = new Script([`Look. ${call}<tool_call>{"name": "read_dial", "arguments": {"dial": 1}}</tool_call>`]);
    const bound = new ToolCallChatModel(fields(script, { onRefusal: "drop" })).bindTools([definition]);
    const pieces: { name?: string; args?: string }[] = [];
    let whole: AIMessageChunk | undefined;
    for await (const chunk of await bound.stream("North?")) {
      pieces.push(...(chunk.tool_call_chunks ?? []));
      whole = whole === undefined ? chunk : whole.concat(chunk);
    }
    expect(pieces).toMatchObject([{ name: "read_dial", args: '{"dial":"north"}', index: 1 }]);
    expect(whole?.content).toBe("Look. ");
    expect(whole?.tool_calls).toMatchObject([{ name: "read_dial", args: { dial: "north" } }]);
    expect((whole?.usage_metadata as typeof usage | undefined)?.total_tokens).toBe(3);
  });

  test("what was held back comes before the error of a stream that throws, and no call that was open", async () => {
    const open = '<tool_call>{"name": "read_dial", "arguments": {"dial": "north"}}';
    for (const [content, shown] of [
      ["Look at <to", "Look at <to"],
      [`Look. ${open}`, "Look. "],
    ]) {
      const model = new (class extends ChunkModel {
        override async *_streamResponseChunks() {
          yield* super._streamResponseChunks();
          throw new Error("connection lost");
        }
      })({ content });
      const bound = new ToolCallChatModel({ model, format: hermes }).bindTools([definition]);
      const chunks: AIMessageChunk[] = [];
      const read = async () => {
        for await (const chunk of await bound.stream("North?")) chunks.push(chunk);
      };
      await expect(read()).rejects.toThrow("connection lost");
      expect(chunks.map((chunk) => chunk.content).join("")).toBe(shown);
      expect(chunks.flatMap((chunk) => chunk.tool_call_chunks ?? [])).toEqual([]);
    }
  });

  test("a call that stays refused is no tool_call_chunk of a stream, and keeps its reason", async () => {
    const refused = '<tool_call>{"name": "read_dial", "arguments": {"dial": 1}}</tool_call>';
    const bound = new ToolCallChatModel(fields(new Script([`Look. ${refused}`], true))).bindTools([definition]);
    const pieces: unknown[] = [];
    let whole: AIMessageChunk | undefined;
    for await (const chunk of await bound.stream("North?")) {
      pieces.push(...(chunk.tool_call_chunks ?? []));
      whole = whole === undefined ? chunk : whole.concat(chunk);
    }
    expect([pieces, whole?.tool_calls]).toEqual([[], []]);
    const { invalid_tool_calls } = await bound.invoke("North?");
    expect(invalid_tool_calls).toMatchObject([{ name: "read_dial", error: expect.stringContaining("schema: ") }]);
    const plain = (calls: AIMessageChunk["invalid_tool_calls"]) => calls?.map(({ name, error }) => [name, error]);
    expect(plain(whole?.invalid_tool_calls)).toEqual(plain(invalid_tool_calls));
  });

  test("tool_choice and parallel_tool_calls hold", async () => {
    const other = { type: "function" as const, function: { name: "list_dials", parameters: { type: "object" } } };
    const bind = (kwargs: object) =>
      new ToolCallChatModel(fields(new Script([`${call}${call.replace("north", "south")}`], true))).bindTools(
        [definition, other],
        kwargs,
      );
    await expect(bind({ tool_choice: "read_dail" }).invoke("North?")).rejects.toThrow(
      'tool_choice cannot be "read_dail" (did you mean "read_dial"?); use one of: "read_dial", "list_dials"',
    );
    await expect(bind({ tool_choice: { type: "some" } }).invoke("North?")).rejects.toThrow("tool_choice cannot be");
    expect((await bind({ tool_choice: { type: "none" } }).invoke("North?")).tool_calls).toEqual([]);
    const single = bind({ parallel_tool_calls: false });
    // The other is no fault: nothing is said of it.
    expect(await single.invoke("North?")).toMatchObject({ content: "", tool_calls: [{ args: { dial: "north" } }] });
    let count = 0;
    for await (const chunk of await single.stream("North?")) count += chunk.tool_call_chunks?.length ?? 0;
    expect(count).toBe(1);
    expect((await bind({}).invoke("North?")).tool_calls).toHaveLength(2);
  });

  test("withStructuredOutput asks for a call, and heals it", async () => {
    const bad = '<tool_call>{"name": "extract", "arguments": {"age": "old"}}</tool_call>';
    const good = '<tool_call>{"name": "extract", "arguments": {"age": 41}}</tool_call>';
    const script = new Script([bad, good]);
    const model = new ToolCallChatModel(fields(script)).withStructuredOutput(z.object({ age: z.number() }));
    expect(await model.invoke("Ada is 41.")).toEqual({ age: 41 });
    expect(script.asked[0]).toContain("must be called");
  });

  test("withStructuredOutput gives what the schema makes, of a call that the server has read itself too", async () => {
    const schema = z
      .object({ age: z.number(), town: z.string().default("Oslo"), name: z.string().transform((name) => name.length) })
      .refine(({ age }) => age < 100, "too old");
    const asked = (age: number, config = {}) => {
      const native = { name: "extract", id: "n", index: 0, args: JSON.stringify({ age, name: "Ada" }) };
      const model = new ChunkModel({ content: "", tool_call_chunks: [native] });
      return new ToolCallChatModel({ model, format: hermes }).withStructuredOutput(schema, config).invoke("Ada is 41.");
    };
    const text = '<tool_call>{"name": "extract", "arguments": {"age": 41, "name": "Ada"}}</tool_call>';
    const made = { age: 41, town: "Oslo", name: 3 };
    expect(await new ToolCallChatModel(fields(new Script([text]))).withStructuredOutput(schema).invoke("")).toEqual(
      made,
    );
    expect(await asked(41)).toEqual(made);
    expect(await asked(41, { includeRaw: true })).toMatchObject({ raw: expect.any(AIMessageChunk), parsed: made });
    await expect(asked(410)).rejects.toThrow("too old");
    expect(await asked(410, { includeRaw: true })).toMatchObject({ parsed: null });
  });

  test("calls that the server has read itself come once, and no call is put together across thoughts", async () => {
    class Native extends ScriptedModel {
      override async _generate(): Promise<ChatResult> {
        const tool_calls = [{ name: "read_dial", args: { dial: "north" }, id: "n" }];
        const content = [
          { type: "text", text: `${call}<tool_call>{"name": "read_dial", "argu` },
          { type: "reasoning", reasoning: "Hm." },
          { type: "text", text: 'ments": {"dial": "south"}}</tool_call>' },
        ];
        return { generations: [{ text: "", message: new AIMessage({ content, tool_calls } as never) }] };
      }
    }
    const model = new Native(new Script([""]));
    const bound = new ToolCallChatModel({ model, format: hermes, onRefusal: "drop" }).bindTools([definition]);
    const { tool_calls, additional_kwargs } = await bound.invoke("North?");
    expect(tool_calls?.map(({ args }) => args)).toEqual([{ dial: "north" }]);
    expect(additional_kwargs.reasoning_content).toBe("Hm.");
  });

  test("a call that the provider has executed is not made again from the text, whole and streamed", async () => {
    const made = async (content: object[], pieces: object[][]) => {
      class Executing extends ScriptedModel {
        override async _generate(): Promise<ChatResult> {
          return { generations: [{ text: "", message: new AIMessage({ content } as never) }] };
        }
        override async *_streamResponseChunks(): AsyncGenerator<ChatGenerationChunk> {
          for (const piece of pieces)
            yield new ChatGenerationChunk({ text: "", message: new AIMessageChunk({ content: piece } as never) });
        }
      }
      const model = new Executing(new Script([""]));
      const bound = new ToolCallChatModel({ model, format: hermes }).bindTools([definition]);
      let streamed: AIMessageChunk | undefined;
      for await (const chunk of await bound.stream("Go.")) streamed = streamed?.concat(chunk) ?? chunk;
      return [(await bound.invoke("Go.")).tool_calls, streamed?.tool_calls].map((calls) =>
        calls?.map(({ args }) => args.dial),
      );
    };
    const executed = (input: unknown, name = "read_dial") => ({
      type: "server_tool_use",
      id: "n",
      index: 1,
      name,
      input,
    });
    const text = { type: "text", text: call };
    const north = executed({ dial: "north" });
    const inPieces = [
      [executed("")],
      [{ type: "input_json_delta", index: 1, input: '{"dial": ' }],
      [{ type: "input_json_delta", index: 1, input: '"north"}' }, text],
    ];
    expect(await made([north, text], inPieces)).toEqual([[], []]);
    expect(await made([text, north], [[text, north]])).toEqual([[], []]);
    const other = executed({ dial: "south" });
    expect(await made([other, text], [[other], [text]])).toEqual([["north"], ["north"]]);
    const elsewhere = executed({ dial: "north" }, "search");
    expect(await made([elsewhere, text], [[elsewhere], [text]])).toEqual([["north"], ["north"]]);
  });

  test.each(saidTwice)("one that the server reads otherwise comes once, whole and streamed: $what", async (said) => {
    class Native extends ScriptedModel {
      override async _generate(): Promise<ChatResult> {
        const chunk = this.chunk();
        const { tool_calls, invalid_tool_calls } = chunk;
        const message = new AIMessage({ content: said.text, tool_calls, invalid_tool_calls } as never);
        return { generations: [{ text: "", message }] };
      }
      override async *_streamResponseChunks(): AsyncGenerator<ChatGenerationChunk> {
        yield new ChatGenerationChunk({ text: "", message: this.chunk() });
      }
      chunk() {
        const piece = { type: "tool_call_chunk" as const, index: 0, id: "n", name: "turn", args: said.native };
        return new AIMessageChunk({ content: said.text, tool_call_chunks: [piece] });
      }
    }
    const turn = { type: "function" as const, function: { name: "turn", parameters: turnSchema } };
    const model = new Native(new Script([""]));
    const bound = new ToolCallChatModel({ model, format: formats.get(said.format) as never }).bindTools([turn]);
    const messages = [await bound.invoke("Go.")];
    let streamed: AIMessageChunk | undefined;
    for await (const chunk of await bound.stream("Go.")) streamed = streamed?.concat(chunk) ?? chunk;
    messages.push(streamed as AIMessageChunk);
    for (const { tool_calls, invalid_tool_calls } of messages) {
      expect([tool_calls?.map(({ args }) => args), invalid_tool_calls]).toEqual([[said.runs], []]);
    }
  });

  test("each of several generations is read by itself, and none makes the model be asked again", async () => {
    const refused = call.replace("read_dial", "open_door");
    const model = new ScriptedModel(new Script([]));
    const message = (content: string) => new AIMessage({ content, usage_metadata: usage } as never);
    const asked: unknown[] = [];
    model._generate = async (messages) => {
      asked.push(messages);
      return { generations: [call, refused].map((text) => ({ text, message: message(text) })) };
    };
    // LangChain joins the chunks of a stream to one message.
    model._streamResponseChunks = async function* () {
      for (let at = 0; at < call.length; at++) {
        for (const [completion, text] of [call[at], refused[at]].entries()) {
          const chunk = new AIMessageChunk({ content: text });
          yield new ChatGenerationChunk({ text, message: chunk, generationInfo: { prompt: 0, completion } });
        }
      }
    };
    const reading = new ToolCallChatModel({ model, format: hermes });
    const { generations } = await reading.generate([[new HumanMessage("North?")]], { tools: [definition] });
    const [first, second] = generations[0].map((one) => (one as unknown as { message: AIMessage }).message);
    expect(first.tool_calls).toMatchObject([{ args: { dial: "north" } }]);
    expect([second.tool_calls, second.content]).toEqual([[], expect.stringContaining('"open_door" was refused')]);
    expect([first, second].map((one) => one.usage_metadata)).toEqual([usage, usage]);
    expect(asked).toHaveLength(1);
    let whole: AIMessageChunk | undefined;
    for await (const chunk of await reading.bindTools([definition]).stream("")) whole = whole?.concat(chunk) ?? chunk;
    expect([whole?.content, whole?.tool_calls]).toMatchObject(["", [{ args: { dial: "north" } }]]);
  });

  test("events of a stream and content blocks hold the calls, beside text and pictures", async () => {
    const picture = { type: "image_url", image_url: { url: "data:,x" } };
    const chunks = [{ content: "Look: " }, { content: [picture] }, { content: "The" }, { content: `re.\n${call}` }];
    const reading = (...given: object[]) =>
      new ToolCallChatModel({ model: new ChunkModel(...(given as never[])), format: hermes });
    const tools = [definition];
    const text = "Look: There.\n";
    for (const [given, types] of [
      [[{ content: `${text}${call}` }], ["text", "tool_call"]],
      [chunks, ["text", "image", "text", "tool_call"]],
    ] as const) {
      const answered = [
        await reading(...given).invoke("", { tools }),
        await reading(...given).streamEvents("", { tools }),
      ];
      let streamed: AIMessageChunk | undefined;
      for await (const chunk of await reading(...given).stream("", { tools }))
        streamed = streamed?.concat(chunk) ?? chunk;
      for (const message of [...answered, streamed as AIMessageChunk]) {
        expect([message.text, message.tool_calls]).toMatchObject([text, [{ args: { dial: "north" } }]]);
      }
      expect(streamed?.contentBlocks.map(({ type }) => type)).toEqual(types);
      expect(JSON.stringify(answered[1].content).includes("data:,x")).toBe(given === chunks);
    }
    const standard = await reading(chunks[3]).invoke("", { tools, outputVersion: "v1" });
    expect((standard.content as unknown as { type: string }[]).map(({ type }) => type)).toEqual(["text", "tool_call"]);
  });

  test("what the provider says beside the message is kept, in a stream too", async () => {
    const model = new ChunkModel();
    model._streamResponseChunks = async function* () {
      for (const token of ["a", "b"]) {
        const message = new AIMessageChunk({ content: token, additional_kwargs: token === "b" ? { audio: {} } : {} });
        const generationInfo = { prompt: 0, logprobs: { content: [{ token }] }, model_name: "m" };
        yield new ChatGenerationChunk({ text: token, message, generationInfo });
      }
    };
    let whole: AIMessageChunk | undefined;
    const bound = new ToolCallChatModel({ model, format: hermes }).bindTools([definition]);
    for await (const chunk of await bound.stream("")) whole = whole?.concat(chunk) ?? chunk;
    expect(whole?.response_metadata).toMatchObject({
      logprobs: { content: [{ token: "a" }, { token: "b" }] },
      model_name: "m",
    });
    expect(whole?.additional_kwargs).toEqual({ audio: {} });
  });

  test("messages in which nothing is written stay as they are, and a result that is an error says so", async () => {
    const script = new Script(["."]);
    const model = new ScriptedModel(script);
    const asked: BaseMessage[][] = [];
    model._generate = async (messages) => {
      asked.push(messages);
      return { generations: [{ text: "", message: new AIMessage(".") }] };
    };
    const kept = [
      new HumanMessage({ content: "Hi.", name: "ada" }),
      new AIMessage({ content: "Hello.", additional_kwargs: { reasoning_content: "Hm." } }),
      new ChatMessage({ content: "Yes?", role: "assistant" }),
    ];
    const tool_calls = [{ name: "read_dial", args: { dial: "west" }, id: "n" }];
    await new ToolCallChatModel({ model, format: hermes }).invoke([
      ...kept,
      new AIMessage({ content: "", tool_calls, additional_kwargs: { tool_calls: [] } }),
      new ToolMessage({ content: "no such dial", tool_call_id: "n", status: "error" }),
    ]);
    expect(kept.every((message, at) => asked[0][at] === message)).toBe(true);
    expect((asked[0][3] as AIMessage).tool_calls).toEqual([]);
    expect(asked[0][4].content).toContain("Error: no such dial");
  });

  test("answers in a cache are those of one model, format, choice and list of tools", async () => {
    const cache = new InMemoryCache();
    const ask = async (id: string, name: string, text = "a", toolName = "read_dial") => {
      const model = new ScriptedModel(new Script([text], true));
      model._identifyingParams = () => ({ name });
      const offered = tool(async () => "", { name: toolName, schema: z.object({ dial: z.string() }) });
      const reading = new ToolCallChatModel({ model, format: formats.get(id), cache, onRefusal: "drop" });
      return (await reading.bindTools([offered]).invoke("North?")).content;
    };
    expect(await ask("hermes", "one", "a")).toBe("a");
    expect(await ask("hermes", "one", "b")).toBe("a");
    expect(await ask("hermes", "two", "c")).toBe("c");
    expect(await ask("kimi_k2", "one", "d")).toBe("d");
    expect(await ask("hermes", "one", "e", "set_dial")).toBe("e");
  });

  test("a tool that the provider runs itself goes to it, and a model that must not stream does not", async () => {
    const search = { type: "web_search_20250305", name: "web_search" };
    const model = new ScriptedModel(new Script([call]));
    model.disableStreaming = true;
    model._streamResponseChunks = () => {
      throw new Error("it must not");
    };
    const bound = new ToolCallChatModel({ model, format: hermes }).bindTools([definition, search]);
    let made = 0;
    for await (const chunk of await bound.stream("")) made += chunk.tool_call_chunks?.length ?? 0;
    expect([made, (model.options[0] as { tools?: unknown }).tools]).toEqual([1, [search]]);
  });

  test("a request that was ended is not asked again for", async () => {
    const ending = new AbortController();
    const script = new Script([call.replace("read_dial", "open_door"), call]);
    const model = new ScriptedModel(script);
    const generate = model._generate.bind(model);
    model._generate = async (...given) => {
      ending.abort();
      return generate(...given);
    };
    const bound = new ToolCallChatModel({ model, format: hermes }).bindTools([definition]);
    await expect(bound.invoke("", { signal: ending.signal })).rejects.toThrow();
    expect(script.asked).toHaveLength(1);
  });

  test("says what is wrong with its fields", () => {
    const model = new ScriptedModel(new Script([]));
    expect(() => new ToolCallChatModel({ model } as never)).toThrow("needs options.format");
    expect(() => new ToolCallChatModel({ model, format: hermes, onRefusl: "drop" } as never)).toThrow('"onRefusal"');
    expect(() => new ToolCallChatModel({ model, format: hermes, prompt: "natve" } as never)).toThrow('"native"');
    expect(() => new ToolCallChatModel({ format: hermes, model: model.withConfig({}) as never })).toThrow("bind them");
  });
});

describe("ToolCallOutputParser", () => {
  const tools = [{ name: "read_dial", parameters: dialSchema }];

  test("waits for a check of a schema library that answers later", async () => {
    const parameters = z.object({ dial: z.string().refine(async (dial) => dial !== "south") });
    const parser = new ToolCallOutputParser({ format: hermes, tools: [{ name: "read_dial", parameters }] });
    const callOf = (dial: string) => `<tool_call>{"name": "read_dial", "arguments": {"dial": "${dial}"}}</tool_call>`;
    const parsed = await parser.parse(callOf("south") + callOf("north"));
    expect(parsed.tool_calls).toMatchObject([{ args: { dial: "north" } }]);
    expect(parsed.invalid_tool_calls).toMatchObject([{ name: "read_dial" }]);
  });

  test("reads a whole message: its parts, its thoughts, and whether it was cut", async () => {
    const parser = new ToolCallOutputParser({ format: hermes, tools });
    for (const none of [null, 5, { content: 5 }])
      await expect(parser.invoke(none as never)).rejects.toThrow("takes a text");
    const call = '<tool_call>{"name": "read_dial", "arguments": {"dial": "north"}}</tool_call>';
    const inParts = new AIMessage({
      content: [
        { type: "text", text: `Look. ${call.slice(0, 30)}` },
        { type: "text", text: call.slice(30) },
        { type: "reasoning", reasoning: "Hm." },
      ],
    } as never);
    expect(await parser.invoke(inParts)).toEqual({
      content: "Look. ",
      tool_calls: [{ type: "tool_call", id: expect.any(String), name: "read_dial", args: { dial: "north" } }],
      invalid_tool_calls: [],
      additional_kwargs: { reasoning_content: "Hm." },
    });
    const open = (finish_reason: string) =>
      parser.invoke(new AIMessage({ content: `<think>${call}`, response_metadata: { finish_reason } }));
    expect((await open("stop")).tool_calls).toHaveLength(1);
    expect((await open("length")).tool_calls).toEqual([]);
  });

  test("calls that the server has read itself go on, and come once", async () => {
    const parser = new ToolCallOutputParser({ format: hermes, tools });
    const call = '<tool_call>{"name": "read_dial", "arguments": {"dial": "north"}}</tool_call>';
    const native = { id: "n", name: "read_dial", args: { dial: "north" } };
    const read = async (content: string, given: object) => {
      const { tool_calls, invalid_tool_calls } = await parser.invoke(new AIMessage({ content, ...given } as never));
      return [tool_calls.map(({ args }) => args.dial), invalid_tool_calls.map(({ id, error }) => [id, error])];
    };
    expect(await read("Look.", { tool_calls: [native] })).toEqual([["north"], []]);
    expect(await read(call, { tool_calls: [native] })).toEqual([["north"], []]);
    expect(await read(call, { tool_calls: [{ ...native, args: { dial: "south" } }] })).toEqual([
      ["north", "south"],
      [],
    ]);
    const damaged = { id: "d", name: "read_dial", args: "{'dial':'north'}", type: "invalid_tool_call" };
    expect(await read("Look.", { invalid_tool_calls: [damaged] })).toEqual([
      [],
      [["d", expect.stringMatching(/^malformed/)]],
    ]);
    expect(await read(call, { invalid_tool_calls: [damaged] })).toEqual([["north"], []]);
  });

  test("takes tools of LangChain", async () => {
    const own = tool(async () => "", {
      name: "read_dial",
      description: "Reads.",
      schema: z.object({ dial: z.string() }),
    });
    const parser = new ToolCallOutputParser({ format: hermes, tools: [own] });
    const { tool_calls, invalid_tool_calls } = await parser.parse(
      ['"north"', "1"]
        .map((dial) => `<tool_call>{"name": "read_dial", "arguments": {"dial": ${dial}}}</tool_call>`)
        .join("\n"),
    );
    expect(tool_calls.map(({ args }) => args)).toEqual([{ dial: "north" }]);
    expect(invalid_tool_calls).toMatchObject([{ name: "read_dial" }]);
  });

  test("reads the text of a model in a chain", async () => {
    const parser = new ToolCallOutputParser({ format: hermes, tools });
    const reply = '<think>Hm.</think>Look.<tool_call>{"name": "read_dial", "arguments": {"dial": "north"}}</tool_call>';
    const chain = ChatPromptTemplate.fromMessages([["system", "{tools}"]])
      .pipe(RunnableLambda.from(() => new AIMessage(reply)))
      .pipe(parser);
    const parsed = await chain.invoke({ tools: parser.getFormatInstructions() });
    expect(parsed).toMatchObject({
      content: "Look.",
      tool_calls: [{ name: "read_dial", args: { dial: "north" } }],
      invalid_tool_calls: [],
      additional_kwargs: { reasoning_content: "Hm." },
    });
    expect(parser.getFormatInstructions()).toContain('"read_dial"');
    const refused = await parser.parse('<tool_call>{"name": "open_door", "arguments": {}}</tool_call>');
    expect(refused.invalid_tool_calls).toMatchObject([{ name: "open_door" }]);
  });
});
