/** `toolpeg/proxy/node` and `toolpeg proxy` as a server: who waits for whom, who leaves when, and how it stops. */
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { createProxy, type LogRecord } from "toolpeg/proxy";
import { type ProxyServer, serveProxy } from "toolpeg/proxy/node";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { projectRoot } from "../scripts/entries.ts";
import { chatTools, northCall } from "./support/dials.ts";
import { type ScriptedUpstream, scriptedUpstream } from "./support/scripted-upstream.ts";

let upstream: ScriptedUpstream;
let proxy: ProxyServer | undefined;
const logged: LogRecord[] = [];
beforeAll(async () => {
  upstream = await scriptedUpstream();
});
afterAll(() => upstream.close());
afterEach(async () => {
  await proxy?.close(0);
  proxy = undefined;
  logged.length = 0;
});

const body = { model: "m", stream: true, messages: [{ role: "user", content: "Hi" }], tools: chatTools };
const story = "a long story ".repeat(300);

async function start(url = upstream.url): Promise<ProxyServer> {
  proxy = await serveProxy({ upstream: url, format: "hermes", port: 0, log: (record) => logged.push(record) });
  return proxy;
}

function ask(base: string, given: object = body, signal?: AbortSignal): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers,
    body: JSON.stringify(given),
    signal: signal ?? null,
  });
}

describe("a client that leaves", () => {
  test.each([
    ["within a stream of calls", body],
    ["within a stream that is passed on", { ...body, tools: undefined }],
  ])("%s: the upstream is left too", async (_what, given) => {
    const { url } = await start();
    upstream.script({ texts: [story], chunkDelayMs: 2 });
    const leaves = new AbortController();
    const response = await ask(url, given, leaves.signal);
    await response.body?.getReader().read();
    leaves.abort();
    await expect.poll(() => upstream.requests[0].left, { timeout: 2000 }).toBe(true);
    if (given === body) await expect.poll(() => logged[0]?.aborted, { timeout: 2000 }).toBe(true);
  });

  test("before there is an answer: the upstream is left, and no error is sent", async () => {
    const { url } = await start();
    for (const stream of [true, false]) {
      upstream.script({ texts: ["late"], delayMs: 400 });
      const leaves = new AbortController();
      const answer = ask(url, { ...body, stream }, leaves.signal).catch((error: Error) => error.name);
      await expect.poll(() => upstream.requests.length, { timeout: 2000 }).toBe(1);
      leaves.abort();
      expect(await answer).toBe("AbortError");
      await expect.poll(() => upstream.requests[0].left, { timeout: 2000 }).toBe(true);
      await expect.poll(() => logged.at(-1)?.status, { timeout: 2000 }).toBe(499);
    }
  });

  test("as a fetch handler: cancelling the body leaves the upstream", async () => {
    // Silent after its first chunks: nothing but the end of the request ends it.
    upstream.script({ texts: [story], breaks: { after: 3, how: "silence" } });
    const handle = createProxy({ upstream: upstream.url, format: "hermes" });
    const response = await handle(
      new Request("http://proxy/v1/chat/completions", { method: "POST", body: JSON.stringify(body) }),
    );
    const reader = (response.body as ReadableStream).getReader();
    await reader.read();
    await reader.cancel();
    await expect.poll(() => upstream.requests[0].left, { timeout: 2000 }).toBe(true);
  });
});

test("a client that does not read holds the upstream back", async () => {
  let written = 0;
  let stalled = false;
  const line = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "x".repeat(4000) } }] })}\n\n`;
  const endless = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const write = () => {
      for (let lines = 0; lines < 100; lines++) {
        if (response.destroyed || written > 400e6) return;
        written += line.length;
        if (!response.write(line)) {
          stalled = true;
          response.once("drain", write);
          return;
        }
      }
      setImmediate(write);
    };
    write();
  });
  await new Promise<void>((resolve) => endless.listen(0, "127.0.0.1", resolve));
  const { port } = await start(`http://127.0.0.1:${(endless.address() as AddressInfo).port}/v1`);
  const text = JSON.stringify(body);
  const socket = connect(port, "127.0.0.1");
  socket.pause();
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`;
  socket.write(head + text);
  let before = -1;
  await expect
    .poll(
      () => {
        const same = stalled && written === before;
        before = written;
        return same;
      },
      { timeout: 8000, interval: 250 },
    )
    .toBe(true);
  // What stands in the buffers of four sockets, not what an endless upstream has to give.
  expect(written).toBeLessThan(60e6);
  socket.destroy();
  await new Promise<void>((resolve) => {
    endless.close(() => resolve());
    endless.closeAllConnections();
  });
}, 20_000);

describe("bodies", () => {
  /** A request as it goes over the wire. */
  function sendRaw(port: number, method: string, path: string, headers: string[], text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      let answer = "";
      socket.on("data", (piece) => {
        answer += piece;
      });
      socket.on("close", () => resolve(answer)).on("error", reject);
      socket.write([`${method} ${path} HTTP/1.1`, "host: x", "connection: close", ...headers, "", text].join("\r\n"));
    });
  }
  const chunked = (text: string) => {
    const half = Math.floor(text.length / 2);
    const piece = (part: string) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`;
    return `${piece(text.slice(0, half))}${piece(text.slice(half))}0\r\n\r\n`;
  };
  const transfer = ["transfer-encoding: chunked", "content-type: application/json"];

  test("a body that comes in chunks is read, and held to the limit", async () => {
    const { port } = await start();
    upstream.script(northCall);
    const text = JSON.stringify({ ...body, stream: false });
    const answer = await sendRaw(port, "POST", "/v1/chat/completions", transfer, chunked(text));
    expect(answer).toMatch(/^HTTP\/1.1 200[\s\S]*"tool_calls":\[/);
    await proxy?.close(0);
    proxy = await serveProxy({ upstream: upstream.url, format: "hermes", port: 0, maxBodyBytes: 100 });
    upstream.script("never");
    for (const path of ["/v1/chat/completions", "/v1/files"]) {
      expect(await sendRaw(proxy.port, "POST", path, transfer, chunked(text))).toMatch(/^HTTP\/1.1 413/);
      // A request behind it on the same connection would be cut with the rest of the body.
      const refused = await fetch(`${proxy.url}${path}`, { method: "POST", body: text });
      expect([refused.status, refused.headers.get("connection")]).toEqual([413, "close"]);
    }
    expect(upstream.requests).toEqual([]);
  });

  test("a request that is passed on has its body in any form, or none", async () => {
    const { port } = await start();
    for (const method of ["DELETE", "OPTIONS", "POST", "PUT", "PATCH"]) {
      upstream.script({ body: "{}" });
      expect(await sendRaw(port, method, "/v1/files/a", [], "")).toMatch(/^HTTP\/1.1 200/);
      upstream.script({ body: "{}" });
      expect(await sendRaw(port, method, "/v1/files/a", transfer, chunked('{"a": 1}'))).toMatch(/^HTTP\/1.1 200/);
      expect(upstream.requests).toMatchObject([{ method, path: "/v1/files/a", body: { a: 1 } }]);
    }
    upstream.script({ status: 204, body: "" });
    expect(await sendRaw(port, "DELETE", "/v1/files/a", [], "")).toMatch(/^HTTP\/1.1 204/);
  });
});

