import type { RejectionReason } from "../contract/reasons.ts";
import type { FormatData } from "../formats/format-data.ts";
import { empty } from "../machine/bindings.ts";
import type { Hints } from "../machine/hints.ts";
import type { JsonScanner } from "../machine/json-scanner.ts";
import { Machine } from "../machine/machine.ts";
import type { ReadyProgram } from "../machine/program.ts";
import type { TextSource } from "../machine/text-store.ts";
import type { ValueSink } from "../machine/value-sink.ts";
import type { Candidate } from "../values/candidate.ts";
import type { TextType } from "../values/declared-type.ts";
import type { PayloadOwner, PayloadReader } from "../values/payload-reader.ts";
import type { ReaderOwner } from "./reader-owner.ts";
import type { PayloadRecovery, Recovery } from "./recovery-types.ts";
import type { SoundCall } from "./sound-call.ts";
import { TextRun } from "./text-run.ts";

export interface ReaderOptions {
  format: Omit<FormatData, "program">;
  /**
   * Asked for when something is read. No getter: each object with one gets a shape of its own, which keeps all that the getter
   * sees until a large collection.
   */
  readonly program: () => ReadyProgram;
  owner: ReaderOwner;
  hints: Hints;
  /** What may begin a call. */
  openers: readonly string[];
  recovery?: Recovery | undefined;
  /** The text, which others append to and let go. */
  store: TextSource;
  prefillEnd: number;
  /** Where the reply begins a line behind that; -1: it does not. */
  replyBegin: number;
}

/** A place where reading has stopped for the reader of the message to decide. */
export interface Halt {
  role: number;
  start: number;
  end: number;
}

/** A role that the capture log has opened. */
export interface OpenRole {
  code: number;
  start: number;
  /** Up to where its text has been passed on. */
  at: number;
}

/** {@link RoleHandlerTable} as the driver knows it. */
export type RoleHandlers = Readonly<
  Record<
    number | string,
    {
      open?(state: ReaderState, code: number, at: number): void;
      close?(state: ReaderState, start: number, at: number): void;
      /**
       * Reads what opens at an entry of the log, in a call that is whole and sound.
       * @returns the entry after it; -1: the steps above have to read it.
       */
      sound?(call: SoundCall, log: readonly number[], at: number): number;
    }
  >
>;

/** Calls of a list that are complete before the list is: they wait for its end. */
export interface PendingCalls {
  /** What was complete before a cut stands. */
  readonly standsWhenCut: boolean;
  readonly candidates: Candidate[];
  /** The list is damaged or cut. */
  breakOff(state: ReaderState, isCut: boolean): void;
}

/** One block of the role `Call`. */
export interface Block {
  start: number;
  variant: string | undefined;
  /** Where the payload or the arguments begin. */
  valueStart: number;
  kind: Candidate["kind"];
  /** The candidate that is being read, or has been read and is not yet certain. */
  candidate: Candidate | undefined;
  pending: Candidate | undefined;
  /** Up to where the elements of a list have been dealt with, and up to where they have been read. */
  deliveredEnd: number;
  takenEnd: number;
  listed: boolean;
  /** The payload is complete; what follows belongs to the block. */
  isRead: boolean;
  /** What stands between the calls of a section: blanks there are none. */
  isGap: boolean;
  /** The list that it stands in has not ended as a list should. */
  isInBrokenList: boolean;
  /** That list, where the calls before are still to be dealt with. */
  brokenList: PendingCalls | undefined;
  /** The grammar cannot read on, and nothing else is said of it. */
  isUnreadable: boolean;
  /** Why the grammar refuses what is called here, said before it was known. */
  refusal: { reason: RejectionReason; message: string } | undefined;
  /** So many repairs have been made before the value that is read: a value that is read again leaves them. */
  repairsBefore: number;
}

/** One of the texts that were given for a parameter. */
export interface GivenText {
  readonly text: string;
  /** The wire has said what it is: it stands here as JSON. */
  readonly isSaid: boolean;
  /** The type that the wire gives a text, if it does. */
  readonly typeWord?: string;
}

/** What was given for one parameter, and how all of it is written. */
export interface RepeatedTexts {
  readonly texts: GivenText[];
  /** Where the newest of them stands. */
  start: number;
  end: number;
  write(state: ReaderState, candidate: Candidate, key: string, texts: readonly GivenText[]): void;
}

