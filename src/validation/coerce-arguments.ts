import type { JsonSchema } from "../contract/types.ts";
import { textTypeOf } from "../values/declared-type.ts";
import { isExactNumber, isJsonNumber } from "../values/number-text.ts";
import { type Places, rewriteScalars } from "../values/rewrite-scalars.ts";
import { itemSchema, propertySchema } from "../values/schema-walk.ts";
import { fitsType, typeText } from "../values/text-to-value.ts";

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
  const places: Places<JsonSchema | undefined> = {
    root: schema,
    member: (place, key) => (place === undefined ? undefined : propertySchema(place, schema, key)),
    item: (place, index) => (place === undefined ? undefined : itemSchema(place, schema, index)),
  };
  return rewriteScalars(json, places, (token, place) => coerceScalar(token, place, schema));
}

function coerceScalar(token: string, place: JsonSchema | undefined, root: JsonSchema): string | undefined {
  if (place === undefined) return undefined;
  const type = textTypeOf(place, root);
  if (type.inferred || fitsType(token, type)) return undefined;
  if (token.charCodeAt(0) === 0x22) {
    const typed = typeText(JSON.parse(token) as string, type);
    if (!("json" in typed)) return undefined;
    return isJsonNumber(typed.json) && !isExactNumber(typed.json) ? undefined : typed.json;
  }
  if (token === "null") return undefined;
  const asText = JSON.stringify(token);
  return fitsType(asText, type) ? asText : undefined;
}
