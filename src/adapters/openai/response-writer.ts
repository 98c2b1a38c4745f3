import { GrowingText } from "../../machine/growing-text.ts";
import { randomWord } from "../call-ids.ts";
import type { ResponseEvent, ResponseObject, ResponseOutputItem, ResponseUsage } from "./response-shapes.ts";

/** What a response says beside its output. */
export interface ResponseWriterOptions {
  /** Default: random. */
  id?: string | undefined;
  model?: string | undefined;
  /** When the response began, in seconds since 1970. Default 0: the library has no clock. */
  created?: number | undefined;
  /** Members of the request that a response repeats: `instructions`, `tools`, `temperature`, ... */
  echo?: Readonly<Record<string, unknown>> | undefined;
}

type Kind = "message" | "reasoning" | "refusal";

interface OpenItem {
  kind: Kind;
  item: ResponseOutputItem;
  index: number;
  text: GrowingText;
}

/**
 * Writes one response: each method returns the events of a streamed response, and `response` is what they come to.
 * Reasoning, text and calls become items in their order; a call goes out whole.
 */
export class ResponseWriter {
  readonly response: ResponseObject;
  readonly #word = randomWord();
  #sequence = 0;
  /** The item that text goes on in. */
  #open: OpenItem | undefined;

  constructor({ id, model, created, echo }: ResponseWriterOptions = {}) {
    this.response = {
      ...echo,
      id: id ?? `resp_${this.#word}`,
      object: "response",
      created_at: created ?? 0,
      status: "in_progress",
      error: null,
      incomplete_details: null,
      model: model ?? "",
      output: [],
      usage: null,
    };
  }

  begin(): ResponseEvent[] {
    return ["response.created", "response.in_progress"].map((type) =>
      this.#event(type, { response: this.#snapshot() }),
    );
  }

  text(delta: string): ResponseEvent[] {
    return this.#write("message", delta);
  }

  reasoning(delta: string): ResponseEvent[] {
    return this.#write("reasoning", delta);
  }

  /** What the model will not do, as the server says it. */
  refusal(delta: string): ResponseEvent[] {
    return this.#write("refusal", delta);
  }

  call({ id, name, argumentsText }: { id: string; name: string; argumentsText: string }): ResponseEvent[] {
    const events = this.#close("completed");
    const item = this.#item({ type: "function_call", id: this.#id("fc"), call_id: id, name, arguments: "" });
    const place = { item_id: item.id, output_index: this.#last };
    events.push(this.#added(item));
    events.push(this.#event("response.function_call_arguments.delta", { ...place, delta: argumentsText }));
    item.arguments = argumentsText;
    events.push(this.#event("response.function_call_arguments.done", { ...place, name, arguments: argumentsText }));
    return [...events, this.#done(item, "completed")];
  }

  /** The response has ended: `length` and `content_filter` make it incomplete. */
  end(finishReason: string, usage?: ResponseUsage | undefined): ResponseEvent[] {
    const reasons: Record<string, "max_output_tokens" | "content_filter"> = {
      length: "max_output_tokens",
      content_filter: "content_filter",
    };
    const reason = reasons[finishReason];
    const status = reason === undefined ? "completed" : "incomplete";
    const events = this.#close(status);
    this.response.status = status;
    this.response.incomplete_details = reason === undefined ? null : { reason };
    this.response.usage = usage ?? null;
    return [...events, this.#event(`response.${status}`, { response: this.#snapshot() })];
  }

  /** The response cannot be brought to its end: it holds what was said of it. */
  fail(code: string, message: string): ResponseEvent[] {
    const events = this.#close("incomplete");
    this.response.status = "failed";
    this.response.error = { code, message };
    return [
      ...events,
      this.#event("error", { code, message, param: null }),
      this.#event("response.failed", { response: this.#snapshot() }),
    ];
  }

  get #last(): number {
    return this.response.output.length - 1;
  }

  #write(kind: Kind, delta: string): ResponseEvent[] {
    if (delta === "") return [];
    const events: ResponseEvent[] = [];
    if (this.#open?.kind !== kind) {
      events.push(...this.#close("completed"));
      const item = this.#item(
        kind === "reasoning"
          ? { type: "reasoning", id: this.#id("rs"), summary: [], content: [] }
          : { type: "message", id: this.#id("msg"), role: "assistant", content: [] },
      );
      this.#open = { kind, item, index: this.#last, text: new GrowingText() };
      const place = { item_id: item.id, output_index: this.#last, content_index: 0 };
      events.push(this.#added(item));
      events.push(this.#event("response.content_part.added", { ...place, part: partOf(kind, "") }));
    }
    const open = this.#open as OpenItem;
    open.text.add(delta);
    const place = { item_id: open.item.id, output_index: open.index, content_index: 0 };
    const logprobs = kind === "message" ? { logprobs: [] } : {};
    events.push(this.#event(`response.${nameOf[kind]}.delta`, { ...place, delta, ...logprobs }));
    return events;
  }

  /** Ends the item that text went on in. */
  #close(status: "completed" | "incomplete"): ResponseEvent[] {
    const open = this.#open;
    if (open === undefined) return [];
    this.#open = undefined;
    const { kind, item, index } = open;
    const text = open.text.toString();
    const place = { item_id: item.id, output_index: index, content_index: 0 };
    const part = partOf(kind, text);
    const logprobs = kind === "message" ? { logprobs: [] } : {};
    item.content = [part];
    return [
      this.#event(`response.${nameOf[kind]}.done`, {
        ...place,
        [kind === "refusal" ? kind : "text"]: text,
        ...logprobs,
      }),
      this.#event("response.content_part.done", { ...place, part }),
      this.#done(item, status),
    ];
  }

  #item(members: Record<string, unknown>): ResponseOutputItem {
    const item = { ...members, status: "in_progress" } as unknown as ResponseOutputItem;
    this.response.output.push(item);
    return item;
  }

  #added(item: ResponseOutputItem): ResponseEvent {
    return this.#event("response.output_item.added", { output_index: this.#last, item: { ...item } });
  }

  #done(item: ResponseOutputItem, status: "completed" | "incomplete"): ResponseEvent {
    item.status = status;
    const index = this.response.output.indexOf(item);
    return this.#event("response.output_item.done", { output_index: index, item: { ...item } });
  }

  #id(kind: string): string {
    return `${kind}_${this.#word}_${this.response.output.length}`;
  }

  #snapshot(): ResponseObject {
    return { ...this.response, output: this.response.output.map((item) => ({ ...item })) };
  }

  #event(type: string, members: Record<string, unknown>): ResponseEvent {
    return { type, sequence_number: this.#sequence++, ...members };
  }
}

const nameOf: Record<Kind, string> = { message: "output_text", reasoning: "reasoning_text", refusal: "refusal" };

function partOf(kind: Kind, text: string): Record<string, unknown> {
  if (kind === "refusal") return { type: "refusal", refusal: text };
  return kind === "message"
    ? { type: "output_text", text, annotations: [], logprobs: [] }
    : { type: "reasoning_text", text };
}
