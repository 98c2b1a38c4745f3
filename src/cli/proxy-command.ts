import { readFile } from "node:fs/promises";
import { Command, InvalidArgumentError, Option } from "commander";
import type { LogRecord } from "../proxy/log.ts";
import type { ServeOptions } from "../proxy/node.ts";
import type { CliEngine } from "./engine.ts";
import { exitStatus } from "./exit-status.ts";
import type { Terminal } from "./terminal.ts";
import { stopAsked } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

interface ProxyFlags {
  upstream: string;
  format: string;
  promptFormat?: string;
  host: string;
  port: number;
  send: ServeOptions["send"];
  upstreamToolChoice?: string;
  onRefusal: "feed-back" | "retry" | "drop" | "text";
  maxRetries: number;
  prefill?: string;
  marker?: string;
  instruction?: string;
  policy?: object;
  body?: Record<string, unknown>;
  constrain?: ServeOptions["constrain"];
  constrainReasoning?: ServeOptions["constrainReasoning"];
  passHeader?: string[];
  apiKeyEnv?: string;
  maxBody: number;
  answerTimeout: number;
  idleTimeout: number;
  grace: number;
  log?: boolean;
}

const examples = `
Examples:
  toolpeg proxy --upstream http://127.0.0.1:8000/v1 --format hermes
  toolpeg proxy --upstream http://127.0.0.1:8000/v1 --format by-model --log > requests.jsonl
  toolpeg proxy --upstream https://models.example/v1 --format qwen3_coder --api-key-env MODEL_KEY

Clients take http://127.0.0.1:8081/v1 as the base of an OpenAI interface, http://127.0.0.1:8081 as that of Anthropic's or
Ollama's. Ctrl-C, or SIGTERM, waits for the open streams; a second one does not.

Exit status:
  0  stopped
  2  the command is not as it should be, or the port is taken; a message says what to do`;

/** `toolpeg proxy`: tools for every client in front of a model server. */
export function proxyCommand(_engine: CliEngine, terminal: Terminal, finish: (status: number) => void): Command {
  return new Command("proxy")
    .description("give the clients of a model server tools: calls in its text become calls of their interface")
    .requiredOption("-u, --upstream <url>", "base of the model server, such as http://127.0.0.1:8000/v1")
    .requiredOption("-f, --format <ids>", "what the model writes: ids, separated by commas, `by-model` or `auto`")
    .option("--prompt-format <id>", "the format in which tools and calls are written; default the first of --format")
    .option("-p, --port <number>", "where to listen", wholeNumber, 8081)
    .option("--host <address>", "on which address; 0.0.0.0 lets other machines in", "127.0.0.1")
    .addOption(
      new Option(
        "--send <what>",
        "what the upstream gets: messages that describe tools, messages with `tools`, or a prompt",
      )
        .choices(["messages", "tools", "prompt"])
        .default("messages"),
    )
    .option("--upstream-tool-choice <choice>", "with --send tools: the tool_choice that goes to the upstream")
    .addOption(
      new Option("--on-refusal <how>", "what becomes of a refused call")
        .choices(["feed-back", "retry", "drop", "text"])
        .default("feed-back"),
    )
    .option("--max-retries <number>", "how often the model is asked again within a request", wholeNumber, 1)
    .option("--prefill <text>", "what the upstream's template opens for the model; \\n is a line break")
    .option("--marker <text>", "the opener, for formats where it can be chosen")
    .option("--instruction <file>", "a text that teaches the model its tools, in place of the format's")
    .option("--policy <json>", 'policy as JSON, such as {"calls": "first"}', jsonObject)
    .option(
      "--body <json>",
      'members that every request to the upstream carries, such as {"skip_special_tokens": false}',
      jsonObject,
    )
    .addOption(
      new Option("--constrain <form>", "hold the model to what is read, as the upstream takes it").choices([
        "structural-tag",
        "gbnf",
        "lark",
      ]),
    )
    .addOption(
      new Option("--constrain-reasoning <how>", "thoughts under a constraint").choices(["closed", "prefilled", "may"]),
    )
    .option("--pass-header <name...>", "further request headers that go to the upstream")
    .option("--api-key-env <variable>", "the variable with the upstream's key; default: the client's key is passed on")
    .option("--max-body <bytes>", "longest body of a request", wholeNumber, 10 * 1024 * 1024)
    .option("--answer-timeout <ms>", "how long the upstream may take to begin its answer", wholeNumber, 600_000)
    .option("--idle-timeout <ms>", "how long the upstream may be silent within an answer", wholeNumber, 120_000)
    .option("--grace <ms>", "how long open streams may go on after Ctrl-C", wholeNumber, 30_000)
    .option("--log", "print a line of JSON per request, with telemetry and without any text")
    .addHelpText("after", examples)
    .action(async (flags: ProxyFlags) => {
      await runProxy(flags, terminal);
      finish(exitStatus.calls);
    });
}

async function runProxy(flags: ProxyFlags, terminal: Terminal): Promise<void> {
  // Only this command needs a web framework.
  const { serveProxy } = await import("../proxy/node.ts");
  const options = await optionsOf(flags, terminal);
  const server = await serveProxy(options).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EADDRINUSE") throw new UsageError(`port ${flags.port} is taken`, "choose another with --port");
    if (error instanceof TypeError || error.code !== undefined) throw new UsageError(error.message);
    throw error;
  });
  terminal.err(`${terminal.errColours.green("listening")} on ${server.url}, in front of ${flags.upstream}\n`);
  await stopAsked();
  terminal.err("stopping; open streams are waited for\n");
  await Promise.race([server.close(flags.grace), stopAsked().then(() => server.close(0))]);
}

async function optionsOf(flags: ProxyFlags, terminal: Terminal): Promise<ServeOptions> {
  const { upstream, host, port, send, onRefusal, maxRetries, promptFormat, marker, policy, body, passHeader } = flags;
  const ids = flags.format.split(",").map((id) => id.trim());
  return {
    upstream,
    format: ids.length === 1 ? ids[0] : ids,
    promptFormat,
    host,
    port,
    send,
    upstreamToolChoice: flags.upstreamToolChoice,
    onRefusal,
    maxRetries,
    prefill: flags.prefill?.replaceAll("\\n", "\n"),
    marker,
    instruction: flags.instruction === undefined ? undefined : await readInstruction(flags.instruction),
    policy,
    body,
    constrain: flags.constrain,
    constrainReasoning: flags.constrainReasoning,
    passHeaders: passHeader,
    apiKey: flags.apiKeyEnv === undefined ? undefined : keyIn(flags.apiKeyEnv),
    maxBodyBytes: flags.maxBody,
    answerTimeoutMs: flags.answerTimeout,
    idleTimeoutMs: flags.idleTimeout,
    log: (record: LogRecord) => {
      if (flags.log) terminal.out(`${JSON.stringify(record)}\n`);
      for (const note of record.notes ?? []) terminal.err(`${note}\n`);
    },
  };
}

function keyIn(variable: string): string {
  const key = process.env[variable];
  if (key) return key;
  throw new UsageError(`the variable ${variable} is empty`, `export ${variable}=... or leave --api-key-env out`);
}

async function readInstruction(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => {
    throw new UsageError(`cannot read the instruction ${path}`, "check the path given to --instruction");
  });
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError("It is no whole number.");
}

function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError("It is no JSON object.");
}
