/**
 * `toolpeg check` over the formats that ship: grammar, warnings, and the standing properties, each with its time. The corpora are the
 * matter of the tests.
 *
 *     npm run check-formats              all of them, some minutes
 *     npm run check-formats -- hermes    some
 */
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { checkGrammar, formatGrammarError, grammarWarnings } from "../src/compiler/index.ts";
import * as engine from "../src/index.ts";
import { checkStanding } from "../src/testing/standing-properties.ts";
import { corpusIds, loadCorpus } from "./corpora.ts";
import { projectRoot } from "./entries.ts";

/** What a check of one grammar may take, in milliseconds, the properties among it. */
const timeMax = 20_000;
const propertiesTimeMax = 15_000;

const load = (path: string) =>
  existsSync(join(projectRoot, path)) ? readFileSync(join(projectRoot, path), "utf8") : undefined;
const wanted = process.argv.slice(2).map((name) => basename(name).replace(/\..*$/, ""));
let faults = 0;
for (const { id } of engine.formats) {
  if (wanted.length > 0 && !wanted.includes(id)) continue;
  const begun = performance.now();
  const path = `grammars/${id}.peggy`;
  const text = load(path) as string;
  const said = checkGrammar(text, { path, load }).map(formatGrammarError);
  const late = grammarWarnings(text, { path, load }).length;
  const { cases, isStale } = corpusIds().includes(id) ? loadCorpus(id) : { cases: [], isStale: false };
  if (isStale) said.push(`generated/${id}.ts is stale: npm run generate`);
  const { failures, cutShort } = checkStanding(engine.formats.get(id), cases, engine, { timeMax: propertiesTimeMax });
  for (const { property, bar, what, text: shown } of failures) {
    said.push(`${property}: ${bar}\n${what}\n\ntext ${JSON.stringify(shown)}`);
  }
  const time = performance.now() - begun;
  if (time > timeMax) said.push(`the check took ${Math.round(time / 1000)} s`);
  faults += said.length;
  const remarks = [
    ...(late > 0 ? [`${late} warnings`] : []),
    ...(cutShort.length > 0 ? [`too little time for ${cutShort.join(", ")}`] : []),
  ];
  console.log(
    `${said.length > 0 ? "fails" : "holds"}  ${id.padEnd(20)} ${(time / 1000).toFixed(1)} s  ${remarks.join("; ")}`,
  );
  for (const one of said) console.log(`\n${one.replace(/^/gm, "  ")}\n`);
}
console.log(faults === 0 ? "all hold" : `${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;
