import { Command, Option } from "commander";
import type { HarnessParser } from "../testing/engine.ts";
import type { CliEngine } from "./engine.ts";
import { exitStatusHelp, statusOf, type Tally } from "./exit-status.ts";
import { EventPrinter } from "./print-events.ts";
import { count, printReply } from "./print-reply.ts";
import { Progress } from "./progress.ts";
import { chunksOf, openInputs, type Reply, repliesOf } from "./read-replies.ts";
import { readTools } from "./read-tools.ts";
import { type Reading, recordOf } from "./reading.ts";
import type { Terminal } from "./terminal.ts";
import { orMisuse, UsageError } from "./usage-error.ts";

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
}

/** Longer texts are fed in slices of this size, so that progress can be shown; the outcome is the same. */
const sliceChars = 1 << 18;

const examples = `
Examples:
  toolpeg parse reply.txt --format hermes --tools tools.json
  some-model | toolpeg parse --format deepseek_v31 --tools tools.json --stream
  toolpeg parse replies.jsonl --format qwen3_coder --tools tools.json --jsonl > results.jsonl

${exitStatusHelp}`;

/** `toolpeg parse`: replies in, calls out. */
export function parseCommand(engine: CliEngine, terminal: Terminal, finish: (status: number) => void): Command {
  return new Command("parse")
    .description("read tool calls out of model replies, from files or standard input")
    .argument("[file...]", "replies; `-` or nothing reads standard input; *.jsonl holds one reply per line, as `text`")
    .option("-f, --format <ids>", "format ids or aliases, separated by commas, or `auto`", "auto")
    .option("-t, --tools <file>", "JSON file with the offered tools; without it nothing is validated")
    .option("-s, --stream", "print events as they happen")
    .option("--chunk <characters>", "with --stream: feed files in chunks of this size")
    .addOption(new Option("--json", "print one JSON value with everything").conflicts(["jsonl", "stream"]))
    .option("--jsonl", "print one JSON record per reply; with --stream, one per event")
    .addOption(new Option("--input <kind>", "what the input holds; default by file name").choices(["text", "jsonl"]))
    .option("--prefill <text>", "what the prompt had already opened; \\n is a line break")
    .option("--intent", "the model signalled that it wants a tool (fallback formats need it)")
    .option("--finish-reason <reason>", "why the model stopped; `length` means it was cut")
    .option("--marker <text>", "the opener, for formats where it can be chosen")
    .option("--names <names>", "tool names, for formats whose tags are tool names, when no tools are given")
    .option("--policy <json>", 'policy as JSON, such as {"calls": "first"}')
    .addHelpText("after", examples)
    .action(async (files: string[], flags: ParseFlags) => {
      finish(await runParse(files, flags, engine, terminal));
    });
}

