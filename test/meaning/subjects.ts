/** Every registered format with calls that it writes by itself. */
import { type Format, formats, parse } from "../../src/index.ts";
import type { Call } from "./question.ts";

const closed = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  ...{ type: "object", properties, required, additionalProperties: false },
});

export const tools = [
  { name: "note", parameters: closed({ text: { type: "string" }, tag: { type: "string" } }) },
  { name: "wipe", parameters: closed({ disk: { type: "string" }, now: { type: "boolean" } }, ["disk"]) },
  { name: "read_dial", parameters: closed({ dial: { type: "string" }, level: { type: "integer" } }) },
  { name: "scan", parameters: closed({ text: { type: "string" }, tag: { type: "string" } }, []) },
];

/** A call that nobody asked for: where it runs, something is wrong. */
export const wipe: Call = { name: "wipe", arguments: { disk: "all" } };
/** A call that a person waits for. */
export const read: Call = { name: "read_dial", arguments: { dial: "north7", level: 4127 } };
/** A call that could as well have no arguments, or other ones. */
export const scan: Call = { name: "scan", arguments: { text: "south", tag: "hillside" } };
/** A call with room for text. */
export const noteOf = (text: string): Call => ({ name: "note", arguments: { text, tag: "hillside" } });

/** A format, and how its calls are written. */
export interface Subject {
  id: string;
  format: Format;
  /** What has to stand at the start of a message, such as the end of thoughts. */
  lead: string;
  /** A call as it stands among other text; undefined: the format cannot carry it. */
  write(call: Call): string | undefined;
  /** A message is calls and nothing else. */
  isWhole: boolean;
  /** What stands between a call and other text. */
  between: string;
}

export const subjects: readonly Subject[] = [...formats].map((format) => {
  const render = (call: Call): string | undefined => {
    try {
      return format.renderCall(call);
    } catch {
      return undefined;
    }
  };
  const first = render(read) as string;
  const lead = format.starts === "reasoning" ? first.slice(0, first.indexOf(format.triggers[0])).trimEnd() : "";
  const write = (call: Call) => render(call)?.slice(lead.length).trimStart();
  const text = write(read) as string;
  const between = ["\n", ""].find(
    (one) => parse(lead + [text, text, "So.", text].join(one), { format, tools, intent: true }).calls.length === 3,
  );
  return { id: format.id, format, lead, write, isWhole: between === undefined, between: between ?? "\n" };
});
