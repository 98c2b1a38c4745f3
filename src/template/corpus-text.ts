import type { Format } from "../formats/format.ts";
import { checkCase } from "../testing/check-case.ts";
import { readCorpus } from "../testing/read-corpus.ts";
import { fillOpenCases, type OpenCase, openCaseText } from "../testing/write-expectation.ts";
import { createExtractor, createParser, extract, parse } from "../toolpeg.ts";
import { probeTools } from "./probes.ts";
import type { WrittenProbe } from "./write-turn.ts";

const engine = { parse, createParser, extract, createExtractor };

/**
 * The corpus of a format that was made from a template: the probes that it reads, and a reply that is cut.
 *
 * @throws CaseFailure where a case does not hold in every way of cutting it
 */
export function corpusText(format: Format, read: readonly WrittenProbe[], call: string): string {
  const from = "written by the model's chat template";
  const offered = (names: readonly string[]) => probeTools.filter(({ name }) => names.includes(name));
  const cases: OpenCase[] = read.map(({ probe, prefill, text }) => ({
    title: titles[probe.name] ?? probe.name,
    from,
    prefill,
    text,
    tools: offered(probe.calls.map(({ name }) => name)),
  }));
  // A value is cut, or the name where there is none.
  const cut = call.slice(0, Math.max(1, call.lastIndexOf("Winter") + 3));
  const title = "a reply cut inside a value yields no call";
  cases.push({ title, from, text: cut, tools: offered(["find_ferry"]) });
  const { text } = fillOpenCases(cases.map(openCaseText).join("\n"), "the corpus", format, engine);
  for (const example of readCorpus(text, "the corpus")) {
    checkCase(example, engine, { format, cutsMax: 60, randomPartitions: 2 });
  }
  return text;
}

const titles: Record<string, string> = {
  "every type": "every type of value is read",
  "no arguments": "a call without arguments",
  "several calls": "several calls in one reply",
  "text before": "text, then a call",
  reasoning: "reasoning, then a call",
  "digits in a string": "digits in a string stay a string",
  quotes: "quotes and backslashes are part of a string",
  lines: "line breaks are part of a string",
  markup: "markup is part of a string",
  markers: "markers of the format in a string are text",
};
