/** What compiles and would lose something without a word is refused by `checkGrammar`, with what to do about it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../scripts/entries.ts";
import { checkGrammar, compileGrammar, formatGrammarError, grammarWarnings } from "../src/compiler/index.ts";
import { createParser } from "../src/index.ts";
import { grammarIds } from "./support/reference-parsers.ts";
import { isAsked } from "./support/shares.ts";

const example = `// example:\n//   <bell>{"name": "ring", "arguments": {}}</bell><bell>{"name": "stop", "arguments": {}}</bell>\n`;
const markers = 'OPEN  = "<bell>"\nCLOSE = "</bell>"\n';
/** A grammar with more header keys and rules than the one that is fine. */
const bells = (header = "", rules = "", shown = example) =>
  `// Bells\n//\n// format:  bells\n// extends: toolpeg/family/json-in-tags\n${header}//\n${shown}\n${rules}${markers}`;
const problems = (text: string) => checkGrammar(text, { path: "bells.peggy" }).map(formatGrammarError);

test("a grammar that says all that it leaves out is fine", () => {
  expect(problems(bells())).toEqual([]);
  expect(grammarWarnings(bells())).toEqual([]);
});

test("a rule that replaces an inherited one says so", () => {
  expect(problems(bells("", 'payload = "{"\n'))).toMatchInlineSnapshot(`
    [
      "the rule "payload" replaces an inherited one without saying so
      --> bells.peggy:9:1
       |
     9 | payload = "{"
       | ^^^^^^^
    note: this rule is replaced
      --> toolpeg/family/json-in-tags.peggy:29:1
       |
    29 | payload  = [{[] / '"' ws "{"
       | ^^^^^^^
    help: write \`overrides: payload\` into the header if that is meant; otherwise give the rule another name",
    ]
  `);
  expect(problems(bells("// overrides: payload\n", 'payload = "{"\n'))).toEqual([]);
  expect(problems(bells("// overrides: pay_load\n", 'payload = "{"\n'))[1]).toMatchInlineSnapshot(`
    ""pay_load" overrides nothing
     --> bells.peggy:5:4
      |
    5 | // overrides: pay_load
      |    ^^^^^^^^^^^^^^^^^^^
    help: did you mean "payload"? Name rules that this file and what it extends both define."
  `);
});

test("a rule with a capital that means nothing is a misspelt role", () => {
  const rules = 'body = &payload Cut Payloud\nPayloud = Object\nimport { Cut } from "toolpeg/shared/primitives.peggy"';
  const [, ...lines] = rules.split("\n");
  const imports = `${lines[1]}\nimport { Object } from "toolpeg/shared/json.peggy"\n`;
  const found = problems(bells("// overrides: body\n", `${imports}${rules.split("\n").slice(0, 2).join("\n")}\n`));
  expect(found.at(-1)).toMatchInlineSnapshot(`
    ""Payloud" begins with a capital, but no role has that name
      --> bells.peggy:13:1
       |
    13 | Payloud = Object
       | ^^^^^^^
    help: did you mean "Payload"? A rule that means nothing by itself begins in lower case."
  `);
});

const own = (rules: string, header = "") =>
  `// Own\n//\n// format: own\n${header}//\n// example:\n//   <c ring>{}</c>\n\nimport { Cut } from "toolpeg/shared/primitives.peggy"\nimport { Json, ws } from "toolpeg/shared/json.peggy"\n\nOPEN = "<c "\nBlock = Call\n${rules}\nName = [a-z]+\nArguments = Json\n`;

test("a call says on every way which tool it means", () => {
  expect(problems(own('Call = OPEN Cut (Name / "?") ">" ws Arguments "</c>"'))[0]).toMatchInlineSnapshot(`
    "a way through "Call" names no tool
      --> bells.peggy:13:1
       |
    13 | Call = OPEN Cut (Name / "?") ">" ws Arguments "</c>"
       | ^^^^
    help: give every alternative a \`Payload\`, or a \`Name\` with its arguments; a call without either is lost silently"
  `);
  expect(problems(own('Call = OPEN Cut Name ">" ws Arguments "</c>"'))).toEqual([]);
});

test("a call that holds no arguments, and a body in no language, are none", () => {
  const bare = own('Call = OPEN Cut Name ">" ws "</c>"').replace("Arguments = Json\n", "");
  expect(problems(bare)[0]).toMatch(/^no call of this grammar holds arguments\n/);
  const body = own('Call = OPEN Cut Name ">" Body "</c>"\nBody = (!"</c>" .)*');
  expect(problems(body)[0]).toMatch(/^a rule `Body` is there, but no header key says in which language it is\n/);
});

