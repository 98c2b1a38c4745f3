/** A call that a repair has put in order leaves those beside it as they are, also where each of them needs the same repair. */
import { describe, expect, test } from "vitest";
import { formats, parse } from "../src/index.ts";

const text = { type: "string" };
const tool = (name: string, properties: object) => ({ name, parameters: { type: "object", properties } });
const tools = [tool("save", { path: text }), tool("ping", {})];
const calls = [
  { name: "save", arguments: { path: "north" } },
  { name: "save", arguments: { path: "south" } },
];

/** What runs of a text, in the order of the text. */
function made(format: string, message: string) {
  const { calls, rejected } = parse(message, { format, tools });
  const kinds = new Set(calls.flatMap(({ repairs }) => repairs.map(({ kind }) => kind)));
  return { calls: calls.map(({ name, arguments: given }) => ({ name, arguments: given })), rejected, kinds };
}

describe("two calls with a brace too many", () => {
  const surplus = (format: string, call: object) => {
    const written = formats.get(format).renderCalls([call as never]);
    return written.replace(/\}(?=[^}]*$)/, "}}");
  };
  const mended = formats.ids.filter((id) => {
    try {
      const { kinds, calls: found } = made(id, surplus(id, calls[0]));
      return found.length === 1 && kinds.has("surplus-closer");
    } catch {
      return false;
    }
  });

  test("many formats mend one", () => {
    expect(mended.length).toBeGreaterThan(20);
  });

  test.each(mended)("%s", (id) => {
    const both = calls.map((call) => surplus(id, call)).join("\n");
    expect(made(id, both)).toMatchObject({ calls, rejected: [] });
  });
});

describe("a tag that closes itself", () => {
  const invoked = ["anthropic_xml", "dots", "minimax_m2", "dsml_v32", "dsml_v4", "dsml_v41", "gigachat35"];

  test.each(invoked)("%s: what stands behind it says nothing of it", (id) => {
    const format = formats.get(id);
    const block = format.renderCalls([{ name: "ping", arguments: {} }]);
    const [own] = /<[^>]*ping"/.exec(block) as RegExpExecArray;
    const close = block.slice(block.indexOf("</"), block.indexOf(">", block.indexOf("</")) + 1);
    const closed = block.replace(/(ping")>\s*<\/[^>]*>/, "$1/>");
    expect(closed).toContain(`${own}/>`);
    const saved = { name: "save", arguments: { path: `use ${close} here` } };
    const message = `${closed}\n${format.renderCalls([saved])}`;
    expect(made(id, message)).toMatchObject({ calls: [{ name: "ping", arguments: {} }, saved], rejected: [] });
  });
});

describe("in a list, a call in a value of another format, of which the opener is damaged", () => {
  const quoted = formats.get("hermes").renderCall({ name: "ping", arguments: {} });

  test.each(formats.ids.filter((id) => id !== "hermes"))("%s", (id) => {
    const format = formats.get(id);
    let outer: string;
    try {
      outer = format.renderCall({ name: "save", arguments: { path: `see ${quoted} there` } });
    } catch {
      return;
    }
    const opener = format.triggers.find((one) => outer.startsWith(one)) ?? "";
    if (!outer.includes(quoted) || opener.length < 4) return;
    for (let at = 0; at < opener.length; at++) {
      const damaged = outer.slice(0, at) + outer.slice(at + 1);
      for (const list of [
        [id, "hermes"],
        ["hermes", id],
      ])
        expect(parse(damaged, { format: list, tools }).calls.filter(({ name }) => name === "ping")).toEqual([]);
    }
  });
});

describe("a call in the parentheses of one that is written as programs write them", () => {
  const quoted = formats.get("hermes").renderCall({ name: "ping", arguments: {} });

  test.each([
    `save(path="a"", mode="see ${quoted} there")`,
    `save(path="a" mode="see ${quoted} there")`,
    `So:\nsave(path="a, mode="see ${quoted}`,
  ])("%s", (message) => {
    for (const format of ["hermes", ["hermes", "granite_pythonic"], "auto"] as const)
      expect(parse(message, { format, tools }).calls).toEqual([]);
  });

  test.each([`I use save(path) now.\n${quoted}`, `save(\n\n${quoted}`, `Ring (or so: ${quoted}`])(
    "none: %s",
    (message) => {
      expect(parse(message, { format: "hermes", tools }).calls.length).toBe(1);
    },
  );
});
