import { describe, expect, it } from "vitest";
import type { ValueLevel } from "../src/contract/repairs.ts";
import type { JsonSchema } from "../src/contract/types.ts";
import {
  jsonrepair,
  type RepairJsonOptions,
  RepairReader,
  repairJson,
  ValueBuilder,
} from "../src/json-repair/index.ts";

/** Where something is repaired, its text carries the kind and what is damaged: `‹extra-comma ,›`, `‹missing-comma›`. */
type Row = [marked: string, value: unknown, level: ValueLevel, options?: RepairJsonOptions];

/** Kinds that have one reading; what is cut is `truncated`, and all else a guess. */
const safe =
  "odd-blank escaped-blank fence trailing-marker raw-control-character escaped-apostrophe " +
  "quote-style literal-spelling bare-key extra-comma";
/** Kinds that depend on what stands around: the level of a row says which. */
const either = "number-spelling comment escaped-document missing-colon missing-comma surplus-closer";

function levelOf(kind: string): ValueLevel | undefined {
  if (either.split(" ").includes(kind)) return undefined;
  if (kind.startsWith("cut-") || kind === "missing-closer") return "truncated";
  return safe.split(" ").includes(kind) ? "safe" : "guess";
}

const textAndNumber: JsonSchema = { type: "object", properties: { u: { type: "string" }, n: { type: "integer" } } };
const listOf = (items: JsonSchema = true) => ({ type: "array", items }) as const;

/** Takes the marks out of a text. */
function readMarks(marked: string): { text: string; places: string[] } {
  let text = "";
  const places: string[] = [];
  const open: [place: number, kind: string, start: number][] = [];
  for (const [part, kind] of marked.matchAll(/‹([a-z-]+) ?|›|[^‹›]+/g)) {
    if (kind !== undefined) open.push([places.push("") - 1, kind, text.length]);
    else if (part !== "›") text += part;
    else {
      const [place, ofPlace, start] = open.pop() ?? [];
      if (place === undefined) throw new Error(`a mark ends that has not begun: ${marked}`);
      places[place] = `${ofPlace} ${start}-${text.length}`;
    }
  }
  return { text, places };
}

/** Reads each row, and compares value, level, and the repairs with their places. */
function check(rows: Row[]): void {
  const cases = rows.map(([marked, ...expected]) => ({ ...readMarks(marked), expected }));
  it.each(cases)("$text", ({ text, places, expected: [value, level, options] }) => {
    const result = repairJson(text, options);
    if (!result.ok) throw new Error(`${result.reason}: ${result.message}`);
    expect(result.value).toEqual(value);
    expect(result.level).toBe(level);
    expect(result.repairs.map(({ kind, start, end }) => `${kind} ${start}-${end}`)).toEqual(places);
    for (const { kind, level: own } of result.repairs) expect(own, kind).toBe(levelOf(kind) ?? own);
    expect(result.complete).toBe(result.repairs.every((repair) => repair.level !== "truncated"));
  });

  it("makes no difference of how they are cut", () => {
    for (const { text, expected } of cases) {
      const final = expected[2]?.final === true;
      const whole = readCut(text, [], final);
      const everywhere = Array.from({ length: text.length }, (_, at) => at);
      for (const cuts of [everywhere, ...everywhere.map((at) => [at])]) {
        expect(readCut(text, cuts, final), `${text} cut at ${cuts}`).toBe(whole);
      }
    }
  });
}

/** All that a reader sends of a text that comes in pieces. */
function readCut(text: string, cuts: readonly number[], final: boolean): string {
  const builder = new ValueBuilder();
  const reader = new RepairReader(builder, { ends: ["</tool_call>", "<|im_end|>"] });
  for (const [index, end] of [...cuts, text.length].entries()) reader.push(text.slice(cuts[index - 1] ?? 0, end));
  reader.finish(final);
  const { state, end, endedBy, closersMissing, repairs, failure, contradicts, plans } = reader;
  return JSON.stringify([
    builder.value,
    state,
    end,
    endedBy,
    closersMissing,
    repairs,
    failure,
    contradicts,
    [...plans],
  ]);
}

function refuse(rows: [text: string, reason: string][]): void {
  it.each(rows)("%s is refused", (text, reason) => {
    expect(repairJson(text)).toMatchObject({ ok: false, reason });
  });
}

describe("valid JSON is the answer of JSON.parse", () => {
  check([
    ['{"path":"C:\\new.txt"}', { path: "C:\new.txt" }, "none"],
    ['{"a":"```json\\n{}\\n```","b":"</tool_call>"}', { a: "```json\n{}\n```", b: "</tool_call>" }, "none"],
    ['{"id":12345678901234567890}', { id: 12345678901234567890 }, "none"],
    ['"\\ud900"', "\ud900", "none"],
    ['{"a":1,"a":2}', { a: 2 }, "none"],
  ]);
});

