/**
 * What somebody writes by hand for one format and good replies: a scanner that reads JSON (or the tags), takes chunks,
 * sends text, the name of a call, its arguments as they come, and the call at its end. No quoting, no damage, no validation.
 */
import { type Call, type FormatId, isTextParameter } from "./workloads.ts";

export type ScanEvent =
  | { type: "text"; text: string }
  | { type: "start"; name: string }
  | { type: "delta"; text: string }
  | { type: "end"; call: Call };

export interface Scanner {
  push(chunk: string): ScanEvent[];
  end(): ScanEvent[];
}

/** How much of a text's end may be the beginning of a marker. */
function heldBack(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(marker.slice(0, length))) return length;
  }
  return 0;
}

const isBlank = (unit: number) => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;

/** `<tool_call>{"name": ..., "arguments": {...}}</tool_call>`, or a header with the name and then the arguments. */
export class JsonScanner implements Scanner {
  #events: ScanEvent[] = [];
  #state: "text" | "header" | "value" | "close" = "text";
  #buffer = "";
  #depth = 0;
  #inString = false;
  #escaped = false;
  #token = "";
  #key = "";
  #isKey = true;
  #name = "";
  #arguments = "";
  /** The depth at which the arguments stand. */
  readonly #argumentsDepth: number;
  readonly #opener: string;
  readonly #separator: string | undefined;
  readonly #closer: string;

  /** `separator`: after the opener stands a name, up to this; then the value is the arguments. */
  constructor(opener: string, closer: string, separator?: string) {
    this.#opener = opener;
    this.#closer = closer;
    this.#separator = separator;
    this.#argumentsDepth = separator === undefined ? 1 : 0;
  }

