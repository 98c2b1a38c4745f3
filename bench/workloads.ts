/**
 * The replies that are measured: five kinds, written in each of eight formats by hand, so that what is measured does not
 * depend on our own renderer. Every workload says what it must be read as.
 */

export interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

export interface Workload {
  name: string;
  format: FormatId;
  text: string;
  calls: Call[];
}

export const formatIds = [
  "hermes",
  "qwen3_coder",
  "glm45",
  "morph_xml",
  "deepseek_v31",
  "harmony",
  "anthropic_xml",
  "pythonic",
] as const;
export type FormatId = (typeof formatIds)[number];

/** The tools of every workload. */
export const tools = [
  {
    name: "read_dial",
    description: "Read a dial.",
    parameters: {
      type: "object",
      properties: { dial: { type: "string", enum: ["north", "south", "east", "west"] } },
      required: ["dial"],
      additionalProperties: false,
    },
  },
  {
    name: "set_dial",
    description: "Set a dial.",
    parameters: {
      type: "object",
      properties: {
        dial: { type: "string" },
        value: { type: "number" },
        unit: { type: "string" },
        relative: { type: "boolean" },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["dial", "value"],
      additionalProperties: false,
    },
  },
  {
    name: "write_note",
    description: "Write a note.",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, text: { type: "string" } },
      required: ["path", "text"],
    },
  },
];

const isText = new Map(
  tools.map(({ name, parameters }) => [
    name,
    new Set(Object.entries(parameters.properties).flatMap(([key, { type }]) => (type === "string" ? [key] : []))),
  ]),
);

/** Whether a parameter is text: the tagged formats write it as it is. */
export const isTextParameter = (name: string, key: string): boolean => isText.get(name)?.has(key) === true;

const tagged = (name: string, key: string, value: unknown) =>
  isTextParameter(name, key) ? (value as string) : JSON.stringify(value);

const members = (call: Call) => Object.entries(call.arguments);
const python = (value: unknown) =>
  JSON.stringify(value)
    .replace(/^true$/, "True")
    .replace(/^false$/, "False");

/** How calls are written in each format. */
const writers: Record<FormatId, (calls: readonly Call[]) => string> = {
  hermes: (calls) => calls.map((call) => `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`).join("\n"),
  qwen3_coder: (calls) =>
    calls
      .map((call) => {
        const parameters = members(call).map(
          ([key, value]) => `<parameter=${key}>\n${tagged(call.name, key, value)}\n</parameter>\n`,
        );
        return `<tool_call>\n<function=${call.name}>\n${parameters.join("")}</function>\n</tool_call>`;
      })
      .join("\n"),
  glm45: (calls) =>
    calls
      .map((call) => {
        const parameters = members(call).map(
          ([key, value]) => `<arg_key>${key}</arg_key>\n<arg_value>${tagged(call.name, key, value)}</arg_value>\n`,
        );
        return `<tool_call>${call.name}\n${parameters.join("")}</tool_call>`;
      })
      .join("\n"),
  morph_xml: (calls) =>
    calls
      .map((call) => {
        const parameters = members(call).map(([key, value]) => `<${key}>${tagged(call.name, key, value)}</${key}>\n`);
        return `<${call.name}>\n${parameters.join("")}</${call.name}>`;
      })
      .join("\n"),
  deepseek_v31: (calls) => {
    const each = calls.map(
      (call) => `<｜tool▁call▁begin｜>${call.name}<｜tool▁sep｜>${JSON.stringify(call.arguments)}<｜tool▁call▁end｜>`,
    );
    return `<｜tool▁calls▁begin｜>${each.join("")}<｜tool▁calls▁end｜>`;
  },
  harmony: (calls) =>
    calls
      .map(
        (call) =>
          `<|start|>assistant<|channel|>commentary to=functions.${call.name} <|constrain|>json<|message|>` +
          `${JSON.stringify(call.arguments)}<|call|>`,
      )
      .join(""),
  anthropic_xml: (calls) => {
    const each = calls.map((call) => {
      const parameters = members(call).map(
        ([key, value]) => `<parameter name="${key}">${tagged(call.name, key, value)}</parameter>\n`,
      );
      return `<invoke name="${call.name}">\n${parameters.join("")}</invoke>\n`;
    });
    return `<function_calls>\n${each.join("")}</function_calls>`;
  },
  pythonic: (calls) => {
    const each = calls.map(
      (call) =>
        `${call.name}(${members(call)
          .map(([key, value]) => `${key}=${python(value)}`)
          .join(", ")})`,
    );
    return `[${each.join(", ")}]`;
  },
};