describe("white space and noise", () => {
  check([
    ['‹odd-blank \ufeff›{"a":1}', { a: 1 }, "safe"],
    ['{"q":"a\u00a0b",‹odd-blank \u200b›"n":‹odd-blank \u3000›1}', { q: "a\u00a0b", n: 1 }, "safe"],
    ['{‹escaped-blank \\n›"q":1,‹escaped-blank \\t›"r":2}', { q: 1, r: 2 }, "safe"],
    ['‹fence ```json›\n{"a":"x ``` y"}\n```', { a: "x ``` y" }, "safe"],
    ['‹fence ```›\n{"a":"x"‹missing-closer›', { a: "x" }, "truncated"],
    ["‹fence ~~~›\n[1]\n~~~", [1], "safe"],
    ['‹surrounding-prose Here:\n›‹fence ```json\n›{"a":"b"}\n```\n‹surrounding-prose Done›', { a: "b" }, "guess"],
    ['‹surrounding-prose Result: ›{"r":1} ‹surrounding-prose ok›', { r: 1 }, "guess"],
    ['{"r":"x"} ‹surrounding-prose said "ok"›', { r: "x" }, "guess"],
    ['{"r":1}\n‹trailing-marker </tool_call>›‹trailing-marker <|im_end|>›', { r: 1 }, "safe"],
    ['{"r":1}‹surrounding-prose </unheard-of>›', { r: 1 }, "guess"],
    ['{"r":1 ‹comment /* x */›, ‹comment // y "z": 1›\n"s":2}\n‹comment # end›', { r: 1, s: 2 }, "guess"],
    ['{"r":"1" ‹comment /* x */›, ‹comment // y z 1›\n"s":2}\n‹comment # end›', { r: "1", s: 2 }, "safe"],
    ['{"r":‹comment /* x */›1}', { r: 1 }, "guess"],
    ['["x" ‹comment // </tool_call>›\n]', ["x"], "guess"],
    ["[1024 ‹comment // 3›\n]", [1024], "guess"],
    ['{"r":"x" ‹comment /* , "s": true */›}', { r: "x" }, "guess"],
    ['{"r":1} ‹comment /* , "s": true */›‹surplus-closer }›', { r: 1 }, "guess"],
    ['{"r":1} ‹comment /* , "s": true */›‹extra-comma ,›', { r: 1 }, "guess"],
    ['{"u":‹bare-word #1›\n}', { u: "#1" }, "guess"],
    ["[7, 8, ‹ellipsis ...›]", [7, 8], "guess"],
    ['{"a":"x" ‹ellipsis ...›, "n":1}', { a: "x", n: 1 }, "guess"],
    ['‹escaped-document {\\"r\\":\\"a\\\\nb\\"}›', { r: "a\nb" }, "safe"],
    ['‹surrounding-prose [INFO] ›{"a":1}', { a: 1 }, "guess"],
    ['‹assignment r = ›{"x":1}‹assignment ;›', { x: 1 }, "guess"],
    ['‹assignment callback(›{"x":1}‹surplus-closer )›‹assignment ;›', { x: 1 }, "guess"],
    ['‹surrounding-prose `›{"a":1}‹surrounding-prose `›', { a: 1 }, "guess"],
    ['‹fence ```›{"a":1}```', { a: 1 }, "safe"],
    ['{"a":1}‹fence ```›', { a: 1 }, "safe"],
    ['{"a":1}‹fence ~~~›', { a: 1 }, "safe"],
    ['{"a":1}‹surrounding-prose ``›', { a: 1 }, "guess"],
    ['{"a":1}‹surrounding-prose ``` x›', { a: 1 }, "guess"],
    ['‹surrounding-prose Text ```›{"a":1}‹fence ```›', { a: 1 }, "guess"],
    ['‹surrounding-prose x```\n›{"a":1}\n‹fence ```›', { a: 1 }, "guess"],
    ['‹surrounding-prose text\n›‹fence ~~~\n›{"a":1‹extra-comma ,›}\n~~~\n', { a: 1 }, "guess"],
    ['‹surrounding-prose ```js\nx = ›{"a":1}\n‹fence ```›', { a: 1 }, "guess"],
    ['{"a":1}‹assignment ;›', { a: 1 }, "guess"],
    ['{"a":1}‹surrounding-prose ;;›', { a: 1 }, "guess"],
    ['‹assignment let x = ›{"a":1}‹assignment ;›', { a: 1 }, "guess"],
    ['‹assignment a := ›{"a":1}', { a: 1 }, "guess"],
    ['‹assignment return ›{"a":1}‹assignment ;›', { a: 1 }, "guess"],
    ['‹assignment export default ›{"a":1}', { a: 1 }, "guess"],
    ['‹surrounding-prose a b = ›{"a":1}', { a: 1 }, "guess"],
    ['‹assignment f(›{"a":1‹extra-comma ,›}‹surplus-closer )›', { a: 1 }, "guess"],
    ['‹surrounding-prose f(g(›{"a":1}‹surplus-closer ))›', { a: 1 }, "guess"],
    ['‹surrounding-prose f(›{"a":1}‹surplus-closer )› ‹surrounding-prose and more›', { a: 1 }, "guess"],
    ['‹surrounding-prose "quoted" then ›{"a":1}', { a: 1 }, "guess"],
    ['"He said‹inner-quote "› and left‹cut-string›', 'He said" and left', "guess"],
    ['{"a":"b"}‹trailing-marker </tool_call>› ‹surrounding-prose and›', { a: "b" }, "guess"],
    ['‹surrounding-prose x ›‹escaped-document {\\"a\\":1}› ‹surrounding-prose y›', { a: 1 }, "guess"],
    ['‹escaped-document [\\"a\\"]›', ["a"], "safe"],
    ['{"a":1,‹ellipsis ...›}', { a: 1 }, "guess"],
    ['{"a":1, ‹ellipsis ...›, "b":2}', { a: 1, b: 2 }, "guess"],
    ['{"a": ‹ellipsis ...›, "b":1}', { b: 1 }, "guess"],
    ['{"a":‹ellipsis ...›}', {}, "guess"],
    ["[1 ‹ellipsis ....›]", [1], "guess"],
    ["[1, ‹ellipsis …› ]", [1], "guess"],
    ['{"a":1}‹comment //x›', { a: 1 }, "safe"],
    ['{"a":1}‹surrounding-prose #x›', { a: 1 }, "guess"],
    ['{"a":1} ‹comment #x›', { a: 1 }, "safe"],
    ['{"a":‹bare-word http://x.y/z›}', { a: "http://x.y/z" }, "guess"],
    ['{"a":1‹cut-comment /*x}›‹missing-closer›', { a: 1 }, "truncated"],
    ['‹surrounding-prose <tool_call>›{"a":1}‹trailing-marker </tool_call>›', { a: 1 }, "guess"],
    ['‹surrounding-prose x ›‹escaped-document {\\"a\\":1}›', { a: 1 }, "guess"],
    ['‹escaped-document {\\"a\\":1}›‹trailing-marker </tool_call>›', { a: 1 }, "safe"],
    ['‹fence ```json\n›‹escaped-document {\\"a\\":1}›\n```', { a: 1 }, "safe"],
    ['‹escaped-document {"a": \\"x\\"}›', { a: "x" }, "guess"],
    ["‹escaped-document {&quot;a&quot;: &#34;b &amp; &lt;c&gt;&#x22;‹extra-comma ,›}›", { a: "b & <c>" }, "guess"],
    [
      "‹escaped-document ‹surrounding-prose x ›[&quot;&#128516;&quot;, &QUOT;&#9999999;&QUOT;]›",
      ["\u{1f604}", "&#9999999;"],
      "guess",
    ],
    ["‹escaped-document {‹bare-key a›: [1, &quot;b&quot;]}›", { a: [1, "b"] }, "guess"],
    ['{"a": "&quot;b&quot;"‹extra-comma ,›}', { a: "&quot;b&quot;" }, "safe"],
    ["{‹quote-style '›a': ‹quote-style '›b, &quot;c&quot;'}", { a: "b, &quot;c&quot;" }, "safe"],
  ]);
  refuse([
    ["{&quot;a&quot;: 1}\n{&quot;a&quot;: 2}", "several-documents"],
    ["", "no-value"],
    [" \n\t ", "no-value"],
    ["hello", "no-value"],
    ["use {tool} here", "no-value"],
    [":::", "no-value"],
    ['either {"a":1} or {"b":2}', "several-documents"],
    ...[
      "[]",
      "[-1]",
      "[2]",
      "[[1]]",
      "[{}]",
      "{}",
      "[true]",
      "[null]",
      "[None]",
      "{b:1}",
      "['x']",
      '{ "b" :1}',
      "{1:2}",
    ].flatMap((other): [string, string][] => [
      [`{"a":1} or ${other}`, "several-documents"],
      [`so ${other} or {"a":1}`, "several-documents"],
    ]),
    ['{"a":1} or {\\"b\\":1}', "several-documents"],
    ['so {\\"b\\":1} or {"a":1}', "escaped-document"],
    ['{"a":1}\n{"a":2}', "several-documents"],
    ['{"a":1},{"a":2}', "several-documents"],
    ['{\\"a\\":1', "escaped-document"],
    ['{"p":"C:\\\\temp","o":{\\"b\\":1}}', "escaped-document"],
    ['so {"a":1},{"b":2}', "several-documents"],
    ['so {"a":1} {"b"', "several-documents"],
    ['{"a":1}"b"', "trailing-text"],
    ['{"a":1}:', "trailing-text"],
    ['{"a":1}, b:2}', "several-documents"],
    ["[1],[2]", "several-documents"],
    ["{:1}", "unexpected-character"],
    ["{\\}", "unexpected-character"],
    ['{"a":\\1}', "unexpected-character"],
    ['"', "no-value"],
    ["-", "truncated"],
  ]);
});

