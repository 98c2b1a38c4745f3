import { Command, InvalidArgumentError, Option } from "commander";
import { countText } from "../contract/count-text.ts";
import type { HarnessParser } from "../testing/engine.ts";
import { disagreements, printAgreement } from "./batch/agreement.ts";
import type { BatchSetup } from "./batch/read-block.ts";
import { runBatch } from "./batch/run-batch.ts";
import type { CliEngine } from "./engine.ts";
import { batchStatusHelp, batchStatusOf, exitStatusHelp, statusOf, type Tally } from "./exit-status.ts";
import { formatChoice, formatChoiceHelp } from "./format-choice.ts";
import { EventPrinter } from "./print-events.ts";
import { printReply } from "./print-reply.ts";
import { Progress } from "./progress.ts";
import { chunksOf, type Input, openInputs, type Reply, repliesOf } from "./read-replies.ts";
import { readTools } from "./read-tools.ts";
import { type Reading, recordOf } from "./reading.ts";
import { formatsOf, type ReadingSetup, ReplyReader } from "./reply-reader.ts";
import type { Terminal } from "./terminal.ts";
import { policyFrom, UsageError } from "./usage-error.ts";

interface ParseFlags {
  format: string;
  tools?: string;
  stream?: boolean;
  chunk?: string;
  json?: boolean;
  jsonl?: boolean;
  input?: "text" | "jsonl";
  prefill?: string;
  intent?: boolean;
  finishReason?: string;
  marker?: string;
  names?: string;
  policy?: string;
  output?: string;
  jobs?: number;
  skipBad?: boolean;
  resume?: boolean;
  compact?: boolean;
  telemetryOnly?: boolean;
  expected?: string;
}

/** Longer texts are fed in slices of this size, so that progress can be shown; the outcome is the same. */
const sliceChars = 1 << 18;

const examples = `
Examples:
  toolpeg parse reply.txt --format hermes --tools tools.json
  toolpeg parse reply.txt --format template:models/my-model --tools tools.json
  toolpeg parse reply.txt --format grammars/mine.peggy --tools tools.json
  some-model | toolpeg parse --format deepseek_v31 --tools tools.json --stream
  toolpeg parse replies.jsonl --format qwen3_coder --tools tools.json --jsonl > results.jsonl

  toolpeg parse log.jsonl.zst --tools tools.json --jsonl --jobs 8 -o read.jsonl.zst --resume

${exitStatusHelp}

${batchStatusHelp}`;

/** `toolpeg parse`: replies in, calls out. */
export function parseCommand(engine: CliEngine, terminal: Terminal, finish: (status: number) => void): Command {
  return new Command("parse")
    .description("read tool calls out of model replies, from files or standard input")
    .argument("[file...]", "replies; `-` or nothing reads standard input; *.jsonl holds one reply per line, as `text`")
    .option("-f, --format <ids>", formatChoiceHelp, "auto")
    .option("-t, --tools <file>", "JSON file with the offered tools; without it nothing is validated")
    .option("-s, --stream", "print events as they happen")
    .option("--chunk <characters>", "with --stream: feed files in chunks of this size")
    .addOption(new Option("--json", "print one JSON value with everything").conflicts(["jsonl", "stream"]))
    .option("--jsonl", "print one JSON record per reply; with --stream, one per event")
    .addOption(new Option("--input <kind>", "what the input holds; default by file name").choices(["text", "jsonl"]))
    .option("--prefill <text>", "what the prompt had already opened; \\n is a line break")
    .option("--intent", "the model signalled that it needs a tool (fallback formats need it)")
    .option("--finish-reason <reason>", "why the model stopped; `length` means it was cut")
    .option("--marker <text>", "the opener, for formats where it can be chosen")
    .option("--names <names>", "tool names, for formats whose tags are tool names, when no tools are given")
    .option("--policy <json>", 'policy as JSON, such as {"calls": "first"}')
    .optionsGroup("With --jsonl:")
    .option("-o, --output <file>", "write the records there; *.gz and *.zst are compressed, as inputs may be")
    .option("-j, --jobs <number>", "read in so many threads; the order of the records stays", jobsOf)
    .option("--skip-bad", "leave lines out that are no replies, and count them")
    .option("--resume", "go on where a run with the same --output was stopped")
    .addOption(new Option("--compact", "calls and reasons alone: no offsets, repairs, text").conflicts("telemetryOnly"))
    .option("--telemetry-only", "the telemetry record with `id` and `model`: no text of the model")
    .option("--expected <field>", "compare the calls with those in this field of each line")
    .addHelpText("after", examples)
    .action(async (files: string[], flags: ParseFlags) => {
      finish(await runParse(files, flags, engine, terminal));
    });
}

