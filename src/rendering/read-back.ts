import type { RejectionReason } from "../contract/reasons.ts";
import { setOwn } from "../contract/set-own.ts";
import type { Format } from "../formats/format.ts";
import type { FormatData } from "../formats/format-data.ts";
import { parse } from "../parse.ts";
import { sameJson } from "../values/same-json.ts";
import type { WritableCall } from "./write-calls.ts";

/**
 * Why a text would not be read as exactly these calls and nothing else; undefined when it would. The tools are those of
 * the calls, each argument declared with the type that it has: what a value means in raw text is up to its schema.
 */
export function readBack(
  format: FormatData,
  text: string,
  calls: readonly WritableCall[],
): { reason: RejectionReason | "changed"; message: string } | undefined {
  const tools = new Map<string, Record<string, { type: string[] }>>();
  for (const { name, json } of calls) {
    const properties = tools.get(name) ?? {};
    tools.set(name, properties);
    for (const [key, value] of Object.entries(JSON.parse(json) as object)) {
      const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
      const known = Object.hasOwn(properties, key) ? properties[key].type : [];
      setOwn(properties, key, { type: [...new Set([...known, type])] });
    }
  }
  const read = parse(text, {
    format: format as Format,
    tools: [...tools].map(([name, properties]) => ({
      name,
      parameters: { type: "object", properties, additionalProperties: false },
    })),
    intent: true,
    policy: { schema: "off", repairs: "none" },
  });
  const isSame =
    read.calls.length === calls.length &&
    read.calls.every(({ name, arguments: given }, at) => {
      return name === calls[at].name && sameJson(given, JSON.parse(calls[at].json));
    });
  const [rejection] = read.rejected;
  if (rejection) return { reason: rejection.reason, message: rejection.message };
  if (isSame && read.content === "" && read.reasoning === "") return undefined;
  return { reason: "changed", message: "the text would be read as something else" };
}
