import fc from "fast-check";
import * as ohm from "ohm-js";
import peggy from "peggy";
import { describe, expect, test } from "vitest";
import { Analysis } from "../src/compiler/analyse/analyse.ts";
import { checkGrammar } from "../src/compiler/analyse/check-grammar.ts";
import { checkUnusedRules } from "../src/compiler/analyse/check-unused-rules.ts";
import { writeOhm } from "../src/compiler/emit/write-ohm.ts";
import { formatGrammarError, GrammarError } from "../src/compiler/parse/grammar-error.ts";
import { type LinkOptions, linkGrammar } from "../src/compiler/parse/link-grammar.ts";
import type { LinkedGrammar } from "../src/compiler/parse/linked-grammar.ts";
import { readHeader } from "../src/compiler/parse/read-header.ts";
import { type PrimitiveFacts, primitiveHooks } from "./support/primitive-hooks.ts";
import { type CaptureNode, writePeggy } from "./support/write-peggy.ts";

const others: Record<string, string> = {
  "grammars/family/box.peggy": `// Box
//
// reasoning: <think> </think>
// stop:      <|end|>

import { Json, ws as blank } from "../shared/json.peggy"
import * as prose from "../shared/prose.peggy"

Block = (prose.Reasoning / Call / Content)*
Call    = OPEN blank Json CLOSE?
Content = (!(OPEN / THINK_OPEN) .)+
CLOSE   = "</x>"
Spare   = NOWHERE
`,
  "grammars/shared/json.peggy": `// JSON
Json = "{" ws Item|.., "," ws| "}" ws
Item = name+ ws
name = [a-z]i
ws "blank" = [ \\n]*
`,
  "grammars/shared/prose.peggy": `Reasoning = THINK_OPEN name* THINK_CLOSE
name = !THINK_CLOSE .
`,
};

const load = (path: string): string | undefined => others[path];

/** Links rules under a minimal header, without a family. */
const linkRules = (rules: string, options?: LinkOptions): LinkedGrammar =>
  linkGrammar({ path: "grammars/x.peggy", text: `// X\n// format: x\n\n${rules}\n` }, load, options);

const linkBox = (rules: string, header = ""): LinkedGrammar =>
  linkGrammar(
    { path: "grammars/x.peggy", text: `// X\n// format: x\n// extends: family/box\n${header}\n${rules}\n` },
    load,
  );

/** The refusal as it is printed; fails the test when nothing is refused. */
function refusalOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof GrammarError) return formatGrammarError(error);
    throw error;
  }
  throw new Error("nothing was refused");
}

const headerOf = (text: string) => readHeader({ path: "grammars/x.peggy", text });