describe("escapes", () => {
  check([
    ['{"t":"up‹raw-control-character \r\ndown\t\n›"}', { t: "up\r\ndown\t\n" }, "safe"],
    ['{"k‹raw-control-character \n›ey":"v"}', { "k\ney": "v" }, "safe"],
    ['{"t":"it‹escaped-apostrophe \\\'›s"}', { t: "it's" }, "safe"],
    ['{"t":"‹invalid-escape \\q \\%›"}', { t: "\\q \\%" }, "guess"],
    ['{"t":"‹invalid-unicode-escape \\u12G4 \\u›ZZ"}', { t: "\\u12G4 \\uZZ" }, "guess"],
    ['{"t":"R:‹invalid-escape \\o›pt‹unescaped-backslashes \\n›ine"}', { t: "R:\\opt\\nine" }, "guess"],
    ['{"t":‹unescaped-backslashes "R:\\n›ew‹invalid-escape \\o›pt"}', { t: "R:\\new\\opt" }, "guess"],
    ['{"t":"a\\nb \\\\ ‹invalid-escape \\q›"}', { t: "a\nb \\ \\q" }, "guess"],
    ['{"t":"‹invalid-escape \\q›\\n \\"x\\""}', { t: '\\q\n "x"' }, "guess"],
    ['{"d":"R:‹invalid-escape \\o›pt‹swallowed-quote \\"›,"n":0}', { d: "R:\\opt\\", n: 0 }, "guess"],
    ['{"d":‹unescaped-backslashes "R:\\n›ew‹swallowed-quote \\"›,"n":0}', { d: "R:\\new\\", n: 0 }, "guess"],
    ['{"d":"C:‹swallowed-quote \\"›}', { d: "C:\\" }, "guess"],
    ['{"t":"say \\"x\\", \\"y\\""‹extra-comma ,›}', { t: 'say "x", "y"' }, "safe"],
    ['{"t":"\\ud900"‹extra-comma ,›}', { t: "\ud900" }, "safe"],
    ['{"re":‹string-prefix r›"\\d\\n","b":‹string-prefix b›"x"}', { re: "\\d\\n", b: "x" }, "guess"],
    [
      '{"a":‹unescaped-backslashes "›\\u00e9‹invalid-unicode-escape \\u›00zz"‹extra-comma ,›}',
      { a: "\\u00e9\\u00zz" },
      "guess",
    ],
    ['{"a":"‹invalid-escape \\x›41"‹extra-comma ,›}', { a: "\\x41" }, "guess"],
    ['{"a":"x‹invalid-escape \\‹raw-control-character \n››y"}', { a: "x\\\ny" }, "guess"],
  ]);
});

