import type { Reader } from "../blocks/block-reader.ts";
import type { RejectionReason } from "../contract/reasons.ts";
import type { TextSource } from "../machine/text-store.ts";
import type { EnclosureKind } from "./enclosures.ts";
import type { MessageOwner } from "./message-owner.ts";
import { Recorder } from "./recorder.ts";

export const enclosureReasons: Readonly<Record<EnclosureKind, readonly [RejectionReason, string]>> = {
  reasoning: ["in-reasoning", "a call inside reasoning is none"],
  unopened: ["in-reasoning", "a call inside reasoning is none"],
  quoted: ["quoted", "a call in quoted text is none"],
  damaged: [
    "behind-damage",
    "an opener before it opens no call, and its closer follows: the call may stand in a damaged one",
  ],
};

/** Calls whose enclosure is open: its closer refuses them, the end of the message emits them. */
interface OpenRegion {
  readonly recorder: Recorder;
  readonly start: number;
  kind: EnclosureKind;
  /** It has begun in thoughts. */
  readonly inThoughts: boolean;
  /** Any further text refuses them: calls in thoughts count only at the end of the message. */
  endsMessage: boolean;
  /** Why they are refused, where that is not said by the kind. */
  readonly message?: string | undefined;
}

/** How a region begins. */
export type RegionStart = Partial<OpenRegion> & Pick<OpenRegion, "kind" | "inThoughts">;

/** The region of a message that is open, if one is. Findings go to the owner of the message, or into its record. */
export class Region {
  readonly #owner: MessageOwner;
  readonly #prose: Reader;
  readonly #store: TextSource;
  readonly #prefillEnd: number;
  #open: OpenRegion | undefined;
  /** Where the findings go. */
  sink: MessageOwner;

  constructor(owner: MessageOwner, prose: Reader, store: TextSource, prefillEnd: number) {
    this.#owner = this.sink = owner;
    this.#prose = prose;
    this.#store = store;
    this.#prefillEnd = prefillEnd;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  get start(): number | undefined {
    return this.#open?.start;
  }

  get kind(): EnclosureKind | undefined {
    return this.#open?.kind;
  }

  /** Any further text refuses its calls. */
  get endsMessage(): boolean {
    return this.#open?.endsMessage === true;
  }

  /** Where its first call begins, refused or not; where there is none, the region. */
  get firstFinding(): number {
    const { recorder, start } = this.#open as OpenRegion;
    const [first] = recorder.candidates;
    return first === undefined ? start : first.placed.start + this.#prefillEnd;
  }

  begin(at: number, { kind, inThoughts, endsMessage = false, message }: RegionStart): void {
    // Blanks before it are framing or text, as it is.
    const start = this.#prose.takeBlanks() ?? at;
    this.#prose.endText();
    const recorder = new Recorder();
    this.#open = { recorder, start, kind, inThoughts, endsMessage, message };
    this.sink = recorder;
    this.#prose.addText(inThoughts ? "reasoning" : "content", start, at);
  }

  /** Something else closes it. */
  becomes(kind: EnclosureKind): void {
    if (this.#open) this.#open.kind = kind;
  }

  /** Further text may follow. */
  goOn(): void {
    if (this.#open) this.#open.endsMessage = false;
  }

  /** What stood in the region up to here is text. @param isQuoted it stands in a pair of quoting tags */
  refuse(end: number, isQuoted: boolean): void {
    const region = this.#leave();
    if (!region) return;
    this.#prose.dropText();
    const isOfThoughts = region.kind === "reasoning" || region.kind === "unopened";
    const isThought = region.inThoughts || (isOfThoughts && !isQuoted);
    this.#prose.addText(isThought ? "reasoning" : "content", region.start, end);
    this.#listCalls(region);
  }

  /** Thoughts go on after a call: it is none, and its text is thought. Called while that text goes out. */
  refuseTrailing(end: number): void {
    const region = this.#leave() as OpenRegion;
    const from = region.start - this.#prefillEnd;
    this.sink.text("reasoning", this.#store.slice(region.start, end), from);
    this.sink.textEnd("reasoning", from, end - this.#prefillEnd);
    this.#listCalls(region);
  }

  /** The message has ended: what stood in the region happens. */
  emit(): void {
    this.#leave()?.recorder.replay(this.sink);
  }

  /** Findings go to the owner again. */
  #leave(): OpenRegion | undefined {
    const region = this.#open;
    this.#open = undefined;
    this.sink = this.#owner;
    return region;
  }

  /** The calls of a region are text. */
  #listCalls({ kind, recorder, message }: OpenRegion): void {
    const [reason, ofKind] = enclosureReasons[kind];
    for (const candidate of recorder.candidates) this.sink.listText(candidate, reason, message ?? ofKind);
  }
}
