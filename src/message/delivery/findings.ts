import type { RejectionReason } from "../../contract/reasons.ts";
import type { Node, ParseEvent, Rejection } from "../../contract/types.ts";
import { GrowingText } from "../../machine/growing-text.ts";

export interface FindingsOptions {
  retain: "all" | "calls";
  /** The text so far, where the caller keeps it. */
  keptText: (() => string) | undefined;
  /** Events are needed; whole texts need none. */
  emits: boolean;
}

/** So many rejections are kept where the text is not. */
const rejectionsMax = 1000;

/** What is kept of a message, and the events that say so: content, reasoning, rejections, nodes. It decides nothing. */
export class Findings {
  readonly #options: FindingsOptions;
  readonly #texts = { content: new GrowingText(), reasoning: new GrowingText() };
  readonly rejected: Rejection[] = [];
  readonly nodes: Node[] = [];
  /** How many rejections were not kept, by reason. */
  readonly droppedRejections = new Map<RejectionReason, number>();
  #nodesEnd = 0;
  /** Most chunks have one event: a list that is made of it holds no room for more. */
  #events: ParseEvent[] | undefined;
  /** A node that stands already, while its verdict is written into it. */
  nodeInPlace: Node | undefined;

  constructor(options: FindingsOptions) {
    this.#options = options;
  }

  /** Nodes of a kind are its text, byte for byte. */
  textOf(kind: "content" | "reasoning"): string {
    const { keptText } = this.#options;
    if (keptText === undefined) return this.#texts[kind].toString();
    const text = keptText();
    return this.nodes.flatMap(({ type, start, end }) => (type === kind ? [text.slice(start, end)] : [])).join("");
  }

  addText(kind: "content" | "reasoning", piece: string): void {
    const { retain, keptText } = this.#options;
    if (retain === "all" && keptText === undefined) this.#texts[kind].add(piece);
    this.emit({ type: kind === "content" ? "text-delta" : "reasoning-delta", text: piece });
  }

  emit(event: ParseEvent): void {
    if (!this.#options.emits) return;
    if (this.#events === undefined) this.#events = [event];
    else this.#events.push(event);
  }

  /** The events since the last call. */
  takeEvents(): ParseEvent[] {
    const events = this.#events;
    if (events === undefined) return [];
    this.#events = undefined;
    return events;
  }

  /** Nodes tile the text: what lies between two is framing. */
  addNode(node: Node): Node | undefined {
    if (this.nodeInPlace) return Object.assign(this.nodeInPlace, node);
    if (this.#options.retain === "calls") return undefined;
    if (node.start > this.#nodesEnd) this.nodes.push({ type: "framing", start: this.#nodesEnd, end: node.start });
    const last = this.nodes.at(-1);
    const isText = node.type === "content" || node.type === "reasoning";
    // Where text halted, to be looked at, may depend on chunks.
    if (isText && last?.type === node.type && last.end === node.start) last.end = Math.max(last.end, node.end);
    else if (node.end > node.start) this.nodes.push(node);
    this.#nodesEnd = Math.max(this.#nodesEnd, node.end);
    return node;
  }

  /** Where the text is not kept, a message without an end may not fill the memory with rejections either. */
  keep(rejection: Rejection): void {
    if (this.#options.retain === "all" || this.rejected.length < rejectionsMax) {
      this.rejected.push(rejection);
      return;
    }
    this.droppedRejections.set(rejection.reason, (this.droppedRejections.get(rejection.reason) ?? 0) + 1);
  }

  /** @param index of the call that had started */
  reject(rejection: Rejection, index?: number): void {
    this.keep(rejection);
    this.emit({ type: "call-rejected", ...(index === undefined ? {} : { index }), rejection });
  }

  /** The message has ended at `length`: what no node covers is framing. */
  finish(length: number): void {
    // An opener that opens nothing is known later than what follows it.
    this.rejected.sort((left, right) => left.start - right.start || left.end - right.end);
    this.addNode({ type: "framing", start: length, end: length });
  }
}
