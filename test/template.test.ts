/** `toolpeg/template`: what a model's own chat template writes, and who reads it. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectRoot } from "../scripts/entries.ts";
import { compileGrammar } from "../src/compiler/index.ts";
import * as engine from "../src/index.ts";
import {
  formatForTemplate,
  formatOfTemplate,
  grammarFromTemplate,
  readGgufTemplate,
  readTemplateFile,
} from "../src/template/index.ts";
import { rendererOf } from "../src/template/render.ts";
import { templateSourceOf } from "../src/template/template-source.ts";
import { runCommand } from "./support/run-command.ts";

const run = (...args: string[]) => runCommand(args, engine);

const own = (name: string) => readFileSync(join(projectRoot, "test/templates", `${name}.jinja`), "utf8");
const sourceOf = (name: string) => ({ chat_template: own(name), bos_token: "<s>", eos_token: { content: "</s>" } });

/** Our own templates, and what each is for: the format, and what the prompt opens. */
const expected: Record<string, { format?: string; prefill?: string }> = {
  command_r: { format: "command_r" },
  deepseek_v3: { format: "deepseek_v3", prefill: "<think>\n" },
  dsml_v32: { format: "dsml_v32" },
  errors: {},
  gemma4: { format: "gemma4" },
  glm47: { format: "glm47", prefill: "<think>" },
  hermes: { format: "hermes" },
  kimi_k2: { format: "kimi_k2" },
  lfm2: { format: "lfm2" },
  llama3_json: { format: "llama3" },
  minimax_m2: { format: "minimax_m2" },
  mistral_array: { format: "mistral_array" },
  "no-calls": {},
  qwen3_coder: { format: "qwen3_coder" },
  "unknown-group": {},
  "unknown-lossy": {},
};

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toolpeg-template-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("formatForTemplate", () => {
  test("every template of ours is asked", () => {
    const files = readdirSync(join(projectRoot, "test/templates")).map((file) => file.replace(/\.jinja$/, ""));
    expect(files.sort()).toEqual(Object.keys(expected).sort());
  });

  // Each asks all formats: `TOOLPEG_DEEP=1` takes all templates, else every second.
  const asked = Object.entries(expected).filter((_, at) => process.env.TOOLPEG_DEEP !== undefined || at % 2 === 0);
  test.each(asked)("%s: its format and what its prompt opens", async (name, { format, prefill }) => {
    const match = await formatForTemplate(sourceOf(name));
    expect({ format: match.format, prefill: match.prefill }).toEqual({ format, prefill });
    // A format that reads something else than what was written would run what was not asked for.
    const wrong = match.formats.flatMap(({ unread }) => unread).filter(({ problem }) => problem.startsWith("reads "));
    expect(wrong).toEqual([]);
  });

  test("the format that writes the same bytes comes first", async () => {
    const { formats } = await formatForTemplate(own("hermes"));
    expect(formats[0]).toMatchObject({ id: "hermes", read: 11, of: 11, exact: true });
    expect(formats.map(({ id }) => id)).toContain("rwkv");
  });

  test("notes say what is peculiar", async () => {
    const notes = async (name: string) => (await formatForTemplate(sourceOf(name))).notes.join("\n");
    expect(await notes("deepseek_v3")).toMatch(/arguments have to be given as JSON text.*\n.*`content` is null/);
    expect(await notes("kimi_k2")).toContain("taken from its id");
    expect(await notes("llama3_json")).toContain("does not write: several calls");
    expect(await notes("errors")).toContain('it says "only users speak here"');
    expect(await notes("unknown-lossy")).toContain("no format reads a call of it");
  });

  test("a text that is no template is a note, no exception", async () => {
    const { formats, notes } = await formatForTemplate("{% for x in %}");
    expect(formats).toEqual([]);
    expect(notes[0]).toMatch(/^the template is not understood: /);
  });

  test("a source without a template is misuse", async () => {
    await expect(formatForTemplate({})).rejects.toThrow(/there is no chat template/);
    await expect(formatForTemplate("  ")).rejects.toThrow(TypeError);
    await expect(formatForTemplate(3 as never)).rejects.toThrow(TypeError);
  });

  test("an option that is missing, misspelt or cannot be is misuse", async () => {
    const made = (options: unknown) => expect(grammarFromTemplate("x", options as never)).rejects;
    await made(undefined).toThrow("grammarFromTemplate() takes its options as an object, { id }");
    await made({}).toThrow("grammarFromTemplate() needs options.id");
    await made({ idd: "x" }).toThrow('did you mean "id"?');
    await made({ id: "My X" }).toThrow('options.id cannot be "My X": an id is one lower-case word');
    await expect(formatForTemplate("x", { format: [] } as never)).rejects.toThrow('did you mean "formats"?');
    await expect(formatForTemplate("x", { formats: 3 } as never)).rejects.toThrow("options.formats must be a list");
  });

  test("of several templates, the one for tools is taken", async () => {
    const chat_template = [
      { name: "default", template: own("no-calls") },
      { name: "rag", template: own("errors") },
      { name: "tool_use", template: own("kimi_k2") },
    ];
    expect((await formatForTemplate({ chat_template })).format).toBe("kimi_k2");
    const { format, notes } = await formatForTemplate({
      chat_template: { default: own("hermes"), tool_use: own("errors") },
    });
    expect(format).toBe("hermes");
    expect(notes.join("\n")).toContain('the template "tool_use" writes no calls');
  });

  test("formats that are given are the only ones asked", async () => {
    const others = [...engine.formats].filter(({ id }) => id !== "hermes");
    const { formats } = await formatForTemplate(own("hermes"), { formats: others });
    expect(formats.map(({ id }) => id)).not.toContain("hermes");
    expect(formats.length).toBeGreaterThan(0);
  });
});

