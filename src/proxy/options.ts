import type { TextMessage } from "../adapters/openai.ts";
import type { RenderResult } from "../adapters/past-messages.ts";
import { checkReadingOptions, type ReadingOptions } from "../adapters/reading-options.ts";
import type { OnRefusal } from "../adapters/refusals.ts";

import {
  type CheckValue,
  isAnything,
  isEither,
  isFunction,
  isListOfTexts,
  isOneOf,
  isText,
} from "../contract/option-values.ts";
import { type Format, type FormatChoice, formats } from "../index.ts";

import { chatMlPrompt, type Prompt } from "./chat-ml.ts";
import type { LogRecord } from "./log.ts";

/** What the upstream takes to hold a model to a grammar. */
export type ConstraintForm = "structural-tag" | "gbnf" | "lark";

/** In what form a conversation goes to the upstream. */
export type SendAs = "messages" | "tools" | "prompt";

/** A chat template as an upstream serves it, with the tokens that it prints. */
export interface TemplateSource {
  chat_template: string;
  bos_token?: string | undefined;
  eos_token?: string | undefined;
}

/** What a chat template comes to: what `formatOfTemplate` of `toolpeg/template` gives. */
export interface TemplateReading {
  format: Format;
  /** Ids of the formats of the package that read all of it. */
  readBy: readonly string[];
  /** What the template opens for the model. */
  prefill?: string;
}