describe("header", () => {
  test("every key is read, lists and blocks over several lines, escapes resolved", () => {
    const { spans, ...header } = headerOf(`// Some Format
//
// A sentence for readers is not data.
//
// format:         some_format
// aliases:        one, two,
//                 three
// models:         A/b-7B
// mode:           json
// extends:        family/box
// keys:           name = tool_name | name; arguments = parameters; id = id
// reasoning:      <think> </think> ; [T\\s1] [/T\\s1]
// starts:         reasoning
// ends-reasoning: call
// stop:           <|im_end|> a\\nb \\u0041
// marker:         configurable
// flags:          unrepaired, arguments-required
// max-payload:    8000
// source:         somewhere, README.md
// source:         elsewhere
//
// example:
//   <x>
//     {"name": "a: b"}
//
//   </x>

Block = "x"
`);
    expect(header).toEqual({
      title: "Some Format",
      format: "some_format",
      aliases: ["one", "two", "three"],
      models: ["A/b-7B"],
      mode: "json",
      extends: "family/box",
      keys: { name: ["tool_name", "name"], arguments: ["parameters"], id: ["id"] },
      reasoning: [
        { open: "<think>", close: "</think>" },
        { open: "[T 1]", close: "[/T 1]" },
      ],
      starts: "reasoning",
      endsReasoning: "call",
      stop: ["<|im_end|>", "a\nb", "A"],
      marker: "configurable",
      flags: ["unrepaired", "arguments-required"],
      maxPayload: 8000,
      source: ["somewhere, README.md", "elsewhere"],
      example: '<x>\n  {"name": "a: b"}\n\n</x>',
    });
    expect(spans.format?.start).toMatchObject({ line: 5, column: 4 });
  });

  test("CRLF and a header without a blank line below read alike", () => {
    expect(headerOf('// T\r\n// format: a\r\n// stop: x y\r\nBlock = "x"')).toMatchObject({
      title: "T",
      format: "a",
      stop: ["x", "y"],
    });
    expect(headerOf("// keys: name = *").keys).toEqual({ name: "*", arguments: [], id: [] });
    expect(headerOf('Block = "x" // format: late')).toEqual({ spans: {} });
  });

  test("an unknown key names the nearest one", () => {
    expect(refusalOf(() => headerOf("// X\n//\n// format: x\n// ailases: a"))).toMatchInlineSnapshot(`
      "unknown header key "ailases"
       --> grammars/x.peggy:4:4
        |
      4 | // ailases: a
        |    ^^^^^^^
      expected: format, aliases, models, mode, extends, asks, overrides, keys, reasoning, starts, ends-reasoning, stop, turns, answers, framing, marker, flags, body, unnamed, max-payload, source, example, prompt
      help: did you mean "aliases"? The list of keys is closed; a comment for readers must not begin "word:"."
    `);
  });

  test("a key given twice shows both places", () => {
    expect(refusalOf(() => headerOf("// X\n// format: x\n// format: y"))).toMatchInlineSnapshot(`
      "the header key "format" is given twice
       --> grammars/x.peggy:3:4
        |
      3 | // format: y
        |    ^^^^^^^^^
      note: first given here
       --> grammars/x.peggy:2:4
        |
      2 | // format: x
        |    ^^^^^^^^^
      help: keep one of the two"
    `);
  });

  test.each([
    ["// X\n// mode: jsn", '"jsn" is no value of the header key "mode"'],
    ["// X\n// flags: whole_message", '"whole_message" is no value of the header key "flags"'],
    ["// X\n// reasoning: <think>", '"<think>" is not a pair of markers'],
    ["// X\n// stop: a\\qb", '"\\q" is no escape'],
    ["// X\n// stop: a\\", '"\\" is no escape'],
    ["// X\n// keys: name = a; name = b", 'the role "name" is given twice'],
    ["// X\n// keys: name = *; arguments = b", "`*` cannot be combined with other keys"],
    ["// X\n// keys: tool = a", '"tool" is no role of a payload key'],
    ["// X\n// keys: name = function.", '"function." does not say which key holds what'],
    ["// X\n// keys: name = f.name; arguments = f", '"f" holds the arguments, so no other key can stand inside it'],
    ["// X\n// keys: name", '"name" does not say which key holds what'],
    ["// X\n// format: Big One", '"Big One" cannot be the id of a format'],
    ["// X\n// format:", 'the header key "format" has no value'],
    ["// X\n// example:\n//\n// stop: a", 'the header key "example" has no value'],
    ["// X\n// example: short", "an example is a block of its own"],
    ["// X\n// max-payload: 8k", '"8k" is not a limit'],
    ["// X\n// extends: ../box.peggy", '"../box.peggy" is not the name of a grammar'],
    ["// X\n// aliases: a b", '"a b" is not a list'],
    ["// X\n// aliases   a, b", 'the header key "aliases" has no colon'],
  ])("%j is refused", (text, message) => {
    expect(refusalOf(() => headerOf(text)).split("\n")[0]).toBe(message);
  });
});

