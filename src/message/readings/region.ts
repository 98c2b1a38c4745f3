import type { MachineReader } from "../../blocks/machine-reader.ts";
import type { RejectionReason } from "../../contract/reasons.ts";
import { lastOf } from "../../machine/last-of.ts";
import type { TextSource } from "../../machine/text-store.ts";
import type { Alternative } from "./alternative.ts";
import type { EnclosureKind } from "./enclosures.ts";
import type { MessageOwner } from "./message-owner.ts";
import { Recorder } from "./recorder.ts";

export const enclosureReasons: Readonly<Record<EnclosureKind, readonly [RejectionReason, string]>> = {
  reasoning: ["in-reasoning", "a call inside reasoning is none"],
  unopened: ["in-reasoning", "a call inside reasoning is none"],
  "quoted-thoughts": ["in-reasoning", "a call inside reasoning is none"],
  quoted: ["quoted", "a call in quoted text is none"],
  "unknown-call": ["quoted", "a call in one of a tool that is not on offer is text of it"],
  damaged: [
    "behind-damage",
    "an opener before it opens no call, and its closer follows: the call may stand in a damaged one",
  ],
};

/** Calls whose enclosure is open: its closer refuses them, the end of the message emits them. */
interface OpenRegion {
  readonly recorder: Recorder;
  readonly start: number;
  readonly kind: EnclosureKind;
  /** It has begun in thoughts. */
  readonly inThoughts: boolean;
  /** Any further text refuses them: calls in thoughts count only at the end of the message. */
  endsMessage: boolean;
  /** Why they are refused, where that is not said by the kind. */
  readonly message?: string | undefined;
}

/** How a region begins. */
export type RegionStart = Partial<OpenRegion> & Pick<OpenRegion, "kind" | "inThoughts">;

/**
 * The regions of a message that are open, each in the one before. Findings go to the owner of the message, or into the record of
 * the innermost.
 */
export class Region {
  readonly #owner: MessageOwner;
  readonly #prose: MachineReader;
  readonly #store: TextSource;
  readonly #prefillEnd: number;
  /** Outermost first: so they stand in the text, too. */
  readonly #open: OpenRegion[] = [];
  /** Where the findings go. */
  sink: MessageOwner;
  /** Where the last text ends that is more than blanks. */
  textEnd = 0;

  constructor(owner: MessageOwner, prose: MachineReader, store: TextSource, prefillEnd: number) {
    this.#owner = this.sink = owner;
    this.#prose = prose;
    this.#store = store;
    this.#prefillEnd = prefillEnd;
  }

  get #last(): OpenRegion | undefined {
    return lastOf(this.#open);
  }

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  /** Where the first of them begins. */
  get start(): number | undefined {
    return this.#open[0]?.start;
  }

  get kind(): EnclosureKind | undefined {
    return this.#last?.kind;
  }

  /** Any further text refuses its calls. */
  get endsMessage(): boolean {
    return this.#last?.endsMessage === true;
  }

  /** What begins at an offset encloses what no region does that is open. */
  isNew(from: number): boolean {
    return this.#last === undefined || from > this.#firstFinding(this.#last);
  }

