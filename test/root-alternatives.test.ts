import { describe, expect, test } from "vitest";
import { createParser, formats, type JsonSchema, parse } from "../src/index.ts";

const object = (properties: Record<string, JsonSchema>, more: object = {}): JsonSchema => ({
  ...{ type: "object", properties },
  ...more,
});
const text = object({ kind: { const: "text" }, value: { type: "string" } });
const count = object({ kind: { const: "count" }, value: { type: "integer" } });

const given = (kind: string, value: string) =>
  [
    ["kind", kind],
    ["value", value],
  ] as const;

// Written like this, no object has a member of that name: `await` would take it for a promise.
const holds = "then";

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
    expect(read(id, given("count", "x"), root)).toEqual(["schema"]);
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
    expect(read(id, [["kind", "text"], ...seven], root)).toEqual({ kind: "text", value: 7 });
  });

  const kindIs = (kind: string, more: object = {}): JsonSchema => ({ properties: { kind: { const: kind } }, ...more });
  const integer = { properties: { value: { type: "integer" } } };
  const kinds = object({ kind: { type: "string" } });
  test.each<[says: string, root: JsonSchema]>([
    ["alone", { ...(kinds as object), if: kindIs("count"), [holds]: integer }],
    ["with its key", { ...(kinds as object), if: kindIs("count", { required: ["kind"] }), [holds]: integer }],
    ["negated", { ...(kinds as object), if: kindIs("text"), else: integer }],
    [
      "in allOf",
      {
        ...(kinds as object),
        allOf: [
          { if: kindIs("count"), [holds]: integer },
          { if: kindIs("on"), [holds]: { properties: { value: { type: "boolean" } } } },
        ],
      },
    ],
  ])("a type under a condition is that of what meets it: %s", (_, root) => {
    const behind = (kind: string, value: string) =>
      [
        ["value", value],
        ["kind", kind],
      ] as const;
    for (const order of [given, behind]) {
      expect(read(id, order("count", "05"), root)).toEqual({ kind: "count", value: 5 });
      expect(read(id, order("text", "05"), root)).toEqual({ kind: "text", value: "05" });
      expect(read(id, order("text", "word"), root)).toEqual({ kind: "text", value: "word" });
      expect(read(id, order("count", "word"), root)).toEqual(["type-mismatch"]);
    }
  });

  test("so is one that stands beside another key", () => {
    const root = { ...(kinds as object), dependentSchemas: { kind: integer } } as JsonSchema;
    expect(read(id, given("count", "7"), root)).toEqual({ kind: "count", value: 7 });
    expect(read(id, [["value", "07"]], root)).toEqual({ value: "07" });
  });

  test("so are types in a row of conditions, behind a reference and in `dependencies`", () => {
    const chain = { ...(kinds as object), if: kindIs("text"), else: { if: kindIs("count"), [holds]: integer } };
    const referred = {
      ...(kinds as object),
      allOf: [{ $ref: "#/$defs/one" }],
      $defs: { one: { if: kindIs("count"), [holds]: integer } },
    };
    const choice = { oneOf: [{ properties: { kind: { const: "count" }, ...integer.properties } }, kindIs("on")] };
    const dependent = { ...(kinds as object), dependencies: { kind: choice } };
    for (const root of [chain, referred, dependent] as JsonSchema[]) {
      expect(read(id, given("count", "05"), root)).toEqual({ kind: "count", value: 5 });
      expect(read(id, given("on", "05"), root)).toEqual({ kind: "on", value: "05" });
    }
  });

  test("a list under a condition is one where that is met", () => {
    const list = { properties: { value: { type: "array", items: { type: "string" } } } };
    const root = {
      ...(object({ kind: { type: "string" }, value: {} }) as object),
      if: kindIs("many"),
      [holds]: list,
    } as JsonSchema;
    const twice = (kind: string) =>
      [
        ["kind", kind],
        ["value", "a"],
        ["value", "b"],
      ] as const;
    expect(read(id, twice("many"), root)).toEqual({ kind: "many", value: ["a", "b"] });
    expect(read(id, twice("one"), root)).toEqual(["ambiguous"]);
    expect(read(id, given("one", "[1]"), root)).toEqual({ kind: "one", value: "[1]" });
  });

  test("where it is not known whether a condition is met, a text is typed as ever", () => {
    const root = {
      ...(kinds as object),
      if: { properties: { kind: { minLength: 3 } } },
      [holds]: integer,
    } as JsonSchema;
    expect(read(id, given("count", "7"), root)).toEqual({ kind: "count", value: 7 });
  });
});

test("so is a scalar of YAML what it is in the shape that is left", () => {
  const kindIs = (kind: string, type: string | string[]) => ({
    if: { properties: { kind: { const: kind } } },
    [holds]: { properties: { value: { type } } },
  });
  const parameters = {
    ...(object({ kind: { type: "string" }, value: {} }) as object),
    allOf: [kindIs("maybe", ["string", "null"]), kindIs("text", "string"), kindIs("count", "integer")],
  } as JsonSchema;
  const valueFor = (kind: string, value: string) =>
    parse(`<set>\nkind: ${kind}\nvalue: ${value}\n</set>`, { format: "yaml_xml", tools: [{ name: "set", parameters }] })
      .calls[0]?.arguments.value;
  expect(valueFor("maybe", "null")).toBeNull();
  expect(valueFor("text", "null")).toBe("null");
  expect(valueFor("count", "5")).toBe(5);
  expect(valueFor("text", "5")).toBe("5");
});

test.each(["gemma4", "functiongemma", "k2_horizon"])("where no shape says what a text is, the wire does: %s", (id) => {
  const parameters = {
    ...(object({ kind: { type: "string" }, value: {} }) as object),
    if: { properties: { kind: { const: "text" } } },
    [holds]: { properties: { value: { type: "string" } } },
  } as JsonSchema;
  const argumentsFor = (kind: string, value: unknown) => {
    const wire = formats.get(id)?.renderCall({ name: "set", arguments: { kind, value } }) as string;
    return parse(wire, { format: id, tools: [{ name: "set", parameters }] }).calls[0]?.arguments;
  };
  for (const value of [5, true, "05"]) expect(argumentsFor("other", value)).toEqual({ kind: "other", value });
  expect(argumentsFor("text", 5)).toEqual({ kind: "text", value: "5" });
});