describe("linking", () => {
  test("a format takes over rules and header, imported rules keep apart", () => {
    const grammar = linkBox('OPEN = "<x>"\nCLOSE "end" = "</y>"', "// stop: <|mine|>\n");
    expect([...grammar.rules.keys()]).toEqual([
      "Block",
      "OPEN",
      "prose.Reasoning",
      "Call",
      "Content",
      "THINK_OPEN",
      "prose.name",
      "THINK_CLOSE",
      "json.ws",
      "json.Json",
      "CLOSE",
      "json.Item",
      "json.name",
    ]);
    expect(grammar.header).toMatchObject({
      title: "X",
      format: "x",
      stop: ["<|mine|>"],
      reasoning: [{ open: "<think>" }],
    });
    expect(grammar.rules.get("CLOSE")).toMatchObject({ declared: "CLOSE", display: "end", file: "grammars/x.peggy" });
    expect(grammar.rules.get("json.ws")).toMatchObject({ declared: "ws", display: "blank", origin: "grammar" });
    expect(grammar.rules.get("THINK_OPEN")).toMatchObject({ origin: "header", file: "grammars/family/box.peggy" });
    expect(grammar.files.map((file) => file.path)).toEqual([
      "grammars/x.peggy",
      "grammars/family/box.peggy",
      "grammars/shared/prose.peggy",
      "grammars/shared/json.peggy",
    ]);
  });

  test("an inherited rule sees what overrides, a part keeps its own and asks the format for the rest", () => {
    const grammar = linkBox('OPEN = "<x>"\nTHINK_OPEN = "[T]"\nblank = "_"');
    const accepts = acceptors(grammar).peggy;
    expect(accepts("[T]abc</think>text<x>_{a, bc\n}</x>")).toBe(true);
    expect(accepts("<x> {a}</x>")).toBe(false);
  });

  test("a format without rules of its own is its header", () => {
    others["grammars/whole.peggy"] = '// W\n// format: w\n\nBlock = "a" STOP?\n';
    const grammar = linkGrammar(
      { path: "grammars/y.peggy", text: "// Y\n// format: y\n// extends: whole\n// stop: . ..\n" },
      load,
    );
    expect(grammar.header).toMatchObject({ title: "Y", format: "y", stop: [".", ".."] });
    expect(acceptors(grammar).peggy("a..")).toBe(true);
  });

  test("rules made from the header match or never match", () => {
    const rules = ['Block = THINK_OPEN "t" / STOP "s" / FRAMING "f" / OPEN "o" / "x"', 'OPEN = "<o>"'].join("\n");
    const without = acceptors(linkRules(rules)).peggy;
    expect(["t", "s", "f", "<o>o", "x"].filter(without)).toEqual(["<o>o", "x"]);
    const header = ["// X", "// format: x", "// reasoning: A B ; AA C", "// stop: Z ZZ", "// framing: F"].join("\n");
    const given = acceptors(linkGrammar({ path: "x.peggy", text: `${header}\n\n${rules}\n` }, load)).peggy;
    const matching = ["At", "AAt", "Zs", "ZZs", "Ff", "x"];
    expect([...matching, "t", "f"].filter(given)).toEqual(matching);
  });

  test("counted repetitions are written out", () => {
    const accepts = acceptors(linkRules('Block = "a"|2| "b"|1..3| "c"|.., ","| "d"|2..| "e"|..2, "-"| "g"|2.., ","|'));
    for (const accept of [accepts.peggy, accepts.ohm]) {
      expect(accept("aabddg,g")).toBe(true);
      expect(accept("aabbbc,c,cddddde-eg,g,g")).toBe(true);
      for (const wrong of ["abddg,g", "aabbbbddg,g", "aabdg,g", "aabdde-e-eg,g", "aabddg"]) {
        expect(accept(wrong)).toBe(false);
      }
    }
  });

  test("`i` means ASCII letters in both cases, in a literal and in a class", () => {
    const { peggy, ohm } = acceptors(linkRules('Block = "<k1>"i [W-b_]i [^a-c]i'));
    for (const accept of [peggy, ohm]) {
      for (const right of ["<k1>wz", "<K1>Bd", "<k1>_1", "<k1>aD", "<k1>^é"]) expect(accept(right)).toBe(true);
      // The Kelvin sign is a "k" only to tools that fold case beyond ASCII.
      for (const wrong of ["<\u212a1>wz", "<k1>cd", "<k1>vz", "<k1>wB", "<k1>wb"]) expect(accept(wrong)).toBe(false);
    }
  });

  test("what a family needs is asked for by the name of the file that needs it", () => {
    expect(refusalOf(() => linkBox('OPEN_TAG = "<x>"'))).toMatchInlineSnapshot(`
      "the rule "OPEN" is not defined, and grammars/family/box.peggy needs it
        --> grammars/family/box.peggy:10:11
         |
      10 | Call    = OPEN blank Json CLOSE?
         |           ^^^^
      help: Define it in grammars/x.peggy: \`OPEN = ...\`"
    `);
  });

  test("a misspelt rule of the format", () => {
    expect(refusalOf(() => linkRules("Block = Cal\nCall = 'a'"))).toMatchInlineSnapshot(`
      "the rule "Cal" is used, but nothing defines it
       --> grammars/x.peggy:4:9
        |
      4 | Block = Cal
        |         ^^^
      help: did you mean "Call"? Define it in grammars/x.peggy: \`Cal = ...\`"
    `);
  });

  test("a primitive that is not imported", () => {
    expect(refusalOf(() => linkRules("Block = 'a' Cut 'b'"))).toMatchInlineSnapshot(`
      "the primitive "Cut" is not imported
       --> grammars/x.peggy:4:13
        |
      4 | Block = 'a' Cut 'b'
        |             ^^^
      help: write \`import { Cut } from "toolpeg/shared/primitives.peggy"\` above the rules"
    `);
  });

  test("left recursion names every step", () => {
    expect(refusalOf(() => linkRules('Block = "a" / Call\nCall = "x"? !"y" Block'))).toMatchInlineSnapshot(`
      "left recursion: Block -> Call -> Block
       --> grammars/x.peggy:4:1
        |
      4 | Block = "a" / Call
        | ^^^^^
      note: "Call" is reached from here
       --> grammars/x.peggy:4:15
        |
      4 | Block = "a" / Call
        |               ^^^^
      note: "Block" is reached from here
       --> grammars/x.peggy:5:18
        |
      5 | Call = "x"? !"y" Block
        |                  ^^^^^
      help: write the repetition as \`*\` or \`+\`, or consume something before the rule comes to itself"
    `);
  });

  test("a text that is no grammar", () => {
    expect(refusalOf(() => linkRules("Block = / 'a'"))).toMatchInlineSnapshot(`
      "the grammar cannot be read: found "/"
       --> grammars/x.peggy:4:9
        |
      4 | Block = / 'a'
        |         ^
      expected: "(", ".", [!$&], [!&], character class, identifier, literal
      help: the language of grammars is Peggy's: https://peggyjs.org/documentation.html"
    `);
  });

  test.each([
    ["Block = 'a'\nBlock = 'b'", '"Block" is already defined'],
    [
      "import { Jason } from './shared/json.peggy'\nBlock = Jason",
      'grammars/shared/json.peggy does not define "Jason"',
    ],
    ["import json from './shared/json.peggy'\nBlock = json", "a file has no default rule to import"],
    ["import { A } from './shared/none.peggy'\nBlock = A", "there is no grammar grammars/shared/none.peggy"],
    ["Block = json.Json", '"json" is not imported'],
    ["import { A } from './shared/none.peggy'\nBlock = 'a'", "there is no grammar grammars/shared/none.peggy"],
    ["import * as a from './shared/none.peggy'\nBlock = 'a'", "there is no grammar grammars/shared/none.peggy"],
    [`Block = ${"(".repeat(3000)}'a'${")".repeat(3000)}`, "groups nest deeper than 10 levels here"],
    ["Call = 'a'", 'the start rule "Block" is not defined'],
    ["Block = ('a' / 'b'?)*", 'endless repetition in "Block": what is repeated may match nothing'],
    ["Block = (!'a' blank)+\nblank = ' '*", 'endless repetition in "Block": what is repeated may match nothing'],
    ["Block = Block 'a'", "left recursion: Block -> Block"],
  ])("%j is refused", (rules, message) => {
    expect(refusalOf(() => linkRules(rules)).split("\n")[0]).toBe(message);
  });

  test.each([
    ["Block = 'a'\nother = 'b'", 'the rule "other" is never used'],
    ["Block = 'a'\nother = other 'b'", 'the rule "other" is never used'],
    ["import { Json } from './shared/json.peggy'\nBlock = 'a'", 'the import "Json" is never used'],
    ["import * as json from './shared/json.peggy'\nBlock = 'a'", 'the import "json" is never used'],
  ])("%j is reported", (rules, message) => {
    expect(checkUnusedRules(linkRules(rules)).map((error) => error.message)).toEqual([message]);
  });

  test("a grammar cannot extend itself, and a part needs a format", () => {
    others["grammars/family/ring.peggy"] = "// R\n// extends: family/ring\n\nBlock = 'a'";
    const ring = { path: "grammars/x.peggy", text: "// X\n// format: x\n// extends: family/ring\n" };
    expect(() => linkGrammar(ring, load)).toThrow(/cannot extend itself: .*ring.*ring/);
    const part = { path: "grammars/shared/json.peggy", text: others["grammars/shared/json.peggy"] };
    expect(() => linkGrammar(part, load)).toThrow("this grammar has no format id");
    expect(linkGrammar(part, load, { start: "Json", format: false }).start).toBe("Json");
  });
});

