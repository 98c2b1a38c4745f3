import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { InvalidToolCall, ToolCall } from "@langchain/core/messages/tool";
import { BaseOutputParser } from "@langchain/core/output_parsers";
import type { ChatGeneration } from "@langchain/core/outputs";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { checkGiven } from "../../contract/option-values.ts";
import type { ToolDefinition } from "../../validation/tools.ts";
import { toolInstruction } from "../past-messages.ts";
import { checkReadingOptions, openParser, promptFormatOf, type ReadingOptions } from "../reading-options.ts";
import { ServerMessageReader } from "../server-message.ts";
import { Attempt, nameOf, Said } from "./exchange.ts";
import { allWrittenCalls, finishReasonIn, toLangChainCall } from "./messages.ts";

/** How a text is read. */
export interface ToolCallOutputParserFields extends Omit<ReadingOptions, "onRefusal" | "maxRetries"> {
  /** The tools on offer, LangChain's own among them. */
  tools: readonly (ToolDefinition | StructuredToolInterface)[];
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
    this.#tools = tools.map((tool) => convertToOpenAITool(tool) as ToolDefinition);
    this.#reader();
  }

  #reader(): ServerMessageReader {
    const facts = { tools: this.#tools, intent: false, answersInJson: false, waits: true };
    return new ServerMessageReader({ parser: openParser(this.#fields, facts), live: false, waits: false });
  }

  /** Reads what a model says. Called by LangChain. */
  override async invoke(input: string | BaseMessage, options?: RunnableConfig): Promise<ParsedMessage> {
    if (typeof input !== "string")
      checkGiven("ToolCallOutputParser.invoke", "a text, or a message of LangChain", input, { getType: "function" });
    return super.invoke(input, options);
  }

  override async parse(text: string): Promise<ParsedMessage> {
    return this.#read(new AIMessage(text), undefined);
  }

  /** Reads a whole message: LangChain would make JSON of a content in parts, and forget that the message was cut. */
  override async parseResult([{ text, message, generationInfo }]: ChatGeneration[]): Promise<ParsedMessage> {
    const given = message ?? new AIMessage(text);
    return this.#read(given, finishReasonIn(given, generationInfo));
  }

  async #read(message: BaseMessage, finishReason: string | undefined): Promise<ParsedMessage> {
    const isOffered = (name: string) => this.#tools.some((tool) => nameOf(tool) === name);
    const attempt = new Attempt(
      { reader: this.#reader(), onRejection: this.#fields.onRejection, isOffered, ids: new Set() },
      () => "drop",
    );
    const said = new Said();
    await attempt.take(message, said);
    const written = message instanceof AIMessage ? allWrittenCalls(message) : [];
    if (written.length > 0) attempt.seeNative();
    const ended = await attempt.finish(finishReason, written, said);
    const { calls, refusals } = attempt.reader;
    return {
      content: said.text,
      tool_calls: [...calls.map(toLangChainCall), ...ended.passed.flatMap(({ call }) => call ?? [])],
      invalid_tool_calls: attempt.invalidOf(refusals),
      additional_kwargs: said.reasoning === "" ? {} : { reasoning_content: said.reasoning },
    };
  }

  override getFormatInstructions(): string {
    const { instruction } = this.#fields;
    return toolInstruction(promptFormatOf(this.#fields, ""), this.#tools, { instruction });
  }
}
