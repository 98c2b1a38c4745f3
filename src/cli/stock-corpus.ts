import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadShippedGrammar } from "../compiler/index.ts";
import type { Format } from "../formats/format.ts";
import { type StockCorpus, stockCorpus } from "../testing/stock-cases.ts";
import type { CliEngine } from "./engine.ts";
import type { Terminal } from "./terminal.ts";

/** Named sets of tools: those that ship with toolpeg, and those that lie beside a grammar. */
export function toolSetsBeside(path: string): Record<string, unknown> {
  const shipped = JSON.parse(loadShippedGrammar("toolpeg/shared/tools.json") ?? "{}");
  for (const name of ["tools.json", "shared/tools.json"]) {
    const file = join(dirname(path), name);
    if (existsSync(file)) return { ...shipped, ...JSON.parse(readFileSync(file, "utf8")) };
  }
  return shipped;
}

/** The cases that every format should have, for the grammar at a path. What does not hold for it is reported. */
export function printStockCorpus(
  format: Format,
  path: string,
  engine: CliEngine,
  { err, errColours }: Terminal,
): StockCorpus {
  const corpus = stockCorpus(format, engine, toolSetsBeside(path));
  for (const { title, why } of corpus.left) {
    err(
      `${errColours.yellow("note")}: left out, since it does not hold of this format: ${title}\n      found: ${why}\n`,
    );
  }
  return corpus;
}
