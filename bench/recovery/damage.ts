import {
  code,
  embedded,
  type Json,
  type JsonObject,
  makeDocument,
  markup,
  queries,
  sentences,
  write,
} from "./documents.ts";
import type { Random } from "./random.ts";

/** A damaged text and what it may be read as. */
export interface Damaged {
  text: string;
  /** The readings that are right. */
  values: Json[];
  /** Refusing is right as well. */
  mayRefuse?: boolean;
}

/** A kind of damage: makes one damaged document. */
export interface Damage {
  name: string;
  make: (random: Random) => Damaged;
}

const quote = (text: string): string => JSON.stringify(text);
/** A string as a model writes it that forgets to escape quotes. */
const unescapedQuotes = (text: string): string => quote(text).replaceAll('\\"', '"');
const rawLines = (text: string): string =>
  quote(text).replaceAll("\\n", "\n").replaceAll("\\t", "\t").replaceAll("\\r", "\r");
const python = (value: number | boolean | null): string =>
  value === null ? "None" : value === true ? "True" : value === false ? "False" : String(value);

/** The document with one member of a given value, at a random place. */
function withMember(random: Random, key: string, value: Json): JsonObject {
  const entries = Object.entries(makeDocument(random)).filter(([name]) => name !== key);
  entries.splice(random.below(entries.length + 1), 0, [key, value]);
  return Object.fromEntries(entries);
}

/** A special string, written as it is, among members that are strict. */
function oneString(random: Random, text: string, written: (text: string) => string): Damaged {
  const document = withMember(random, "text", text);
  const indent = random.pick([undefined, "  "]);
  const style = {
    string: (value: string, key: string) => (key === "text" && value === text ? written(value) : quote(value)),
  };
  return { text: write(document, indent === undefined ? style : { ...style, indent }), values: [document] };
}

/** A special value, written as given and expected as one of several. */
function oneValue(random: Random, written: string, readings: Json[], mayRefuse = false): Damaged {
  const mark = "\u0001";
  const document = withMember(random, "special", mark);
  const text = write(document).replace(quote(mark), () => written);
  return { text, values: readings.map((reading) => ({ ...document, special: reading })), mayRefuse };
}

/** The text of a whole document, changed. */
function whole(random: Random, change: (text: string, document: JsonObject) => string, mayRefuse = false): Damaged {
  const document = makeDocument(random);
  return { text: change(write(document), document), values: [document], mayRefuse };
}

/** All strings and keys in other quotes. */
function quoted(random: Random, opener: string, closer: string): Damaged {
  const document = makeDocument(random);
  const style = (text: string): string => opener + text.replaceAll("\\", "\\\\") + closer;
  return { text: write(document, { string: style, key: style }), values: [document] };
}

/** Changes one of the places where `pattern` stands; `$1` in the replacement is its group. */
function replaceOne(random: Random, text: string, pattern: RegExp, replacement: string): string {
  const places = [...text.matchAll(pattern)].length;
  const chosen = random.below(Math.max(1, places));
  let count = 0;
  return text.replace(pattern, (match: string, group: unknown) =>
    count++ === chosen ? replacement.replace("$1", () => String(group)) : match,
  );
}

const paths = [
  "C:\\Users\\ada\\notes",
  "D:\\new\\report.txt",
  "R:\\opt\\data",
  "C:\\Program Files\\x",
  "E:\\work\\quit",
];
const patterns = ["^\\d+\\.\\d*$", "\\w+@\\w+\\.test", "\\s*\\(x\\)", "[^\\d\\s]+"];
const talk = [
  'please press "Save" before leaving',
  'a 5" pipe',
  'she said "no", then left',
  '"Yes" is the answer',
  'the end is "near"',
  'say "a", "b" or "c"',
  'rated "good": 3 of 5',
];

