/** A model server for the load run: every stream writes one chunk per interval, with the time at which it was written. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const chunks = Number(process.argv[2]);
const intervalMs = Number(process.argv[3]);

const now = () => performance.timeOrigin + performance.now();
const event = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "up", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

interface Stream {
  sent: number;
  write(text: string): void;
  end(text: string): void;
}

const streams = new Set<Stream>();

const server = createServer(async (request, response) => {
  for await (const _piece of request);
  response.writeHead(200, { "content-type": "text/event-stream" });
  const stream: Stream = {
    sent: 0,
    write: (text) => response.write(text),
    end: (text) => response.end(text),
  };
  streams.add(stream);
  response.on("close", () => streams.delete(stream));
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));

/** Streams take turns within an interval, as the tokens of many requests do. */
const slices = 20;
let turn = 0;
setInterval(() => {
  let place = 0;
  for (const stream of streams) {
    if (place++ % slices !== turn % slices) continue;
    if (stream.sent++ < chunks) stream.write(event({ content: `${now().toFixed(3)} ` }));
    else {
      const call = `<tool_call>\n{"name": "read_dial", "arguments": {"dial": "${stream.sent - 1}"}}\n</tool_call>`;
      stream.end(`${event({ content: call })}${event({}, "stop")}data: [DONE]\n\n`);
      streams.delete(stream);
    }
  }
  turn++;
}, intervalMs / slices);
process.on("disconnect", () => process.exit());
