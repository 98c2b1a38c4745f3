/** Every family is a format with what it asks for, and `toolpeg new` begins one with its cases. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkGrammar, compileGrammar, draftGrammar, formatGrammarError, shippedFamilies } from "toolpeg/compiler";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as engine from "../src/index.ts";
import { checkCase, checkStanding, readCorpus } from "../src/testing/index.ts";
import { runCommand } from "./support/run-command.ts";

const families = shippedFamilies();
const toolSets = JSON.parse(readFileSync(new URL("../grammars/shared/tools.json", import.meta.url), "utf8"));
const run = (...args: string[]) => runCommand(args, engine);

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toolpeg-new-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(families.map((family) => [family.name, family] as const))("%s", (name, { asks, example }) => {
  const draft = {
    id: "mine",
    family: name,
    header: [],
    example,
    imports: asks.imports,
    rules: asks.rules.map(({ name: rule, body }) => `${rule} = ${body}`),
  };

  test("what it asks for makes a format that reads its example", () => {
    expect(checkGrammar(draftGrammar(draft)).map(formatGrammarError)).toEqual([]);
  });

  test("each rule that it asks for is missed, with what can stand there", () => {
    const [, replaced = ""] = /overrides: (.*)/.exec(draftGrammar(draft)) ?? [];
    for (const { name: rule, body } of asks.rules.filter(({ name }) => !replaced.split(", ").includes(name))) {
      const rules = draft.rules.filter((line) => !line.startsWith(`${rule} =`));
      const [error] = checkGrammar(draftGrammar({ ...draft, rules }), { path: "mine.peggy" });
      expect(`${error?.message}\n${error?.help}`).toContain(rule);
      expect(error?.help).toContain(body);
    }
  });

  test("a format of it keeps what every format keeps", () => {
    const { failures } = checkStanding(compileGrammar(draftGrammar(draft)), [], engine, { timeMax: 350 });
    expect(failures).toEqual([]);
  });

  test("new writes a grammar and cases in its wire, each as its title claims", async () => {
    const begun = await run("new", `my-${name}`, "--family", name, "-o", folder);
    expect(begun.status).toBe(0);
    const grammar = readFileSync(join(folder, `my-${name}.peggy`), "utf8");
    const corpus = readFileSync(join(folder, `my-${name}.corpus.txt`), "utf8");
    const cases = readCorpus(corpus, "the corpus", { toolSets });
    // A message that is a call and nothing else has no prose, no second call and no next turn.
    expect(cases.length).toBeGreaterThanOrEqual(name === "whole-message" ? 14 : 20);
    const format = compileGrammar(grammar);
    for (const one of cases) checkCase(one, engine, { format, cutsMax: 1, randomPartitions: 1 });
    for (const part of ["a call in a fence is quoted", "a tool that is not offered is no call", "one call"]) {
      expect(cases.map(({ title }) => title)).toContain(part);
    }
  });
});

test("where nothing closes a call, no closer of it is missing", () => {
  const grammar = draftGrammar({
    id: "unclosed",
    family: "name-in-tag",
    header: [],
    example: '<to>read_dial\n<with>{"dial": "north"}',
    imports: [],
    rules: ['OPEN = "<to>"', 'CLOSE = !""', 'head = OPEN Name ws "<with>"', "Name = [a-z_]+"],
  });
  expect(checkGrammar(grammar).map(formatGrammarError)).toEqual([]);
  const tools = [{ name: "read_dial", parameters: { type: "object", properties: { dial: { type: "string" } } } }];
  const text = '<to>read_dial\n<with>{"dial": "north"}\n<to>read_dial\n<with>{"dial": "south"}';
  const { calls, rejected } = engine.parse(text, { format: compileGrammar(grammar), tools });
  expect(calls.map(({ arguments: given, repairs }) => [given.dial, repairs.length])).toEqual([
    ["north", 0],
    ["south", 0],
  ]);
  expect(rejected).toEqual([]);
});

test("an opener that begins with a bracket is no second value", () => {
  const grammar = draftGrammar({
    id: "bracketed",
    family: "json-after-marker",
    header: [],
    example: '[do]{"name": "read_dial", "arguments": {"dial": "north"}}',
    imports: [],
    rules: ['OPEN = "[do]"'],
  });
  const tools = [{ name: "read_dial", parameters: { type: "object", properties: { dial: { type: "string" } } } }];
  const call = (dial: string) => `[do]{"name": "read_dial", "arguments": {"dial": "${dial}"}}`;
  const { calls, rejected } = engine.parse(`${call("north")}\n${call("south")}`, {
    format: compileGrammar(grammar),
    tools,
  });
  expect(calls.map(({ arguments: given }) => given.dial)).toEqual(["north", "south"]);
  expect(rejected).toEqual([]);
});

test("a closer of a call in square brackets may be missing before that of its section", () => {
  const grammar = draftGrammar({
    id: "sectioned",
    family: "name-then-json",
    header: [],
    example: '[calls][call]read_dial[with]{"dial": "north"}[/call][/calls]',
    imports: [],
    rules: Object.entries({
      SECTION_OPEN: "[calls]",
      SECTION_CLOSE: "[/calls]",
      CALL_OPEN: "[call]",
      SEPARATOR: "[with]",
    })
      .map(([rule, text]) => `${rule} = "${text}"`)
      .concat('CALL_CLOSE = "[/call]"'),
  });
  const tools = [{ name: "read_dial", parameters: { type: "object", properties: { dial: { type: "string" } } } }];
  const call = (dial: string) => `[call]read_dial[with]{"dial": "${dial}"}`;
  const { calls, rejected, content } = engine.parse(`[calls]${call("north")}${call("east")}[/call] so [/calls]`, {
    format: compileGrammar(grammar),
    tools,
  });
  expect(calls.map(({ arguments: given, repairs }) => [given.dial, repairs.map(({ kind }) => kind).join()])).toEqual([
    ["north", "missing-close-marker"],
    ["east", ""],
  ]);
  expect([content.trim(), rejected]).toEqual(["so", []]);
});

describe("new", () => {
  const begin = async (id: string, ...flags: string[]) => {
    const made = await run("new", id, "-o", folder, ...flags);
    const read = (ending: string) => readFileSync(join(folder, `${id}${ending}`), "utf8");
    return {
      ...made,
      grammar: made.status === 0 ? read(".peggy") : "",
      corpus: made.status === 0 ? read(".corpus.txt") : "",
    };
  };

  test("takes markers, other literals of the family, and the keys of the payload", async () => {
    const pairs = await begin(
      "pairs",
      ...["--family", "key-value-tags", "--open", "[tool]", "--close", "[/tool]"],
      ...["--define", "keyOpen=[key]", "--define", "keyClose=[/key]"],
    );
    expect(pairs.err).toBe("");
    expect(pairs.grammar).toContain("// overrides: keyOpen, keyClose\n");
    expect(pairs.grammar).toContain('callOpen  = "[tool]"\n');
    expect(pairs.corpus).toContain("|[tool]read_dial\n|[key]dial[/key]\n|<arg_value>north</arg_value>\n|[/tool]\n");
    const keyed = await begin("keyed", "--open", "@(", "--close", ")@", "--keys", "name = tool; arguments = input");
    expect(keyed.corpus).toContain('{"tool": "read_dial", "input": {"dial": "north"}}');
    const open = await begin("open", "--family", "calls-in-markers", "--open", "<<function>>", "--close", "");
    expect(open.grammar).toContain('CLOSE = !""\n');
    expect(open.corpus).toContain('|<<function>>[read_dial(dial="north")]\n');
    const named = await begin("named", "--family", "json-after-marker");
    expect(named.grammar).toContain('OPEN = "<named_call>"');
  });

  test("takes rules as expressions, rules of its own, and shows what they make of a call", async () => {
    const acting = ["--define", 'head=OPEN by Name "\\">"', "--rule", 'by = ("do" / "as") "=\\""'];
    const actor = await begin("actor", "--family", "name-in-tag", "--open", "<act ", "--close", "</act>", ...acting);
    expect(actor.err).toBe("");
    expect(actor.grammar).toContain('//   <act do="read_dial">{"dial": "north"}</act><act do="list_dials">{}</act>\n');
    expect(actor.grammar).toContain('head  = OPEN by Name "\\">"\n');
    expect(actor.grammar).toContain('by    = ("do" / "as") "=\\""\n');
    expect(actor.corpus).toContain('|<act do="read_dial">{"dial": "north"}</act>\n');
    const imports = 'import { Call_sure } from "toolpeg/shared/calls.peggy"';
    const lined = ["--define", "body=(Call_sure semicolon)+", "--rule", 'semicolon = ";" ws', "--rule", imports];
    const shown = join(folder, "lined.txt");
    writeFileSync(shown, '<go>\nread_dial(dial="north", times=2, loud=True);\nlist_dials();\n</go>\n');
    const family = ["--family", "bare-calls-in-markers", "--open", "<go>", "--close", "</go>", "--example", shown];
    const separated = await begin("separated", ...family, ...lined);
    expect(separated.grammar).toContain("// overrides: body\n");
    expect(separated.corpus).toContain('|read_dial(dial="north");\n');
  });

  test("an empty marker is none where nothing closes a call, and refused where a family needs it", async () => {
    const unclosed = await begin("unclosed", "--family", "name-in-tag", "--open", "<go=", "--close", "");
    expect(unclosed.grammar).toContain('CLOSE = !""\n');
    const empty = await begin("empty", "--family", "key-value-tags", "--define", "valueOpen=");
    expect([empty.status, empty.out]).toEqual([2, ""]);
    expect(empty.err).toMatch(
      /^toolpeg: the family key-value-tags does not do without valueOpen\nhelp: give it a text/,
    );
    for (const close of ["]]", "}", "]x", '"""']) {
      const more = await begin("more", "--open", "[[", "--close", close);
      expect([more.status, more.out]).toEqual([2, ""]);
      expect(more.err).toContain(`json-in-tags does not take the closer ${close}: behind a value, JSON may go on so`);
    }
    expect((await begin("c", "--rule", "body")).err).toContain("write --rule 'name = expression', on one line");
    expect((await begin("c", "--rule", 'body = "x"')).err).toContain("write --define 'body=\"x\"'");
  });

  test("shows what the model writes, where a file has it", async () => {
    const reply = join(folder, "reply.txt");
    writeFileSync(reply, '<t>{"name":"read_dial","arguments":{"dial":"north"}}</t>\n');
    const { grammar, corpus } = await begin("spaced", "--open", "<t>", "--close", "</t>", "--example", reply);
    expect(grammar).toContain('//   <t>{"name":"read_dial","arguments":{"dial":"north"}}</t>\n');
    expect(corpus).toContain('|<t>{"name":"read_dial","arguments":{"dial":"north"}}</t>');
  });

  test("says what to do about a family, a marker or an example that is none", async () => {
    expect((await begin("a", "--family", "key-value-tag")).err).toContain("did you mean key-value-tags?");
    expect((await begin("a", "--family", "sorcery")).err).toContain(
      "the families are bare-calls-in-markers, calls-in-markers, ",
    );
    expect((await begin("a", "--family", "invoke-tags", "--open", "<x>")).err).toContain(
      "has no rule for --open\nhelp: it asks for wrapperName: write --define wrapperName=",
    );
    expect((await begin("a", "--family", "key-value-tags", "--define", "keyopen=<k>")).err).toContain(
      "did you mean keyOpen?",
    );
    expect((await begin("a", "--define", "CLOSE")).err).toContain("write --define RULE=TEXT");
    writeFileSync(join(folder, "other.txt"), "not a call\n");
    const other = await begin("b", "--example", join(folder, "other.txt"));
    expect(other.status).toBe(3);
    expect(other.err).toContain("the example in the header is not read as a call: no opener stands in it");
    expect(other.out).toContain("--write  writes cases beside it");
  });

  test("what does not hold of the format is said, and left out; check --write begins a corpus too", async () => {
    const { err, corpus } = await begin("alone", "--family", "whole-message");
    expect(err).toContain(
      "note: left out, since it does not hold of this format: prose, then a call\n      found: no call, not-alone\n",
    );
    const file = join(folder, "alone.peggy");
    rmSync(join(folder, "alone.corpus.txt"));
    expect((await run("check", "--no-properties", file)).out).toContain("no corpus beside it (--write begins one)");
    const written = await run("check", "--no-properties", "--write", file);
    expect(written).toMatchObject({ status: 0 });
    expect(readFileSync(join(folder, "alone.corpus.txt"), "utf8")).toBe(corpus);
  });
});
