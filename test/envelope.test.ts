/**
 * What the envelope of a call may hold, as rules A2 to A4 say it, for every registered format: each is asked with the call
 * that it writes by itself, changed in one place. Nothing that is written is dropped, a definition is no call, and two
 * names are two readings.
 */
import { describe, expect, test } from "vitest";
import { sampledFormats } from "../scripts/samples.ts";
import { compileGrammar } from "../src/compiler/index.ts";
import { createParser, type Format, type ParseResult, parse } from "../src/index.ts";
import { sameValue } from "../src/testing/same-value.ts";
import { argumentSynonyms } from "../src/values/argument-synonyms.ts";
import { harmlessKeys } from "../src/values/harmless-keys.ts";
import { isAsked } from "./support/shares.ts";

const open = (properties: Record<string, object>) => ({ type: "object", properties });
/** Open schemas: only the rules of envelopes can refuse what is tried here. */
const tools = [
  { name: "read_dial", parameters: open({ dial: { type: "string" }, unit: { type: "string" } }) },
  { name: "wipe_dial", parameters: open({}) },
];
const written = { name: "read_dial", arguments: { dial: "north" } };

/** A format whose markers no other writes. */
const other = "plamo3";

/** The same whole and unit by unit, or in a list, or the test fails: calls, reasons, content. */
function read(format: Format, text: string, offered: object[] = tools): ParseResult {
  const options = { format, tools: offered as typeof tools, intent: true };
  const whole = parse(text, options);
  if (isAsked(format.id, 0)) {
    const parser = createParser(options);
    const ended: unknown[] = [];
    for (const unit of text.split("")) {
      for (const event of parser.push(unit)) if (event.type === "call-end") ended.push(event.call);
    }
    for (const event of parser.end()) if (event.type === "call-end") ended.push(event.call);
    const bare = ({ calls, rejected, content }: ParseResult) => ({ calls, rejected, content });
    expect(bare(parser.result()), text).toEqual(bare(whole));
    expect(ended, text).toEqual(whole.calls);
  }
  // In a list nothing runs that is refused alone.
  if (isAsked(format.id, 1) && format.mode === "primary" && format.id !== other) {
    const listed = parse(text, { ...options, format: [format, other] });
    expect(callsOf(whole), text).toEqual(expect.arrayContaining(callsOf(listed)));
  }
  return whole;
}

const callsOf = ({ calls }: ParseResult) => calls.map(({ name, arguments: given }) => ({ name, arguments: given }));
const argumentsOf = ({ calls }: ParseResult) => calls.map((call) => call.arguments);
const reasonsOf = ({ rejected }: ParseResult) => rejected.map(({ reason }) => reason);

/** Refused with this reason, whole and streamed; a message that no marker opens stays as it is. */
function expectRefused(format: Format, text: string, reason: string, offered?: object[]): ParseResult {
  const result = read(format, text, offered);
  expect(callsOf(result), text).toEqual([]);
  expect(reasonsOf(result), text).toContain(reason);
  if (!format.triggers.some((trigger) => text.includes(trigger))) expect(result.content, text).toBe(text);
  return result;
}

const rendered = (format: Format, call: { name: string; arguments: Record<string, unknown> }): string | undefined => {
  try {
    return format.renderCall(call);
  } catch {
    return undefined;
  }
};

/** A written call whose envelope is JSON or a Python literal, cut at its joints. */
interface Envelope {
  head: string;
  tail: string;
  quote: string;
  argumentsKey: string;
  nameKey: string;
  argumentsText: string;
}

