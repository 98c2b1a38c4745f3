import type { RejectionReason } from "../runtime/reasons.ts";
import type { Repair } from "../runtime/repairs.ts";
import { JsonWriter } from "./json-writer.ts";

/** Looks like a call: what the text says, before any gate. */
export class Candidate {
  readonly start: number;
  end: number;
  readonly variant: string | undefined;
  name: string | undefined;
  /** A name that stood before the payload; the one inside must be the same. */
  outerName: string | undefined;
  wireId: string | undefined;
  /** Writes the arguments. */
  writer = new JsonWriter();
  /** Whether arguments of some kind have been seen. */
  hasArguments = false;
  repairs: Repair[] = [];
  /** Keys of the envelope that nobody asked for: parameters that got out of the arguments, if the tool declares them. */
  readonly besideArguments: string[] = [];
  /** Why it is no call, as soon as that is known; the first reason stands. */
  problem: { reason: RejectionReason; message: string } | undefined;
  /** A start has been sent: `index` and `id` are taken. */
  started = false;
  index = -1;
  id = "";
  /** The deltas wait for the end, because types may still change. */
  holds = false;
  /** Where it stands in the text that was passed, once it has ended. */
  placed: { start: number; end: number; raw: string } = { start: 0, end: 0, raw: "" };

  constructor(start: number, variant: string | undefined) {
    this.start = start;
    this.end = start;
    this.variant = variant;
  }

  /** Takes note that this is no call. */
  refuse(reason: RejectionReason, message: string): void {
    this.problem ??= { reason, message };
  }

  repair(repair: Repair): void {
    this.repairs.push(repair);
  }
}
