/** Constraints for guided decoding: what they promise, for every format, and how they say a schema. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConstraintOptions, exportConstraint, noteCodes } from "toolpeg/export";
import { describe, expect, test } from "vitest";
import { turnBoundaries, turnOpeners } from "../src/contract/turn-tokens.ts";
import * as engine from "../src/index.ts";
import { formats, parse } from "../src/index.ts";
import { acceptRendered, readSamples, toolChoicesOf } from "./support/constraint-checks.ts";
import { accepts, seededRandom } from "./support/parts.ts";
import { randomTools } from "./support/random-tools.ts";
import { readGrammar } from "./support/read-grammar.ts";
import { runCommand } from "./support/run-command.ts";
import { isAsked } from "./support/shares.ts";

const hermes = formats.get("hermes");
const closed = (properties: object, required: string[] = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const dials = [
  {
    name: "read_dial",
    parameters: closed({ dial: { enum: ["north", "south"] }, times: { type: "integer" } }, ["dial"]),
  },
  { name: "list_dials", parameters: closed({}) },
];

/** Whether a constraint on one argument accepts a value of it. */
function takes(schema: object, value: unknown, options: Partial<ConstraintOptions> = {}): boolean {
  const tools = [{ name: "f", parameters: closed({ a: schema }, ["a"]) }];
  const { parts } = exportConstraint(hermes, { tools, toolChoice: "required", ...options });
  return accepts(parts, hermes.renderCall({ name: "f", arguments: { a: value } }));
}

/** The codes of the notes on one argument. */
function codesOf(schema: object, options: Partial<ConstraintOptions> = {}): string[] {
  const tools = [{ name: "f", parameters: closed({ a: schema }, ["a"]) }];
  const { notes } = exportConstraint(hermes, { tools, guard: "closer", ...options });
  return notes.map(({ path, code }) => (path === "" ? code : `${code} ${path}`));
}

const turnsAlone = turnBoundaries();
/** What begins another turn, in the words of every format; of those with many spellings some. */
const turns = [
  ...turnsAlone.filter((token, at) => !/<[|｜]|<start_of_turn>./.test(token) || at % 50 === 0),
  ...turnOpeners.filter((_, at) => at % 5 === 0).map((token) => `</s>\n${token}`),
  "<s>[INST] ",
];

// A few sentences each; `npm run constraints` asks for hundreds.
describe.each([...formats].map((format) => [format.id, format] as const))("%s", (id, format) => {
  const random = seededRandom([...id].reduce((sum, char) => sum * 31 + char.charCodeAt(0), 1));
  const tools = randomTools(random, 3);

  test.runIf(isAsked(id, 0))(
    "reads what may be written under its constraints, as it was written and without a repair",
    () => {
      const failures = toolChoicesOf(tools).flatMap((toolChoice, at) =>
        (["closed", "prefilled", "may"] as const)
          .filter((_, of) => (of + at) % 3 !== id.length % 3)
          .flatMap((reasoning) => readSamples(format, tools, { toolChoice, reasoning }, 2, random).failures),
      );
      failures.push(
        ...readSamples(format, tools, { guard: "closer", order: "declared", prose: "no-code" }, 2, random).failures,
      );
      expect(failures).toEqual([]);
    },
  );

  test("accepts what the format writes", () => {
    for (const toolChoice of ["auto", "required"] as const) {
      const constraint = exportConstraint(format, { tools, toolChoice });
      const codes = new Set(constraint.notes.map(({ code }) => code));
      const isLine = id === "granite_pythonic" && toolChoice === "auto";
      expect(codes.has("prose")).toBe(isLine);
      for (const code of codes) expect(["reserved-text", "one-call", "boundary", "prose"]).toContain(code);
      expect(constraint.exact).toBe(!codes.has("boundary") && !isLine);
      const { failures, rendered } = acceptRendered(format, tools, constraint, 8, random);
      expect(failures).toEqual([]);
      expect(rendered).toBeGreaterThan(0);
    }
  });

  test.runIf(isAsked(id, 1))("opens no other turn before a call, in text or in thoughts", () => {
    const [{ open, close } = { open: "", close: "" }] = format.reasoning;
    const call = format.renderCalls([{ name: "list_dials", arguments: {} }]);
    const constraints = (["closed", "may", "prefilled"] as const).map((reasoning) =>
      exportConstraint(format, { tools: dials, reasoning }),
    );
    const read = [];
    for (const turn of turns) {
      for (const text of [`Words ${turn}`, `${open}\nWords ${turn}\n${close}\n`, `Words ${turn}\n${close}\n`]) {
        for (const { parts, parseOptions } of constraints) {
          if (!accepts(parts, `${text}\n${call}`)) continue;
          const { calls, rejected } = parse(`${text}\n${call}`, { format, tools: dials, ...parseOptions });
          if (calls.length !== 1 || rejected.length > 0) read.push(text);
        }
      }
    }
    expect(read).toEqual([]);
  });

  test("says in GBNF and in Lark what its parts say", () => {
    const constraint = exportConstraint(format, { tools, toolChoice: "required" });
    const grammars = [readGrammar(constraint.gbnf().grammar), readGrammar(constraint.lark())];
    const call = { name: tools[0].name, arguments: {} };
    const text = hermes.renderCall(call);
    for (const parts of grammars) expect(accepts(parts, text)).toBe(accepts(constraint.parts, text));
    const sentences = readSamples(format, tools, { toolChoice: "required" }, 3, random, (sentence) => {
      for (const parts of grammars) {
        expect(accepts(parts, sentence)).toBe(true);
        expect(accepts(parts, `${sentence}!`)).toBe(accepts(constraint.parts, `${sentence}!`));
        const shorter = sentence.slice(1);
        expect(accepts(parts, shorter)).toBe(accepts(constraint.parts, shorter));
      }
    });
    expect(sentences.failures).toEqual([]);
  });
});

