/** Corpus cases as an adapter meets them: a text, options, and what `parse` makes of it. */
import { corpusIds, loadCorpus } from "../../scripts/corpora.ts";
import { type ParseOptions, type ParseResult, parse } from "../../src/index.ts";

export { oddChunks } from "./odd-chunks.ts";

export interface CorpusRun {
  name: string;
  text: string;
  options: ParseOptions;
  whole: ParseResult;
}

/** JSON between markers, a name before JSON, tags, bare JSON: an adapter that carries these carries the others. */
const carried = ["hermes", "deepseek_v31", "qwen3_coder", "llama3_json"];

let runs: readonly CorpusRun[] | undefined;

/** Every case that names tools, of a few formats that differ. */
export const corpusRuns = (): readonly CorpusRun[] => (runs ??= readRuns());

function readRuns(): CorpusRun[] {
  const ids = corpusIds().filter((id) => carried.includes(id));
  return ids.flatMap((format) =>
    loadCorpus(format).cases.flatMap((example) => {
      const { title, text, tools, prefill, intent, policy, finishReason, marker } = example;
      if (tools === undefined) return [];
      const options = { format, tools, prefill, intent, policy, finishReason, marker } as ParseOptions;
      return [{ name: `${format}: ${title}`, text, options, whole: parse(text, options) }];
    }),
  );
}
