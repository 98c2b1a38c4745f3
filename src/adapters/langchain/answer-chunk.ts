import { AIMessageChunk, type AIMessageChunkFields, type ContentBlock } from "@langchain/core/messages";
import type { InvalidToolCall } from "@langchain/core/messages/tool";

/**
 * A chunk of an answer, or all of it, with what LangChain forgets of one: refused calls, which it knows in a stream only as pieces of
 * calls that are no JSON, and says of each that it is malformed; and calls beside a content that is a text, in `contentBlocks`.
 */
export class AnswerChunk extends AIMessageChunk {
  #refused: readonly InvalidToolCall[] = [];

  constructor(fields: AIMessageChunkFields) {
    super(fields);
    this.#refuse(fields.invalid_tool_calls ?? []);
  }

  #refuse(calls: readonly InvalidToolCall[]): void {
    if (calls.length === 0) return;
    this.invalid_tool_calls = [...(this.invalid_tool_calls ?? []), ...calls];
    this.#refused = [...this.#refused, ...calls];
  }

  override get contentBlocks(): ContentBlock.Standard[] {
    const blocks = super.contentBlocks;
    const known = new Set(blocks.flatMap((block) => (block.type === "tool_call" ? [block.id] : [])));
    const missing = (this.tool_calls ?? []).filter(({ id }) => !known.has(id));
    return [...blocks, ...missing.map(({ id, name, args }) => ({ type: "tool_call", id, name, args }) as never)];
  }

  override concat(chunk: AIMessageChunk): this {
    const joined = super.concat(chunk) as this;
    joined.#refuse([...this.#refused, ...(#refused in chunk ? chunk.#refused : [])]);
    return joined;
  }
}

/** What is said, in its order: text, and parts that are none. */
export type SaidContent = readonly (string | object)[];

/** A whole content. */
export function contentOf(said: SaidContent): AIMessageChunkFields["content"] {
  if (said.every((piece) => typeof piece === "string")) return said.join("");
  return said.map((piece) => (typeof piece === "string" ? { type: "text", text: piece } : piece)) as never;
}

/**
 * The content of chunks: text, and parts of it from the first on that is no text. LangChain joins blocks of a content, and in its events
 * calls too, by their number, and takes a text for number 0.
 */
export class ContentBlocks {
  /** The number of the last block. */
  last = 0;
  #isText = true;
  /** Blocks of the provider that come in pieces. */
  readonly #byIndex = new Map<unknown, number>();

  take(said: SaidContent): AIMessageChunkFields["content"] {
    if (this.last === 0 && said.every((piece) => typeof piece === "string")) return said.join("");
    return said.map((piece) => {
      if (typeof piece === "string") return { type: "text", text: piece, index: this.#ofText() };
      return { ...piece, index: this.#ofPart((piece as { index?: unknown }).index) };
    }) as never;
  }

  #ofText(): number {
    if (!this.#isText) this.last++;
    this.#isText = true;
    return this.last;
  }

  #ofPart(index: unknown): number {
    const known = index === undefined ? undefined : this.#byIndex.get(index);
    if (known !== undefined) return known;
    this.#isText = false;
    this.#byIndex.set(index, ++this.last);
    return this.last;
  }
}
