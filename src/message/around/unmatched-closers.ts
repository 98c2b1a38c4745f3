import type { Halt } from "../../blocks/state.ts";
import { roleCodes as role } from "../../machine/roles.ts";
import { nameBefore, objectBefore } from "../text/call-before-closer.ts";
import type { BlockEnds } from "./block-ends.ts";
import type { DeclinedPlaces } from "./declined-places.ts";
import type { TextFlow } from "./text-flow.ts";

/** Closers and tokens of calls that close nothing: they frame text, or are text, and may say that a call before them has lost its opener. */
export class UnmatchedClosers {
  readonly #flow: TextFlow;
  readonly #declined: DeclinedPlaces;
  readonly #blocks: BlockEnds;
  /** Where the last of them has ended. */
  #closedTo = 0;

  constructor(flow: TextFlow, declined: DeclinedPlaces, blocks: BlockEnds) {
    this.#flow = flow;
    this.#declined = declined;
    this.#blocks = blocks;
  }

  /**
   * A closer directly after an opener: framing, if it is one of a format that begins there. To others what opens nothing is
   * text, and the closer is left over. What closes a part of a call has closed no call. In thoughts both are text.
   */
  meetEmpty({ start, end }: Halt): void {
    const { around, list, store } = this.#flow;
    if (around.inThoughts) return this.#flow.go("asReasoning", start);
    const openerEnd = this.#flow.openings.openerEnd(start) ?? -1;
    const opener = store.slice(start, Math.max(start, openerEnd));
    const { closers, lastClosers } = list.closersAfter(opener);
    const text = store.slice(start, end);
    const closer = openerEnd < 0 ? undefined : closers.find((one) => text.endsWith(one));
    if (closer === undefined) return this.#flow.go("asContent", start);
    this.#flow.region.sink.trailingCloser(closer, list.formatsClosed(opener, closer));
    if (lastClosers.includes(closer)) around.damage.forget(end);
    this.#flow.goOn(end, start);
  }

  /** A closer that closes nothing is framing; where its opener is text, it is text, unless it is framing anyway. */
  meet(halt: Halt): void {
    const { around, bareValue, sets, textOpeners, unmatched } = this.#flow;
    const { start, end } = halt;
    const closer = this.#flow.textOf(halt);
    const isDeclined = textOpeners.takeBack(start);
    if (!bareValue.holds(start)) textOpeners.leaveValue();
    // What closes a block of one format may open one of another.
    if (!isDeclined && sets.openers.has(closer)) return this.#flow.meet({ ...halt, role: role.Opener });
    around.closeEnclosure(halt);
    around.keepQuoted(start);
    if (isDeclined) unmatched.forget(start);
    const isText = textOpeners.isText(closer) && !sets.framing.includes(closer);
    if (!isText) this.#listCallBefore(halt, closer);
    // What stands in a damaged value, or in a string that shows a call, stays as it is.
    if (isText || bareValue.holds(start) || this.#declined.holdsShown(start)) {
      this.#flow.region.sink.trailingCloser(closer, textOpeners.formatsOf(closer));
      return this.#flow.go("asContent", start);
    }
    if (sets.innerTokens.includes(closer)) {
      unmatched.note("malformed", innerTokenMessage, start, end);
      // What follows it may be the arguments of a call that has lost its opener: what stands in their strings is no call.
      if (!around.inThoughts) bareValue.begin(end, true);
    }
    this.pass(closer);
    this.#flow.goOn(end, start);
  }

  /** A closer that is no text: one that ends what a header has begun is not left over. */
  pass(closer: string): void {
    const { header } = this.#blocks;
    const formats = header === undefined ? [] : this.#flow.list.formatsClosed(header, closer);
    if (formats.length > 0) this.#blocks.header = undefined;
    this.#flow.region.sink.trailingCloser(closer, formats);
  }

  /** What names a tool as calls do and has the closer of a call after it is none without an opener, or with one that is spelt otherwise. */
  #listCallBefore({ start, end }: Halt, closer: string): void {
    const { names, unmatched } = this.#flow;
    const readTo = Math.max(this.#flow.prefillEnd, this.#closedTo, this.#flow.blockEnd, this.#flow.refusedTo);
    const from = Math.max(readTo, start - callCharsMax);
    this.#closedTo = end;
    if (names === undefined || this.#flow.around.isQuoted || unmatched.areSince(from)) return;
    const keys = this.#flow.list.closedBy(closer).map((format) => format.keys.name);
    const text = this.#flow.store.slice(from, start);
    const objectAt = objectBefore(text, keys, names);
    // Tokens within calls are listed by themselves.
    const isInner = this.#flow.sets.innerTokens.includes(closer);
    const at = objectAt >= 0 || isInner ? objectAt : nameBefore(text, names, this.#flow.sets.closers);
    if (at >= 0) unmatched.note("malformed", noOpenerMessage, from + at, end);
  }
}

const noOpenerMessage = "the closer of a call stands after this, and no opener before it";
/** So far before a closer a call may begin that is listed with it. */
export const callCharsMax = 32_768;
const innerTokenMessage = "a special token of calls outside of one is left out";
