import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../src/contract/types.ts";
import { parse } from "../src/index.ts";
import { textTypeOf } from "../src/values/declared-type.ts";
import { compactJson, measureJson } from "../src/values/json-text.ts";
import { decodePythonEscape, pythonNumberToJson, readPythonLiteral } from "../src/values/python-literal.ts";
import { referencesOf } from "../src/values/schema-references.ts";
import { declaredKeys, isClosedObject, itemSchema, propertySchema } from "../src/values/schema-walk.ts";
import { inferText, typeText } from "../src/values/text-to-value.ts";

const toJson = (text: string) => readPythonLiteral(text)?.json;

const refused = Symbol("refused");

function typed(text: string, schema: JsonSchema | undefined): string | typeof refused {
  const result = typeText(text, textTypeOf(schema, schema ?? true));
  return "json" in result ? result.json : refused;
}

const union = { anyOf: [{ type: "integer" }, { type: "string" }] };
const nullableText = { type: ["string", "null"] };
const viaReference = {
  $ref: "#/$defs/a~1b",
  $defs: { "a/b": { anyOf: [{ $ref: "#/definitions/n" }, { type: "null" }] } },
  definitions: { n: { type: "integer" } },
};

// Schema, then pairs of text and the JSON it becomes (or `refused`).
const table: [string, JsonSchema | undefined, [string, string | typeof refused][]][] = [
  [
    "a string keeps its text, byte for byte",
    { type: "string" },
    [
      ["null", '"null"'],
      ["00123", '"00123"'],
      ['{"a": 1}', '"{\\"a\\": 1}"'],
      ['"quoted"', '"\\"quoted\\""'],
      ["  two \n", '"  two \\n"'],
      ["&lt;", '"&lt;"'],
      ["", '""'],
      ["\ud800", '"\\ud800"'],
    ],
  ],
  [
    "an integer is decimal text",
    { type: "integer" },
    [
      ["7", "7"],
      ["-7", "-7"],
      [" 7\n", "7"],
      ["5.0", "5"],
      ["1e3", "1000"],
      ["018956", "18956"],
      ["+5", "5"],
      ["9007199254740993", "9007199254740993"],
      ["123456789012345678901234567890", "123456789012345678901234567890"],
      ["-0", "0"],
      ["5.5", refused],
      ["9007199254740993.5", refused],
      ["seven", refused],
      ["1,000", refused],
      ["1_000", refused],
      ["0x1f", refused],
      ["0b11", refused],
      ["0o17", refused],
      ["7 km", refused],
      ["true", refused],
      ['"7"', "7"],
      ['"07"', refused],
      ['"7', refused],
      ["", refused],
      ["null", refused],
      ["1e400", refused],
      ["1e-400", refused],
      ["٣", refused],
    ],
  ],
  [
    "a number is finite",
    { type: "number" },
    [
      ["5", "5"],
      ["5.25", "5.25"],
      [".5", "0.5"],
      ["5.", "5.0"],
      ["007.5", "7.5"],
      ["-1.5e-3", "-1.5e-3"],
      ["3.14159265358979323846", "3.14159265358979323846"],
      ["1e999", refused],
      ["NaN", refused],
      ["inf", refused],
      ["Infinity", refused],
      ["1j", refused],
      ["1.2.3", refused],
    ],
  ],
  [
    "a boolean is one of two words",
    { type: "boolean" },
    [
      ["true", "true"],
      ["False", "false"],
      ["TRUE", "true"],
      [" true ", "true"],
      ["1", refused],
      ["0", refused],
      ["yes", refused],
      ["on", refused],
      ["", refused],
      ["truely", refused],
    ],
  ],
  [
    "a nullable string takes null and None: in another case it is a word",
    nullableText,
    [
      ["null", "null"],
      ["NULL", '"NULL"'],
      ["None", "null"],
      ["none", '"none"'],
      ["nullable", '"nullable"'],
      ["", '""'],
    ],
  ],
  ["the word of OpenAPI for it", { type: "string", nullable: true }, [["null", "null"]]],
  [
    "a nullable boolean",
    { type: ["boolean", "null"] },
    [
      ["false", "false"],
      ["null", "null"],
      ["None", "null"],
      ["no", refused],
    ],
  ],
  [
    "a nullable integer through references",
    viaReference,
    [
      ["7", "7"],
      ["null", "null"],
      ["x", refused],
    ],
  ],
  [
    "an array is JSON, then a Python literal",
    { type: "array" },
    [
      ["[1, 2]", "[1,2]"],
      ["['a', True, None]", '["a",true,null]'],
      ["(1, 2)", "[1,2]"],
      ['"[1, 2]"', "[1,2]"],
      ["\"['a']\"", '["a"]'],
      ["[1, 2,]", "[1,2]"],
      ["[1, 2", refused],
      ["{}", refused],
      ["1, 2", refused],
      ["[f()]", refused],
      ['__import__("os").system("id")', refused],
      ["[1e999]", refused],
    ],
  ],
  [
    "an object is JSON, then a Python literal",
    { type: "object" },
    [
      ['{"kg": 1.5,\n "fragile": true}', '{"kg":1.5,"fragile":true}'],
      ["{'k': True}", '{"k":true}'],
      ['{"big": 123456789012345678901}', '{"big":123456789012345678901}'],
      ["{'a': 1, 'a': 2}", '{"a":1,"a":2}'],
      ["{1, 2}", refused],
      ["[]", refused],
      ["{k: 1}", refused],
      ["null", refused],
    ],
  ],
  [
    "what has properties is an object",
    { properties: { a: {} } },
    [
      ['{"a": 1}', '{"a":1}'],
      ["a", refused],
    ],
  ],
  [
    "a number is one where a string is allowed, if it is written as JSON writes it",
    union,
    [
      ["7", "7"],
      ["-7", "-7"],
      ["7.0", '"7.0"'],
      ["7e1", '"7e1"'],
      ["007", '"007"'],
      ["+7", '"+7"'],
      ["12345678901234567890", '"12345678901234567890"'],
      ["seven", '"seven"'],
      ["", '""'],
      ["1e999", '"1e999"'],
    ],
  ],
  [
    "what the schema limits comes after what it does not",
    { anyOf: [{ type: "string" }, { type: "integer", maximum: 10 }] },
    [
      ["7", '"7"'],
      ["42", '"42"'],
    ],
  ],
  [
    "limits of both, or beside the types",
    { type: ["string", "number"], maximum: 10, minLength: 5 },
    [
      ["42", "42"],
      ["1.0", '"1.0"'],
    ],
  ],
  [
    "a text that is listed, beside numbers with limits",
    { anyOf: [{ enum: ["1", "2"] }, { type: "integer", minimum: 5 }] },
    [
      ["1", '"1"'],
      ["7", "7"],
    ],
  ],
  [
    "an array or text",
    { anyOf: [{ type: "array" }, { type: "string" }] },
    [
      ['["a"]', '["a"]'],
      ["cat, sofa", '"cat, sofa"'],
      ['"[1]"', '"\\"[1]\\""'],
    ],
  ],
  [
    "a boolean, too, as Python writes it as well",
    { type: ["string", "boolean"] },
    [
      ["true", "true"],
      ["False", "false"],
      ["yes", '"yes"'],
    ],
  ],
  [
    "an enum takes the reading that is a member",
    { enum: ["low", "high", 1, true] },
    [
      ["low", '"low"'],
      ["1", "1"],
      ["true", "true"],
      ['"low"', '"low"'],
      ["'high'", '"high"'],
      [" low", '"low"'],
      ["\nhigh\n", '"high"'],
      ["l ow", refused],
      ["Low", refused],
      ["2", refused],
      ["false", refused],
    ],
  ],
  [
    "what a part says of strings alone excludes nothing else",
    {
      type: ["string", "null", "array"],
      allOf: [{ minLength: 1 }, { anyOf: [{ format: "email" }, { format: "uri" }] }],
    },
    [
      ["null", "null"],
      ["[1]", "[1]"],
      ["word", '"word"'],
    ],
  ],
  [
    "what a part says of numbers alone makes no text a number",
    { type: ["string", "integer"], allOf: [{ minimum: 1 }] },
    [["05", '"05"']],
  ],
  [
    "an enum of digits, with and without quotes",
    { enum: ["a", "1", 1, 2] },
    [
      ["1", "1"],
      [" 1", "1"],
      ["2", "2"],
    ],
  ],
  [
    "an enum of digits as text",
    { enum: ["1", "2"] },
    [
      ["1", '"1"'],
      [" 2 ", '"2"'],
      ["3", refused],
    ],
  ],
  [
    "None is a member before it is null",
    { enum: ["None", "low", null] },
    [
      ["None", '"None"'],
      ["null", "null"],
    ],
  ],
  [
    "a const",
    { const: 4 },
    [
      ["4", "4"],
      ["4.0", "4"],
      ["5", refused],
    ],
  ],
  [
    "an enum in one branch only",
    { anyOf: [{ enum: [1, 2] }, { type: "string" }] },
    [
      [" 1 ", "1"],
      ["1", "1"],
      ["3", '"3"'],
    ],
  ],
  [
    "allOf narrows",
    { allOf: [{ type: ["string", "integer"] }, { type: "integer" }] },
    [
      ["5", "5"],
      ["x", refused],
    ],
  ],
  [
    "types that contradict each other fit nothing",
    { allOf: [{ type: "string" }, { type: "integer" }] },
    [["5", refused]],
  ],
  ["a named parameter without a type is text", { description: "a note" }, [["5", '"5"']]],
  ["a branch without a type is text", { anyOf: [{ type: "integer" }, { description: "x" }] }, [["x", '"x"']]],
  ["a type that refers to itself ends", { $ref: "#" }, [["5", '"5"']]],
  [
    "no schema: JSON, then Python, then text",
    undefined,
    [
      ["true", "true"],
      ["True", "true"],
      ["TRUE", '"TRUE"'],
      ["None", "null"],
      ["123", "123"],
      ["1.10", "1.10"],
      ["00123", '"00123"'],
      ["+5", '"+5"'],
      ["1_000", '"1_000"'],
      ["0x1f", '"0x1f"'],
      ["1e999", '"1e999"'],
      ["[1e999]", '"[1e999]"'],
      ["12345678901234567890", '"12345678901234567890"'],
      ["9007199254740992", "9007199254740992"],
      ["0.1", "0.1"],
      ['{"debug": true}', '{"debug":true}'],
      ["{'dry': True, 'n': [1, 2]}", '{"dry":true,"n":[1,2]}'],
      ['"quoted"', '"quoted"'],
      ['"one" "two"', '"\\"one\\" \\"two\\""'],
      ["it's", '"it\'s"'],
      ["yes", '"yes"'],
      ["Tokyo ", '"Tokyo "'],
      ["", '""'],
      ["(optional)", '"(optional)"'],
    ],
  ],
];

