import type { ToolFacts } from "../blocks/reader-owner.ts";
import { countMembers } from "../contract/count-members.ts";
import { isCutReason } from "../contract/finish-reasons.ts";
import { isObject } from "../contract/is-object.ts";
import type { JsonSchema, Rejection } from "../contract/types.ts";
import { repairJson } from "../json-repair/index.ts";
import { coerceArguments } from "../validation/coerce-arguments.ts";
import { allowedBy } from "../values/allowed-values.ts";
import { memberTwice, repeatsKey } from "../values/duplicate-key-messages.ts";
import { measureJson, parseJson } from "../values/json-text.ts";
import { unquoteAll } from "../values/quoted-values.ts";
import { typeText } from "../values/text-to-value.ts";

/**
 * The arguments of a native call that has ended as they go out: none are `{}`, since an empty text is no JSON; but not in a
 * message that was cut, where they may never have come.
 */
export const endedArguments = (argumentsText: string, finishReason: string | undefined): string =>
  argumentsText.trim() === "" && !isCutReason(finishReason) ? "{}" : argumentsText;

/**
 * The arguments of a native call that has ended, for an interface that wants an object: `null` says no more than nothing, and an
 * object in a string is that object.
 */
export function objectText(written: string, finishReason: string | undefined): string {
  const value = parseJson(written);
  const text = typeof value === "string" ? value : written;
  return endedArguments(parseJson(text) === null ? "" : text, finishReason);
}

/** Why a native call does not go on. */
export type NativeRefusal = Pick<Rejection, "reason" | "message">;

/**
 * Why a native call does not go on of whose arguments a value is made: they are no JSON object, cut, or the value would not say
 * what is written.
 */
export function refusalOf(argumentsText: string, finishReason: string | undefined): NativeRefusal | undefined {
  const value = parseJson(argumentsText);
  if (!isObject(value)) {
    return isCutReason(finishReason)
      ? { reason: "truncated", message: "the message was cut, and its arguments may be" }
      : { reason: "malformed", message: `its arguments are no JSON object: ${clipped(argumentsText)}` };
  }
  const { members, finite } = measureJson(argumentsText);
  if (repeatsKey(members, countMembers(value))) {
    return { reason: "duplicate-key", message: memberTwice };
  }
  if (finite) return undefined;
  return { reason: "type-mismatch", message: "a number of its arguments is too large or too small to be one" };
}

const clipped = (text: string) => (text.length > clippedChars ? `${text.slice(0, clippedChars)}...` : text);
/** So much shows what is wrong. */
const clippedChars = 200;

/** Whether arguments can run as they were given: an object, or none. */
export function canRun(argumentsText: string): boolean {
  if (argumentsText === "") return true;
  const value = parseJson(argumentsText);
  return isObject(value) || value === null;
}

/**
 * What the arguments of a call that a server has read say, as JSON texts: as they stand, and as the formats read them.
 * Damaged ones are mended, none is `{}`, and an object in a string is that object; then values are typed by the schema, once
 * as formats do whose values are JSON, once as those whose values are text. Only for comparing: nothing of it runs.
 */
export function readingsOf(name: string, argumentsText: string, tools: ToolFacts | undefined): string[] {
  try {
    const schema = tools?.schemaOf(name);
    const json = documentIn(argumentsText, schema);
    return json === undefined ? [] : [json, typedAsJson(json, schema), typedAsText(name, json, tools)];
  } catch {
    // Too deep to be written again.
    return [argumentsText];
  }
}

/** The JSON of an object; undefined: there is none. */
function documentIn(text: string, schema: JsonSchema | undefined, isInString = false): string | undefined {
  if (text.trim() === "") return "{}";
  const read = repairJson(text, schema === undefined ? {} : { schema });
  if (!read.ok || !read.complete) return undefined;
  const { value, level } = read;
  if (value === null) return "{}";
  if (typeof value === "string" && !isInString) return documentIn(value, schema, true);
  if (!isObject(value)) return undefined;
  return level === "none" ? text : JSON.stringify(value);
}

function typedAsJson(json: string, schema: JsonSchema | undefined): string {
  if (schema === undefined) return json;
  const kinds = ["quoted-scalar", "quoted-container"] as const;
  const unquoted = unquoteAll(json, { allowed: allowedBy(schema), kinds })?.json ?? json;
  return coerceArguments(unquoted, schema) ?? unquoted;
}

function typedAsText(name: string, json: string, tools: ToolFacts | undefined): string {
  const members = Object.entries(parseJson(json) as Record<string, unknown>).map(([key, value]) => {
    const given = JSON.stringify(value);
    const type = tools?.parameterType(name, key);
    const typed = type && typeText(typeof value === "string" ? value : given, type);
    return `${JSON.stringify(key)}:${typed !== undefined && "json" in typed ? typed.json : given}`;
  });
  return `{${members.join(",")}}`;
}
