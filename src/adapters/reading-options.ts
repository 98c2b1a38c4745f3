import { recovery } from "../blocks/make-recovery.ts";
import type { ToolFacts } from "../blocks/reader-owner.ts";
import { onceFor } from "../contract/once-for.ts";
import {
  type CheckValue,
  checkNames,
  checkValues,
  isEither,
  isFlag,
  isFunction,
  isObjectWith,
  isOneOf,
  isText,
} from "../contract/option-values.ts";
import type { ParseEvent, Rejection } from "../contract/types.ts";
import { chooseFormats, type FormatChoice, type FormatName } from "../formats/choose-formats.ts";
import type { Format } from "../formats/format.ts";
import { offeredName } from "../formats/format-data.ts";
import { knownRegistry } from "../formats/known-registry.ts";
import { findByModel } from "../formats/model-name.ts";
import type { FormatRegistry } from "../formats/registry.ts";
import { GrowingText } from "../machine/growing-text.ts";
import { otherFormatFinder } from "../message/other-format.ts";
import { listFormats } from "../message/readings/format-list.ts";
import type { ParseResult } from "../output/result.ts";
import type { TelemetryRecord } from "../output/telemetry.ts";
import { prepareForDrivers } from "../parse.ts";
import { type PolicyInput, withValidator } from "../validation/policy.ts";
import type { ToolDefinition } from "../validation/tools.ts";
import { validateSchema } from "../validation/validate-schema.ts";
import { uniqueCallIds } from "./call-ids.ts";
import type { InstructionText } from "./past-messages.ts";
import { checkHandling, type OnRefusal } from "./refusals.ts";
import type { PushParser } from "./server-message.ts";

/** How the text of a model is read: what every adapter takes. */
export interface ReadingOptions {
  /**
   * What the model writes: a format, or a list of them. An id, an alias or `"auto"` where `formats` is given, or where the
   * program imports `toolpeg` itself.
   */
  format: FormatChoice;
  /** The registry that ids are looked up in: `import { formats } from "toolpeg"`. It brings every format into a bundle. */
  formats?: FormatRegistry | undefined;
  /** What may run; default fail-closed. */
  policy?: PolicyInput | undefined;
  /** What becomes of a message in which calls were refused. */
  onRefusal?: OnRefusal | undefined;
  /** How often `"retry"` asks the model again for one message. Default 1. */
  maxRetries?: number | undefined;
  /** Everything that looked like a call and is none: for a log. */
  onRejection?: ((rejection: Rejection) => void) | undefined;
  /** One record per message, without model text. */
  onTelemetry?: ((record: TelemetryRecord) => void) | undefined;
  /** The format that calls are written in. Default: the first of `format`; for `"auto"`, the one known for the model. */
  promptFormat?: FormatName | Format | undefined;
  /** The text that teaches the model its tools, or a function that makes it. Default: `format.instruction(tools)`. */
  instruction?: InstructionText | undefined;
  /** What the chat template has already opened, such as `<think>\n`. */
  prefill?: string | undefined;
  /** The opener of formats whose opener is configurable. */
  marker?: string | undefined;
  /** The model signalled that it needs a tool. Default: when the tool choice asks for a call. */
  intent?: boolean | undefined;
  /** Makes the ids of one message. Default: ids that are unique in a conversation. */
  callIds?: (() => (n: number) => string) | undefined;
}

/** The names of {@link ReadingOptions}, so that a misspelt one is named. */
export const readingOptionNames = [
  "format",
  "formats",
  "policy",
  "onRefusal",
  "maxRetries",
  "onRejection",
  "onTelemetry",
  "promptFormat",
  "instruction",
  "prefill",
  "marker",
  "intent",
  "callIds",
] as const satisfies readonly (keyof ReadingOptions)[];

