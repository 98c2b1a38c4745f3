import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import {
  createParser,
  type ParseEvent,
  type ParseOptions,
  parse,
  parseAsync,
  parseStream,
  prepare,
  toolCallTransform,
} from "../src/index.ts";

// A tool that is given as a schema library's object: the JSON Schema is asked first, then the library, and what the library
// makes of the arguments is what the host gets.

const message = (...listed: unknown[]) =>
  listed.map((one) => `<tool_call>${JSON.stringify({ name: "book", arguments: one })}</tool_call>`).join("\n");

const withSchema = (parameters: unknown, more: Partial<ParseOptions> = {}): ParseOptions => ({
  format: "hermes",
  tools: [{ name: "book", parameters: parameters as never }],
  ...more,
});

const libraries: [library: string, schema: unknown][] = [
  [
    "zod",
    z
      .object({
        city: z.string().transform((city) => city.toUpperCase()),
        nights: z.number().default(1),
        until: z.string().optional(),
      })
      .refine((value) => value.city !== "NOWHERE", { path: ["city"], message: "no such city" }),
  ],
  [
    "valibot",
    asInput(
      v.pipe(
        v.object({
          city: v.string(),
          nights: v.optional(v.number(), 1),
          until: v.optional(v.string()),
        }),
        v.forward(
          v.check((value) => value.city !== "nowhere", "no such city"),
          ["city"],
        ),
        v.transform((value) => ({ ...value, city: value.city.toUpperCase() })),
      ),
    ),
  ],
  [
    "arktype",
    type({ city: "string", nights: "number = 1", "until?": "string" })
      .narrow((value, context) => value.city !== "nowhere" || context.reject({ path: ["city"], expected: "a city" }))
      .pipe((value) => ({ ...value, city: value.city.toUpperCase() })),
  ],
];

describe.each(libraries)("%s", (_, schema) => {
  test("gives defaults and transformations as arguments; what was written stays", () => {
    const options = withSchema(schema);
    const { calls, rejected } = parse(message({ city: "oslo" }), options);
    expect(rejected).toEqual([]);
    expect(calls[0]).toMatchObject({
      arguments: { city: "OSLO", nights: 1 },
      written: { city: "oslo" },
      argumentsText: '{"city":"oslo"}',
    });
  });

  test("refuses with path and message, after the JSON Schema has said yes", () => {
    const options = withSchema(schema);
    const { calls, rejected } = parse(message({ city: "nowhere" }), options);
    expect(calls).toEqual([]);
    expect(rejected[0]).toMatchObject({
      reason: "schema",
      message: expect.stringMatching(/arguments\.city: .*city/),
      violations: [{ path: "arguments.city", expected: expect.stringContaining("city"), found: '"nowhere"' }],
    });
    expect(parse(message({ city: 5 }), options).rejected[0]?.violations).toEqual([
      { path: "arguments.city", expected: "string", found: "number" },
    ]);
  });

  test("says the same in a stream", async () => {
    const options = withSchema(schema);
    const text = message({ city: "oslo" }, { city: "nowhere" }, { city: "rome", nights: 3 });
    const stream = parseStream([...text], options);
    const ends: unknown[] = [];
    for await (const event of stream) if (event.type === "call-end") ends.push(event.call.arguments);
    expect(ends).toEqual([
      { city: "OSLO", nights: 1 },
      { city: "ROME", nights: 3 },
    ]);
    expect(stream.result()).toEqual(parse(text, options));
  });
});

/** The side of a schema that a model writes, said by hand: not every library can say all of itself as JSON Schema. */
function asInput(schema: unknown) {
  const { validate } = (schema as { "~standard": { validate: (value: unknown) => unknown } })["~standard"];
  const json = {
    type: "object",
    properties: { city: { type: "string" }, nights: { type: "number" }, until: { type: "string" } },
    required: ["city"],
  };
  return { "~standard": { validate, jsonSchema: { input: () => json } } };
}

/** A check that answers on demand. */
function slowSchema(verdict: (city: string) => boolean, wait = 0) {
  return z.object({ city: z.string() }).refine(
    async ({ city }) => {
      await new Promise((resolve) => setTimeout(resolve, wait));
      return verdict(city);
    },
    { path: ["city"], message: "no such city" },
  );
}

