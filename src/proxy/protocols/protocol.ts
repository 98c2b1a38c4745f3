import type { Body, ChatRequest } from "../chat-request.ts";
import type { ProblemDetails } from "../problem.ts";
import type { ReplyEvent } from "../reply-event.ts";

/** How one kind of client speaks. */
export interface Protocol {
  /** For the log. */
  readonly name: string;
  /** It takes the pieces of calls that the upstream has read itself; otherwise such calls come whole. */
  readonly takesPieces: boolean;
  /** The upstream speaks the same interface, so the query of a request is meant for it. */
  readonly keepsQuery?: boolean;
  /** The answer to what needs no model. */
  ready?(body: Body): Body | undefined;
  /** @throws Problem for what cannot be asked of the upstream, with the member that is meant. */
  read(body: Body): ChatRequest;
  /** What makes the answer to one request. */
  write(request: ChatRequest, body: Body): ReplyWriter;
  /** The body of an answer that says why there is none. */
  problem(problem: ProblemDetails): Body;
}

/** Writes one answer, whole or as a stream. */
export interface ReplyWriter {
  readonly streamType: string;
  /** Text of the stream; for a whole answer it is not looked at. */
  write(event: ReplyEvent): string;
  /** The last text of the stream. */
  end(): string;
  /** The stream cannot be brought to its end. */
  fail(problem: ProblemDetails): string;
  /** The whole answer, after the last event. */
  whole(): Body;
}

/** An event of an event stream. */
export function serverEvent(data: unknown, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}
