import { type Context, Hono } from "hono";
import { randomWord } from "../adapters/call-ids.ts";
import { answerJson } from "../adapters/json-text.ts";
import { isObject } from "../contract/is-object.ts";
import { type Body, type ChatRequest, invalid } from "./chat-request.ts";
import { Conversation } from "./conversation.ts";
import { Exchange } from "./exchange.ts";
import { FormatChooser } from "./format-of-request.ts";
import { answerHeaders, untouchedAnswerHeaders } from "./headers.ts";
import type { LogRecord } from "./log.ts";
import type { ProxySettings } from "./options.ts";
import { Problem } from "./problem.ts";
import { anthropicMessages } from "./protocols/anthropic-messages.ts";
import { chatCompletions, openaiProblem } from "./protocols/chat-completions.ts";
import { ollamaChat } from "./protocols/ollama-chat.ts";
import type { Protocol, ReplyWriter } from "./protocols/protocol.ts";
import { responses } from "./protocols/responses.ts";
import type { ReplyEvent } from "./reply-event.ts";
import { bodyDepthMax, isUnread, nestsDeeper, readBody } from "./request-body.ts";
import { passOn } from "./upstream.ts";

/** Clients that were given the base without `/v1` are understood as well. */
const protocols: readonly [path: string, Protocol][] = [
  ["/v1/chat/completions", chatCompletions],
  ["/chat/completions", chatCompletions],
  ["/v1/responses", responses],
  ["/responses", responses],
  ["/v1/messages", anthropicMessages],
  ["/api/chat", ollamaChat],
];

interface Variables {
  record: LogRecord;
  began: number;
  /** The answer is a stream that logs its own end. */
  streams: boolean;
}
type Env = { Variables: Variables };

/** The proxy's own settings. */
export interface ProxyState {
  /** Requests that are being answered. */
  active: number;
  /** No new requests are taken. */
  stopping: boolean;
}

/** The routes. */
export function createApp(settings: ProxySettings, state: ProxyState): Hono<Env> {
  const app = new Hono<Env>({ getPath: (request) => cleanPath(new URL(request.url).pathname) });
  const chooser = new FormatChooser(settings);
  const noted = new Set<string>();
  const addNote = (record: LogRecord, note: string) => {
    if (noted.has(note)) return;
    if (noted.size < notesMax) noted.add(note);
    record.notes ??= [];
    record.notes.push(note);
  };

  app.get("/healthz", (context) => {
    const { active, stopping } = state;
    return context.json({ status: stopping ? "stopping" : "ok", active }, stopping ? 503 : 200);
  });
  app.use(async (context, next) => {
    const id = context.req.header("x-request-id")?.slice(0, 200) ?? `req_${randomWord()}`;
    const { method, path } = context.req;
    context.set("record", { time: new Date().toISOString(), id, method, path, status: 0, duration_ms: 0 });
    context.set("began", performance.now());
    context.set("streams", false);
    state.active++;
    await next();
    context.header("x-request-id", id);
    if (!context.get("streams")) end(context, settings, state);
  });
  app.onError((error, context) => failed(context as Context<Env>, error));

  for (const [path, protocol] of protocols) {
    app.post(path, (context) => answer(context, protocol, settings, { chooser, state, addNote }));
  }
  app.all("*", (context) => pass(context, settings));
  return app;
}

/** More different notes than these are written each time. */
const notesMax = 1000;

/** What the requests of a proxy have in common. */
interface Shared {
  chooser: FormatChooser;
  state: ProxyState;
  /** Puts a note into the log, once. */
  addNote(record: LogRecord, text: string): void;
}