export const damages: readonly Damage[] = [
  { name: "raw newlines", make: (random) => oneString(random, "first line\n\n  second: line\n", rawLines) },
  { name: "raw tabs and CRLF", make: (random) => oneString(random, "a\tb\r\nc\r\n", rawLines) },
  { name: "inner quotes, prose", make: (random) => oneString(random, random.pick(talk), unescapedQuotes) },
  {
    name: "inner quotes, code",
    make: (random) => oneString(random, random.pick(code), (text) => rawLines(text).replaceAll('\\"', '"')),
  },
  { name: "inner quotes, SQL", make: (random) => oneString(random, random.pick(queries), unescapedQuotes) },
  { name: "inner quotes, markup", make: (random) => oneString(random, random.pick(markup), unescapedQuotes) },
  { name: "JSON as content", make: (random) => oneString(random, random.pick(embedded), unescapedQuotes) },
  {
    name: "inner quotes in an array",
    make: (random) => {
      const document = withMember(random, "text", ["one", random.pick(talk.slice(0, 3)), "two"]);
      return { text: write(document, { string: unescapedQuotes }), values: [document] };
    },
  },
  {
    name: "Windows path",
    make: (random) =>
      oneString(random, random.pick(paths.filter((path) => /\\[^ntrbfu"\\/]/.test(path))), (text) => `"${text}"`),
  },
  { name: "regular expression", make: (random) => oneString(random, random.pick(patterns), (text) => `"${text}"`) },
  {
    name: "backslash before the closing quote",
    make: (random) => oneString(random, random.pick(["F:\\data\\", "C:\\opt\\x\\"]), (text) => `"${text}"`),
  },
  {
    name: "escaped apostrophe",
    make: (random) => oneString(random, "it's Ada's", (text) => quote(text).replaceAll("'", "\\'")),
  },
  { name: "broken unicode escape", make: (random) => oneString(random, "at \\u12G4 and \\usr", (text) => `"${text}"`) },
  {
    name: "Python dictionary",
    make: (random) => {
      const document = makeDocument(random);
      const string = (text: string): string => (text.includes("'") ? quote(text) : `'${text}'`);
      return { text: write(document, { string, key: string, scalar: python }), values: [document] };
    },
  },
  { name: "single quotes, apostrophes inside", make: (random) => quoted(random, "'", "'") },
  { name: "smart quotes", make: (random) => quoted(random, "“", "”") },
  { name: "backticks", make: (random) => quoted(random, "`", "`") },
  { name: "triple quotes", make: (random) => oneString(random, random.pick(code), (text) => `"""${text}"""`) },
  { name: "doubled quotes", make: (random) => quoted(random, '""', '""') },
  {
    name: "missing closing quote",
    make: (random) => {
      const document = { text: random.pick(["Ada", "blue tea", "rain until noon"]), ...makeDocument(random) };
      return { text: write(document).replace(`"${document.text}",`, `"${document.text},`), values: [document] };
    },
  },
  {
    name: "missing opening quote",
    make: (random) => oneString(random, random.pick(["Ada", "blue tea", "Oslo 2"]), (text) => `${text}"`),
  },
  {
    name: "missing opening quote of a key",
    make: (random) => whole(random, (text) => replaceOne(random, text, /"(\w+)": /g, '$1": ')),
  },
  {
    name: "missing closing quote of a key",
    make: (random) => whole(random, (text) => replaceOne(random, text, /"(\w+)": /g, '"$1: ')),
  },
  {
    name: "joined strings",
    make: (random) =>
      oneValue(
        random,
        random.pick(['"one " + "two"', '"one " "two"']),
        ["one two", 'one " + "two', 'one " "two'],
        true,
      ),
  },
  { name: "bare keys", make: (random) => whole(random, (_, document) => write(document, { key: (key) => key })) },
  { name: "bare words", make: (random) => oneValue(random, "green tea", ["green tea"]) },
  {
    name: "bare date or time",
    make: (random) => {
      const at = random.pick(["2025-03-04", "2025-03-04T10:20:30Z", "10:30"]);
      return oneValue(random, at, [at]);
    },
  },
  {
    name: "bare version or address",
    make: (random) => {
      const at = random.pick(["1.2.3", "10.0.0.1", "8px", "1/2", "12kg"]);
      return oneValue(random, at, [at]);
    },
  },
  { name: "bare URL", make: (random) => oneValue(random, "https://h.test/a?b=1#c", ["https://h.test/a?b=1#c"]) },
  {
    name: "Python literals",
    make: (random) => {
      const document = { ...makeDocument(random), active: true, owner: null };
      return { text: write(document, { scalar: python }), values: [document] };
    },
  },
  {
    name: "other number spellings",
    make: (random) => {
      const [at, is] = random.pick([
        ["+8", 8],
        [".5", 0.5],
        ["8.", 8],
        ["-.25", -0.25],
      ] as const);
      return oneValue(random, at, [is]);
    },
  },
  { name: "leading zeros", make: (random) => oneValue(random, "00123", ["00123"], true) },
  {
    name: "other bases and groups",
    make: (random) => {
      const at = random.pick(["0x1F", "8_000", "0b11"]);
      return oneValue(random, at, [at, at === "8_000" ? 8000 : Number(at)], true);
    },
  },
  { name: "thousands comma", make: (random) => oneValue(random, "8,000", [8000, "8,000"], true) },
  {
    name: "NaN and undefined",
    make: (random) => oneValue(random, random.pick(["NaN", "Infinity", "undefined", "-Infinity"]), [null], true),
  },
  {
    name: "constructor call",
    make: (random) => {
      const at = random.pick(['new Date("2020-01-02")', "ObjectId('5f')", "Decimal(8)"]);
      return oneValue(random, at, [at], true);
    },
  },
  { name: "tuple", make: (random) => oneValue(random, '(7, "x")', [[7, "x"]], true) },
  {
    name: "trailing comma",
    make: (random) => whole(random, (text) => replaceOne(random, text, /(?<=[\w"\]}])([\]}])/g, ",$1")),
  },
  { name: "leading comma", make: (random) => whole(random, (text) => text.replace("{", "{, ")) },
  {
    name: "doubled comma",
    make: (random) => whole(random, (text) => replaceOne(random, text, /, (?="\w+": )/g, ",, ")),
  },
  {
    name: "missing comma, one line",
    make: (random) => whole(random, (text) => replaceOne(random, text, /(?<=[\d\]}el]|"), (?="\w+": )/g, " ")),
  },
  {
    name: "missing comma, own lines",
    make: (random) =>
      whole(random, (_, document) => replaceOne(random, write(document, { indent: "  " }), /,\n(?= *"\w+": )/g, "\n")),
  },
  {
    name: "missing colon",
    make: (random) => whole(random, (text) => replaceOne(random, text, /": (?=[\d[{])/g, '" ')),
  },
  {
    name: "equals for colon",
    make: (random) => whole(random, (_, document) => write(document, { colon: random.pick([" = ", " => "]) })),
  },
  {
    name: "semicolons",
    make: (random) => whole(random, (_, document) => write(document, { comma: (inObject) => (inObject ? ";" : ",") })),
  },
  {
    name: "missing value",
    make: (random) => {
      const made = oneValue(random, "", [null], true);
      const bare = { ...(made.values[0] as JsonObject) };
      delete bare.special;
      made.values.push(bare);
      return made;
    },
  },
  {
    name: "missing inner closer",
    make: (random) => {
      const document = {
        ...makeDocument(random),
        labels: random.pick<Json>([
          [1, 2],
          ["a", "b"],
          [{ x: 1 }, { x: 2 }],
        ]),
      };
      const entries = Object.entries(document).filter(([key]) => key !== "labels");
      const last: JsonObject = { ...Object.fromEntries(entries), labels: document.labels };
      return { text: write(last).replace(/\]\}$/, "}"), values: [last] };
    },
  },
  { name: "missing closers at the end", make: (random) => whole(random, (text) => text.replace(/[\]}]+$/, " ")) },
  { name: "surplus closers", make: (random) => whole(random, (text) => text + random.pick(["}", "]", "}}", " }"])) },
  {
    name: "wrong closer",
    make: (random) => whole(random, (text) => text.replace(/\}$/, random.pick([")", "]"])), true),
  },
  {
    name: "closed too early",
    make: (random) => whole(random, (text) => text.replace(/, ("\w+": [^,]*\})$/, "}, $1"), true),
  },
  {
    name: "line comments",
    make: (random) =>
      whole(random, (_, document) =>
        write(document, { indent: "  " }).replaceAll(/,\n/g, random.pick([', // see "x": 1\n', ", # a, b\n"])),
      ),
  },
  {
    name: "block comments",
    make: (random) => whole(random, (text) => replaceOne(random, text, /(?<=[{,]) ?(?="\w+": )/g, ' /* "a": {1}, */ ')),
  },
  { name: "ellipsis", make: (random) => whole(random, (text) => text.replace(/\}$/, ", ...}")) },
  {
    name: "byte order mark, odd blanks",
    make: (random) => whole(random, (_, document) => `\ufeff${write(document, { colon: ":\u00a0" })}`),
  },
  {
    name: "typed line ends between tokens",
    make: (random) => whole(random, (_, document) => write(document, { indent: "  " }).replaceAll("\n", "\\n")),
  },
  { name: "fenced block", make: (random) => whole(random, (text) => `\`\`\`json\n${text}\n\`\`\``, false) },
  {
    name: "fenced block in prose",
    make: (random) => whole(random, (text) => `${random.pick(sentences)}\n\`\`\`json\n${text}\n\`\`\`\nThat is all.`),
  },
  { name: "prose around", make: (random) => whole(random, (text) => `Here it is: ${text}\nAnything else?`) },
  {
    name: "model marker after it",
    make: (random) =>
      whole(random, (text) => text + random.pick(["<|im_end|>", "\n</tool_call>", "<|eot_id|>", "</s>"])),
  },
  { name: "escaped as a whole", make: (random) => whole(random, (text) => quote(text).slice(1, -1)) },
  {
    name: "assignment",
    make: (random) =>
      whole(random, (text) => random.pick([`result = ${text};`, `callback(${text});`, `const a = ${text}`])),
  },
  { name: "members without braces", make: (random) => whole(random, (text) => text.slice(1, -1), true) },
  {
    name: "two documents",
    make: (random) => {
      const one = makeDocument(random);
      const two = makeDocument(random);
      return { text: `${write(one)}\n${write(two)}`, values: [[one, two]], mayRefuse: true };
    },
  },
  {
    name: "cut in a string",
    make: (random) => {
      const document = { ...makeDocument(random), text: "it goes on" };
      const { text: _, ...rest } = document;
      const base = Object.fromEntries(Object.entries(rest)) as JsonObject;
      return { text: `${write(base).slice(0, -1)}, "text": "it goes`, values: [{ ...base, text: "it goes" }] };
    },
  },
  {
    name: "cut in a key",
    make: (random) => {
      const document = makeDocument(random);
      return { text: `${write(document).slice(0, -1)}, "unfin`, values: [document] };
    },
  },
  {
    name: "cut in a number",
    make: (random) => {
      const document = makeDocument(random);
      return { text: `${write(document).slice(0, -1)}, "unfinished": 12`, values: [document] };
    },
  },
  {
    name: "inner quotes and raw newlines",
    make: (random) =>
      oneString(random, `${random.pick(talk)}\n${random.pick(talk)}\n`, (text) =>
        rawLines(text).replaceAll('\\"', '"'),
      ),
  },
  {
    name: "fence, Python and trailing comma",
    make: (random) => {
      const document = makeDocument(random);
      const string = (text: string): string => (text.includes("'") ? quote(text) : `'${text}'`);
      return {
        text: `\`\`\`\n${write(document, { string, key: string, scalar: python }).replace(/\}$/, ",}")}\n\`\`\``,
        values: [document],
      };
    },
  },
];
