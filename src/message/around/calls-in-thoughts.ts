import type { Halt } from "../../blocks/state.ts";
import { roleCodes as role } from "../../machine/roles.ts";
import type { Candidate } from "../../values/candidate.ts";
import type { AlternativeReading } from "../readings/alternative-reading.ts";
import { openerCharsMax } from "../readings/openers.ts";
import { enclosureReasons } from "../readings/region.ts";
import type { BlockPlace, BlockPlaces } from "./block-places.ts";
import type { DeclinedPlaces } from "./declined-places.ts";
import type { TextFlow } from "./text-flow.ts";

/** Blocks in thoughts, and behind thoughts that a message of their own has left open: whether their calls may count. */
export class CallsInThoughts {
  readonly #flow: TextFlow;
  readonly #declined: DeclinedPlaces;
  /**
   * Where the thoughts begin in which no further call counts: a call has begun in them whose end nothing proves or closers that are left
   * over disprove, or another turn has; -1: nowhere.
   */
  #endedFrom = -1;
  /** Up to where a block goes of which each call is refused: what begins in it is text of one. */
  #refusedTo = -1;

  constructor(flow: TextFlow, declined: DeclinedPlaces) {
    this.#flow = flow;
    this.#declined = declined;
  }

  /** Openers in thoughts are read on from. */
  get areRead(): boolean {
    return this.#flow.policy.reasoning === "parse" || this.#flow.budget.mayReadTwice;
  }

  /** They are read for their ends alone: what stands in their strings closes nothing. */
  get areIgnored(): boolean {
    return this.#flow.policy.reasoning === "ignore";
  }

  /** Nothing but blanks has been said before: a form that only the start of a message may hold may be all that follows. */
  meetFirst({ role: found, start, end }: Halt, places: BlockPlaces): void {
    this.#flow.prose.addText("reasoning", start, end);
    if (this.areRead) places.meet({ role: found, start: end, end });
    else this.#flow.go("thoughts", end);
  }

  /** No call counts any more in the thoughts that are open: what stands behind may stand in a damaged one, or be of another turn. */
  endCalls(): void {
    this.#endedFrom = this.#flow.around.thoughtsStart;
  }

  get #haveEnded(): boolean {
    return this.#endedFrom >= 0 && this.#endedFrom === this.#flow.around.thoughtsStart;
  }

  /** Calls in thoughts count where these end with them. @returns false: they are text, and reading goes on so */
  take({ halt, disambiguation }: BlockPlace, selected: AlternativeReading, settledAt: number): boolean {
    const { around } = this.#flow;
    const { start } = halt;
    const endsTurn = selected.reader.endsTurn && start >= this.#flow.prefillEnd;
    const isShown = this.#flow.isShownInThoughts(start);
    if (around.haveClosersLeft) this.endCalls();
    const formats = disambiguation.reading.map(({ format }) => format);
    if (selected.candidates.length > 0) around.beginRaw(formats, this.#flow.names);
    // What a string shows ends with the string, at the latest.
    if ((!isShown && selected.candidates.some(isOpen)) || endsTurn) this.endCalls();
    if (isShown && selected.isIntact) this.#flow.strings.skipTo(settledAt);
    const holdsCloser = around.isClosedIn(this.#flow.store.slice(start, settledAt));
    if (holdsCloser) around.mayEndInCall(selected.alternative.format);
    const isInRefused = start < this.#refusedTo;
    if (holdsCloser || this.#haveEnded || isShown || isInRefused || !mayTrail(selected)) {
      if (!isShown && isRefused(selected)) this.#refusedTo = Math.max(this.#refusedTo, settledAt);
      this.#flow.budget.spend(settledAt - halt.end);
      if (halt.role === role.Lead) this.#declined.decline(halt);
      else this.#declined.draft(halt);
      return false;
    }
    this.#beginRegion(start);
    disambiguation.commit(this.#flow.region.sink);
    const { endsReasoning } = selected.alternative.format;
    if (endsReasoning && !this.areIgnored && !around.holdsQuotedCloser(start)) around.endByCall();
    return true;
  }

  #beginRegion(start: number): void {
    if (!this.#flow.region.endsMessage) this.#flow.around.beginRegion(start, { kind: "reasoning", endsMessage: true });
  }

  // ----- Messages of their own -----

  /** A block behind thoughts that a message of their own has left open. @returns false: its calls are text, as above */
  takeInFrame({ halt, disambiguation }: BlockPlace, { candidates }: AlternativeReading, settledAt: number): boolean {
    const { region } = this.#flow;
    const { start } = halt;
    if (candidates.length > 0 && this.areIgnored) {
      for (const candidate of candidates) region.sink.listText(candidate, ...enclosureReasons.reasoning);
      this.#flow.prose.addText("reasoning", start, settledAt);
      this.#flow.goOn(settledAt);
      return false;
    }
    if (candidates.length > 0) this.#beginRegion(start);
    else this.#flow.around.endFrame();
    disambiguation.commit(region.sink);
    return true;
  }

  /** The block has ended in thoughts: a header of the next message follows, which may lack its opener as at the start of a reply. */
  leaveFrame(end: number): void {
    if (this.#flow.policy.reasoning !== "parse") this.#flow.around.leaveOpen(end);
    if (this.#flow.list.openerAt(this.#flow.store.slice(end, end + openerCharsMax)) !== undefined)
      return this.#flow.goOn(end);
    this.#flow.prose.endText();
    this.#flow.isUnderWay = false;
    this.#flow.openings.beginLine(end);
    this.#flow.meet({ role: role.Lead, start: end, end });
  }
}

/** Only whole calls may turn out to end the message. What only falls back to calls is a thought, and what begins a turn after a block is text. */
const mayTrail = ({ alternative, hasEnds, hasText, reader }: AlternativeReading): boolean =>
  alternative.format.mode === "primary" && hasEnds && !hasText && !reader.endsTurn;

const isRefused = ({ candidates }: AlternativeReading): boolean =>
  candidates.length > 0 && candidates.every(({ problem }) => problem !== undefined);

/** Nothing proves where a call has ended that is refused. */
const isOpen = ({ endIsUnproven, problem }: Candidate): boolean =>
  problem !== undefined && (endIsUnproven || problem.reason === "truncated");
