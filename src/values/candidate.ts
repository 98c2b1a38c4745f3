import type { RejectionReason } from "../contract/reasons.ts";
import type { Repair } from "../contract/repairs.ts";
import type { Violation } from "../contract/types.ts";
import { JsonWriter } from "./json-writer.ts";

/** A key of an envelope that is neither the name nor, as documented, the arguments. */
export interface BesideKey {
  readonly key: string;
  /**
   * `harmless`: it is never meant as a parameter; `description`: the same, next to arguments; `synonym`: its value has been
   * read as name or arguments; `other`: nothing else is known of it.
   */
  readonly use: "harmless" | "description" | "synonym" | "other";
  /** What a `description` says, or a `type` that is no word for calls. */
  readonly text?: string;
}

/** Why a candidate is no call. */
export interface Problem {
  reason: RejectionReason;
  message: string;
  violations?: readonly Violation[];
}

/** What a rule calls that reads what stands outside of calls and may belong to the one before: `CallLoose`. */
export const looseVariant = "loose";

/** Looks like a call: what the text says, before validation. */
export class Candidate {
  readonly start: number;
  end: number;
  readonly variant: string | undefined;
  name: string | undefined;
  /** A name that stood before the payload; the one inside must be the same. */
  outerName: string | undefined;
  wireId: string | undefined;
  /** The one that was known when the call could start, whenever it does: its start says no other. Empty: none. */
  idAtStart: string | undefined;
  /** Writes the arguments. */
  writer = new JsonWriter();
  /** Whether arguments of some kind have been seen. */
  hasArguments = false;
  repairs: Repair[] = [];
  /** What the envelope holds besides; validation decides, because it has the tool's schema. */
  readonly beside: BesideKey[] = [];
  /** An envelope was read to its end, and held no arguments; or what stands in their place says that there are none. */
  argumentsMissing = false;
  /** Why it is no call, as soon as that is known; the first reason stands. */
  problem: Problem | undefined;
  /** It is damaged, and nothing proves where it ends: when it is refused, what follows may still be part of it. */
  endIsUnproven = false;
  /** The same, but its end is likely: what follows may still contradict it. */
  endIsLikely = false;
  /** How its members are written, which says where its strings stand. */
  kind: "members" | "payload" | "arguments" = "members";
  /** Where raw values stand in the text, each with its start and its end, as its grammar has read them. */
  readonly values: number[] = [];
  /** Whatever it was refused for, what stands in them is text of a value. */
  hasKnownValues = false;
  /** Damage ends it, where reading goes on, and not its grammar. */
  isBroken = false;
  /** From where on what stands before it is text of no other: of a list, the end of the one before. */
  textStart: number;
  /** All that it takes along, once it has ended. */
  text = "";
  /** What stands directly before it, as far back as the opener of its section may. */
  before = "";
  /** What stands before its block on the line, where that may stand before each line of a text. */
  indent = "";
  /** An element of a list that is no object. */
  isStray = false;
  /** Another element of its list follows, which may have no name. */
  isFollowed = false;
  /** A start has been sent: `index` and `id` are taken. */
  started = false;
  index = -1;
  id = "";
  /** Its arguments are sent whole at its end, because types may still change. */
  sendsAtEnd = false;
  /** Where it stands in the text that was passed, once it has ended. */
  placed: { start: number; end: number; raw: string } = { start: 0, end: 0, raw: "" };

  constructor(start: number, variant: string | undefined) {
    this.start = start;
    this.end = start;
    this.textStart = start;
    this.variant = variant;
  }

  /** It is none itself, and may belong to the call before. */
  get isLoose(): boolean {
    return this.variant === looseVariant;
  }

  /** Takes note that this is no call. */
  refuse(reason: RejectionReason, message: string, violations?: readonly Violation[]): void {
    this.problem ??= violations === undefined ? { reason, message } : { reason, message, violations };
  }

  repair(repair: Repair): void {
    this.repairs.push(repair);
  }

  /** `null` or an empty string stands in the place of the arguments. */
  sayNone(span: { start: number; end: number }): void {
    this.argumentsMissing = true;
    this.repair({ kind: "empty-arguments", level: "safe", ...span });
  }
}