const noHandlers: RoleHandlers = {};

/**
 * What is known of the end of the text. `open`: more may come. `whole`: it has ended, and the model said so itself.
 * `uncertain`: it has ended, and may have been cut.
 */
export type TextEnd = "open" | "whole" | "uncertain";

/**
 * One text while it is read: what is open, and what the owner has been given. The files beside this one hold the steps,
 * by idea: text, calls, parameters, lists, damage.
 */
export class ReaderState {
  readonly format: Omit<FormatData, "program">;
  readonly #options: ReaderOptions;
  /** What may begin a call. */
  readonly openers: readonly string[];
  /** For roles that not every grammar has; the format brings them. */
  readonly handlers: RoleHandlers;
  readonly owner: ReaderOwner;
  /** Repairs, where the caller brings them. */
  readonly givenRecovery: Recovery | undefined;
  readonly store: TextSource;
  /** The text that was passed begins here; before it stands what the caller had put into the mouth of the model. */
  readonly prefillEnd: number;
  /** The same with blanks behind it, as far as that was asked for. */
  #blanksEnd: number;
  /** Names and keys of the tools: they bound where a value ends. */
  readonly hints: Hints;
  #machine: Machine | undefined;

  /** The roles that are open, outermost first. */
  readonly roles: OpenRole[] = [];
  /** The call that is open. */
  block: Block | undefined;
  payload: PayloadReader | undefined;
  /** Who hears of the parts of a value. */
  sink: ValueSink | undefined;
  /** Reads the rest of the payload, once it is damaged. */
  recovery: PayloadRecovery | undefined;
  /** Text of the role that is collected before it is used: a name, a key, a number, a typed value. */
  captured = "";
  /** The parameter that is read. */
  key = "";
  /** Those of the call that have been read. */
  readonly givenKeys = new Set<string>();
  /** Texts of parameters, where the schema has several shapes of arguments. */
  readonly shapeTexts = new Map<string, string>();
  /** Names of parameters that stand where none is due, and what they are there. */
  readonly namedElsewhere = new Map<string, string>();
  /** A parameter of the call whose text holds a closer that ends nothing, and one whose text holds an opener that is not closed. */
  loneCloser: { readonly key: string; readonly endsLine: boolean } | undefined;
  loneOpener: string | undefined;
  /** The parameter whose tag says more than its name and a type. */
  attributed: string | undefined;
  /** Where the text of a parameter begins that goes on, and holds a whole call; -1: there is none. */
  shownIn = -1;
  /** The same of the newest value, whatever ended it. */
  shownInLast = -1;
  /** Where the machine waits for what has been found, and can still go back; -1: it has gone on. */
  pausedAt = -1;
  /** The parameter of the call whose text holds what may be its end and the beginning of another one. */
  holdsBoundary: string | undefined;
  /** Keys and indices of the containers that are open inside the value of a parameter. */
  path: (string | number)[] = [];
  /** How the text of the value is typed, and whether its pieces go out as they come. */
  type: TextType | undefined;
  streams = false;
  /** Where the newest value of a parameter stands. */
  valueStart = 0;
  valueEnd = 0;
  /** Where a text ended that bears no mark, in a format whose strings do; -1: no key has come since. */
  unmarkedEnd = -1;
  /** Something in the text of the parameter stands for something else: a reference, a section of character data. */
  holdsEscaped = false;
  /** Where the block has ended; -1: it goes on. */
  endedAt = -1;
  /** Nothing of what was looked for stood there. */
  isDeclined = false;
  /** Damage after which nothing of the block can be read: the rest belongs to the refused call. */
  isLost = false;

  /** Content or reasoning that is being passed on. */
  readonly run: TextRun;

  pendingUntilListEnd: PendingCalls | undefined;
  /** The prefill holds the beginning of a call, which starts with the text. */
  startPendingUntilText = false;
  /** Where reading began last. */
  from = 0;

  /** How much text damaged blocks have run over that was read again after their own closers. */
  readAgainChars = 0;

  /** The text ended inside a call. */
  truncated = false;
  /** Another turn has begun where the block ends. */
  endsTurn = false;
  /** Thoughts have no end in the block. */
  leavesThoughts = false;
  /** The text has ended, and the model did not say that it is whole. */
  mayBeCut = false;

