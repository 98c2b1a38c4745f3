/**
 * `npm run readme-table` writes the table of formats between the markers of README.md, from the registry;
 * `-- --check` only compares, and fails when the table is stale.
 */
import { formats } from "../src/index.ts";
import { corpusIds, loadCorpus } from "./corpora.ts";
import { updatePart } from "./made-files.ts";

interface Row {
  id: string;
  example: string;
  models: readonly string[];
  aliases: readonly string[];
  cases: number;
}

/** A table is read at a glance: an example line longer than this says no more. */
const exampleCharsMax = 72;
const modelsShown = 3;

updatePart("README.md", ["<!-- formats:start -->", "<!-- formats:end -->"], table(rows()), "npm run readme-table");

function rows(): Row[] {
  const withCorpus = new Set(corpusIds());
  return [...formats].map(({ id, models, aliases, example }) => ({
    id,
    example: clipped(example),
    models,
    aliases,
    cases: withCorpus.has(id) ? loadCorpus(id).cases.length : 0,
  }));
}

function clipped(example: string): string {
  const line = example.trim().replace(/\n\s*/g, " ");
  return line.length <= exampleCharsMax ? line : `${line.slice(0, exampleCharsMax)}...`;
}

function table(all: readonly Row[]): string {
  const lines = all.map(({ id, example, models, aliases, cases }) => {
    const named = [...new Set(models.map((model) => model.split("/").at(-1)))];
    const shown = named.slice(0, modelsShown);
    const more = named.length > modelsShown ? ", ..." : "";
    const cells = [`\`${id}\``, code(example), `${shown.join(", ")}${more}`, aliases.join(", "), String(cases)];
    return `| ${cells.join(" | ")} |`;
  });
  const cases = all.reduce((sum, row) => sum + row.cases, 0);
  const summary = `${all.length} formats, each one grammar file; ${cases} cases in their corpora`;
  const head = ["| format | how it looks | models | also called | cases |", "|---|---|---|---|---:|"];
  // Folded, or the table would push what is refused and the limits below the fold.
  return [`<details><summary>${summary}</summary>`, "", ...head, ...lines, "", "</details>"].join("\n");
}

/** Inline code that holds anything: more backticks round it than in it, and no bar that would end the cell. */
function code(text: string): string {
  if (text === "") return "";
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 ? " " : "";
  return `${fence}${pad}${text.replaceAll("|", "\\|")}${pad}${fence}`;
}
