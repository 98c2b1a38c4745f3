/** The corpora of the project, each with what the standing properties need to know of its grammar. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { formats } from "../src/index.ts";
import type { FormatFacts } from "../src/testing/properties.ts";
import { type CorpusCase, readCorpus } from "../src/testing/read-corpus.ts";
import { factsOf as factsOfFormat } from "../src/testing/samples.ts";
import { projectRoot } from "./entries.ts";

export interface Corpus {
  /** Id of the format: the name of the file. */
  id: string;
  /** Path from the project, for messages. */
  path: string;
  cases: CorpusCase[];
  facts: FormatFacts;
}

const ending = ".corpus.txt";

/** The ids of the formats that have a corpus, sorted. */
export function corpusIds(): string[] {
  return readdirSync(join(projectRoot, "grammars"))
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort();
}

export function loadCorpus(id: string): Corpus {
  const path = `grammars/${id}${ending}`;
  const toolSets = JSON.parse(readFileSync(join(projectRoot, "grammars/shared/tools.json"), "utf8"));
  const cases = readCorpus(readFileSync(join(projectRoot, path), "utf8"), path, { toolSets });
  return { id, path, cases, facts: factsOf(id) };
}

/** What a grammar says that bears on where a call may stand. */
const factsOf = (id: string): FormatFacts =>
  [...formats].some((format) => format.id === id) ? factsOfFormat(formats.get(id)) : { format: id };

/** Cases that are known to fail, as lines `id: title`; `#` begins a remark. */
export function readKnownFailures(): Set<string> {
  const text = readFileSync(join(projectRoot, "test/corpus-known-failures.txt"), "utf8");
  return new Set(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "" && !line.startsWith("#")),
  );
}