/** In this format a message is either calls or prose, so a workload with both loses the prose. */
const isWholeMessage = (format: FormatId) => format === "pythonic";

const sentences = [
  "The north dial reads a < b, and c > d in the lower half. ",
  'Set {x, y} to [1, 2] (or leave it), she said: "never". ',
  "A <b>bold</b> claim & a </b> that closes nothing, <tool is no tag. ",
  "| column | 3 < 4 | <- arrow | \\n is no line break |\n",
  "Nothing to see here, only words that go on for a while until the line ends at last.\n",
];

/** Prose that looks like markup here and there, with inline code now and then. */
export function prose(chars: number): string {
  let out = "";
  for (let n = 0; out.length < chars; n++) {
    out += sentences[n % sentences.length];
    if (n % 20 === 19) out += "Call `dial --north` twice.\n";
  }
  return `${out.slice(0, chars - 1)}\n`;
}

const codeLine = '  const reading = dials["north"].read({ unit: "bar", retry: 3 }); // 7 < 8 && 9 > 2\n';

/** Source code, as arguments hold it: quotes, braces, backslashes, line breaks. */
export function code(chars: number): string {
  return codeLine.repeat(Math.ceil(chars / codeLine.length)).slice(0, chars);
}

const foreign = "北のダイヤルを読みます。Стрелка указывает на север 🧭, قراءة الشمال. 한국어 문장도 하나. ";

function small(format: FormatId): Omit<Workload, "name"> {
  const calls = [{ name: "read_dial", arguments: { dial: "north" } }];
  const lead = isWholeMessage(format) ? "" : "Reading it now.\n";
  return { format, calls, text: lead + writers[format](calls) };
}

function twenty(format: FormatId): Omit<Workload, "name"> {
  const calls = [...Array(20).keys()].map((n) => ({
    name: "set_dial",
    arguments: { dial: `dial ${n}`, value: n * 1.5, unit: "bar", relative: n % 2 === 0, tags: ["a", `b${n}`] },
  }));
  return { format, calls, text: writers[format](calls) };
}

function argument(format: FormatId, chars: number): Omit<Workload, "name"> {
  const calls = [{ name: "write_note", arguments: { path: "notes/north.ts", text: code(chars) } }];
  return { format, calls, text: writers[format](calls) };
}

function proseThenCall(format: FormatId, chars: number): Omit<Workload, "name"> {
  const calls = isWholeMessage(format) ? [] : [{ name: "read_dial", arguments: { dial: "north" } }];
  return { format, calls, text: prose(chars) + (calls.length ? writers[format](calls) : "") };
}

function nonLatin(format: FormatId): Omit<Workload, "name"> {
  const calls = [{ name: "write_note", arguments: { path: "заметки/北.txt", text: foreign.repeat(200) } }];
  const lead = isWholeMessage(format) ? "" : foreign.repeat(200);
  return { format, calls, text: lead + writers[format](calls) };
}

/** The five kinds of reply in one format. */
export function workloadsOf(format: FormatId): Workload[] {
  return [
    { name: "small reply", ...small(format) },
    { name: "20 calls", ...twenty(format) },
    { name: "200 KB argument", ...argument(format, 200_000) },
    { name: "1 MB prose", ...proseThenCall(format, 1_000_000) },
    { name: "non-Latin text", ...nonLatin(format) },
  ];
}

/** One argument of so many characters, for growth. */
export function argumentOf(format: FormatId, chars: number): Workload {
  return { name: `${chars} characters`, ...argument(format, chars) };
}

/** A text in chunks of so many UTF-16 units. */
export function chunksOf(text: string, size: number): string[] {
  const chunks: string[] = [];
  for (let at = 0; at < text.length; at += size) chunks.push(text.slice(at, at + size));
  return chunks;
}
