import { createParser as createEventReader } from "eventsource-parser";
import { isObject } from "../contract/is-object.ts";
import type { Body } from "./chat-request.ts";
import { upstreamHeaders } from "./headers.ts";
import type { ProxySettings } from "./options.ts";
import { Problem } from "./problem.ts";
import { chunkOf, chunkOfCompletion, type ServerChunk } from "./server-chunk.ts";
import { Watch } from "./watch.ts";

/** An upstream's answer: its headers, and its chunks as they arrive, several at a time. */
export interface UpstreamReply {
  headers: Headers;
  batches: AsyncIterable<ServerChunk[]>;
}

/** One client's way to the upstream: its headers, and the end of it when the client leaves. */
export interface Passage {
  headers: Headers;
  signal: AbortSignal;
  /** The query of the client's request, where the upstream's interface is the client's. */
  search?: string;
}

/** A line of an event stream, or a body of an error, is never longer. Bounds what a broken upstream can make us hold. */
const lineCharsMax = 16 * 1024 * 1024;
const completionCharsMax = 64 * 1024 * 1024;
const errorCharsMax = 64 * 1024;

/**
 * Sends a request that was rewritten.
 *
 * @throws Problem when the upstream cannot be reached, is too slow, or answers with an error.
 */
export async function complete(path: string, body: Body, passage: Passage, settings: ProxySettings) {
  const watch = new Watch(passage.signal);
  const response = await send(`${settings.upstream}${path}${passage.search ?? ""}`, watch, settings, {
    method: "POST",
    redirect: "manual",
    headers: upstreamHeaders(passage.headers, settings, true),
    body: JSON.stringify(body),
  });
  try {
    if (response.status >= 300 && response.status < 400) throw redirected();
    if (!response.ok) throw await refusalOf(response, watch, settings);
    const isStream = body.stream === true && !isJson(response);
    return { headers: response.headers, batches: batchesOf(response, isStream, watch, settings) };
  } catch (error) {
    throw watch.explain(error);
  }
}

/** Sends a request as it is, and gives back the answer as it is. */
export async function passOn(url: string, init: RequestInit, passage: Passage, settings: ProxySettings) {
  const headers = upstreamHeaders(passage.headers, settings, false);
  const watch = new Watch(passage.signal);
  const response = await send(url, watch, settings, { ...init, headers, redirect: "manual" });
  return { status: response.status, headers: response.headers, body: watchedBody(response, watch, settings) };
}

/** The body of an answer as it is; an upstream that falls silent within it ends it. */
function watchedBody({ body }: Response, watch: Watch, settings: ProxySettings): ReadableStream<Uint8Array> | null {
  if (body === null) {
    watch.close();
    return null;
  }
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        watch.begin(settings.idleTimeoutMs, silence);
        try {
          const { done, value } = await reader.read();
          watch.end();
          if (!done) return controller.enqueue(value);
          watch.close();
          controller.close();
        } catch (error) {
          controller.error(watch.explain(error));
        }
      },
      cancel(reason) {
        watch.close();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

const silence = "the upstream fell silent within its answer";

async function send(url: string, watch: Watch, settings: ProxySettings, init: RequestInit): Promise<Response> {
  watch.begin(settings.answerTimeoutMs, "the upstream did not begin its answer in time");
  try {
    return await settings.fetch(url, { ...init, signal: watch.signal });
  } catch (error) {
    throw watch.explain(error);
  } finally {
    watch.end();
  }
}

/** The upstream's own error: its status and body, and the headers that say when to try again. */
async function refusalOf(response: Response, watch: Watch, settings: ProxySettings): Promise<Problem> {
  const text = await textOf(response, watch, settings, errorCharsMax);
  return new Problem({
    status: response.status,
    ...errorIn(text, response.status),
    headers: response.headers,
    body: { text, contentType: response.headers.get("content-type") ?? "text/plain" },
  });
}

async function textOf(response: Response, watch: Watch, settings: ProxySettings, most: number): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of watched(response, watch, settings)) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > most) return text.slice(0, most);
  }
  return text + decoder.decode();
}

/** The sentence of an error, in the shapes that servers use. */
function errorIn(text: string, status: number): { message: string; type: string; code?: string } {
  const type = status === 429 ? "rate_limit_error" : status < 500 ? "invalid_request_error" : "api_error";
  const found = orUndefined(() => JSON.parse(text) as unknown);
  const error = isObject(found) && isObject(found.error) ? found.error : found;
  if (!isObject(error)) return { message: text.slice(0, 500) || `the upstream answered with status ${status}`, type };
  const message = [error.message, error.detail, error.error].find((one) => typeof one === "string" && one !== "");
  return {
    message: String(message ?? text.slice(0, 500)),
    type: typeof error.type === "string" ? error.type : type,
    ...(typeof error.code === "string" ? { code: error.code } : {}),
  };
}

