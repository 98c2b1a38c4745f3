/**
 * `toolpeg check` over the formats that ship, with its flags: grammar, warnings, corpus, and the standing properties.
 *
 *     npm run check-formats              all of them, some minutes
 *     npm run check-formats -- hermes    some
 *     npm run corpus                     the same without the properties
 *     npm run corpus -- hermes --write   writes what the engine gives into cases that expect nothing yet
 */
import { basename } from "node:path";
import { main } from "../src/cli/main.ts";
import { processTerminal } from "../src/cli/terminal.ts";
import * as engine from "../src/index.ts";
import { projectRoot } from "./entries.ts";

const given = process.argv.slice(2);
const flags = given.filter((arg) => arg.startsWith("--"));
const wanted = given.filter((arg) => !flags.includes(arg)).map((name) => basename(name).replace(/\..*$/, ""));
const ids = wanted.length > 0 ? wanted : [...engine.formats].map(({ id }) => id);
process.chdir(projectRoot);
const args = ["check", ...flags, ...ids.map((id) => `grammars/${id}.peggy`)];
process.exitCode = await main(args, engine, processTerminal(args), "check-formats");