describe("where strings end", () => {
  check([
    ['{"t":"a ‹inner-quote "big"› dog"}', { t: 'a "big" dog' }, "guess"],
    ['{"t":"a ‹inner-quote "dog"›"}', { t: 'a "dog"' }, "guess"],
    ['{"t":"‹inner-quote "Yes"› is it", "u":""}', { t: '"Yes" is it', u: "" }, "guess"],
    ['{"t":"a ‹inner-quote "dog"›, a cat"}', { t: 'a "dog", a cat' }, "guess"],
    ['{"t":"5‹inner-quote " x 7"›","u":"3‹inner-quote "›"}', { t: '5" x 7"', u: '3"' }, "guess"],
    ['["5‹inner-quote "› disk","3‹inner-quote "› disk"]', ['5" disk', '3" disk'], "guess"],
    ['["say ‹inner-quote "yes", "no" or "maybe"›","x"]', ['say "yes", "no" or "maybe"', "x"], "guess"],
    ['{"t":"x","y":"z"‹extra-comma ,›}', { t: "x", y: "z" }, "safe"],
    ['{"t":"{‹inner-quote "u":1,"v":"2"›}","k":1}', { t: '{"u":1,"v":"2"}', k: 1 }, "guess"],
    [
      '{"t":"m = {‹inner-quote "u": "1", "k"›: 2}","k":1}',
      { t: 'm = {"u": "1", "k": 2}', k: 1 },
      "guess",
      { keys: ["t", "k"] },
    ],
    ['{"t":"a‹inner-quote ", "b"›: c","n":1}', { t: 'a", "b": c', n: 1 }, "guess", { keys: ["t", "n"] }],
    ['{"t":"one, ‹inner-quote "b"›: 2 end","n":3}', { t: 'one, "b": 2 end', n: 3 }, "guess", { keys: ["t", "n"] }],
    ['{"a":1,"z":"q","zz":"p"‹extra-comma ,›}', { a: 1, z: "q", zz: "p" }, "safe", { keys: ["a"] }],
    ['{"code":"if (x == ‹inner-quote "{"›) { y","n":1}', { code: 'if (x == "{") { y', n: 1 }, "guess"],
    ["{‹quote-style '›t':‹quote-style '›x \"y\"',‹quote-style '›u':\"it's\"}", { t: 'x "y"', u: "it's" }, "safe"],
    ['{‹quote-style “›t”:‹quote-style “›he "x"”,‹quote-style `›u`:‹quote-style `›v`}', { t: 'he "x"', u: "v" }, "safe"],
    ["{‹quote-style '›t':‹quote-style '›a dog‹inner-quote '›s tail'}", { t: "a dog's tail" }, "guess"],
    [
      "{‹quote-style '›c':‹triple-quote '''›a = \"x\"‹raw-control-character \nb = 'y'\n›''',‹quote-style '›k':1}",
      { c: "a = \"x\"\nb = 'y'\n", k: 1 },
      "guess",
    ],
    ['{‹doubled-quote ""a""›:""b"",""n"":1}', { a: "b", n: 1 }, "guess"],
    ['{"":{"":1}‹extra-comma ,›}', { "": { "": 1 } }, "safe"],
    ['{"t":"x‹missing-closing-quote›, "u":1}', { t: "x", u: 1 }, "guess"],
    ['{"t":‹missing-opening-quote x"›, "u":1}', { t: "x", u: 1 }, "guess"],
    ['{‹missing-key-quote name"›: "Ada"}', { name: "Ada" }, "guess"],
    ['{"name‹missing-key-quote›: "Ada", "k": "v"}', { name: "Ada", k: "v" }, "guess"],
    ['{"k": "v", "list‹missing-key-quote›: ["a"]}', { k: "v", list: ["a"] }, "guess"],
    ['{"t":"x‹adjacent-strings " "›y"}', { t: "xy" }, "guess"],
    ['"{‹inner-quote "a"›:1}"', '{"a":1}', "guess"],
    ['{"‹inner-quote "›a":1}', { '"a': 1 }, "guess"],
    ['{"‹inner-quote "a"›b":1}', { '"a"b': 1 }, "guess"],
    ['{"x":1,"‹inner-quote "a"›":2}', { x: 1, '"a"': 2 }, "guess"],
    ["{‹quote-style '›‹inner-quote 'a'›':1}", { "'a'": 1 }, "guess"],
    ['{"" :1‹extra-comma ,›}', { "": 1 }, "safe"],
    ['{"a‹inner-quote ";"›b":1}', { 'a";"b': 1 }, "guess"],
    ['{"a":‹missing-opening-quote xr"b"›}', { a: 'xr"b' }, "guess"],
    ['{"a":‹missing-opening-quote rx"b"›}', { a: 'rx"b' }, "guess"],
    ['{"t":"if (x) {‹inner-quote "y"›"}', { t: 'if (x) {"y"' }, "guess"],
    ['{"t":"say {‹inner-quote "x"›"}', { t: 'say {"x"' }, "guess"],
    ['{"t":"a[‹inner-quote "k"›] = {"}', { t: 'a["k"] = {' }, "guess"],
    ['{"a‹inner-quote " "b" "›c":1}', { 'a" "b" "c': 1 }, "guess"],
    ['{"a‹missing-key-quote›: 1, "b": 2}', { a: 1, b: 2 }, "guess"],
    ['{"a‹missing-key-quote›: "x", "b": 2}', { a: "x", b: 2 }, "guess"],
    ['{"a":"x‹missing-closing-quote›, "b":"y"}', { a: "x", b: "y" }, "guess"],
    ['{"a":"x, y‹missing-closing-quote›, "b":1}', { a: "x, y", b: 1 }, "guess"],
    ["{‹quote-style '›a':‹quote-style '›x‹missing-closing-quote›, ‹quote-style '›b':1}", { a: "x", b: 1 }, "guess"],
    ['{‹missing-key-quote a"›:1,‹missing-key-quote b"›:2}', { a: 1, b: 2 }, "guess"],
    ['{"a":1,‹missing-key-quote b"›:2}', { a: 1, b: 2 }, "guess"],
    ["{‹bare-key a›:{‹bare-key b›:[‹bare-word c:1›]}}", { a: { b: ["c:1"] } }, "guess"],
    ['{"t":"x‹adjacent-strings " /* y */ "›z"}', { t: "xz" }, "guess"],
    ['[‹missing-opening-quote 1"a"›]', ['1"a'], "guess"],
    ['{"a":‹bare-word true"b":1›}', { a: 'true"b":1' }, "guess"],
    ['{"grade":‹missing-opening-quote B"›, "n":1}', { grade: "B", n: 1 }, "guess"],
    ['[‹missing-opening-quote b"›,"c"]', ["b", "c"], "guess"],
    ['{"a":‹string-prefix r›"}"}', { a: "}" }, "guess"],
    ['{"t":"if s == ‹inner-quote ""›: return","n":2}', { t: 'if s == "": return', n: 2 }, "guess"],
    ['{"t":"x‹adjacent-strings "+"›y"}', { t: "xy" }, "guess"],
    ['{"t":["27‹inner-quote "›","32‹inner-quote "›"]}', { t: ['27"', '32"'] }, "guess"],
    ['["f(‹inner-quote "x", "y"›)","z"]', ['f("x", "y")', "z"], "guess"],
    ['["a",‹string-prefix r›"\\d"]', ["a", "\\d"], "guess"],
    ['["a‹inner-quote "›, b","c"]', ['a", b', "c"], "guess"],
    ['{"d":"C:\\\\x‹swallowed-quote \\"›, "n":0}', { d: "C:\\x\\", n: 0 }, "guess"],
    ['{"d":"C:\\\\x \\"y\\"‹missing-closing-quote›, "n":0}', { d: 'C:\\x "y"', n: 0 }, "guess"],
    ['{‹doubled-quote ""a""›:"""",""b"":""c""}', { a: "", b: "c" }, "guess"],
    ['{"p‹missing-key-quote›: [1, 2]}', { p: [1, 2] }, "guess"],
    ['[{"p‹missing-key-quote›:1}, 5]', [{ p: 1 }, 5], "guess"],
    ['‹fence ```›\n{"v":{"p":"x‹missing-closing-quote›, "q":1}}\n```', { v: { p: "x", q: 1 } }, "guess"],
    ['{‹bare-key a›:"x", ‹bare-key b›:‹bare-word c d›}', { a: "x", b: "c d" }, "guess"],
    ['{"t":"a", ‹bare-key u›:‹bare-word b›, "w":1}', { t: "a", u: "b", w: 1 }, "guess"],
    ['{"t":"Hi‹inner-quote "›, then: go"}', { t: 'Hi", then: go' }, "guess"],
  ]);
});

