import { addUsage } from "../add-usage.ts";
import { checkReadingOptions, promptValues } from "../reading-options.ts";
import { type Attempt, Exchange } from "./exchange.ts";
import type { ToolCallMiddlewareOptions } from "./options.ts";
import { ContentFolder } from "./part-writer.ts";
import type { CallOptions, FinishReason, GenerateResult, LanguageModel, Part, StreamResult } from "./shapes.ts";

/** A middleware for `wrapLanguageModel` of `ai` 5, 6 and 7. */
export interface ToolCallMiddleware {
  // Each major version of `ai` has types of its own for the same calls, and no common one.
  // biome-ignore lint/suspicious/noExplicitAny: must fit the types of three packages at once
  readonly specificationVersion: any;
  /** Reads a whole reply. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly wrapGenerate: (options: any) => Promise<any>;
  /** Reads a reply that is streamed. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly wrapStream: (options: any) => Promise<any>;
}

/**
 * Gives tools to a model that writes its calls as text: `wrapLanguageModel({ model, middleware })`.
 *
 * A `tool-call` is sent only after validation has passed it; its `tool-input-*` parts come live before it. A refused call
 * goes to the SDK as one of a tool that is not there (`refused_<name>`): nothing runs, and the model gets the reason in the next
 * step; `onRefusal` says otherwise. What the message came to is in `providerMetadata.toolpeg`.
 *
 * @throws TypeError on misuse: at once for the options, with the model's call for tools that `parse` would refuse.
 */
export function toolCallMiddleware(options: ToolCallMiddlewareOptions): ToolCallMiddleware {
  checkReadingOptions(options, "toolCallMiddleware", promptValues);
  return {
    specificationVersion: "v3",
    wrapGenerate: ({ params, model }: { params: CallOptions; model: LanguageModel }) =>
      generate(model, new Exchange(options, params, model)),
    wrapStream: async ({ params, model }: { params: CallOptions; model: LanguageModel }): Promise<StreamResult> => {
      const exchange = new Exchange(options, params, model);
      const { stream, ...rest } = await model.doStream(exchange.request);
      return { ...rest, stream: new AnswerStream(model, exchange, stream).readable };
    },
  };
}

/** A whole result, read: text through the parser, everything else in its place. */
async function generate(model: LanguageModel, exchange: Exchange): Promise<GenerateResult> {
  const content: Part[] = [];
  let usage: unknown;
  for (let retries = 0; ; retries++) {
    const result = await model.doGenerate(exchange.request);
    usage = addUsage(usage, result.usage);
    const folder = new ContentFolder();
    const attempt = exchange.attempt(retries, (part) => folder.add(part));
    for (const part of result.content) attempt.seeExecuted(part);
    for (const part of result.content) await attempt.take(part);
    const handling = await attempt.finish(result.finishReason);
    content.push(...folder.inPlace(attempt.shownBefore));
    if (handling === "retry") {
      exchange.askAgain(attempt.reader);
      continue;
    }
    return {
      ...result,
      content,
      finishReason: attempt.finishReason(result.finishReason),
      ...(usage === undefined ? {} : { usage }),
      providerMetadata: withRecord(result.providerMetadata, attempt),
    };
  }
}

/** A streamed result, read; after a refusal that is retried, the next answer follows in the same stream. */
class AnswerStream {
  readonly #model: LanguageModel;
  readonly #exchange: Exchange;
  #source: ReadableStreamDefaultReader<Part>;
  #usage: unknown;
  readonly readable: ReadableStream<Part>;

  constructor(model: LanguageModel, exchange: Exchange, first: ReadableStream<Part>) {
    this.#model = model;
    this.#exchange = exchange;
    this.#source = first.getReader();
    const parts = this.#read();
    this.readable = new ReadableStream<Part>(
      {
        async pull(controller) {
          const { done, value } = await parts.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => this.#source.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  async *#read(): AsyncGenerator<Part, void, undefined> {
    const queue: Part[] = [];
    for (let retries = 0; ; retries++) {
      const attempt = this.#exchange.attempt(retries, (part) => queue.push(part));
      let asksAgain = false;
      let finished = false;
      try {
        for (let next = await this.#source.read(); !next.done; next = await this.#source.read()) {
          const part = next.value;
          if (part.type === "finish") {
            finished = true;
            asksAgain = (await attempt.finish(part.finishReason as FinishReason)) === "retry";
            this.#usage = addUsage(this.#usage, part.usage);
            if (!asksAgain) queue.push(this.#finish(part, attempt));
          } else if (part.type !== "stream-start" || retries === 0) {
            attempt.seeExecuted(part);
            await attempt.take(part);
          }
          yield* queue.splice(0);
        }
      } catch (error) {
        if (!finished) await attempt.fail();
        yield* queue.splice(0);
        throw error;
      }
      if (!finished) {
        const isSaid = attempt.failed;
        await attempt.fail();
        if (!isSaid) {
          queue.push({ type: "error", error: new Error("the stream of the model ended without a finish part") });
        }
        yield* queue.splice(0);
      }
      if (!asksAgain) return;
      this.#exchange.askAgain(attempt.reader);
      this.#source = (await this.#model.doStream(this.#exchange.request)).stream.getReader();
    }
  }

  #finish(part: Part, attempt: Attempt): Part {
    return {
      ...part,
      finishReason: attempt.finishReason(part.finishReason as FinishReason),
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      providerMetadata: withRecord(part.providerMetadata as Record<string, unknown> | undefined, attempt),
    };
  }
}

function withRecord(given: Record<string, unknown> | undefined, { record }: Attempt): Record<string, unknown> {
  return record === undefined ? { ...given } : { ...given, toolpeg: record };
}