describe("text becomes the value its schema asks for", () => {
  for (const [title, schema, rows] of table) {
    test.each(rows)(`${title}: %j`, (text, wanted) => {
      expect(typed(text, schema)).toBe(wanted);
    });
  }

  test("a refusal says what was expected and quotes little", () => {
    const type = textTypeOf({ type: ["integer", "null"] }, true);
    expect(typeText("two", type)).toEqual({ mismatch: 'expected integer or null, found "two"' });
    const long = typeText("x".repeat(5000), type);
    expect("mismatch" in long && long.mismatch.length).toBeLessThan(100);
  });

  test("a raw newline in a Python string is kept and listed", () => {
    expect(typeText("['a\nb']", textTypeOf({ type: "array" }, true))).toEqual({
      json: '["a\\nb"]',
      repairs: ["raw-control-character"],
    });
  });

  test("what streams is certainly text", () => {
    const streams = (schema: JsonSchema | undefined) => textTypeOf(schema, true).streams;
    expect(streams({ type: "string" })).toBe(true);
    expect(streams({ type: "string", maxLength: 3 })).toBe(true);
    expect(streams({})).toBe(true);
    expect(streams({ type: "string", enum: ["a"] })).toBe(false);
    expect(streams(nullableText)).toBe(false);
    expect(streams(union)).toBe(false);
    expect(streams(undefined)).toBe(false);
  });

  test("the type of a schema is computed once", () => {
    expect(textTypeOf(union, union)).toBe(textTypeOf(union, union));
  });
});

