import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { oddChunks } from "./odd-chunks.ts";

/** A request as the upstream got it. */
export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  body: any;
  /** The other side has left before the answer was whole. */
  left: boolean;
}

interface ModelRequest {
  model?: string;
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
}

/** What the upstream answers to one request; a text alone is a message that ends with `stop`. */
export interface ScriptedReply {
  /** The text of each choice, in the model's own words. */
  texts?: readonly string[];
  finishReason?: string;
  /** Further members of the message, or deltas before the text. */
  deltas?: readonly object[];
  usage?: object;
  logprobs?: boolean;
  /** An answer that is no completion. */
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** The stream breaks off after so many chunks: without an end, with an error of the server, or with the connection. */
  breaks?: { after: number; how: "end" | "error" | "connection" | "silence" };
  /** `[DONE]` without a finish reason. */
  withoutFinish?: boolean;
  /** Waits before the answer begins, or between chunks. */
  delayMs?: number;
  chunkDelayMs?: number;
  /** The stream is written in pieces of so many bytes. Default: 1, 2, 3, 5, 8, 13, over and over. */
  wholeEvents?: boolean;
}

export interface ScriptedUpstream {
  /** Base, with `/v1`. */
  url: string;
  requests: SeenRequest[];
  /** What it says of itself, by path. A number is a status, `"silence"` no answer; `/props` and `/api/show` are a 404 by default. */
  serves(facts: Record<string, unknown>): void;
  /** The questions about itself, which are no part of `requests`. */
  asked: SeenRequest[];
  /** What comes next, one reply per request; the last is repeated. */
  script(...replies: (string | ScriptedReply)[]): void;
  close(): Promise<void>;
}

/** A model server that says what its script says, in chunks that are cut anywhere. */
export async function scriptedUpstream(): Promise<ScriptedUpstream> {
  let replies: ScriptedReply[] = [{ texts: ["Hello."] }];
  let facts: Record<string, unknown> = {};
  const requests: SeenRequest[] = [];
  const asked: SeenRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.destroy(error));
  });
  // On a busy machine a request may come when an idle connection is just being closed.
  server.keepAliveTimeout = 0;
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const piece of request.setEncoding("utf8")) text += piece;
    const body = (text === "" ? undefined : parsed(text)) as ModelRequest | undefined;
    const seen = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body, left: false };
    const path = seen.path.replace(/\?.*/, "");
    if (path in facts || path === "/props" || path === "/api/show") {
      asked.push(seen);
      const fact = facts[path];
      if (fact === "silence") return;
      const status = typeof fact === "number" ? fact : fact === undefined ? 404 : 200;
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(fact ?? {}));
      return;
    }
    requests.push(seen);
    response.on("close", () => {
      seen.left = !response.writableFinished;
    });
    const reply = replies.length > 1 ? (replies.shift() as ScriptedReply) : replies[0];
    await after(reply.delayMs);
    if (reply.body !== undefined || reply.status !== undefined) {
      response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
      response.end(reply.body ?? "");
      return;
    }
    const isText = request.url?.endsWith("/chat/completions") === false;
    if (body?.stream === true) await stream(response, reply, body, isText);
    else
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(whole(reply, body, isText)));
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    asked,
    serves(given) {
      asked.length = 0;
      facts = given;
    },
    script(...given) {
      requests.length = 0;
      replies = given.map((reply) => (typeof reply === "string" ? { texts: [reply] } : reply));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const defaultUsage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

/** Agents take messages of one id for one message. */
let completions = 0;

function head(object: string, body: ModelRequest | undefined) {
  return {
    id: `up-${++completions}`,
    object,
    created: 1_700_000_000,
    model: body?.model ?? "served",
    system_fingerprint: "fp",
  };
}

function logprobsOf(text: string) {
  return { content: [{ token: text, logprob: -0.5, bytes: null, top_logprobs: [] }], refusal: null };
}

function whole(reply: ScriptedReply, body: ModelRequest | undefined, isText: boolean) {
  const { texts = [""], finishReason = "stop", deltas = [], usage = defaultUsage } = reply;
  const extra = Object.assign({}, ...deltas);
  return {
    ...head(isText ? "text_completion" : "chat.completion", body),
    choices: texts.map((text, index) => ({
      index,
      ...(isText ? { text } : { message: { role: "assistant", content: text, ...extra } }),
      logprobs: reply.logprobs ? logprobsOf(text) : null,
      finish_reason: finishReason,
    })),
    usage,
  };
}

async function stream(
  response: ServerResponse,
  reply: ScriptedReply,
  body: ModelRequest,
  isText: boolean,
): Promise<void> {
  const { texts = [""], finishReason = "stop", deltas = [], usage = defaultUsage, breaks } = reply;
  const base = head(isText ? "text_completion" : "chat.completion.chunk", body);
  const events: object[] = [];
  const chunks = texts.map((text) => oddChunks(text));
  for (let at = 0; at < Math.max(...chunks.map((list) => list.length)); at++) {
    for (const [index, list] of chunks.entries()) {
      if (at >= list.length) continue;
      const text = list[at];
      const said = isText ? { text } : { delta: { ...(at === 0 ? { role: "assistant" } : {}), content: text } };
      const logprobs = reply.logprobs ? { logprobs: logprobsOf(text) } : {};
      events.push({ ...base, choices: [{ index, ...said, ...logprobs, finish_reason: null }] });
    }
  }
  for (const delta of deltas) events.push({ ...base, choices: [{ index: 0, delta, finish_reason: null }] });
  for (const index of reply.withoutFinish ? [] : texts.keys()) {
    const nothing = isText ? { text: "" } : { delta: {} };
    events.push({ ...base, choices: [{ index, ...nothing, finish_reason: finishReason }] });
  }
  if (body.stream_options?.include_usage) events.push({ ...base, choices: [], usage });
  response.writeHead(200, { "content-type": "text/event-stream", ...reply.headers });
  const sent = breaks === undefined ? events : events.slice(0, breaks.after);
  const lines = sent.map((event) => `data: ${JSON.stringify(event)}\n\n`);
  if (breaks === undefined) lines.push("data: [DONE]\n\n");
  if (breaks?.how === "error") lines.push('data: {"error": {"message": "out of memory", "type": "server_error"}}\n\n');
  const pieces = reply.wholeEvents || reply.chunkDelayMs !== undefined ? lines : [lines.join("")].flatMap(byteCuts);
  for (const piece of pieces) {
    if (response.destroyed) return;
    if (!response.write(piece)) await new Promise((resolve) => response.once("drain", resolve).once("close", resolve));
    await after(reply.chunkDelayMs);
  }
  if (breaks?.how === "silence") return;
  if (breaks?.how !== "connection") return void response.end();
  // What was written is on its way first.
  await after(20);
  response.destroy();
}

/** Bytes in lumps of a few hundred, cut within lines and characters. */
function byteCuts(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const cuts: Buffer[] = [];
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7) % 509) {
    cuts.push(bytes.subarray(at, at + size));
  }
  return cuts;
}

function after(ms: number | undefined): Promise<void> | undefined {
  return ms === undefined ? undefined : new Promise((resolve) => setTimeout(resolve, ms));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
