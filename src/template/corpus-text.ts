import type { Format } from "../formats/format.ts";
import { checkCase, runOf } from "../testing/check-case.ts";
import { readCorpus } from "../testing/read-corpus.ts";
import { writeExpectation } from "../testing/write-expectation.ts";
import * as engine from "../toolpeg.ts";
import { probeTools } from "./probes.ts";
import type { WrittenProbe } from "./write-turn.ts";

/** A case of the corpus before its outcome is filled in. */
interface Case {
  title: string;
  prefill: string;
  text: string;
  tools: readonly string[];
}

/**
 * The corpus of a format that was made from a template: the probes that it reads, and a reply that is cut.
 *
 * @throws CaseFailure where a case does not hold in every way of cutting it
 */
export function corpusText(format: Format, read: readonly WrittenProbe[], call: string): string {
  const cases: Case[] = read.map(({ probe, prefill, text }) => ({
    title: titles[probe.name] ?? probe.name,
    prefill,
    text,
    tools: probe.calls.map(({ name }) => name),
  }));
  // A value is cut, or the name where there is none.
  const cut = call.slice(0, Math.max(1, call.lastIndexOf("Winter") + 3));
  cases.push({ title: "a reply cut inside a value yields no call", prefill: "", text: cut, tools: ["find_ferry"] });
  let text = cases.map(caseText).join("\n");
  // Each case moves those behind it, so they are read anew.
  for (let index = 0; index < cases.length; index++) {
    const example = readCorpus(text, "the corpus")[index];
    text = writeExpectation(text, example, runOf(example, engine, format).whole(example.text));
  }
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

function caseText({ title, prefill, text, tools }: Case): string {
  const offered = probeTools.filter(({ name }) => tools.includes(name));
  const lines = text
    .split("\n")
    .map((line) => (/[\0-\x08\x0b-\x1f\x7f]/.test(line) ? JSON.stringify(line) : `|${line}`));
  return [
    `=== ${title}`,
    "from:  written by the model's chat template",
    `tools: ${JSON.stringify(offered)}`,
    ...(prefill === "" ? [] : [`prefill: ${JSON.stringify(prefill)}`]),
    ...lines,
    "calls: none",
    "",
  ].join("\n");
}