describe("stopping", () => {
  test("open streams come to their end, new requests are not taken", async () => {
    const { url, port } = await start();
    upstream.script({ texts: ["one two three four five six seven"], chunkDelayMs: 15 });
    const response = await ask(url);
    const stopped = (proxy as ProxyServer).close(5000);
    const refused = await new Promise((resolve) => connect(port, "127.0.0.1").on("error", resolve));
    expect((refused as NodeJS.ErrnoException).code).toBe("ECONNREFUSED");
    expect(await response.text()).toContain("[DONE]");
    await stopped;
    proxy = undefined;
  });

  test("streams that outlast the grace are cut", async () => {
    const { url } = await start();
    upstream.script({ texts: [story], chunkDelayMs: 20 });
    const response = await ask(url);
    const began = performance.now();
    await (proxy as ProxyServer).close(50);
    expect(performance.now() - began).toBeLessThan(2000);
    await expect(response.text()).rejects.toThrow();
    proxy = undefined;
  });
});

describe("toolpeg proxy", () => {
  const run = (...args: string[]) =>
    spawn(process.execPath, ["--import", "tsx", "src/cli/index.ts", "proxy", ...args], {
      cwd: projectRoot,
      env: { ...process.env, MODEL_KEY: "from-env", NO_COLOR: "1" },
    });

  test("serves, logs a line per request, and stops on a signal", async () => {
    upstream.script(northCall);
    const prompt = "{% if add_generation_prompt %}<|im_start|>assistant\n<think>\n{% endif %}";
    const calls =
      "{% for call in message.tool_calls or [] %}<tool_call>{{ call.function | tojson }}</tool_call>{% endfor %}";
    const turns = `{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}${calls}<|im_end|>\n{% endfor %}`;
    upstream.serves({ "/props": { chat_template: turns + prompt }, "/v1/models": {} });
    const args = ["--upstream", upstream.url, "--format", "by-model", "--port", "0", "--api-key-env", "MODEL_KEY"];
    const child = run(...args, "--log");
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
    const url = await new Promise<string>((resolve, reject) => {
      child.stderr.setEncoding("utf8").on("data", (text) => {
        err += text;
        const found = /listening on (\S+),/.exec(err);
        if (found) resolve(found[1]);
      });
      child.on("exit", () => reject(new Error(err)));
    });
    const answer = await (await ask(url, { ...body, stream: false })).json();
    expect(answer.choices[0].message.tool_calls).toHaveLength(1);
    expect(upstream.requests[0].headers.authorization).toBe("Bearer from-env");
    const ended = new Promise((resolve) => child.on("exit", resolve));
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    const path = "/v1/chat/completions";
    expect(JSON.parse(out.trim())).toMatchObject({ path, status: 200, calls: 1, format: "hermes" });
    expect(err).toContain('the upstream\'s chat template opens "<think>\\n" for the model');
    upstream.serves({});
  });

  test("says what is wrong with a command", async () => {
    const { runCommand } = await import("./support/run-command.ts");
    const engine = await import("../src/index.ts");
    const wrong: [string[], string][] = [
      [["--format", "hermes"], "--upstream"],
      [["--upstream", "nowhere", "--format", "hermes"], "upstream must be a URL"],
      [["--upstream", "http://127.0.0.1:9/v1", "--format", "hermse"], 'Did you mean "hermes"'],
      [["--upstream", "http://127.0.0.1:9/v1", "--format", "hermes", "--api-key-env", "NO_SUCH_KEY"], "NO_SUCH_KEY"],
      [["--upstream", "http://127.0.0.1:9/v1", "--format", "hermes", "--policy", "[]"], "JSON object"],
      [["--upstream", "http://127.0.0.1:9/v1", "--format", "hermes", "--port", new URL(upstream.url).port], "is taken"],
    ];
    for (const [args, said] of wrong) {
      const { status, err } = await runCommand(["proxy", ...args], engine);
      expect({ args, status, err }).toMatchObject({ status: 2, err: expect.stringContaining(said) });
    }
  });
});
