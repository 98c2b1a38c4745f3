import { describe, expect, it } from "vitest";
import { worstCases } from "../bench/recovery/worst-cases.ts";
import { RepairReader, ValueBuilder } from "../src/json-repair/index.ts";

const length = 1e5;

/** Characters examined per character of the text, look-ahead included. */
function cost(text: string, chunk: number): number {
  const reader = new RepairReader(new ValueBuilder(), { ends: ["</tool_call>", "<|im_end|>"] });
  for (let at = 0; at < text.length; at += chunk) reader.push(text.slice(at, at + chunk));
  reader.finish(false);
  expect(reader.state).not.toBe("reading");
  return reader.steps / text.length;
}

/** The same for a whole text, with its strict parts read natively. */
function costWhole(text: string): number {
  const builder = new ValueBuilder();
  const reader = new RepairReader(builder, { onStrictPart: (value) => builder.add(value) });
  reader.push(text);
  reader.finish(false);
  return reader.steps / text.length;
}

describe("linear time, counted in characters examined", () => {
  it.each(worstCases(length))("%s", (_, text) => {
    expect(cost(text, text.length)).toBeLessThan(12);
    expect(cost(text.slice(0, length / 10), 1)).toBeLessThan(40);
    expect(cost(text, 1000)).toBeLessThan(40);
    expect(costWhole(text)).toBeLessThan(16);
  });
});
