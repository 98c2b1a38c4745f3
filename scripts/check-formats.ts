/**
 * `toolpeg check` over the formats that ship: grammar, warnings, corpus, and the standing properties.
 *
 *     npm run check-formats              all of them, some minutes
 *     npm run check-formats -- hermes    some
 */
import { basename } from "node:path";
import { main } from "../src/cli/main.ts";
import { processTerminal } from "../src/cli/terminal.ts";
import * as engine from "../src/index.ts";
import { projectRoot } from "./entries.ts";

const wanted = process.argv.slice(2).map((name) => basename(name).replace(/\..*$/, ""));
const ids = wanted.length > 0 ? wanted : [...engine.formats].map(({ id }) => id);
process.chdir(projectRoot);
const args = ["check", ...ids.map((id) => `grammars/${id}.peggy`)];
process.exitCode = await main(args, engine, processTerminal(args), "check-formats");