describe("typing, for any text", () => {
  const near = fc.oneof(
    fc.string(),
    fc.json(),
    fc.constantFrom("null", "None", "TRUE", "false", "007", "+1", "1.0", "1e5", "0x2", "[", "['a']", '"1"', "1_0"),
    fc.double().map(String),
    fc.bigInt().map(String),
  );

  test("a plain string comes out as it went in", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(JSON.parse(typed(text, { type: "string" }) as string)).toBe(text);
      }),
    );
  });

  test("what is not refused has the declared kind, and a second typing agrees", () => {
    const kinds: Record<string, (value: unknown) => boolean> = {
      integer: (value) => Number.isInteger(value),
      number: (value) => Number.isFinite(value),
      boolean: (value) => typeof value === "boolean",
      array: (value) => Array.isArray(value),
      object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
      null: (value) => value === null,
    };
    fc.assert(
      fc.property(near, fc.constantFrom(...Object.keys(kinds)), (text, kind) => {
        const json = typed(text, { type: kind });
        if (json === refused) return;
        expect(kinds[kind]?.(JSON.parse(json as string))).toBe(true);
        expect(typed(json as string, { type: kind })).toBe(json);
      }),
      { numRuns: 1000 },
    );
  });

  test("integers keep every digit", () => {
    fc.assert(
      fc.property(fc.bigInt(), (value) => {
        expect(typed(String(value), { type: "integer" })).toBe(String(value));
      }),
    );
  });

  test("inference loses nothing: a number is exactly what was written", () => {
    fc.assert(
      fc.property(near, (text) => {
        const value: unknown = JSON.parse(inferText(text));
        if (typeof value === "number") expect(inferText(String(value))).toBe(String(value));
        if (typeof value === "string" && !/^\s*["']/.test(text)) expect(value).toBe(text);
      }),
    );
  });
});

