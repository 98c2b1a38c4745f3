import { describe, expect, it } from "vitest";
import { type RepairJsonOptions, repairJson } from "../src/recovery/index.ts";
import type { RepairKind, ValueLevel } from "../src/runtime/repairs.ts";

type Row = [text: string, value: unknown, level: ValueLevel, kinds: RepairKind[], options?: RepairJsonOptions];

/** Reads each row and compares value, level and the kinds in order of the text, repetitions left out. */
function check(rows: Row[]): void {
  it.each(rows)("%s", (text, value, level, kinds, options) => {
    const result = repairJson(text, options);
    if (!result.ok) throw new Error(`${result.reason}: ${result.message}`);
    expect(result.value).toEqual(value);
    expect(result.level).toBe(level);
    expect([...new Set(result.repairs.map((repair) => repair.kind))]).toEqual(kinds);
    expect(result.complete).toBe(result.repairs.every((repair) => repair.level !== "truncated"));
    for (const { start, end } of result.repairs) expect(0 <= start && start <= end && end <= text.length).toBe(true);
  });
}

function refuse(rows: [text: string, reason: string][]): void {
  it.each(rows)("%s is refused", (text, reason) => {
    expect(repairJson(text)).toMatchObject({ ok: false, reason });
  });
}

describe("valid JSON is the answer of JSON.parse", () => {
  check([
    ['{"path":"C:\\new.txt"}', { path: "C:\new.txt" }, "none", []],
    ['{"a":"```json\\n{}\\n```","b":"</tool_call>"}', { a: "```json\n{}\n```", b: "</tool_call>" }, "none", []],
    ['{"id":12345678901234567890}', { id: 12345678901234567890 }, "none", []],
    ['"\\ud900"', "\ud900", "none", []],
    ['{"a":1,"a":2}', { a: 2 }, "none", []],
  ]);
});

describe("white space and noise", () => {
  check([
    ['\ufeff{"a":1}', { a: 1 }, "safe", ["odd-blank"]],
    ['{"q":"a\u00a0b",\u200b"n":\u30001}', { q: "a\u00a0b", n: 1 }, "safe", ["odd-blank"]],
    ['{\\n"q":1,\\t"r":2}', { q: 1, r: 2 }, "safe", ["escaped-blank"]],
    ['```json\n{"a":"x ``` y"}\n```', { a: "x ``` y" }, "safe", ["fence"]],
    ['```\n{"a":"x"', { a: "x" }, "truncated", ["fence", "missing-closer"]],
    ["~~~\n[1]\n~~~", [1], "safe", ["fence"]],
    ['Here:\n```json\n{"a":"b"}\n```\nDone', { a: "b" }, "guess", ["surrounding-prose", "fence"]],
    ['Result: {"r":1} ok', { r: 1 }, "guess", ["surrounding-prose"]],
    ['{"r":"x"} said "ok"', { r: "x" }, "guess", ["surrounding-prose"]],
    ['{"r":1}\n</tool_call><|im_end|>', { r: 1 }, "safe", ["trailing-marker"]],
    ['{"r":1}</unheard-of>', { r: 1 }, "guess", ["surrounding-prose"]],
    ['{"r":1 /* x */, // y "z": 1\n"s":2}\n# end', { r: 1, s: 2 }, "safe", ["comment"]],
    ['{"u":#1\n}', { u: "#1" }, "guess", ["bare-word"]],
    ["[7, 8, ...]", [7, 8], "guess", ["ellipsis"]],
    ['{"a":"x" ..., "n":1}', { a: "x", n: 1 }, "guess", ["ellipsis"]],
    ['{\\"r\\":\\"a\\\\nb\\"}', { r: "a\nb" }, "safe", ["escaped-document"]],
    ['[INFO] {"a":1}', { a: 1 }, "guess", ["surrounding-prose"]],
    ['r = {"x":1};', { x: 1 }, "guess", ["assignment"]],
    ['callback({"x":1});', { x: 1 }, "guess", ["assignment", "surplus-closer"]],
  ]);
  refuse([
    ["", "no-value"],
    [" \n\t ", "no-value"],
    ["hello", "no-value"],
    ["use {tool} here", "no-value"],
    [":::", "no-value"],
    ['either {"a":1} or {"b":2}', "several-documents"],
    ['{"a":1}\n{"a":2}', "several-documents"],
    ['{"a":1},{"a":2}', "several-documents"],
    ['{\\"a\\":1', "escaped-document"],
  ]);
});

