/**
 * Many streams at once through the proxy, and through a server that passes bytes on with the same framework:
 *
 *     npm run build && npx tsx bench/proxy/index.ts --streams 500 --chunks 2000 --interval 250 --write
 *
 * `--write` puts the table into docs/proxy.md, in place of the one that is there.
 *
 * Client, upstream and what stands between are processes of their own. Every chunk carries the time at which the upstream
 * wrote it, so the client sees how long it took; each stream ends with a call, which has to arrive as one.
 */
import { type ChildProcess, fork } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { cpus } from "node:os";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    streams: { type: "string", default: "500" },
    chunks: { type: "string", default: "2000" },
    interval: { type: "string", default: "250" },
    write: { type: "boolean", default: false },
    only: { type: "string", default: "pass-through,proxy" },
  },
});
const streams = Number(values.streams);
const chunks = Number(values.chunks);
const intervalMs = Number(values.interval);

interface Reading {
  rss: number;
  heapUsed: number;
  cpuMs: number;
}

function start(file: string, ...args: string[]): ChildProcess {
  const execArgv = ["--import", "tsx", "--expose-gc"];
  return fork(new URL(file, import.meta.url), args, { execArgv, stdio: ["ignore", "inherit", "inherit", "ipc"] });
}

function message<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve) => child.once("message", (given) => resolve(given as Message)));
}

async function read(child: ChildProcess): Promise<Reading> {
  const answer = message<Reading>(child);
  child.send("read");
  return answer;
}

const tools = [
  {
    type: "function",
    function: {
      name: "read_dial",
      parameters: { type: "object", properties: { dial: { type: "string" } }, required: ["dial"] },
    },
  },
];
const body = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "Hi" }], tools });
const now = () => performance.timeOrigin + performance.now();

interface Outcome {
  arrived: number;
  calls: number;
  done: boolean;
}

/** One client; latencies go into the shared list. */
function stream(port: number, latencies: Float64Array, counter: { at: number }): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const outcome: Outcome = { arrived: 0, calls: 0, done: false };
    const headers = { "content-type": "application/json", "content-length": body.length };
    const sent = request({ port, path: "/v1/chat/completions", method: "POST", headers, agent: false }, (response) => {
      let rest = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        const arrival = now();
        const lines = (rest + text).split("\n\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          if (line === "data: [DONE]") outcome.done = true;
          const written = /"content":"(\d+\.\d+) "/.exec(line);
          if (written !== null) {
            outcome.arrived++;
            latencies[counter.at++] = arrival - Number(written[1]);
          } else if (line.includes("read_dial") && line.includes(`${chunks}`)) outcome.calls++;
        }
      });
      response.on("end", () => resolve(outcome));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

async function run(kind: "pass-through" | "proxy") {
  const upstream = start("./upstream.ts", String(chunks), String(intervalMs));
  const { port: upstreamPort } = await message<{ port: number }>(upstream);
  const server = start("./server.ts", kind, `http://127.0.0.1:${upstreamPort}/v1`);
  const { port } = await message<{ port: number }>(server);
  const latencies = new Float64Array(streams * chunks);
  const counter = { at: 0 };
  // What runs first is compiled first; that is no part of a load.
  const before = await read(server);
  const all = Array.from({ length: streams }, () => stream(port, latencies, counter));
  const duration = chunks * intervalMs;
  const started = performance.now();
  const memory: Reading[] = [];
  for (const share of [0.1, 0.3, 0.5, 0.7, 0.9]) {
    await new Promise((resolve) => setTimeout(resolve, duration * share - (performance.now() - started)));
    memory.push(await read(server));
  }
  const outcomes = await Promise.all(all);
  const after = await read(server);
  upstream.disconnect();
  server.disconnect();
  const sorted = latencies.subarray(0, counter.at).sort();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)];
  const lost = outcomes.filter(({ arrived, calls, done }) => arrived !== chunks || calls !== 1 || !done).length;
  return {
    kind,
    streams,
    chunks: counter.at,
    lost,
    p50: at(0.5),
    p99: at(0.99),
    cpuPerChunk: ((after.cpuMs - before.cpuMs) * 1000) / counter.at,
    heap: memory.map(({ heapUsed }) => heapUsed),
    rss: memory.map(({ rss }) => rss),
    heapAfter: after.heapUsed,
  };
}

const lines: string[] = [];
function say(line: string): void {
  lines.push(line);
  console.log(line);
}

const amount = (number: number) => number.toLocaleString("en");
say(
  `${amount(streams)} streams of ${amount(chunks)} chunks, one per ${intervalMs} ms and stream; Node ${process.version}, ${cpus().length} cores:`,
);
say("");
const shares = "at 10, 30, 50, 70, 90 %, MB";
const columns = ["chunks", "incomplete streams", "p50, ms", "p99, ms", "CPU per chunk, µs"];
say(`| | ${columns.join(" | ")} | heap ${shares} | heap after, MB | memory of the process ${shares} |`);
say("|---|---:|---:|---:|---:|---:|---|---:|---|");
const megabytes = (...bytes: number[]) => bytes.map((one) => (one / 1e6).toFixed(0)).join(", ");
for (const kind of ["pass-through", "proxy"] as const) {
  if (!values.only.split(",").includes(kind)) continue;
  const found = await run(kind);
  const numbers = [found.p50, found.p99, found.cpuPerChunk].map((one) => one.toFixed(1));
  const sizes = [megabytes(...found.heap), megabytes(found.heapAfter), megabytes(...found.rss)];
  say(`| ${[kind, amount(found.chunks), found.lost, ...numbers, ...sizes].join(" | ")} |`);
}

if (values.write) {
  const page = new URL("../../docs/proxy.md", import.meta.url);
  const [before, after] = ["<!-- bench/proxy -->\n", "<!-- /bench/proxy -->"];
  const text = readFileSync(page, "utf8");
  const [from, to] = [text.indexOf(before) + before.length, text.indexOf(after)];
  if (from < before.length || to < from) throw new Error("docs/proxy.md has no place for the table");
  writeFileSync(page, `${text.slice(0, from)}${lines.join("\n")}\n${text.slice(to)}`);
}
