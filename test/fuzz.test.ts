/** A short run of the fuzzer with fixed seeds, and its findings of the past. */
import { expect, test } from "vitest";
import { check, type FuzzInput, fuzz, makeInput, minimise, printFinding } from "../scripts/fuzzing.ts";

test("two thousand texts hold what any text must hold", () => {
  const { tried, findings } = fuzz(1, 2000);
  expect(tried).toBe(2000);
  expect(findings.map(printFinding)).toEqual([]);
});

test("a seed stands for one input", () => {
  expect(makeInput(77)).toEqual(makeInput(77));
  expect(makeInput(77)).not.toEqual(makeInput(78));
});

test("a finding is made small and printed as a case", () => {
  const input: FuzzInput = { formats: ["hermes"], phase: "parse", text: "abc", cuts: [1, 2] };
  expect(minimise(input, "nothing fails like this")).toEqual(input);
  expect(printFinding({ ...input, seed: 3, what: "content" })).toContain("=== found by fuzzing, seed 3");
});

const found: readonly [what: string, formats: string[], text: string][] = [
  [
    "a list read again ends inside a call that has been delivered",
    ["sarashina"],
    "<|tool_calls|>[{'name': 'set_dial', 'arguments': {'locked': True}}, 'name': 'read_dial', 'arguments': {}}]",
  ],
  [
    "a list read again ends before the call that has started",
    ["sarashina"],
    "<|tool_calls|>[{'':'','':'','':{'':'','':7,'':True,'':['' '']}},{'name':'read_dial','arguments':'']",
  ],
  [
    "text behind damage, where another format goes on",
    ["selectools", "deepseek_v31"],
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>l<｜tool▁sep｜>""3<｜tool▁calls▁end｜>',
  ],
  [
    "a winner that is damaged in the chunk in which it wins",
    ["rwkv", "dsml"],
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="read_dial">\n<｜DSML｜parameter name="dial" string=="true">n</｜DSML｜parameter>\n',
  ],
];

test.each(found)("found before: %s", (_what, formats, text) => {
  for (const phase of ["parse", "extract"] as const) {
    for (const size of [1, 2, 7]) {
      const cuts = Array.from({ length: Math.floor(text.length / size) }, (_, at) => at * size);
      expect(check({ formats, phase, text, cuts })).toBeUndefined();
    }
  }
});