describe("literals, numbers, words", () => {
  check([
    [
      "{‹quote-style '›a':‹literal-spelling True›,‹quote-style '›b':‹literal-spelling FALSE›,‹quote-style '›c':‹literal-spelling None›}",
      { a: true, b: false, c: null },
      "safe",
    ],
    ["[‹undefined undefined›]", [null], "guess"],
    ["[‹non-finite-number NaN›,‹non-finite-number -Infinity›,‹non-finite-number 1e999›]", [null, null, null], "guess"],
    [
      "[‹number-spelling +8›,‹number-spelling .8›,‹number-spelling 8.›,‹number-spelling -.5›]",
      [8, 0.8, 8, -0.5],
      "safe",
    ],
    ["[‹number-as-text 0088›,‹number-as-text 0x1F›,‹number-as-text 8_000›]", ["0088", "0x1F", "8_000"], "guess"],
    [
      "[‹number-as-text 0088›,‹number-as-text 0x1F›,‹number-as-text 8_000›]",
      [88, 31, 8000],
      "guess",
      { schema: { items: { type: "integer" } } },
    ],
    ['{"t":‹thousands-comma 8,000›,"u":1}', { t: "8,000", u: 1 }, "guess"],
    ['{"t":‹thousands-comma 8,000›}', { t: 8000 }, "guess", { schema: { properties: { t: { type: "number" } } } }],
    ['{"t":‹precision 99999999999999999999›‹extra-comma ,›}', { t: 1e20 }, "guess"],
    ['{"q":‹bare-word green tea›,"n":2}', { q: "green tea", n: 2 }, "guess"],
    [
      '{"v":‹number-as-text 1.2.3›,"at":‹bare-word 2025-03-04T10:20:30Z›,"p":‹bare-word 8px›,"f":‹number-as-text 1/2›}',
      { v: "1.2.3", at: "2025-03-04T10:20:30Z", p: "8px", f: "1/2" },
      "guess",
    ],
    ["[‹bare-word http://h.test/a›, ‹bare-word b›]", ["http://h.test/a", "b"], "guess"],
    ["{‹bare-key file-name›:1,‹bare-key $ref›:2,‹bare-key 日付›:3}", { "file-name": 1, $ref: 2, 日付: 3 }, "safe"],
    ['{"d":‹constructor-call new Date("2020, x")›,"k":1}', { d: 'new Date("2020, x")', k: 1 }, "guess"],
    ['{"t":‹tuple (›7,"x"),"s":{"a"‹tuple›,"b"}}', { t: [7, "x"], s: ["a", "b"] }, "guess"],
    ["[1e5,1E+5,-1.5e-3,0.10‹extra-comma ,›]", [1e5, 1e5, -0.0015, 0.1], "safe"],
    [
      "[‹number-spelling +.5›,‹number-spelling -8.›,‹number-spelling 1.e5›,‹number-spelling +0›‹extra-comma ,›]",
      [0.5, -8, 1e5, 0],
      "safe",
    ],
    [
      "[‹number-as-text 01.5›,‹number-as-text 00›,‹number-as-text -007›,‹number-as-text +1_000›,‹number-as-text 0b11›,‹number-as-text 0o17›,‹number-as-text 1_›]",
      ["01.5", "00", "-007", "+1_000", "0b11", "0o17", "1_"],
      "guess",
    ],
    [
      "[‹number-as-text 01.5›,‹number-as-text 00›,‹number-as-text -007›,‹number-as-text +1_000›,‹number-as-text 0b11›,‹number-as-text 0o17›,‹number-as-text -0x1F›,‹number-as-text 1_000.5›,‹number-as-text 0xFFFFFFFFFFFFFFFFFFFF›]",
      [1.5, 0, -7, 1000, 3, 15, -31, 1000.5, "0xFFFFFFFFFFFFFFFFFFFF"],
      "guess",
      { schema: { items: { type: "number" } } },
    ],
    [
      "[‹bare-word 0xZZ›,‹bare-word 0b2›,‹bare-word 1e›,‹bare-word --1›,‹number-as-text -›,‹number-as-text 1.5.›]",
      ["0xZZ", "0b2", "1e", "--1", "-", "1.5."],
      "guess",
    ],
    ["[‹literal-spelling TRUE›,‹literal-spelling nOnE›,‹literal-spelling Null›]", [true, null, null], "safe"],
    ["[‹bare-word truee›,‹bare-word nul›]", ["truee", "nul"], "guess"],
    [
      "[‹non-finite-number -NaN›,‹non-finite-number +Infinity›,‹non-finite-number nan›,‹non-finite-number -inf›,‹non-finite-number Inf›]",
      [null, null, null, null, null],
      "guess",
    ],
    ["[9007199254740991,-9007199254740991,1e21‹extra-comma ,›]", [9007199254740991, -9007199254740991, 1e21], "safe"],
    [
      "[‹precision 9007199254740993›,[‹precision -9007199254740993›]‹extra-comma ,›]",
      [9007199254740992, [-9007199254740992]],
      "guess",
    ],
    [
      "[‹precision 9007199254740993›‹extra-comma ,›]",
      ["9007199254740993"],
      "guess",
      { schema: { items: { type: "string" } } },
    ],
    ['{"a":‹thousands-comma 1,234,567.5›}', { a: "1,234,567.5" }, "guess"],
    [
      '{"a":‹thousands-comma -1,234›‹extra-comma ,›}',
      { a: -1234 },
      "guess",
      { schema: { properties: { a: { type: "integer" } } } },
    ],
    ["[8,‹number-as-text 00›]", [8, "00"], "guess"],
    ["{‹bare-key 1›:2}", { 1: 2 }, "safe"],
    ["{‹tuple›‹bare-word a›}", ["a"], "guess"],
    ["{‹tuple›[1]}", [[1]], "guess"],
    ['{"a"‹tuple›}', ["a"], "guess"],
    ['{"a"‹tuple›,1}', ["a", 1], "guess"],
    [
      '{"a":‹string-prefix R›"\\d","b":‹string-prefix Rb›"x","c":‹string-prefix fR›"x","d":‹string-prefix u›"x","e":‹string-prefix rf›"x","f":‹string-prefix bR›"x","g":‹string-prefix F›"x","h":‹string-prefix B›"x"}',
      { a: "\\d", b: "x", c: "x", d: "x", e: "x", f: "x", g: "x", h: "x" },
      "guess",
    ],
    ['{"a":[‹tuple (›1,2),[3]]}', { a: [[1, 2], [3]] }, "guess"],
    ['{"a":‹bare-word truefalse›}', { a: "truefalse" }, "guess"],
    ['‹tuple (›{"a":1})', [{ a: 1 }], "guess"],
    ['‹tuple (›{"a":1},)', [{ a: 1 }], "guess"],
    ["‹tuple (›1,2)", [1, 2], "guess"],
    ['{"a":‹tuple (1)›}', { a: 1 }, "guess"],
    ['{"a":‹constructor-call ObjectId("1f")›}', { a: "1f" }, "guess"],
    ['[‹missing-braces›"a":"b"‹missing-inner-closer›]', [{ a: "b" }], "guess"],
    ['["a‹missing-closing-quote›,"b"]', ["a", "b"], "guess"],
    ['"a‹adjacent-strings " + "›b"', "ab", "guess"],
    ['{"a":‹tuple (›1,)}', { a: [1] }, "guess"],
    ['{"a":‹tuple (›)}', { a: [] }, "guess"],
    ['{"a":{‹tuple›1,2}}', { a: [1, 2] }, "guess"],
  ]);
});