describe("escapes", () => {
  check([
    ['{"t":"up\r\ndown\t\n"}', { t: "up\r\ndown\t\n" }, "safe", ["raw-control-character"]],
    ['{"k\ney":"v"}', { "k\ney": "v" }, "safe", ["raw-control-character"]],
    ['{"t":"it\\\'s"}', { t: "it's" }, "safe", ["escaped-apostrophe"]],
    ['{"t":"\\q \\%"}', { t: "\\q \\%" }, "guess", ["invalid-escape"]],
    ['{"t":"\\u12G4 \\uZZ"}', { t: "\\u12G4 \\uZZ" }, "guess", ["invalid-unicode-escape"]],
    ['{"t":"R:\\opt\\nine"}', { t: "R:\\opt\\nine" }, "guess", ["invalid-escape", "unescaped-backslashes"]],
    ['{"t":"R:\\new\\opt"}', { t: "R:\\new\\opt" }, "guess", ["unescaped-backslashes", "invalid-escape"]],
    ['{"t":"a\\nb \\\\ \\q"}', { t: "a\nb \\ \\q" }, "guess", ["invalid-escape"]],
    ['{"t":"\\q\\n \\"x\\""}', { t: '\\q\n "x"' }, "guess", ["invalid-escape"]],
    ['{"d":"R:\\opt\\","n":0}', { d: "R:\\opt\\", n: 0 }, "guess", ["invalid-escape", "swallowed-quote"]],
    ['{"d":"R:\\new\\","n":0}', { d: "R:\\new\\", n: 0 }, "guess", ["unescaped-backslashes", "swallowed-quote"]],
    ['{"d":"C:\\"}', { d: "C:\\" }, "guess", ["swallowed-quote"]],
    ['{"t":"say \\"x\\", \\"y\\"",}', { t: 'say "x", "y"' }, "safe", ["extra-comma"]],
    ['{"t":"\\ud900",}', { t: "\ud900" }, "safe", ["extra-comma"]],
    ['{"re":r"\\d\\n","b":b"x"}', { re: "\\d\\n", b: "x" }, "guess", ["string-prefix"]],
  ]);
});

