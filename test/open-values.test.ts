/** A raw value that nothing closes swallows no whole call: each behind it is listed, and text between them stays. */
import { describe, expect, test } from "vitest";
import { createParser, formats, parse } from "../src/index.ts";
import { floodCost, floodStepsMax } from "../src/testing/floods.ts";
import { difference, observe } from "../src/testing/observe.ts";

const string = { type: "string" };
const tools = [
  { name: "search", parameters: { type: "object", properties: { query: string } } },
  { name: "get_weather", parameters: { type: "object", properties: { city: string } } },
];
const text = "north";
const mended = new Map<string, boolean>();

describe.each([...formats].filter(({ rawValues }) => rawValues !== undefined))("$id", (format) => {
  const callOf = (name: string, key: string) => format.renderCalls([{ name, arguments: { [key]: text } }]);
  const whole = callOf("get_weather", "city");
  const cutOf = (call: string) => call.slice(0, call.indexOf(text) + text.length);
  const cut = cutOf(callOf("search", "query"));

  test("a value without its closer, and whole calls behind it", () => {
    const message = `${cut}\n\nNow the others.\n\n${whole}\nText.\n${whole}\nMore.`;
    const { calls, content, rejected } = parse(message, { format, tools });
    expect(calls).toEqual([]);
    expect(content).toContain("Text.");
    expect(content).toContain("More.");
    expect(rejected[0].reason).toMatch(/ambiguous|malformed/);
    // Where a call ends at the closer of the next one, that is part of it.
    expect(rejected.slice(1).every(({ reason, name }) => reason === "behind-damage" && name === "get_weather")).toBe(
      true,
    );
    expect(rejected.length).toBeGreaterThan(1);
    const run = { whole: () => parse(message, { format, tools }), stream: () => createParser({ format, tools }) };
    const cuts = Array.from({ length: Math.floor((message.length - 1) / 3) }, (_, at) => 3 * at + 3);
    expect(difference(observe(run, message, []), observe(run, message, cuts))).toBe(undefined);
  });

  test("the same call again, and a call that is only cut", () => {
    const again = parse(`${cut}\n\n${callOf("search", "query")}\nText.`, { format, tools });
    expect([again.calls, again.rejected[0].reason === "truncated"]).toEqual([[], false]);
    expect(again.content).toContain("Text.");
    const { rejected } = parse(`${cut} and more`, { format, tools });
    expect(rejected.map(({ reason }) => reason)).toEqual(["truncated"]);
  });

  test("a last value that the closers of its call end, in a message that is cut: its own closer may still have come", () => {
    const ended = callOf("search", "query").replace(/north\s*<[^>]*>/, text);
    const { calls } = parse(`${ended} and more`, { format, tools });
    const isMended = calls[0]?.repairs.some(({ kind }) => kind === "missing-last-closer") === true;
    const cutOff = parse(`${ended} and more`, { format, tools, finishReason: "length" });
    if (isMended) expect([calls.length, cutOff.calls, cutOff.rejected[0]?.name]).toEqual([1, [], "search"]);
    mended.set(format.id, isMended);
  });

  test("floods of both cost no more than others", () => {
    for (const count of [16, 64])
      expect(floodCost(format, `${cutOf(whole)}\n${whole}\n`.repeat(count))).toBeLessThan(floodStepsMax);
  });
});

test("many formats end a last value so", () => {
  expect([...mended.values()].filter((isMended) => isMended).length).toBeGreaterThan(15);
});