/** Between `head` and `tail` stand name and arguments. */
function envelopeOf(format: Format): Envelope | undefined {
  const text = rendered(format, written);
  const { keys } = format;
  if (text === undefined || keys.name === "*") return undefined;
  const oneOf = (spellings: readonly string[]) => spellings.join("|");
  const name = `(["'])(${oneOf(keys.name)})\\2: ?(?:"read_dial"|'read_dial')`;
  const given = `\\2(${oneOf(keys.arguments)})\\2: ?(\\{[^{}]*\\})`;
  const found = new RegExp(`^(.*\\{(?:[^{}]*,)?\\s*)${name},\\s*${given}((?:,[^{}]*)?\\s*\\}.*)$`, "s").exec(text);
  if (!found) return undefined;
  const [, head, quote, nameKey, argumentsKey, argumentsText, tail] = found;
  return { head, tail, quote, nameKey, argumentsKey, argumentsText };
}

const withEnvelope = sampledFormats.flatMap(({ id, format }) => {
  const envelope = envelopeOf(format);
  return envelope ? [{ id, format, envelope }] : [];
});

/** Members as the format writes strings; a value that begins with a brace goes in as it is. */
function write(envelope: Envelope, members: [key: string, value: string][]): string {
  const { head, tail, quote } = envelope;
  const quoted = (text: string) => `${quote}${text}${quote}`;
  const value = (text: string) => (/^[{[\d]/.test(text) ? text.replaceAll('"', quote) : quoted(text));
  return `${head}${members.map(([key, text]) => `${quoted(key)}: ${value(text)}`).join(", ")}${tail}`;
}

test("formats with an envelope are found by what they write", () => {
  const ids = withEnvelope.map(({ id }) => id);
  expect(ids).toEqual(
    expect.arrayContaining(["hermes", "ambi", "cohere", "granite3", "json_array", "llama3_json", "sarashina", "xlam"]),
  );
  expect(ids.length).toBeGreaterThan(25);
});

describe.each(withEnvelope)("the envelope of $id", ({ format, envelope }) => {
  const { nameKey, argumentsKey, argumentsText } = envelope;
  const name: [string, string] = [nameKey, "read_dial"];
  const given: [string, string] = [argumentsKey, argumentsText];
  const documented = new Set([...format.keys.name, ...format.keys.arguments, ...format.keys.id]);
  const isMarked = format.triggers.length > 0;
  const repairs = !format.flags.includes("unrepaired");
  const required = format.flags.includes("arguments-required");

  test("it is read as it was written", () => {
    expect(callsOf(read(format, write(envelope, [name, given])))).toEqual([written]);
  });

  test("an unknown key refuses the call, in every place, and is named", () => {
    for (const extra of [
      ["confirm", "no"],
      ["confirm", "0"],
      ["confirm", "{}"],
      ["argumnets", '{"dial": "south"}'],
    ] as [string, string][]) {
      for (const members of [
        [extra, name, given],
        [name, extra, given],
        [name, given, extra],
      ]) {
        const result = expectRefused(format, write(envelope, members), "malformed");
        expect(result.rejected[0].message).toContain(`"${extra[0]}"`);
      }
    }
  });

  test("without arguments an unknown key is not dropped, a misspelt one neither", () => {
    expectRefused(format, write(envelope, [name, ["confirm", "no"]]), "malformed");
    expectRefused(format, write(envelope, [name, ["argumnets", argumentsText]]), "malformed");
    expectRefused(format, write(envelope, [name, ["description", "Reads a dial."]]), "malformed");
    const alone = write(envelope, [name]);
    if (required) expectRefused(format, alone, "malformed");
    else expect(callsOf(read(format, alone))).toEqual([{ name: "read_dial", arguments: {} }]);
    const needs = [{ name: "read_dial", parameters: { ...tools[0].parameters, required: ["dial"] } }];
    expectRefused(format, alone, required ? "malformed" : "schema", needs);
  });

  test("a parameter beside the arguments makes two readings", () => {
    expectRefused(format, write(envelope, [name, given, ["unit", "bar"]]), "ambiguous");
    expectRefused(format, write(envelope, [["unit", "bar"], name, given]), "ambiguous");
    const takesId = [{ name: "read_dial", parameters: open({ dial: { type: "string" }, index: { type: "integer" } }) }];
    expectRefused(format, write(envelope, [name, given, ["index", "1"]]), "ambiguous", takesId);
  });

  test("harmless keys are passed over, a container under one is not", () => {
    const harmless = harmlessKeys.filter((key) => !documented.has(key));
    for (const key of harmless) {
      const { calls } = read(format, write(envelope, [[key, "function"], name, given]));
      expect(calls, key).toMatchObject([{ ...written, repairs: [] }]);
      expectRefused(format, write(envelope, [[key, '{"dial": "south"}'], name, given]), "malformed");
    }
    const described = write(envelope, [name, ["description", "Reads a dial."], given]);
    expect(callsOf(read(format, described))).toEqual([written]);
  });

  test("arguments under another word are arguments, if they are the only ones", () => {
    for (const word of [...argumentSynonyms, "Arguments", "PARAMETERS", "k-w_args"]) {
      if (documented.has(word)) continue;
      const other = write(envelope, [name, [word, argumentsText]]);
      if (!repairs) expectRefused(format, other, "malformed");
      else {
        const { calls } = read(format, other);
        expect(calls, word).toMatchObject([written]);
        expect(calls[0].repairs, word).toMatchObject([{ kind: "argument-key", level: "safe" }]);
        const [{ start, end }] = calls[0].repairs;
        expect(other.slice(start, end).replaceAll(envelope.quote, "")).toBe(word);
      }
      // The same twice is one reading, and no repair; an empty object and a full one are two.
      expect(callsOf(read(format, write(envelope, [name, given, [word, argumentsText]])))).toEqual([written]);
      expectRefused(format, write(envelope, [name, given, [word, "{}"]]), "ambiguous");
      expectRefused(format, write(envelope, [name, [word, "{}"], given]), "ambiguous");
      const thrice: [string, string][] = [
        name,
        given,
        [word, "{}"],
        [word === "args" ? "params" : "args", argumentsText],
      ];
      if (!documented.has(thrice[3][0])) expectRefused(format, write(envelope, thrice), "ambiguous");
      const takesIt = [{ name: "read_dial", parameters: open({ dial: { type: "string" }, [word]: {} }) }];
      if (repairs) expectRefused(format, other, "ambiguous", takesIt);
    }
  });

  test("null and an empty string are no arguments, if the tool needs none", () => {
    const needs = [{ name: "read_dial", parameters: { ...tools[0].parameters, required: ["dial"] } }];
    for (const none of ["null", '""']) {
      const text = write(envelope, [name, given]).replace(argumentsText, none.replaceAll('"', envelope.quote));
      if (!repairs) expectRefused(format, text, "malformed");
      else {
        const [call] = read(format, text).calls;
        expect(call, none).toMatchObject({ name: "read_dial", arguments: {} });
        expect(call.repairs.map(({ kind }) => kind)).toContain("empty-arguments");
        expectRefused(format, text, "schema", needs);
      }
    }
    for (const other of ["[]", "0", "false", '" "', '"null"']) {
      const text = write(envelope, [name, given]).replace(argumentsText, other.replaceAll('"', envelope.quote));
      expect(callsOf(read(format, text)), other).toEqual([]);
    }
  });

  const whole = write(envelope, [name, given]);
  const start = whole.lastIndexOf("{", whole.indexOf(`${envelope.quote}${nameKey}${envelope.quote}`));
  const end = whole.indexOf("}", whole.indexOf("}", start) + 1) + 1;
  const call = whole.slice(start, end);
  const isListed = /\[\s*$/.test(whole.slice(0, start));
  const listOf = (items: readonly string[]) => (isListed ? items.join(", ") : `[${items.join(", ")}]`);
  const listed = (...items: string[]) => `${whole.slice(0, start)}${listOf(items)}${whole.slice(end)}`;

  test("what has no name in a list, or behind a call without its closer, may be the arguments of the call", () => {
    const south = argumentsText.replace("north", "south");
    for (const other of [south, `{${envelope.quote}${argumentsKey}${envelope.quote}: ${south}}`]) {
      for (const items of [
        [call, other],
        [call, "{}", other],
      ])
        expect(callsOf(read(format, listed(...items))), listed(...items)).toEqual([]);
      expect(callsOf(read(format, `${whole.slice(0, end)}</x>${other}`)), other).toEqual([]);
    }
  });

  test("an element that is only begun, has no arguments or names another tool takes no call along", () => {
    const inQuotes = (text: string) => text.replaceAll('"', envelope.quote);
    const cutIn = (item: string) => `${listed(call).slice(0, listed(call).lastIndexOf(call) + call.length)}, ${item}`;
    const cutCalls = callsOf(read(format, cutIn("")));
    for (const begun of [
      "{",
      '{"',
      '{"na',
      "{\n",
      '{"type": "function", "na',
      '{"id": "1", ',
      '{"di',
      `{"${argumentsKey}`,
    ])
      expect(callsOf(read(format, cutIn(inQuotes(begun)))), begun).toEqual(cutCalls);
    for (const shown of [`{"${argumentsKey}": {"di`, '{"dial": "so', '{"type": "function", "dial": "so'])
      expect(callsOf(read(format, cutIn(inQuotes(shown)))), shown).toEqual([]);
    const calls = callsOf(read(format, listed(call, inQuotes('{"level": 1}'))));
    const south = argumentsText.replace("north", "south");
    for (const other of [
      `{"nam": "wipe_dial", "${argumentsKey}": {}}`,
      `{"nam": "wipe_dial", "${argumentsKey}": ${south}}`,
      `{"nam": "x", "${argumentsKey}": {}}`,
    ])
      expect(callsOf(read(format, listed(call, inQuotes(other)))), other).toEqual(calls);
    if (format.id === "tool_calls" || format.id === "hermes") expect([cutCalls, calls]).toEqual([[written], [written]]);
  });

  test("what is no object in a list behind a marker is listed, and takes no call along", () => {
    if (!isMarked || isListed) return;
    for (const other of ['"x"', "1", "null", "[]"]) {
      for (const items of [
        [other, call],
        [call, other],
      ]) {
        const { calls, rejected } = read(format, listed(...items));
        expect(rejected.length, other).toBeGreaterThan(0);
        // Some read a list only if it begins with a call, some none.
        expect(calls.length, other).toBeLessThanOrEqual(1);
        for (const one of calls) expect(one, other).toMatchObject({ name: "read_dial", arguments: { dial: "north" } });
      }
    }
  });

  test("two names are two readings, the same twice is one", () => {
    for (const word of ["name", "tool", "tool_name", "function", "Function-Name"]) {
      if (word === nameKey) continue;
      for (const members of [
        [[word, "wipe_dial"], name, given],
        [name, [word, "wipe_dial"], given],
        [name, given, [word, "wipe_dial"]],
      ] as [string, string][][]) {
        expectRefused(format, write(envelope, members), "ambiguous");
      }
      expect(callsOf(read(format, write(envelope, [name, given, [word, "read_dial"]]))), word).toEqual([written]);
    }
    expectRefused(format, write(envelope, [name, name, given]), "duplicate-key");
    expectRefused(format, write(envelope, [name, given, given]), "duplicate-key");
  });

  test("a definition of the tool is no call, with a marker or without", () => {
    const schema = '{"type": "object", "properties": {"dial": {"type": "string"}}}';
    const definition = write(envelope, [name, ["description", "Reads a dial."], [argumentsKey, schema]]);
    const { content } = expectRefused(format, definition, "malformed");
    if (!isMarked) expect(content).toBe(definition);
    // The name in the header of some formats.
    const ofWipe = (text: string) => text.replaceAll("read_dial", "wipe_dial");
    const ofNone = [{ ...tools[1], description: "Wipes a dial." }];
    for (const none of ["{}", '{"type": "object"}']) {
      const members: [string, string][] = [
        [nameKey, "wipe_dial"],
        ["description", "Wipes a dial."],
        [argumentsKey, none],
      ];
      expectRefused(format, ofWipe(write(envelope, members)), "malformed", ofNone);
    }
    const explained = ofWipe(
      write(envelope, [
        [nameKey, "wipe_dial"],
        ["description", "I wipe it now."],
        [argumentsKey, "{}"],
      ]),
    );
    expect(callsOf(read(format, explained, ofNone))).toEqual([{ name: "wipe_dial", arguments: {} }]);
  });
});

/** Arguments that look like something else, and the keys of a tool that takes them as they are. */
const lookalikes = [
  {
    title: "a schema",
    given: { type: "object", properties: { dial: { type: "string" } } },
    taken: { type: { type: "string" }, properties: { type: "object" } },
  },
  {
    title: "a schema without a type",
    given: { properties: { dial: { type: "string" } }, required: ["dial"] },
    taken: { properties: { type: "object" }, required: { type: "array" } },
  },
  {
    title: "a schema under a key of its own",
    given: { input_schema: { type: "object", properties: { dial: { type: "string" } } } },
    taken: { input_schema: { type: "object" } },
  },
  {
    title: "a call as agents write it",
    given: { action: "wipe_dial", action_input: { dial: "south" } },
    taken: { action: { type: "string" }, action_input: { type: "object" } },
  },
  {
    title: "arguments under the name of a tool",
    given: { wipe_dial: { dial: "south" } },
    taken: { wipe_dial: { type: "object" } },
  },
  {
    title: "a list of calls",
    given: { tool_calls: [{ id: "1", function: { name: "functions.wipe_dial", arguments: { dial: "south" } } }] },
    taken: { tool_calls: { type: "array" } },
  },
  {
    title: "a request of a protocol",
    given: { method: "tools/call", params: { name: "wipe_dial", arguments: { dial: "south" } } },
    taken: { method: { type: "string" }, params: { type: "object" } },
  },
  {
    title: "a call in the envelope of the interface",
    given: { type: "function", function: { name: "wipe_dial", arguments: { dial: "south" } } },
    taken: { type: { type: "string" }, function: { type: "object" } },
  },
  {
    title: "a call",
    given: { name: "wipe_dial", arguments: { dial: "south" } },
    taken: { name: { type: "string" }, arguments: { type: "object" } },
  },
  {
    title: "a call in other words",
    given: { action: "wipe_dial", action_input: { dial: "south" } },
    taken: { action: { type: "string" }, action_input: { type: "object" } },
  },
  {
    title: "arguments, as a string",
    given: { kwargs: '{"dial": "south"}' },
    taken: { kwargs: { type: "string" } },
  },
  {
    title: "arguments, as Python in a string",
    given: { kwargs: "{'dial': 'south'}" },
    taken: { kwargs: { type: "string" } },
  },
  {
    title: "arguments, as a list in a string",
    given: { input: '[{"dial": "south"}]' },
    taken: { input: { type: "string" } },
  },
  {
    title: "arguments, in a fence in a string",
    given: { arguments: '```json\n{"dial": "south"}\n```' },
    taken: { arguments: { type: "string" } },
  },
  {
    title: "arguments, escaped twice in a string",
    given: { args: '{\\"dial\\": \\"south\\"}' },
    taken: { args: { type: "string" } },
  },
  {
    title: "a call, as Python in a string",
    given: { input: "{'name': 'wipe_dial', 'arguments': {}}" },
    taken: { input: { type: "string" } },
  },
  {
    title: "arguments of arguments",
    given: { arguments: { arguments: { dial: "south" } } },
    taken: { arguments: { type: "object" } },
  },
  {
    title: "none, as arguments among arguments",
    given: { arguments: {} },
    taken: { arguments: { type: "object" } },
    // The one parameter of an element holds all of them.
    unwrapped: {},
  },
  {
    title: "null, as arguments among arguments",
    given: { arguments: null },
    taken: { arguments: { type: ["object", "null"] } },
  },
  {
    title: "null, as arguments of arguments",
    given: { arguments: { args: null } },
    taken: { arguments: { type: "object" } },
  },
  {
    title: "arguments that nothing declares",
    given: { input: { depth: 3 } },
    taken: { input: { type: "object" } },
  },
  {
    title: "two kinds of arguments that hold none",
    given: { kwargs: {}, args: [] },
    taken: { kwargs: { type: "object" }, args: { type: "array" } },
  },
  {
    title: "arguments, in a list",
    given: { arguments: [{ dial: "south" }] },
    taken: { arguments: { type: "array", items: { type: "object" } } },
  },
];

/** Rules that every format is held to, whether its arguments are JSON, tags or Python. */
describe.each(lookalikes.map((one, turn) => ({ ...one, turn })))(
  "$title as arguments",
  ({ given, taken, unwrapped, turn }) => {
    const offered = (properties: Record<string, object>) => [
      { name: "read_dial", parameters: open(properties) },
      tools[1],
    ];
    const call = { name: "read_dial", arguments: given };
    const carriers = sampledFormats.flatMap(({ id, format }) => {
      const text = rendered(format, call);
      const { calls } =
        text === undefined ? { calls: [] } : parse(text, { format, tools: offered(taken), intent: true });
      // What the format does not carry as it is proves nothing.
      return text !== undefined && sameValue(calls[0]?.arguments, given) ? [{ id, format, text }] : [];
    });

    test("most formats carry them", () => {
      expect(carriers.length).toBeGreaterThan(sampledFormats.length * 0.8);
    });

    test.each(carriers.filter(({ id }) => isAsked(id, turn)))(
      "$id: none of a tool that does not declare them, data of one that does",
      ({ format, text }) => {
        expect(callsOf(read(format, text, offered(taken)))).toEqual([call]);
        if (!("dial" in given) && unwrapped === undefined) expect(read(format, text, offered({})).calls).toEqual([]);
        const result = read(format, text, offered({ dial: { type: "string" } }));
        if (unwrapped !== undefined && result.calls.length > 0)
          return expect(callsOf(result)).toEqual([{ name: "read_dial", arguments: unwrapped }]);
        expect(result.calls).toEqual([]);
        expect(result.rejected.length).toBeGreaterThan(0);
      },
    );
  },
);

test.each(sampledFormats)("$id: the description of a tool alone is no call of it", ({ format }) => {
  const description = "Reads a dial.";
  const call = { name: "read_dial", arguments: { description } };
  const text = rendered(format, call);
  if (text === undefined) return;
  const own = [{ name: "read_dial", description, parameters: open({ description: { type: "string" } }) }];
  expect(callsOf(read(format, text, own))).toEqual([call]);
  expect(read(format, text, [{ ...tools[0], description }]).calls).toEqual([]);
  const also = format.renderCall({ name: "read_dial", arguments: { dial: "north" } });
  expect(read(format, also, [{ ...tools[0], description }]).calls).toHaveLength(1);
});

describe("keys that lead into an object", () => {
  const wire =
    '<call>{"id": "c1", "type": "function", "function": {"name": "read_dial", "arguments": {"dial": "north"}}}</call>';
  const grammar = `// Wrapped
//
// format:    wrapped
// extends:   toolpeg/family/json-in-tags
// keys:      name = function.name; arguments = function.arguments; id = id
//
// example:
//   ${wire}

OPEN  "<call>"  = "<call>"
CLOSE "</call>" = "</call>"
`;
  const format = compileGrammar(grammar) as Format;
  const inside = (text: string) => `<call>{"id": "c1", "function": {${text}}}</call>`;

  test("the call is read, its id too, whole, in lists and token by token", () => {
    const { calls } = read(format, wire);
    expect(calls).toMatchObject([{ ...written, id: "c1", repairs: [] }]);
    const listed = wire.replace("<call>", "<call>[").replace("</call>", "]</call>");
    expect(callsOf(read(format, listed))).toEqual([written]);
    const encoded = inside('"name": "read_dial", "arguments": "{\\"dial\\": \\"north\\"}"');
    expect(read(format, encoded).calls).toMatchObject([{ ...written, repairs: [{ kind: "encoded-arguments" }] }]);
  });

  test("what it reads it writes", () => {
    const text = format.renderCall({ name: "read_dial", arguments: { dial: "south", unit: "bar" } });
    expect(callsOf(read(format, text))).toEqual([{ name: "read_dial", arguments: { dial: "south", unit: "bar" } }]);
    expect(text).toContain('"function": {"name": "read_dial"');
  });

  test("damage inside is repaired as anywhere", () => {
    const { calls } = read(format, inside(`"name": "read_dial", "arguments": {'dial': 'north'}`));
    expect(calls).toMatchObject([{ ...written, repairs: [{ kind: "quote-style" }, { kind: "quote-style" }] }]);
  });

  test("the same rules hold on every level", () => {
    expect(read(format, inside('"name": "read_dial", "input": {"dial": "north"}')).calls).toMatchObject([
      { ...written, repairs: [{ kind: "argument-key" }] },
    ]);
    const whole = '"name": "read_dial", "arguments": {"dial": "north"}';
    expectRefused(format, inside(`${whole}, "confirm": 0`), "malformed");
    expectRefused(format, inside(`${whole}, "unit": "bar"`), "ambiguous");
    expectRefused(format, inside(`${whole}, "name": "read_dial"`), "duplicate-key");
    expectRefused(format, `<call>{"name": "wipe_dial", "function": {${whole}}}</call>`, "ambiguous");
    expectRefused(format, `<call>{"arguments": {}, "function": {${whole}}}</call>`, "ambiguous");
    expectRefused(format, `<call>{"function": {${whole}}, "confirm": {}}</call>`, "malformed");
    expectRefused(format, '<call>{"function": "read_dial"}</call>', "no-name");
    expectRefused(format, `<call>{"function": {${whole}}, "function": {}}</call>`, "duplicate-key");
  });
});

test.each(sampledFormats)(
  "$id: what may hold all arguments is none of them where the schema names it itself",
  ({ format }) => {
    const text = rendered(format, { name: "read_dial", arguments: { input: "held" } });
    if (text === undefined) return;
    const packed = text.replace(/"held"|held/, () => '{"dial": "north"}');
    const offer = (schema: object) => [
      { name: "read_dial", parameters: { ...open({ dial: { type: "string" } }), ...schema } },
    ];
    for (const schema of [
      { additionalProperties: { type: "object" } },
      { patternProperties: { "^in": { type: "object" } } },
    ])
      expect(argumentsOf(read(format, packed, offer(schema)))).not.toContainEqual({ dial: "north" });
    for (const schema of [
      { unevaluatedProperties: { type: "object" } },
      { anyOf: [{ required: ["dial"] }, { required: ["input"] }] },
      { dependentRequired: { input: ["dial"] } },
      { propertyNames: { enum: ["dial", "input"] } },
    ]) {
      const result = parse(packed, { format, tools: offer(schema), intent: true });
      expect(argumentsOf(result), JSON.stringify(schema)).not.toContainEqual({ dial: "north" });
    }
  },
);

test("a fallback format asks for the intent and for one call, whether or not it has a marker", () => {
  const wire = '<call>{"name": "read_dial", "arguments": {"dial": "north"}}</call>';
  const header = `format: marked\nmode: json\nextends: toolpeg/family/json-in-tags\n\nexample:\n  ${wire}`;
  const grammar = `${header.replace(/^(?=.)/gm, "// ").replace(/^$/gm, "//")}\n\nOPEN "<call>" = "<call>"\nCLOSE "</call>" = "</call>"\n`;
  const format = compileGrammar(grammar) as Format;
  const asked = (text: string, intent: boolean) => reasonsOf(parse(text, { format, tools, intent }));
  expect(asked(wire, true)).toEqual([]);
  expect(asked(wire, false)).toEqual(["no-intent"]);
  expect(asked(`${wire}\n${wire}`, true)).toEqual(["several-candidates", "several-candidates"]);
});
