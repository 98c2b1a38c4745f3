import { describe, expect, test } from "vitest";
import { tools, workloadsOf } from "../bench/workloads.ts";
import { recognisers } from "../generated/recognisers.ts";
import { corpusIds } from "../scripts/corpora.ts";
import { compareRecogniser, readWith } from "./support/recogniser.ts";

// A recogniser is written from the same grammar as the program of the machine. Where it answers, it answers as the machine.

const deep = process.env.TOOLPEG_DEEP === "1";
const seed = Number(process.env.RECOGNISER_SEED ?? 20261122);
const withRecogniser = Object.keys(recognisers);

test("formats of tags have one, formats of JSON have none", () => {
  expect(withRecogniser).toEqual(expect.arrayContaining(["qwen3_coder", "glm45", "morph_xml"]));
  expect(withRecogniser).not.toContain("hermes");
});

test(`the logs are those of the machine, seed ${seed}`, () => {
  const reports = corpusIds()
    .filter((id) => withRecogniser.includes(id))
    .map((id) => compareRecogniser(id, deep ? 200 : 1, seed, deep ? 1 : 4));
  expect(reports.flatMap(({ differences }) => differences)).toEqual([]);
  expect(reports.filter(({ read }) => read === 0)).toEqual([]);
}, 120_000);

describe("sound replies need no machine", () => {
  test.each(["qwen3_coder", "glm45", "morph_xml"] as const)("%s", (format) => {
    for (const { text } of workloadsOf(format).slice(0, 2)) {
      for (const { recognised, machine } of readWith(format, text, tools)) expect(recognised).toEqual(machine);
    }
  });
});