describe("commas, colons, closers", () => {
  check([
    ['{‹extra-comma ,›"a":1,‹extra-comma ,›"b":[2‹extra-comma ,›]‹extra-comma ,›}', { a: 1, b: [2] }, "safe"],
    ["[7,‹array-hole ,›8]", [7, 8], "guess"],
    ['{"a":1‹missing-comma› "b":{}‹missing-comma› "c":[1‹missing-comma›\n2]}', { a: 1, b: {}, c: [1, 2] }, "safe"],
    ["[10‹missing-comma› 500]", [10, 500], "guess"],
    ["[5‹missing-comma› -3]", [5, -3], "guess"],
    ['["a"‹missing-comma›\n"b"]', ["a", "b"], "safe"],
    // Without the line break it is one number.
    ["[‹number-spelling 1.›‹missing-comma›\n5]", [1, 5], "guess"],
    ['{"a":1‹missing-comma› ‹bare-key b›:2}', { a: 1, b: 2 }, "guess"],
    ['{"a":1‹missing-comma›\n‹bare-key b›:2}', { a: 1, b: 2 }, "safe"],
    ['{"a":"x"‹missing-comma› "b":"y"}', { a: "x", b: "y" }, "safe", { keys: ["a", "b"] }],
    ['{"a":[]‹missing-comma› "b":"y"}', { a: [], b: "y" }, "safe"],
    ["[[1]‹missing-comma› [2]]", [[1], [2]], "safe"],
    ["[[1]‹missing-comma› 2]", [[1], 2], "guess"],
    ['{"a":"x"‹missing-comma›\n"b":"y"}', { a: "x", b: "y" }, "safe"],
    ['{"a":"x"‹missing-comma› "b":"y"}', { a: "x", b: "y" }, "guess"],
    ['{"a"‹missing-colon› 1,"b"‹missing-colon› [2]}', { a: 1, b: [2] }, "safe"],
    ['{"a"‹missing-colon› "x","b" ‹missing-colon =› 1,"c"‹missing-colon =>›"y"}', { a: "x", b: 1, c: "y" }, "guess"],
    ['{"a":1‹semicolon ;› "b":"x"‹semicolon ;› "c":2}', { a: 1, b: "x", c: 2 }, "guess"],
    ['{"a":‹missing-value›,"b":2}', { a: null, b: 2 }, "guess"],
    ['{"a"‹missing-value›,"b":2}', { a: null, b: 2 }, "guess"],
    ['{"a":[1 ‹missing-closer›', { a: [1] }, "truncated"],
    ['{"a":{"b":[1,{"c":2}‹missing-inner-closer›}‹missing-closer›', { a: { b: [1, { c: 2 }] } }, "guess"],
    ['{"a":["x",‹missing-inner-closer›"b":3}', { a: ["x"], b: 3 }, "guess"],
    ['{"a":[1,2‹wrong-closer )›}', { a: [1, 2] }, "guess"],
    ['{"a":1}‹surplus-closer }›', { a: 1 }, "safe"],
    ['{"a":{"b":1},"c":2}‹surplus-closer }›', { a: { b: 1 }, c: 2 }, "guess"],
    ['{"a":"x"‹closed-too-early }›,"b":2}', { a: "x", b: 2 }, "guess"],
    ['{‹doubled-brace {›"a":1}‹surplus-closer }›', { a: 1 }, "guess"],
    ['‹missing-braces›"a":1,"b":‹cut-number 2›', { a: 1, b: 2 }, "guess"],
    ['{"a":1,‹duplicate-key "a"›:2‹extra-comma ,›}', { a: 2 }, "guess"],
    ['{"a":1‹extra-comma ,›‹extra-comma ,,›}', { a: 1 }, "safe"],
    ["[‹array-hole ,›1]", [1], "guess"],
    ['{‹semicolon ;›"a":[‹semicolon ;›1‹semicolon ;›2]‹semicolon ;›}', { a: [1, 2] }, "guess"],
    ['{"a"‹missing-colon ==›1,"b"‹missing-colon =>›{}}', { a: 1, b: {} }, "guess"],
    ['{"a"‹missing-value›,‹bare-key b›:1}', { a: null, b: 1 }, "guess"],
    ['{"a":[‹missing-inner-closer›}', { a: [] }, "guess"],
    ["[1‹wrong-closer }›", [1], "guess"],
    ["[1]‹surplus-closer ]›‹trailing-marker </tool_call>›", [1], "guess"],
    ['{"a":1}‹surplus-closer ]›‹extra-comma ,›', { a: 1 }, "guess"],
    ['{"a":{"b":1},"c":2}‹surplus-closer }›‹extra-comma ,›', { a: { b: 1 }, c: 2 }, "guess"],
    [
      '{"a":{"b":1},"c":2}‹surplus-closer }›‹extra-comma ,›‹trailing-marker </tool_call>›',
      { a: { b: 1 }, c: 2 },
      "guess",
    ],
    ['[1‹closed-too-early ]›,"x"]', [1, "x"], "guess"],
    ['{"a":1‹closed-too-early }› "b":2}', { a: 1, b: 2 }, "guess"],
    ["{‹bare-key a›:1‹closed-too-early }›, ‹bare-key b›:2}", { a: 1, b: 2 }, "guess"],
    ["[1]‹surrounding-prose 2›", [1], "guess"],
    ["{‹doubled-brace {›}‹surplus-closer }›", {}, "guess"],
    ['‹missing-braces›"a": 1}', { a: 1 }, "guess"],
    ['{"a":[1,‹missing-inner-closer›"b":2‹wrong-closer ]›‹surplus-closer }›', { a: [1], b: 2 }, "guess"],
    ['{"a":["x", ‹missing-inner-closer›"b":2}', { a: ["x"], b: 2 }, "guess"],
    ["{‹quote-style '›a':[‹quote-style '›x', ‹missing-inner-closer›‹quote-style '›b':2}", { a: ["x"], b: 2 }, "guess"],
    ['{"a":1,"b"‹missing-colon› 2,‹quote-style \'›c\'‹missing-colon› "d"}', { a: 1, b: 2, c: "d" }, "guess"],
    ['{"a":1 ‹semicolon ;› }', { a: 1 }, "guess"],
    ['{‹cut-key "a b: 1}›‹missing-closer›', {}, "truncated"],
    ['{"a":"b‹inner-quote "c"›:1}‹cut-string›‹missing-closer›', { a: 'b"c":1}' }, "guess"],
    ['{"a":"b","c":"d"‹missing-comma› "e":"f"}', { a: "b", c: "d", e: "f" }, "guess"],
    ['[{"a":1}‹missing-comma›{"b":2}]', [{ a: 1 }, { b: 2 }], "safe"],
    ['["a"‹missing-comma›1]', ["a", 1], "guess"],
    ['[{"a":1}‹missing-comma›"b"]', [{ a: 1 }, "b"], "guess"],
    ["[[1,2],[3]]‹surplus-closer ]›", [[1, 2], [3]], "guess"],
    ['[["a","b"],"c"]‹surplus-closer ]›', [["a", "b"], "c"], "guess"],
    [
      '[["a","b"],"c"]‹surplus-closer ]›',
      [["a", "b"], "c"],
      "guess",
      { schema: { type: "array", items: listOf() }, final: true },
    ],
    [
      '[["a","b"],["c"]]‹surplus-closer ]›',
      [["a", "b"], ["c"]],
      "safe",
      { schema: listOf(listOf({ type: "string" })) },
    ],
    ['[["a","b"],"c"]‹surplus-closer ]›', [["a", "b"], "c"], "guess", { schema: listOf(listOf({ type: "string" })) }],
    ["[1,[]]‹surplus-closer ]›", [1, []], "guess", { schema: listOf(listOf()) }],
    ['{"u":"a"‹missing-comma›"n":"b"}', { u: "a", n: "b" }, "guess", { schema: textAndNumber, final: true }],
    ['{"u":"a"‹missing-comma› "n":1}', { u: "a", n: 1 }, "safe", { schema: textAndNumber, final: true }],
    ['{"a":1‹closed-too-early }›;"b":2}', { a: 1, b: 2 }, "guess"],
    ["[1]‹surplus-closer ]›", [1], "safe", { schema: listOf({ type: "integer" }) }],
    ['{"a":1}‹surplus-closer ]›', { a: 1 }, "safe", { schema: { type: "object" } }],
    ["{‹bare-key a›:[1]}‹surplus-closer ]›", { a: [1] }, "safe", { schema: { type: "object" } }],
    ['[{"a":[1]}]‹surplus-closer ]›', [{ a: [1] }], "safe", { schema: listOf({ type: "object" }) }],
    ['{"a":{"b":{"c":0‹missing-comma›\n"d":[{}]}}}‹surplus-closer }›', { a: { b: { c: 0, d: [{}] } } }, "guess"],
    ['{"b"‹missing-colon›-1}', { b: -1 }, "guess"],
    ['{"b"‹missing-colon› 1}', { b: 1 }, "safe"],
    ["[1‹missing-comma›\n-2]", [1, -2], "guess"],
    ["[1‹missing-comma›\n2]", [1, 2], "safe"],
    ['{"a":[1,2‹missing-inner-closer›}', { a: [1, 2] }, "guess"],
    ['{"a":{"b":1‹wrong-closer ]›}', { a: { b: 1 } }, "guess"],
    ['{"a":"x"‹missing-comma›"b":1}', { a: "x", b: 1 }, "guess"],
    ['{"a":"x"‹missing-comma›‹quote-style \'›b\':1}', { a: "x", b: 1 }, "guess"],
    ['{"a":"x</tool_call>‹cut-string›‹missing-closer›', { a: "x</tool_call>" }, "truncated"],
    ["{‹quote-style '›a':{‹quote-style '›b':1},‹quote-style '›c':2}‹surplus-closer }›", { a: { b: 1 }, c: 2 }, "guess"],
    ["{‹quote-style '›a':[‹quote-style '›x'],‹quote-style '›c':2}‹surplus-closer }›", { a: ["x"], c: 2 }, "safe"],
    ["{‹quote-style '›a':{‹quote-style '›b':1}}‹surplus-closer }›", { a: { b: 1 } }, "safe"],
    ['{"a":[1],"c":2}‹surplus-closer }›', { a: [1], c: 2 }, "safe"],
    ['{"a":{"b":1}‹missing-comma› "c":2}‹surplus-closer }›', { a: { b: 1 }, c: 2 }, "guess"],
    [
      "{‹quote-style '›a':{‹quote-style '›b':1}‹missing-comma›\n‹quote-style '›c':2}‹surplus-closer }›",
      { a: { b: 1 }, c: 2 },
      "guess",
    ],
    ['{"a":[1]‹missing-comma› "c":2}‹surplus-closer }›', { a: [1], c: 2 }, "guess"],
    ['{"o":{"a":{"b":1},"c":2}}‹surplus-closer }›', { o: { a: { b: 1 }, c: 2 } }, "guess"],
    ['{"a":[{"b":1}],"c":2}‹surplus-closer ]}›', { a: [{ b: 1 }], c: 2 }, "guess"],
    ["{‹quote-style '›a':[1],‹quote-style '›c':2}‹surplus-closer ]}›", { a: [1], c: 2 }, "guess"],
    ['[{"a":[1],"c":2},‹number-spelling +1›]‹surplus-closer ]›', [{ a: [1], c: 2 }, 1], "guess"],
    ['{"a":"x", "b"‹missing-colon› "y"}', { a: "x", b: "y" }, "guess"],
    ['{"a":"x", "b"‹missing-colon› "y", "c":1}', { a: "x", b: "y", c: 1 }, "guess"],
    ['{"t":[1]‹missing-comma›",u":2}', { t: [1], ",u": 2 }, "guess"],
    ["[‹bare-word 2. 5›]", ["2. 5"], "guess"],
    ['{"a":‹missing-colon :› 1,"b":‹missing-colon :›"x"}', { a: 1, b: "x" }, "guess"],
    ['{"a":‹bare-word :smile:›}', { a: ":smile:" }, "guess"],
  ]);
});

