import { expect, test } from "vitest";
import { LiteralSearch } from "../src/machine/literal-search.ts";
import { type ReadyScan, ScanGroup } from "../src/machine/program.ts";
import { KnownPrefixes, PlainTextPlaces } from "../src/message/text/plain-text-search.ts";
import { Random } from "./support/sentences.ts";

// Literals that begin with marks and with letters, of one unit and of several; and one that counts on lines of its own.
const literals = ["<tool_call>", "<b", "~", "user<|sep|>", "Observation:", "re", "｜end｜"];
const all = new PlainTextPlaces(literals, ["{"]);

/** As many units as tell a literal; of one that begins with a word, all. */
const told = literals.map((one) => (one.startsWith("user<") ? one : one.slice(0, 6)));

/** The same, by what the docstring says: as many units as tell a literal, or as many as are there. */
function slow(text: string, from: number, passed: string): number {
  for (let at = from; at < text.length; at++) {
    const rest = text.slice(at);
    if (passed.includes(text[at])) continue;
    if (told.some((one) => rest.startsWith(one) || one.startsWith(rest))) return at;
    if (text[at] === "{" && /(?:^|\n)[ \t]{0,3}$/.test(text.slice(0, at))) return at;
  }
  return text.length;
}

test("every place is found, near and far, within the text and at its end", () => {
  const random = new Random(20261123);
  const pieces = [
    ...literals.flatMap((one) => [one, one.slice(0, -1), one.slice(0, 2)]),
    "{",
    "\n",
    "  {",
    " and so on ",
    "x",
  ];
  for (let round = 0; round < 400; round++) {
    let text = random.pick(["", "plain words only, for a while. ".repeat(random.pick([0, 60, 300]))]);
    for (let n = random.below(6); n > 0; n--)
      text += random.pick(pieces) + random.pick(["", "words ".repeat(random.pick([3, 30, 900]))]);
    const passed = random.pick(["", "~", "<{"]);
    const search = all.search(passed, true);
    const isFresh = random.below(2) === 0;
    for (let at = 0; at <= text.length; ) {
      const used = isFresh ? all.search(passed, true) : search;
      const found = used.from(text, at);
      if (!used.mayPassOthers) expect(all.search(passed).from(text, at)).toBeGreaterThanOrEqual(found);
      expect([text.slice(-60), at, found, passed]).toEqual([text.slice(-60), at, slow(text, at, passed), passed]);
      // Reading may go back.
      at = random.below(8) === 0 ? random.below(at + 1) : found + 1;
    }
  }
});

test("tags are found in any case, and other words in angle brackets are passed", () => {
  const search = new PlainTextPlaces(
    ["<tool_call>", "~"],
    [],
    ["<pre", "<tool_result", "</tool_result", "<think"],
  ).search();
  for (const gap of ["", "words ".repeat(40)]) {
    const places = (text: string) => search.from(`${gap}words ${text} and more words`, 0) - gap.length;
    for (const tag of ["<pre>", "<PRE ", "<Tool_Result>", "</TOOL_result>", "<THINK>", "<thin\u212a>", "<tool_call>"])
      expect([tag, places(tag)]).toEqual([tag, 6]);
    for (const word of ["<tool is no tag ~", "</TOOO or so, no~", "<post>, no tag, ~", "< b> and no tag ~"])
      expect([word, places(word)]).toEqual([word, 22]);
  }
});

test("beginnings that are known to be content are passed within a line, and only there", () => {
  const plain = new KnownPrefixes();
  for (const prefix of ["< ", "<b>x", "<é"]) plain.add(prefix);
  const search = new PlainTextPlaces(["<"], []).search(undefined, false, plain);
  const lead = "words < b, <b>x</b> ";
  const far = "words ".repeat(40);
  for (const gap of ["", far]) {
    const places = (text: string) => search.from(`${gap}${text}`, 0) - gap.length;
    expect(places(`${lead}<c`)).toBe(15);
    expect(places("words < b, <b>y")).toBe(11);
    expect(places("words < b,\n  < b")).toBe(13);
    expect(places("words < b,\n  <b>x")).toBe(13);
    expect(places("words <é and <è")).toBe(13);
    // What it goes on with is not known.
    for (const end of ["<", "<b", "<b>"]) expect(places(`words ${end}`)).toBe(6);
    plain.clear();
    expect(places(`${lead}<c`)).toBe(6);
    for (const prefix of ["< ", "<b>x", "<é"]) plain.add(prefix);
  }
});

test("a window that moves on and back again hides nothing from a search, and the search ends", () => {
  const groups = ["<b>", "~end"].map((text) => new ScanGroup(text[0], [text]));
  const scan: ReadyScan = { groups, firsts: new Uint8Array(0) as unknown as ReadyScan["firsts"], longest: 4, base: 0 };
  const window = "ab<b> and more text <b>";
  for (const known of [true, false]) {
    const search = new LiteralSearch(groups.length);
    if (known) expect(search.nearest(window, scan, 0)).toBe(2);
    else expect(search.nearest(window, { ...scan, groups: groups.slice(0, 1) }, 0)).toBe(2);
    for (const by of [-5, 5, 1, -1]) search.shift(by);
    expect(search.nearest(window, scan, 1)).toBe(2);
    search.shift(-1);
    expect(search.nearest(window.slice(1), scan, 0)).toBe(1);
  }
});