async function runParse(files: string[], flags: ParseFlags, engine: CliEngine, terminal: Terminal): Promise<number> {
  checkBatchFlags(flags);
  const inputs = await openInputs(files, flags.input === undefined ? undefined : flags.input === "jsonl");
  const setup = await setupOf(flags, terminal);
  if (inputs.some((input) => input.name === "-") && terminal.stdin.isTTY) {
    terminal.err(terminal.errColours.dim("reading from the terminal; end the reply with Ctrl-D\n"));
  }
  if (flags.jsonl && !flags.stream) return parseBatch(inputs, setup, flags, engine, terminal);

  const reader = new ReplyReader(engine, setup);
  const tally: Tally = { replies: 0, calls: 0, refused: 0 };
  const records: Record<string, unknown>[] = [];
  const progress = new Progress(terminal);
  for (const input of inputs) {
    if (flags.stream) {
      if (input.jsonl) {
        for await (const reply of repliesOf(input, terminal))
          await streamReply(reply, slices(reply.text, chunkSize(flags)));
      } else {
        await streamReply({ source: input.label, text: "" }, resliced(chunksOf(input, terminal), chunkSize(flags)));
      }
      continue;
    }
    for await (const reply of repliesOf(input, terminal)) {
      const reading = readWhole(reply);
      addToTally(reading);
      progress.show(() => `${tally.replies} read, ${countText(tally.calls, "call")}`);
      if (flags.json) records.push(recordOf(reading));
      else {
        progress.clear();
        terminal.out(`${printReply(reading, terminal)}`);
      }
    }
  }
  progress.clear();
  if (flags.json) terminal.out(`${JSON.stringify(records.length === 1 ? records[0] : records, null, 2)}\n`);
  if (setup.tools === undefined && (flags.json || flags.jsonl)) terminal.err(notValidated(terminal));
  return statusOf(tally);

  function addToTally({ calls, result }: Reading): void {
    tally.replies++;
    tally.calls += calls.length;
    tally.refused += result.rejected.length;
  }

  function readWhole(reply: Reply): Reading {
    const { parser, reading } = reader.createParser(reply);
    let read = 0;
    for (const slice of slices(reply.text, sliceChars)) {
      parser.push(slice);
      read += slice.length;
      progress.show(() => `${reply.source}: ${Math.floor((100 * read) / reply.text.length)}%`);
    }
    parser.end();
    return reading();
  }

  async function streamReply(reply: Reply, chunks: AsyncIterable<string> | Iterable<string>): Promise<void> {
    const { parser, validated, reading } = reader.createParser(reply);
    const { single } = formatsOf(reply.format ?? setup.format);
    const printer = new EventPrinter(reply.source, single, terminal.colours);
    let text = "";
    const show = (events: ReturnType<HarnessParser["push"]>) => {
      for (const event of events) {
        terminal.out(
          flags.jsonl ? `${JSON.stringify({ source: reply.source, ...event })}\n` : printer.print(event, text),
        );
      }
    };
    for await (const chunk of chunks) {
      text += chunk;
      show(parser.push(chunk));
    }
    show(parser.end());
    addToTally(reading());
    if (flags.jsonl) return;
    const note = validated ? "" : `${terminal.colours.yellow("not validated")}: no tools were given\n`;
    terminal.out(printer.end() + note);
  }
}

