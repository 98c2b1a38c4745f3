import { describe, expect, test } from "vitest";
import { tools, workloadsOf } from "../bench/workloads.ts";
import { recognisers } from "../generated/recognisers.ts";
import { corpusIds } from "../scripts/corpora.ts";
import { compareRecogniser, readWith } from "./support/recogniser.ts";

// A recogniser is written from the same grammar as the program of the machine. Where it answers, it answers as the machine.

const deep = process.env.TOOLPEG_DEEP === "1";
const seed = Number(process.env.RECOGNISER_SEED ?? 20261122);
const withRecogniser = Object.keys(recognisers);

test("formats of tags have one, and formats of JSON in blocks", () => {
  expect(withRecogniser).toEqual(
    expect.arrayContaining(["qwen3_coder", "glm45", "morph_xml", "hermes", "deepseek_v31", "harmony", "kimi_k2"]),
  );
  // It is one call of Python in brackets, whose values call themselves.
  expect(withRecogniser).not.toContain("pythonic");
});

test(`the logs are those of the machine, seed ${seed}`, () => {
  const reports = corpusIds()
    .filter((id) => withRecogniser.includes(id))
    .map((id) => compareRecogniser(id, deep ? 200 : 1, seed, deep ? 1 : 4));
  expect(reports.flatMap(({ differences }) => differences)).toEqual([]);
  // Of few cases, those may be none that a recogniser reads.
  const readNothing = reports.filter(({ id, read }) => read === 0 && compareRecogniser(id, 0, seed).read === 0);
  expect(readNothing).toEqual([]);
}, 120_000);

describe("sound replies need no machine", () => {
  test.each(["qwen3_coder", "glm45", "morph_xml", "hermes", "deepseek_v31"] as const)("%s", (format) => {
    for (const { text } of workloadsOf(format).slice(0, 2)) {
      const readings = readWith(format, text, tools);
      expect(readings.length).toBeGreaterThan(0);
      for (const { recognised, machine } of readings) expect(recognised).toEqual(machine);
    }
  });
});