describe("portable subset", () => {
  test.each([
    ["{ let x; }\nBlock = 'a'", "initializers are not allowed"],
    ["{{ let x; }}\nBlock = 'a'", "initializers are not allowed"],
    ["Block = 'a' { return 1; }", "actions are not allowed"],
    ["Block = &{ return true; } 'a'", "predicates in braces are not allowed"],
    ["Block = !{ return true; } 'a'", "predicates in braces are not allowed"],
    ["Block = word:'a'", 'the label "word" is not allowed'],
    ["Block = @'a' 'b'", "`@` is not allowed"],
    ["Block = $('a' 'b')", "`$` is not allowed"],
    ["Block = [\\u{1F600}]u", "a class that holds more than UTF-16 units is not allowed"],
    ["Block = [\u{1F600}]", "a class that holds more than UTF-16 units is not allowed"],
    ["Block = [\\p{L}]", "a class that holds more than UTF-16 units is not allowed"],
    ["Block = 'é'i", '`i` with "é" is not allowed'],
    ["Block = [à-ý]i", '`i` with "à" is not allowed'],
    ["Block = 'a'|1000|", "a repetition of more than 256 is not allowed"],
  ])("%j is refused", (rules, message) => {
    expect(refusalOf(() => linkRules(rules)).split("\n")[0]).toBe(message);
  });

  test("the refusal shows the place", () => {
    expect(refusalOf(() => linkRules("Block = Call+\n\tCall\t=\t'a' { return 1; }"))).toMatchInlineSnapshot(`
      "actions are not allowed
       --> grammars/x.peggy:5:14
        |
      5 | 	Call	=	'a' { return 1; }
        | 	    	 	     ^^^^^^^^^^^
      help: grammars hold no JavaScript: the name of a rule says what it means, see the table of roles"
    `);
  });
});

