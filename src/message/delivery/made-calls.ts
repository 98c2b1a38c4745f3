import type { RejectionReason } from "../../contract/reasons.ts";
import type { Node, ParseEvent, Provisional, Rejection, ToolCall } from "../../contract/types.ts";
import type { FormatData } from "../../formats/format-data.ts";
import type { CallVerdict } from "../../validation/check-call.ts";
import type { Policy } from "../../validation/policy.ts";
import type { Candidate, Problem } from "../../values/candidate.ts";
import { CallIds } from "./call-ids.ts";
import type { Findings } from "./findings.ts";
import { toolCall } from "./tool-call.ts";

export interface MadeCallsOptions {
  /** Makes every id; without it, an id is what the model wrote, or else `call_<n>`. */
  id: ((n: number) => string) | undefined;
  /** Reads what is known of unfinished JSON; undefined when there is no recovery. */
  readPartial?: ((json: string) => unknown) | undefined;
}

type Passed = CallVerdict & { readonly ok: true };

/** The calls of a message as they go out: how many may, in which order, with which ids and events, and those whose check answers later. */
export class MadeCalls {
  readonly calls: ToolCall[] = [];
  /** What those calls turn out to be whose check answers later, by the event that announced them. */
  readonly later = new Map<ParseEvent, Promise<ParseEvent>>();
  readonly #findings: Findings;
  readonly #readPartial: MadeCallsOptions["readPartial"];
  readonly #ids: CallIds;
  /** Calls so far, those included whose check answers later and may say no. */
  #count = 0;
  /** How many of them these are. */
  #undecidedCount = 0;
  #nextIndex = 0;

  constructor(findings: Findings, { id, readPartial }: MadeCallsOptions) {
    this.#findings = findings;
    this.#readPartial = readPartial;
    this.#ids = new CallIds(id);
  }

  /** Calls whose check answers later may yet be none. */
  checkCount(candidate: Candidate, policy: Policy): void {
    const over = overLimit(this.#count - this.#undecidedCount, policy);
    if (over !== undefined) candidate.refuse(...over);
  }

  mayStart(candidate: Candidate, policy: Policy): boolean {
    this.checkCount(candidate, policy);
    return candidate.problem === undefined && overLimit(this.#count, policy) === undefined;
  }

  start(candidate: Candidate, policy: Policy): void {
    candidate.index = this.#nextIndex++;
    candidate.id = this.#ids.give(candidate);
    candidate.sendsAtEnd = policy.schema === "coerce";
    const { index, id, name } = candidate;
    this.#findings.emit({ type: "call-start", index, id, name: name as string });
  }

  delta(candidate: Candidate, text: string): void {
    this.#findings.emit({ type: "call-args-delta", index: candidate.index, delta: text });
  }

  /** A candidate that validation has passed is a call. */
  make(candidate: Candidate, verdict: Passed, { format, policy }: { format: FormatData; policy: Policy }): void {
    const mayBeOver = overLimit(this.#count, policy) !== undefined;
    this.#count++;
    if (!candidate.started) {
      candidate.started = true;
      this.start(candidate, policy);
    }
    // What was pending goes out: the whole text, as validation has left it.
    if (candidate.sendsAtEnd || format.mode !== "primary") this.delta(candidate, verdict.argumentsText);
    else {
      const rest = candidate.writer.take();
      if (rest !== "") this.delta(candidate, rest);
    }
    const { start, end } = candidate.placed;
    const { id, wireId, index, variant } = candidate;
    const call = toolCall({ id, index, name: candidate.name as string, start, end, wireId, variant }, format, verdict);
    this.calls.push(call);
    const node = this.#findings.addNode({ type: "call", start, end, index });
    const event: ParseEvent = { type: "call-end", index, call };
    this.#findings.emit(event);
    const later = mayBeOver ? this.#afterOthers(call, verdict, policy) : verdict.later;
    if (later === undefined) return;
    this.#undecidedCount++;
    this.later.set(event, this.#conclude(later, candidate, { call, node, event }));
  }

  /** Whether a call is one too many is known once the checks of those before it have answered. */
  async #afterOthers(call: ToolCall, verdict: Passed, policy: Policy): Promise<CallVerdict> {
    await Promise.all(this.later.values());
    const over = overLimit(this.calls.indexOf(call), policy);
    return over === undefined ? (verdict.later ?? verdict) : { ok: false, reason: over[0], message: over[1] };
  }

  /** The tool's schema library answers later: until then the call has its place, and may still be refused. */
  async #conclude(
    later: Promise<CallVerdict>,
    candidate: Candidate,
    { call, node, event }: { call: ToolCall; node: Node | undefined; event: ParseEvent },
  ): Promise<ParseEvent> {
    const place = {} as Rejection;
    this.#findings.keep(place);
    const verdict = await later;
    this.#undecidedCount--;
    if (verdict.ok) {
      this.#findings.rejected.splice(this.#findings.rejected.indexOf(place), 1);
      call.arguments = verdict.arguments;
      if (verdict.written !== undefined) call.written = verdict.written;
      return event;
    }
    this.#count--;
    candidate.refuse(verdict.reason, verdict.message, verdict.violations);
    this.calls.splice(this.calls.indexOf(call), 1);
    Object.assign(place, this.#rejectionOf(candidate));
    if (node !== undefined) {
      delete node.index;
      Object.assign(node, { type: "rejected", reason: verdict.reason });
    }
    return { type: "call-rejected", index: call.index, rejection: place };
  }

  /** A candidate with a problem is listed, and is no call. */
  reject(candidate: Candidate): void {
    this.#findings.reject(this.#rejectionOf(candidate), candidate.started ? candidate.index : undefined);
  }

  #rejectionOf(candidate: Candidate): Rejection {
    const { start, end, raw } = candidate.placed;
    const { reason, message, violations } = candidate.problem as Problem;
    const known = candidate.writer.length > 0 ? this.#readPartial?.(candidate.writer.jsonText) : undefined;
    return {
      reason,
      message,
      ...(candidate.name === undefined ? {} : { name: candidate.name }),
      start,
      end,
      raw,
      ...(violations === undefined ? {} : { violations }),
      ...(known === undefined ? {} : { partial: known as Provisional<unknown> }),
      ...(candidate.repairs.length ? { repairs: candidate.repairs } : {}),
    };
  }
}

/** Why no call may follow so many; undefined: one may. */
function overLimit(count: number, { calls, maxCalls }: Policy): readonly [RejectionReason, string] | undefined {
  if (calls === "first" && count > 0) return ["not-first", "only the first call of a message is taken (policy.calls)"];
  if (count < maxCalls) return undefined;
  return ["too-many", `a message may hold ${maxCalls} calls; raise policy.maxCalls for more`];
}
