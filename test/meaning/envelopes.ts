import type { Question } from "./question.ts";
import { read, type Subject } from "./subjects.ts";

const open = { type: "object", properties: { dial: { type: "string" }, level: { type: "integer" } } };
/** A tool with an open schema, and one that declares the keys of a schema. */
const tools = [
  { name: "read_dial", parameters: open },
  { name: "list_dials", parameters: { type: "object" } },
  {
    name: "define",
    parameters: { type: "object", properties: { type: { type: "string" }, properties: { type: "object" } } },
  },
];

/** A definition is no call. Rule: A3. */
export function* definitions({ format, lead, write }: Subject): Generator<Question> {
  const given = { type: "object", properties: { dial: { type: "string" } } };
  for (const name of ["read_dial", "list_dials"]) {
    for (const value of [
      given,
      { ...given, required: ["dial"] },
      { $schema: "https://json-schema.org/draft/2020-12/schema", ...given },
      { type: "object", additionalProperties: false },
      { type: "object", description: "Nothing.", required: [] },
      { type: "object", strict: true },
      { properties: {} },
      { $ref: "#/$defs/nothing", title: "Nothing" },
      { type: "array" },
    ]) {
      const text = write({ name, arguments: value });
      if (text === undefined) continue;
      yield { title: "a definition", text: lead + text, format, options: { tools }, calls: [], isExact: true };
    }
  }
  const call = { name: "define", arguments: given };
  const text = write(call);
  if (text === undefined) return;
  yield {
    title: "a tool that declares these keys",
    text: lead + text,
    format,
    options: { tools },
    calls: [call],
    isExact: true,
  };
}

/** Another member beside the name, a misspelt one, a second name. Rules: A2, A4. */
export function* envelopes({ format, lead, write }: Subject): Generator<Question> {
  const text = write(read);
  if (text === undefined) return;
  const { name, arguments: given } = format.keys;
  // The envelope is an object with the name under one of its keys.
  const names = name === "*" ? [] : name;
  const key = names.find((one) => new RegExp(`(["'])${one}\\1\\s*:\\s*(["'])read_dial\\2`).test(text));
  if (key === undefined) return;
  const quote = text.includes(`"${key}"`) ? '"' : "'";
  const argumentsKey = given.find((one) => new RegExp(`(["'])${one}\\1\\s*:`).test(text)) as string;
  const beside = (member: string) => text.replace(/(["'])read_dial\1/, `$&, ${member.replaceAll('"', quote)}`);
  const common = { format, options: { tools }, isExact: true };
  const none = { ...common, calls: [] };
  for (const member of [
    '"comment": "x"',
    '"dry_run": true',
    '"dial": "south"',
    '"when": {"hour": 3}',
    '"properties": {}',
    '"type": "tool_result"',
    '"type": "function_call_output"',
  ]) {
    yield { ...none, title: `${member} beside the name`, text: lead + beside(member) };
  }
  for (const member of ['"id": "x7"', '"type": "function"', '"index": 0']) {
    if (format.flags.includes("unrepaired") || text.includes(member.slice(0, member.indexOf(":")))) continue;
    yield { ...common, calls: [read], title: `${member} beside the name`, text: lead + beside(member) };
  }
  const second = names.filter((one) => one !== key);
  for (const other of [key, ...second]) {
    yield { ...none, title: `a second name under ${other}`, text: lead + beside(`"${other}": "list_dials"`) };
  }
  for (const other of ["arguments", "parameters", "input", "kwargs", "args", "params"]) {
    yield { ...none, title: `other arguments under ${other}`, text: lead + beside(`"${other}": {"dial": "south"}`) };
  }
  const spelt = (other: string) => text.replace(`${quote}${argumentsKey}${quote}`, `${quote}${other}${quote}`);
  for (const other of ["argumants", "argument_list", "data", "payload", "properties"]) {
    yield { ...none, title: `arguments under ${other}`, text: lead + spelt(other) };
  }
  for (const other of ["args", "parameters", "input", "kwargs", "Arguments"]) {
    if (format.flags.includes("unrepaired")) continue;
    yield { ...common, calls: [read], title: `arguments under ${other}`, text: lead + spelt(other) };
  }
  const inner = JSON.stringify({ name: "list_dials", [argumentsKey]: { dial: "south" } }).replaceAll('"', quote);
  const start = text.indexOf("{", text.indexOf(`${quote}${argumentsKey}${quote}`));
  const nested = text.slice(0, start) + inner + text.slice(text.indexOf("}", start) + 1);
  yield { ...none, title: "a call as arguments", text: lead + nested };
}
