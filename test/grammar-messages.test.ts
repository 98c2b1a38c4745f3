/**
 * What the compiler says of a grammar that is not as it should be, whole: message, place, notes and help. The snapshot is read
 * by people: a message that changes is read again before it is kept. What compiles and would lose something in silence is
 * in grammar-silence.test.ts.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../scripts/entries.ts";
import { checkGrammar, formatGrammarError, grammarWarnings } from "../src/compiler/index.ts";

const others: Readonly<Record<string, string>> = {
  "grammars/ring.peggy": "// Ring\n// extends: ring\n",
  "grammars/marks.peggy": 'import { ws } from "toolpeg/shared/json.peggy"\nmark = "@" ws\n',
  "grammars/other/marks.peggy": 'mark = "#"\n',
};
const load = (path: string) =>
  others[path] ??
  (path.startsWith("grammars/shared/") && existsSync(join(projectRoot, path))
    ? readFileSync(join(projectRoot, path), "utf8")
    : undefined);

/** A whole format of the family for JSON between markers, with other lines in its header and among its rules. */
const bells = (header: string, rules = 'OPEN  = "<bell>"\nCLOSE = "</bell>"') =>
  `// Bells\n//\n// format: bells\n${header}\n//\n// example:\n//   <bell>{"name": "ring", "arguments": {}}</bell><bell>{"name": "stop", "arguments": {}}</bell>\n\n${rules}\n`;
const family = "// extends: toolpeg/family/json-in-tags";
const own = (rules: string) => bells("// source: here", rules);

/** A whole format of its own, whose calls may lack their arguments. */
const shown = (example: string) =>
  `// Bells\n//\n// format: bells\n//\n// example:\n//   ${example}\n
import { Cut } from "toolpeg/shared/primitives.peggy"
import { Json } from "toolpeg/shared/json.peggy"\n
OPEN  = "<c "\nBlock = Call\nCall  = OPEN Cut Name ">" Arguments? "</c>"\nName  = [a-z]+\nArguments = Json\n`;

const header: Readonly<Record<string, string>> = {
  "an unknown key": bells(`${family}\n// ailases: a`),
  "a key far from all": bells(`${family}\n// colour: red`),
  "a key given twice": bells(`${family}\n// stop: none\n// stop: none`),
  "a key without a value": bells(`${family}\n// aliases:`),
  "a key without its colon": bells(`${family}\n// aliases   a, b`),
  "an id of two words": bells(family).replace("format: bells", "format: Big Bells"),
  "no id": bells(family).replace("// format: bells\n", ""),
  "a mode that is none": bells(`${family}\n// mode: jsn`),
  "a flag that is none": bells(`${family}\n// flags: special_tags`),
  "a list without commas": bells(`${family}\n// aliases: a b`),
  "an ending in extends": bells("// extends: toolpeg/family/json-in-tags.peggy"),
  "a misspelt family": bells("// extends: toolpeg/family/json-in-tag"),
  "a misspelt folder": bells("// extends: toolpeg/famly/json-in-tags"),
  "a family without the name of the package": bells("// extends: family/json-in-tags"),
  "a family that is far from all": bells("// extends: toolpeg/family/morse"),
  "a file that extends itself": bells("// extends: ring"),
  "half a pair of thoughts": bells(`${family}\n// reasoning: <think>`),
  "an escape that is none": bells(`${family}\n// stop: a\\qb`),
  "a limit with a unit": bells(`${family}\n// max-payload: 8k`),
  "keys that hold nothing": bells(`${family}\n// keys: name`),
  "keys of a role that is none": bells(`${family}\n// keys: tool = a`),
  "keys of one role twice": bells(`${family}\n// keys: name = a; name = b`),
  "keys with a star and others": bells(`${family}\n// keys: name = *; arguments = b`),
  "keys with half a path": bells(`${family}\n// keys: name = function.`),
  "keys inside the arguments": bells(`${family}\n// keys: name = f.name; arguments = f`),
  "an example on the line of its key": bells(family).replace("// example:\n//   <bell>", "// example: <bell>"),
  "an example that is not indented": bells(family).replace("//   <bell>", "// <bell>"),
  "a prompt on the line of its key": bells(`${family}\n// prompt: here`),
  "a prompt without its places": bells(`${family}\n// prompt:\n//   Call them.`),
  "a prompt with a way to list that is none": bells(`${family}\n// prompt:\n//   {{tools jsn}} {{example}}`),
  "asks with a line that is no rule": bells(`${family}\n// asks:\n//   OPEN "<call>"`),
};

