/**
 * A proxy that gives every OpenAI client tools, in front of a server that only completes text: tools go into the prompt,
 * calls come back as `tool_calls`, streamed or not.
 *
 *     node openai-proxy.js http://127.0.0.1:8080/v1 hermes 8081
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createParser, formats, type ParseOptions, parse, shouldParseText } from "toolpeg";
import { rewriteChatCompletionChunks, toChatCompletionChoice, toTextMessages, uniqueCallIds } from "toolpeg/openai";

export interface ProxyOptions {
  /** Where the server's `/chat/completions` lies. */
  upstream: string;
  /** What its model writes: an id or alias. */
  format: string;
}

export function createProxy({ upstream, format: id }: ProxyOptions): Server {
  const format = formats.get(id);
  return createServer(async (request, response) => {
    try {
      const { tools, tool_choice, messages, ...rest } = JSON.parse(await bodyOf(request));
      const offered = tool_choice === "none" ? [] : (tools ?? []);
      const options: ParseOptions = { format, tools: offered, id: uniqueCallIds() };
      const answer = await fetch(`${upstream}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: request.headers.authorization ?? "" },
        body: JSON.stringify({ ...rest, messages: toTextMessages(messages, { format, tools: offered }) }),
      });
      if (!answer.ok || answer.body === null) {
        response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
      } else if (rest.stream === true) await stream(answer.body, options, response);
      else {
        const completion = await answer.json();
        const [{ message, finish_reason: finishReason }] = completion.choices;
        const result = parse(message.content ?? "", { ...options, finishReason });
        // Calls that the server has read itself stay as they are.
        const reads = shouldParseText(message, rest);
        const choices = reads ? [toChatCompletionChoice(result, { finishReason })] : completion.choices;
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ ...completion, choices }));
      }
    } catch (error) {
      if (response.headersSent) return response.destroy(error as Error);
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: (error as Error).message, type: "invalid_request_error" } }));
    }
  });
}

/** Server-sent events in, server-sent events out. */
async function stream(body: ReadableStream<Uint8Array>, options: ParseOptions, response: ServerResponse) {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for await (const chunk of rewriteChatCompletionChunks(chunksOf(body), createParser(options))) {
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }
  response.end("data: [DONE]\n\n");
}

async function* chunksOf(body: ReadableStream<Uint8Array>) {
  let rest = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream() as never) as unknown as AsyncIterable<string>) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const data = line.replace(/^data: ?/, "").trim();
      if (line.startsWith("data:") && data !== "[DONE]") yield JSON.parse(data);
    }
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const piece of request.setEncoding("utf8")) body += piece;
  return body;
}

const [upstream, format = "hermes", port = "8081"] = process.argv.slice(2);
if (upstream !== undefined) {
  const server = createProxy({ upstream, format });
  server.listen(Number(port), "127.0.0.1", () => console.log("listening on", (server.address() as AddressInfo).port));
}
