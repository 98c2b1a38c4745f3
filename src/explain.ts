import type { RejectionReason } from "./contract/reasons.ts";
import type { Repair } from "./contract/repairs.ts";
import type { Rejection, ToolCall } from "./contract/types.ts";
import type { Format } from "./formats/format.ts";
import { type Stop, stopOf, stopOfOpener } from "./machine/expected.ts";
import { readyProgram } from "./machine/program.ts";
import { callValidatorOf, openCallValidatorOf } from "./message/call-validator.ts";
import type { CoreExtractOptions, CoreParseOptions } from "./message/options.ts";
import { extractMessage, parseMessage } from "./message/prepared-messages.ts";
import type { ParseResult } from "./output/result.ts";

/** Who can say no to what looks like a call, in the order in which they are asked. */
export const stages = [
  "context",
  "reading",
  "allowlist",
  "limits",
  "repairs",
  "arguments",
  "schema",
  "fallback",
] as const;

/** Who said no to what looked like a call. */
export type Stage = (typeof stages)[number];

const stageOf: Readonly<Record<RejectionReason, Stage>> = {
  quoted: "context",
  "in-reasoning": "context",
  "after-turn": "context",
  "not-alone": "context",
  "other-format": "context",
  "behind-damage": "reading",
  malformed: "reading",
  truncated: "reading",
  ambiguous: "reading",
  "contradicts-sent": "reading",
  "no-name": "allowlist",
  "unknown-tool": "allowlist",
  "too-large": "limits",
  "too-deep": "limits",
  "too-many": "limits",
  "not-first": "limits",
  "needs-guess": "repairs",
  "duplicate-key": "arguments",
  "sensitive-key": "arguments",
  "type-mismatch": "arguments",
  schema: "schema",
  "validator-error": "schema",
  "no-intent": "fallback",
  "several-candidates": "fallback",
};

/** What became of something that looked like a call, and why. Offsets are UTF-16 units of the text. */
export interface ExplainedCandidate {
  /** Offset of its first character. */
  start: number;
  /** Offset after its last character. */
  end: number;
  /** The name it called, where one could be read. */
  name?: string;
  /** The format that read it, or would have. */
  format: string;
  /** Which of the format's ways to write a call it was, where it has several. */
  variant?: string;
  /** What it became. */
  outcome: "call" | "rejected";
  /** Which stage said no. */
  refusedBy?: Stage;
  /** Absent where the outcome is a call. */
  reason?: RejectionReason;
  /** The reason in a sentence. */
  message?: string;
  /** Where strict reading by the grammar stopped, what it expected and which rules were tried; absent: it went through. */
  stopped?: Stop;
  /** What recovery did to read it all the same. */
  repairs: readonly Repair[];
}

/** How a text was read. */
export interface Explanation {
  /** Ids of the formats that were looked for. */
  formats: readonly string[];
  /** In the order of the text. */
  candidates: readonly ExplainedCandidate[];
  /** What `parse` gives for the same text. */
  result: ParseResult;
}

/** Longer candidates are not read a second time. */
const secondPassCharsMax = 1 << 20;

/** Without `tools`: extraction alone. */
type ExplainOptions = CoreParseOptions | (CoreExtractOptions & { tools?: undefined });

/**
 * Reads a message and says how: every candidate, where the grammar stopped, what recovery did, who said no. Slower than
 * `parse`, whose result it holds (without `tools`: than `extract`, whose candidates are the calls of the result); never throws
 * on model text.
 */
export function explain(text: string, options: ExplainOptions): Explanation {
  const message = options.tools === undefined ? extractMessage(options, false) : parseMessage(options, false);
  message.push(text);
  message.end();
  const result = message.result();
  const { format } = options;
  const list = (Array.isArray(format) ? format : [format]) as readonly Format[];
  const candidates = [
    ...result.calls.map((call) => explainCall(text, call, list, options)),
    ...result.rejected.map((rejection) => explainRejection(text, rejection, list, options)),
  ];
  candidates.sort((left, right) => left.start - right.start || left.end - right.end);
  return { formats: list.map(({ id }) => id), candidates, result };
}

function explainCall(text: string, call: ToolCall, list: readonly Format[], options: ExplainOptions) {
  const { start, end, name, variant, repairs } = call;
  const format = list.find(({ id }) => id === call.format) ?? list[0];
  const found: ExplainedCandidate = { start, end, name, format: format.id, outcome: "call", repairs };
  if (variant !== undefined) found.variant = variant;
  // Nothing was repaired, so nothing stopped.
  const stopped = repairs.length > 0 ? secondPass(text, start, end, format, options) : undefined;
  if (stopped) found.stopped = stopped;
  return found;
}

function explainRejection(text: string, rejection: Rejection, list: readonly Format[], options: ExplainOptions) {
  const { start, end, name, reason, message, repairs = [] } = rejection;
  const opens = ({ triggers }: Format) => triggers.some((trigger) => text.startsWith(trigger, start));
  const format = list.find(opens) ?? list[0];
  const found: ExplainedCandidate = { start, end, format: format.id, outcome: "rejected", reason, message, repairs };
  if (name !== undefined) found.name = name;
  // What the policy did not allow to be repaired was read to its end.
  const isRepaired = repairs.length > 0 && (reason === "truncated" || reason === "malformed");
  found.refusedBy = isRepaired ? "repairs" : stageOf[reason];
  const wasRead = found.refusedBy !== "reading" && found.refusedBy !== "repairs" && repairs.length === 0;
  const stopped = wasRead ? undefined : secondPass(text, start, end, format, options);
  if (stopped) found.stopped = stopped;
  return found;
}

function secondPass(text: string, start: number, end: number, format: Format, options: ExplainOptions) {
  if (end - start > secondPassCharsMax) return undefined;
  const isOpen = options.tools === undefined;
  const { hints } = isOpen ? openCallValidatorOf(format, options.names) : callValidatorOf(format, options);
  // One more character, so that "found ..." can say what comes next.
  const part = text.slice(start, Math.min(text.length, end + 1));
  const program = readyProgram(format.program, options.marker);
  const stop = stopOf(program, hints, part, end >= text.length) ?? stopOfOpener(program, hints, text.slice(start));
  return stop && { ...stop, at: start + stop.at };
}