/** Writes a JSON value the way Python prints it. */
function pythonRepr(value: unknown): string {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "number") return Object.is(value, -0) ? "-0.0" : String(value);
  if (typeof value === "string") {
    const inner = value.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
    return `'${inner}'`;
  }
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(", ")}]`;
  return `{${Object.entries(value as object)
    .map(([key, part]) => `${pythonRepr(key)}: ${pythonRepr(part)}`)
    .join(", ")}}`;
}

describe("Python literals", () => {
  test.each(["a", "e", "1", "1."])("a word of millions of characters is none: %s", (unit) => {
    expect(toJson(`[${unit.repeat(15_000_000 / unit.length)}]`)).toBeUndefined();
  });

  test("whatever Python prints of a JSON value is read back", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = toJson(pythonRepr(value));
        expect(JSON.stringify(JSON.parse(json as string))).toBe(JSON.stringify(value));
      }),
    );
  });

  test.each([
    ["'a' \"b\"", '"ab"'],
    ["r'\\n'", '"\\\\n"'],
    ["u'\\x41\\u00e9\\U0001f600'", '"Aé😀"'],
    ["'\\101\\0'", '"A\\u0000"'],
    ["'\\q'", '"\\\\q"'],
    ["'one\\\ntwo'", '"onetwo"'],
    ["'''it's\n\"x\"'''", '"it\'s\\n\\"x\\""'],
    ['"""a"b"""', '"a\\"b"'],
    ["()", "[]"],
    ["(1,)", "[1]"],
    ["{'a': 1, 2: 'b',}", '{"a":1,"2":"b"}'],
    ["[0x1F, 0o17, 0b11, 1_000, -5, +3, .5, 5., 1e5]", "[31,15,3,1000,-5,3,0.5,5.0,1e5]"],
    ["{'__proto__': 1}", '{"__proto__":1}'],
    ["[true, false, null]", "[true,false,null]"],
  ])("%s", (text, json) => {
    expect(toJson(text)).toBe(json);
  });

  test.each([
    "",
    "name",
    "f(1)",
    "1 + 2",
    "1-2",
    "'x' * 9",
    "a.b",
    "[x for x in y]",
    "lambda: 1",
    "b'x'",
    "rb'x'",
    "f'{x}'",
    "{1, 2}",
    "{'a'}",
    "1j",
    "inf",
    "nan",
    "...",
    "(5)",
    "[1 2]",
    "[,]",
    "[1,,2]",
    "{'a' 1}",
    "{1.5: 2}",
    "{(1,): 2}",
    "007",
    // What a thousand leaves behind its comma.
    "[1,000]",
    "[2, 1,000.50]",
    "-00",
    "1__0",
    "1_",
    "0x",
    "1e999",
    "--5",
    "'open",
    "'\\x4'",
    "'\\U00110000'",
    "[1",
    "[1)",
    "1]",
    "[1e400]",
  ])("%s is no literal", (text) => {
    expect(toJson(text)).toBeUndefined();
  });

  test("any text is read or refused, never an exception", () => {
    const pieces = fc.constantFrom(
      "[",
      "]",
      "{",
      "}",
      "(",
      ")",
      "'",
      '"',
      "'''",
      "\\",
      ",",
      ":",
      "1",
      "e",
      "-",
      "True",
      " ",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const json = toJson(parts.join(""));
        if (json !== undefined) expect(compactJson(json)).toBeDefined();
      }),
      { numRuns: 2000 },
    );
  });

  test("a hundred thousand levels are read without recursion", () => {
    const depth = 100_000;
    const json = toJson(`${"(".repeat(depth)}${",)".repeat(depth)}`);
    expect(json).toBeUndefined();
    const lists = toJson(`${"[".repeat(depth)}${"]".repeat(depth)}`);
    expect(measureJson(lists as string).depth).toBe(depth);
  });

  test("numbers and escapes one at a time", () => {
    expect(pythonNumberToJson("1_0.5E+3")).toBe("10.5E+3");
    expect(pythonNumberToJson(`0x${"f".repeat(300)}`)).toBeUndefined();
    expect(pythonNumberToJson(".")).toBeUndefined();
    expect(decodePythonEscape("\\n")).toBe("\n");
    expect(decodePythonEscape("\\x41")).toBe("A");
    expect(decodePythonEscape("\\\n")).toBe("");
    expect(decodePythonEscape("\\N")).toBe("\\N");
    expect(decodePythonEscape("\\x4")).toBe("\\x4");
  });
});

describe("what a schema says of a place", () => {
  const root = {
    allOf: [{ $ref: "#/$defs/base" }, { properties: { extra: { type: "boolean" } } }],
    properties: { constructor: { type: "integer" } },
    patternProperties: { "^x-": { type: "number" } },
    additionalProperties: { type: "array" },
    $defs: { base: { properties: { path: { $anchor: "path", type: "string" } } } },
  };

  test("declared, patterned and additional properties", () => {
    expect(declaredKeys(root, root)).toEqual(new Set(["constructor", "path", "extra"]));
    expect(propertySchema(root, root, "path")).toMatchObject({ type: "string" });
    expect(propertySchema(root, root, "extra")).toEqual({ type: "boolean" });
    expect(propertySchema(root, root, "constructor")).toEqual({ type: "integer" });
    expect(propertySchema(root, root, "x-size")).toEqual({ type: "number" });
    expect(propertySchema(root, root, "toString")).toEqual({ type: "array" });
    expect(propertySchema({ properties: {} }, { properties: {} }, "toString")).toBeUndefined();
  });

  test("references: pointer, anchor, nothing, elsewhere", () => {
    expect(referencesOf(root).target(root, "#/$defs/base/properties/path")).toMatchObject({ type: "string" });
    expect(referencesOf(root).target(root, "#path")).toMatchObject({ type: "string" });
    expect(referencesOf(root).target(root, "#/$defs/none")).toBeUndefined();
    expect(referencesOf(root).target(root, "#/toString")).toBeUndefined();
    expect(referencesOf(root).target(root, "https://example.com/s")).toBeUndefined();
  });

  test("items, first by place, then the rest", () => {
    const tuple = { prefixItems: [{ type: "string" }], items: { type: "integer" } };
    expect(itemSchema(tuple, tuple, 0)).toEqual({ type: "string" });
    expect(itemSchema(tuple, tuple, 5)).toEqual({ type: "integer" });
  });

  test("closed objects", () => {
    expect(isClosedObject({ allOf: [{ additionalProperties: false }] }, true)).toBe(true);
    expect(isClosedObject(root, root)).toBe(false);
  });
});

test("an escape that names a character is refused", () => {
  expect(toJson("'\\N{DASH}'")).toBeUndefined();
});

describe("where a schema names a value and says no type", () => {
  const tools = [{ name: "keep", parameters: { type: "object", properties: { value: {} } } }];
  const readValue = (format: "gemma4" | "functiongemma" | "yaml_xml" | "qwen3_coder", text: string) =>
    parse(text, { format, tools }).calls[0]?.arguments.value;

  test("a notation that marks strings keeps the others", () => {
    for (const [written, value] of [
      ["1", 1],
      ["true", true],
      ["null", null],
      ["north", "north"],
    ] as const) {
      expect(readValue("gemma4", `<|tool_call>call:keep{value:${written}}<tool_call|>`)).toBe(value);
      expect(readValue("functiongemma", `<start_function_call>call:keep{value:${written}}<end_function_call>`)).toBe(
        value,
      );
      expect(readValue("yaml_xml", `<keep>\nvalue: ${written}\n</keep>`)).toBe(value);
    }
    expect(readValue("gemma4", '<|tool_call>call:keep{value:<|"|>1<|"|>}<tool_call|>')).toBe("1");
    expect(readValue("yaml_xml", '<keep>\nvalue: "1"\n</keep>')).toBe("1");
  });

  test("text between tags is text", () => {
    const text = "<tool_call>\n<function=keep>\n<parameter=value>\n1\n</parameter>\n</function>\n</tool_call>";
    expect(readValue("qwen3_coder", text)).toBe("1");
  });
});
