import { checkOptionsOf, isOneOf } from "../contract/option-values.ts";
import type { RepairLevel, ValueLevel } from "../contract/repairs.ts";
import { repairJson, repairValues } from "./repair-json.ts";
import type { RepairJsonOptions } from "./repair-result.ts";

/** What {@link jsonrepair} may do, and what is known of the text. */
export interface JsonrepairOptions extends RepairJsonOptions {
  /** The worst level that is returned rather than thrown. Default `truncated`: what was guessed is thrown. */
  allow?: RepairLevel;
}

/** What {@link jsonrepair} throws: the text is not JSON, and no repair that is allowed makes it so. */
export class JsonrepairError extends Error {
  override readonly name = "JsonrepairError";
  /** Offset of the first thing that was not allowed, in UTF-16 units. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(`${message} at position ${position}`);
    this.position = position;
  }
}

const allowed: Readonly<Record<RepairLevel, readonly ValueLevel[]>> = {
  safe: ["none", "safe"],
  truncated: ["none", "safe", "truncated"],
  guess: ["none", "safe", "truncated", "guess"],
};

/**
 * Mended JSON as text: for a change from the package `jsonrepair`, whose function has the same name and shape. A text that
 * is JSON comes back as it is, any other is written anew without its white space.
 *
 * @param text - JSON, however damaged, and all there.
 * @param options - `allow: "guess"` returns what that package would, a guess included.
 * @returns JSON.
 * @throws JsonrepairError: there is no value in the text, or it had to be guessed and guesses are not allowed
 */
export function jsonrepair(text: string, options: JsonrepairOptions = {}): string {
  checkOptionsOf("jsonrepair", options, { ...repairValues, allow: isOneOf(...Object.keys(allowed)) });
  const { allow = "truncated", ...further } = options;
  const result = repairJson(text, { final: true, ...(allow === "guess" ? asPeers : {}), ...further });
  if (!result.ok) throw new JsonrepairError(result.message, result.at);
  if (result.level === "none") return text;
  const levels = allowed[allow];
  const refused = result.repairs.find(({ level }) => !levels.includes(level));
  if (refused !== undefined) {
    throw new JsonrepairError(`the text has more than one reading (${refused.kind}, ${refused.level})`, refused.start);
  }
  return JSON.stringify(result.value);
}

/** What that package reads where guesses are allowed. */
const asPeers: RepairJsonOptions = { several: "array", bareText: true };