describe("where strings end", () => {
  check([
    ['{"t":"a "big" dog"}', { t: 'a "big" dog' }, "guess", ["inner-quote"]],
    ['{"t":"a "dog""}', { t: 'a "dog"' }, "guess", ["inner-quote"]],
    ['{"t":""Yes" is it", "u":""}', { t: '"Yes" is it', u: "" }, "guess", ["inner-quote"]],
    ['{"t":"a "dog", a cat"}', { t: 'a "dog", a cat' }, "guess", ["inner-quote"]],
    ['{"t":"5" x 7"","u":"3""}', { t: '5" x 7"', u: '3"' }, "guess", ["inner-quote"]],
    ['["5" disk","3" disk"]', ['5" disk', '3" disk'], "guess", ["inner-quote"]],
    ['["say "yes", "no" or "maybe"","x"]', ['say "yes", "no" or "maybe"', "x"], "guess", ["inner-quote"]],
    ['{"t":"x","y":"z",}', { t: "x", y: "z" }, "safe", ["extra-comma"]],
    ['{"t":"{"u":1,"v":"2"}","k":1}', { t: '{"u":1,"v":"2"}', k: 1 }, "guess", ["inner-quote"]],
    [
      '{"t":"m = {"u": "1", "k": 2}","k":1}',
      { t: 'm = {"u": "1", "k": 2}', k: 1 },
      "guess",
      ["inner-quote"],
      { keys: ["t", "k"] },
    ],
    ['{"t":"a", "b": c","n":1}', { t: 'a", "b": c', n: 1 }, "guess", ["inner-quote"], { keys: ["t", "n"] }],
    ['{"t":"one, "b": 2 end","n":3}', { t: 'one, "b": 2 end', n: 3 }, "guess", ["inner-quote"], { keys: ["t", "n"] }],
    ['{"a":1,"z":"q","zz":"p",}', { a: 1, z: "q", zz: "p" }, "safe", ["extra-comma"], { keys: ["a"] }],
    ['{"code":"if (x == "{") { y","n":1}', { code: 'if (x == "{") { y', n: 1 }, "guess", ["inner-quote"]],
    ["{'t':'x \"y\"','u':\"it's\"}", { t: 'x "y"', u: "it's" }, "safe", ["quote-style"]],
    ['{“t”:“he "x"”,`u`:`v`}', { t: 'he "x"', u: "v" }, "safe", ["quote-style"]],
    ["{'t':'a dog's tail'}", { t: "a dog's tail" }, "guess", ["quote-style", "inner-quote"]],
    [
      "{'c':'''a = \"x\"\nb = 'y'\n''','k':1}",
      { c: "a = \"x\"\nb = 'y'\n", k: 1 },
      "guess",
      ["quote-style", "triple-quote", "raw-control-character"],
    ],
    ['{""a"":""b"",""n"":1}', { a: "b", n: 1 }, "guess", ["doubled-quote"]],
    ['{"":{"":1},}', { "": { "": 1 } }, "safe", ["extra-comma"]],
    ['{"t":"x, "u":1}', { t: "x", u: 1 }, "guess", ["missing-closing-quote"]],
    ['{"t":x", "u":1}', { t: "x", u: 1 }, "guess", ["missing-opening-quote"]],
    ['{name": "Ada"}', { name: "Ada" }, "guess", ["missing-key-quote"]],
    ['{"name: "Ada", "k": "v"}', { name: "Ada", k: "v" }, "guess", ["missing-key-quote"]],
    ['{"k": "v", "list: ["a"]}', { k: "v", list: ["a"] }, "guess", ["missing-key-quote"]],
    ['{"t":"x" "y"}', { t: "xy" }, "guess", ["adjacent-strings"]],
    ['"{"a":1}"', '{"a":1}', "guess", ["inner-quote"]],
  ]);
});

describe("literals, numbers, words", () => {
  check([
    ["{'a':True,'b':FALSE,'c':None}", { a: true, b: false, c: null }, "safe", ["quote-style", "literal-spelling"]],
    ["[undefined]", [null], "guess", ["undefined"]],
    ["[NaN,-Infinity,1e999]", [null, null, null], "guess", ["non-finite-number"]],
    ["[+8,.8,8.,-.5]", [8, 0.8, 8, -0.5], "safe", ["number-spelling"]],
    ["[0088,0x1F,8_000]", ["0088", "0x1F", "8_000"], "guess", ["number-as-text"]],
    ["[0088,0x1F,8_000]", [88, 31, 8000], "guess", ["number-as-text"], { schema: { items: { type: "integer" } } }],
    ['{"t":8,000,"u":1}', { t: "8,000", u: 1 }, "guess", ["thousands-comma"]],
    ['{"t":8,000}', { t: 8000 }, "guess", ["thousands-comma"], { schema: { properties: { t: { type: "number" } } } }],
    ['{"t":99999999999999999999,}', { t: 1e20 }, "guess", ["precision", "extra-comma"]],
    ['{"q":green tea,"n":2}', { q: "green tea", n: 2 }, "guess", ["bare-word"]],
    [
      '{"v":1.2.3,"at":2025-03-04T10:20:30Z,"p":8px,"f":1/2}',
      { v: "1.2.3", at: "2025-03-04T10:20:30Z", p: "8px", f: "1/2" },
      "guess",
      ["number-as-text", "bare-word"],
    ],
    ["[http://h.test/a, b]", ["http://h.test/a", "b"], "guess", ["bare-word"]],
    ["{file-name:1,$ref:2,日付:3}", { "file-name": 1, $ref: 2, 日付: 3 }, "safe", ["bare-key"]],
    ['{"d":new Date("2020, x"),"k":1}', { d: 'new Date("2020, x")', k: 1 }, "guess", ["constructor-call"]],
    ['{"t":(7,"x"),"s":{"a","b"}}', { t: [7, "x"], s: ["a", "b"] }, "guess", ["tuple"]],
  ]);
});

