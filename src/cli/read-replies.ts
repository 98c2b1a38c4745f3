import { stat } from "node:fs/promises";
import { bytesOf } from "./compression.ts";
import type { Terminal } from "./terminal.ts";
import { jsonFrom, UsageError } from "./usage-error.ts";

/** A reply to be read, and what its JSONL record said about it. */
export interface Reply {
  source: string;
  text: string;
  /** Its record; what is not read of it ({@link isReadField}) is passed through to the record that is written. */
  fields?: Record<string, unknown>;
  tools?: unknown[];
  /** Ids or aliases; absent: what the command line says. */
  format?: string;
  prefill?: string;
  finishReason?: string;
}

/** An input: a file, or standard input under the name `-`. */
export interface Input {
  name: string;
  label: string;
  jsonl: boolean;
  /** Size in bytes, where it is known, for progress. */
  bytes: number | undefined;
}

/** Checks that all inputs are there before anything is read, so that a slip in the last name costs no time. */
export async function openInputs(names: readonly string[], jsonl: boolean | undefined): Promise<Input[]> {
  const inputs: Input[] = [];
  for (const name of names.length === 0 ? ["-"] : names) {
    if (name === "-") {
      inputs.push({ name, label: "stdin", jsonl: jsonl ?? false, bytes: undefined });
      continue;
    }
    const found = await stat(name).catch(() => undefined);
    if (found === undefined)
      throw new UsageError(`there is no file ${name}`, "check the path; `-` reads standard input");
    if (found.isDirectory()) throw new UsageError(`${name} is a folder`, `name its files: ${name}/*`);
    inputs.push({ name, label: name, jsonl: jsonl ?? /\.(jsonl|ndjson)(\.(gz|zst))?$/i.test(name), bytes: found.size });
  }
  return inputs;
}

/** The text of an input in the pieces in which it comes; what is compressed, by its name, is decompressed. */
export async function* chunksOf(input: Input, terminal: Terminal): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const stream: AsyncIterable<Uint8Array | string> = input.name === "-" ? terminal.stdin : bytesOf(input.name);
  for await (const piece of stream) {
    const text = typeof piece === "string" ? piece : decoder.decode(piece, { stream: true });
    if (text !== "") yield text;
  }
  const rest = decoder.decode();
  if (rest !== "") yield rest;
}

/** The replies of an input: its whole text, or one per line of JSONL. */
export async function* repliesOf(input: Input, terminal: Terminal): AsyncGenerator<Reply> {
  if (!input.jsonl) {
    const pieces: string[] = [];
    for await (const piece of chunksOf(input, terminal)) pieces.push(piece);
    yield { source: input.label, text: pieces.join("") };
    return;
  }
  for await (const [line, source] of linesOf(input, terminal)) yield readReplyLine(line, source);
}

/** The lines of an input that are not blank, each with where it stands. */
export async function* linesOf(input: Input, terminal: Terminal): AsyncGenerator<[line: string, source: string]> {
  let rest = "";
  let number = 0;
  for await (const piece of chunksOf(input, terminal)) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      number++;
      if (line.trim() !== "") yield [line, `${input.label}:${number}`];
    }
  }
  if (rest.trim() !== "") yield [rest, `${input.label}:${number + 1}`];
}

/** Whether a field of a record says what the reply is and how it is read. */
export function isReadField(name: string): boolean {
  switch (name) {
    case "text":
    case "tools":
    case "prefill":
    case "format":
    case "finishReason":
    case "finish_reason":
      return true;
    default:
      return false;
  }
}

/**
 * Reads a line of JSONL.
 *
 * @throws UsageError that names `source`, when the line is no reply
 */
export function readReplyLine(line: string, source: string): Reply {
  const record = jsonFrom(line, source, "each line is an object with a `text` field");
  if (typeof record === "string") return { source, text: record };
  const fields = (typeof record === "object" && record !== null ? record : {}) as Record<string, unknown>;
  const { text, tools, prefill, format, finishReason, finish_reason = finishReason } = fields;
  if (typeof text !== "string") {
    throw new UsageError(
      `${source} has no text`,
      'each line is an object such as {"text": "..."}; `format`, `tools`, `prefill` and `finish_reason` are read too, and the rest is passed through',
    );
  }
  // A million times: no object is made that is only copied.
  const reply: Reply = { source, text, fields };
  if (Array.isArray(tools)) reply.tools = tools;
  else if (isGiven(tools))
    throw new UsageError(`${source}: \`tools\` is no list`, "give the definitions themselves, as JSON");
  if (isGiven(prefill)) reply.prefill = textOf(prefill, "prefill", source);
  if (isGiven(format)) reply.format = textOf(format, "format", source);
  if (isGiven(finish_reason)) reply.finishReason = textOf(finish_reason, "finish_reason", source);
  return reply;
}

/** What a line leaves out, or says to be null, comes from the command line. */
const isGiven = (field: unknown): boolean => field !== undefined && field !== null;

function textOf(field: unknown, name: string, source: string): string {
  if (typeof field !== "string")
    throw new UsageError(`${source}: \`${name}\` is no text`, "give a string, or leave it out");
  return field;
}
