import { jsonNumber } from "../machine/json-scanner.ts";

/** A decimal number as text, taken apart: value = `digits` * 10^`exponent`, no zeros at either end of `digits`. */
interface Decimal {
  negative: boolean;
  /** Empty for zero. */
  digits: string;
  exponent: number;
}

/** No finite number needs more characters; a longer text is not tried. */
export const numberCharsMax = 1024;

/** Whether a text is a number as JSON writes it (it may still overflow). */
export function isJsonNumber(text: string): boolean {
  return text.length <= numberCharsMax && jsonNumber.test(text);
}

function readDecimal(text: string): Decimal {
  const negative = text.charCodeAt(0) === 0x2d;
  const mark = Math.max(text.indexOf("e"), text.indexOf("E"));
  const mantissa = text.slice(negative ? 1 : 0, mark < 0 ? text.length : mark);
  let exponent = mark < 0 ? 0 : Number(text.slice(mark + 1));
  const point = mantissa.indexOf(".");
  if (point >= 0) exponent -= mantissa.length - point - 1;
  const all = point < 0 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1);
  let start = 0;
  let end = all.length;
  while (start < end && all.charCodeAt(start) === 0x30) start++;
  while (end > start && all.charCodeAt(end - 1) === 0x30) end--;
  return { negative, digits: all.slice(start, end), exponent: exponent + (all.length - end) };
}

/**
 * The digits of a JSON number that has no fraction: `5.0` and `5e0` give `5`, `1e3` gives `1000`, big integers keep
 * every digit.
 *
 * @returns undefined when the number has a fraction or overflows.
 */
export function integerDigits(json: string): string | undefined {
  if (!Number.isFinite(Number(json))) return undefined;
  const { negative, digits, exponent } = readDecimal(json);
  if (digits === "") return "0";
  if (exponent < 0) return undefined;
  return (negative ? "-" : "") + digits + "0".repeat(exponent);
}

/** Whether a JSON number is one to JavaScript: it neither overflows nor vanishes, as `1e-999` does. Digits may be lost. */
export function isHeldNumber(json: string): boolean {
  const value = Number(json);
  return Number.isFinite(value) && (value !== 0 || !/^[^eE]*[1-9]/.test(json));
}

/** Whether the number that JavaScript makes of a JSON number is exactly the number written. */
export function isExactNumber(json: string): boolean {
  const value = Number(json);
  if (!Number.isFinite(value)) return false;
  const written = readDecimal(json);
  const kept = readDecimal(String(value));
  return written.digits === kept.digits && (written.digits === "" || written.exponent === kept.exponent);
}

/** So many digits are kept in any case, whatever they are. */
const mayLoseDigits = /\d[\d.]{15}/;

/** The numbers of a JSON text, as written, that JavaScript does not hold exactly; undefined: there are none. */
export function inexactNumbers(json: string): string[] | undefined {
  if (!mayLoseDigits.test(json)) return undefined;
  const numbers = json.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/-?\d[\d.eE+-]{15,}/g);
  const lost = numbers?.filter((number) => !isExactNumber(number));
  return lost !== undefined && lost.length > 0 ? lost : undefined;
}
