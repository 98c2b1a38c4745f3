import type { Candidate } from "../normalise/candidate.ts";
import { sendDelta, startIfReady } from "./reader/candidates.ts";
import { collects, drainLog, passPartialText } from "./reader/capture-log.ts";
import { meetDamage } from "./reader/damage.ts";
import { endDamage } from "./reader/refused-block.ts";
import { type ReaderOptions, ReaderState } from "./reader/state.ts";

/** Text that is no longer needed is let go in stretches of this length. */
const releasedChars = 8192;

/**
 * Drives the machine over a text and turns its capture log into content, reasoning and candidates: phase one, the same
 * steps for whole texts and streams. It decides nothing: what may start and what may run is its owner's.
 */
export class Reader {
  readonly #state: ReaderState;
  /** The text is another's, who appends to it and lets it go. */
  readonly #isShared: boolean;
  #releaseAt = releasedChars;

  constructor(options: ReaderOptions) {
    this.#state = new ReaderState(options);
    this.#isShared = options.shared !== undefined;
    if (this.#isShared) this.#advance(false, false);
    else if (options.prefill) this.push(options.prefill);
  }

  /** Characters looked at so far. */
  get steps(): number {
    return this.#state.machine.steps;
  }

  /** The text ended inside a call. */
  get truncated(): boolean {
    return this.#state.truncated;
  }

  /** Where one of several formats may begin: reading has stopped there. */
  get trigger(): { start: number; end: number } | undefined {
    return this.#state.trigger;
  }

  /** The candidate that is open, for a look at what is known of it. */
  get open(): Candidate | undefined {
    return this.#state.block?.candidate ?? this.#state.block?.pending;
  }

  /** Reads a chunk. */
  push(chunk: string): void {
    const state = this.#state;
    if (chunk === "") return;
    if (!this.#isShared) state.store.append(chunk);
    if (state.startWaits) this.retryStart();
    if (state.recovery) state.recovery.push(chunk);
    else if (!state.isPlain) state.machine.feed(chunk);
    this.#advance(false, false);
    if (this.#isShared || state.store.end < this.#releaseAt) return;
    state.store.release(this.neededFrom);
    this.#releaseAt = state.store.end + releasedChars;
  }

  /** No more text comes. `whole`: the model said so itself, so the end of the text may end a number. */
  end(whole: boolean): void {
    const state = this.#state;
    if (state.recovery) state.recovery.finish(whole);
    this.#advance(true, whole);
    // At a trigger the text may go on: it is not known yet whether that is text, too.
    if (!state.trigger) state.run.end();
  }

  /** Text before this offset is no longer asked for: the open block, undecided text, text of the open run are. */
  get neededFrom(): number {
    const state = this.#state;
    let keep = state.isPlain ? state.plainFrom : state.machine.neededFrom;
    if (state.block) keep = Math.min(keep, state.block.start);
    keep = Math.min(keep, state.run.neededFrom);
    for (const open of state.roles) if (collects(open.code)) keep = Math.min(keep, open.at);
    return keep;
  }

  /** Goes on behind a trigger, at `from`; `isText`: the trigger itself is content. */
  goOnAt(from: number, isText: boolean): void {
    const state = this.#state;
    const { start, end } = state.trigger as { start: number; end: number };
    state.trigger = undefined;
    state.triggerAt = -1;
    state.roles.length = 0;
    if (isText) state.run.add("content", start, end);
    state.machine.restartAt(from);
    this.#advance(false, false);
  }

  /** The run of text that is open ends here. */
  endText(): void {
    this.#state.run.end();
  }

  /** A candidate that was not to start before may start now. */
  retryStart(): void {
    const state = this.#state;
    const candidate = state.block?.candidate;
    if (candidate?.hasArguments && candidate.name !== undefined) startIfReady(state, candidate);
    sendDelta(state);
  }

  #advance(final: boolean, whole: boolean): void {
    const state = this.#state;
    state.mayBeCut = final && !whole;
    for (;;) {
      if (state.isPlain) {
        state.run.add("content", state.plainFrom, state.store.end);
        state.plainFrom = state.store.end;
        return;
      }
      if (state.recovery) {
        if (state.recovery.state === "reading") break;
        state.givenRecovery?.end(state, state.recovery);
      }
      if (state.isLost) {
        if (!final) return;
        state.isLost = false;
        endDamage(state, state.store.end);
        state.becomePlain(state.store.end);
        return;
      }
      const status = state.machine.run(final);
      drainLog(state);
      if (status === "paused") continue;
      if (status === "starved") break;
      if (status === "done") state.becomePlain(state.machine.position);
      else meetDamage(state, final, whole);
      if (state.trigger) break;
    }
    passPartialText(state);
    sendDelta(state);
  }
}
