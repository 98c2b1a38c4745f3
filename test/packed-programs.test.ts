/** What ships is what the grammars compiled to, written shorter. */
import { describe, expect, test } from "vitest";
import { message } from "../generated/message.ts";
import { classText, complement, union } from "../src/compiler/analyse/char-set.ts";
import { packProgram } from "../src/compiler/emit/pack-program.ts";
import { defineFormat } from "../src/formats/define-format.ts";
import { formats, parse } from "../src/index.ts";
import { blankRanges, type Program, rangesOf } from "../src/machine/program.ts";
import { unpackProgram } from "../src/machine/unpack-program.ts";

const programs: [string, Program][] = [
  ["message", message()],
  ...[...formats].map(({ id, program }): [string, Program] => [id, program]),
];

test.each(programs)("the program of %s comes back from its text", (_, program) => {
  expect(unpackProgram(packProgram(program))).toEqual(program);
});

describe("numbers", () => {
  const program: Program = { ...message(), syncPoints: [], tables: [] };

  test.each([0, 1, 63, 64, 155, 156, 2455, 2456, 65535, 778_687, -1, -64, -778_687])("%i comes back", (value) => {
    const code = [["rule", value, value, 7]] as const;
    expect(unpackProgram(packProgram({ ...program, code })).code).toEqual(code);
  });

  test("one that is too large is an error of the build", () => {
    expect(() => packProgram({ ...program, code: [["rule", 778_688]] })).toThrow("778688");
  });

  test("are printable, and need no escape but one", () => {
    for (const [, one] of programs) expect(packProgram(one).split("\n")[0]).toMatch(/^[#-~]*$/);
  });
});

describe("a set comes back from how it is written", () => {
  const units = [..."\0\t -\\^]az\ud800\uffff"].map((unit) => unit.charCodeAt(0)).sort((left, right) => left - right);
  const sets = [
    [],
    blankRanges,
    ...units.map((unit) => [unit, unit]),
    ...units.slice(1).map((unit, at) => [units[at], unit]),
  ];
  const all = sets.flatMap((left) => sets.map((right) => union(left, right)));

  test.each([
    ["written out", all],
    ["by what it leaves out", all.map(complement)],
  ])("%s", (_, written) => {
    for (const set of written) expect(complement(rangesOf(classText(set))), classText(set)).toEqual(complement(set));
  });
});

test("a format whose program is text reads, and unpacks it once", () => {
  const hermes = formats.get("hermes");
  const packed = defineFormat({ ...hermes, program: packProgram(hermes.program) });
  expect(packed.program).toBe(packed.program);
  const text = '<tool_call>{"name": "read_dial", "arguments": {"dial": "north"}}</tool_call>';
  const tools = [{ name: "read_dial", parameters: { type: "object", properties: { dial: { type: "string" } } } }];
  expect(parse(text, { format: packed, tools })).toEqual(parse(text, { format: hermes, tools }));
  expect(packed.renderCall({ name: "read_dial", arguments: { dial: "north" } })).toBe(
    hermes.renderCall({ name: "read_dial", arguments: { dial: "north" } }),
  );
});
