/** How calls are written is copied from the example of a grammar, whatever family the grammar is of. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../scripts/entries.ts";
import { compileLinked } from "../src/compiler/emit/write-module.ts";
import { linkGrammar } from "../src/compiler/parse/link-grammar.ts";
import { checkSamples, checkShown } from "../src/compiler/template/check-samples.ts";
import { defineFormat } from "../src/formats/define-format.ts";
import type { Format } from "../src/formats/format.ts";

import { parse } from "../src/index.ts";
import { RenderError } from "../src/rendering/render-error.ts";

const imports = (rules: string) => `
import { Cut${/\btoolName\b/.test(rules) ? ", toolName" : ""} } from "shared/primitives.peggy"
${/\bws\b/.test(rules) ? 'import { ws } from "shared/json.peggy"' : ""}

Block = Call
`;

/** A grammar in memory, as a user's own would be. */
function linked(example: string, rules: string) {
  const block = example.split("\n").map((line) => `//   ${line}\n`);
  const text = `// Test\n//\n// format: test\n// example:\n${block.join("")}${imports(rules)}${rules}`;
  const load = (path: string) => readFileSync(join(projectRoot, path), "utf8");
  return linkGrammar({ path: "grammars/test.peggy", text }, load);
}

const formatOf = (example: string, rules: string): Format => defineFormat(compileLinked(linked(example, rules)));

const properties = {
  ...{ dial: { type: "string" }, times: { type: "integer" }, loud: { type: "boolean" }, site: { type: "null" } },
  ...{ marks: { type: "array" }, range: { type: "object" } },
};
const tools = [{ name: "read_dial", parameters: { type: "object", properties } }, { name: "list_dials" }];

const pairs = `
OPEN  = "<tool_call>"
Call  = OPEN &[a-z_] Cut Name ws (pair ws)* "</tool_call>"
Name  = [a-z_]+
pair  = "<arg_key>" Key "</arg_key>" ws "<arg_value>" Text "</arg_value>"
Key   = [a-z_]+
Text  = (!"</arg_value>" .)*
`;
const flagged = `
OPEN  = "<invoke "
Call  = OPEN 'name="' Name '">' Cut ws (parameter ws)* "</invoke>"
Name  = [a-z_]+
parameter = '<parameter name="' Key '" string="' (text / json) "</parameter>"
Key   = [a-z_]+
text  = 'true">' Verbatim
json  = 'false">' JsonText
Verbatim = (!"</parameter>" .)*
JsonText = (!"</parameter>" .)*
`;
const kinds = `
OPEN  = "<|open|>"
Call  = OPEN 'call tool="' Name '" index="' [0-9]+ '"<|sep|>' Cut argument* "<|close|>call<|sep|>"
Name  = [a-z_]+
argument = '<|open|>argument key="' Key '" type="' (text / other) "<|close|>argument<|sep|>"
Key   = [a-z_]+
text  = 'string"<|sep|>' Verbatim
other = 'number"<|sep|>' Number / 'boolean"<|sep|>' (True / False) / 'null"<|sep|>' Null
      / 'array"<|sep|>' JsonText / 'object"<|sep|>' JsonText_object
Verbatim = (!"<|close|>" .)*
JsonText = "[" (!"<|close|>" .)*
JsonText_object = "{" (!"<|close|>" .)*
Number = "-"? [0-9]+ ("." [0-9]+)?
True  = "true"
False = "false"
Null  = "null"
`;
const maps = `
OPEN   = "<|call>"
Call   = OPEN &[a-z] Cut Name "{" (member ("," member)*)? "}<call|>"
Name   = [a-z_]+
member = Key ":" value
Key    = [a-z_]+
value  = quoted / Object / Array / Number / True / False / Null
quoted = '<|"|>' Verbatim '<|"|>'
Verbatim = (!'<|"|>' .)*
Object = "{" (member ("," member)*)? "}"
Array  = "[" (value ("," value)*)? "]"
Number = "-"? [0-9]+ ("." [0-9]+)?
True   = "true"
False  = "false"
Null   = "null"
`;
const escaped = `
OPEN  = "<function "
Call  = OPEN 'name="' Name '">' Cut parameter* "</function>"
Name  = [a-z_]+
parameter = '<param name="' Key '">' Text "</param>"
Key   = [a-z_]+
Text  = (Entity / !"</param>" .)*
Entity = "&" [a-z]+ ";"
`;
const tags = `
OPEN  = "<" toolName ">"
Call  = "<" BindTool ">" Cut ws (member ws)* "</" sameTool ">"
BindTool = Name
Name  = toolName
sameTool = ""
member = "<" BindKey ">" Text "</" sameKey ">"
BindKey = Key
Key   = [a-z_]+
sameKey = ""
Text  = (!("</" sameKey ">") .)*
`;