/** What they take, where nothing else looks at it. */
const readingValues: Readonly<Record<string, CheckValue>> = {
  formats: isObjectWith('the `formats` of "toolpeg"', "get"),
  onRejection: isFunction("(rejection) => void"),
  onTelemetry: isFunction("(record) => void"),
  instruction: isEither("a string, or a function that makes one", "string", "function"),
  prefill: isText("<think>\n"),
  marker: isText("TOOL_CALL"),
  intent: isFlag,
  callIds: isFunction("() => (n) => string"),
};

/** What the options of adapters take that write the conversation for the model, beside {@link ReadingOptions}. */
export const promptValues = {
  prompt: isOneOf("text", "native"),
  renderResult: isFunction("(result) => string"),
} as const satisfies Readonly<Record<string, CheckValue>>;

/**
 * Complains of options at once, not with the first message.
 *
 * @throws TypeError for missing, misspelt or impossible options
 */
export function checkReadingOptions(
  options: ReadingOptions,
  caller: string,
  further: Readonly<Record<string, CheckValue>> = {},
): void {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(
      `${caller}() needs options: give at least { format }, as in import { hermes } from "toolpeg/formats/hermes", then ` +
        `${caller}({ format: hermes })`,
    );
  }
  const known: readonly string[] = [...readingOptionNames, ...Object.keys(further)];
  checkNames(options, known, caller);
  if (options.format === undefined || options.format === null) {
    throw new TypeError(
      `${caller}() needs options.format: import { hermes } from "toolpeg/formats/hermes", then { format: hermes }`,
    );
  }
  checkValues(options, { ...readingValues, ...further }, "");
  const { onRefusal, maxRetries } = options;
  if (onRefusal !== undefined && typeof onRefusal !== "function") checkHandling(onRefusal);
  if (maxRetries !== undefined && !(Number.isInteger(maxRetries) && maxRetries >= 0)) {
    throw new TypeError(`maxRetries must be a whole number from 0 on, not ${String(maxRetries)}`);
  }
  checkPromptFormat(options);
  // Made for its complaints alone.
  openParser(options, { tools: [], intent: false, answersInJson: false });
}

/** `"auto"` is the format known for a model: which one, the first request says. */
function checkPromptFormat({ promptFormat, formats }: ReadingOptions): void {
  if (promptFormat === undefined || promptFormat === "auto") return;
  try {
    listFormats([chooseFormats(promptFormat, formats, false) as Format]);
  } catch (error) {
    throw error instanceof TypeError ? new TypeError(`promptFormat: ${error.message}`) : error;
  }
}

export interface MessageFacts {
  tools: readonly ToolDefinition[];
  /** The model was asked for a call. */
  intent: boolean;
  /** A response format was asked for: a message that is JSON is the answer. */
  answersInJson: boolean;
  /** The reader waits for checks of tools that answer later: {@link ServerMessageReader.pushSettled}. Default: they refuse the call. */
  waits?: boolean | undefined;
  /** Text of the assistant with which the request ends: the model goes on with it, in place of the options' `prefill`. */
  begun?: string | undefined;
}

/** A parser for one message, as the options say; undefined: whatever its formats write may be the answer. */
export function openParser(options: ReadingOptions, facts: MessageFacts): PushParser | undefined {
  const { tools, intent, answersInJson, begun, waits } = facts;
  const { formats, policy, onTelemetry, marker } = options;
  const prefill = begun || options.prefill;
  const hasIntent = options.intent ?? intent;
  const chosen = chooseFormats(options.format, formats, hasIntent);
  const id = (options.callIds ?? uniqueCallIds)();
  const registry = formats ?? knownRegistry();
  const written = new GrowingText();
  const format = answersInJson ? withoutJsonCalls([chosen].flat() as readonly Format[]) : chosen;
  if (Array.isArray(format) && format.length === 0) return undefined;
  const prepared = prepareForDrivers({
    recovery,
    keptText: () => written.toString(),
    answersInJson,
    findOtherFormat: registry && otherFormatsOf(registry),
    format,
    tools,
    policy: withValidator(policy, validateSchema),
    onTelemetry,
    prefill,
    marker,
    intent: hasIntent,
    id,
  });
  const afterThoughts = () => openParser({ ...options, prefill: undefined }, { ...facts, begun: undefined });
  const parser = waits ? prepared.createWaitingParser() : prepared.createParser();
  const [marks = commonMarks] = ([chosen].flat() as readonly Format[]).flatMap(({ reasoning }) => reasoning);
  return new KeepingParser(parser, written, { afterThoughts, marks });
}

