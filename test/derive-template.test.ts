/** How calls are written is learnt from a grammar and one example, whatever family the grammar is of. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../scripts/entries.ts";
import { compileLinked } from "../src/compiler/emit/write-module.ts";
import { linkGrammar } from "../src/compiler/parse/link-grammar.ts";
import { defineFormat } from "../src/formats/define-format.ts";
import type { Format } from "../src/formats/format.ts";
import { RenderError } from "../src/rendering/render-error.ts";

const imports = (rules: string) => `
import { Cut${/\btoolName\b/.test(rules) ? ", toolName" : ""} } from "shared/primitives.peggy"
${/\bws\b/.test(rules) ? 'import { ws } from "shared/json.peggy"' : ""}

Block = Call
`;

/** Compiles a grammar in memory, as a user's own would be. */
function formatOf(example: string, rules: string, header = ""): Format {
  const block = (text: string) => text.split("\n").map((line) => `//   ${line}\n`);
  const text = `// Test\n//\n// format: test\n${header}// example:\n${block(example).join("")}${imports(rules)}${rules}`;
  const load = (path: string) => readFileSync(join(projectRoot, path), "utf8");
  return defineFormat(compileLinked(linkGrammar({ path: "grammars/test.peggy", text }, load)));
}

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

const families: [string, Format, string][] = [
  [
    "keys and values as pairs of tags",
    formatOf("<tool_call>read_dial\n<arg_key>dial</arg_key>\n<arg_value>north</arg_value>\n</tool_call>", pairs),
    "<tool_call>read_dial\n<arg_key>dial</arg_key>\n<arg_value>north</arg_value>\n" +
      "<arg_key>times</arg_key>\n<arg_value>2</arg_value>\n</tool_call>\n<tool_call>list_dials\n</tool_call>",
  ],
  [
    "keys and values as pairs of tags on one line",
    formatOf("<tool_call>read_dial<arg_key>dial</arg_key><arg_value>north</arg_value></tool_call>", pairs),
    "<tool_call>read_dial<arg_key>dial</arg_key><arg_value>north</arg_value>" +
      "<arg_key>times</arg_key><arg_value>2</arg_value></tool_call><tool_call>list_dials</tool_call>",
  ],
  [
    "an attribute that says what is text",
    formatOf('<invoke name="read_dial">\n<parameter name="dial" string="true">north</parameter>\n</invoke>', flagged),
    '<invoke name="read_dial">\n<parameter name="dial" string="true">north</parameter>\n' +
      '<parameter name="times" string="false">2</parameter>\n</invoke>\n<invoke name="list_dials">\n</invoke>',
  ],
  [
    "an attribute that names the type, and a counter",
    formatOf(
      '<|open|>call tool="read_dial" index="1"<|sep|><|open|>argument key="dial" type="string"<|sep|>north' +
        "<|close|>argument<|sep|><|close|>call<|sep|>",
      kinds,
    ),
    '<|open|>call tool="read_dial" index="1"<|sep|><|open|>argument key="dial" type="string"<|sep|>north' +
      '<|close|>argument<|sep|><|open|>argument key="times" type="number"<|sep|>2<|close|>argument<|sep|>' +
      '<|close|>call<|sep|><|open|>call tool="list_dials" index="2"<|sep|><|close|>call<|sep|>',
  ],
  [
    "a map with its own quotes",
    formatOf('<|call>read_dial{dial:<|"|>north<|"|>}<call|>', maps),
    '<|call>read_dial{dial:<|"|>north<|"|>,times:2}<call|><|call>list_dials{}<call|>',
  ],
  [
    "tags with character references",
    formatOf('<function name="read_dial"><param name="dial">north</param></function>', escaped),
    '<function name="read_dial"><param name="dial">north</param><param name="times">2</param></function>' +
      '<function name="list_dials"></function>',
  ],
  [
    "tags that are the names",
    formatOf("<read_dial>\n<dial>north</dial>\n</read_dial>", tags),
    "<read_dial>\n<dial>north</dial>\n<times>2</times>\n</read_dial>\n<list_dials>\n</list_dials>",
  ],
];

describe.each(families)("%s", (_title, format, expected) => {
  test("are written as the example shows", () => {
    const calls = [
      { name: "read_dial", arguments: { dial: "north", times: 2 } },
      { name: "list_dials", arguments: {} },
    ];
    expect(format.renderCalls(calls)).toBe(expected);
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
  const format = families[5][1];
  expect(format.renderCall({ name: "write", arguments: { text: "</param> & <b>" } })).toContain(
    "&lt;/param&gt; &amp; &lt;b&gt;",
  );
});

test("an example from which nothing can be learnt gives no template", () => {
  const format = formatOf("nothing to see", pairs);
  expect(format.template).toBe(undefined);
  expect(() => format.renderCall({ name: "f" })).toThrow(RenderError);
});
