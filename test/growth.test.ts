/**
 * Time in proportion to the text, for each kind of text that once took more: what steps do not count. Steps prove that the
 * machine reads once (`test/work.test.ts`, `test/hostile.test.ts`); here only growth is looked at, with room, and again
 * where the machine was busy.
 */
import pc from "picocolors";
import { describe, expect, test } from "vitest";
import { sampledFormats, sampleTools } from "../scripts/samples.ts";
import { printReply } from "../src/cli/print-reply.ts";
import { createParser, parse } from "../src/index.ts";
import { repairJson } from "../src/json-repair/index.ts";
import { leavesFenceOpen } from "../src/machine/fence-containers.ts";
import { literalsOf } from "../src/machine/program.ts";
import { TextStore } from "../src/machine/text-store.ts";
import { openFenceIn } from "../src/message/text/fence-lines.ts";
import { cutsAt } from "../src/testing/floods.ts";
import { validateSchema } from "../src/validation/validate-schema.ts";
import { isAsked } from "./support/shares.ts";

/**
 * Four times the text may take so many times the time; where it takes sixteen times, work is done again and again. Memory for a string of more than
 * 128 KB is asked of the system, which can make it three times as dear.
 */
const growthMax = 13;
/** Work of the processor after which a growth that is still too great is believed. What a busy machine, the compiler and the collector add is gone by then. */
const triedMs = 3000;
/** Shorter than this nothing is measured. */
const measuredMs = 1;

function timeOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** How much longer four times the text takes than the text: of each of the three sizes the shortest time counts. */
function growthOf(size: number, work: (size: number) => () => void): number {
  const sizes = [size, 2 * size, 4 * size].map(work);
  const least = sizes.map(() => Number.POSITIVE_INFINITY);
  const growth = () => least[2] / least[0];
  let spent = 0;
  for (let n = 0; n < 2 || (growth() > growthMax && spent < triedMs); n++) {
    // What the compiler adds at first falls on the shortest: it is run again, the others where they took too long.
    for (const [at, run] of sizes.entries()) {
      if (n === 1 && at > 0 && growth() <= growthMax) break;
      const time = timeOf(run);
      spent += time;
      least[at] = Math.min(least[at], Math.max(time, measuredMs));
    }
  }
  return growth();
}

const tools = [
  { name: "read_dial", parameters: { type: "object", properties: { dial: { type: "string" }, note: {} } } },
];
const read = (format: string | string[], text: string) => () => parse(text, { format, tools });
const readCut = (format: string, text: string) => () => parse(text, { format, tools, finishReason: "length" });
const leaves = (text: string) => () => [leavesFenceOpen(text), openFenceIn(text)];
const stream = (format: string, text: string) => () => {
  const parser = createParser({ format, tools, retain: "calls" });
  for (let at = 0; at < text.length; at += 1000) parser.push(text.slice(at, at + 1000));
  parser.end();
};
const check = (format: string, text: string) => () => validateSchema({ format }, text, { formats: "assert" });
const repair = (text: string) => () => repairJson(text, { final: true, several: "array", bareText: true });
const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join("");

const unclosed = {
  glm45: "<tool_call>read_dial\n<arg_key>dial</arg_key>\n<arg_value>x</arg_value>\n",
  anthropic_xml: '<invoke name="read_dial">\n<parameter name="dial">x</parameter>\n',
  minicpm5: '<function name="read_dial"><param name="dial">x</param>\n',
  cline_xml: "<read_dial>\n<dial>x</dial>\n",
};

