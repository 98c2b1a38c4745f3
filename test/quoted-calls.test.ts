/**
 * A call that a string of another call quotes never runs. Two grammars that people wrote from the guide made one run while their
 * check was green: the library refuses it in both now. Where a grammar can still make one run, the check shows it as small as it
 * gets, and names the rule.
 */
import { expect, test } from "vitest";
import { compileGrammar } from "../src/compiler/index.ts";
import * as engine from "../src/index.ts";
import { quotedCallRun } from "../src/testing/quoted-calls.ts";
import { looseTools } from "../src/testing/samples.ts";

/** A section of calls in lines, with the opener of a call in `Sync`. */
const section = (example: string[], rules: string) => `// Bot
//
// format: bot
// source: written here, for the check
//
// example:
//   [bot]
//   @call read_dial
//   ${example.join("\n//   ")}
//   @end
//   @call list_dials
//   @end
//   [/bot]

import { Cut } from "toolpeg/shared/primitives.peggy"
import { Json, blanks, skippedString, ws } from "toolpeg/shared/json.peggy"

OPEN  = "[bot]"
CLOSE = "[/bot]"

Block = OPEN blanks &"@call " Cut (Call ws)+ end
end   = CLOSE / &(OPEN / STOP) / !.
Call  = "@call " Cut Name "\\n" pair* "@end"
Name  = [a-z_]+
Key   = [a-z_]+
Sync  = &CLOSE / &"@call " / &OPEN / &STOP
${rules}`;

const inJson = section(
  ['dial: "north"', "times: 2", "loud: true"],
  'pair  = Key ": " Cut Json\nSkip  = skippedString\n',
);
/** Values between marks that look like no tag: what follows an opener that opens no call says nothing of them. */
const inMarks = section(
  ["dial ((north))", "times ((2))"],
  'pair  = Key " ((" Cut Text "))" ws\nText  = (!"))" .)*\nSkip  = skippedString\n',
);

/** Calls of Python after a word, with the cut only after the parenthesis. */
const robot = `// Robot
//
// format: robot
// source: written here, for the check
//
// example:
//   Call: read_dial(dial="north", times=2, loud=True)<bot_end>Call: list_dials()<bot_end>

import { Cut } from "toolpeg/shared/primitives.peggy"
import { arguments, Name } from "toolpeg/shared/calls.peggy"

OPEN  = "Call: "
CLOSE = "<bot_end>"

Block = Call
Call  = OPEN Name "(" Cut arguments CLOSE

Sync  = CLOSE / &OPEN / &STOP
Skip  = "'" [^'\\n]* "'" / '"' [^"\\n]* '"'
`;

/** So many texts are read; one more, and nothing is left to find. */
const within = (most: number) => {
  let texts = 0;
  return () => texts++ >= most;
};
const read = (grammar: string, text: string) =>
  engine.parse(text, { format: compileGrammar(grammar), tools: looseTools });

test("the opener of a call in Sync is safe where values are JSON", () => {
  const quoted = 'dial: "see\n[bot]\n@call list_dials\n@end\n[/bot]"';
  for (const damaged of [quoted, quoted.slice(0, -1), quoted.replace(": ", " ")]) {
    expect(read(inJson, `[bot]\n@call read_dial\n${damaged}\n@end\n[/bot]`).calls).toEqual([]);
  }
  expect(quotedCallRun(compileGrammar(inJson), engine, within(300))).toBeUndefined();
});

test("a call after an opener that opens no call is safe, with a closer in a string before it", () => {
  expect(read(robot, `Call: f a='<bot_end> Call: list_dials()<bot_end>')`).calls).toEqual([]);
  expect(quotedCallRun(compileGrammar(robot), engine, within(300))).toBeUndefined();
});

test("where one runs, it is found in the smallest text, with the rule to look at", () => {
  expect(quotedCallRun(compileGrammar(inMarks), engine, within(2000))).toMatchInlineSnapshot(`
    {
      "at": 35,
      "rule": "Block",
      "text": "[bot]read_dial
    dial (([/bot] [bot]
    @call list_dials
    @end
    [/bot])site(hillside))@end[bot",
      "what": "with "@call " deleted, the call in a string ran: {"name":"list_dials","arguments":{}}; what stands before it was no call, but text: the block failed before its first \`Cut\`",
    }
  `);
});
