/** `parseStream` and `toolCallTransform`: the push parser as an iterator and as a web stream, and nothing else. */
import { Readable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  createParser,
  formats,
  type ParseEvent,
  type ParseOptions,
  parse,
  parseStream,
  toolCallTransform,
} from "toolpeg";
import { describe, expect, test, vi } from "vitest";

const tools = [
  { name: "write_log", parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } },
];
const options: ParseOptions = { format: "hermes", tools };
const reply =
  'Noting it 😀.\n<tool_call>\n{"name": "write_log", "arguments": {"text": "a 𝄞 b"}}\n</tool_call>\nDone 🎉' +
  '<tool_call>{"name": "gone", "arguments": {}}</tool_call>';
const units = reply.split("");
const whole = parse(reply, options);

async function collect(events: AsyncIterable<ParseEvent>): Promise<ParseEvent[]> {
  const found: ParseEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

const joined = (events: readonly ParseEvent[], type: "text-delta" | "call-args-delta") =>
  events.map((event) => (event.type === type ? ("text" in event ? event.text : event.delta) : "")).join("");

async function* later(chunks: Iterable<string>) {
  for (const chunk of chunks) {
    await Promise.resolve();
    yield chunk;
  }
}

function webStream(chunks: string[]): ReadableStream<string> {
  const rest = [...chunks];
  return new ReadableStream({
    pull(controller) {
      const chunk = rest.shift();
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
  });
}

/** A web stream as browsers without `for await` over streams have it. */
function plainWebStream(chunks: string[]): ReadableStream<string> {
  const stream = webStream(chunks);
  return { getReader: () => stream.getReader() } as ReadableStream<string>;
}

test("text goes out as it comes, whatever the format", () => {
  const text = "The north dial stands at three today. ".repeat(3);
  const choices = [...[...formats].map(({ id }) => id), "auto"];
  const held = choices.filter((format) => {
    const parser = createParser({ format, tools });
    const events = (text.match(/.{1,5}/gs) as string[]).flatMap((chunk) => parser.push(chunk));
    const said = events.map((event) => ("text" in event ? event.text : "")).join("");
    // A word that may still become a marker waits; no more.
    return !text.startsWith(said) || text.length - said.length > 8;
  });
  expect(held).toEqual([]);
});

describe("parseStream", () => {
  const sources: Record<string, () => Parameters<typeof parseStream>[0]> = {
    "an array": () => units,
    "a generator": () => units.values(),
    "an async generator": () => later(units),
    "a Node stream": () => Readable.from(units, { encoding: "utf8", objectMode: true }),
    "a web stream": () => webStream(units),
    "a web stream that is not iterable": () => plainWebStream(units),
  };

  test.each(Object.entries(sources))("reads %s, cut inside surrogate pairs too", async (_name, source) => {
    const stream = parseStream(source(), options);
    const events = await collect(stream);
    expect(stream.result()).toEqual(whole);
    expect(joined(events, "text-delta")).toBe(whole.content);
    expect(joined(events, "call-args-delta")).toBe(whole.calls[0].argumentsText);
    expect(events.flatMap((event) => (event.type === "call-end" ? [event.call] : []))).toEqual(whole.calls);
    expect(events.flatMap((event) => (event.type === "call-rejected" ? [event.rejection] : []))).toEqual(
      whole.rejected,
    );
    for (const event of events) if ("text" in event) expect(event.text).not.toMatch(/[\uD800-\uDFFF]/u);
  });

  test("asks for a chunk only when the events before it are taken", async () => {
    let asked = 0;
    function* source() {
      for (const chunk of ["one ", "two ", "three "]) {
        asked++;
        yield chunk;
      }
    }
    const stream = parseStream(source(), options);
    expect(asked).toBe(0);
    expect((await stream.next()).value).toEqual({ type: "text-delta", text: "one " });
    expect(asked).toBe(1);
    await stream.next();
    expect(asked).toBe(2);
  });

  test("an error of the source comes after the events before it, and ends no call", async () => {
    async function* broken() {
      yield 'Hi <tool_call>{"name": "write_log", "arguments": {"text": "a';
      throw new Error("connection lost");
    }
    const stream = parseStream(broken(), options);
    const found: ParseEvent[] = [];
    const reading = (async () => {
      for await (const event of stream) found.push(event);
    })();
    await expect(reading).rejects.toThrow("connection lost");
    expect(found.map((event) => event.type)).toEqual(["text-delta", "call-start", "call-args-delta"]);
    expect(() => stream.result()).toThrow("has not ended");
  });

  test("a consumer that stops early stops the source", async () => {
    const closed = vi.fn();
    async function* source() {
      try {
        for (;;) yield "word ";
      } finally {
        closed();
      }
    }
    for await (const event of parseStream(source(), options)) {
      expect(event.type).toBe("text-delta");
      break;
    }
    expect(closed).toHaveBeenCalledOnce();
  });

  test("an abort reaches a consumer that waits for a chunk that never comes", async () => {
    const controller = new AbortController();
    const returned = vi.fn();
    const source: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: async () => {
          returned();
          return { done: true, value: undefined };
        },
      }),
    };
    const next = parseStream(source, { ...options, signal: controller.signal }).next();
    controller.abort(new Error("the user left"));
    await expect(next).rejects.toThrow("the user left");
    expect(returned).toHaveBeenCalled();
  });

  test("an abort between two events of one chunk is seen", async () => {
    const controller = new AbortController();
    const stream = parseStream([reply], { ...options, signal: controller.signal });
    await stream.next();
    controller.abort();
    await expect(stream.next()).rejects.toThrow("aborted");
    const before = parseStream(later(units), { ...options, signal: controller.signal });
    await expect(before.next()).rejects.toThrow("aborted");
  });

  test("says why the model stopped once the source has said so", async () => {
    let reason: string | undefined;
    async function* source() {
      yield "cut he";
      reason = "length";
    }
    const stream = parseStream(source(), { ...options, finishReasonAtEnd: () => reason });
    await collect(stream);
    expect(stream.result().truncated).toBe(true);
  });

  test("misuse is reported at once, bytes when they come", async () => {
    expect(() => parseStream("text" as never, options)).toThrow("use parse(text, options)");
    expect(() => parseStream(null as never, options)).toThrow("not null");
    expect(() => parseStream([], { ...options, format: "hermex" })).toThrow('Did you mean "hermes"');
    await expect(parseStream([new Uint8Array(2)] as never, options).next()).rejects.toThrow("TextDecoderStream");
    const chunk = { choices: [{ delta: { content: "Hi" } }] };
    await expect(parseStream([chunk] as never, options).next()).rejects.toThrow("fromChatCompletionChunk");
  });
});

