#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { isBatchWorker, runBatchWorker } from "./batch/worker.ts";
import { exitStatus } from "./exit-status.ts";
import { main } from "./main.ts";
import { processTerminal } from "./terminal.ts";

// With recognisers, as programs get the library in Node. In this way they stay in the file of that entry.
const engine = await import("../index-node.ts");

// The command starts itself again as a worker thread: one file is all there is to find.
if (isBatchWorker()) await runBatchWorker(engine);
else await runMain();

async function runMain(): Promise<void> {
  // A reader that has seen enough (`| head`) is no error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(exitStatus.calls);
    process.stderr.write(`toolpeg: standard output cannot be written: ${error.message}\n`);
    process.exit(exitStatus.misuse);
  });
  const args = process.argv.slice(2);
  process.exitCode = await main(args, engine, processTerminal(args, new URL(import.meta.url)), packageVersion());
}

/** Found beside the built file in dist/, or two folders above the source. */
function packageVersion(): string {
  for (const path of ["../package.json", "../../package.json"]) {
    try {
      const found = JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
      if (found.name === "toolpeg") return found.version;
    } catch {
      // The other place has it.
    }
  }
  return "unknown";
}
