/** The types of calls. Checked by `npm run typecheck`; nothing here runs. */
import {
  createParser,
  type FromSchema,
  type ParseOptions,
  parse,
  parseStream,
  type ToolCall,
  type ToolDefinition,
} from "toolpeg";
import { toChatCompletionMessage } from "toolpeg/openai";
import { expectTypeOf } from "vitest";
import { z } from "zod";

const text = "" as string;

// ----- Tools in place, or `as const` -----
const inPlace = parse(text, {
  format: "hermes",
  tools: [
    {
      name: "set_dial",
      parameters: {
        type: "object",
        properties: {
          dial: { enum: ["north", "south"] },
          position: { type: "integer" },
          note: { type: ["string", "null"] },
          end: { type: "integer", nullable: true },
          marks: { type: "array", items: { type: "object", properties: { at: { type: "number" } }, required: ["at"] } },
        },
        required: ["dial", "position"],
      },
    },
    { name: "list_dials" },
  ],
});
const [call] = inPlace.calls;
expectTypeOf(call.name).toEqualTypeOf<"set_dial" | "list_dials">();
if (call.name === "set_dial") {
  expectTypeOf(call.arguments).toEqualTypeOf<{
    dial: "north" | "south";
    position: number;
    note?: string | null;
    end?: number | null;
    marks?: { at: number }[];
  }>();
  // @ts-expect-error there is no such dial
  call.arguments.dial === "west";
  // @ts-expect-error no such parameter
  void call.arguments.angle;
} else {
  expectTypeOf(call.arguments).toEqualTypeOf<Record<string, unknown>>();
}

const tools = [
  {
    type: "function",
    function: { name: "ring", parameters: { type: "object", properties: { times: { type: "integer" } } } },
  },
] as const;
expectTypeOf(parse(text, { format: "hermes", tools }).calls).toEqualTypeOf<ToolCall<"ring", { times?: number }>[]>();

// ----- Schema libraries: what their own check makes of the arguments -----
const zod = parse(text, {
  format: "hermes",
  tools: [
    {
      name: "ring",
      parameters: z.object({ times: z.number().default(1), at: z.string().transform((at) => new Date(at)) }),
    },
    { name: "stop", inputSchema: z.object({ why: z.string() }) },
  ],
});
expectTypeOf(zod.calls).toEqualTypeOf<
  (ToolCall<"ring", { times: number; at: Date }> | ToolCall<"stop", { why: string }>)[]
>();

// ----- Streams -----
const parser = createParser({ format: "hermes", tools });
for (const event of [...parser.push(text), ...parser.end()]) {
  if (event.type === "call-end") expectTypeOf(event.call.arguments).toEqualTypeOf<{ times?: number }>();
}
expectTypeOf(parser.result().calls[0].name).toEqualTypeOf<"ring">();
for await (const event of parseStream([text], { format: "hermes", tools, signal: AbortSignal.timeout(1) })) {
  if (event.type === "call-end") expectTypeOf(event.call.name).toEqualTypeOf<"ring">();
}

// ----- Where the compiler cannot know, it says so -----
const untyped: ToolDefinition[] = [];
expectTypeOf(parse(text, { format: "hermes", tools: untyped }).calls).toEqualTypeOf<ToolCall[]>();
const options: ParseOptions = { format: "hermes", tools: untyped };
expectTypeOf(parse(text, options).calls).toEqualTypeOf<ToolCall[]>();
expectTypeOf(parse(text, { format: "hermes", tools, policy: { unknownTool: "pass" } }).calls).toEqualTypeOf<
  ToolCall[]
>();
expectTypeOf(parse(text, { format: "hermes", tools, policy: { schema: "off" } }).calls).toEqualTypeOf<ToolCall[]>();
expectTypeOf(
  parse(text, { format: "hermes", tools, policy: { schema: "coerce" } }).calls[0].name,
).toEqualTypeOf<"ring">();
expectTypeOf<FromSchema<{ type: string }>>().toEqualTypeOf<unknown>();
expectTypeOf<FromSchema<{ allOf: [{ type: "string" }] }>>().toEqualTypeOf<unknown>();
expectTypeOf<FromSchema<{ $ref: "#/$defs/a" }>>().toEqualTypeOf<unknown>();
expectTypeOf<FromSchema<true>>().toEqualTypeOf<unknown>();
expectTypeOf<FromSchema<{ anyOf: [{ type: "string" }, { const: 7 }] }>>().toEqualTypeOf<string | 7>();
expectTypeOf<FromSchema<{ type: "object" }>>().toEqualTypeOf<Record<string, unknown>>();

// A typed result goes wherever a result goes.
toChatCompletionMessage(inPlace);

// ----- Misuse -----
// @ts-expect-error an option that does not exist
parse(text, { format: "hermes", tools, polcy: {} });
// @ts-expect-error tools are missing
parse(text, { format: "hermes" });
// @ts-expect-error no such policy value
parse(text, { format: "hermes", tools, policy: { schema: "maybe" } });
