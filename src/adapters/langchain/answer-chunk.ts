import { AIMessageChunk } from "@langchain/core/messages";
import type { InvalidToolCall } from "@langchain/core/messages/tool";

/**
 * A chunk of an answer that may hold refused calls. LangChain knows those of a stream only as pieces of calls that are no
 * JSON, and says of each that it is malformed; here they are none, and keep their reasons when the chunks are joined.
 */
export class AnswerChunk extends AIMessageChunk {
  #refused: readonly InvalidToolCall[] = [];

  /** Lists refused calls. */
  refuse(calls: readonly InvalidToolCall[]): void {
    if (calls.length === 0) return;
    this.invalid_tool_calls = [...(this.invalid_tool_calls ?? []), ...calls];
    this.#refused = [...this.#refused, ...calls];
  }

  override concat(chunk: AIMessageChunk): this {
    const joined = super.concat(chunk) as this;
    joined.refuse([...this.#refused, ...(#refused in chunk ? chunk.#refused : [])]);
    return joined;
  }
}
