/** Visible text, tidied: the blank lines that calls leave behind are gone, nothing else is. */
import { describe, expect, test } from "vitest";
import { cleanContent, formats, parse } from "../src/index.ts";

const calls = formats.get("anthropic_xml").renderCall({ name: "read_dial", arguments: { dial: "north" } });

describe("cleanContent", () => {
  test("closes the gap that a call leaves between two paragraphs", () => {
    const reply = `I'll look.\n\n${calls}\n\n\nIt is calm.\n`;
    const { content } = parse(reply, { format: "anthropic_xml", tools: [{ name: "read_dial" }] });
    expect(content).toBe("I'll look.\n\n\n\n\nIt is calm.\n");
    expect(cleanContent(content)).toBe("I'll look.\n\nIt is calm.");
  });

  test.each([
    ["", ""],
    [" \n\t\n", ""],
    ["one", "one"],
    ["one\ntwo", "one\ntwo"],
    ["one\n\ntwo", "one\n\ntwo"],
    ["one\n\n\ntwo", "one\n\ntwo"],
    ["one\n \n\t\n\r\ntwo", "one\n\ntwo"],
    ["one\r\n\r\n\r\n\r\ntwo", "one\r\n\r\ntwo"],
    ["\n\n  one  \n\n", "one"],
    ["one  two", "one  two"],
    ["- a\n  - b  \n\n\n- c", "- a\n  - b  \n\n- c"],
    ["see\n```\na\n\n\n\nb\n```\n\n\n\nend", "see\n```\na\n\n\n\nb\n```\n\nend"],
    ["````\n```\n\n\n\n```\n````\n\n\nend", "````\n```\n\n\n\n```\n````\n\nend"],
    ["~~~ts\na\n\n\nb", "~~~ts\na\n\n\nb"],
  ])("%j becomes %j", (text, expected) => {
    expect(cleanContent(text)).toBe(expected);
    expect(cleanContent(expected)).toBe(expected);
  });

  test("a million blank lines take a moment, not a minute", () => {
    const start = performance.now();
    expect(cleanContent(`a${"\n \t".repeat(1_000_000)}\nb`)).toBe("a\n\nb");
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