describe("grammarFromTemplate", () => {
  const made = Object.entries(expected).filter(([, { format }]) => format !== undefined);

  // `TOOLPEG_DEEP=1`: the command checks every grammar, else one in three; the others are compiled.
  const isChecked = (at: number) => process.env.TOOLPEG_DEEP !== undefined || at % 3 === 0;

  test.each([...made.map(([name]) => name), "unknown-group"].map((name, at) => [name, at] as const))(
    "%s: made without its format, checked by the command",
    async (name, at) => {
      const result = await grammarFromTemplate(
        { ...sourceOf(name), name_or_path: "somebody/a-model" },
        { id: "made_one" },
      );
      if (!("grammar" in result)) throw new Error(result.notes.join("\n"));
      const { grammar, corpus, notes } = result;
      expect(grammar).toContain("// models:    somebody/a-model\n");
      const unread = notes.filter((note) => note.includes("is not read"));
      // The token that ends a string cannot stand in one.
      expect(unread.map((note) => note.split(" ")[0])).toEqual(name === "gemma4" ? ['"markers"'] : []);
      if (!isChecked(at)) {
        expect(compileGrammar(grammar).id).toBe("made_one");
        return;
      }
      writeFileSync(join(folder, "made_one.peggy"), grammar);
      writeFileSync(join(folder, "made_one.corpus.txt"), corpus);
      const ended = await run("check", "--no-properties", join(folder, "made_one.peggy"));
      expect(ended.err).toBe("");
      expect(ended.out).toMatch(/compiles; (\d+) of \1 cases hold/);
      expect(ended.status).toBe(0);
    },
  );

  test("a made format reads replies that no template wrote, and refuses damage", async () => {
    const result = await grammarFromTemplate(sourceOf("unknown-group"), { id: "quay" });
    if (!("grammar" in result)) throw new Error(result.notes.join("\n"));
    const format = compileGrammar(result.grammar);
    expect(format).toMatchObject({
      id: "quay",
      stop: ["<|over|>", "</s>"],
      reasoning: [{ open: "<|muse|>", close: "<|/muse|>" }],
    });
    const tools = [{ name: "read_dial", parameters: { type: "object", properties: { dial: { type: "string" } } } }];
    const text =
      '<|muse|>hm<|/muse|>So: <|quay|>\n<|berth|>read_dial<|cargo|>{"dial": "north"}<|/berth|><|/quay|><|over|>';
    const { calls, content, reasoning, rejected } = engine.parse(text, { format, tools });
    expect(calls.map(({ name, arguments: args }) => [name, args])).toEqual([["read_dial", { dial: "north" }]]);
    expect({ content, reasoning, rejected }).toEqual({ content: "So: ", reasoning: "hm", rejected: [] });
    const cut = engine.parse(text.slice(0, text.indexOf("north") + 3), { format, tools });
    expect(cut.calls).toEqual([]);
    expect(cut.rejected.map(({ reason }) => reason)).toEqual(["truncated"]);
  });

  test("what cannot be found out is said", async () => {
    for (const name of ["unknown-lossy", "no-calls", "errors"]) {
      const result = await grammarFromTemplate(sourceOf(name), { id: "made_one" });
      expect(result).not.toHaveProperty("grammar");
      expect(result.notes.length).toBeGreaterThan(0);
    }
  });

  test("response_template says what encloses thoughts that the template leaves out; its expressions are not run", async () => {
    const chat_template = own("minimax_m2");
    const thinking = { open: "<muse>", close: "</muse>" };
    const hinted = await grammarFromTemplate(
      { chat_template, response_template: { fields: { thinking, content: { "x-regex": "(a+)+$" } } } },
      { id: "made_one" },
    );
    expect(hinted).toHaveProperty("grammar", expect.stringContaining("// reasoning: <muse> </muse>\n"));
    const expression = { fields: { thinking: { open: "(<muse>)+", close: "</muse>" } } };
    expect(templateSourceOf({ chat_template, response_template: expression }).thoughts).toBeUndefined();
  });
});

