import type { Recovery } from "../blocks/recovery-types.ts";
import {
  type CheckValue,
  checkNames,
  checkValues,
  isFlag,
  isFunction,
  isListOfTexts,
  isObjectWith,
  isOneOf,
  isText,
} from "../contract/option-values.ts";
import { didYouMean } from "../contract/suggest.ts";
import type { Format } from "../formats/format.ts";
import type { ParseResult } from "../output/result.ts";
import type { TelemetryRecord } from "../output/telemetry.ts";
import type { PolicyInput } from "../validation/policy.ts";
import type { ToolDefinition } from "../validation/tools.ts";
import type { Alternative } from "./readings/alternative.ts";

/** What parsing and extracting have in common. */
export interface ReadOptions {
  /** A format, or a list that competes by position. In the root entry also ids, aliases and `"auto"`. */
  format: Format | readonly Format[];
  /**
   * What the prompt had already opened, such as `<think>\n` or the first half of a call. A call that stands in it whole was
   * made before, and is not made again. Of a whole prompt, the last turn of the assistant counts. Default: nothing.
   */
  prefill?: string | undefined;
  /**
   * Why the model stopped. `"length"`: cut by the token limit. Other servers' words for that, such as `"max_tokens"`, and
   * `"content_filter"` say that it was cut, too.
   */
  finishReason?: string | undefined;
  /** The opener of formats whose opener is configurable. Default: the one of the format. */
  marker?: string | undefined;
  /** `"calls"`: content and nodes are streamed only, not kept, and no other format is looked for in them. Default `"all"`. */
  retain?: "all" | "calls" | undefined;
  /**
   * Looks for calls of formats that were not asked for, when nothing was found.
   * @internal
   */
  findOtherFormat?: FindOtherFormat | undefined;
  /**
   * The text that was pushed so far, where the caller keeps it: content and reasoning are cut from it, and not kept twice.
   * @internal
   */
  keptText?: (() => string) | undefined;
  /**
   * JSON was asked for as the answer: a message that begins as it does, behind thoughts too, holds no calls.
   * @internal
   */
  answersInJson?: boolean | undefined;
  /**
   * Reads whole messages that are plain text and sound calls in one pass; the root entry brings it. Without it they are read
   * as all others are, with the same result.
   * @internal
   */
  soundReader?: MakeSoundReader | undefined;
  /** Reads damaged payloads; the root entry brings it. Without it, a damaged payload is `malformed`. */
  recovery?: Recovery | undefined;
}

/** Options of `parse` and `createParser`. */
export interface CoreParseOptions extends ReadOptions {
  /**
   * The tools on offer. `[]`: every candidate is `unknown-tool`. The array and its tools may be changed between messages; a
   * schema object is read once, so give a new one where a schema changes.
   */
  tools: readonly ToolDefinition[];
  /** What may run; default fail-closed. */
  policy?: PolicyInput | undefined;
  /** The model signalled that a tool is needed; the fallback formats need it. Default false. */
  intent?: boolean | undefined;
  /**
   * Makes every call id; `n` is the index of the call. An id that the model wrote is then only `wireId`. Default: the
   * model's where it stood before the arguments and is new in the message, else `call_<n>`.
   */
  id?: ((n: number) => string) | undefined;
  /** Called once, when the message has ended. Default: none. */
  onTelemetry?: ((record: TelemetryRecord) => void) | undefined;
  /** A clock in milliseconds, for `duration_ms` in telemetry. Default: none, so the field is absent. */
  clock?: (() => number) | undefined;
}

/** Options of `extract` and `createExtractor`: extraction alone. */
export interface CoreExtractOptions extends ReadOptions {
  /** The model signalled that a tool is needed: what `"auto"` stands for in the root entry depends on it. Default false. */
  intent?: boolean | undefined;
  /** Names of tools; formats whose tags are tool names need them. Default: none. */
  names?: readonly string[] | undefined;
}

/** What may differ from message to message, where formats, tools and policy are prepared. */
export type MessageOptions = Partial<
  Pick<CoreParseOptions, "prefill" | "finishReason" | "marker" | "retain" | "intent" | "id" | "onTelemetry" | "clock">
>;

/** A format that a text looks like, and the opener that says so. */
export interface OtherFormat {
  readonly id: string;
  /** Offsets in the text that was searched. */
  readonly start: number;
  readonly end: number;
}

/** Finds a call of another format than those that were asked for; undefined: there is none. `asWritten`: as that format writes it. */
export type FindOtherFormat = (
  text: string,
  asked: readonly { readonly id: string }[],
  asWritten?: boolean,
) => OtherFormat | undefined;

/** Reads a whole message the second way; undefined: the first has to read it. */
export type ReadSound = (text: string, own?: MessageOptions) => ParseResult | undefined;

/** The second way for messages with some formats and options; undefined: they leave it nothing to read. */
export type MakeSoundReader = (
  options: CoreParseOptions,
  alternatives: readonly Alternative[],
) => ReadSound | undefined;

const ofEveryMessage = ["prefill", "finishReason", "marker", "retain", "intent"];
const ofMessages = [...ofEveryMessage, "id", "onTelemetry", "clock"];
const extractOptions = ["format", "recovery", "findOtherFormat", "names", ...ofEveryMessage];
const parseOptions = [
  "format",
  "recovery",
  "findOtherFormat",
  "soundReader",
  "keptText",
  "answersInJson",
  "tools",
  "policy",
  ...ofMessages,
];

/** Options by what takes them: a name that none of them has is a slip of the pen, and would change nothing in silence. */
export const optionNames = {
  extract: new Set(extractOptions),
  parse: new Set(parseOptions),
  stream: new Set([...parseOptions, "signal", "finishReasonAtEnd"]),
  message: new Set(ofMessages),
} as const;

/** What the options take that are not looked at elsewhere. The finish reason is the server's own: text, null, an object. */
const optionValues: Readonly<Record<string, CheckValue>> = {
  prefill: isText("<think>\n"),
  marker: isText("TOOL_CALL"),
  retain: isOneOf("all", "calls"),
  intent: isFlag,
  id: isFunction("(n) => string"),
  onTelemetry: isFunction("(record) => void"),
  clock: isFunction("() => number"),
  names: isListOfTexts,
  recovery: isObjectWith('the `recovery` of "toolpeg/recovery"', "read"),
};

/**
 * Makes sure that options are spelt as they are called, and have values that they take.
 *
 * @throws TypeError that names the option, and what was probably meant.
 */
export function checkOptions(options: object, names: ReadonlySet<string>): void {
  for (const key in options) {
    if (names.has(key) || (options as Record<string, unknown>)[key] === undefined) continue;
    const known = [...names];
    throw new TypeError(
      `there is no option ${JSON.stringify(key)}${didYouMean(key, known)}. Options: ${known.join(", ")}`,
    );
  }
  checkValues(options, optionValues);
}

/**
 * Makes sure of what is said at the end of a message.
 *
 * @throws TypeError where it is not an object with `finishReason`.
 */
export function checkEnd(info: object): void {
  if (typeof info !== "object")
    throw new TypeError(`end() takes an object such as { finishReason: "length" }, not ${JSON.stringify(info)}`);
  checkNames(info, ["finishReason"], "end");
}
