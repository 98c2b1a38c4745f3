import type { FormatData } from "../formats/format-data.ts";

// What is asked of every parameter, sound ones too: most keys and values have none of it.

/** Of letters that look alike Python takes one for all in a name. */
export const mayBeOtherName = ({ pythonValues }: Pick<FormatData, "pythonValues">, key: string): boolean =>
  pythonValues === true && /[^\0-\x7f]/.test(key);

export const holdsAttribute = ({ rawValues }: Pick<FormatData, "rawValues">, key: string): boolean =>
  rawValues !== undefined && key.includes("=") && /\s[^\s=]+=/.test(key);

/** A value without any of these holds no boundary of parameters. To search for each is several times as fast as an expression. */
export const mayHoldBoundary = (value: string): boolean =>
  value.includes("<") || value.includes(">") || value.includes('="') || value.includes("＜");