describe("formatOfTemplate", () => {
  test("a format of the package, or one that is made", async () => {
    const known = await formatOfTemplate(own("glm47"));
    expect(known).toMatchObject({ format: { id: "glm47" }, readBy: ["glm47", "glm45"], prefill: "<think>" });
    expect(known).not.toHaveProperty("grammar");
    const made = await formatOfTemplate(own("unknown-group"));
    expect(made).toMatchObject({
      format: { id: "from_template" },
      readBy: [],
      grammar: expect.stringContaining("<|quay|>"),
    });
    await expect(formatOfTemplate(own("unknown-lossy"))).rejects.toThrow(/no format reads a call of it/);
    await expect(formatOfTemplate(own("no-calls"))).rejects.toThrow("the template writes no calls");
  });
});

describe("the interpreter", () => {
  const renders = async (text: string, messages: Record<string, unknown>[] = []) => {
    const faults = new Set<string>();
    const render = await rendererOf({ name: undefined, text }, { bosToken: "", eosToken: "" }, faults);
    return render(messages) ?? [...faults].join();
  };

  test.each([
    ["{{ true }} {{ none }} {{ 1.5 }}", "True None 1.5"],
    ["{{ {'a': [true, none, 'b']} }}", "{'a': [True, None, 'b']}"],
    ["{{ 'x' ~ false ~ missing }}", "xFalse"],
    ["{{ '%s=%s' | format('a', 3) }}", "a=3"],
    ["{{ [3, 1, 2] | min }}{{ [3, 1, 2] | max }}", "13"],
    ["{%- set l = [1] %}{% set _ = l.append(2) %}{{ l.pop(0) }}{{ l }}", "1[2]"],
    ["{%- for c in 'ab' %}{{ c }}.{% endfor %}", "a.b."],
    ["{{ dict(a=1, b='c') | tojson }}", '{"a": 1, "b": "c"}'],
    ["{%- for k, v in {512: 'a', 1024: 'b'} | dictsort %}{% if 600 <= k %}{{ v }}{% endif %}{% endfor %}", "b"],
  ])("%s prints as the reference engine does", async (text, printed) => {
    expect(await renders(text)).toBe(printed);
  });
});

describe("files", () => {
  const text = (value: string) => {
    const bytes = Buffer.from(value);
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(bytes.length));
    return Buffer.concat([length, bytes]);
  };
  const number = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const count = (value: number) => Buffer.concat([number(value), number(0)]);
  /** A file with a template, a list of tokens before the ids that point into it, and numbers of several sizes. */
  const gguf = (template: string, tokens = 300) => {
    const entries = [
      [text("general.name"), number(8), text("A model")],
      [text("general.alignment"), number(4), number(32)],
      [text("some.float"), number(12), Buffer.alloc(8)],
      [text("some.flags"), number(9), number(7), count(5), Buffer.alloc(5)],
      [
        text("tokenizer.ggml.tokens"),
        number(9),
        number(8),
        count(tokens),
        ...Array.from({ length: tokens }, (_, n) => text(`<tok${n}>`)),
      ],
      [text("tokenizer.ggml.bos_token_id"), number(4), number(1)],
      [text("tokenizer.ggml.eos_token_id"), number(4), number(tokens - 1)],
      [text("tokenizer.chat_template"), number(8), text(template)],
      [text("tokenizer.chat_template.tool_use"), number(8), text("T")],
    ];
    return Buffer.concat([Buffer.from("GGUF"), number(3), count(0), count(entries.length), ...entries.flat()]);
  };

  test("a GGUF file: template, sub-template, tokens", async () => {
    const path = join(folder, "model.gguf");
    // More tokens than one chunk holds.
    writeFileSync(path, Buffer.concat([gguf(own("hermes"), 100_000), Buffer.alloc(64)]));
    expect(await readGgufTemplate(path)).toEqual({
      chat_template: [
        { name: "default", template: own("hermes") },
        { name: "tool_use", template: "T" },
      ],
      bos_token: "<tok1>",
      eos_token: "<tok99999>",
      name_or_path: "A model",
    });
  });

  test("a damaged one is an error that names the file", async () => {
    const path = join(folder, "cut.gguf");
    const whole = gguf("x");
    for (const bytes of [whole.subarray(0, 200), Buffer.concat([whole.subarray(0, 40), Buffer.alloc(200, 255)])]) {
      writeFileSync(path, bytes);
      await expect(readGgufTemplate(path)).rejects.toThrow(/cut\.gguf.*damaged/);
    }
    writeFileSync(path, "GGML and more of it");
    await expect(readGgufTemplate(path)).rejects.toThrow("is no GGUF file");
    writeFileSync(path, Buffer.concat([Buffer.from("GGUF"), number(1), Buffer.alloc(32)]));
    await expect(readGgufTemplate(path)).rejects.toThrow(/version 1 of GGUF is not read/);
  });

  test("the folder of a model: its own file goes before the configuration", async () => {
    const model = join(folder, "model");
    mkdirSync(join(model, "additional_chat_templates"), { recursive: true });
    writeFileSync(
      join(model, "tokenizer_config.json"),
      `\ufeff${JSON.stringify({ chat_template: "old", eos_token: "</s>" })}`,
    );
    expect(await readTemplateFile(model)).toEqual({ chat_template: "old", eos_token: "</s>" });
    writeFileSync(join(model, "chat_template.jinja"), "new");
    writeFileSync(join(model, "additional_chat_templates", "tool_use.jinja"), "tools");
    expect(await readTemplateFile(model)).toEqual({
      chat_template: [
        { name: "default", template: "new" },
        { name: "tool_use", template: "tools" },
      ],
      eos_token: "</s>",
    });
    mkdirSync(join(folder, "empty"));
    await expect(readTemplateFile(join(folder, "empty"))).rejects.toThrow(/holds no chat_template\.jinja/);
  });
});