describe("checks", () => {
  const problems = (rules: string) =>
    checkGrammar(linkRules(rules)).map((error) => `${error.message} (${error.line}:${error.column})`);

  test.each([
    ['Block = "<" / "<tool>" "x"', 15],
    ['Block = [a-z] / "b" / "0"', 17],
    ['Block = ("a" / "b" / [ab] "c")', 22],
    ['Block = . / &"x" "b"', 13],
    ['Block = "a"* / "b"', 16],
    ['Block = ("a" "b" / "abc")', 20],
    ['Block = x / "xb"\nx = "x"', 13],
  ])("%j has an alternative that is never reached", (rules, column) => {
    expect(problems(rules)).toEqual([expect.stringMatching(RegExp(`never reached.*\\(4:${column}\\)`))]);
  });

  test.each([
    'Block = "<tool>" / "<"',
    'Block = &"{" "a" / "b" / "ab" "c"*',
    'Block = "a" "x" / "ab"',
    'Block = lineStart "a" / "b"\nlineStart = ""',
    'Block = computes / "b"',
    "Block = [a-z] / [a-z0]",
    'Block = OPEN QUOTED\nOPEN = "<a>"i / "b" / CLOSE\nCLOSE = !""\nQUOTED = "\'" "x"',
    // What the shared prose asks a format for may look like anything.
    'Block = OPEN / FRAMING\nOPEN = "<" word\nFRAMING = [0-9]\nword = [a-z]+',
  ])("%j is fine", (rules) => {
    expect(problems(rules)).toEqual([]);
  });

  test.each([
    ['Block = CLOSE\nCLOSE = "a"?', 9],
    ["Block = DIGIT\nDIGIT = [0-9]", 9],
    ['Block = CLOSE\nCLOSE = "x" word\nword = [a-z]', 13],
  ])("%j has a marker that is no literal", (rules, column) => {
    expect(problems(rules)).toEqual([expect.stringMatching(RegExp(`is in capitals.*\\(5:${column}\\)`))]);
  });

  test("both places are shown", () => {
    const [error] = checkGrammar(linkRules('Block = Name "x"\nName = "get" / "set" / "getter"'));
    expect(formatGrammarError(error)).toMatchInlineSnapshot(`
      "an alternative of "Name" is never reached: one before it matches wherever this one could
       --> grammars/x.peggy:5:24
        |
      5 | Name = "get" / "set" / "getter"
        |                        ^^^^^^^^
      note: this one comes first
       --> grammars/x.peggy:5:8
        |
      5 | Name = "get" / "set" / "getter"
        |        ^^^^^
      help: put the longer or narrower one first"
    `);
  });
});

