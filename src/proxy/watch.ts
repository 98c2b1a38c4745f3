import { Problem } from "./problem.ts";

/** One request to the upstream: it ends when the client leaves, or when something takes too long. */
export class Watch {
  readonly #controller = new AbortController();
  readonly #client: AbortSignal;
  /** Run times give reasons of their own, some of them no errors. */
  readonly #leave = () => this.#controller.abort(new DOMException("the client has left", "AbortError"));
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #message = "";
  /** The time at which the wait is too long; undefined while nothing is waited for. */
  #deadline: number | undefined;
  #timeout: Problem | undefined;

  constructor(client: AbortSignal) {
    this.#client = client;
    if (client.aborted) this.#leave();
    else client.addEventListener("abort", this.#leave, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** From now on something is waited for. Within a stream this is called per chunk, so the timer is kept. */
  begin(timeoutMs: number, message: string): void {
    this.#deadline = performance.now() + timeoutMs;
    this.#message = message;
    if (this.#timer === undefined || this.#timerAt > this.#deadline) this.#wake(timeoutMs);
  }

  /** It has come. */
  end(): void {
    this.#deadline = undefined;
  }

  /** It is over, or goes on without a watch. */
  close(): void {
    this.#deadline = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#client.removeEventListener("abort", this.#leave);
  }

  #wake(afterMs: number): void {
    clearTimeout(this.#timer);
    this.#timerAt = performance.now() + afterMs;
    this.#timer = setTimeout(() => this.#check(), afterMs);
  }

  #check(): void {
    this.#timer = undefined;
    if (this.#deadline === undefined) return;
    const left = this.#deadline - performance.now();
    // A timer may fire a little early.
    if (left > 1) return this.#wake(left);
    this.#timeout = new Problem({
      status: 504,
      message: this.#message,
      type: "timeout_error",
      code: "upstream_timeout",
    });
    this.#controller.abort(this.#timeout);
  }

  /** What an error of `fetch` or of a body means. */
  explain(error: unknown): unknown {
    this.close();
    if (this.#timeout !== undefined) return this.#timeout;
    if (error instanceof Problem || this.#client.aborted) return error;
    const code = codeOf(error);
    if (code?.includes("TIMEOUT") === true) {
      const message = `the upstream did not answer in time (${code})`;
      return new Problem({ status: 504, message, type: "timeout_error", code: "upstream_timeout" });
    }
    const message = `the upstream cannot be reached, or broke off (${code ?? (error as Error)?.message ?? "no reason"})`;
    return new Problem({ status: 502, message, type: "api_error", code: "upstream_unreachable" });
  }
}

/** Node's `fetch` hides what happened one or two causes deep. */
function codeOf(error: unknown): string | undefined {
  let at = error as { code?: unknown; cause?: unknown } | undefined;
  for (let depth = 0; at !== undefined && at !== null && depth < 4; depth++) {
    if (typeof at.code === "string") return at.code;
    at = at.cause as typeof at;
  }
  return undefined;
}
