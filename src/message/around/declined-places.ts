import type { Halt } from "../../blocks/state.ts";
import type { RejectionReason } from "../../contract/reasons.ts";
import { fetchedBefore } from "../../machine/machine.ts";
import { roleCodes as role } from "../../machine/roles.ts";
import type { Alternative } from "../readings/alternative.ts";
import type { AlternativeReading } from "../readings/alternative-reading.ts";
import { openerCharsMax, openerCharsMin } from "../readings/openers.ts";
import { enclosureReasons } from "../readings/region.ts";
import { blanks } from "../text/line-start.ts";
import type { TextFlow } from "./text-flow.ts";

/** Places at which a block may begin and none does: what opened it is text, or frames text, and is listed if it names a call. */
export class DeclinedPlaces {
  readonly #flow: TextFlow;
  /** What the name of a tool does not open is an opener of thoughts or of a quotation. */
  readonly #openTag: (halt: Halt) => void;
  /** The last opener behind what may open a string, and where it ends. */
  #inString = { opener: "", to: -1, isShown: false };
  /** What closes the calls that such an opener wraps, and up to where it has been looked for. */
  #wrapped: { readonly closers: readonly string[]; from: number } | undefined;

  constructor(flow: TextFlow, openTag: (halt: Halt) => void) {
    this.#flow = flow;
    this.#openTag = openTag;
  }

  /** No block: what opened it is text, or frames text. `isCut`: there might be one, if the text had gone on. */
  decline(halt: Halt, isCut = false): void {
    const { around, list, openings, store, unmatched } = this.#flow;
    // The sets may know an opener by its first characters; the format says whether it is one.
    const end = halt.role === role.Opener ? openings.openerEnd(halt.start) : -1;
    // Where it is none, it may be what calls of others begin with.
    const isShort = halt.role === role.Opener && halt.end - halt.start < openerCharsMin;
    const begunEnd = isShort && end === -1 ? openings.begunEnd(halt.start) : -1;
    if (end === undefined || begunEnd === undefined) return this.#flow.askAgain(halt, () => this.decline(halt));
    if (begunEnd >= 0) return this.meetBegun(halt);
    const opener = this.#flow.textOf(halt);
    const isFraming = this.#flow.sets.framing.some((text) => opener.startsWith(text));
    if (isCut) this.#listWrapper();
    if (isCut && !isFraming && cutHeader.test(store.slice(halt.start, halt.start + openerCharsMax))) {
      unmatched.note("truncated", cutMessage, halt.start, store.end);
      return this.#flow.go(around.inThoughts ? "thoughts" : "prose", store.end);
    }
    // To some it is a token that no text holds, although it opens nothing.
    const begun = list.openedBy(opener);
    const isToken = begun.length > 0 && begun.every(({ format }) => format.flags.includes("framing-openers"));
    const isListed = this.#listUnmarked(this.#isRead(halt) && !around.inThoughts && !openings.isMarked(halt));
    if (halt.role === role.Lead) {
      // What looked like the beginning of a call has not been one.
      this.#flow.isUnderWay = false;
      return this.#flow.go(around.inThoughts ? "thoughts" : "unled", halt.start);
    }
    if (halt.role === role.LineLead) return this.declineLine(halt);
    if (halt.role === role.QuoteOpener || halt.role === role.ThinkOpener) return this.#openTag(halt);
    if (around.inThoughts) return this.draft(halt);
    const plainLength = this.#flow.plainText.lengthAt(halt.start);
    if (plainLength > 0 && plainLength < openerCharsMin) return this.#flow.passPlain(halt, plainLength);
    this.#listWrapper();
    if (!isListed && !isFraming) {
      if (isCut) unmatched.note("truncated", cutMessage, halt.start);
      else unmatched.note("malformed", unopenedMessage, halt.start);
    }
    if (!isListed && Math.max(end, halt.end) - halt.start >= openerCharsMin) {
      if (!isFraming && !isToken) this.#flow.textOpeners.add(opener, end >= 0);
      around.damage.begin(halt, end);
      this.#flow.region.sink.loneOpener(list.closersAfter(opener).formats);
    }
    if (isToken && !isListed && end > halt.start) return this.#flow.goOnLater(end, begun);
    if (plainLength > 0) this.#flow.passPlain(halt, 1);
    else this.#flow.go("unopened", halt.start);
  }

