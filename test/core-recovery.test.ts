import { parse } from "toolpeg/core";
import { hermes } from "toolpeg/formats/hermes";
import { recovery } from "toolpeg/recovery";
import { expect, test } from "vitest";

const text = `<tool_call>{"name": "read_dial", "arguments": {"dial": 'north',}}</tool_call>`;
const options = { format: hermes, tools: [{ name: "read_dial" }], policy: { schema: "off" as const } };

test("the core repairs what it is given recovery for, and nothing otherwise", () => {
  const { calls } = parse(text, { ...options, recovery });
  expect(calls).toMatchObject([{ name: "read_dial", arguments: { dial: "north" } }]);
  expect(calls[0].repairs.map(({ kind }) => kind)).toContain("quote-style");
  expect(parse(text, options)).toMatchObject({ calls: [], rejected: [{ reason: "malformed" }] });
});
