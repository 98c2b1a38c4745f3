import { collects } from "../machine/role-properties.ts";
import type { Candidate } from "../values/candidate.ts";
import { sendDelta, startIfReady } from "./candidates.ts";
import { drainLog, passPartialText } from "./capture-log.ts";
import { meetDamage } from "./damage.ts";
import { endDamage } from "./refused-block.ts";
import { beginObject, leaveObject, readObject } from "./scanned-object.ts";
import { type Halt, type ReaderOptions, ReaderState, type TextEnd } from "./state.ts";

/**
 * Drives the machine over a text and turns its capture log into content, reasoning and candidates: extraction, the same
 * steps for whole texts and streams. It decides nothing: what may start and what may run is its owner's. The text is
 * shared: others append to it and let it go.
 */
export class MachineReader {
  readonly #state: ReaderState;

  constructor(options: ReaderOptions) {
    this.#state = new ReaderState(options);
  }

  /** Begins to read at an entry of the program: where a block may stand, or in a mode of the message. See {@link Machine.enter}. */
  begin(entry: number, from: number, lineBegin: number): void {
    this.#state.begin(entry, from, lineBegin);
    this.#advance("open");
  }

  /** Characters looked at so far. */
  get steps(): number {
    return this.#state.machine.steps;
  }

  /** Where objects of the block stand that have been read in one go. */
  get objects(): readonly { start: number; end: number }[] {
    return this.#state.objects;
  }

  /** Up to where the text has been looked at, whatever the chunks. */
  get readTo(): number {
    const { machine } = this.#state;
    return Math.max(machine.furthest, machine.position);
  }

  /** The text ended inside a call. */
  get truncated(): boolean {
    return this.#state.truncated;
  }

  /** Another turn has begun where the block ends. */
  get endsTurn(): boolean {
    return this.#state.endsTurn;
  }

  /** The block ends in thoughts that nothing has closed. */
  get leavesThoughts(): boolean {
    return this.#state.leavesThoughts;
  }

  /** Where the reader of the message has to decide: reading has stopped there. */
  get halt(): Halt | undefined {
    return this.#state.halt;
  }

  /** Where the block has ended; undefined: it goes on. */
  get endedAt(): number | undefined {
    return this.#state.endedAt < 0 ? undefined : this.#state.endedAt;
  }

  /** Nothing of what was looked for stood there. */
  get isDeclined(): boolean {
    return this.#state.isDeclined;
  }

  /** The candidate that is open, for a look at what is known of it. */
  get open(): Candidate | undefined {
    return this.#state.block?.candidate ?? this.#state.block?.pending;
  }

  /** Reads a chunk, which has been appended to the text. @returns whether what is read goes on after it */
  push(chunk: string): boolean {
    const state = this.#state;
    const { scanner } = state;
    if (state.recovery) state.recovery.push(chunk);
    else if (scanner === undefined || scanner.start < 0) {
      if (state.machine.keeps(chunk)) return true;
      state.machine.feed(chunk);
    } else if (readObject(state, scanner, chunk)) {
      if (state.startPendingUntilText) this.retryStart();
      sendDelta(state);
      return true;
    }
    this.#advance("open");
    if (state.startPendingUntilText) this.retryStart();
    return state.endedAt < 0 && !state.isDeclined;
  }

  /** No more text comes. `whole`: the model said so itself, so the end of the text may end a number. */
  end(whole: boolean): void {
    const state = this.#state;
    if (state.recovery) state.recovery.finish(whole);
    this.#advance(whole ? "whole" : "uncertain");
  }

  /** Text before this offset is no longer asked for: the open block, undecided text, text of the open run are. */
  get neededFrom(): number {
    const state = this.#state;
    let keep = state.machine.neededFrom;
    if (state.block) keep = Math.min(keep, state.block.start);
    keep = Math.min(keep, state.run.neededFrom);
    for (const open of state.roles) if (collects(open.code & 0xff)) keep = Math.min(keep, open.at);
    return keep;
  }

  /** Text that another part of the message has left over. */
  addText(kind: "content" | "reasoning", start: number, end: number): void {
    this.#state.run.add(kind, start, end);
  }

  /** Text that has been passed on, but not to its end. */
  get neededText(): number {
    return this.#state.run.neededFrom;
  }

  /** Where the run of text that is open begins, if it is blank so far; it is forgotten. */
  takeBlanks(): number | undefined {
    return this.#state.run.takeBlanks();
  }

  /** The run of text that is open is forgotten. */
  dropText(): void {
    this.#state.run.drop();
  }

  /** The run of text that is open ends here. */
  endText(): void {
    this.#state.run.end();
  }

  /** A candidate that was not to start before may start now. */
  retryStart(): void {
    const state = this.#state;
    const candidate = state.block?.candidate;
    if (candidate?.hasArguments && candidate.name !== undefined) startIfReady(state, candidate, candidate.text !== "");
    sendDelta(state);
  }

  #advance(end: TextEnd): void {
    const state = this.#state;
    const { machine } = state;
    state.mayBeCut = end === "uncertain";
    while (state.endedAt < 0 && !state.isDeclined && !state.halt) {
      if (state.recovery) {
        if (state.recovery.state === "reading") break;
        state.givenRecovery?.end(state, state.recovery);
      }
      if (state.scanner !== undefined && state.scanner.start >= 0) {
        if (end === "open") break;
        leaveObject(state, state.scanner);
      }
      if (state.isLost) {
        if (end === "open") return;
        state.isLost = false;
        endDamage(state, state.store.end);
        if (state.endedAt < 0) state.endedAt = state.store.end;
        break;
      }
      const status = machine.run(end !== "open");
      state.pausedAt = status === "paused" ? machine.position : -1;
      drainLog(state);
      if (status === "paused" || state.endedAt >= 0) continue;
      if (status === "object") {
        beginObject(state);
        continue;
      }
      if (status === "starved") break;
      if (status === "declined") state.isDeclined = true;
      else if (status === "done") state.endedAt = machine.position;
      else if (state.haltAt >= 0) state.halt = { role: state.haltRole, start: state.haltAt, end: machine.position };
      else meetDamage(state, end);
    }
    passPartialText(state);
    sendDelta(state);
  }
}
