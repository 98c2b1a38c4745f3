/**
 * Grammars as a stranger writes them: a call quoted in a string of damaged text never runs, whatever the string is delimited by, and
 * wherever the grammar goes on after damage.
 */
import { describe, expect, test } from "vitest";
import { compileGrammar } from "../src/compiler/index.ts";
import { createParser, parse } from "../src/index.ts";
import { difference, observe } from "../src/testing/observe.ts";
import { randomCuts, seededRandom } from "../src/testing/splits.ts";

const tools = ["f", "g"].map((name) => ({
  name,
  parameters: { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } },
}));

const head = (id: string, example: string) => `// Own\n//\n// format: ${id}\n//\n// example:\n//   ${example}\n\n`;

/** Python calls between markers, as the guide begins them. */
const python =
  compileGrammar(`${head("python", 'Call: g(b="x")<bot_end>')}import { Cut } from "toolpeg/shared/primitives.peggy"
import { Call, callAhead } from "toolpeg/shared/calls.peggy"
import { blanks } from "toolpeg/shared/json.peggy"

OPEN  = "Call:"
CLOSE = "<bot_end>"
Block = OPEN blanks &callAhead Cut Call (CLOSE / &(OPEN / STOP) / !.)
Sync  = CLOSE / &OPEN / &STOP
`);

/** Members of JSON, each after its key; reading goes on at an opener. */
const members =
  compileGrammar(`${head("members", '@call g b="x"\n//   @end')}import { Cut } from "toolpeg/shared/primitives.peggy"
import { Json, ws } from "toolpeg/shared/json.peggy"

OPEN  = "@call "
CLOSE = "@end"
Block = Call
Call  = OPEN &[a-z] Cut Name " " pair* CLOSE
Name  = [a-z]+
pair  = Key "=" Json
Key   = [a-z]+
Sync  = &OPEN / CLOSE
`);

/** Raw text in single quotes, of which the grammar says nothing after damage. */
const raw = compileGrammar(`${head("raw", "<t g><b>'x'</b></t>")}import { Cut } from "toolpeg/shared/primitives.peggy"

OPEN    = "<t "
CLOSE   = "</t>"
Block   = Call
Call    = OPEN Cut Name ">" pair* CLOSE
Name    = [a-z_]+
pair    = "<" BindKey ">'" Text "'</" sameKey ">"
BindKey = Key
sameKey = ""
Key     = [a-z_]+
Text    = (!"'</" .)*
Sync    = CLOSE / &OPEN
`);

const texts: readonly [title: string, format: ReturnType<typeof compileGrammar>, text: string][] = [
  ["an opener that opens nothing, single quotes", python, `Call: f a='<bot_end> Call: g(b="x")<bot_end>')`],
  ["the same, double quotes", python, `Call: f a="<bot_end> Call: g(b='x')<bot_end>")`],
  ["the same, in a list", python, `Call: f [1, '<bot_end> Call: g(b="x")<bot_end>']`],
  ["the same, a colon", python, `Call: f a: '<bot_end>\nCall: g(b="x")<bot_end>'`],
  ["after the cut", python, `Call: f(a='<bot_end> Call: g(b="x")<bot_end>', b=)<bot_end>`],
  ["an opener in a string of JSON", members, '@call f a=x b="see @call g b="x" @end" @end'],
  ["the same on a line of its own", members, '@call f a=x b="see\n@call g b=\\"x\\"\n@end\n" @end'],
  ["the same, its call sound", members, "@call f a=x b='see\n@call g b=\"x\"\n@end\n' @end"],
  ["one end for two calls", members, '@call f a=x b="y"\n@call g b="x"\n@end'],
  ["an opener in raw text", raw, "<t f><a'see <t g><b>'x'</b></t> ok'</a></t>"],
  ["a closer in raw text", raw, "<t f><a'see </t> <t g><b>'x'</b></t> ok'</a></t>"],
];

describe("a call quoted in damaged text", () => {
  test.each(texts)("%s", (_, format, text) => {
    const options = { format, tools };
    const run = { whole: () => parse(text, options), stream: () => createParser(options) };
    const whole = observe(run, text, [], undefined);
    expect(whole.result.calls).toEqual([]);
    expect(whole.result.rejected.length).toBeGreaterThan(0);
    const cuts = randomCuts(text.length, seededRandom(7), 9);
    expect(difference(whole, observe(run, text, cuts, undefined))).toBeUndefined();
  });

  // What is proven to have ended refuses no other call.
  test.each([
    [python, `Call: f a='x'<bot_end> Call: g(b="x")<bot_end>`],
    [python, `Call: f(a='x', b=)<bot_end> Call: g(b="x")<bot_end>`],
    [members, '@call f a=x b="y"\n@end\n@call g b="x"\n@end'],
  ])("%# that has ended", (format, text) => {
    expect(parse(text, { format, tools }).calls.map(({ name }) => name)).toEqual(["g"]);
  });
});