const rules: Readonly<Record<string, string>> = {
  "no grammar": own("Block = / 'a'"),
  "an import after a rule": own('OPEN = "<a>"\nBlock = OPEN ws\nimport { ws } from "toolpeg/shared/json.peggy"'),
  "an initializer": own("{ let x; }\nBlock = 'a'"),
  "an action": own("Block = 'a' { return 1; }"),
  "a predicate in braces": own("Block = &{ return true; } 'a'"),
  "a label": own("Block = word:'a'"),
  "a pick": own("Block = @'a' 'b'"),
  "a dollar": own("Block = $('a' 'b')"),
  "a class beyond UTF-16 units": own("Block = [\\p{L}]"),
  "an escape of a class that stands for many": own("Block = [\\d]"),
  "a repetition that a rule counts": own("Block = 'a'|count|"),
  "case beyond ASCII": own("Block = 'é'i"),
  "too many copies": own("Block = 'a'|1000|"),
  "no block": own('OPEN = "<a>"'),
  "a rule that nothing defines": own("Block = word\nwrod = 'a'"),
  "a short rule that nothing defines, with none near": own("Block = xy\nend = 'a'"),
  "a rule that the family asks for": bells(family, 'CLOSE = "</bell>"'),
  "a rule that the family asks for, misspelt": bells(family, 'OPEM  = "<bell>"\nCLOSE = "</bell>"'),
  "a primitive without its import": own("Block = Cut 'a'"),
  "a rule defined twice": own("Block = 'a'\nBlock = 'b'"),
  "an import of a rule that is none": own('import { Jason } from "toolpeg/shared/json.peggy"\nBlock = Jason'),
  "an import of a rule that is none, from a file with imports": own(
    'import { Lists } from "toolpeg/shared/calls.peggy"\nBlock = Lists',
  ),
  "an import of what is imported there": own('import { ws } from "marks.peggy"\nBlock = ws'),
  "a default import": own('import json from "toolpeg/shared/json.peggy"\nBlock = json'),
  "an import from a misspelt file": own('import { ws } from "toolpeg/shared/jsn.peggy"\nBlock = ws'),
  "an import from a file of one's own that is not there": own('import { ws } from "shared/none.peggy"\nBlock = ws'),
  "a name of a file that is not imported": own("Block = json.Json"),
  "two files of one name": own(
    'import { mark } from "marks.peggy"\nimport { mark as other } from "other/marks.peggy"\nBlock = mark other',
  ),
  "what is extended is imported": bells(
    family,
    'import { body } from "toolpeg/family/json-in-tags.peggy"\nOPEN = "<bell>" body\nCLOSE = "</bell>"',
  ),
  "left recursion": own("Block = call 'a'\ncall = Block 'b'"),
  "endless repetition": own("Block = ('a' / 'b'?)*"),
  "an alternative that is never reached": own("Block = 'a' / 'ab'"),
  "an alternative after one that always matches": own("Block = 'a'? / 'b'"),
  "groups in groups in groups": own(`Block = ${"(".repeat(11)}"a"${")".repeat(11)}`),
  "an import of a file that there is not, and that nothing uses": bells(
    family,
    'import { Json } from "toolpeg/shared/jsn.peggy"\nOPEN = "<bell>"\nCLOSE = "</bell>"',
  ),
  "an import of a rule that there is not, and that nothing uses": bells(
    family,
    'import { Jsn } from "toolpeg/shared/json.peggy"\nOPEN = "<bell>"\nCLOSE = "</bell>"',
  ),
  "an opener that may be nothing": bells(family, 'OPEN = ""\nCLOSE = "</bell>"'),
  "a marker that is no literal": own("Block = CLOSE\nCLOSE = 'a'?"),
  "a misspelt place that nothing uses": bells(family, 'OPEN  = "<bell>"\nCLOSE = "</bell>"\nSynk  = CLOSE'),
  "a misspelt rule that reading comes to by its name": bells(
    family,
    'OPEN  = "<bell>"\nCLOSE = "</bell>"\nsynk  = CLOSE\ntrailling = CLOSE',
  ),
  "a misspelt role that is used": own('OPEN = "<bell>"\nBlock = OPEN Payloud\nPayloud = "{}"'),
  "an example that shows no arguments": shown("<c ring></c>"),
  "an example that has no opener": bells(family, 'OPEN  = "<ring>"\nCLOSE = "</ring>"'),
};