test("a grammar without a call, without an opener, and with one that no block begins with, is none", () => {
  expect(
    problems(own('call = OPEN Cut Name ">" Arguments ws\nBlock_x = call').replace("Block = Call", "Block = call"))[0],
  ).toMatchInlineSnapshot(`
    "no rule of this grammar is a call
     --> bells.peggy:1:1
      |
    1 | // Own
      | ^
    help: name the rule that reads one call \`Call\`; docs/grammar-guide.md says what stands in it"
  `);
  const text = own('Call = "<d " Cut Name ">" ws Arguments "</c>"');
  expect(problems(text.replace("OPEN = ", "unopened = "))[0]).toMatchInlineSnapshot(`
    "nothing says where a block begins
     --> bells.peggy:1:1
      |
    1 | // Own
      | ^
    help: define \`OPEN\`, the literal that may open a call: OPEN = "<call>""
  `);
  expect(problems(text.replace('OPEN = "<c "', 'OPEN = "[c "'))[0]).toMatchInlineSnapshot(`
    "no block begins with what \`OPEN\` says
      --> bells.peggy:11:1
       |
    11 | OPEN = "[c "
       | ^^^^
    note: blocks are this rule
      --> bells.peggy:12:1
       |
    12 | Block = Call
       | ^^^^^
    help: a block is read where \`OPEN\` stands, and reads it again: let \`Block\` begin with the same literal"
  `);
});

describe("in a section", () => {
  const section = (between: string) =>
    own(`Call = Name ">" Cut ws Arguments "</c>"`).replace("Block = Call", `Block = OPEN &[a-z] Cut ${between} Call`);

  test("text that no role covers is refused", () => {
    expect(problems(section("[^>]* ws"))[0]).toMatchInlineSnapshot(`
      "text that is read here has no role, so it vanishes
        --> bells.peggy:12:25
         |
      12 | Block = OPEN &[a-z] Cut [^>]* ws Call
         |                         ^^^^
      help: outside of a call, put it into a rule named \`Content\` or \`Content_...\` if a person should see it, or \`Ignored_...\` if it is meant to be left out"
    `);
    expect(problems(section("[ ]*"))).toEqual([]);
  });

  test("a repair outside of a call is refused", () => {
    expect(problems(`${section("MissingCloseMarker")}MissingCloseMarker = ""\n`)[0]).toMatchInlineSnapshot(`
      "the repair "MissingCloseMarker" is recorded outside of a call
        --> bells.peggy:16:1
         |
      16 | MissingCloseMarker = ""
         | ^^^^^^^^^^^^^^^^^^
      help: a repair belongs to the call that it stands in: move it into \`Call\`, or leave the rule out"
    `);
  });
});

test("a header key that nothing reads is refused", () => {
  expect(
    problems(own('Call = OPEN Cut Name ">" ws Arguments "</c>"', "// keys: name = tool\n"))[0],
  ).toMatchInlineSnapshot(`
    "nothing reads the header key "keys"
     --> bells.peggy:4:4
      |
    4 | // keys: name = tool
      |    ^^^^^^^^^^^^^^^^^
    help: it needs a rule \`Payload\`, whose envelope holds name and arguments: add that, or remove the key"
  `);
  expect(problems(bells("// starts: reasoning\n"))[0]).toMatchInlineSnapshot(`
    "nothing reads the header key "starts"
     --> bells.peggy:5:4
      |
    5 | // starts: reasoning
      |    ^^^^^^^^^^^^^^^^^
    help: it needs the header key \`reasoning\`: add that, or remove the key"
  `);
});

