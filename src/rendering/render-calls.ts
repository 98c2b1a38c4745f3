import type { RenderableCall } from "../formats/format.ts";
import type { FormatData } from "../formats/format-data.ts";
import { compactJson } from "../values/json-text.ts";
import { readBack } from "./read-back.ts";
import { RenderError } from "./render-error.ts";
import { type WritableCall, writeCalls } from "./write-calls.ts";

/**
 * The text of a message that makes these calls, in their order.
 *
 * Values are written as the format writes them, then the text is read again: what would not come back the same is
 * refused, whatever the format.
 *
 * @throws RenderError when no text of the format gives these calls back; its `reason` says why.
 * @throws TypeError when a call has no name, or arguments that are no JSON object.
 */
export function renderCalls(format: FormatData, calls: readonly RenderableCall[]): string {
  if (!format.template) {
    throw new RenderError(
      "no-template",
      `${format.id}: no way to write calls could be derived from grammar and example`,
    );
  }
  if (calls.length === 0) return "";
  const writable = calls.map(asWritable);
  const text = writeCalls(format.template, writable);
  const problem = readBack(format, text, writable);
  if (!problem) return text;
  const names = writable.map(({ name }) => name).join(", ");
  throw new RenderError(problem.reason, `${format.id} cannot carry this call of ${names}: ${problem.message}`);
}

export function asWritable(call: RenderableCall, index: number): WritableCall {
  const { name, argumentsText, wireId, id } = call;
  if (typeof name !== "string" || name === "") throw new TypeError(`calls[${index}] has no name`);
  const given = call.arguments ?? {};
  if (typeof given !== "object" || Array.isArray(given)) {
    throw new TypeError(
      `calls[${index}]: arguments must be an object, not ${Array.isArray(given) ? "an array" : typeof given}`,
    );
  }
  const json = asJson(given, index);
  return { name, json: sameJson(argumentsText, json) ?? json, id: wireId ?? id ?? `call_${index}` };
}

function asJson(value: object, index: number): string {
  try {
    return JSON.stringify(value, (key, member) => {
      if (typeof member !== "number" || Number.isFinite(member)) return member;
      throw new TypeError(`${JSON.stringify(key)} is ${member}`);
    });
  } catch (error) {
    if (error instanceof RangeError)
      throw new RenderError("too-deep", `calls[${index}]: the arguments are nested too deep`);
    throw new TypeError(`calls[${index}]: the arguments cannot be said as JSON: ${(error as Error).message}`);
  }
}

/** The text of arguments made compact, when it says the same. */
function sameJson(text: string | undefined, json: string): string | undefined {
  const compact = text === undefined ? undefined : compactJson(text)?.json;
  return compact !== undefined && JSON.stringify(JSON.parse(compact)) === json ? compact : undefined;
}