const families: [title: string, rules: string, example: string][] = [
  [
    "keys and values as pairs of tags",
    pairs,
    "<tool_call>read_dial\n<arg_key>dial</arg_key>\n<arg_value>north</arg_value>\n" +
      "<arg_key>times</arg_key>\n<arg_value>2</arg_value>\n</tool_call>\n<tool_call>list_dials\n</tool_call>",
  ],
  [
    "keys and values as pairs of tags on one line",
    pairs,
    "<tool_call>read_dial<arg_key>dial</arg_key><arg_value>north</arg_value>" +
      "<arg_key>times</arg_key><arg_value>2</arg_value></tool_call><tool_call>list_dials</tool_call>",
  ],
  [
    "an attribute that says what is text",
    flagged,
    '<invoke name="read_dial">\n<parameter name="dial" string="true">north</parameter>\n' +
      '<parameter name="times" string="false">2</parameter>\n</invoke>\n<invoke name="list_dials">\n</invoke>',
  ],
  [
    "an attribute that names the type, and a counter",
    kinds,
    `${counted("read_dial", 1, [
      ["dial", "string", "north"],
      ["times", "number", "2"],
      ["loud", "boolean", "true"],
      ["site", "null", "null"],
      ["range", "object", '{"low": 1}'],
      // A list may go on with a further item, so it comes last.
      ["marks", "array", "[1]"],
    ])}${counted("list_dials", 2, [])}`,
  ],
  [
    "a map with its own quotes",
    maps,
    '<|call>read_dial{dial:<|"|>north<|"|>,times:2,loud:true,range:{unit:<|"|>mm<|"|>}}<call|><|call>list_dials{}<call|>',
  ],
  [
    "tags with character references",
    escaped,
    '<function name="read_dial"><param name="dial">north</param><param name="times">2</param></function>' +
      '<function name="list_dials"></function>',
  ],
  [
    "tags that are the names",
    tags,
    "<read_dial>\n<dial>north</dial>\n<times>2</times>\n</read_dial>\n<list_dials>\n</list_dials>",
  ],
];

/** A call that says its number, and the types of its arguments. */
function counted(name: string, index: number, given: [key: string, type: string, value: string][]): string {
  const shown = given.map(
    ([key, type, value]) => `<|open|>argument key="${key}" type="${type}"<|sep|>${value}<|close|>argument<|sep|>`,
  );
  return `<|open|>call tool="${name}" index="${index}"<|sep|>${shown.join("")}<|close|>call<|sep|>`;
}

/** What is said of an example: errors, then warnings. */
function said(example: string, rules = flagged) {
  const grammar = linked(example, rules);
  const data = compileLinked(grammar);
  const errors = [...checkSamples(grammar, data), ...checkShown(grammar, data)];
  return errors.map(({ message, help, line }) => [message, help, line]);
}

describe.each(families)("%s", (_title, rules, example) => {
  const format = formatOf(example, rules);

  test("are written as the example shows", () => {
    const { calls } = parse(example.replaceAll("north", "south"), { format, tools, intent: true });
    expect(calls.map(({ name }) => name)).toEqual(["read_dial", "list_dials"]);
    expect(format.renderCalls(calls)).toBe(example.replaceAll("north", "south"));
  });

  test("nothing is lacking in the example", () => {
    expect(said(example, rules)).toEqual([]);
  });

  test("carry every kind of value", () => {
    const values = { a: "text", b: -0.5, c: true, d: false, e: null, f: [1, ["x"]], g: { k: "v", n: { m: null } } };
    expect(() => format.renderCall({ name: "list", arguments: values })).not.toThrow();
  });

  test("carry or refuse text that is hard to carry", () => {
    const hard = ["a\nb", "\n", " x ", '"', "'", "\\", "</param>", "</parameter>", "<b>", "&amp;", "a & b < c", ""];
    const refused = hard.filter((dial) => {
      try {
        format.renderCall({ name: "read_dial", arguments: { dial } });
        return false;
      } catch (error) {
        if (error instanceof RenderError) return true;
        throw error;
      }
    });
    expect(refused.length).toBeLessThan(hard.length / 3);
  });
});

test("text with character references is escaped where it has to be", () => {
  const [, rules, example] = families[5];
  const text = formatOf(example, rules).renderCall({ name: "write", arguments: { text: "</param> & <b>" } });
  expect(text).toContain("&lt;/param&gt; &amp; &lt;b&gt;");
});

test("the calls of a message are counted, with arguments and without", () => {
  const [, rules, example] = families[3];
  const bare = Array.from({ length: 11 }, () => ({ name: "list_dials", arguments: {} }));
  const text = formatOf(example, rules).renderCalls([{ name: "read_dial", arguments: { dial: "x" } }, ...bare]);
  expect([...text.matchAll(/index="(\d+)"/g)].map(([, index]) => Number(index))).toEqual(
    bare.map((_, at) => at + 1).concat(12),
  );
});

describe("an example that shows too little", () => {
  const [pair, bare] = [
    '<parameter name="dial" string="true">north</parameter>',
    '<invoke name="list_dials"></invoke>',
  ];
  const second = '<parameter name="site" string="true">hill</parameter>';
  const call = (...given: string[]) => `<invoke name="read_dial">${given.join("")}</invoke>`;
  test.each([
    ["no arguments", bare + bare, "the example shows no arguments", /^show a message of two calls/],
    [
      "one argument",
      call(pair) + bare,
      "the example does not show how two arguments of a call are written",
      /second argument/,
    ],
    ["texts alone", call(pair, second) + bare, "the example does not show how a number is written", /that is a number/],
  ])("%s", (_title, example, message, help) => {
    expect(said(example)).toEqual([[message, expect.stringMatching(help), 4]]);
  });

  test("no call without arguments, where it is written in another way", () => {
    const rules = pairs.replace("ws (pair ws)*", '("<args>" pair+ "</args>")?');
    const shown = (key: string, value: string) => `<arg_key>${key}</arg_key><arg_value>${value}</arg_value>`;
    const example = `<tool_call>read_dial<args>${shown("dial", "north")}${shown("times", "2")}</args></tool_call>`;
    expect(said(example, rules)).toEqual([
      ["the example does not show how a call without arguments is written", expect.stringMatching(/such a call/), 4],
      ["the example shows one call, so the format writes one a message", expect.stringMatching(/second call/), 4],
    ]);
    expect(said(`${example}<tool_call>list_dials</tool_call>`, rules)).toEqual([]);
  });
});

test("an example from which nothing can be learnt gives no template", () => {
  const format = formatOf("nothing to see", pairs);
  expect(format.template).toBe(undefined);
  expect(() => format.renderCall({ name: "f" })).toThrow(RenderError);
});