describe("what the header shows", () => {
  test("is read as a call", () => {
    expect(problems(bells("", "", "// example:\n//   <bell>ring</bell>\n"))).toMatchInlineSnapshot(`
      [
        "the example in the header is not read as a call: after "<bell>" the grammar expected "\`\`\`", found "r", in Call (toolpeg/family/json-in-tags.peggy:26)
       --> bells.peggy:6:4
        |
      6 | // example:
        |    ^^^^^^^
      help: try \`toolpeg explain\` with this text: it shows where the grammar stops",
      ]
    `);
    expect(problems(bells("", "", ""))).toMatchInlineSnapshot(`
      [
        "the header shows no call
       --> bells.peggy:1:1
        |
      1 | // Bells
        | ^
      help: write \`example:\` and, indented below it, a message of two calls as models write it, one with arguments and one without any",
      ]
    `);
  });

  test("is what the format writes, byte for byte", () => {
    const spaced = '// example:\n//   <bell>{"name":"ring", "arguments":   {}}</bell>\n';
    expect(problems(bells("", "", spaced))).toEqual([]);
    // Two arguments that are not spaced alike: a format writes them in one way.
    const uneven = `// example:\n//   <bell>{"name": "ring", "arguments": {"a":1, "b": 2}}</bell>\n`;
    expect(problems(bells("", "", uneven))).toMatchInlineSnapshot(`
      [
        "the example is not what the format writes: written "arguments\\": {\\"a\\":1, \\"b\\":2}}</bell>", shown "arguments\\": {\\"a\\":1, \\"b\\": 2}}</bell>"
       --> bells.peggy:6:4
        |
      6 | // example:
        |    ^^^^^^^
      help: show a message of two calls as models write it, one with arguments and one without any, spaced as the template of the model spaces it: docs/rendering.md",
      ]
    `);
  });

  test("is what the format writes between two calls, too", () => {
    const shown = (second: string) => `${example.trimEnd()}${second}\n`;
    expect(problems(bells("", "", shown('<bell>{"name": "hum", "arguments": {}}</bell>')))).toEqual([]);
    expect(problems(bells("", "", shown("<bell>hum</bell>")))[0]).toMatch(
      /^the example in the header is not read as a call/,
    );
    expect(problems(bells("", "", shown('<bell>{"name": "hum",  "arguments": {}}</bell>')))[0]).toMatch(
      /^the example is not what the format writes: written .*, shown /,
    );
  });

  test("is two calls, or there is a warning", () => {
    const text = bells("", "", '// example:\n//   <bell>{"name": "ring", "arguments": {}}</bell>\n');
    expect(problems(text)).toEqual([]);
    expect(grammarWarnings(text).map(({ message }) => message)).toEqual([
      "the example shows one call, so the format writes one a message",
    ]);
  });
});

test("a rule that nothing uses is a warning", () => {
  const text = bells("", 'paylod = "{"\n');
  expect(problems(text)).toEqual([]);
  expect(grammarWarnings(text, { path: "bells.peggy" }).map(formatGrammarError)).toMatchInlineSnapshot(`
    [
      "the rule "paylod" is never used
     --> bells.peggy:9:1
      |
    9 | paylod = "{"
      | ^^^^^^
    help: did you mean "payload"? Nothing that reading can come to uses it: remove it.",
    ]
  `);
});

describe("shipped grammars", () => {
  const load = (path: string) =>
    existsSync(join(projectRoot, path)) ? readFileSync(join(projectRoot, path), "utf8") : undefined;
  // All are compiled by the test of what is generated.
  test.each(grammarIds.filter((id) => isAsked(id, 0)))("%s loses nothing in silence", (id) => {
    const path = `grammars/${id}.peggy`;
    const text = load(path) as string;
    expect(checkGrammar(text, { path, load }).map(formatGrammarError)).toEqual([]);
    expect(grammarWarnings(text, { path, load }).filter(({ message }) => message.endsWith("never used"))).toEqual([]);
  });
});

test("what stands between the calls of a section and is none is listed, whatever the chunks", () => {
  const grammar = `// Bells\n//\n// format: bells\n//\n// example:\n//   [bells]\n//   ring: {"times": 2}\n//   [/bells]\n
import { Cut } from "toolpeg/shared/primitives.peggy"
import { Json, blanks, goesOn, ws } from "toolpeg/shared/json.peggy"\n
OPEN    = "[bells]"\nCLOSE   = "[/bells]"
Block   = OPEN blanks &(word ":") Cut (Call ws)+ (CLOSE / &(OPEN / STOP) / !.)
Call    = Name ":" Cut ws Arguments\nName    = word\nword    = [a-z_]+\nArguments = Json !goesOn
Sync    = CLOSE / &OPEN / &STOP\n`;
  const format = compileGrammar(grammar);
  const text = '[bells]\nring: {"times": 2}\nring twice, please\n[/bells]\nDone.';
  const tools = [{ name: "ring", parameters: { type: "object", properties: { times: { type: "integer" } } } }];
  for (const size of [text.length, 1, 5]) {
    const parser = createParser({ format, tools });
    for (let at = 0; at < text.length; at += size) parser.push(text.slice(at, at + size));
    parser.end();
    const { calls, content, rejected } = parser.result();
    expect(calls).toMatchObject([{ name: "ring", arguments: { times: 2 } }]);
    expect(rejected).toMatchObject([{ reason: "malformed", raw: "ring twice, please\n[/bells]" }]);
    expect(content).toBe("\nDone.");
  }
});