async function runParse(files: string[], flags: ParseFlags, engine: CliEngine, terminal: Terminal): Promise<number> {
  const tools = flags.tools === undefined ? undefined : await readTools(flags.tools);
  const inputs = await openInputs(files, flags.input === undefined ? undefined : flags.input === "jsonl");
  const options = optionsOf(flags);
  // A wrong format or tool is reported before a long input is waited for.
  createParser(engine, options, tools, {});
  if (inputs.some((input) => input.name === "-") && terminal.stdin.isTTY) {
    terminal.err(terminal.errColours.dim("reading from the terminal; end the reply with Ctrl-D\n"));
  }

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
      tally.replies++;
      tally.calls += reading.calls.length;
      tally.refused += reading.result.rejected.length;
      progress.show(() => `${tally.replies} read, ${count(tally.calls, "call")}`);
      if (flags.json) records.push(recordOf(reading));
      else if (flags.jsonl) terminal.out(`${JSON.stringify(recordOf(reading))}\n`);
      else {
        progress.clear();
        terminal.out(`${printReply(reading, terminal)}`);
      }
    }
  }
  progress.clear();
  if (flags.json) terminal.out(`${JSON.stringify(records.length === 1 ? records[0] : records, null, 2)}\n`);
  if (tools === undefined && (flags.json || flags.jsonl)) {
    terminal.err(`${terminal.errColours.yellow("not validated")}: no tools were given, so nothing was checked\n`);
  }
  return statusOf(tally);

  function readWhole(reply: Reply): Reading {
    const offered = reply.tools ?? tools;
    const parser = createParser(engine, options, offered, reply);
    let read = 0;
    for (const slice of slices(reply.text, sliceChars)) {
      parser.push(slice);
      read += slice.length;
      progress.show(() => `${reply.source}: ${Math.floor((100 * read) / reply.text.length)}%`);
    }
    parser.end(finishOf(reply));
    const result = parser.result();
    return {
      source: reply.source,
      ...(reply.id === undefined ? {} : { id: reply.id }),
      text: reply.text,
      format: options.single,
      formatLabel: flags.format,
      result,
      calls: result.calls ?? result.candidates ?? [],
      validated: offered !== undefined,
    };
  }

  async function streamReply(reply: Reply, chunks: AsyncIterable<string> | Iterable<string>): Promise<void> {
    const offered = reply.tools ?? tools;
    const parser = createParser(engine, options, offered, reply);
    const printer = new EventPrinter(reply.source, options.single, terminal.colours);
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
    show(parser.end(finishOf(reply)));
    const result = parser.result();
    tally.replies++;
    tally.calls += (result.calls ?? result.candidates ?? []).length;
    tally.refused += result.rejected.length;
    if (flags.jsonl) return;
    const note = offered === undefined ? `${terminal.colours.yellow("not validated")}: no tools were given\n` : "";
    terminal.out(printer.end() + note);
  }
}

interface ParseSetup {
  shared: Record<string, unknown>;
  /** For phase two only. */
  gate: Record<string, unknown>;
  /** For phase one only. */
  extract: Record<string, unknown>;
  single: string | undefined;
}

function optionsOf(flags: ParseFlags): ParseSetup {
  const ids = flags.format.split(",").map((id) => id.trim());
  if (ids.some((id) => id === "")) {
    throw new UsageError("an empty format id", "write --format hermes, or --format hermes,deepseek_v31");
  }
  const single = ids.length === 1 && ids[0] !== "auto" ? ids[0] : undefined;
  if (ids.length > 1 && ids.includes("auto")) {
    throw new UsageError("`auto` already stands for every format", "leave the other formats out, or leave `auto` out");
  }
  return {
    shared: {
      format: ids.length === 1 ? ids[0] : ids,
      ...(flags.prefill === undefined ? {} : { prefill: flags.prefill.replaceAll("\\n", "\n") }),
      ...(flags.finishReason === undefined ? {} : { finishReason: flags.finishReason }),
      ...(flags.marker === undefined ? {} : { marker: flags.marker }),
    },
    gate: {
      ...(flags.intent ? { intent: true } : {}),
      ...(flags.policy === undefined ? {} : { policy: policyOf(flags) }),
    },
    extract: flags.names === undefined ? {} : { names: flags.names.split(",").map((name) => name.trim()) },
    single,
  };
}

function policyOf(flags: ParseFlags): unknown {
  try {
    return JSON.parse(flags.policy ?? "{}");
  } catch (error) {
    throw new UsageError(`--policy is not JSON: ${(error as Error).message}`, `write --policy '{"calls": "first"}'`);
  }
}

function createParser(
  engine: CliEngine,
  options: ParseSetup,
  tools: unknown[] | undefined,
  reply: Partial<Reply>,
): HarnessParser {
  const shared = {
    ...options.shared,
    ...(reply.prefill === undefined ? {} : { prefill: reply.prefill }),
    ...(reply.finishReason === undefined ? {} : { finishReason: reply.finishReason }),
  };
  return orMisuse(() =>
    tools === undefined
      ? engine.createExtractor({ ...shared, ...options.extract })
      : engine.createParser({ ...shared, ...options.gate, tools }),
  );
}

function finishOf(reply: Reply): { finishReason?: string } {
  return reply.finishReason === undefined ? {} : { finishReason: reply.finishReason };
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
