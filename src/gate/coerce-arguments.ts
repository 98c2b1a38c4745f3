import { jsonScalarEnd } from "../normalise/json-text.ts";
import { itemSchema, propertySchema } from "../normalise/schema-walk.ts";
import { textTypeOf } from "../normalise/text-type.ts";
import { fitsType, typeText } from "../normalise/type-text.ts";
import { jsonStringEnd } from "../runtime/json-object.ts";
import type { JsonSchema } from "../runtime/types.ts";

interface Frame {
  isObject: boolean;
  schema: JsonSchema | undefined;
  /** The key whose value comes next. */
  key: string | undefined;
  index: number;
}

/**
 * Rewrites arguments whose values have the wrong type but say the right thing: `"5"` where a number is due, `7` where
 * text is, a container that came as text. Only what loses nothing is changed, by the same rules as text values.
 *
 * It works on the JSON text, so that the digits of everything else stay as they are.
 *
 * @param json Arguments as JSON text, without blanks or with.
 * @returns The new text, or undefined when nothing had to change.
 */
export function coerceArguments(json: string, schema: JsonSchema): string | undefined {
  const pieces: string[] = [];
  const stack: Frame[] = [];
  let from = 0;
  let at = 0;
  const placeSchema = (): JsonSchema | undefined => {
    const frame = stack.at(-1);
    if (frame === undefined) return schema;
    if (frame.schema === undefined) return undefined;
    return frame.isObject
      ? propertySchema(frame.schema, schema, frame.key ?? "")
      : itemSchema(frame.schema, schema, frame.index);
  };
  while (at < json.length) {
    const character = json[at] as string;
    const frame = stack.at(-1);
    if (character === "{" || character === "[") {
      stack.push({ isObject: character === "{", schema: placeSchema(), key: undefined, index: 0 });
      at++;
    } else if (character === "}" || character === "]") {
      stack.pop();
      at++;
    } else if (character === ",") {
      if (frame !== undefined) {
        frame.index++;
        frame.key = undefined;
      }
      at++;
    } else if (character === '"' && frame?.isObject === true && frame.key === undefined) {
      const end = jsonStringEnd(json, at);
      frame.key = JSON.parse(json.slice(at, end)) as string;
      at = end;
    } else if (
      character === ":" ||
      character === " " ||
      character === "\n" ||
      character === "\r" ||
      character === "\t"
    ) {
      at++;
    } else {
      const end = character === '"' ? jsonStringEnd(json, at) : jsonScalarEnd(json, at);
      const token = json.slice(at, end);
      const changed = coerceScalar(token, placeSchema(), schema);
      if (changed !== undefined) {
        pieces.push(json.slice(from, at), changed);
        from = end;
      }
      at = end;
    }
  }
  if (pieces.length === 0) return undefined;
  pieces.push(json.slice(from));
  return pieces.join("");
}

function coerceScalar(token: string, place: JsonSchema | undefined, root: JsonSchema): string | undefined {
  if (place === undefined) return undefined;
  const type = textTypeOf(place, root);
  if (type.inferred || fitsType(token, type)) return undefined;
  if (token.charCodeAt(0) === 0x22) {
    const typed = typeText(JSON.parse(token) as string, type);
    return "json" in typed ? typed.json : undefined;
  }
  if (token === "null") return undefined;
  const asText = JSON.stringify(token);
  return fitsType(asText, type) ? asText : undefined;
}
