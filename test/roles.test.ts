/** Roles and primitives that say what a wire says besides names and values, each in the smallest format that has it. */
import { describe, expect, test } from "vitest";
import { checkGrammar, compileGrammar, formatGrammarError } from "../src/compiler/index.ts";
import { createParser, extract, type ParseResult, parse, type ToolDefinition } from "../src/index.ts";

/** `<c NAME><p KEY ...>TEXT</p></c>`; a test says what a name and a parameter are. */
const tags = (rules: string, example = '<c ring><p times t="integer">2</p></c>') => {
  const text = `// Tags
//
// format: tags
//
// example:
//   ${example}

import { Cut, declaredKey, toolName, toolsKnown } from "toolpeg/shared/primitives.peggy"

OPEN  = "<c "
CLOSE = "</c>"
Block = Call
Call  = OPEN name ">" Cut pair* CLOSE
word  = [a-zA-Z_.]+
Key   = word
Text  = (!"</p>" .)*
Sync  = CLOSE / &OPEN
${rules}
`;
  expect(checkGrammar(text).map(formatGrammarError)).toEqual([]);
  return compileGrammar(text);
};

/** Reads a text whole and unit by unit: both say the same. */
function read(text: string, options: Parameters<typeof parse>[1]): ParseResult {
  const whole = parse(text, options);
  const parser = createParser(options);
  for (const unit of text) parser.push(unit);
  parser.end();
  expect(parser.result()).toEqual(whole);
  return whole;
}

const tool = (name: string, properties: Record<string, object>): ToolDefinition => ({
  name,
  parameters: { type: "object", properties },
});

describe("Type", () => {
  const format = tags(
    'name = Name\nName = word\npair = "<p " Key (" t=\\"" Type "\\"")? ">" Cut Text "</p>"\nType = [a-z]*',
  );
  const given = (schema: object | undefined, type: string, text: string) => {
    const tools = [tool("ring", schema === undefined ? {} : { times: schema })];
    const { calls, rejected } = read(`<c ring><p times t="${type}">${text}</p></c>`, { format, tools });
    return calls.length > 0 ? calls[0].arguments.times : rejected.map(({ reason }) => reason);
  };

  test("decides where the schema leaves a choice", () => {
    const either = { type: ["string", "integer"] };
    expect(given(either, "string", "7")).toBe("7");
    expect(given(either, "integer", "7")).toBe(7);
    expect(given({ type: ["integer", "null", "string"] }, "null", "null")).toBe(null);
    expect(given({ type: ["string", "null"] }, "string", "null")).toBe("null");
    expect(given({ anyOf: [{ type: "string" }, { type: "array" }] }, "array", "[1]")).toEqual([1]);
    expect(given({}, "number", "7")).toBe(7);
    expect(given({}, "str", "7")).toBe("7");
  });

  test("decides where no schema speaks", () => {
    expect(given(undefined, "string", "7")).toBe("7");
    expect(given(undefined, "list", "[1]")).toEqual([1]);
    expect(given(undefined, "integer", "seven")).toEqual(["type-mismatch"]);
  });

  test("never goes against the schema, and an unknown word says nothing", () => {
    expect(given({ type: "integer" }, "string", "7")).toBe(7);
    expect(given({ type: "string" }, "integer", "7")).toBe("7");
    expect(given({ type: ["string", "integer"] }, "thing", "7")).toBe(given({ type: ["string", "integer"] }, "", "7"));
  });

  test("counts for its own parameter alone", () => {
    const tools = [tool("ring", { one: { type: ["string", "integer"] }, two: { type: ["string", "integer"] } })];
    const { calls } = read('<c ring><p one t="integer">7</p><p two>x</p></c>', { format, tools });
    expect(calls[0].arguments).toEqual({ one: 7, two: "x" });
    const other = read('<c ring><p one t="string">7</p><p two t="integer">8</p></c>', { format, tools });
    expect(other.calls[0].arguments).toEqual({ one: "7", two: 8 });
  });
});