  /** Where objects stand that have been read in one go. */
  readonly objects: { start: number; end: number }[] = [];

  /** Reads an object that comes in pieces in the machine's place. */
  scanner: JsonScanner | undefined;
  /** So many entries of the log have been said by it, up to a place of the text. */
  said = 0;
  saidTo = 0;

  /** Where reading has stopped, in the text around blocks. */
  halt: Halt | undefined;
  /** The role that is open there, and where it begins; -1: none. */
  haltRole = 0;
  haltAt = -1;

  /** The block whose payload is read, and up to where it has been dealt with before. */
  payloadBlock: Block | undefined;
  payloadDone = 0;
  payloadOwner: PayloadOwner | undefined;

  /** Which of the markers that may follow a payload close it; undefined until they are asked for. */
  payloadClosers: readonly string[] | undefined;

  /** The candidate that is being read again. */
  rereading: Candidate | undefined;

  /** Candidates that recovery has read; they wait until its verdict on the closers is known. */
  pendingUntilVerdict: Candidate[] = [];

  /** The type that the reply gives for the next text; empty: none. */
  wireType = "";
  /** The same of the text that is open, or has just ended. */
  typeWord = "";

  /** The next key is not one of those that the tool declares and that have not been given. */
  isUnexpected = false;
  /** Texts of parameters that may be given again; they go out when the call ends. */
  readonly repeated = new Map<string, RepeatedTexts>();

  constructor(options: ReaderOptions) {
    this.format = options.format;
    this.#options = options;
    this.openers = options.openers;
    this.handlers = options.format.handlers ?? noHandlers;
    this.owner = options.owner;
    this.hints = options.hints;
    this.givenRecovery = options.recovery;
    this.store = options.store;
    this.prefillEnd = this.#blanksEnd = options.prefillEnd;
    this.run = new TextRun(this);
  }

  get program(): ReadyProgram {
    return this.#options.program();
  }

  /** Made when something is read: much of the text around blocks is plain, and needs none. */
  get machine(): Machine {
    return (this.#machine ??= this.#makeMachine());
  }

  #makeMachine(): Machine {
    const fetch = (start: number) => this.store.slice(start, this.store.end);
    const machine = new Machine(this.program, this.hints, this.#options.replyBegin, fetch);
    machine.isDriven = true;
    return machine;
  }

  slice(start: number, end: number): string {
    return this.#machine?.windowSlice(start, Math.min(end, this.store.end)) ?? this.store.slice(start, end);
  }

  /** Offsets of the text that was passed. */
  span(start: number, end: number): { start: number; end: number } {
    return { start: Math.max(0, start - this.prefillEnd), end: Math.max(0, end - this.prefillEnd) };
  }

  /** Whether a call that has begun in the prefill ends in it. Blanks behind a call are none of it, although some formats read them with it. */
  isInPrefill(end: number): boolean {
    while (this.#blanksEnd < end && this.slice(this.#blanksEnd, this.#blanksEnd + 1).trim() === "") this.#blanksEnd++;
    return end <= this.#blanksEnd;
  }

  /** Forgets the last reading, and begins one at an entry of the program. */
  begin(entry: number, from: number, lineBegin: number): void {
    this.from = from;
    empty(this.roles);
    empty(this.path);
    empty(this.objects);
    empty(this.pendingUntilVerdict);
    this.block =
      this.payload =
      this.sink =
      this.recovery =
      this.type =
      this.pendingUntilListEnd =
      this.halt =
        undefined;
    this.payloadBlock = this.rereading = undefined;
    this.captured = this.key = this.wireType = this.typeWord = "";
    this.streams = this.startPendingUntilText = this.truncated = this.endsTurn = this.isLost = this.isDeclined = false;
    this.leavesThoughts = false;
    if (this.scanner !== undefined) this.scanner.start = -1;
    this.payloadDone = this.said = 0;
    this.endedAt = this.haltAt = -1;
    this.machine.enter(entry, from, lineBegin);
  }

  /** Looks like a call, and is text: the owner lists it. */
  listText(reason: RejectionReason, message: string, start: number, end: number): void {
    const span = this.span(start, end);
    if (span.end === span.start) return;
    this.owner.listed(reason, message, { ...span, raw: this.slice(Math.max(start, this.prefillEnd), end) });
  }
}
