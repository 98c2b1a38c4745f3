import type { ParseEvent, Rejection } from "../../contract/types.ts";
import { toRejectedToolCall } from "../../rendering/rejected-tool-call.ts";
import { refusedInput } from "./refused-input.ts";
import type { Part } from "./shapes.ts";

export interface PartWriterOptions {
  emit: (part: Part) => void;
  onRejection: (rejection: Rejection) => void;
  /** Makes ids for refused calls that never began. */
  makeId: () => string;
  /** Numbers the blocks of text and thoughts, over all tries. */
  nextBlock: () => number;
  /** The names of the tools on offer. */
  offered: ReadonlySet<string>;
}

/** A refusal on its way through the SDK and back: under `toolpeg` of a part's provider metadata. */
export interface RefusedMark {
  reason: Rejection["reason"];
  message: string;
  raw: string;
  name?: string;
}

/** More refusals of one message than these are only reported: the model learns nothing from the hundredth. */
const fedBackMax = 16;

/** Writes the events of one message as the parts of a stream. */
export class PartWriter {
  readonly #options: PartWriterOptions;
  #open: { kind: "text" | "reasoning"; id: string } | undefined;
  /** The ids of inputs that have begun, by the index of their call, until they end. */
  readonly #inputs = new Map<number, string>();
  /** The ids of inputs that have begun and were refused. */
  readonly #refused = new Map<Rejection, string>();

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

  /** Ends the inputs that are open: their calls will not come. */
  endInputs(): void {
    for (const id of this.#inputs.values()) this.#options.emit({ type: "tool-input-end", id });
    this.#inputs.clear();
  }

  say(kind: "text" | "reasoning", delta: string): void {
    if (delta === "") return;
    if (this.#open?.kind !== kind) {
      this.close();
      this.#open = { kind, id: `toolpeg-${kind}-${this.#options.nextBlock()}` };
      this.#options.emit({ type: `${kind}-start`, id: this.#open.id });
    }
    this.#options.emit({ type: `${kind}-delta`, id: this.#open.id, delta });
  }

  /**
   * Hands refusals to the SDK as calls of tools that are not there: its own check makes each a failed call, which the model
   * sees in the next step. The input is no JSON either. One of the two alone would not do: the SDK lets every JSON through to
   * a tool without a validator, and a host above it that takes damaged input for none would run a tool that needs none.
   *
   * @returns how many
   */
  feedBack(refusals: readonly Rejection[]): number {
    const begun = [...this.#refused.keys()];
    const all = [...new Set([...begun, ...refusals])].slice(0, Math.max(fedBackMax, begun.length));
    for (const rejection of all) {
      this.close();
      const { name, error } = toRejectedToolCall(rejection);
      const { reason, message, raw } = rejection;
      const refused: RefusedMark = { reason, message, raw };
      if (rejection.name !== undefined) refused.name = rejection.name;
      this.#options.emit({
        type: "tool-call",
        toolCallId: this.#refused.get(rejection) ?? this.#options.makeId(),
        toolName: this.#unofferedName(name),
        input: refusedInput(error),
        providerMetadata: { toolpeg: { refused } },
      });
    }
    return all.length;
  }

  #unofferedName(name: string): string {
    let unoffered = `refused_${name}`;
    while (this.#options.offered.has(unoffered)) unoffered = `refused_${unoffered}`;
    return unoffered;
  }

  #write(event: ParseEvent): void {
    const { emit } = this.#options;
    switch (event.type) {
      case "text-delta":
        return this.say("text", event.text);
      case "reasoning-delta":
        return this.say("reasoning", event.text);
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
        this.#inputs.delete(event.index);
        return emit({ type: "tool-call", toolCallId: id, toolName: name, input: argumentsText });
      }
      case "call-rejected": {
        const id = event.index === undefined ? undefined : this.#inputs.get(event.index);
        if (id !== undefined) {
          emit({ type: "tool-input-end", id });
          this.#inputs.delete(event.index as number);
          this.#refused.set(event.rejection, id);
        }
        this.#options.onRejection(event.rejection);
      }
    }
  }

  #start(index: number, id: string, toolName: string): void {
    this.close();
    this.#inputs.set(index, id);
    this.#options.emit({ type: "tool-input-start", id, toolName });
  }
}

/** The parts of a stream as the content of a result. */
export class ContentFolder {
  readonly #content: Part[] = [];
  /** The block that is open; a call may come before its end. */
  #block: Part = { type: "text", text: "" };

  add(part: Part): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#block = { type: part.type === "text-start" ? "text" : "reasoning", text: "" };
        this.#content.push(this.#block);
        return;
      case "text-delta":
      case "reasoning-delta":
        this.#block.text = `${this.#block.text}${part.delta}`;
        return;
      case "text-end":
      case "reasoning-end":
      case "tool-input-start":
      case "tool-input-delta":
      case "tool-input-end":
        return;
      default:
        this.#content.push(part);
    }
  }

  /**
   * The content, with calls where the text has them: they may be decided after the text behind them, and before text that waits.
   *
   * @param shownBefore how much text stands before a call, by its id
   */
  inPlace(shownBefore: ReadonlyMap<string, number>): Part[] {
    const calls: { call: Part; place: number }[] = [];
    let chars = 0;
    let isInPlace = true;
    const others = this.#content.filter((part) => {
      const place = part.type === "tool-call" ? shownBefore.get(String(part.toolCallId)) : undefined;
      if (part.type === "text") chars += String(part.text).length;
      if (place === undefined) return true;
      isInPlace &&= place === chars;
      calls.push({ call: part, place });
      return false;
    });
    if (isInPlace) return this.#content;
    calls.sort((one, other) => one.place - other.place);
    let next = 0;
    chars = 0;
    const placed = others.flatMap((part) => {
      if (part.type !== "text") return [part];
      const text = String(part.text);
      const pieces: Part[] = [];
      let from = 0;
      for (; next < calls.length && calls[next].place <= chars + text.length; next++) {
        const to = calls[next].place - chars;
        if (to > from) pieces.push({ ...part, text: text.slice(from, to) });
        pieces.push(calls[next].call);
        from = to;
      }
      chars += text.length;
      return from === text.length ? pieces : [...pieces, { ...part, text: text.slice(from) }];
    });
    return [...placed, ...calls.slice(next).map(({ call }) => call)];
  }
}