/** What is read as thoughts in every format. */
const commonMarks = { open: "<think>", close: "</think>" };

const formatsWithoutJsonCalls = new WeakMap<Format, Format>();

/** Formats without the calls that an answer in JSON may look like: those that no marker opens and that begin as it does. */
const withoutJsonCalls = (list: readonly Format[]): readonly Format[] =>
  list.map(withMarkedCalls).filter(({ triggers, leads }) => triggers.length > 0 || leads !== undefined);

function withMarkedCalls(format: Format): Format {
  const { leads, unmarkedLeads, begun = [] } = format;
  const known = formatsWithoutJsonCalls.get(format);
  if (leads === undefined || known !== undefined) return known ?? format;
  // A list that begins with a name and a parenthesis is no JSON.
  const inJson = begun.includes(`[${offeredName}(`) ? /[{`]/g : /[[{`]/g;
  const left = (units: string | undefined) => {
    const others = units?.replace(inJson, "");
    // No unit at all means any.
    return { value: others === "" && units !== "" ? undefined : others, enumerable: true };
  };
  // What it unpacks at its first use stays as it is.
  const made: Format = Object.create(format, { leads: left(leads), unmarkedLeads: left(unmarkedLeads) });
  formatsWithoutJsonCalls.set(format, made);
  return made;
}

/** Made once for a registry: it looks through all openers. */
const otherFormatsOf = onceFor((registry: FormatRegistry) => otherFormatFinder(registry));

/** Keeps the text beside a parser that cuts content and reasoning from it: a message is in the memory once. */
class KeepingParser implements PushParser {
  readonly #parser: PushParser;
  readonly written: GrowingText;
  readonly afterThoughts: () => PushParser | undefined;
  readonly #marks: { open: string; close: string };

  constructor(
    parser: PushParser,
    written: GrowingText,
    {
      afterThoughts,
      marks,
    }: { afterThoughts: () => PushParser | undefined; marks: { readonly open: string; readonly close: string } },
  ) {
    this.#parser = parser;
    this.written = written;
    this.afterThoughts = afterThoughts;
    this.#marks = marks;
  }

  asThoughts(text: string): string | undefined {
    const { open, close } = this.#marks;
    return text.includes(close) ? undefined : open + text + close;
  }

  push(chunk: string): ParseEvent[] {
    this.written.add(chunk);
    return this.#parser.push(chunk);
  }

  end(info?: { finishReason?: string }): ParseEvent[] {
    return this.#parser.end(info);
  }

  result(): ParseResult | undefined {
    return this.#parser.result?.();
  }

  settled(event: ParseEvent): Promise<ParseEvent> | undefined {
    return this.#parser.settled?.(event);
  }

  get tools(): ToolFacts | undefined {
    return this.#parser.tools;
  }

  get isUndecided(): boolean {
    return this.#parser.isUndecided === true;
  }
}

/**
 * The format that calls and instruction are written in.
 *
 * @throws TypeError when it is not known for the model
 */
export function promptFormatOf({ format, promptFormat, formats }: ReadingOptions, model: string): Format {
  const isList = typeof format === "object" && format !== null && Symbol.iterator in format;
  const first = promptFormat ?? (isList ? (format as readonly (string | Format)[])[0] : (format as string | Format));
  if (first !== "auto") return chooseFormats(first, formats, false) as Format;
  const registry = formats ?? knownRegistry();
  const known = registry === undefined ? undefined : findByModel(registry, model);
  if (known !== undefined) return known;
  throw new TypeError(`no format is known for the model "${model}": name one in promptFormat`);
}
