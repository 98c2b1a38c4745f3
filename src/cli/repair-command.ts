import { readFileSync, writeFileSync } from "node:fs";
import { Command, Option } from "commander";
import { type Repair, type ValueLevel, worstLevel } from "../contract/repairs.ts";
import type { JsonSchema } from "../contract/types.ts";
import { lookUpSchema, type RepairJsonOptions, RepairReader, repairJson } from "../json-repair/index.ts";
import { JsonWriter } from "../values/json-writer.ts";
import type { CliEngine } from "./engine.ts";
import { placeOf } from "./excerpt.ts";
import { chunksOf, openInputs } from "./read-replies.ts";
import type { Terminal } from "./terminal.ts";
import { orUnwritable, UsageError } from "./usage-error.ts";
import { visible } from "./visible-text.ts";

interface RepairFlags {
  output?: string;
  schema?: string;
  several?: "first" | "last" | "array" | "refuse";
  stream?: boolean;
  explain?: boolean;
  cut?: boolean;
}

/** What scripts can rely on: how sure it is that the JSON which was printed is what was meant. */
const repairStatus: Readonly<Record<ValueLevel | "unreadable", number>> = {
  none: 0,
  safe: 0,
  unreadable: 1,
  truncated: 3,
  guess: 4,
};

const help = `
Examples:
  toolpeg repair broken.json > mended.json
  toolpeg repair broken.json -o broken.json
  some-model | toolpeg repair --stream --schema answer.schema.json

Exit status:
  0  it is JSON, or has one reading
  1  refused: there is no JSON in it, or several documents and nothing says which (--several); what --stream
     has printed by then is the first
  2  the command or an input is not as it should be; a message says what to do
  3  the text ends inside the value: more may be missing
  4  it has several readings, and one was picked`;

/** `toolpeg repair [FILE]`: damaged JSON in, JSON out, and what was done to the terminal. */
export function repairCommand(_: CliEngine, terminal: Terminal, finish: (status: number) => void): Command {
  return new Command("repair")
    .description("mend damaged JSON from a file or standard input, and say how sure it is")
    .argument("[file]", "the text; `-` or nothing reads standard input")
    .option("-o, --output <file>", "write the JSON there; it may be the file that was read")
    .option("--schema <file>", "JSON Schema of the value: its keys show where strings end")
    .addOption(
      new Option("--several <which>", "what to do with several documents in one text")
        .choices(["first", "last", "array", "refuse"])
        .default("refuse"),
    )
    .option("--cut", "the text may have been cut: its end does not end a number")
    .addOption(new Option("--stream", "print the JSON while the text comes").conflicts("output"))
    .option("--explain", "list every repair, with its place and what stood there")
    .addHelpText("after", help)
    .action(async (file: string | undefined, flags: RepairFlags) => {
      finish(await runRepair(file, flags, terminal));
    });
}

async function runRepair(file: string | undefined, flags: RepairFlags, terminal: Terminal): Promise<number> {
  const schema = flags.schema === undefined ? undefined : readSchema(flags.schema);
  const [input] = await openInputs(file === undefined ? [] : [file], false);
  const chunks = chunksOf(input, terminal);
  const { read, text } = flags.stream
    ? await repairStream(chunks, flags, schema, terminal)
    : await repairWhole(chunks, flags, schema, terminal);
  if ("message" in read) {
    terminal.err(`${terminal.errColours.red("refused")}: ${read.message}, at ${placeText(text, read.at)}\n`);
    return repairStatus.unreadable;
  }
  const level = worstLevel(read.repairs);
  if (level !== "none") explain(read.repairs, level, text, flags.explain === true, terminal);
  return repairStatus[level];
}

interface Outcome {
  text: string;
  read: { repairs: readonly Repair[] } | { message: string; at: number };
}

async function repairWhole(
  chunks: AsyncIterable<string>,
  flags: RepairFlags,
  schema: JsonSchema | undefined,
  terminal: Terminal,
): Promise<Outcome> {
  const pieces: string[] = [];
  for await (const chunk of chunks) pieces.push(chunk);
  const text = pieces.join("");
  const read = repairJson(text, optionsOf(flags, schema));
  // What was sound is printed as it is: its digits and its layout are left as they are.
  if (read.ok) write(read.level === "none" ? text : `${JSON.stringify(read.value, null, 2)}\n`, flags.output, terminal);
  return { text, read };
}

async function repairStream(
  chunks: AsyncIterable<string>,
  flags: RepairFlags,
  schema: JsonSchema | undefined,
  terminal: Terminal,
): Promise<Outcome> {
  if (flags.several !== "refuse") {
    throw new UsageError("--several needs the whole text", "leave --stream out, or leave --several out");
  }
  const writer = new JsonWriter();
  const reader = new RepairReader(writer, lookUpSchema(schema, undefined));
  let text = "";
  for await (const chunk of chunks) {
    text += chunk;
    reader.push(chunk);
    terminal.out(writer.take());
  }
  reader.finish(flags.cut !== true);
  writer.finish();
  terminal.out(`${writer.take()}\n`);
  const { failure, end } = reader;
  if (failure !== undefined) return { text, read: failure };
  if (text.slice(end).trim() === "") return { text, read: { repairs: reader.repairs } };
  // What follows may be prose or another document: the whole text says which.
  const whole = repairJson(text, optionsOf(flags, schema));
  if (!whole.ok) return { text, read: whole };
  return {
    text,
    read: { repairs: [...reader.repairs, { kind: "surrounding-prose", level: "guess", start: end, end: text.length }] },
  };
}

function optionsOf(flags: RepairFlags, schema: JsonSchema | undefined): RepairJsonOptions {
  const options: RepairJsonOptions = { final: flags.cut !== true, several: flags.several ?? "refuse" };
  return schema === undefined ? options : { ...options, schema };
}

function write(json: string, output: string | undefined, terminal: Terminal): void {
  if (output === undefined) terminal.out(json);
  else orUnwritable(output, () => writeFileSync(output, json));
}

function readSchema(path: string): JsonSchema {
  try {
    return JSON.parse(readFileSync(path, "utf8").trim()) as JsonSchema;
  } catch (error) {
    throw new UsageError(`cannot read the schema ${path}: ${(error as Error).message}`, "give a JSON Schema in a file");
  }
}

const sure: Readonly<Record<ValueLevel, string>> = {
  none: "sound",
  safe: "one reading",
  truncated: "cut: more may be missing",
  guess: "a guess: it has other readings",
};

const shownCharsMax = 40;

function explain(repairs: readonly Repair[], level: ValueLevel, text: string, each: boolean, terminal: Terminal): void {
  const { err, errColours } = terminal;
  const colour = level === "safe" ? errColours.green : errColours.yellow;
  const kinds = [...new Set(repairs.map(({ kind }) => kind))].join(", ");
  err(`${colour(level)} (${sure[level]}): ${kinds}\n`);
  if (!each) return;
  for (const { kind, level: own, start, end } of repairs) {
    const what = start === end ? "" : `  ${visible(text.slice(start, Math.min(end, start + shownCharsMax)))}`;
    err(`  ${placeText(text, start)}  ${own}  ${kind}${what}\n`);
  }
}

function placeText(text: string, at: number): string {
  const { line, column } = placeOf(text, at);
  return `${line}:${column}`;
}