describe.each(Object.entries({ header, rules }))("in the %s", (_, grammars) => {
  test.each(Object.entries(grammars))("%s", (_, text) => {
    const errors = checkGrammar(text, { path: "grammars/bells.peggy", load }).map(formatGrammarError);
    expect(errors.length).toBeGreaterThan(0);
    expect(`\n${errors.join("\n\n")}\n`).toMatchSnapshot();
  });
});

test("an example that shows one call, and one argument", () => {
  const text = shown("<c ring><a>north</></c>")
    .replace("Arguments?", "pair*")
    .replace("Arguments = Json", 'pair = "<" Key ">" Text "</>"\nKey = [a-z]+\nText = [^<]+');
  const warnings = grammarWarnings(text, { path: "grammars/bells.peggy", load });
  const found = warnings.filter(({ sourceLine }) => sourceLine === "// example:").map(formatGrammarError);
  expect(`\n${found.join("\n\n")}\n`).toMatchSnapshot();
});

test("a rule that nothing uses", () => {
  const text = bells(family, 'OPEN  = "<bell>"\nCLOSE = "</bell>"\nspare = "x"');
  const warnings = grammarWarnings(text, { path: "grammars/bells.peggy", load }).map(formatGrammarError);
  expect(`\n${warnings.join("\n\n")}\n`).toMatchSnapshot();
});

/** The messages that a file of the compiler gives to the functions which make refusals, as patterns. */
function messagesIn(path: string): RegExp[] {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const constants = new Map<string, ts.Expression[]>();
  const given: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer) {
      const name = node.name.getText();
      constants.set(name, [...(constants.get(name) ?? []), node.initializer]);
    }
    if (ts.isCallExpression(node) && /^(grammarError|refuse|refuseValue)$/.test(node.expression.getText())) {
      given.push(...node.arguments);
    }
    node.forEachChild(visit);
  };
  visit(source);
  const patternsOf = (node: ts.Expression): string[] => {
    if (ts.isStringLiteralLike(node)) return [escaped(node.text)];
    if (ts.isTemplateExpression(node)) {
      const rest = node.templateSpans.map(({ literal }) => `.+?${escaped(literal.text)}`);
      return [escaped(node.head.text) + rest.join("")];
    }
    if (ts.isConditionalExpression(node)) return [...patternsOf(node.whenTrue), ...patternsOf(node.whenFalse)];
    return ts.isIdentifier(node) ? (constants.get(node.text) ?? []).flatMap(patternsOf) : [];
  };
  // What is given besides are names of keys, and a clause of a help that goes on.
  return given
    .flatMap(patternsOf)
    .filter((pattern) => pattern.includes(" "))
    .map((pattern) => new RegExp(pattern));
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

test("every refusal of the compiler is shown in a snapshot that people read", () => {
  const shown = [
    "__snapshots__/grammar-messages.test.ts.snap",
    ...["grammar-silence", "compiler-front", "streaming-check", "compile"].map((name) => `${name}.test.ts`),
  ]
    .map((file) => readFileSync(join(projectRoot, "test", file), "utf8").replace(/\\(.)/g, "$1"))
    .join("\n");
  const folder = join(projectRoot, "src/compiler");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const patterns = files.flatMap((file) => messagesIn(join(folder, file)));
  expect(patterns.length).toBeGreaterThan(50);
  expect(patterns.filter((pattern) => !pattern.test(shown))).toEqual([]);
});
