/**
 * `toolpeg/proxy/node`: the proxy of `toolpeg/proxy` as a server of Node.
 *
 * @module
 */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { createApp, type ProxyState } from "./app.ts";
import { type ProxyOptions, resolveOptions } from "./options.ts";

/** Options of `serveProxy`. */
export interface ServeOptions extends ProxyOptions {
  /** Default 8081; 0 takes one that is free. */
  port?: number | undefined;
  /** Default `127.0.0.1`: only this machine. */
  host?: string | undefined;
}

/** A proxy that listens. */
export interface ProxyServer {
  /** Its base, without a path: clients take `${url}/v1`. */
  readonly url: string;
  readonly port: number;
  /**
   * Takes no more requests, and waits for the open ones.
   *
   * @param graceMs How long streams may go on; then they are cut. Default 30,000.
   */
  close(graceMs?: number): Promise<void>;
}

/** Loaded with the first template. */
const formatOfTemplate: ProxyOptions["formatOfTemplate"] = async (source) =>
  (await import("../template/format-of-template.ts")).formatOfTemplate(source);

const idleCheckMs = 50;
/** How long a client may take to send the headers of its request. */
const headersTimeoutMs = 30_000;
/** Longer than balancers keep a connection, so that none sends a request into one that is being closed. */
const keepAliveTimeoutMs = 75_000;

/**
 * Starts a proxy.
 *
 * @returns when it listens
 * @throws TypeError on misuse; an error of Node when the port is taken
 */
export async function serveProxy({ port = 8081, host = "127.0.0.1", ...options }: ServeOptions): Promise<ProxyServer> {
  const state: ProxyState = { active: 0, stopping: false };
  const app = createApp(resolveOptions({ formatOfTemplate, ...options }, ["port", "host"]), state);
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  server.headersTimeout = headersTimeoutMs;
  server.keepAliveTimeout = keepAliveTimeoutMs;
  // A long answer of the upstream is no reason to end a request; its body is bounded by size.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    async close(graceMs = 30_000) {
      state.stopping = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection whose stream has ended stays open for the next request, which will not be taken.
      const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(idle);
      clearTimeout(cut);
    },
  };
}