/** What stock Peggy and Ohm make of a grammar. */
function acceptors(grammar: LinkedGrammar, facts: PrimitiveFacts = {}) {
  const written = writePeggy(grammar);
  const parser = peggy.generate(written.text);
  const judge = writeOhm(grammar);
  const ohmGrammar = ohm.grammar(judge.text);
  return {
    peggy: (text: string): boolean => {
      try {
        parser.parse(text, { primitives: primitiveHooks(facts) });
        return true;
      } catch (error) {
        if (error instanceof parser.SyntaxError) return false;
        throw error;
      }
    },
    ohm: (text: string): boolean => ohmGrammar.match(text, judge.start).succeeded(),
    outside: judge.outside,
  };
}

/** The spans of a capture tree, as text. */
const outline = (nodes: CaptureNode[], text: string): string =>
  nodes
    .map(
      (node) =>
        `${node.role}(${node.children.length > 0 ? outline(node.children, text) : text.slice(node.start, node.end)})`,
    )
    .join(" ");

describe("writers", () => {
  const grammars: [rules: string, alphabet: string[]][] = [
    [
      'Block = (Call / Content)*\nCall = "<" "a"+ ">"?\nContent = (!"<" .)+',
      ["<", "a", ">", "\u{1F600}", "\ud83d", "b"],
    ],
    [
      'Block = any end? [^"\\\\\\]\\-^] [\\-\\]a]\nany = [] / "\\u{1F600}" / .\nend = "\\0" / [\\u0000-\\u001f]',
      ['"', "-", "]", "\u{1F600}", "\0", "\n", "a", "^"],
    ],
    [
      'Block = letter (("," / ";" ws) letter)* !.\nletter = &[a-c] [^b] / ws "b"\nws = " "*',
      ["a", "b", "c", ",", ";", " "],
    ],
    ['Block = "(" (Block / "x"? "y" / "z")* ")"', ["(", ")", "x", "y", "z"]],
    ['Block = Cut ("a" Cut "b" / "a" "c")\nCut = ""', ["a", "b", "c"]],
  ];

  test.each(grammars)("Peggy and Ohm accept and refuse the same texts: %s", (rules, alphabet) => {
    const { peggy, ohm, outside } = acceptors(linkRules(rules));
    expect(outside).toEqual([]);
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...alphabet), { maxLength: 8 }), (units) => {
        const text = units.join("");
        const verdict = peggy(text);
        if (verdict) accepted++;
        expect(ohm(text)).toBe(verdict);
      }),
      { numRuns: 400, seed: 1 },
    );
    expect(accepted).toBeGreaterThan(0);
  });

  test("the text of a small grammar for Peggy", () => {
    expect(writePeggy(linkBox('OPEN = "<é>"')).text).toMatchInlineSnapshot(`
      "Block
        = $((prose_Reasoning / Call / Content)*)

      OPEN
        = $("<\\u00e9>")

      prose_Reasoning
        = $(THINK_OPEN prose_name* THINK_CLOSE)

      Call
        = $(OPEN json_ws json_Json CLOSE?)

      Content
        = $((!(OPEN / THINK_OPEN) .)+)

      THINK_OPEN
        = $("<think>")

      prose_name
        = $(!THINK_CLOSE .)

      THINK_CLOSE
        = $("</think>")

      json_ws "blank"
        = $([\\u0020\\u000a]*)

      json_Json
        = $("{" json_ws (json_Item ("," json_ws json_Item)*)? "}" json_ws)

      CLOSE
        = $("</x>")

      json_Item
        = $(json_name+ json_ws)

      json_name
        = $([a-zA-Z])
      "
    `);
  });

  test("the text of a small grammar for Ohm", () => {
    expect(writeOhm(linkBox('OPEN = "<é>"')).text).toMatchInlineSnapshot(`
      "Format_x {
        block
          = (prose_Reasoning | call | content)*

        open
          = "<\\u{e9}>"

        prose_Reasoning
          = think_open prose_name* think_close

        call
          = open json_ws json_Json close?

        content
          = (~(open | think_open) unit)+

        think_open
          = "<think>"

        prose_name
          = ~think_close unit

        think_close
          = "</think>"

        json_ws  (blank)
          = (" ".." " | "\\u{a}".."\\u{a}")*

        json_Json
          = "{" json_ws (json_Item ("," json_ws json_Item)*)? "}" json_ws

        close
          = "</x>"

        json_Item
          = json_name+ json_ws

        json_name
          = "a".."z" | "A".."Z"

        unit = "\\u{0}".."\\u{ffff}"
      }
      "
    `);
  });

  test("with roles, Peggy yields the tree of captures", () => {
    const grammar = linkBox('OPEN = "<x>"');
    const roles = new Set(["Call", "Content", "Item", "Reasoning"]);
    const { text } = writePeggy(grammar, {
      roleOf: (rule) => (roles.has(rule.declared) ? rule.declared : undefined),
    });
    const input = "<think>hm</think>see <x>{a, bc}</x>!";
    const tree = peggy.generate(text).parse(input);
    expect(outline(tree, input)).toBe("Reasoning(<think>hm</think>) Content(see ) Call(Item(a) Item(bc)) Content(!)");
    expect(tree[2]).toMatchObject({ role: "Call", start: 21, end: 35 });
  });

  test("a slot holds what was bound on the way that led here", () => {
    const quote = 'BindQuote = ["\']\nsameQuote = ""';
    const inner = (middle: string) => acceptors(linkRules(`Block = BindQuote ${middle} "." sameQuote !.\n${quote}`));
    const { peggy, ohm, outside } = inner('"x"');
    expect(peggy('"x."')).toBe(true);
    expect(peggy("\"x.'")).toBe(false);
    expect(ohm('"x.')).toBe(true);
    expect(outside).toEqual(["sameQuote", "Block"]);
    // Bound again, and that stands.
    expect(inner("BindQuote").peggy("\"'.'")).toBe(true);
    // Bound again, but the parser goes back over it, each time in another kind of expression.
    const goingBack = ["(BindQuote '!' / ['])", "(BindQuote '!')* [']", "(BindQuote '!')? [']", "&BindQuote [']"];
    for (const middle of [...goingBack, "!(BindQuote '!') [']", "(BindQuote '!' / BindQuote '?')? [']"]) {
      expect(inner(middle).peggy('"\'."')).toBe(true);
      expect(inner(middle).peggy("\"'.'")).toBe(false);
    }
    expect(inner("(BindQuote '!')+ [']").peggy("\"'!'.'")).toBe(true);
  });

  test("what is bound again may be nothing, although what bound it looked ahead", () => {
    const rules = 'Block = BindBar "x" sameBar "y"\nBindBar = "|" / "" &"x"\nsameBar = ""';
    expect(new Analysis(linkRules(rules)).firstOfRule("sameBar").nullable).toBe(true);
  });

  test("tool names, declared keys and line starts are asked for", () => {
    const rules = [
      'Block = (Call / "\\n" / " ")* !.',
      'Call = lineStart "<" Name (" " Key "=" "1")* ">"',
      "Name = toolName",
      "Key = declaredKey",
      'lineStart = ""',
      "toolName = [a-z_]+",
      "declaredKey = [a-z]+",
    ].join("\n");
    const keys: Record<string, string[]> = { read: ["a", "ab"], read_all: ["z"] };
    const accepts = acceptors(linkRules(rules), { names: ["read", "read_all"], keysOf: (name) => keys[name] });
    for (const right of ["<read>", "<read_all z=1>", "<read ab=1 a=1>", "   <read a=1>\n <read a=1>"]) {
      expect(accepts.peggy(right)).toBe(true);
    }
    for (const wrong of ["<write>", "<read z=1>", "<read a=1 a=1>", "    <read>", "<read> <read>", "<read_all a=1>"]) {
      expect(accepts.peggy(wrong)).toBe(false);
    }
    expect(accepts.outside).toContain("Call");
  });
});
