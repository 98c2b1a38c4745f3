import type { InvalidToolCall, ToolCall } from "@langchain/core/messages/tool";
import { BaseOutputParser } from "@langchain/core/output_parsers";
import type { ToolDefinition } from "../../validation/tools.ts";
import { toolInstruction } from "../past-messages.ts";
import { checkReadingOptions, openParser, promptFormatOf, type ReadingOptions } from "../reading-options.ts";
import { ServerMessageReader } from "../server-message.ts";
import { toInvalidCall, toLangChainCall } from "./messages.ts";

/** How a text is read. */
export interface ToolCallOutputParserFields extends Omit<ReadingOptions, "onRefusal" | "maxRetries"> {
  /** The tools on offer. */
  tools: readonly ToolDefinition[];
}

/** A message of a model, read; the fields go into an `AIMessage`. */
export interface ParsedMessage {
  content: string;
  tool_calls: ToolCall[];
  /** Everything that looked like a call and is none; never run. */
  invalid_tool_calls: InvalidToolCall[];
  additional_kwargs: { reasoning_content?: string };
}

/**
 * Reads the text of a model in a chain: `prompt.pipe(model).pipe(new ToolCallOutputParser({ format, tools }))`. What the
 * model has to know stands in `getFormatInstructions()`.
 *
 * @throws TypeError on misuse, at once
 */
export class ToolCallOutputParser extends BaseOutputParser<ParsedMessage> {
  override lc_serializable = false;
  override lc_namespace = ["toolpeg", "langchain"];
  readonly #fields: ReadingOptions;
  readonly #tools: readonly ToolDefinition[];

  static override lc_name(): string {
    return "ToolCallOutputParser";
  }

  constructor(fields: ToolCallOutputParserFields) {
    super();
    const { tools, ...reading } = fields ?? {};
    checkReadingOptions(reading as ReadingOptions, "ToolCallOutputParser");
    if (!Array.isArray(tools)) throw new TypeError("ToolCallOutputParser needs the tools on offer in `tools`");
    this.#fields = reading;
    this.#tools = tools;
    this.#reader();
  }

  #reader(): ServerMessageReader {
    const facts = { tools: this.#tools, intent: false, answersInJson: false, waits: true };
    return new ServerMessageReader({ parser: openParser(this.#fields, facts), live: false, waits: false });
  }

  override async parse(text: string): Promise<ParsedMessage> {
    const reader = this.#reader();
    const parsed: ParsedMessage = { content: "", tool_calls: [], invalid_tool_calls: [], additional_kwargs: {} };
    let reasoning = "";
    for (const event of [...(await reader.pushSettled(text)), ...(await reader.endSettled())]) {
      if (event.type === "text-delta") parsed.content += event.text;
      else if (event.type === "reasoning-delta") reasoning += event.text;
      else if (event.type === "call-rejected") this.#fields.onRejection?.(event.rejection);
    }
    parsed.tool_calls = reader.calls.map(toLangChainCall);
    parsed.invalid_tool_calls = reader.refusals.map(toInvalidCall);
    if (reasoning !== "") parsed.additional_kwargs.reasoning_content = reasoning;
    return parsed;
  }

  override getFormatInstructions(): string {
    const { instruction } = this.#fields;
    return toolInstruction(promptFormatOf(this.#fields, ""), this.#tools, { instruction });
  }
}