  /**
   * Of formats that have read the message as calls without a marker, the one counts that says least against them. What
   * stands in such a call is no call of its own.
   */
  #listUnmarked(isListed: boolean): boolean {
    const { openings } = this.#flow;
    let best: { reading: AlternativeReading; refusals: string } | undefined;
    for (const reading of isListed ? openings.readings : []) {
      const refusals = reading.unmarked;
      if (refusals !== undefined && (best === undefined || refusals < best.refusals)) best = { reading, refusals };
    }
    if (best) this.#flow.refusedTo = best.reading.listUnmarked(this.#flow.region.sink);
    for (const reading of openings.readings) reading.forgetUnmarked();
    return best !== undefined;
  }

  /** What formats have read there is listed. Of a line how it begins is enough, but where the prompt has begun it that is none of the reply. */
  #isRead({ role: found, start }: Halt): boolean {
    if (found !== role.LineLead) return true;
    const { openings, prefillEnd } = this.#flow;
    return start < prefillEnd && start >= this.#flow.refusedTo && [...openings.readings].some((one) => one.wasOffered);
  }

  /** A wrapper that no call follows frames nothing. */
  #listWrapper(): void {
    const { unmatched, wrapper } = this.#flow;
    if (wrapper) unmatched.note("malformed", wrapperMessage, wrapper.start, wrapper.end);
    this.#flow.wrapper = undefined;
  }

  /** An opener in thoughts is text. */
  draft({ start }: Halt): void {
    this.#flow.unmatched.note(...enclosureReasons.reasoning, start);
    this.#flow.go(this.#flow.around.inThoughts ? "drafted" : "unopened", start);
  }

  /** An opener that stays text. */
  passOpener({ start, end }: Halt, reason: RejectionReason = "malformed", message = unopenedMessage): void {
    const { textOpeners } = this.#flow;
    this.#listWrapper();
    this.#flow.unmatched.note(reason, message, start);
    // Where it is known by its first characters only, the rest of it says what closes it.
    const known = end - start < openerCharsMin ? (this.#flow.openings.openerEnd(start) ?? -1) : end;
    const opener = this.#flow.store.slice(start, Math.max(known, end));
    if (opener.length >= openerCharsMin) {
      // What a string of a value in prose has opened is counted with the calls before it: `shown-calls.ts`.
      if (reason === "behind-damage" && !this.#inString.isShown)
        textOpeners.addInString(opener, this.#flow.bareValue.holds(start));
      else textOpeners.add(opener);
    }
    this.#flow.go("unopened", start);
  }

  passInString(halt: Halt): void {
    const end = this.#flow.openings.openerEnd(halt.start);
    if (halt.end - halt.start < openerCharsMin && end === undefined)
      return this.#flow.askAgain(halt, () => this.passInString(halt));
    if (this.opensInString(halt.start)) this.#keepInString(halt.start, Math.max(halt.end, end ?? -1));
    else this.#inString.isShown = false;
    this.passOpener(halt, ...heldMessage);
  }

  /** What closes a call that a string shows: the string goes on behind it. */
  endInString({ start, end }: Halt): void {
    const { list, store, strings } = this.#flow;
    const { opener, to } = this.#inString;
    if (to < 0 || !list.closersAfter(opener).blockClosers.includes(store.slice(start, end))) return;
    strings.skipTo(end);
  }

  #keepInString(start: number, to: number): void {
    const { list, store } = this.#flow;
    const isFollowed = this.#followsOpenerInString(start);
    if (isFollowed) this.#wrapped ??= { closers: list.closersAfter(this.#inString.opener).blockClosers, from: to };
    const isInMember = () => this.#isInMember(start) && !this.#flow.around.damage.holdsInString(start);
    const isShown = isFollowed || this.#isWrapped(start) ? this.#inString.isShown : isInMember();
    this.#inString = { opener: store.slice(start, to), to, isShown };
  }

  /** Before a place stands what may open a string, or an opener that stands in one; or that wraps other calls, and is open. */
  opensInString(start: number): boolean {
    if (this.#isWrapped(start) || this.#followsOpenerInString(start)) return true;
    return this.#flow.bareValue.followsQuote(start) || this.#isInMember(start);
  }

  /** A string of a value is open here, of an object or a list in prose. */
  #isInMember(start: number): boolean {
    const { bareValue, strings } = this.#flow;
    const isOpen = strings.isKeptOpenAt(start) || this.#followsMemberQuote(start);
    return isOpen && !bareValue.holds(start) && !bareValue.followsQuote(start);
  }

  /** What stands directly before a place opens such a string, whatever stands before that. */
  #followsMemberQuote(start: number): boolean {
    const { store } = this.#flow;
    // Few openers stand behind a quote: of the others nothing more is looked at.
    if (store.slice(Math.max(0, start - 1), start) !== '"') return false;
    return opensString.test(store.slice(Math.max(0, start - fetchedBefore), start));
  }

  /** A string of JSON in prose that an opener has begun is open at a place. */
  holdsShown(start: number): boolean {
    const { isShown, to } = this.#inString;
    return isShown && start - to <= fetchedBefore && insideString.test(this.#flow.store.slice(to, start));
  }

  /** Nothing but a name stands between such an opener and a place. */
  #followsOpenerInString(start: number): boolean {
    const { to } = this.#inString;
    return to >= 0 && start - to <= fetchedBefore && nameAtMost.test(this.#flow.store.slice(to, start));
  }

  #isWrapped(start: number): boolean {
    if (this.#wrapped === undefined) return false;
    const { closers, from } = this.#wrapped;
    const text = this.#flow.store.slice(Math.max(this.#inString.to, from - openerCharsMax), start);
    if (closers.some((closer) => text.includes(closer))) this.#wrapped = undefined;
    else this.#wrapped.from = start;
    return this.#wrapped !== undefined;
  }

  passAfterTurn({ start }: Halt): void {
    const message = "a turn has ended before this opener for every format that it opens";
    this.#flow.unmatched.note("after-turn", message, start);
    this.#flow.go("unopened", start);
  }

  // ----- Lines -----

  /** Calls without a marker among other text are text, and listed. @param isInValue the line stands in a value that begins before it */
  listLine({ candidates, isSound }: AlternativeReading, halt: Halt, settledAt: number, isInValue: boolean): void {
    this.#flow.budget.spend(settledAt - halt.start);
    const [reason, message] = this.#flow.policy.bare !== "message" && isInValue ? inValue : this.#notAlone;
    const listedTo = this.#flow.refusedTo;
    for (const candidate of isSound && !this.#flow.openings.isMarked(halt) ? candidates : []) {
      // Where the whole message has been read, it is listed.
      if (candidate.start < listedTo) continue;
      this.#flow.region.sink.listText(candidate, reason, message);
      // What stands in such a call is no call of its own.
      this.#flow.refusedTo = settledAt;
    }
    this.declineLine(halt);
  }

  get #notAlone() {
    return this.#flow.policy.bare === "message" ? notAlone : notAloneOnLine;
  }

  declineLine(halt: Halt): void {
    const { start } = halt;
    const { bareValue } = this.#flow;
    // Where lines are looked at alone, each may begin a damaged call.
    if (this.#flow.policy.bare === "anywhere" && !bareValue.holds(start)) bareValue.begin(start);
    // What stands in a string of a call is text, also where its tool is not on offer.
    else bareValue.beginLine(start);
    if (!this.#listBegun(halt)) return this.#flow.askAgain(halt, () => this.declineLine(halt));
    this.#flow.go(this.#flow.isFirst(start) ? "answer" : "unmarked", start);
  }

  // ----- What begins as a call does -----

  /** What begins as a call does and is none stays text. */
  meetBegun(halt: Halt): void {
    if (!this.#listBegun(halt)) return this.#flow.askAgain(halt, () => this.meetBegun(halt));
    if (this.#flow.around.inThoughts) this.#flow.goAsText(halt);
    // A token that frames text is none of it.
    else if (this.#flow.sets.framing.includes(this.#flow.textOf(halt))) this.#flow.go("unopened", halt.start);
    else this.#flow.passPlain(halt, 1);
  }

  /** It is listed, if there is one. @returns false: more text has to say */
  #listBegun(halt: Halt): boolean {
    const { around, bareValue, list, openings, store } = this.#flow;
    // What other formats may begin here has not been read yet.
    const isLine = halt.role === role.LineLead;
    // The first line of a message may have blanks before it.
    const lead = isLine ? blanks.exec(store.slice(halt.start, halt.start + fetchedBefore)) : null;
    const start = halt.start + (lead?.[0].length ?? 0);
    const of = isLine ? openings.alternativesAt(halt, "line") : list.alternatives;
    const end = openings.begunEnd(start, of);
    if (end === undefined) return false;
    if (end < 0 || start < this.#flow.refusedTo || openings.isInWord(start)) return true;
    const { inThoughts } = around;
    const isHeld = bareValue.holds(start);
    const opener = store.slice(start, end);
    // A tag there is that of a part of a call.
    if (isHeld && opener.startsWith("<")) return true;
    const beginsLine = isLine
      ? openings.beginningAt(halt.start, "line", of).length > 0
      : of.some((one) => openings.beginsLineTo(one, start));
    const isAlone = openings.begunEnd(start, of.filter(mayStandAlone)) !== -1;
    const isDamaged = beginsLine || !isAlone;
    const ofText = isHeld ? heldMessage : isDamaged ? begunMessage : this.#notAlone;
    this.#flow.unmatched.note(...(inThoughts ? enclosureReasons.reasoning : ofText), start);
    if (inThoughts || isHeld) return true;
    // What stands in its strings is no call, and what closes its tags is text. A tag alone is that of a part.
    if (!opener.startsWith("<")) bareValue.beginCall(start, end);
    else if (opener.endsWith(">"))
      this.#flow.region.openParts(list.alternatives.filter(({ format }) => format.begun !== undefined));
    else {
      this.#flow.textOpeners.add(opener);
      around.damage.begin({ ...halt, end }, end);
    }
    return true;
  }
}

/** A call that no marker opens may be the whole message. */
const mayStandAlone = ({ format }: Alternative): boolean => format.leads !== undefined;

const opensString = /(?:[{,]\s*"(?:[^"\\\r\n]|\\.)*"\s*:|\[)\s*"$/;
const insideString = /^(?:[^"\\\r\n]|\\.)*$/;
const nameAtMost = /^(?:\s|\\[nrt])*[\w.:-]*(?:\s|\\[nrt])*$/;

const notAlone = ["not-alone", "a call that no marker opens counts as the whole message only"] as const;
const notAloneOnLine = ["not-alone", "a call that no marker opens counts on lines of its own only"] as const;
export const inValue = ["behind-damage", "the line stands in a value, or in a call, that begins before it"] as const;
const heldMessage = ["behind-damage", "the call stands in a string of a damaged one, or in a JSON value"] as const;
const begunMessage = [
  "malformed",
  "this begins as a call that no marker opens, and is none: it is damaged, cut, not alone, or of another format",
] as const;
const wrapperMessage = "a wrapper without a call in it frames nothing";
const unopenedMessage = "an opener without a call behind it is text";
/** A special token that the text ends in, or with a name or a header directly after it, which is no text. */
const cutHeader = /^<[^<>\s/]*[|\uff5c][^<>\s]*>(?:[\w<][^\s]*(?:\s+(?:\w+=|<)\S*)*\s*)?$/;
const cutMessage = "the text ends before it is known whether this opens a call; raise the token limit, or retry";
