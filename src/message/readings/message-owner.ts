import type { FindingsOwner } from "../../blocks/reader-owner.ts";
import type { RejectionReason } from "../../contract/reasons.ts";
import type { FormatData } from "../../formats/format-data.ts";
import type { Candidate } from "../../values/candidate.ts";
import type { Alternative } from "./alternative.ts";

/** Where the findings of a whole message go. */
export interface MessageOwner extends FindingsOwner {
  /** What follows is read in this format. `alike`: all that read it so, where there are several. */
  use(alternative: Alternative, alike?: readonly FormatData[]): void;
  /** A closer that closes nothing. `textTo`: formats to which it belongs to an opener that is text. */
  trailingCloser(closer: string, textTo: readonly FormatData[]): void;
  /** A block has ended, and so has its text. `formats`: those that have read one there. */
  blockEnds(text: string, formats: readonly FormatData[], isSound: boolean): void;
  /** An opener of some formats opens no call: what follows it may be one that is damaged. */
  loneOpener(formats: readonly FormatData[]): void;
  /** What has ended has left a fence open: if marks close it after a call, that is quoted. */
  openFence(marks: string): void;
  /** The same of a code span, or of a string. */
  openSpan(marks: string): void;
  /** What has ended may have ended in a string of a call of this format: then what follows stands in that. */
  openCall(format: FormatData): void;
  /** The thoughts that were open are closed, and no word of them. */
  thoughtsEnd(): void;
  /** A message that is thoughts has ended, and may leave a fence open. */
  thoughtsMessageEnds(): void;
  /** What stands here looks like a part of a call of this format whose opener is lost: what follows may stand in its value. */
  openPart(format: FormatData): void;
  /** A candidate that stays text: it is listed, and its text goes out by itself. */
  listText(candidate: Candidate, reason: RejectionReason, message: string): void;
}
