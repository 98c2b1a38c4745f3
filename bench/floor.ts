/**
 * The physical limit in JavaScript: one `indexOf` pass for each literal that can leave prose in a format, `JSON.parse`
 * between the markers, nothing else. No quoting, no streaming, no damage, no validation: what it says of a text is only right
 * when the text is.
 */
import { type Call, type FormatId, isTextParameter, tools } from "./workloads.ts";

export interface FloorResult {
  calls: Call[];
  /** How often the other literals stand in the text. */
  others: number;
}

type Floor = (text: string) => FloorResult;

function count(text: string, literals: readonly string[]): number {
  let found = 0;
  for (const literal of literals) {
    for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + literal.length)) found++;
  }
  return found;
}

function hermes(text: string): FloorResult {
  const others = count(text, ["<think>", "<scratch_pad>", "`"]);
  const calls: Call[] = [];
  for (let at = text.indexOf("<tool_call>"); at >= 0; at = text.indexOf("<tool_call>", at)) {
    const end = text.indexOf("</tool_call>", at + 11);
    calls.push(JSON.parse(text.slice(at + 11, end)));
    at = end + 12;
  }
  return { calls, others };
}

/** Values between markers, as they are or through `JSON.parse`. */
function tags(
  text: string,
  others: number,
  [open, nameEnd]: [string, string],
  close: string,
  [parameter, keyEnd, parameterEnd]: [string, string, string],
  trim: number,
): FloorResult {
  const calls: Call[] = [];
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, at)) {
    const nameStop = text.indexOf(nameEnd, at + open.length);
    const name = text.slice(at + open.length, nameStop);
    const values: Record<string, unknown> = {};
    at = nameStop + nameEnd.length + 1;
    while (text.startsWith(parameter, at)) {
      const keyStop = text.indexOf(keyEnd, at + parameter.length);
      const key = text.slice(at + parameter.length, keyStop);
      const end = text.indexOf(parameterEnd, keyStop);
      const value = text.slice(keyStop + keyEnd.length + trim, end - trim);
      values[key] = isTextParameter(name, key) ? value : JSON.parse(value);
      at = end + parameterEnd.length + 1;
    }
    at += close.length;
    calls.push({ name, arguments: values });
  }
  return { calls, others };
}

const qwen3Coder: Floor = (text) =>
  tags(
    text,
    count(text, ["<tool_call>", "<think>", "`"]),
    ["<function=", ">"],
    "</function>",
    ["<parameter=", ">", "</parameter>"],
    1,
  );

const anthropicXml: Floor = (text) =>
  tags(
    text,
    count(text, ["<function_calls>", "<thinking>", "<think>", "`"]),
    ['<invoke name="', '">'],
    "</invoke>",
    ['<parameter name="', '">', "</parameter>"],
    0,
  );

const glm45: Floor = (text) => {
  const others = count(text, ["<think>", "`"]);
  const calls: Call[] = [];
  for (let at = text.indexOf("<tool_call>"); at >= 0; at = text.indexOf("<tool_call>", at)) {
    const nameStop = text.indexOf("\n", at + 11);
    const name = text.slice(at + 11, nameStop);
    const values: Record<string, unknown> = {};
    at = nameStop + 1;
    while (text.startsWith("<arg_key>", at)) {
      const keyStop = text.indexOf("</arg_key>", at + 9);
      const key = text.slice(at + 9, keyStop);
      const end = text.indexOf("</arg_value>", keyStop);
      const value = text.slice(keyStop + 22, end);
      values[key] = isTextParameter(name, key) ? value : JSON.parse(value);
      at = end + 13;
    }
    at += 12;
    calls.push({ name, arguments: values });
  }
  return { calls, others };
};

/** Openers are the names of the tools. */
const morphXml: Floor = (text) => {
  const others = count(text, ["<think>", "`"]);
  const calls: Call[] = [];
  const openers = tools.map(({ name }) => `<${name}>`);
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    const opener = openers.find((one) => text.startsWith(one, at));
    if (opener === undefined) continue;
    const name = opener.slice(1, -1);
    const values: Record<string, unknown> = {};
    at += opener.length + 1;
    while (text.charCodeAt(at + 1) !== 0x2f) {
      const keyStop = text.indexOf(">", at + 1);
      const key = text.slice(at + 1, keyStop);
      const end = text.indexOf(`</${key}>`, keyStop);
      const value = text.slice(keyStop + 1, end);
      values[key] = isTextParameter(name, key) ? value : JSON.parse(value);
      at = end + key.length + 4;
    }
    at += opener.length;
    calls.push({ name, arguments: values });
  }
  return { calls, others };
};

function nameThenJson(text: string, others: number, open: string, separator: string, close: string): FloorResult {
  const calls: Call[] = [];
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, at)) {
    const name = /^\w+/.exec(text.slice(at + open.length, at + open.length + 64))?.[0] ?? "";
    const body = text.indexOf(separator, at + open.length) + separator.length;
    const end = text.indexOf(close, body);
    calls.push({ name, arguments: JSON.parse(text.slice(body, end)) });
    at = end + close.length;
  }
  return { calls, others };
}

const deepseekV31: Floor = (text) =>
  nameThenJson(
    text,
    count(text, ["<｜tool▁calls▁begin｜>", "<think>", "`"]),
    "<｜tool▁call▁begin｜>",
    "<｜tool▁sep｜>",
    "<｜tool▁call▁end｜>",
  );

const harmony: Floor = (text) =>
  nameThenJson(text, count(text, ["<|start|>", "<|channel|>", "`"]), "to=functions.", "<|message|>", "<|call|>");

/** There are no markers: strings are jumped over, what stands between is looked at. */
function pythonic(text: string): FloorResult {
  if (text[0] !== "[") return { calls: [], others: count(text, ["<think>", "`"]) };
  const calls: Call[] = [];
  for (let at = 1; at < text.length; at += 2) {
    const paren = text.indexOf("(", at);
    const name = text.slice(at, paren);
    const values: Record<string, unknown> = {};
    at = paren + 1;
    while (text[at] !== ")") {
      const equals = text.indexOf("=", at);
      const key = text.slice(at, equals);
      const end = valueEnd(text, equals + 1);
      const value = text.slice(equals + 1, end);
      values[key] = value === "True" ? true : value === "False" ? false : JSON.parse(value);
      at = text[end] === "," ? end + 2 : end;
    }
    calls.push({ name, arguments: values });
    if (text[at + 1] === "]") break;
    at++;
  }
  return { calls, others: 0 };
}

function valueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; ; at++) {
    const unit = text[at];
    if (unit === '"') {
      do at = text.indexOf('"', at + 1);
      while (text[at - 1] === "\\" && text[at - 2] !== "\\");
    } else if (unit === "[") depth++;
    else if (unit === "]") depth--;
    else if (depth === 0 && (unit === "," || unit === ")")) return at;
  }
}

export const floors: Record<FormatId, Floor> = {
  hermes,
  qwen3_coder: qwen3Coder,
  glm45,
  morph_xml: morphXml,
  deepseek_v31: deepseekV31,
  harmony,
  anthropic_xml: anthropicXml,
  pythonic,
};
