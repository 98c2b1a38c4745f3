import type { Halt } from "../../blocks/state.ts";
import { roleCodes as role } from "../../machine/roles.ts";
import type { AlternativeReading } from "../readings/alternative-reading.ts";
import type { Disambiguation } from "../readings/disambiguation.ts";
import { glanceChars } from "../readings/glances.ts";
import { openerCharsMax } from "../readings/openers.ts";
import { closersMax, isCutCloser } from "../text/cut-closer.ts";
import { endBeforeBlanks } from "../text/line-start.ts";
import type { BlockPlace } from "./block-places.ts";
import type { CallsInThoughts } from "./calls-in-thoughts.ts";
import type { DeclinedPlaces } from "./declined-places.ts";
import { halfCallOf, leaveHalf, pairClosedIn } from "./half-calls.ts";
import type { TextFlow } from "./text-flow.ts";

/** A place has been read: what that means for what stands around it, and where the text goes on. */
export class BlockEnds {
  readonly #flow: TextFlow;
  readonly #declined: DeclinedPlaces;
  readonly #inThoughts: CallsInThoughts;
  /** A block of the message is cut. */
  truncated = false;
  /** What opened the last block, if it has no calls and nothing has closed it: then it is the header of what follows. */
  header: string | undefined;

  constructor(flow: TextFlow, declined: DeclinedPlaces, inThoughts: CallsInThoughts) {
    this.#flow = flow;
    this.#declined = declined;
    this.#inThoughts = inThoughts;
  }

  /** The text goes on after a place, or at it where no block stands there. */
  leave(place: BlockPlace): void {
    const { halt, disambiguation, isInValue } = place;
    const { around, budget, list, policy, region, store } = this.#flow;
    const { selected, settledAt } = disambiguation;
    // What a glance looks at as well is not counted: it depends on how much text was there.
    const readTwice = Math.max(0, disambiguation.readTo - (settledAt ?? halt.end + glanceChars));
    budget.spend(readTwice);
    if (disambiguation.isDeclined || settledAt === undefined || selected === undefined) {
      for (const { format } of disambiguation.alternatives) budget.readInVain(format, readTwice);
      return this.#declined.decline(halt, disambiguation.isCut);
    }
    const isLine = halt.role === role.LineLead;
    const isText = () => selected.isUnmarked && (policy.bare === "message" || !this.#endsLine(settledAt));
    if (isLine && (isInValue || selected.candidates.length === 0 || isText()))
      return this.#declined.listLine(selected, halt, settledAt, isInValue);
    // What is no call of the tool of that name is thoughts.
    if (halt.role === role.ThinkOpener && !selected.isAccepted) return this.#declined.decline(halt);
    this.#flow.isUnderWay = true;
    const isThought = around.areThoughtsTo(selected.alternative.format);
    if (isThought && (policy.reasoning !== "parse" || this.#flow.isShownInThoughts(halt.start))) {
      if (!this.#inThoughts.take(place, selected, settledAt)) return;
    } else if (around.isInFrame) {
      if (!this.#inThoughts.takeInFrame(place, selected, settledAt)) return;
    } else if (isLine || halt.role === role.ThinkOpener) disambiguation.commit();
    const half = halfCallOf(selected);
    const closer = half && pairClosedIn(this.#flow, half, selected, settledAt);
    if (closer !== undefined) {
      leaveHalf(this.#flow, disambiguation);
      budget.spend(settledAt - closer.end);
      return this.#leaveAtCloser(halt, closer);
    }
    // A block without calls and text is the header of what follows.
    if (selected.candidates.length > 0 || selected.hasContent) {
      this.#flow.hasContent = true;
      if (!around.inThoughts) this.#flow.firstCall = Math.min(this.#flow.firstCall, halt.start);
    } else if (!selected.hasText) this.#flow.hasContent = false;
    this.truncated ||= selected.reader.truncated;
    this.header = this.#headerOf(selected, halt, settledAt);
    this.#flow.passBlock(halt.start, settledAt);
    region.textEnd = Math.max(region.textEnd, selected.textTo);
    if (list.alternatives.length > 1)
      region.sink.blockEnds(
        store.slice(halt.start, settledAt),
        disambiguation.reading.map(({ format }) => format),
        selected.isSound && selected.isUnrepaired,
      );
    const saysThoughts = selected.candidates.length === 0 && selected.hasText && !selected.hasContent;
    if (saysThoughts && !around.inThoughts) region.sink.thoughtsMessageEnds();
    if (selected.reader.leavesThoughts && !around.inThoughts) return this.#inThoughts.leaveFrame(settledAt);
    if (halt.role === role.Opener && selected.isIntact) around.damage.endBlock(settledAt);
    const isPartial = half !== undefined || around.isRest;
    // What stands behind its calls is around them; where text stands among them, it may be all of it.
    const callsEnd = half?.start ?? selected.candidates.at(-1)?.end ?? settledAt;
    const textFrom = selected.hasText || around.isRest ? halt.start : callsEnd;
    if (region.isOpen && around.closeIn(textFrom, settledAt, isPartial) && half) leaveHalf(this.#flow, disambiguation);
    if (selected.reader.endsTurn && !around.inThoughts) return this.#flow.endTurn(settledAt, settledAt);
    const end = this.#isCutCloser(disambiguation, settledAt) ? store.end : this.#endOfCalls(selected, settledAt);
    this.#flow.goOn(end, end, disambiguation.reading);
  }

  /** What closes the pair of tags around a block has ended that, and is text. */
  #leaveAtCloser(halt: Halt, { start, end }: { start: number; end: number }): void {
    this.#flow.passBlock(halt.start, start);
    if (this.#flow.around.inThoughts) this.#flow.go("asReasoning", start);
    else this.#flow.passPlain({ ...halt, start }, end - start);
  }

  /** Blanks before what would have gone on with the block, and is none of it, are text. */
  #endOfCalls({ candidates, textTo }: AlternativeReading, settledAt: number): number {
    const end = candidates.at(-1)?.placed.end;
    return end === undefined
      ? settledAt
      : endBeforeBlanks(this.#flow.store, Math.max(end, textTo) + this.#flow.prefillEnd, settledAt);
  }

  /** Whether the text ends in a closer of the block, to one of those that read it. */
  #isCutCloser({ reading, selected }: Disambiguation, at: number): boolean {
    const { store } = this.#flow;
    const candidates = selected?.candidates ?? [];
    if (!this.#flow.openings.hasEnded || candidates.length === 0 || store.end - at > closersMax) return false;
    const block = store.slice(Math.max(candidates[0].placed.start + this.#flow.prefillEnd, at - closersMax), at);
    return reading.some(({ format }) => isCutCloser(block, store.slice(at, store.end), format));
  }

  #headerOf({ candidates }: AlternativeReading, { start, end }: Halt, settledAt: number): string | undefined {
    const { store } = this.#flow;
    const opener = store.slice(start, end);
    if (candidates.length > 0 || opener === "") return undefined;
    const text = store.slice(Math.max(start, settledAt - openerCharsMax), settledAt).trimEnd();
    return this.#flow.list.closersAfter(opener).closers.some((closer) => text.endsWith(closer)) ? undefined : opener;
  }

  /** Whether nothing stands on the line of an unmarked call after it; `shared/unmarked.peggy` has looked at what follows. */
  #endsLine(at: number): boolean {
    const { store } = this.#flow;
    return at >= store.end || /[\r\n]/.test(store.slice(at, at + 1)) || this.#flow.openings.beginsLine(at);
  }
}