async function* batchesOf(
  response: Response,
  isStream: boolean,
  watch: Watch,
  settings: ProxySettings,
): AsyncGenerator<ServerChunk[]> {
  try {
    if (isStream) yield* eventsOf(response, watch, settings);
    else yield [await completionOf(response, watch, settings)];
  } catch (error) {
    throw watch.explain(error);
  } finally {
    watch.close();
  }
}

/** Some servers answer whole although a stream was asked for; others forget to say that they stream. */
const isJson = ({ headers }: Response) => headers.get("content-type")?.includes("application/json") === true;

async function completionOf(response: Response, watch: Watch, settings: ProxySettings): Promise<ServerChunk> {
  const text = await textOf(response, watch, settings, completionCharsMax + 1);
  if (text.length > completionCharsMax) throw brokenStream("the upstream's answer is too long");
  const completion = orUndefined(() => JSON.parse(text) as unknown);
  if (isObject(completion) && completion.error) throw brokenStream(errorIn(text, 502).message);
  if (isObject(completion) && Array.isArray(completion.choices)) return chunkOfCompletion(completion);
  throw brokenStream("the upstream answered with something that is no completion");
}

async function* eventsOf(response: Response, watch: Watch, settings: ProxySettings): AsyncGenerator<ServerChunk[]> {
  let batch: ServerChunk[] = [];
  let done = false;
  let problem: Problem | undefined;
  const reader = createEventReader({
    maxBufferSize: lineCharsMax,
    onEvent({ data, event }) {
      if (done || problem !== undefined || data === "") return;
      if (data.startsWith("[DONE]")) done = true;
      else {
        const chunk = orUndefined(() => JSON.parse(data) as unknown);
        if (event === "error" || (isObject(chunk) && chunk.error)) problem = brokenStream(errorIn(data, 502).message);
        else if (isObject(chunk)) batch.push(chunkOf(chunk));
        else problem = brokenStream("the upstream's stream holds something that is no JSON");
      }
    },
    onError(error) {
      if (error.type === "max-buffer-size-exceeded")
        problem = brokenStream("a line of the upstream's stream is too long");
    },
  });
  const decoder = new TextDecoder();
  for await (const bytes of watched(response, watch, settings)) {
    reader.feed(decoder.decode(bytes, { stream: true }));
    if (batch.length > 0) {
      yield batch;
      batch = [];
    }
    if (problem !== undefined) throw problem;
    if (done) break;
  }
  // The last event may lack the empty line after it.
  if (!done) reader.feed(`${decoder.decode()}\n\n`);
  if (batch.length > 0) yield batch;
  if (problem !== undefined) throw problem;
  yield [{ isLast: true }];
}

async function* watched(response: Response, watch: Watch, settings: ProxySettings): AsyncGenerator<Uint8Array> {
  const pieces = piecesOf(response);
  try {
    for (;;) {
      watch.begin(settings.idleTimeoutMs, silence);
      const { done, value } = await pieces.next();
      watch.end();
      if (done) return;
      yield value;
    }
  } finally {
    await pieces.return(undefined);
  }
}

/** Not every run time has web streams that are iterable. */
async function* piecesOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Frees the connection when reading stops early; after the end, or an error, there is nothing left to cancel.
    await reader.cancel().catch(() => {});
  }
}

/** What the client wrote goes to the server that was named, and to no other. */
function redirected(): Problem {
  const message = "the upstream sends requests elsewhere; give the address that it names as upstream";
  return new Problem({ status: 502, message, type: "api_error", code: "upstream_redirects" });
}

function brokenStream(message: string): Problem {
  return new Problem({ status: 502, message, type: "api_error", code: "upstream_error" });
}

function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** What the upstream says of itself: the members of a JSON object, none where it has nothing such. */
export interface Asked {
  value: Body;
  /** It could not be asked: another time there may be an answer. */
  failed: boolean;
}

/** How long a question may keep a request from being answered. */
const askTimeoutMs = 5000;
const askedCharsMax = 8 * 1024 * 1024;
/** The server has no such path. Every other error may be over another time. */
const unknownPath = [400, 404, 405, 410, 501];

/** Asks the upstream something about itself. */
export async function ask(url: string, passage: Passage, given: ProxySettings, body?: Body): Promise<Asked> {
  const settings = {
    ...given,
    answerTimeoutMs: Math.min(given.answerTimeoutMs, askTimeoutMs),
    idleTimeoutMs: Math.min(given.idleTimeoutMs, askTimeoutMs),
  };
  const watch = new Watch(passage.signal);
  const headers = upstreamHeaders(passage.headers, settings, body !== undefined);
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  try {
    const response = await send(url, watch, settings, { ...init, headers });
    const text = await textOf(response, watch, settings, askedCharsMax);
    const answer = response.ok ? orUndefined(() => JSON.parse(text) as unknown) : undefined;
    const failed = !response.ok && !unknownPath.includes(response.status);
    return { value: isObject(answer) ? answer : {}, failed };
  } catch {
    // The request itself will say what is wrong with the upstream.
    return { value: {}, failed: true };
  } finally {
    watch.close();
  }
}
