/** The corpora of a few formats that differ: JSON in tags, values in tags, labels, Python, delimited maps, channels. */
import * as engine from "../../src/index.ts";
import { testCorpus } from "../../src/testing/test-corpus.ts";
import { loadCorpus, readKnownFailures } from "../corpora.ts";

const known = readKnownFailures();
for (const id of ["hermes", "qwen3_coder", "react", "pythonic", "gemma4", "harmony"]) {
  const { cases, facts } = loadCorpus(id);
  testCorpus(id, cases, engine, facts, known);
}