describe("text before a call", () => {
  const tools = [{ name: "f", parameters: closed({ a: { type: "string" } }) }];
  const call = (id: string) => formats.get(id).renderCalls([{ name: "f", arguments: { a: "x`y" } }]);
  const takesText = (id: string, text: string, options: Partial<ConstraintOptions> = {}) =>
    accepts(exportConstraint(formats.get(id), { tools, ...options }).parts, text + call(id));

  test("does not end in a word where the marker is one", () => {
    for (const id of ["phi4mini", "selectools"]) {
      for (const text of ["Hello", "HELLO", "Hello 1", "Hello."]) expect(takesText(id, text)).toBe(false);
      for (const text of ["Hello\n", "HELLO.\n\n"]) {
        expect(takesText(id, text)).toBe(true);
        expect(parse(text + call(id), { format: id, tools }).calls).toHaveLength(1);
      }
    }
  });

  test("holds no escaped backtick, which is no mark of code", () => {
    for (const id of ["hermes", "kimi_k2", "llama3_json"]) {
      for (const text of ["Use \\`A` now.\n", "Use `A` and \\`B.\n", "\\``A`\n"])
        expect(takesText(id, text)).toBe(false);
      for (const text of ["Use \\A and `\\`.\n", "Use `A`.\n", "C:\\a\n", "Use:\n```sh\na \\\n b\n```\n"]) {
        expect(takesText(id, text)).toBe(true);
        expect(parse(text + call(id), { format: id, tools }).calls).toHaveLength(1);
      }
      expect(takesText(id, "C:\\\n", { prose: "no-code" })).toBe(true);
    }
  });
});

test("a text in a container does not end in what may be left of its closer", () => {
  const inner = closed({ v: { type: "string" }, w: { enum: ["x", "x<|"] } });
  const tools = [{ name: "f", parameters: closed({ a: inner }) }];
  const format = formats.get("gemma4");
  const written = (text: string) => `<|tool_call>call:f{a:{v:<|"|>${text}<|"|>}}<tool_call|>`;
  for (const guard of ["markers", "closer"] as const) {
    const { parts, notes, exact } = exportConstraint(format, { tools, guard, toolChoice: "required" });
    for (const text of ["x<|", "<|", "x<|\n", 'x<|"']) expect(accepts(parts, written(text))).toBe(false);
    for (const text of ["x<", "<|x", "a|", ""]) {
      expect(accepts(parts, written(text))).toBe(true);
      expect(parse(written(text), { format, tools }).calls).toHaveLength(1);
    }
    expect([exact, notes.map(({ path }) => path)]).toEqual([false, expect.arrayContaining(["f/a/w"])]);
  }
});