describe("toolCallTransform", () => {
  test("turns a web stream of text into events", async () => {
    const events = await collect(webStream(units).pipeThrough(toolCallTransform(options)) as never);
    const parser = createParser(options);
    const pushed = [...units.flatMap((unit) => parser.push(unit)), ...parser.end()];
    expect(events).toEqual(pushed);
  });

  test("merges what one chunk yields, and loses nothing", async () => {
    const events = await collect(webStream([reply]).pipeThrough(toolCallTransform(options)) as never);
    const kinds = events.map((event) => event.type);
    expect(kinds.filter((kind, at) => kind === kinds[at - 1])).toEqual([]);
    expect(joined(events, "text-delta")).toBe(whole.content);
    expect(joined(events, "call-args-delta")).toBe(whole.calls[0].argumentsText);
  });

  test("holds the writer back while nothing reads", async () => {
    const { writable, readable } = toolCallTransform(options);
    const writer = writable.getWriter();
    let written = 0;
    const writing = (async () => {
      for (const chunk of ["one ", "two ", "three ", "four "]) {
        await writer.ready;
        await writer.write(chunk);
        written++;
      }
      await writer.close();
    })();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(written).toBeLessThan(2);
    const events = await collect(readable as never);
    await writing;
    expect(joined(events, "text-delta")).toBe("one two three four ");
  });

  test("an abort errors both sides and ends no call", async () => {
    const controller = new AbortController();
    const { writable, readable } = toolCallTransform({ ...options, signal: controller.signal });
    const writer = writable.getWriter();
    const reader = readable.getReader();
    void writer.write('<tool_call>{"name": "write_log", "arguments": {').catch(() => {});
    expect((await reader.read()).value).toMatchObject({ type: "call-start" });
    controller.abort(new Error("stop"));
    await expect(writer.closed).rejects.toThrow("stop");
    await expect(
      (async () => {
        for (;;) if ((await reader.read()).done) return;
      })(),
    ).rejects.toThrow("stop");
  });

  test("an error of the source goes through", async () => {
    const broken = new ReadableStream<string>({
      pull(controller) {
        controller.error(new Error("connection lost"));
      },
    });
    const events = broken.pipeThrough(toolCallTransform(options));
    await expect(collect(events as never)).rejects.toThrow("connection lost");
  });
});

