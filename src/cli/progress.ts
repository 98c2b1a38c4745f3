import type { Terminal } from "./terminal.ts";

/** How often the line is drawn again, in milliseconds: often enough to be seen moving. */
const redrawMilliseconds = 100;
/** Work shorter than this is over before anybody wonders. */
const quietMilliseconds = 700;

/** One line on standard error that is drawn over and over, for people who watch a long run. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #started = Date.now();
  #drawn = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Shows a state of the work, when somebody watches and the last drawing is old enough. */
  show(state: () => string): void {
    const now = Date.now();
    if (!this.#terminal.errIsTerminal || now - this.#started < quietMilliseconds) return;
    if (now - this.#drawn < redrawMilliseconds) return;
    this.#drawn = now;
    this.#terminal.err(`\r\u001b[2K${this.#terminal.errColours.dim(state())}`);
  }

  /** Takes the line away, before something else is printed. */
  clear(): void {
    if (this.#drawn > 0) this.#terminal.err("\r\u001b[2K");
    this.#drawn = 0;
  }
}