  push(chunk: string): ScanEvent[] {
    this.#events = [];
    let rest = chunk;
    while (rest !== "") {
      if (this.#state === "text") rest = this.#text(rest);
      else if (this.#state === "header") rest = this.#header(rest);
      else if (this.#state === "value") rest = this.#value(rest);
      else rest = this.#close(rest);
    }
    return this.#events;
  }

  end(): ScanEvent[] {
    this.#events = [];
    if (this.#state === "text" && this.#buffer !== "") this.#events.push({ type: "text", text: this.#buffer });
    return this.#events;
  }

  #text(chunk: string): string {
    const text = this.#buffer + chunk;
    const at = text.indexOf(this.#opener);
    const end = at >= 0 ? at : text.length - heldBack(text, this.#opener);
    if (end > 0) this.#events.push({ type: "text", text: text.slice(0, end) });
    this.#buffer = at >= 0 ? "" : text.slice(end);
    if (at < 0) return "";
    this.#state = this.#separator === undefined ? "value" : "header";
    this.#depth = 0;
    this.#name = this.#arguments = "";
    return text.slice(at + this.#opener.length);
  }

  #header(chunk: string): string {
    const text = this.#buffer + chunk;
    const separator = this.#separator as string;
    const at = text.indexOf(separator);
    this.#buffer = at >= 0 ? "" : text;
    if (at < 0) return "";
    this.#name = /^\w+/.exec(text)?.[0] ?? "";
    this.#events.push({ type: "start", name: this.#name });
    this.#state = "value";
    return text.slice(at + separator.length);
  }

  #value(chunk: string): string {
    let from = this.#inArguments ? 0 : -1;
    for (let at = 0; at < chunk.length; at++) {
      const unit = chunk.charCodeAt(at);
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (unit === 0x5c) this.#escaped = true;
        else if (unit === 0x22) {
          this.#inString = false;
          if (this.#depth === 1 && from < 0) this.#endToken();
          continue;
        }
        if (this.#depth === 1 && from < 0) this.#token += chunk[at];
      } else if (unit === 0x22) {
        this.#inString = true;
        this.#token = "";
      } else if (unit === 0x7b || unit === 0x5b) {
        if (this.#depth === this.#argumentsDepth && from < 0 && (this.#separator || this.#key === "arguments"))
          from = at;
        this.#depth++;
      } else if (unit === 0x7d || unit === 0x5d) {
        this.#depth--;
        if (this.#depth === this.#argumentsDepth && from >= 0) {
          this.#delta(chunk.slice(from, at + 1));
          from = -1;
          this.#key = "";
        }
        if (this.#depth === 0) {
          this.#endCall();
          return chunk.slice(at + 1);
        }
      } else if (unit === 0x3a) this.#isKey = false;
      else if (unit === 0x2c) this.#isKey = true;
    }
    if (from >= 0) this.#delta(chunk.slice(from));
    return "";
  }

  get #inArguments(): boolean {
    return this.#depth > this.#argumentsDepth && (this.#separator !== undefined || this.#key === "arguments");
  }

  #endToken(): void {
    if (this.#isKey) this.#key = this.#token;
    else if (this.#key === "name") {
      this.#name = this.#token;
      this.#events.push({ type: "start", name: this.#name });
    }
  }

  #delta(text: string): void {
    this.#arguments += text;
    this.#events.push({ type: "delta", text });
  }

  #endCall(): void {
    this.#events.push({ type: "end", call: { name: this.#name, arguments: JSON.parse(this.#arguments) } });
    this.#state = "close";
    this.#isKey = true;
    this.#key = "";
  }

  #close(chunk: string): string {
    const text = this.#buffer + chunk;
    let from = 0;
    while (from < text.length && isBlank(text.charCodeAt(from))) from++;
    const closes = text.startsWith(this.#closer, from);
    if (!closes && this.#closer.startsWith(text.slice(from))) {
      this.#buffer = text;
      return "";
    }
    this.#buffer = "";
    this.#state = "text";
    return text.slice(closes ? from + this.#closer.length : from);
  }
}

/** `<function=NAME>`, `<parameter=KEY>` and raw text. */
export class TagScanner implements Scanner {
  #events: ScanEvent[] = [];
  #state: "text" | "inside" | "value" = "text";
  #buffer = "";
  #name = "";
  #key = "";
  #arguments = "";
  #value = "";
  #begun = false;

  push(chunk: string): ScanEvent[] {
    this.#events = [];
    this.#buffer += chunk;
    while (this.#step());
    return this.#events;
  }

  end(): ScanEvent[] {
    this.#events = [];
    if (this.#state === "text" && this.#buffer !== "") this.#events.push({ type: "text", text: this.#buffer });
    return this.#events;
  }

  #step(): boolean {
    if (this.#state === "text") return this.#text();
    return this.#state === "inside" ? this.#inside() : this.#valueStep();
  }

  #text(): boolean {
    const at = this.#buffer.indexOf("<tool_call>");
    const end = at >= 0 ? at : this.#buffer.length - heldBack(this.#buffer, "<tool_call>");
    if (end > 0) this.#events.push({ type: "text", text: this.#buffer.slice(0, end) });
    this.#buffer = this.#buffer.slice(at >= 0 ? at + 11 : end);
    if (at >= 0) this.#state = "inside";
    return at >= 0;
  }

  #inside(): boolean {
    const open = this.#buffer.indexOf("<");
    const close = open < 0 ? -1 : this.#buffer.indexOf(">", open);
    if (close < 0) return false;
    const tag = this.#buffer.slice(open + 1, close);
    this.#buffer = this.#buffer.slice(close + 1);
    if (tag.startsWith("function=")) {
      this.#name = tag.slice(9);
      this.#arguments = "{";
      this.#events.push({ type: "start", name: this.#name });
    } else if (tag.startsWith("parameter=")) {
      this.#key = tag.slice(10);
      this.#value = "";
      this.#begun = false;
      this.#state = "value";
    } else if (tag === "/function") {
      this.#delta("}");
      this.#events.push({ type: "end", call: { name: this.#name, arguments: JSON.parse(this.#arguments) } });
    } else if (tag === "/tool_call") this.#state = "text";
    return true;
  }

  #valueStep(): boolean {
    const isText = isTextParameter(this.#name, this.#key);
    if (!this.#begun) {
      if (this.#buffer === "") return false;
      if (this.#buffer[0] === "\n") this.#buffer = this.#buffer.slice(1);
      this.#begun = true;
      this.#delta(`${this.#arguments === "{" ? "" : ","}${JSON.stringify(this.#key)}:${isText ? '"' : ""}`);
    }
    const closer = "\n</parameter>";
    const at = this.#buffer.indexOf(closer);
    const end = at >= 0 ? at : this.#buffer.length - heldBack(this.#buffer, closer);
    const piece = this.#buffer.slice(0, end);
    if (!isText) this.#value += piece;
    else if (piece !== "") this.#delta(JSON.stringify(piece).slice(1, -1));
    this.#buffer = this.#buffer.slice(at >= 0 ? at + closer.length : end);
    if (at < 0) return false;
    this.#delta(isText ? '"' : JSON.stringify(JSON.parse(this.#value)));
    this.#state = "inside";
    return true;
  }

  #delta(text: string): void {
    this.#arguments += text;
    this.#events.push({ type: "delta", text });
  }
}

/** Scanners for the formats that somebody would write one for. */
export const scanners: Partial<Record<FormatId, () => Scanner>> = {
  hermes: () => new JsonScanner("<tool_call>", "</tool_call>"),
  deepseek_v31: () => new JsonScanner("<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", "<｜tool▁sep｜>"),
  harmony: () => new JsonScanner("to=functions.", "<|call|>", "<|message|>"),
  qwen3_coder: () => new TagScanner(),
};
