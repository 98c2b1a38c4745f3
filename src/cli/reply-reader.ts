import type { Format } from "../formats/format.ts";
import type { HarnessParser, HarnessResult } from "../testing/engine.ts";
import type { CliEngine } from "./engine.ts";
import { compiledGrammar } from "./format-choice.ts";
import type { GrammarText } from "./grammar-files.ts";
import type { Reply } from "./read-replies.ts";
import type { Reading } from "./reading.ts";
import { orMisuse, UsageError } from "./usage-error.ts";

/** What a command line says about how replies are read. Plain data, so that it can be sent to a worker thread. */
export interface ReadingSetup {
  /** Format ids, separated by commas, or `auto`. */
  format: string;
  /** Grammars that are none of the package; `format` names them by their ids. */
  grammars?: GrammarText[];
  /** Tools of every reply that brings none; absent: nothing is validated. */
  tools?: unknown[];
  prefill?: string;
  finishReason?: string;
  marker?: string;
  /** For validation only. */
  intent?: boolean;
  policy?: unknown;
  /** For extraction only. */
  names?: string[];
}

/** What the replies of a batch may differ in; each pair of formats and tools is prepared once. */
interface PreparedReading {
  format: string | undefined;
  label: string;
  validated: boolean;
  options: Record<string, unknown>;
  read(text: string, own: object | undefined): HarnessResult;
}

/** More than a log of many agents has in use at a time. */
const preparedMax = 64;

/** Reads replies by one command line. */
export class ReplyReader {
  readonly #engine: CliEngine;
  readonly #setup: ReadingSetup;
  readonly #prepared = new Map<string, PreparedReading>();
  readonly #usual: PreparedReading;
  readonly #made: ReadonlyMap<string, Format>;

  /** @throws UsageError for a format or tools that the library does not take */
  constructor(engine: CliEngine, setup: ReadingSetup) {
    this.#engine = engine;
    this.#setup = setup;
    const made = (setup.grammars ?? []).map(compiledGrammar);
    this.#made = new Map(made.map((format) => [format.id, format]));
    this.#usual = this.#prepare(setup.format, setup.tools);
    // A wrong format or tool is reported before a long input is waited for.
    this.createParser({ source: "", text: "" });
  }

  /** @throws UsageError for a reply whose own format or tools the library does not take */
  read(reply: Reply): Reading {
    const prepared = this.#for(reply);
    const result = orMisuse(() => prepared.read(reply.text, ownOptions(this.#setup, reply)));
    return this.#readingOf(reply, prepared, result);
  }

  /** A parser of the reply's text, for those who feed it in pieces; `reading` says what it found. */
  createParser(reply: Reply): { parser: HarnessParser; validated: boolean; reading: () => Reading } {
    const prepared = this.#for(reply);
    const options = { ...prepared.options, ...ownOptions(this.#setup, reply) };
    const create = prepared.validated ? this.#engine.createParser : this.#engine.createExtractor;
    const parser = orMisuse(() => create(options));
    const reading = () => this.#readingOf(reply, prepared, parser.result());
    return { parser, validated: prepared.validated, reading };
  }

  #readingOf(reply: Reply, prepared: PreparedReading, result: HarnessResult): Reading {
    const reading: Reading = {
      source: reply.source,
      text: reply.text,
      format: prepared.format,
      formatLabel: prepared.label,
      result,
      calls: result.calls ?? result.candidates ?? [],
      validated: prepared.validated,
    };
    if (reply.fields !== undefined) reading.fields = reply.fields;
    return reading;
  }

  #for(reply: Reply): PreparedReading {
    if (reply.tools === undefined && (reply.format ?? this.#setup.format) === this.#setup.format) return this.#usual;
    const format = reply.format ?? this.#setup.format;
    const key = reply.tools === undefined ? format : `${format}\n${JSON.stringify(reply.tools)}`;
    let prepared = this.#prepared.get(key);
    if (prepared === undefined) {
      prepared = this.#prepare(format, reply.tools ?? this.#setup.tools);
      const [oldest] = this.#prepared.keys();
      if (this.#prepared.size >= preparedMax) this.#prepared.delete(oldest);
      this.#prepared.set(key, prepared);
    }
    return prepared;
  }

  #prepare(label: string, tools: unknown[] | undefined): PreparedReading {
    const { ids, single } = formatsOf(label);
    const { marker, intent, policy, names } = this.#setup;
    const engine = this.#engine;
    const chosen = (id: string) => this.#made.get(id) ?? id;
    const format = Array.isArray(ids) ? ids.map(chosen) : chosen(ids);
    const shared = { format, ...(marker === undefined ? {} : { marker }) };
    if (tools === undefined) {
      const options = { ...shared, ...(names === undefined ? {} : { names }) };
      const read = (text: string, own: object | undefined) => engine.extract(text, { ...options, ...own });
      return { format: single, label, validated: false, options, read };
    }
    const options = {
      ...shared,
      tools,
      ...(intent ? { intent: true } : {}),
      ...(policy === undefined ? {} : { policy }),
    };
    let ready: ReturnType<NonNullable<CliEngine["prepare"]>> | undefined;
    const read = (text: string, own: object | undefined): HarnessResult => {
      if (engine.prepare === undefined) return engine.parse(text, { ...options, ...own });
      ready ??= engine.prepare(options as never);
      return ready.parse(text, own);
    };
    return { format: single, label, validated: true, options, read };
  }
}

/** What a reply has of its own; most have nothing. */
function ownOptions({ prefill, finishReason }: ReadingSetup, reply: Reply): Record<string, string> | undefined {
  const opened = reply.prefill ?? prefill;
  const stopped = reply.finishReason ?? finishReason;
  if (opened === undefined && stopped === undefined) return undefined;
  const own: Record<string, string> = {};
  if (opened !== undefined) own.prefill = opened;
  if (stopped !== undefined) own.finishReason = stopped;
  return own;
}

/** The formats of a label such as `hermes,deepseek_v31`, and the id where it is one. */
export function formatsOf(label: string): { ids: string | string[]; single: string | undefined } {
  const ids = label.split(",").map((id) => id.trim());
  if (ids.some((id) => id === "")) {
    throw new UsageError("an empty format id", "write --format hermes, or --format hermes,deepseek_v31");
  }
  if (ids.length > 1 && ids.includes("auto")) {
    throw new UsageError("`auto` already stands for every format", "leave the other formats out, or leave `auto` out");
  }
  return { ids: ids.length === 1 ? ids[0] : ids, single: ids.length === 1 && ids[0] !== "auto" ? ids[0] : undefined };
}
