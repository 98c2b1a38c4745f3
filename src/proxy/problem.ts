/** What a client gets when its request cannot be answered. */
export interface ProblemDetails {
  /** HTTP status. */
  status: number;
  /** A sentence for people: what is wrong, and what to do. */
  message: string;
  /** Kind of error, in the words of the OpenAI interface. */
  type: string;
  code?: string | undefined;
  /** The member of the request that is meant. */
  param?: string | undefined;
  /** Headers of the upstream's answer that clients act on, such as `retry-after`. */
  headers?: Headers | undefined;
  /** The upstream's own body, for clients that speak its language. */
  body?: { text: string; contentType: string } | undefined;
}

/** A request that cannot be answered. */
export class Problem extends Error implements ProblemDetails {
  override readonly name = "Problem";
  readonly status: number;
  readonly type: string;
  readonly code: string | undefined;
  readonly param: string | undefined;
  readonly headers: Headers | undefined;
  readonly body: { text: string; contentType: string } | undefined;

  constructor({ status, message, type, code, param, headers, body }: ProblemDetails) {
    super(message);
    this.status = status;
    this.type = type;
    this.code = code;
    this.param = param;
    this.headers = headers;
    this.body = body;
  }
}
