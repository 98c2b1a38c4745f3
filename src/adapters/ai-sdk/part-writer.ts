import type { Node, ParseEvent, Rejection } from "../../runtime/types.ts";
import type { Part } from "./shapes.ts";

export interface PartWriterOptions {
  emit: (part: Part) => void;
  onRejection: (rejection: Rejection) => void;
  /** No tool was on offer, so text that looks like a call is text: see {@link PartWriter.sayRest}. */
  showsRejected: boolean;
}

/** Writes the events of one message as the parts of a stream. */
export class PartWriter {
  readonly #options: PartWriterOptions;
  #open: { kind: "text" | "reasoning"; id: string } | undefined;
  #blocks = 0;
  /** The ids of inputs that have begun, by the index of their call. */
  readonly #inputs = new Map<number, string>();
  /** The text said so far, kept while refused text is to be shown. */
  #said = "";
  /** Something was refused: what follows waits, so that it can be said in its place. */
  #waits = false;
  calls = 0;

  constructor(options: PartWriterOptions) {
    this.#options = options;
  }

  write(events: readonly ParseEvent[]): void {
    for (const event of events) this.#write(event);
  }

  /** Ends the open block of text or reasoning, before parts of another kind. */
  close(): void {
    if (this.#open === undefined) return;
    this.#options.emit({ type: `${this.#open.kind}-end`, id: this.#open.id });
    this.#open = undefined;
  }

  /**
   * Says what has waited, when the message has ended: the refused text and everything behind it. What stayed text (an
   * opener in a sentence, a quotation) is refused as well and not said twice, which only the nodes can tell.
   */
  sayRest(text: string, nodes: readonly Node[]): void {
    if (!this.#waits) return;
    const shown = nodes.filter(({ type }) => type === "content" || type === "rejected");
    const rest = shown
      .map(({ start, end }) => text.slice(start, end))
      .join("")
      .slice(this.#said.length);
    if (rest !== "") this.#say("text", rest);
  }

  #write(event: ParseEvent): void {
    const { emit } = this.#options;
    switch (event.type) {
      case "text-delta":
        if (this.#waits) return;
        if (this.#options.showsRejected) this.#said += event.text;
        return this.#say("text", event.text);
      case "reasoning-delta":
        return this.#say("reasoning", event.text);
      case "call-start":
        return this.#start(event.index, event.id, event.name);
      case "call-args-delta":
        return emit({ type: "tool-input-delta", id: this.#inputs.get(event.index), delta: event.delta });
      case "call-end": {
        const { id, name, argumentsText } = event.call;
        if (!this.#inputs.has(event.index)) {
          this.#start(event.index, id, name);
          emit({ type: "tool-input-delta", id, delta: argumentsText });
        }
        emit({ type: "tool-input-end", id });
        emit({ type: "tool-call", toolCallId: id, toolName: name, input: argumentsText });
        this.calls++;
        return;
      }
      case "call-rejected": {
        const id = event.index === undefined ? undefined : this.#inputs.get(event.index);
        if (id !== undefined) emit({ type: "tool-input-end", id });
        if (this.#options.showsRejected) this.#waits = true;
        this.#options.onRejection(event.rejection);
      }
    }
  }

  #start(index: number, id: string, toolName: string): void {
    this.close();
    this.#inputs.set(index, id);
    this.#options.emit({ type: "tool-input-start", id, toolName });
  }

  #say(kind: "text" | "reasoning", delta: string): void {
    if (this.#open?.kind !== kind) {
      this.close();
      this.#open = { kind, id: `toolpeg-${kind}-${this.#blocks++}` };
      this.#options.emit({ type: `${kind}-start`, id: this.#open.id });
    }
    this.#options.emit({ type: `${kind}-delta`, id: this.#open.id, delta });
  }
}

/** The parts of a stream as the content of a result. */
export class ContentFolder {
  readonly content: Part[] = [];

  add(part: Part): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.content.push({ type: part.type === "text-start" ? "text" : "reasoning", text: "" });
        return;
      case "text-delta":
      case "reasoning-delta": {
        const last = this.content[this.content.length - 1];
        last.text = `${last.text}${part.delta}`;
        return;
      }
      case "tool-call":
        this.content.push(part);
    }
  }
}