/** Answers a request whose reply may hold calls. */
async function answer(
  context: Context<Env>,
  protocol: Protocol,
  settings: ProxySettings,
  { chooser, state, addNote }: Shared,
): Promise<Response> {
  const record = context.get("record");
  record.protocol = protocol.name;
  const bytes = (await readBody(context.req.raw, settings.maxBodyBytes)) ?? new Uint8Array();
  const body = bodyOf(new TextDecoder().decode(bytes));
  const ready = protocol.ready?.(body);
  if (ready !== undefined) return Response.json(ready);
  const request = protocol.read(body);
  Object.assign(record, { model: clipped(request.model), stream: request.stream });
  // Without tools there is nothing to read, and nothing to write: not a byte is changed.
  if (
    protocol === chatCompletions &&
    settings.send !== "prompt" &&
    settings.body === undefined &&
    !isAboutTools(request)
  ) {
    return pass(context, settings, bytes);
  }
  const { headers: asked, signal } = context.req.raw;
  const leaves = new AbortController();
  if (signal.aborted) leaves.abort();
  signal.addEventListener("abort", () => leaves.abort(), { once: true });
  const search = protocol.keepsQuery ? new URL(context.req.raw.url).search : "";
  const passage = { headers: asked, signal: leaves.signal, search };
  const note = (text: string) => addNote(record, text);
  const chosen = isAboutTools(request) ? await chooser.choose(request.model, passage, note) : undefined;
  if (chosen !== undefined) record.format = chosen.format.id;
  const conversation = asInvalid(() => new Conversation(request, chosen?.format, settings));
  const given = { request, conversation, chosen, takesPieces: protocol.takesPieces, note };
  const exchange = asInvalid(() => new Exchange(given, passage, settings));
  const events = await exchange.begin();
  const writer = protocol.write(request, body);
  if (!request.stream) {
    for await (const batch of events) for (const event of batch) writer.write(event);
    countInto(record, exchange);
    return new Response(answerJson(writer.whole()), {
      headers: answerHeaders(exchange.headers, "application/json"),
    });
  }
  context.set("streams", true);
  record.status = 200;
  const stream = streamOf(events, writer, {
    first: () => {
      record.first_ms = since(context);
    },
    failed: (error) => {
      const problem = problemOf(error);
      if (passage.signal.aborted) record.aborted = true;
      else record.error = clipped(problem.code ?? problem.type);
      return problem;
    },
    left: () => {
      record.aborted = true;
      // Not every run time aborts the request of an answer that is no longer read.
      leaves.abort();
    },
    ended: () => {
      countInto(record, exchange);
      end(context, settings, state);
    },
  });
  const headers = answerHeaders(exchange.headers, writer.streamType);
  headers.set("cache-control", "no-cache");
  // Tells nginx and its like not to collect the stream.
  headers.set("x-accel-buffering", "no");
  return new Response(stream, { headers });
}

interface StreamHooks {
  first(): void;
  failed(error: unknown): Problem;
  left(): void;
  ended(): void;
}

/** The stream of an answer: made as it is asked for, so a slow client slows the upstream down. */
function streamOf(
  events: AsyncGenerator<ReplyEvent[]>,
  writer: ReplyWriter,
  hooks: StreamHooks,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isFirst = true;
  let isOver = false;
  const over = () => {
    if (!isOver) hooks.ended();
    isOver = true;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          let text = "";
          let done: boolean | undefined = false;
          while (text === "" && !done) {
            const next = await events.next();
            done = next.done;
            text = done ? writer.end() : (next.value as ReplyEvent[]).map((event) => writer.write(event)).join("");
          }
          if (isOver) return;
          if (isFirst) hooks.first();
          isFirst = false;
          controller.enqueue(encoder.encode(text));
          if (!done) return;
          controller.close();
          over();
        } catch (error) {
          if (isOver) return;
          // A stream that has begun cannot change its status: the error is its last event.
          controller.enqueue(encoder.encode(writer.fail(hooks.failed(error))));
          controller.close();
          over();
        }
      },
      async cancel() {
        hooks.left();
        over();
        await events.return(undefined).catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
}

