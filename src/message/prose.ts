import type { ReaderOwner, ToolFacts } from "../blocks/reader-owner.ts";
import type { RejectionReason } from "../contract/reasons.ts";
import type { FormatData } from "../formats/format-data.ts";

/** For the text between calls no format is in charge. */
export const noFormat: Omit<FormatData, "program"> = {
  id: "",
  title: "",
  aliases: [],
  models: [],
  mode: "primary",
  triggers: [],
  stop: [],
  reasoning: [],
  keys: { name: [], arguments: [], id: [] },
  flags: [],
  example: "",
  source: [],
};

/** Who takes the text around blocks. */
export interface Prose {
  /** Text around blocks goes on. */
  addText(kind: "content" | "reasoning", piece: string, start: number): void;
  endText(kind: "content" | "reasoning", start: number, end: number): void;
  /** An opener in quoted text or in thoughts. */
  noteQuoted(reason: RejectionReason, message: string, start: number): void;
}

const noTools: ToolFacts = { parameterType: () => undefined, unquotingOf: () => undefined, schemaOf: () => undefined };

/** What may come of the text around blocks: it holds no calls. */
export class ProseOwner implements ReaderOwner {
  readonly tools = noTools;
  readonly #message: Prose;

  constructor(message: Prose) {
    this.#message = message;
  }

  text(kind: "content" | "reasoning", piece: string, start: number): void {
    this.#message.addText(kind, piece, start);
  }

  textEnd(kind: "content" | "reasoning", start: number, end: number): void {
    this.#message.endText(kind, start, end);
  }

  listed(reason: RejectionReason, message: string, { start }: { start: number }): void {
    this.#message.noteQuoted(reason, message, start);
  }

  mayStart(): boolean {
    return false;
  }

  endUnmarked(): boolean {
    return false;
  }

  blockBegins(): void {}
  start(): void {}
  delta(): void {}
  end(): void {}
  refused(): void {}
  beginUnmarked(): void {}
}