describe("cut texts", () => {
  check([
    ['{"a":"b",‹cut-key "cont›‹missing-closer›', { a: "b" }, "truncated"],
    ['{"a":"b","c":‹cut-key›‹missing-closer›', { a: "b" }, "truncated"],
    ['{"t":"x‹cut-string \\u00›‹missing-closer›', { t: "x" }, "truncated"],
    ['{"t":"x‹cut-string \\ud83d›‹missing-closer›', { t: "x" }, "truncated"],
    ['{"t":"x‹cut-string \\›‹missing-closer›', { t: "x" }, "truncated"],
    ['{"n":[1,‹cut-number 2›‹missing-closer›', { n: [1] }, "truncated"],
    ['{"n":[1,2‹missing-closer›', { n: [1, 2] }, "truncated", { final: true }],
    ['{"n":‹cut-literal nu›‹missing-closer›', { n: null }, "truncated"],
    ['{"n":‹cut-literal N›‹missing-closer›', {}, "truncated"],
    ['{"a":1 ‹cut-comment /* x›‹missing-closer›', { a: 1 }, "truncated"],
    ['{"a":{"b":[{‹missing-closer›', { a: { b: [{}] } }, "truncated"],
    ['{"n":‹cut-literal T›‹missing-closer›', { n: true }, "truncated"],
    ['{"n":‹cut-literal F›‹missing-closer›', { n: false }, "truncated"],
    ['{"n":‹cut-literal No›‹missing-closer›', { n: null }, "truncated"],
    ['{"n":‹bare-word ‹cut-string tx››‹missing-closer›', { n: "tx" }, "guess"],
    ['{"n":‹cut-number 1.›‹missing-closer›', {}, "truncated"],
    ['{"n":‹number-spelling 1.›‹missing-closer›', { n: 1 }, "truncated", { final: true }],
    ['{"n":‹bare-word ‹cut-string 8px››‹missing-closer›', { n: "8px" }, "guess", { final: true }],
    ['{"a":1‹closed-too-early }›, "b"‹cut-key›‹missing-closer›', { a: 1 }, "guess"],
    ["‹cut-literal tru›", true, "truncated"],
    ['‹surrounding-prose so ›{"a":‹cut-number 1›‹missing-closer›', {}, "guess"],
    ["[[1,2],[3]‹missing-closer›", [[1, 2], [3]], "truncated"],
    ['{"a":1‹missing-closer›‹trailing-marker </tool_call>›', { a: 1 }, "truncated"],
    ['{"a":[1,‹missing-closer›‹trailing-marker </tool_call>›', { a: [1] }, "truncated"],
    ['{"a":‹cut-key›‹missing-closer›‹trailing-marker </tool_call>›', {}, "truncated"],
    ['{"a"‹cut-key›‹missing-closer›‹trailing-marker </tool_call>›', {}, "truncated"],
    ['{"a":1,‹missing-closer›‹trailing-marker </tool_call>›', { a: 1 }, "truncated"],
    ["{‹missing-closer›‹trailing-marker </tool_call>›", {}, "truncated"],
    ['["a"‹missing-closer›‹trailing-marker </tool_call>›', ["a"], "truncated"],
    ['{"a":1‹missing-closer›‹trailing-marker <|im_end|>›', { a: 1 }, "truncated"],
    ['{"a":"b" ‹missing-closer›‹trailing-marker </tool_call>›', { a: "b" }, "truncated"],
    ['{"n":‹cut-literal f›‹missing-closer›', { n: false }, "truncated"],
    ['{‹bare-key x›:[[""]‹cut-comment \\›‹missing-closer›', { x: [[""]] }, "truncated"],
    ["{‹cut-comment \\›‹missing-closer›", {}, "truncated"],
    ['{"a":"x" ‹cut-comment /›‹missing-closer›', { a: "x" }, "truncated"],
    ['{"a":1, ‹cut-comment /›‹missing-closer›', { a: 1 }, "truncated"],
    ['{"a":[1 ‹cut-comment /›‹missing-closer›', { a: [1] }, "truncated"],
    ['{"a":‹cut-number 1/›‹missing-closer›', {}, "truncated"],
    ['{"a":1} ‹surrounding-prose /›', { a: 1 }, "guess"],
    ['{"n":‹cut-literal FA›‹missing-closer›', { n: false }, "truncated"],
    ['{"n":‹cut-literal un›‹missing-closer›', {}, "truncated"],
    ['{"n":‹cut-literal -In›‹missing-closer›', {}, "truncated"],
    ['["x"‹missing-comma›\n"‹cut-string›‹missing-closer›', ["x", ""], "truncated"],
    ["‹fence ```›\n{\"a\":‹quote-style '›x'}\n`", { a: "x" }, "safe"],
  ]);
});