/** Passes a request on as it is, and its answer. */
async function pass(context: Context<Env>, settings: ProxySettings, read?: Uint8Array<ArrayBuffer>): Promise<Response> {
  const { raw, method } = context.req;
  const mayHaveBody = method !== "GET" && method !== "HEAD";
  const body = read ?? (mayHaveBody ? await readBody(raw, settings.maxBodyBytes) : undefined);
  const passage = { headers: raw.headers, signal: raw.signal };
  const {
    status,
    headers,
    body: answer,
  } = await passOn(
    targetOf(raw.url, settings.upstream),
    { method, ...(body === undefined || body.length === 0 ? {} : { body }) },
    passage,
    settings,
  );
  return new Response(answer, { status, headers: untouchedAnswerHeaders(headers) });
}

/** `/v1/...` lies under the upstream's base, every other path under its host. */
function targetOf(url: string, upstream: string): string {
  const { pathname, search } = new URL(url);
  const below = /^\/v1(?=\/|$)/;
  if (below.test(pathname)) return `${upstream}${pathname.replace(below, "")}${search}`;
  const bare = ["/chat/completions", "/completions", "/models", "/embeddings"].includes(pathname);
  return `${bare ? upstream : new URL(upstream).origin}${pathname}${search}`;
}

function isAboutTools({ tools, messages }: ChatRequest): boolean {
  return tools.length > 0 || messages.some(({ role, tool_calls }) => role === "tool" || (tool_calls?.length ?? 0) > 0);
}

function bodyOf(text: string): Body {
  // What is written anew could not be written at any depth.
  if (nestsDeeper(text, bodyDepthMax)) throw invalid(`the body nests deeper than ${bodyDepthMax} levels`);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw invalid(`the body is not JSON: ${(error as Error).message}`);
  }
  if (isObject(body)) return body;
  throw invalid("the body must be a JSON object");
}

/** What the library refuses of a request (a schema, two tools of one name) is the client's to mend. */
function asInvalid<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    throw error instanceof TypeError ? invalid(error.message) : error;
  }
}

function failed(context: Context<Env>, error: unknown): Response {
  const record = context.get("record");
  const problem = problemOf(error);
  const { signal } = context.req.raw;
  record.error = signal.aborted ? "client_left" : clipped(problem.code ?? problem.type);
  if (signal.aborted) return new Response(null, { status: 499 });
  const protocol = protocols.find(([path]) => path === context.req.path)?.[1];
  // OpenAI's clients get the upstream's own words.
  const { body } = problem;
  if (body !== undefined && (protocol === undefined || protocol.problem === openaiProblem)) {
    return new Response(body.text, {
      status: problem.status,
      headers: answerHeaders(problem.headers, body.contentType),
    });
  }
  const answer = (protocol?.problem ?? openaiProblem)(problem);
  const headers = answerHeaders(problem.headers, "application/json");
  // The rest of the body is not read: what comes behind it on the same connection would be cut with it.
  if (isUnread(problem.code)) headers.set("connection", "close");
  return new Response(JSON.stringify(answer), { status: problem.status, headers });
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  // A fault of ours: what it says may quote the client's text, so it is not sent.
  return new Problem({
    status: 500,
    message: "the proxy failed",
    type: "api_error",
    code: `fault_${(error as Error)?.name}`,
  });
}

function countInto(record: LogRecord, { counts }: Exchange): void {
  const { calls, refused, retries, unmet, usage, telemetry } = counts;
  Object.assign(record, { calls, refused, retries, telemetry });
  if (unmet) record.tool_choice_unmet = true;
  if (usage !== undefined) record.usage = usage;
}

function end(context: Context<Env>, settings: ProxySettings, state: ProxyState): void {
  const record = context.get("record");
  state.active--;
  if (!context.get("streams")) record.status = context.res.status;
  record.duration_ms = since(context);
  try {
    settings.log(record);
  } catch {
    // A log that cannot be written is no reason to lose an answer.
  }
}

/** Bases that end with a slash are joined to paths with two, and some clients end a path with one. */
function cleanPath(pathname: string): string {
  return pathname.replace(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
}

/** What others name goes into the log as far as names go. */
function clipped(name: string): string {
  return name.slice(0, 200);
}

function since(context: Context<Env>): number {
  return Math.round((performance.now() - context.get("began")) * 10) / 10;
}
