/**
 * `npm run demo`: reads the replies in examples/replies with the command line tool, from source, and shows each command
 * as one would type it. A file is named for its format: `hermes.refused.txt`.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { main } from "../src/cli/main.ts";
import { processTerminal } from "../src/cli/terminal.ts";
import * as engine from "../src/index.ts";
import { projectRoot } from "./entries.ts";

const folder = "examples/replies";
const terminal = processTerminal(process.argv.slice(2));
process.chdir(projectRoot);
for (const file of readdirSync(join(projectRoot, folder))
  .filter((name) => name.endsWith(".txt"))
  .sort()) {
  const format = file.split(".")[0];
  const args = ["parse", `${folder}/${file}`, "--format", format, "--tools", `${folder}/tools.json`];
  terminal.out(`${terminal.colours.dim(`$ toolpeg ${args.join(" ")}`)}\n\n`);
  // Refused calls are part of the show; only a command that could not run is a failure.
  if ((await main(args, engine, terminal, "demo")) === 2) process.exitCode = 1;
}