describe("a schema in parts", () => {
  test("numbers: digits, and the bounds that can be said", () => {
    expect([0, 7, -3, 12].map((value) => takes({ type: "integer" }, value))).toEqual([true, true, true, true]);
    expect(takes({ type: "integer" }, 1.5)).toBe(false);
    expect([1.5, 1e21, -0.25].map((value) => takes({ type: "number" }, value))).toEqual([true, true, true]);
    const few = { type: "integer", minimum: 1, exclusiveMaximum: 4 };
    expect([0, 1, 3, 4].map((value) => takes(few, value))).toEqual([false, true, true, false]);
    expect(codesOf(few)).toEqual([]);
    expect([-1, 0, 5].map((value) => takes({ type: "integer", minimum: 0 }, value))).toEqual([false, true, true]);
    expect(codesOf({ type: "integer", minimum: 0 })).toEqual([]);
    expect(codesOf({ type: "number", maximum: 3 })).toEqual(["bounds f/a"]);
  });

  test("listed values, constants and types", () => {
    expect(["x", "z", 1].map((value) => takes({ enum: ["x", 1] }, value))).toEqual([true, false, true]);
    expect([null, "s", 1].map((value) => takes({ type: ["string", "null"] }, value))).toEqual([true, true, false]);
    expect([true, 1].map((value) => takes({ const: true }, value))).toEqual([true, false]);
    expect([true, null].map((value) => takes({ type: "boolean" }, value))).toEqual([true, false]);
  });

  test("lists: items, their number, and places of their own", () => {
    const list = { type: "array", items: { type: "integer" }, minItems: 1, maxItems: 2 };
    expect([[], [1], [1, 2], [1, 2, 3], ["x"]].map((value) => takes(list, value))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
    const pair = { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: false, minItems: 1 };
    expect([[], ["x"], ["x", 1], ["x", 1, 2], [1]].map((value) => takes(pair, value))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  test("references, also to themselves, and what applies together", () => {
    const node = closed({ v: { type: "integer" }, next: { $ref: "#/$defs/node" } }, ["v"]);
    const parameters = { ...closed({ a: { $ref: "#/$defs/node" } }, ["a"]), $defs: { node } };
    const { parts, exact } = exportConstraint(hermes, { tools: [{ name: "f", parameters }], toolChoice: "required" });
    const write = (a: unknown) => hermes.renderCall({ name: "f", arguments: { a } });
    expect(exact).toBe(true);
    expect(accepts(parts, write({ v: 1, next: { next: { v: 3 }, v: 2 } }))).toBe(true);
    expect(accepts(parts, write({ v: 1, next: { next: { v: 3 } } }))).toBe(false);
    const both = { allOf: [{ type: "integer", minimum: 1 }, { enum: [0, 1, 2, "x"] }, { maximum: 5 }] };
    expect([1, "x"].map((value) => takes(both, value))).toEqual([true, false]);
  });

  test("alternatives; `oneOf` is exact where no value can fit two", () => {
    const apart = {
      oneOf: [{ type: "integer" }, closed({ k: { const: "a" } }, ["k"]), closed({ k: { const: "b" } }, ["k"])],
    };
    expect([1, { k: "a" }, { k: "b" }, { k: "c" }].map((value) => takes(apart, value))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(codesOf(apart)).toEqual([]);
    expect(codesOf({ oneOf: [{ type: "integer" }, { type: "number" }] })).toEqual(["one-of f/a"]);
  });

  test("members in any order, each once, required ones surely", () => {
    const three = closed({ x: { type: "integer" }, y: { type: "integer" }, z: { type: "integer" } }, ["x", "z"]);
    for (const [value, any, declared] of [
      [{ x: 1, z: 1 }, true, true],
      [{ z: 1, x: 1 }, true, false],
      [{ z: 1, y: 1, x: 1 }, true, false],
      [{ x: 1, y: 1, z: 1 }, true, true],
      [{ x: 1, y: 1 }, false, false],
      [{}, false, false],
    ] as const) {
      expect(takes(three, value, { order: "any" })).toBe(any);
      expect(takes(three, value, { order: "declared" })).toBe(declared);
    }
    const twice = hermes
      .renderCall({ name: "f", arguments: { a: { x: 1, z: 1 } } })
      .replace('"z": 1', '"z": 1, "x": 2');
    const { parts } = exportConstraint(hermes, { tools: [{ name: "f", parameters: closed({ a: three }, ["a"]) }] });
    expect(accepts(parts, twice)).toBe(false);
  });

  test.each([
    [{ type: "string", pattern: "^a" }, "pattern f/a"],
    [{ type: "string", maxLength: 3 }, "bounds f/a"],
    [{ type: "string", minLength: 2 }, "bounds f/a"],
    [{ type: "number", multipleOf: 0.5 }, "bounds f/a"],
    [{ type: "array", items: { type: "integer" }, uniqueItems: true }, "count f/a"],
    [{ type: "object", properties: { k: { type: "integer" } } }, "free-keys f/a"],
    [{ type: "object", additionalProperties: { type: "integer" } }, "free-keys f/a"],
    [{ type: "string", not: { const: "x" } }, "keyword f/a"],
    [{ properties: { k: { type: "integer" } }, additionalProperties: false }, "narrowed f/a"],
    [closed(Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`k${at}`, { type: "integer" }]))), "order f/a"],
    [{ type: "object", properties: JSON.parse('{"__proto__": {}}'), additionalProperties: false }, "unwritable f/a"],
  ])("what cannot be said is a note with its path, and the constraint is not exact: %j", (schema, note) => {
    expect(codesOf(schema)).toContain(note);
    const tools = [{ name: "f", parameters: closed({ a: schema }) }];
    expect(exportConstraint(hermes, { tools }).exact).toBe(false);
  });

  test.each(["cline_xml", "morph_xml", "yaml_xml"])("%s: thoughts hold no tag that a tool is named by", (id) => {
    const format = formats.get(id);
    const tools = [{ name: "x", parameters: closed({}) }];
    const [{ open, close }] = format.reasoning;
    const { parts } = exportConstraint(format, { tools, reasoning: "may" });
    const call = format.renderCall({ name: "x", arguments: {} });
    const readAfter = (thought: string) => {
      const text = `${open}${thought}${close}${call}`;
      expect(parse(text, { format, tools }).calls).toHaveLength(1);
      return [accepts(parts, text), parse(text, { format, tools }).rejected.length];
    };
    expect(readAfter("a < b, <y b")).toEqual([true, 0]);
    expect(readAfter("a <x b")).toEqual([false, 1]);
  });

  test("a note says which free keys may not be written", () => {
    const tools = [{ name: "f", parameters: closed({ a: { type: "object" } }, ["a"]) }];
    const notesOf = (id: string, key: string) => {
      const format = formats.get(id);
      const { parts, notes } = exportConstraint(format, { tools, toolChoice: "required" });
      expect(accepts(parts, format.renderCalls([{ name: "f", arguments: { a: { b: 1 } } }]))).toBe(true);
      expect(accepts(parts, format.renderCalls([{ name: "f", arguments: { a: { [key]: 1 } } }]))).toBe(false);
      return notes.map(({ message }) => message).join();
    };
    for (const key of ["", '"', "a\nb", "a\\b"])
      expect(notesOf("hermes", key)).toContain("empty ones, and those with quotes");
    for (const key of ["a b", "é", "1"]) expect(notesOf("gemma4", key)).toContain("only those of ASCII letters");
  });

  test("a text holds no marker; with `guard: closer` it may, where that does not end it", () => {
    expect(takes({ type: "string" }, "a </tool_call> b")).toBe(false);
    expect(takes({ type: "string" }, "a </tool_call> b", { guard: "closer" })).toBe(true);
    expect(takes({ type: "string" }, "a < b, </div>, <tool>, <|x|>")).toBe(true);
    const qwen = formats.get("qwen3_coder");
    const tools = [{ name: "f", parameters: closed({ a: { type: "string" } }, ["a"]) }];
    for (const guard of ["markers", "closer"] as const) {
      const { parts } = exportConstraint(qwen, { tools, toolChoice: "required", guard });
      const write = (a: string) =>
        `<tool_call>\n<function=f>\n<parameter=a>\n${a}\n</parameter>\n</function>\n</tool_call>`;
      expect(accepts(parts, write("x </div> y"))).toBe(true);
      expect(accepts(parts, write("x </parameter y"))).toBe(false);
      expect(accepts(parts, write("x <parameter=b> y"))).toBe(false);
      expect(accepts(parts, write("x <think> y"))).toBe(guard === "closer");
    }
  });

  test("every code of a note is explained", () => {
    const page = readFileSync(new URL("../docs/constraints.md", import.meta.url), "utf8");
    for (const code of noteCodes) expect(page).toContain(`| \`${code}\` |`);
  });
});

describe("a message in parts", () => {
  const call = hermes.renderCall({ name: "read_dial", arguments: { dial: "north" } });
  const two = hermes.renderCalls([{ name: "read_dial", arguments: { dial: "north" } }, { name: "list_dials" }]);
  const may = (text: string, options: Omit<ConstraintOptions, "tools"> = {}) =>
    accepts(exportConstraint(hermes, { tools: dials, ...options }).parts, text);

  test("tool choices", () => {
    const rows = ["", "Nothing to do.", call, `Reading.\n${call}`, two, hermes.renderCall({ name: "list_dials" })];
    const table = (["auto", "required", "none", { name: "list_dials" }] as const).map((toolChoice) =>
      rows.map((text) => may(text, { toolChoice })),
    );
    expect(table).toEqual([
      [true, true, true, true, true, true],
      [false, false, true, false, true, true],
      [true, true, false, false, false, false],
      [false, false, false, false, false, true],
    ]);
    expect(may(two, { parallel: false })).toBe(false);
    expect(may(call, { parallel: false })).toBe(true);
  });

  test("code in prose is closed before a call, or left out", () => {
    const fenced = `So:\n\`\`\`js\nf();\n\`\`\`\nNow.\n${call}`;
    expect([may(fenced), may(fenced, { prose: "no-code" })]).toEqual([true, false]);
    const open = `So:\n\`\`\`js\nf();\n${call}`;
    expect([may(open), may("a ` b"), may("a `b` c")]).toEqual([false, false, true]);
    const turn = `It begins with \`[INST]\`.\n${call}`;
    expect([may(turn), may(turn.replaceAll("`", ""))]).toEqual([true, false]);
    expect(parse(turn, { format: hermes, tools: dials }).calls).toHaveLength(1);
  });

  test("thoughts are none, closed by the message, or optional", () => {
    const thought = `<think>Which dial?</think>\n\n${call}`;
    const rest = "Which dial?\n</think>\n\nIt is said.";
    expect([thought, call, rest].map((text) => may(text))).toEqual([false, true, false]);
    expect([thought, call, rest].map((text) => may(text, { reasoning: "may" }))).toEqual([true, true, false]);
    expect([thought, call, rest].map((text) => may(text, { reasoning: "prefilled" }))).toEqual([false, false, true]);
    const { parseOptions } = exportConstraint(hermes, { tools: dials, reasoning: "prefilled" });
    expect(parseOptions).toEqual({ prefill: "<think>" });
    expect(parse(rest, { format: hermes, tools: dials, ...parseOptions }).reasoning).toBe("Which dial?\n");
    const none = exportConstraint(formats.get("phi4mini"), { tools: dials, reasoning: "may" });
    expect(none.notes.map(({ code }) => code)).toContain("no-reasoning");
  });

  test("a stop token at the end may be missing, since servers keep it", () => {
    const harmony = formats.get("harmony");
    const { parts } = exportConstraint(harmony, { tools: dials, toolChoice: "required" });
    const text = harmony.renderCall({ name: "list_dials" });
    expect([text, text.replace("<|call|>", "")].map((one) => accepts(parts, one))).toEqual([true, true]);
  });

  test("fallback formats need the signal that a tool is wanted", () => {
    const { parseOptions } = exportConstraint(formats.get("strict_json"), { tools: dials });
    expect(parseOptions).toEqual({ intent: true });
  });
});

describe("what engines are given", () => {
  test("JSON that the engine's own converter says right is left to it", () => {
    const parameters = closed({ dial: { type: "string" } }, ["dial"]);
    const tools = [{ name: "read_dial", parameters }];
    const options = { tools, toolChoice: "required", order: "declared", guard: "closer" } as const;
    const tag = {
      type: "tag",
      begin: '<tool_call>\n{"name": "read_dial", "arguments": ',
      content: { type: "json_schema", json_schema: parameters },
      end: "}\n</tool_call>",
    };
    expect(exportConstraint(hermes, options).structuralTag()).toEqual({
      type: "structural_tag",
      format: {
        type: "tags_with_separator",
        tags: [tag],
        separator: "\n",
        at_least_one: true,
        stop_after_first: false,
      },
    });
    const other = exportConstraint(hermes, { ...options, guard: "markers" }).structuralTag();
    expect(other.format.type).toBe("grammar");
  });

  test("a lazy grammar begins with what triggers it", () => {
    for (const format of formats) {
      const { lazy } = exportConstraint(format, { tools: dials }).gbnf();
      if (lazy === undefined) continue;
      const parts = readGrammar(lazy.grammar);
      const text = format.renderCall({ name: "read_dial", arguments: { dial: "north" } }).trimStart();
      const starts = lazy.triggers.map(({ value }) => text.indexOf(value)).filter((at) => at >= 0);
      expect(starts.length, format.id).toBeGreaterThan(0);
      expect(accepts(parts, text.slice(Math.min(...starts))), format.id).toBe(true);
    }
    const required = exportConstraint(hermes, { tools: dials, toolChoice: "required" }).gbnf();
    expect(required.lazy).toBeUndefined();
    const { lazy, preservedTokens } = exportConstraint(hermes, { tools: dials }).gbnf();
    expect(lazy?.triggers).toEqual([{ type: "word", value: "<tool_call>" }]);
    expect(preservedTokens).toContain("</tool_call>");
    expect(exportConstraint(formats.get("pythonic"), { tools: dials }).gbnf().lazy).toBeUndefined();
  });

  test("a hundred tools are built in less than 100 ms", () => {
    const make = () =>
      Array.from({ length: 100 }, (_, at) => ({
        name: `tool_${at}`,
        parameters: closed(
          { city: { type: "string" }, days: { type: "integer" }, tags: { type: "array", items: { type: "string" } } },
          ["city"],
        ),
      }));
    const build = () => exportConstraint(hermes, { tools: make() });
    // What the processor spent, not the clock: other programs run too. The first runs are compiled meanwhile.
    const spent = Array.from({ length: 8 }, () => {
      const before = process.cpuUsage();
      build();
      return process.cpuUsage(before).user / 1000;
    });
    expect(Math.min(...spent)).toBeLessThan(100);
  });
});

describe("misuse", () => {
  test("says what to do", () => {
    const given = (options: object) => () =>
      exportConstraint(hermes, { tools: dials, ...options } as ConstraintOptions);
    expect(() => exportConstraint("hermes" as never, { tools: dials })).toThrow("the format must be a value");
    expect(given({ toolchoice: "auto" })).toThrow(
      'exportConstraint() has no option "toolchoice": did you mean "toolChoice"?',
    );
    expect(given({ toolChoice: "any" })).toThrow('toolChoice, where it is no { name }, cannot be "any"');
    expect(given({ toolChoice: { name: "read_dail" } })).toThrow('(did you mean "read_dial"?)');
    expect(given({ order: "sorted" })).toThrow('order cannot be "sorted"; use one of: "any", "declared"');
    const nested = closed({ "a b": { type: "string" } }, ["a b"]);
    const pythonic = formats.get("pythonic");
    const tools = [{ name: "f", parameters: nested }];
    expect(() => exportConstraint(pythonic, { tools, toolChoice: "required" })).toThrow(
      "can carry no call of these tools",
    );
  });
});

describe("toolpeg export", () => {
  test("prints the constraint; notes go to standard error", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolpeg-export-"));
    try {
      const file = join(folder, "tools.json");
      writeFileSync(file, JSON.stringify(dials));
      const run = (...args: string[]) => runCommand(["export", "-f", "hermes", "-t", file, ...args], engine as never);
      const constraint = (options: object = {}) => exportConstraint(hermes, { tools: dials, ...options });
      const tag = await run();
      expect(tag).toMatchObject({ status: 0, out: `${JSON.stringify(constraint().structuralTag())}\n` });
      const gbnf = await run("--as", "gbnf", "--tool-choice", "list_dials", "--no-parallel");
      expect(gbnf.out).toBe(constraint({ toolChoice: { name: "list_dials" } }).gbnf().grammar);
      expect((await run("--as", "gbnf", "--lazy")).out).toBe(constraint().gbnf().lazy?.grammar);
      expect((await run("--as", "lark", "--prose", "no-code")).out).toBe(constraint({ prose: "no-code" }).lark());
      const all = JSON.parse((await run("--as", "gbnf", "--json", "--reasoning", "prefilled")).out);
      expect(Object.keys(all)).toEqual(["exact", "notes", "parseOptions", "grammar", "lazy", "preservedTokens"]);
      writeFileSync(
        file,
        '[{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}}}]',
      );
      const open = await run();
      expect(open.status).toBe(1);
      expect(open.err).toContain("free-keys f: only the declared keys may be written");
      expect(await run("--tool-choice", "g")).toMatchObject({ status: 2, out: "" });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
