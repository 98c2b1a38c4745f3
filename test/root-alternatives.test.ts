import { describe, expect, test } from "vitest";
import { createParser, formats, type JsonSchema, parse } from "../src/index.ts";

const object = (properties: Record<string, JsonSchema>, more: object = {}): JsonSchema => ({
  ...{ type: "object", properties },
  ...more,
});
const text = object({ kind: { const: "text" }, value: { type: "string" } });
const count = object({ kind: { const: "count" }, value: { type: "integer" } });

const wires: Record<string, (key: string, value: string) => string> = {
  qwen3_coder: (key, value) => `<parameter=${key}>\n${value}\n</parameter>\n`,
  anthropic_xml: (key, value) => `<parameter name="${key}">${value}</parameter>\n`,
  glm45: (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n`,
  morph_xml: (key, value) => `<${key}>${value}</${key}>`,
};

function write(id: string, members: readonly (readonly [key: string, value: string])[]): string {
  const empty = formats.get(id)?.renderCall({ name: "set", arguments: { kind: "south" } }) as string;
  const [key, value] = ["kind", "south"];
  const at = empty.indexOf(wires[id](key, value).trimEnd());
  expect(at).toBeGreaterThan(0);
  const own = wires[id](key, value).trimEnd();
  return empty.replace(own, () =>
    members
      .map(([one, said]) => wires[id](one, said))
      .join("")
      .trimEnd(),
  );
}

function read(id: string, members: readonly (readonly [key: string, value: string])[], parameters: JsonSchema) {
  const options = { format: id, tools: [{ name: "set", parameters }] };
  const wire = write(id, members);
  const whole = parse(wire, options);
  for (const size of [1, 3, 7]) {
    const parser = createParser(options);
    for (let at = 0; at < wire.length; at += size) parser.push(wire.slice(at, at + size));
    parser.end();
    expect(parser.result()).toEqual(whole);
  }
  return whole.calls[0]?.arguments ?? whole.rejected.map(({ reason }) => reason);
}

describe.each(Object.keys(wires))("shapes of arguments to choose from, in %s", (id) => {
  const seven = [["value", "7"]] as const;

  test.each(["oneOf", "anyOf"])("a value that tells them apart says what the others are: %s", (keyword) => {
    const root = { [keyword]: [text, count] };
    expect(read(id, [["kind", "count"], ...seven], root)).toEqual({ kind: "count", value: 7 });
    expect(read(id, [...seven, ["kind", "count"]], root)).toEqual({ kind: "count", value: 7 });
    expect(read(id, [["kind", "text"], ...seven], root)).toEqual({ kind: "text", value: "7" });
    expect(
      read(
        id,
        [
          ["kind", "count"],
          ["value", "x"],
        ],
        root,
      ),
    ).toEqual(["schema"]);
  });

  test("so do what is required, what is declared, and what the root says of all", () => {
    const closed = { additionalProperties: false };
    const root = {
      ...{ type: "object", properties: { value: {} } },
      oneOf: [
        object({ size: { type: "string" }, value: { type: "integer" } }, { required: ["size"] }),
        object({ name: { type: "string" }, value: { type: "string" } }, { required: ["name"] }),
      ],
    } as JsonSchema;
    expect(read(id, [["size", "m"], ...seven], root)).toEqual({ size: "m", value: 7 });
    expect(read(id, [["name", "m"], ...seven], root)).toEqual({ name: "m", value: "7" });
    const declared = {
      anyOf: [
        object({ size: { type: "string" }, value: { type: "integer" } }, closed),
        object({ name: { type: "string" }, value: { type: "string" } }, closed),
      ],
    };
    expect(read(id, [["size", "m"], ...seven], declared)).toEqual({ size: "m", value: 7 });
  });

  test("where several are left that differ, a text of all of them is typed as ever", () => {
    const root = { anyOf: [text, { ...(count as object), properties: { value: { type: "integer" } } }] };
    expect(read(id, [["kind", "text"], ...seven], root)).toEqual({ kind: "text", value: "7" });
  });
});
