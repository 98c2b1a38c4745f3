/**
 * Runs corpora without the test runner, and fills in one expectation.
 *
 *     npm run corpus                             every corpus
 *     npm run corpus -- hermes                   one of them, by id or file
 *     npm run corpus -- --write "the title"      writes what the engine gives into that case; read it before you commit
 */
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { nearestName } from "../src/contract/suggest.ts";
import * as engine from "../src/index.ts";
import { checkCase, runOf } from "../src/testing/check-case.ts";
import { writeExpectation } from "../src/testing/write-expectation.ts";
import { type Corpus, corpusIds, loadCorpus, readKnownFailures } from "./corpora.ts";
import { projectRoot } from "./entries.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: "string" } } });
const known = corpusIds();
const ids = positionals.length === 0 ? known : positionals.map((name) => basename(name).replace(/\.corpus\.txt$/, ""));
for (const id of ids) {
  if (!known.includes(id)) {
    const near = nearestName(id, known);
    stop(`there is no grammars/${id}.corpus.txt${near ? `; did you mean ${near}?` : ""}`);
  }
}
if (values.write === undefined) run();
else write(values.write);

function run(): void {
  const failures = readKnownFailures();
  let failed = 0;
  let passed = 0;
  const corpora = ids.map((id) => loadCorpus(id));
  refuseStale(corpora);
  for (const corpus of corpora) {
    for (const example of corpus.cases) {
      const expected = failures.has(`${corpus.id}: ${example.title}`);
      try {
        checkCase(example, engine, corpus.facts);
        passed++;
        if (expected) console.log(`passes now, take it off the known failures: ${corpus.id}: ${example.title}\n`);
      } catch (error) {
        if (expected) continue;
        failed++;
        console.log(`${error instanceof Error ? error.message : String(error)}\n`);
      }
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

function write(title: string): void {
  const corpora = ids.map((id) => loadCorpus(id, true));
  refuseStale(corpora);
  const found = corpora.flatMap((corpus) =>
    corpus.cases.filter((example) => example.title === title).map((example) => ({ corpus, example })),
  );
  if (found.length === 0) {
    const titles = corpora.flatMap((corpus) => corpus.cases.map((example) => example.title));
    const near = nearestName(title, titles);
    stop(`no case is called "${title}"${near ? `; did you mean "${near}"?` : ""}`);
  }
  if (found.length > 1) {
    const places = found.map(({ corpus }) => corpus.path).join(", ");
    stop(`"${title}" stands in ${places}: name the file too, npm run corpus -- FILE --write TITLE`);
  }
  fill(found[0].corpus, found[0].example);
}

function fill(corpus: Corpus, example: Corpus["cases"][number]): void {
  const path = join(projectRoot, corpus.path);
  const result = runOf(example, engine, corpus.facts.format).whole(example.text);
  writeFileSync(path, writeExpectation(readFileSync(path, "utf8"), example, result));
  const rows = readFileSync(path, "utf8")
    .split("\n")
    .slice(example.line - 1);
  const length = rows.findIndex((row, index) => index > 0 && row.startsWith("==="));
  console.log(
    rows
      .slice(0, length < 0 ? rows.length : length)
      .join("\n")
      .trimEnd(),
  );
  console.log(`\nwritten to ${corpus.path}:${example.line}; is that what a reader of the text would expect?`);
}

/** The cases are read by what is generated: a module of another text of its grammar would answer for that one. */
function refuseStale(corpora: readonly Corpus[]): void {
  const stale = corpora.filter(({ isStale }) => isStale()).map(({ id }) => `generated/${id}.ts`);
  if (stale.length > 0) stop(`stale: ${stale.join(", ")}; run: npm run generate`);
}

function stop(message: string): never {
  console.error(`corpus: ${message}`);
  process.exit(2);
}