describe("commas, colons, closers", () => {
  check([
    ['{,"a":1,,"b":[2,],}', { a: 1, b: [2] }, "safe", ["extra-comma"]],
    ["[7,,8]", [7, 8], "guess", ["array-hole"]],
    ['{"a":1 "b":{} "c":[1 2]}', { a: 1, b: {}, c: [1, 2] }, "safe", ["missing-comma"]],
    ['{"a":"x"\n"b":"y"}', { a: "x", b: "y" }, "safe", ["missing-comma"]],
    ['{"a":"x" "b":"y"}', { a: "x", b: "y" }, "guess", ["missing-comma"]],
    ['{"a" 1,"b" [2]}', { a: 1, b: [2] }, "safe", ["missing-colon"]],
    ['{"a" "x","b" = 1,"c"=>"y"}', { a: "x", b: 1, c: "y" }, "guess", ["missing-colon"]],
    ['{"a":1; "b":"x"; "c":2}', { a: 1, b: "x", c: 2 }, "guess", ["semicolon"]],
    ['{"a":,"b":2}', { a: null, b: 2 }, "guess", ["missing-value"]],
    ['{"a","b":2}', { a: null, b: 2 }, "guess", ["missing-value"]],
    ['{"a":[1 ', { a: [1] }, "truncated", ["missing-closer"]],
    ['{"a":{"b":[1,{"c":2}}', { a: { b: [1, { c: 2 }] } }, "guess", ["missing-inner-closer", "missing-closer"]],
    ['{"a":["x","b":3}', { a: ["x"], b: 3 }, "guess", ["missing-inner-closer"]],
    ['{"a":[1,2)}', { a: [1, 2] }, "guess", ["wrong-closer"]],
    ['{"a":1}}', { a: 1 }, "safe", ["surplus-closer"]],
    ['{"a":{"b":1},"c":2}}', { a: { b: 1 }, c: 2 }, "guess", ["surplus-closer"]],
    ['{"a":"x"},"b":2}', { a: "x", b: 2 }, "guess", ["closed-too-early"]],
    ['{{"a":1}}', { a: 1 }, "guess", ["doubled-brace", "surplus-closer"]],
    ['"a":1,"b":2', { a: 1, b: 2 }, "guess", ["missing-braces", "cut-number"]],
    ['{"a":1,"a":2,}', { a: 2 }, "guess", ["duplicate-key", "extra-comma"]],
  ]);
});

describe("cut texts", () => {
  check([
    ['{"a":"b","cont', { a: "b" }, "truncated", ["cut-key", "missing-closer"]],
    ['{"a":"b","c":', { a: "b" }, "truncated", ["cut-key", "missing-closer"]],
    ['{"t":"x\\u00', { t: "x" }, "truncated", ["cut-string", "missing-closer"]],
    ['{"t":"x\\ud83d', { t: "x" }, "truncated", ["cut-string", "missing-closer"]],
    ['{"t":"x\\', { t: "x" }, "truncated", ["cut-string", "missing-closer"]],
    ['{"n":[1,2', { n: [1] }, "truncated", ["cut-number", "missing-closer"]],
    ['{"n":[1,2', { n: [1, 2] }, "truncated", ["missing-closer"], { final: true }],
    ['{"n":nu', { n: null }, "truncated", ["cut-literal", "missing-closer"]],
    ['{"n":N', {}, "truncated", ["cut-literal", "missing-closer"]],
    ['{"a":1 /* x', { a: 1 }, "truncated", ["cut-comment", "missing-closer"]],
    ['{"a":{"b":[{', { a: { b: [{}] } }, "truncated", ["missing-closer"]],
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

describe("misuse", () => {
  it("throws on what is no text", () => {
    expect(() => repairJson(undefined as unknown as string)).toThrow(TypeError);
    expect(() => repairJson("{", { maxDepth: 0 })).toThrow(RangeError);
  });
});
