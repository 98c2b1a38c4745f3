import { flushDelta } from "../../blocks/candidates.ts";
import type { RejectionReason } from "../../contract/reasons.ts";
import type { FormatData } from "../../formats/format-data.ts";
import type { Candidate } from "../../values/candidate.ts";
import type { Alternative } from "./alternative.ts";
import type { MessageOwner } from "./message-owner.ts";

/** Findings that are not certain yet: they are kept, and emitted later or never. */
export class Recorder implements MessageOwner {
  #record: ((owner: MessageOwner) => void)[] = [];
  readonly candidates: Candidate[] = [];
  #startsLate = false;
  /** The last that was to start. */
  #toStart: Candidate | undefined;

  /**
   * What was recorded happens.
   *
   * @param startsLate calls start where they would have, although they have ended by now
   */
  replay(owner: MessageOwner, startsLate = false): void {
    this.#startsLate = startsLate;
    const record = this.#record;
    this.#record = [];
    for (const emit of record) emit(owner);
  }

  use(alternative: Alternative, alike?: readonly FormatData[]): void {
    this.#record.push((owner) => owner.use(alternative, alike));
  }

  text(kind: "content" | "reasoning", piece: string, start: number): void {
    this.#record.push((owner) => owner.text(kind, piece, start));
  }

  textEnd(kind: "content" | "reasoning", start: number, end: number): void {
    this.#record.push((owner) => owner.textEnd(kind, start, end));
  }

  blockBegins(isLoose: boolean): void {
    this.#record.push((owner) => owner.blockBegins(isLoose));
  }

  trailingCloser(closer: string, textTo: readonly FormatData[]): void {
    this.#record.push((owner) => owner.trailingCloser(closer, textTo));
  }

  blockEnds(text: string, formats: readonly FormatData[], isSound: boolean): void {
    this.#record.push((owner) => owner.blockEnds(text, formats, isSound));
  }

  loneOpener(formats: readonly FormatData[]): void {
    this.#record.push((owner) => owner.loneOpener(formats));
  }

  openFence(marks: string): void {
    this.#record.push((owner) => owner.openFence(marks));
  }

  openSpan(marks: string): void {
    this.#record.push((owner) => owner.openSpan(marks));
  }

  openCall(format: FormatData): void {
    this.#record.push((owner) => owner.openCall(format));
  }

  thoughtsEnd(): void {
    this.#record.push((owner) => owner.thoughtsEnd());
  }

  thoughtsMessageEnds(): void {
    this.#record.push((owner) => owner.thoughtsMessageEnds());
  }

  openPart(format: FormatData): void {
    this.#record.push((owner) => owner.openPart(format));
  }

  mayStart(candidate: Candidate): boolean {
    if (this.#toStart !== candidate) this.#record.push((owner) => this.#startsLate && startLate(owner, candidate));
    this.#toStart = candidate;
    return false;
  }

  /** Nothing starts while it is recorded, so nothing of it is sent: {@link mayStart} says so. */
  start(): void {}

  delta(): void {}

  end(candidate: Candidate, chars: number): void {
    this.candidates.push(candidate);
    this.#record.push((owner) => {
      flushDelta(owner, candidate);
      owner.end(candidate, chars);
    });
  }

  refused(candidate: Candidate): void {
    this.candidates.push(candidate);
    this.#record.push((owner) => {
      flushDelta(owner, candidate);
      owner.refused(candidate);
    });
  }

  beginUnmarked(): void {
    this.#record.push((owner) => owner.beginUnmarked());
  }

  endUnmarked(): void {
    this.#record.push((owner) => owner.endUnmarked());
  }

  listed(reason: RejectionReason, message: string, span: { start: number; end: number; raw: string }): void {
    this.#record.push((owner) => owner.listed(reason, message, span));
  }

  listText(candidate: Candidate, reason: RejectionReason, message: string): void {
    this.candidates.push(candidate);
    this.#record.push((owner) => owner.listText(candidate, reason, message));
  }
}

/** What it was refused for came after its start. */
function startLate(owner: MessageOwner, candidate: Candidate): void {
  if (candidate.started) return;
  const { problem } = candidate;
  candidate.problem = undefined;
  if (owner.mayStart(candidate)) {
    candidate.started = true;
    owner.start(candidate);
    // Before the next one of a list starts.
    flushDelta(owner, candidate);
  }
  candidate.problem ??= problem;
}