/** Many replies to many records. */
async function parseBatch(
  inputs: readonly Input[],
  setup: ReadingSetup,
  flags: ParseFlags,
  engine: CliEngine,
  terminal: Terminal,
): Promise<number> {
  const { jobs = 1, output, resume = false, skipBad = false, expected } = flags;
  const record = flags.telemetryOnly ? "telemetry" : flags.compact ? "compact" : "full";
  const batch = { ...setup, record, skipBad, ...(expected === undefined ? {} : { expected }) } satisfies BatchSetup;
  const options = { setup: batch, jobs, resume, ...(output === undefined ? {} : { output }) };
  const isTold = flags.input !== undefined || inputs.every(({ name }) => name !== "-");
  const tally = await runBatch(inputs, options, engine, isTold ? terminal : noticingLines(terminal));
  if (setup.tools === undefined && tally.validated < tally.replies) terminal.err(notValidated(terminal));
  if (tally.bad > 0) terminal.err(`${terminal.errColours.yellow("left out")}: ${countText(tally.bad, "line")}\n`);
  terminal.err(printAgreement(tally.agreement, terminal.errColours));
  if (!inputs.every(({ jsonl }) => jsonl)) return statusOf(tally);
  return batchStatusOf({ bad: tally.bad, disagree: disagreements(tally.agreement) });
}

/** The terminal; says so where standard input holds lines of JSON, though nothing has said that each is a reply. */
function noticingLines(terminal: Terminal): Terminal {
  async function* noticed() {
    let isFirst = true;
    for await (const chunk of terminal.stdin) {
      if (isFirst && isReplyLine(String(chunk).split("\n", 1)[0])) terminal.err(oneReply(terminal));
      isFirst = false;
      yield chunk;
    }
  }
  return { ...terminal, stdin: noticed() };
}

function isReplyLine(line: string): boolean {
  try {
    return typeof (JSON.parse(line) as { text?: unknown } | null)?.text === "string";
  } catch {
    return false;
  }
}

function oneReply({ errColours }: Terminal): string {
  return `${errColours.yellow("one reply")}: standard input is read as a whole; --input jsonl reads a reply per line\n`;
}

function notValidated({ errColours }: Terminal): string {
  return `${errColours.yellow("not validated")}: no tools were given, so nothing was checked\n`;
}

/** Flags that mean something for a batch only. */
const batchFlags = ["output", "jobs", "skipBad", "resume", "compact", "telemetryOnly", "expected"] as const;

function checkBatchFlags(flags: ParseFlags): void {
  const [given] = batchFlags.filter((flag) => flags[flag] !== undefined);
  if (given !== undefined && (!flags.jsonl || flags.stream)) {
    const name = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new UsageError(`--${name} is for --jsonl without --stream`, "add --jsonl");
  }
  if (flags.chunk !== undefined && !flags.stream) throw new UsageError("--chunk is for --stream", "add --stream");
  if (flags.resume && flags.output === undefined) {
    throw new UsageError("--resume needs --output", "what went to standard output cannot be gone on with");
  }
}

async function setupOf(flags: ParseFlags, terminal: Terminal): Promise<ReadingSetup> {
  const { label, grammars, prefill } = await formatChoice(flags.format, terminal);
  return {
    format: label,
    ...(grammars.length === 0 ? {} : { grammars }),
    ...(prefill === undefined ? {} : { prefill }),
    ...(flags.tools === undefined ? {} : { tools: await readTools(flags.tools) }),
    ...(flags.prefill === undefined ? {} : { prefill: flags.prefill.replaceAll("\\n", "\n") }),
    ...(flags.finishReason === undefined ? {} : { finishReason: flags.finishReason }),
    ...(flags.marker === undefined ? {} : { marker: flags.marker }),
    ...(flags.intent ? { intent: true } : {}),
    ...(flags.policy === undefined ? {} : { policy: policyFrom(flags.policy) }),
    ...(flags.names === undefined ? {} : { names: flags.names.split(",").map((name) => name.trim()) }),
  };
}

function jobsOf(text: string): number {
  const jobs = Number(text);
  if (Number.isSafeInteger(jobs) && jobs > 0 && jobs <= 1024) return jobs;
  throw new InvalidArgumentError("It is a whole number from 1 on.");
}

function chunkSize(flags: ParseFlags): number {
  if (flags.chunk === undefined) return Number.POSITIVE_INFINITY;
  const size = Number(flags.chunk);
  if (Number.isSafeInteger(size) && size > 0) return size;
  throw new UsageError(`--chunk ${flags.chunk} is no number of characters`, "write --chunk 4");
}

function* slices(text: string, size: number): Generator<string> {
  if (text.length <= size) {
    yield text;
    return;
  }
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function* resliced(chunks: AsyncIterable<string>, size: number): AsyncGenerator<string> {
  for await (const chunk of chunks) yield* slices(chunk, size);
}