describe("a check that answers later", () => {
  const slow = withSchema(slowSchema((city) => city !== "nowhere"));
  const text = `Now.\n${message({ city: "a" }, { city: "nowhere" }, { city: "b" })}`;

  test("is a validator-error where nothing can wait", () => {
    const { calls, rejected } = parse(text, slow);
    expect(calls).toEqual([]);
    expect(rejected.map(({ reason }) => reason)).toEqual(["validator-error", "validator-error", "validator-error"]);
    expect(rejected[0]?.message).toContain("parseAsync");
    const parser = createParser(slow);
    expect([...parser.push(text), ...parser.end()].filter(({ type }) => type === "call-end")).toEqual([]);
    expect(parser.result().calls).toEqual([]);
  });

  test("is waited for by parseAsync, and by what is prepared", async () => {
    for (const result of [await parseAsync(text, slow), await prepare(slow).parseAsync(text)]) {
      expect(result.calls.map((call) => [call.index, call.arguments])).toEqual([
        [0, { city: "a" }],
        [2, { city: "b" }],
      ]);
      expect(result.rejected).toMatchObject([
        { reason: "schema", name: "book", violations: [{ path: "arguments.city" }] },
      ]);
      expect(result.nodes.map(({ type: kind }) => kind)).toEqual([
        "content",
        "call",
        "framing",
        "rejected",
        "framing",
        "call",
      ]);
      expect(result.telemetry.record()).toMatchObject({ calls: 2, rejections: { schema: 1 } });
    }
  });

  test("is waited for by streams: no call ends before it has answered", async () => {
    const whole = await parseAsync(text, slow);
    for (const chunks of [[text], [...text]]) {
      const stream = parseStream(chunks, slow);
      const events: ParseEvent[] = [];
      for await (const event of stream) events.push(event as ParseEvent);
      expect(stream.result()).toEqual(whole);
      expect(events.filter(({ type: kind }) => kind === "call-end" || kind === "call-rejected")).toMatchObject([
        { type: "call-end", index: 0, call: { arguments: { city: "a" } } },
        { type: "call-rejected", index: 1, rejection: { reason: "schema" } },
        { type: "call-end", index: 2, call: { arguments: { city: "b" } } },
      ]);
    }
    const piped = new ReadableStream<string>({
      start(controller) {
        controller.enqueue(text);
        controller.close();
      },
    }).pipeThrough(toolCallTransform(slow));
    const kinds: string[] = [];
    for await (const event of piped)
      if (event.type.startsWith("call-e") || event.type === "call-rejected") kinds.push(event.type);
    expect(kinds).toEqual(["call-end", "call-rejected", "call-end"]);
  });

  test("is not waited for where the stream is aborted", async () => {
    const never = z.object({ city: z.string() }).refine(() => new Promise<boolean>(() => {}));
    const controller = new AbortController();
    const options = { ...withSchema(never), signal: controller.signal };
    const drained = (async () => {
      for await (const _ of parseStream([message({ city: "a" })], options));
    })();
    await new Promise((resolve) => setTimeout(resolve));
    controller.abort(new Error("the user left"));
    await expect(drained).rejects.toThrow("the user left");
  });

  test("counts as a call for the policy only where it says yes, in one chunk or many", async () => {
    const three = message({ city: "nowhere" }, { city: "b" }, { city: "c" });
    for (const [policy, reasons] of [
      [{ calls: "first" }, ["schema", "not-first"]],
      [{ maxCalls: 1 }, ["schema", "too-many"]],
      [{ maxCalls: 2 }, ["schema"]],
    ] as const) {
      const limited = { ...slow, policy };
      const whole = await parseAsync(three, limited);
      expect([whole.calls.length, whole.rejected.map(({ reason }) => reason)]).toEqual([3 - reasons.length, reasons]);
      const stream = parseStream([...three], limited);
      for await (const _ of stream);
      expect(stream.result()).toEqual(whole);
    }
  });

  test("reports telemetry when it is known", async () => {
    const records: number[] = [];
    await parseAsync(text, { ...slow, onTelemetry: (record) => records.push(record.calls) });
    expect(records).toEqual([2]);
  });

  test("refuses where it fails", async () => {
    const broken = {
      "~standard": { validate: async () => Promise.reject(new Error("boom")), jsonSchema: { input: () => ({}) } },
    };
    const { rejected } = await parseAsync(message({}), withSchema(broken));
    expect(rejected[0]).toMatchObject({ reason: "validator-error", message: expect.stringContaining("boom") });
  });
});

test("a library's own converter says the JSON Schema, and its check gives the defaults", () => {
  const schema = toStandardJsonSchema(v.object({ city: v.string(), nights: v.optional(v.number(), 1) }));
  expect(parse(message({ city: "oslo" }), withSchema(schema)).calls[0]?.arguments).toEqual({ city: "oslo", nights: 1 });
  expect(parse(message({ city: 1 }), withSchema(schema)).rejected[0]?.violations).toEqual([
    { path: "arguments.city", expected: "string", found: "number" },
  ]);
});

test("a check that throws, answers nothing, or is not asked", () => {
  const withCheck = (validate: (value: unknown) => unknown) => ({
    "~standard": { validate, jsonSchema: { input: () => ({}) } },
  });
  const reasonsOf = (validate: (value: unknown) => unknown, more: Partial<ParseOptions> = {}) =>
    parse(message({ a: 1 }), withSchema(withCheck(validate), more)).rejected.map(({ reason }) => reason);
  expect(
    reasonsOf(() => {
      throw new Error("boom");
    }),
  ).toEqual(["validator-error"]);
  expect(reasonsOf(() => undefined)).toEqual(["validator-error"]);
  expect(reasonsOf(() => ({}))).toEqual(["validator-error"]);
  for (const value of [undefined, "a", [1]]) expect(reasonsOf(() => ({ value }))).toEqual(["validator-error"]);
  expect(reasonsOf(() => ({ issues: [] }))).toEqual(["schema"]);
  expect(reasonsOf(() => ({ issues: [{ message: "no" }] }), { policy: { schema: "off" } })).toEqual([]);
  const kept: unknown[] = [];
  const { calls } = parse(
    message({ a: { b: 1 } }),
    withSchema(
      withCheck((value) => {
        kept.push(value);
        (value as { a: { b: number } }).a.b = 2;
        return { value };
      }),
    ),
  );
  expect([calls[0]?.arguments, calls[0]?.written]).toEqual([{ a: { b: 2 } }, { a: { b: 1 } }]);
});

test("the type of a call is what the library gives", () => {
  const schema = z.object({ at: z.string().transform((text) => text.length), n: z.number().default(1) });
  const { calls } = parse(message({ at: "abc" }), { format: "hermes", tools: [{ name: "book", parameters: schema }] });
  for (const call of calls) {
    expectTypeOf(call.arguments).toEqualTypeOf<{ at: number; n: number }>();
    expect(call.arguments).toEqual({ at: 3, n: 1 });
  }
  expect(calls).toHaveLength(1);
});