describe("the command", () => {
  const file = (name: string) => join(projectRoot, "test/templates", `${name}.jinja`);

  test("detect prints format, prefill, notes and what was written", async () => {
    const { out, err, status } = await run("detect", file("glm47"));
    expect(err).toBe("");
    expect(out).toContain("glm47.jinja  glm47\n");
    expect(out).toMatch(/glm47 +reads 11 of 11 {2}writes the same bytes/);
    expect(out).toContain('prefill  "<think>"');
    expect(out).toContain("<tool_call>find_ferry<arg_key>port</arg_key>");
    expect(status).toBe(0);
  });

  test("detect says by its status what it found", async () => {
    const status = async (name: string) => (await run("detect", file(name))).status;
    expect(await status("no-calls")).toBe(1);
    expect(await status("unknown-group")).toBe(3);
    const missing = await run("detect", join(folder, "nothing.jinja"));
    expect(missing.status).toBe(2);
    expect(missing.err).toMatch(/there is no .*nothing\.jinja\nhelp: name a \*\.jinja file/);
  });

  test("detect --json prints the match", async () => {
    const { out } = await run("detect", file("hermes"), "--json");
    const match = JSON.parse(out);
    expect(match).toMatchObject({ format: "hermes", notes: [] });
    expect(match.formats[0]).toMatchObject({ id: "hermes", exact: true });
  });

  test("new --template writes a grammar that holds", async () => {
    const output = join(folder, "grammars");
    const made = await run("new", "quay", "--template", file("unknown-group"), "-o", output);
    expect(made).toMatchObject({ status: 0 });
    expect(made.err).toContain("note: made as: a group of calls, each a name and JSON");
    expect((await run("check", "--no-properties", join(output, "quay.peggy"))).status).toBe(0);
    const none = await run("new", "lossy", "--template", file("unknown-lossy"), "-o", output);
    expect(none.status).toBe(3);
    expect(readdirSync(output).sort()).toEqual(["quay.corpus.txt", "quay.peggy"]);
  });

  test("parse and explain take --format template:PATH, and what its prompt opens", async () => {
    const reply = join(folder, "reply.txt");
    const tools = join(folder, "tools.json");
    writeFileSync(tools, '[{"name": "read_dial"}]');
    writeFileSync(
      reply,
      "north it is</think><tool_call>read_dial<arg_key>dial</arg_key><arg_value>north</arg_value></tool_call>",
    );
    for (const command of ["parse", "explain"]) {
      const format = `template:${file("glm47")}`;
      const ended = await run(command, reply, "--format", format, "--tools", tools, "--json");
      expect(ended.err).toContain("writes glm47");
      const result = JSON.parse(ended.out);
      expect((result.result ?? result).calls).toMatchObject([{ name: "read_dial", arguments: { dial: "north" } }]);
      expect((result.result ?? result).reasoning).toBe("north it is");
    }
    const group = `template:${file("unknown-group")}`;
    const called = join(folder, "group.jsonl");
    const text = '<|quay|><|berth|>read_dial<|cargo|>{"dial": "north"}<|/berth|><|/quay|>';
    writeFileSync(called, `${JSON.stringify({ text })}\n`);
    const batch = await run("parse", called, "--format", group, "--tools", tools, "--jsonl");
    expect(JSON.parse(batch.out).calls).toMatchObject([{ name: "read_dial", format: "from_template" }]);
    const unread = await run("parse", reply, "--format", `template:${file("no-calls")}`);
    expect(unread.status).toBe(2);
    expect(unread.err).toMatch(/writes no calls\nhelp: toolpeg detect/);
  });
});
