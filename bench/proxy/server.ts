/** What stands between client and upstream in the load run: the proxy, or what passes bytes on with the same framework. */
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { createProxy } from "../../dist/proxy.js";

const [kind, upstream] = process.argv.slice(2);

const passThrough = new Hono().post("*", async (context) => {
  const { raw } = context.req;
  const response = await fetch(`${upstream}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: await raw.text(),
    signal: raw.signal,
  });
  return new Response(response.body, { status: response.status, headers: { "content-type": "text/event-stream" } });
});

const fetchHandler = kind === "proxy" ? createProxy({ upstream, format: "hermes" }) : passThrough.fetch;
const server = createAdaptorServer({ fetch: fetchHandler, overrideGlobalObjects: false });
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("message", () => {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  process.send?.({ rss, heapUsed, cpuMs: (user + system) / 1000 });
});
process.on("disconnect", () => process.exit());
