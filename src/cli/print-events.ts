import type { HarnessEvent } from "../testing/engine.ts";
import { printRejection } from "./print-rejection.ts";
import type { Colours } from "./terminal.ts";
import { visible } from "./visible-text.ts";

/** Prints events as they come, each delta at once, with a new line wherever the kind of thing changes. */
export class EventPrinter {
  readonly #colours: Colours;
  readonly #source: string;
  readonly #format: string | undefined;
  #kind = "";
  #atLineStart = true;

  constructor(source: string, format: string | undefined, colours: Colours) {
    this.#source = source;
    this.#format = format;
    this.#colours = colours;
  }

  /**
   * @param text the reply as far as it is known, for the quoted lines of rejections
   * @returns what to write
   */
  print(event: HarnessEvent, text: string): string {
    const colours = this.#colours;
    switch (event.type) {
      case "text-delta":
        return this.#turn("text") + this.#write(visible(event.text), (piece) => piece);
      case "reasoning-delta":
        return this.#turn("reasoning") + this.#write(visible(event.text), colours.dim);
      case "call-start":
      case "candidate-start":
        return `${this.#turn(`call ${event.index}`)}${this.#write(`${event.index} ${visible(event.name)} `, colours.green)}`;
      case "call-args-delta":
      case "candidate-args-delta":
        return this.#turn(`call ${event.index}`) + this.#write(visible(event.delta), (piece) => piece);
      case "call-end":
      case "candidate-end": {
        const call = event.type === "call-end" ? event.call : event.candidate;
        const repairs = call.repairs.map((repair) => ` ${repair.kind}`).join("");
        const verdict = event.type === "call-end" ? "run it" : "not validated";
        return `${this.#write(` ${verdict}`, colours.green)}${this.#write(repairs && ` (repaired${repairs})`, colours.yellow)}${this.#turn("")}`;
      }
      case "call-rejected":
      case "candidate-rejected": {
        const lines = printRejection(event.rejection, text, this.#source, this.#format, colours);
        return `${this.#turn("")}${lines.join("\n")}\n`;
      }
    }
  }

  /** Ends the last line. */
  end(): string {
    return this.#turn("");
  }

  #turn(kind: string): string {
    const fresh = this.#kind === kind || this.#atLineStart;
    this.#kind = kind;
    if (fresh) return "";
    this.#atLineStart = true;
    return "\n";
  }

  #write(text: string, paint: (text: string) => string): string {
    if (text === "") return "";
    this.#atLineStart = text.endsWith("\n");
    return paint(text);
  }
}
