import { describe, expect, it } from "vitest";
import { worstCases } from "../bench/recovery/worst-cases.ts";
import { RepairReader, repairJson, ValueBuilder } from "../src/json-repair/index.ts";

const sizes = [500, 5_000, 25_000];

/** Characters examined per character of the text, look-ahead included. */
function cost(text: string, chunk: number): number {
  const reader = new RepairReader(new ValueBuilder(), { ends: ["</tool_call>", "<|im_end|>"] });
  for (let at = 0; at < text.length; at += chunk) reader.push(text.slice(at, at + chunk));
  reader.finish(false);
  expect(reader.state).not.toBe("reading");
  return reader.steps / text.length;
}

/** The same for a whole text, with its strict parts read natively, and with all guesses. */
function costWhole(text: string, shortComments: boolean): number {
  const builder = new ValueBuilder();
  const onStrictPart = (value: unknown): void => builder.add(value);
  const reader = new RepairReader(builder, { onStrictPart, generous: true, shortComments });
  reader.push(text);
  reader.finish(false);
  return reader.steps / text.length;
}

/** The same for every reading that `repairJson` makes of a text, with everything allowed. */
function costOfAll(text: string): number {
  const { finish } = RepairReader.prototype;
  let steps = 0;
  RepairReader.prototype.finish = function (this: RepairReader, final: boolean): void {
    finish.call(this, final);
    steps += this.steps;
  };
  try {
    repairJson(text, { final: true, several: "array", bareText: true });
  } finally {
    RepairReader.prototype.finish = finish;
  }
  return steps / text.length;
}

const names = worstCases(1).map(([name]) => name);
const textsBySize = sizes.map((size) => new Map(worstCases(size)));

describe("linear time, counted in characters examined", () => {
  it.each(names)("%s", (name) => {
    const texts = textsBySize.map((cases) => cases.get(name) as string);
    for (const text of texts) {
      expect(cost(text, text.length)).toBeLessThan(12);
      expect(costWhole(text, false)).toBeLessThan(16);
      expect(costWhole(text, true)).toBeLessThan(16);
      expect(costOfAll(text)).toBeLessThan(24);
    }
    expect(cost(texts[1], 1)).toBeLessThan(40);
    expect(cost(texts[2], 1000)).toBeLessThan(40);
  });
});
