/** Request headers that go to the upstream. Everything else stays here: cookies, addresses, what other proxies added. */
const requestHeaders = new Set([
  "authorization",
  "openai-organization",
  "openai-project",
  "openai-beta",
  "user-agent",
  "x-request-id",
  "traceparent",
  "tracestate",
]);
/** The same for requests that are not rewritten. */
const untouchedHeaders = new Set(["accept", "content-type", "anthropic-version", "range", "if-none-match"]);

/** Response headers that clients act on. */
const responseHeaders = /^(retry-after(-ms)?|x-request-id|x-should-retry|x-ratelimit-.*|openai-.*)$/;
/** What concerns one connection, or is no longer true of a body that `fetch` has unpacked. */
const connectionHeaders =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-encoding|content-length|set-cookie2?)$/;

export interface HeaderOptions {
  apiKey?: string | undefined;
  passHeaders?: readonly string[] | undefined;
}

/** Headers of a request to the upstream. */
export function upstreamHeaders(given: Headers, options: HeaderOptions, rewritten: boolean): Headers {
  const further = (options.passHeaders ?? []).map((name) => name.toLowerCase());
  const headers = new Headers();
  given.forEach((value, name) => {
    if (requestHeaders.has(name) || further.includes(name) || (!rewritten && untouchedHeaders.has(name))) {
      headers.set(name, value);
    }
  });
  // Anthropic's clients have their own header for the key.
  const key = given.get("x-api-key");
  if (options.apiKey !== undefined) headers.set("authorization", `Bearer ${options.apiKey}`);
  else if (key !== null && !headers.has("authorization")) headers.set("authorization", `Bearer ${key}`);
  // A packed stream arrives in lumps.
  headers.set("accept-encoding", "identity");
  if (rewritten) headers.set("content-type", "application/json");
  return headers;
}

/** Headers of the upstream's answer that go with an answer of our own. */
export function answerHeaders(upstream: Headers | undefined, contentType: string): Headers {
  const headers = new Headers({ "content-type": contentType });
  upstream?.forEach((value, name) => {
    if (responseHeaders.test(name)) headers.set(name, value);
  });
  return headers;
}

/** Headers of an answer that is passed on as it is. */
export function untouchedAnswerHeaders(upstream: Headers): Headers {
  const headers = new Headers();
  upstream.forEach((value, name) => {
    if (!connectionHeaders.test(name)) headers.set(name, value);
  });
  return headers;
}