test("a stream that has been read leaves nothing for a large collection", () => {
  setFlagsFromString("--expose-gc");
  const takeAway = runInNewContext("gc") as (options?: { type: "minor" }) => void;
  const read = (count: number) => {
    for (let n = 0; n < count; n++) createParser({ format: "hermes", tools }).push("Let me look");
  };
  read(500);
  takeAway();
  const before = process.memoryUsage().heapUsed;
  read(2000);
  takeAway({ type: "minor" });
  // Each took 6 KB, where it was kept.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(4_000_000);
});

test("the last short message that has ended is kept, and no other", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const read = (text: string, own: object = {}) => {
    const parser = createParser({ format: "hermes", tools, ...own });
    parser.push(text);
    parser.end();
    return new WeakRef(parser);
  };
  const first = read("Let me look");
  const second = read("Let me look again");
  const long = read("Let me look ".repeat(10_000));
  const own = read("Let me look", { id: (n: number) => `own_${n}` });
  return new Promise<void>((resolve) =>
    // A reference that was asked for stays until the task ends.
    setTimeout(() => {
      collect();
      expect([first, second, long, own].map((one) => one.deref() !== undefined)).toEqual([false, true, false, false]);
      resolve();
    }),
  );
});

describe("what the prompt holds", () => {
  const silent = [{ name: "ping", parameters: { type: "object", properties: {} } }];

  test.each(["cline_xml", "mistral", "harmony", "hermes"])(
    "%s: a call that stands whole in it is none of the reply",
    (format) => {
      const prefill = formats.get(format).renderCalls([{ name: "ping", arguments: {} }]);
      const parser = createParser({ format, tools: silent, prefill });
      const events = [...parser.push("\nHello"), ...parser.end()];
      expect(events.filter(({ type }) => type.startsWith("call-"))).toEqual([]);
      expect(parser.result().calls).toEqual([]);
    },
  );

  test("a call that goes on in the reply starts with it", () => {
    const parser = createParser({
      format: "hermes",
      tools,
      prefill: '<tool_call>{"name": "write_log", "arguments": {',
    });
    const [first, ...rest] = parser.push('"text": "a').map(({ type }) => type);
    expect([first, ...new Set(rest)]).toEqual(["call-start", "call-args-delta"]);
  });

  test("an id behind the arguments is not the id of the call, wherever the prompt ends and chunks are cut", () => {
    let tried = 0;
    for (const { id: format } of formats) {
      const written = formats.get(format).renderCalls([{ name: "write_log", arguments: { text: "a" } }]);
      const late = written.replace(/(\{"text": ?"a"\})\}/, '$1, "id": "call_9"}');
      const [call] = late === written ? [] : parse(late, { format, tools }).calls;
      // Some formats write an id before the arguments.
      if (call?.wireId !== "call_9") continue;
      tried++;
      expect(call.id).toBe("call_0");
      for (let at = late.indexOf('"text"') - 3; at <= late.indexOf("call_9"); at += 3) {
        const [prefill, text] = [late.slice(0, at), late.slice(at)];
        const read = parse(text, { format, tools, prefill });
        const { id, wireId } = read.calls[0];
        expect([format, prefill, id, wireId]).toEqual([format, prefill, "call_0", "call_9"]);
        const parser = createParser({ format, tools, prefill });
        for (const unit of text) parser.push(unit);
        parser.end();
        expect(parser.result().calls, `${format} ${prefill}`).toEqual(read.calls);
      }
    }
    expect(tried).toBeGreaterThan(20);
  });

  test("a refused call that the prompt has begun counts among the starts in all chunks alike", () => {
    const write = (text: string) => formats.get("olmo3").renderCalls([{ name: "write_log", arguments: { text } }]);
    const both = `${write("a b").replace(' b"', '", "b"')}\n${write("c")}`;
    for (let at = 0; at < both.indexOf("a b"); at++) {
      const [prefill, text] = [both.slice(0, at), both.slice(at)];
      const read = parse(text, { format: "olmo3", tools, prefill });
      expect(read.calls.map(({ id, index }) => [id, index])).toEqual([["call_1", 1]]);
      for (const length of [1, 3, 7]) {
        const parser = createParser({ format: "olmo3", tools, prefill });
        for (let from = 0; from < text.length; from += length) parser.push(text.slice(from, from + length));
        parser.end();
        expect(parser.result().calls, `${length} ${prefill}`).toEqual(read.calls);
      }
    }
  });

  test("in a list with a format whose messages begin in thoughts, no text of it is reasoning", () => {
    const prefill = '<tool_call>\n{"name": "ping", "arguments": {}}\n</tool_call>';
    const { nodes, reasoning } = parse("Hello", { format: ["deepseek_v31", "ernie45"], tools: silent, prefill });
    expect([reasoning, nodes]).toEqual(["", [{ type: "content", start: 0, end: 5 }]]);
  });
});