test("toolsKnown asks whether names are known, and takes nothing", () => {
  const format = tags(
    'name = toolsKnown Name_offered / !toolsKnown Name_any\nName_offered = toolName\nName_any = [a-z]+\npair = "<p " Key ">" Cut Text "</p>"',
    "<c ring><p times>2</p></c>",
  );
  const text = "<c ring></c>";
  expect(read(text, { format, tools: [tool("ring", {})] }).calls.length).toBe(1);
  expect(read(text, { format, tools: [tool("other", {})] })).toMatchObject({ calls: [], content: text });
  expect(extract(text, { format }).candidates.length).toBe(1);
  expect(extract(text, { format, names: ["other"] }).candidates).toEqual([]);
});

describe("beside a payload", () => {
  const format = (call: string) => {
    const text = `// Beside
//
// format: beside
//
// example:
//   <c>{"name": "ring", "arguments": {}}</c>

import { Cut } from "toolpeg/shared/primitives.peggy"
import { Object, ws } from "toolpeg/shared/json.peggy"

OPEN    = "<c>"
CLOSE   = "</c>"
Block   = Section
Section = OPEN &[{?!] Cut (Call ws)+ CLOSE
Call    = ${call}
Payload = Object
Ambiguous = "?"
Malformed "a call that is crossed out" = "!"
Sync    = CLOSE / &OPEN
`;
    expect(checkGrammar(text).map(formatGrammarError)).toEqual([]);
    return compileGrammar(text);
  };
  const one = '{"name": "ring", "arguments": {}}';
  const outcome = (grammar: string, text: string) => {
    const { calls, rejected } = read(text, { format: format(grammar), tools: [tool("ring", {})] });
    return [calls.length, ...rejected.map(({ reason, message }) => `${reason}: ${message}`)];
  };
  const ambiguous = "ambiguous: the text of the call can be read in two ways";

  test("Ambiguous before it refuses the call in it, after it the same, and no other", () => {
    expect(outcome("Ambiguous? Payload", `<c>?${one} ${one}</c>`)).toEqual([1, ambiguous]);
    expect(outcome("Payload Ambiguous?", `<c>${one}? ${one}</c>`)).toEqual([1, ambiguous]);
    expect(outcome("Payload Ambiguous?", `<c>${one} ${one}?</c>`)).toEqual([1, ambiguous]);
  });

  test("Malformed says its display name, before and after", () => {
    const crossedOut = "malformed: a call that is crossed out";
    expect(outcome("Malformed? Payload", `<c>!${one} ${one}</c>`)).toEqual([1, crossedOut]);
    expect(outcome("Payload Malformed?", `<c>${one}! ${one}</c>`)).toEqual([1, crossedOut]);
  });
});

describe("a section whose calls stand or fall together", () => {
  const format = (role: string) => {
    const text = `// Together
//
// format: together
// keys:   name = function.name; arguments = function.arguments
//
// example:
//   <c>{"function": {"name": "ring", "arguments": {}}}</c>

import { Cut } from "toolpeg/shared/primitives.peggy"
import { Object, ws } from "toolpeg/shared/json.peggy"

OPEN    = "<c>"
CLOSE   = "</c>"
Block   = OPEN &"{" Cut ${role}
${role}    = (Call ws)+ CLOSE
Call    = Payload
Payload = Object
Sync    = CLOSE / &OPEN / &STOP
`;
    expect(checkGrammar(text).map(formatGrammarError)).toEqual([]);
    return compileGrammar(text);
  };
  const [one, two] = ["ring", "stop"].map((name) => `{"function": {"name": "${name}", "arguments": {}}}`);
  const outcome = (role: string, text: string) => {
    const tools = [tool("ring", {}), tool("stop", {})];
    const { calls, rejected } = read(text, { format: format(role), tools });
    return [calls.map(({ name }) => name).join(), rejected.map(({ reason }) => reason).join()];
  };

  test.each(["List", "Group"])("%s: all calls of a sound one run, none of a damaged one", (role) => {
    expect(outcome(role, `<c>${one} ${two}</c>`)).toEqual(["ring,stop", ""]);
    expect(outcome(role, `<c>${one} stop!</c>`)[0]).toBe("");
  });

  test("a cut leaves nothing of a List, and of a Group what was complete", () => {
    expect(outcome("List", `<c>${one} {"function": {"na`)[0]).toBe("");
    expect(outcome("Group", `<c>${one} {"function": {"na`)[0]).toBe("ring");
  });
});