/** Options of `createProxy`. */
export interface ProxyOptions extends Omit<ReadingOptions, "format" | "formats"> {
  /** Base of the model server's interface, such as `http://127.0.0.1:8000/v1`. */
  upstream: string;
  /**
   * What the model writes: ids, aliases or values; a list competes by position and the first of it writes instruction and
   * past calls. `"auto"`: every format is read; `promptFormat`, or else the format of the model, is written.
   * `"by-model"`: the format that the upstream's chat template writes, where the upstream serves one; else the format of the
   * model that a request names, or of the one that the upstream lists under that name.
   */
  format: FormatChoice;
  /**
   * Reads the chat template that the upstream serves: `formatOfTemplate` of `toolpeg/template`, which needs the package
   * `@huggingface/jinja`. Default: `serveProxy` and `toolpeg proxy` take that one; else templates are not looked at.
   */
  formatOfTemplate?: ((source: TemplateSource) => Promise<TemplateReading>) | undefined;
  /**
   * `"messages"`: chat messages, with tools, calls and results written as text. `"tools"`: chat messages with `tools`, for
   * an upstream whose template writes them and whose own reading of calls is off. `"prompt"`: text completions, for an
   * upstream without chat. Default `"messages"`.
   */
  send?: SendAs | undefined;
  /** With `send: "tools"`: the `tool_choice` that goes to the upstream. Default: none is sent. */
  upstreamToolChoice?: string | undefined;
  /** With `send: "prompt"`: writes the conversation as text. Default: ChatML. */
  prompt?: ((messages: readonly TextMessage[]) => Prompt) | undefined;
  /** Members that every rewritten request to the upstream carries, such as `{ skip_special_tokens: false }`. */
  body?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Holds the model to what is read, by guided decoding: `"structural-tag"` (vLLM, SGLang), `"gbnf"` (llama.cpp) or `"lark"`
   * (vLLM with guidance). Only for an upstream that takes it. Default: the model writes freely.
   */
  constrain?: ConstraintForm | undefined;
  /**
   * Under a constraint: `"may"`, a message may begin with thoughts; `"prefilled"`, the prompt has opened them; `"closed"`, there
   * are none, or the upstream splits them off itself. Default `"prefilled"` with `prefill`, else `"may"`.
   */
  constrainReasoning?: "closed" | "prefilled" | "may" | undefined;
  /** How a tool's result is written. Default: JSON in `<tool_response>` tags. */
  renderResult?: RenderResult | undefined;
  /** Credential for the upstream, in place of the client's. Default: the client's is passed on. */
  apiKey?: string | undefined;
  /** Names of further request headers to pass on. */
  passHeaders?: readonly string[] | undefined;
  /** Longest body of a request, in bytes. Default 10 MiB. */
  maxBodyBytes?: number | undefined;
  /** How long the upstream may take to begin its answer, in milliseconds. Default 600,000; Node's own `fetch` ends at 300,000. */
  answerTimeoutMs?: number | undefined;
  /** How long the upstream may be silent within an answer, in milliseconds. Default 120,000. */
  idleTimeoutMs?: number | undefined;
  /** Called once per request, when its answer has ended; what it throws is ignored. Default: nothing is logged. */
  log?: ((record: LogRecord) => void) | undefined;
  /** Sends requests. Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

/** Options with their defaults. */
export interface ProxySettings extends ProxyOptions {
  /** Without a slash at its end. */
  upstream: string;
  send: SendAs;
  prompt: (messages: readonly TextMessage[]) => Prompt;
  onRefusal: OnRefusal;
  maxRetries: number;
  maxBodyBytes: number;
  answerTimeoutMs: number;
  idleTimeoutMs: number;
  log: (record: LogRecord) => void;
  fetch: typeof fetch;
}

/** What its own options take; the upstream and the numbers are looked at on their own. */
const ownOptions: Readonly<Record<Exclude<keyof ProxyOptions, keyof ReadingOptions>, CheckValue>> = {
  upstream: isAnything,
  formatOfTemplate: isFunction("(source) => Promise<{ readBy, prefill? }>"),
  send: isOneOf("messages", "tools", "prompt"),
  upstreamToolChoice: isText("auto"),
  prompt: isFunction("(messages) => { prompt, ... }"),
  body: isEither("an object", "object"),
  constrain: isOneOf("structural-tag", "gbnf", "lark"),
  constrainReasoning: isOneOf("closed", "prefilled", "may"),
  renderResult: isFunction("(result) => string"),
  apiKey: isText("sk-..."),
  passHeaders: isListOfTexts,
  maxBodyBytes: isAnything,
  answerTimeoutMs: isAnything,
  idleTimeoutMs: isAnything,
  log: isFunction("(record) => void"),
  fetch: isFunction("(input, init) => Promise<Response>"),
};

/**
 * Completes options with their defaults.
 *
 * @throws TypeError for a key or value that is unknown, a format that does not exist, an upstream that is no URL.
 */
export function resolveOptions(options: ProxyOptions, further: readonly string[] = []): ProxySettings {
  const reading = readingOptions(options, options?.format === "by-model" ? "auto" : options?.format);
  checkReadingOptions(reading, "createProxy", {
    ...ownOptions,
    ...Object.fromEntries(further.map((name) => [name, isAnything])),
  });
  const { send = "messages" } = options;
  return {
    ...options,
    send,
    upstream: baseOf(options.upstream),
    prompt: options.prompt ?? chatMlPrompt,
    onRefusal: options.onRefusal ?? "feed-back",
    maxRetries: options.maxRetries ?? 1,
    maxBodyBytes: wholeNumber("maxBodyBytes", options.maxBodyBytes, 10 * 1024 * 1024),
    answerTimeoutMs: wholeNumber("answerTimeoutMs", options.answerTimeoutMs, 600_000),
    idleTimeoutMs: wholeNumber("idleTimeoutMs", options.idleTimeoutMs, 120_000),
    log: options.log ?? (() => {}),
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  };
}

/** What the reading of a message takes of the options, for one format. */
export function readingOptions(options: ProxyOptions, format: FormatChoice): ReadingOptions {
  return typeof options === "object" && options !== null ? { ...options, format, formats } : options;
}

function baseOf(upstream: unknown): string {
  const url = typeof upstream === "string" && URL.canParse(upstream) ? new URL(upstream) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`upstream must be a URL such as http://127.0.0.1:8000/v1, not ${JSON.stringify(upstream)}`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new TypeError("upstream must hold no credential, query or fragment: give the credential as apiKey");
  }
  return url.href.replace(/\/+$/, "");
}

function wholeNumber(name: string, value: number | undefined, byDefault: number): number {
  if (value === undefined) return byDefault;
  if (Number.isInteger(value) && value >= 1) return value;
  throw new TypeError(`${name} must be a whole number of at least 1, not ${JSON.stringify(value)}`);
}
