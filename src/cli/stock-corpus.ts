import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadShippedGrammar } from "../compiler/index.ts";
import { isObject } from "../contract/is-object.ts";
import type { Format } from "../formats/format.ts";
import { type StockCorpus, stockCorpus } from "../testing/stock-cases.ts";
import { prepareTools } from "../validation/tools.ts";
import type { CliEngine } from "./engine.ts";
import type { Terminal } from "./terminal.ts";
import { jsonFrom, UsageError } from "./usage-error.ts";

/** Where named sets of tools may lie beside a grammar: the first that is there counts. */
export function toolSetPaths(path: string): string[] {
  return ["tools.json", "shared/tools.json"].map((name) => join(dirname(path), name));
}

/** Named sets of tools: those that ship with toolpeg, and those that lie beside a grammar. */
export function toolSetsBeside(path: string): Record<string, unknown> {
  const shipped = JSON.parse(loadShippedGrammar("toolpeg/shared/tools.json") ?? "{}");
  const file = toolSetPaths(path).find((candidate) => existsSync(candidate));
  return file === undefined ? shipped : { ...shipped, ...readToolSets(file) };
}

function readToolSets(file: string): Record<string, unknown> {
  const help = 'it holds sets of tools by name: {"bells": [{"name": "ring", "parameters": {"type": "object"}}]}';
  const sets = jsonFrom(readFileSync(file, "utf8"), file, help);
  if (!isObject(sets)) throw new UsageError(`${file} is no object`, help);
  for (const [name, tools] of Object.entries(sets)) {
    if (name.startsWith("$")) continue;
    if (!Array.isArray(tools)) throw new UsageError(`${file}: the set ${JSON.stringify(name)} is no array`, help);
    try {
      prepareTools(tools);
    } catch (error) {
      throw new UsageError(`${file}: the set ${JSON.stringify(name)}: ${(error as Error).message}`, help);
    }
  }
  return sets;
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