/** A call of hermes that is open in a string. */
const openedValue = '<tool_call>\n{"name": "read_dial", "arguments": {"dial": "';
const markedValues = {
  "marks of fences": "```a",
  "documents in fences": "```js\\nx\\n```\\n",
  "marks of many lengths": Array.from({ length: 20 }, (_, at) => `${"`".repeat(at + 1)}a`).join(""),
};

const glmCall = "<tool_call>read_dial\n<arg_key>dial</arg_key>\n<arg_value>north</arg_value>\n</tool_call>\n";

const kinds: readonly [title: string, size: number, work: (size: number) => () => void][] = [
  [
    "brackets in a string of text behind a call that brackets end",
    4000,
    (size) => read("mistral", `[TOOL_CALLS]read_dial[ARGS]{"dial": "north"}\n["${"]".repeat(size)}`),
  ],
  [
    "the same in chunks",
    40_000,
    (size) => stream("mistral", `[TOOL_CALLS]read_dial[ARGS]{"dial": "north"}\n["${"]".repeat(size)}`),
  ],
  ...Object.entries(unclosed).map(([format, call]): (typeof kinds)[number] => [
    `a stream of calls of ${format} without closers`,
    500,
    (n) => stream(format, call.repeat(n)),
  ]),
  [
    "a flat mapping in YAML",
    1500,
    (n) => read("yaml_xml", `<read_dial>\n${lines(n, (at) => `k${at}: v\n`)}</read_dial>`),
  ],
  [
    "a mapping in brackets in YAML",
    1500,
    (n) => read("yaml_xml", `<read_dial>\nnote: {${lines(n, (at) => `k${at}: v, `)}}\n</read_dial>`),
  ],
  ["a list in YAML", 150, (n) => read("yaml_xml", `<read_dial>\nnote:\n${lines(n, () => "  - a\n")}</read_dial>`)],
  ["JSON Lines", 800, (n) => read("llama3", '{"a": 1}\n'.repeat(n))],
  ["documents in fences of many lengths", 200, (n) => read("hermes", lines(n, fencedDocument))],
  ["openers of granite_pythonic", 1500, (n) => read("granite_pythonic", "f(".repeat(n))],
  [
    "lines of granite_pythonic that begin a call",
    600,
    (n) => read("granite_pythonic", `${'read_dial(dial="hello",\n'.repeat(n)}}`),
  ],
  ["openers of granite_pythonic with a key", 1500, (n) => read("granite_pythonic", "read_dial(dial=".repeat(n))],
  // Read twice at each level, sixty would not be read in a day.
  ["calls in comparisons", 15, (n) => read("granite_pythonic", "read_dial(dial=1==".repeat(n))],
  ["the same in a list", 15, (n) => read("pythonic", `[${"read_dial(dial=1==".repeat(n)}`)],
  ["the same in a stream", 15, (n) => stream("granite_pythonic", "read_dial(dial=1==".repeat(n))],
  ["lambdas without a colon", 1500, (n) => read("granite_pythonic", `read_dial(dial=f(${"lambda,".repeat(n)}`)],
  // Escaped marks are another run to the search for what closes a code span than to the text.
  ["openers behind marks, and an escape", 150, (n) => read("hermes", "```<tool_call>\\".repeat(n))],
  ["the same with an end of the paragraph", 150, (n) => read("hermes", `${"```<tool_call>\\".repeat(n)}\n\na`)],
  ["the same in a stream", 150, (n) => stream("hermes", "```<tool_call>\\".repeat(n))],
  ["fences within lines, and an escape", 100, (n) => read("hermes", "a \\````\n<tool_call>".repeat(n))],
  ...["cline_xml", "morph_xml"].map((format): (typeof kinds)[number] => [
    `one long word behind an opener of ${format}`,
    3000,
    (n) => read(format, `<read_dial${"x".repeat(n)}`),
  ]),
  ["the same of minimax_m3", 3000, (n) => read("minimax_m3", `]<]minimax[>[<${"x".repeat(n)}`)],
  ["the same in its section", 3000, (n) => read("minimax_m3", `]<]minimax[>[<tool_call>\n]<${"x".repeat(n)}`)],
  ["the same in a list of formats", 3000, (n) => read(["hermes", "morph_xml"], `<read_dial${"x".repeat(n)}`)],
  // What a damaged call has taken along is looked at for fences: escaped, it is one line.
  ...Object.entries(markedValues).flatMap(([title, part]): typeof kinds => {
    const opened = (n: number) => openedValue + part.repeat(Math.ceil(n / part.length));
    return [
      [`a value cut in ${title}`, 15_000, (n) => read("hermes", opened(n))],
      ["the same where the reply was too long for its limit", 15_000, (n) => readCut("hermes", opened(n))],
      ["the same in a stream", 15_000, (n) => stream("hermes", opened(n))],
      [`a lost quote behind ${title}`, 10_000, (n) => read("hermes", `${opened(n)}}}\n</tool_call>`)],
    ];
  }),
  [
    "rows of marks behind what no line of a fence begins with",
    1500,
    (n) => leaves(`~~~\n${">".repeat(n)}${"```a".repeat(n)}`),
  ],
  ["blanks behind marks within a line", 4000, (n) => leaves(`a \`\`\`${" ".repeat(n)}!`)],
  ["settings behind marks within a line", 4000, (n) => leaves(`a \`\`\`js ${"a=".repeat(n)}\``)],
  ["ends of keys behind a call", 8000, (n) => read("glm45", glmCall + "<".repeat(n))],
  ["ends of keys behind a call, and an opener", 8000, (n) => read("glm45", `${glmCall}${"<".repeat(n)}<arg_key>`)],
  ["openers without a call", 500, (n) => read("hermes", "<tool_call>\n".repeat(n))],
  ["refused calls", 150, (n) => read("hermes", '<tool_call>{"name": "x", "arguments": {}}</tool_call>\n'.repeat(n))],
  ["calls that nothing closes", 150, (n) => read("hermes", '<tool_call>{"name": "x", "arguments": {\n'.repeat(n))],
  ["pairs of tags on one line, each with an opener too many", 600, (n) => read("hermes", "<pre><pre></pre>".repeat(n))],
  ["the same with marks of fences", 300, (n) => read("hermes", "```<code><pre></code>".repeat(n))],
  ["the same with comments", 600, (n) => read("granite_pythonic", '<!-- read_dial(dial="a")<!-- x -->'.repeat(n))],
  ["quoting tags that nothing closes", 1000, (n) => read("react", `Action: x\nAction Input: {}\n${"<pre>".repeat(n)}`)],
  [
    "parameters that nothing closes",
    300,
    (n) => read("qwen3_coder", "<tool_call><function=read_dial><parameter=dial>".repeat(n)),
  ],
  [
    "calls whose last value is not closed",
    150,
    (n) => read("morph_xml", "<read_dial>\n<dial>a</d\n</read_dial>\n".repeat(n)),
  ],
  [
    "the same in another format, with a closer at the end",
    200,
    (n) =>
      read(
        "qwen3_coder",
        `${"<tool_call>\n<function=read_dial>\n<parameter=dial>\na\n</par>\n</function>\n</tool_call>\n".repeat(n)}</parameter>`,
      ),
  ],
  ["an URL of the wrong kind", 30_000, (n) => check("uri", `http://${"a.".repeat(n)} `)],
  ["an URL with escapes", 30_000, (n) => check("uri", `http://a/${"%4".repeat(n)}`)],
  ["an address of many parts", 30_000, (n) => check("email", `${"a.".repeat(n)}@b`)],
  ["an address in IPv6 of many parts", 30_000, (n) => check("ipv6", "1:".repeat(n))],
  ["a flood of fences", 1500, (n) => repair("```\n".repeat(n))],
  ["a flood of comments", 800, (n) => repair("/* x */ ".repeat(n))],
  ["objects that never end", 500, (n) => repair('{"a":["x]}\n'.repeat(n))],
  ["long stretches of a text that is let go behind them", 100_000, (n) => stretches("Some words.\n".repeat(n))],
  ["the excerpts of many rejections", 200, (n) => printed("<tool_call>\n".repeat(n))],
  ["the same on one line", 200, (n) => printed("<tool_call> ".repeat(n))],
];

/** Each behind fewer marks than the one before. */
function fencedDocument(at: number): string {
  const marks = "`".repeat(80 - (at % 78));
  return `${marks}md\na\n${marks}\n`;
}

/** A text that comes in chunks is asked for in stretches that do not end with them. */
function stretches(text: string): () => void {
  return () => {
    const store = new TextStore();
    for (let at = 0, from = 0; at < text.length; at += 100) {
      store.append(text.slice(at, at + 100));
      if (at - from < 8000) continue;
      store.slice(from, at);
      store.release(from);
      from = at;
    }
  };
}

/** A reading of the text, which is made before, as the command prints it. */
function printed(text: string): () => void {
  const result = parse(text, { format: "hermes", tools });
  expect(result.rejected.length).toBeGreaterThan(text.length / 30);
  const reading = {
    source: "reply",
    text,
    format: "hermes",
    formatLabel: "hermes",
    result,
    calls: [],
    validated: true,
  };
  return () => printReply(reading, { colours: pc.createColors(false), columns: 100 });
}

/** Where a word behind a cut call takes longer, it is looked at how its time grows. */
const wordMs = 3;
const wordChars = 4000;

describe("four times the word behind a cut call takes about four times the time", () => {
  test.each(sampledFormats.filter(({ id }) => isAsked(id, 0)))("$id", ({ id, format, samples }) => {
    const grown: string[] = [];
    const work = (cut: string) => (n: number) => {
      const text = cut + "x".repeat(n);
      return () => parse(text, { format: id, tools: sampleTools });
    };
    const cuts = cutsAt(samples[0].text, [...literalsOf(format.program), ..."=([{\"',:>"]);
    for (const cut of cuts.filter((_, at) => at % 2 === id.length % 2)) {
      if (timeOf(work(cut)(wordChars)) > wordMs && growthOf(wordChars, work(cut)) > growthMax) grown.push(cut);
    }
    expect(grown).toEqual([]);
  });
});

describe("four times the text takes about four times the time", () => {
  test.each(kinds)("%s", (_title, size, work) => {
    expect(growthOf(size, work)).toBeLessThan(growthMax);
  });
});
