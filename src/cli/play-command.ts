import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { Command, InvalidArgumentError } from "commander";
import type { CliEngine } from "./engine.ts";
import { exitStatus } from "./exit-status.ts";
import type { Terminal } from "./terminal.ts";
import { stopAsked } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

interface PlayFlags {
  port: number;
  output?: string;
}

const examples = `
The page holds everything: nothing is sent anywhere, and it works from a file or from any static host.

Examples:
  toolpeg play
  toolpeg play -o play.html

Exit status:
  0  stopped, or written
  2  the command is not as it should be, or the port is taken; a message says what to do`;

/** Where the page lies, seen from the built command, from one of its chunks, and from this source. */
const places = ["./play.html", "../play.html", "../../dist/play.html"];

/** `toolpeg play`: a page to look at replies and grammars. */
export function playCommand(_engine: CliEngine, terminal: Terminal, finish: (status: number) => void): Command {
  return new Command("play")
    .description("a page to see how a reply is read, and to try a grammar")
    .option("-p, --port <number>", "where to listen", portOf, 8090)
    .option("-o, --output <file>", "write the page there instead of serving it")
    .addHelpText("after", examples)
    .action(async ({ port, output }: PlayFlags) => {
      const page = await readPage();
      if (output === undefined) await serve(page, port, terminal);
      else {
        await writeFile(output, page).catch((error: Error) => {
          throw new UsageError(`${output} cannot be written: ${error.message}`);
        });
      }
      finish(exitStatus.calls);
    });
}

async function readPage(): Promise<Buffer> {
  const found = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path));
  if (found === undefined) throw new UsageError("the page is not built", "in a checkout: npm run build:play");
  return readFile(found);
}

/** Serves the one page, on this machine only, until Ctrl-C. */
async function serve(page: Buffer, port: number, terminal: Terminal): Promise<void> {
  const server = createServer((request, response) => {
    const isPage = request.url === "/" || request.url?.startsWith("/?") || request.url === "/index.html";
    const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
    if (isPage) response.writeHead(200, headers).end(request.method === "HEAD" ? undefined : page);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EADDRINUSE") throw new UsageError(`port ${port} is taken`, "choose another with --port");
    throw new UsageError(error.message);
  });
  const { port: taken } = server.address() as { port: number };
  terminal.err(`${terminal.errColours.green("open")} http://127.0.0.1:${taken}/  (Ctrl-C stops)\n`);
  await stopAsked();
  server.closeAllConnections();
  server.close();
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("It is no port.");
}