  /** Where the first call of a region begins, refused or not; where there is none, the region. */
  #firstFinding({ recorder, start }: OpenRegion): number {
    const [first] = recorder.candidates;
    return first === undefined ? start : first.placed.start + this.#prefillEnd;
  }

  begin(at: number, { kind, inThoughts, endsMessage = false, message }: RegionStart): void {
    // Blanks before it are framing or text, as it is; framing among them stays framing.
    const blanks = this.#prose.takeBlanks() ?? at;
    const start = this.#store.slice(blanks, at).trim() === "" ? blanks : at;
    this.#prose.endText();
    const recorder = new Recorder();
    this.#open.push({ recorder, start, kind, inThoughts, endsMessage, message });
    this.sink = recorder;
    this.#prose.addText(inThoughts ? "reasoning" : "content", start, at);
  }

  /** Values of these formats may be open in the text. */
  openParts(alternatives: readonly Alternative[]): void {
    for (const { format } of alternatives) this.sink.openPart(format);
  }

  /** Further text may follow. */
  goOn(): void {
    if (this.#last) this.#last.endsMessage = false;
  }

  /** The outermost region whose calls stand after an offset; -1: none does. */
  since(from: number): number {
    let index = this.#open.length;
    while (index > 0 && this.#firstFinding(this.#open[index - 1]) >= from) index--;
    return index < this.#open.length ? index : -1;
  }

  /** Where the last call of those that are open ends. */
  get callsEnd(): number {
    const ends = this.#open.flatMap(({ recorder }) => recorder.candidates.map(({ placed }) => placed.end));
    return Math.max(...ends, 0) + this.#prefillEnd;
  }

  /** The outermost region of a kind; -1: there is none. */
  outermost(kind: EnclosureKind): number {
    return this.#open.findIndex((one) => one.kind === kind);
  }

  /** The outermost region of thoughts that nothing has opened, and that goes on to the end of the message; -1: there is none. */
  get outermostUnopened(): number {
    return this.#open.findIndex(({ kind, endsMessage }) => kind === "unopened" && endsMessage);
  }

  kindAt(index: number): EnclosureKind {
    return this.#open[index].kind;
  }

  /** What stood in damage stays what it is, but for its calls. */
  refuseDamaged(index: number): void {
    for (const { recorder } of this.#open.slice(index))
      for (const candidate of recorder.candidates) candidate.refuse(...enclosureReasons.damaged);
    this.#prose.endText();
    for (const { recorder } of this.#leave(index)) recorder.replay(this.sink);
  }

  /**
   * What stood in a region and those in it, up to here, is text.
   *
   * @param kind what has closed it
   * @param isQuoted it stands in a pair of quoting tags
   */
  refuse(index: number, kind: EnclosureKind, end: number, isQuoted: boolean): void {
    const regions = this.#leave(index);
    const [{ start, inThoughts, message }] = regions;
    this.#prose.dropText();
    const isOfThoughts = enclosureReasons[kind][0] === "in-reasoning";
    this.#prose.addText(inThoughts || (isOfThoughts && !isQuoted) ? "reasoning" : "content", start, end);
    this.#listCalls(regions, kind, message, end - this.#prefillEnd);
  }

  /** What stands in a region and those in it stays what it is, but its calls up to an offset are refused. */
  refuseCalls(index: number, to = Number.POSITIVE_INFINITY): void {
    for (const { recorder, kind } of this.#open.slice(index))
      for (const candidate of recorder.candidates)
        if (candidate.placed.end <= to) candidate.refuse(...enclosureReasons[kind]);
  }

  /** Thoughts go on after a call: it is none, and its text is thought. Called while that text goes out. */
  refuseTrailing(end: number): void {
    const regions = this.#leave(this.#open.length - 1);
    const [{ start, kind, message }] = regions;
    // What the prompt holds is none of the reply.
    const from = Math.max(start, this.#prefillEnd);
    if (end > from) {
      this.sink.text("reasoning", this.#store.slice(from, end), from - this.#prefillEnd);
      this.sink.textEnd("reasoning", from - this.#prefillEnd, end - this.#prefillEnd);
    }
    this.#listCalls(regions, kind, message);
  }

  /** The message has ended: what stood in the regions happens. */
  emit(): void {
    for (const { recorder } of this.#leave(0)) recorder.replay(this.#owner);
  }

  /** Findings go to what stands around them again. */
  #leave(index: number): OpenRegion[] {
    const regions = this.#open.splice(index);
    this.sink = this.#last?.recorder ?? this.#owner;
    return regions;
  }

  /** The calls of regions are text. */
  #listCalls(
    regions: readonly OpenRegion[],
    kind: EnclosureKind,
    message: string | undefined,
    to = Number.POSITIVE_INFINITY,
  ): void {
    const [reason, ofKind] = enclosureReasons[kind];
    for (const { recorder } of regions) {
      for (const candidate of recorder.candidates) {
        const { start, end, raw } = candidate.placed;
        // What stands behind the region is read again.
        if (start >= to) continue;
        if (end > to) candidate.placed = { start, end: to, raw: raw.slice(0, to - start) };
        this.sink.listText(candidate, reason, message ?? ofKind);
      }
    }
  }
}
