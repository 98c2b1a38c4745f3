/** A short run of the fuzzer with fixed seeds, and its findings of the past. */
import { expect, test } from "vitest";
import { check, type FuzzInput, fuzz, makeInput, minimise, printFinding } from "../scripts/fuzzing.ts";

test("a thousand texts hold what any text must hold", () => {
  const { tried, findings } = fuzz(1, 1000);
  expect(tried).toBe(1000);
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

const found: readonly [what: string, formats: string[] | "auto", text: string][] = [
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
    "text after damage, where another format goes on",
    ["selectools", "deepseek_v31"],
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>l<｜tool▁sep｜>""3<｜tool▁calls▁end｜>',
  ],
  [
    "a winner that is damaged in the chunk in which it wins",
    ["rwkv", "dsml"],
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="read_dial">\n<｜DSML｜parameter name="dial" string=="true">n</｜DSML｜parameter>\n',
  ],
  [
    "a key longer than any look-ahead, after a quote inside a value",
    ["kimi_k2"],
    `<|tool_calls_section_begin|><|tool_call_begin|>f:0<|tool_call_argument_begin|>{""""}","${"k".repeat(257)}<|tool_call_end|>`,
  ],
  [
    "an opener that no format takes, in front of one that is cut off",
    ["hyperclovax_14b", "pangu"],
    '<|tool_call_start|>[{""\': "read_dial", "arguments"", "site": "hillside"}}]<|tool_call_end|>no_dial-> tool/function_call<|tool_call_start|>[{"name": "list_dials", "  -> tool/function_call\n[{"name": "read_dial", "arguments": {"dial": "north7", "site": "hillside"}}, {"name": "list_di',
  ],
  [
    "an opener that holds another",
    ["ambi", "selectools"],
    `${"The dial is read at noon. ".repeat(3)}[TOOL_CALL]{"name": "list_dials", "args": {}}[/TOOL_CALL]`,
  ],
  ["a call after one that is pending until its list ends", "auto", "<function_calls>\nl_dials()al(dia"],
  [
    "what follows the place where text contradicts a call, in the same piece",
    ["selectools"],
    'TOOL_CALL{"tool_name":"read_dial","l":"","":""}}TOOL_CALL{tool:read_dial,r:""}l":"}TOOL_CALL{""{}}e"}',
  ],
  ["what begins as a call after an opener like it that opens none", ["react"], "e}{}ActionAction:r"],
  [
    "the opener of an argument after a call that is pending and an opener that opens no call",
    ["minicpm5"],
    '}<function name="read_dial"><param name="l"></param</function><function <param name="marks"',
  ],
];

test.each(found)("found before: %s", (_what, formats, text) => {
  const partitions = [1, 2, 7].map((size) =>
    Array.from({ length: Math.floor(text.length / size) }, (_, at) => at * size),
  );
  for (let cut = 1; cut < text.length; cut += 3) partitions.push([cut]);
  for (const phase of ["parse", "extract"] as const) {
    for (const cuts of partitions) expect(check({ formats, phase, text, cuts })).toBeUndefined();
  }
});
