import { describeKinds, kindOf } from "../../values/value-kinds.ts";

/** Messages are lines: texts of a model and lists of choices are clipped. */
const quotedCharsMax = 60;
const choicesCharsMax = 200;

/** A text in quotes, clipped: it may hold secrets, and it may be long. */
export function clipped(text: string): string {
  return JSON.stringify(text.length > quotedCharsMax ? `${text.slice(0, quotedCharsMax)}...` : text);
}

/** The kind of a value in a word; `number` for every number. */
export function kindText(value: unknown): string {
  return typeof value === "number" ? "number" : describeKinds(kindOf(value));
}

/** A scalar as it stands, clipped; of a container, only what it is. */
export function valueText(value: unknown): string {
  if (typeof value === "string") return clipped(value);
  return typeof value === "object" && value !== null ? kindText(value) : String(value);
}

/** The only values that are allowed. */
export function choicesText(values: readonly unknown[]): string {
  const text = values.map((value) => JSON.stringify(value)).join(", ");
  const short = text.length > choicesCharsMax ? `${text.slice(0, choicesCharsMax)}...` : text;
  return values.length === 1 ? short : `one of ${short}`;
}