describe("what single engines do, as special cases", () => {
  // Ambi keeps the text up to the last closing brace and drops the garbage after it.
  it("refuses a second, cut call after a complete one instead of dropping it in silence", () => {
    expect(repairJson('{"name":"a","args":{"city":"Tokyo"}}, {"name":"b')).toMatchObject({ ok: false });
  });

  it("keeps a complete object and flags the garbage after it", () => {
    const result = repairJson('{"name":"a","args":{"city":"Tokyo"}} and th');
    expect(result).toMatchObject({ ok: true, level: "guess", value: { name: "a", args: { city: "Tokyo" } } });
  });

  it("gives a reason, never a value, for what no reading fits: the caller asks the model again", () => {
    expect(repairJson("[TOOL_CALL] get_weather Tokyo")).toMatchObject({ ok: false, reason: "no-value" });
  });

  // selectools tries strict JSON, then quotes replaced, then newlines escaped, each over the whole text.
  it.each([
    [
      "direct",
      '{"tool_name":"search","parameters":{"query":"it\'s"}}',
      { tool_name: "search", parameters: { query: "it's" } },
    ],
    [
      "quotes",
      "{'tool_name': 'search', 'parameters': {'query': 'test'}}",
      { tool_name: "search", parameters: { query: "test" } },
    ],
    [
      "newlines",
      '{"tool_name":"write","parameters":{"content":"Line 1\nLine 2"}}',
      { tool_name: "write", parameters: { content: "Line 1\nLine 2" } },
    ],
    [
      "quotes and newlines",
      "{'tool_name': 'write', 'parameters': {'content': 'a \"b\"\nc'}}",
      { tool_name: "write", parameters: { content: 'a "b"\nc' } },
    ],
  ])("reads what an attempt on %s would, without damage to the values", (_, text, value) => {
    const result = repairJson(text);
    expect(result).toMatchObject({ ok: true, value });
    expect(result.ok && ["none", "safe"].includes(result.level)).toBe(true);
  });
});

describe("a key that is there twice", () => {
  const members = (count: number) => Array.from({ length: count }, (_, at) => `"k${at}":${at}`).join(",");
  it.each([1, 2, 7, 8, 9, 10, 40])("is found among %i", (count) => {
    for (const key of ["k0", `k${count - 1}`]) {
      const result = repairJson(`{${members(count)},"${key}":"again",}`);
      expect(result).toMatchObject({ ok: true, level: "guess", value: { [key]: "again" } });
      expect(result.ok && result.repairs.map(({ kind }) => kind)).toEqual(["duplicate-key", "extra-comma"]);
    }
    expect(repairJson(`{${members(count)},"other":1,}`)).toMatchObject({ ok: true, level: "safe" });
    expect(repairJson(`[{${members(count)}},{${members(count)}},]`)).toMatchObject({ ok: true, level: "safe" });
  });
});

describe("how deep", () => {
  it.each(["", "so: "])("the limit is the last depth that is read, after %j", (before) => {
    expect(repairJson(`${before}${'{"a":'.repeat(10)}`, { maxDepth: 10 })).toMatchObject({ ok: true });
    expect(repairJson(`${before}${'{"a":'.repeat(11)}`, { maxDepth: 10 })).toMatchObject({
      ok: false,
      reason: "too-deep",
    });
  });
});

describe("misuse", () => {
  it("throws on what is no text", () => {
    expect(() => repairJson(undefined as unknown as string)).toThrow(TypeError);
    expect(() => repairJson("{", { maxDepth: 0 })).toThrow(RangeError);
    const given = (options: unknown) => () => repairJson("{}", options as never);
    expect(given({ finall: true })).toThrow('repairJson() has no option "finall": did you mean "final"?');
    expect(given({ schema: 3 })).toThrow("options.schema must be a JSON Schema: an object, true or false, not 3");
    expect(given({ keys: "a" })).toThrow("options.keys must be a list of strings");
    expect(given({ several: "frist" })).toThrow('options.several cannot be "frist" (did you mean "first"?)');
    expect(given(null)).toThrow("repairJson() takes its options as an object, { schema, keys, final, ");
    expect(() => jsonrepair("{}", { alow: "guess" } as never)).toThrow('did you mean "allow"?');
    expect(() => jsonrepair("{}", { allow: "gues" } as never)).toThrow('did you mean "guess"?');
  });
});
