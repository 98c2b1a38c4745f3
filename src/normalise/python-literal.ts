// Python literals, read as data: nothing is evaluated, and whatever is not a literal is refused.
//
//   value  = string+ | number | list | tuple | dict | True | False | None | true | false | null
//   string = [rRuU]? ('...' | "..." | '''...''' | """...""")
//   number = [+-]? (decimal | 0x.. | 0o.. | 0b..) with single "_" between digits, or a float with exponent
//   list   = "[" (value ("," value)* ","?)? "]"
//   tuple  = "(" (value "," (value ("," value)*)? ","?)? ")"
//   dict   = "{" (key ":" value ("," key ":" value)* ","?)? "}"        key = string+ | integer

import { numberCharsMax } from "./number-text.ts";

/** A literal as JSON text, and what its reader noticed on the way. */
export interface PythonReading {
  json: string;
  /** A raw newline (or another control character) stood in a string that may not span lines. */
  rawControl: boolean;
  /** Two or more strings stand side by side: Python joins them, but a comma may be missing as well. */
  adjacent: boolean;
}

const decimalInteger = /^(?:0(?:_?0)*|[1-9](?:_?[0-9])*)$/;
const prefixedInteger = /^0(?:[xX](?:_?[0-9a-fA-F])+|[oO](?:_?[0-7])+|[bB](?:_?[01])+)$/;
const float = /^(?:[0-9](?:_?[0-9])*)?(?:\.(?:[0-9](?:_?[0-9])*)?)?(?:[eE][+-]?[0-9](?:_?[0-9])*)?$/;
const finiteHexDigits = 256; // 16^256 = 2^1024, the first power that is no finite number
const finiteBinaryDigits = 1024;

const words: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  True: "true",
  False: "false",
  None: "null",
  true: "true",
  false: "false",
  null: "null",
});

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ["\n", ""],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);

/**
 * Reads a Python number as JSON text; the digits of big integers are kept.
 *
 * @returns undefined for anything else: complex numbers, `inf`, `nan`, overflow, a leading zero (`007` is an error in
 * Python, and octal elsewhere).
 */
export function pythonNumberToJson(text: string): string | undefined {
  if (text.length > numberCharsMax) return undefined;
  const sign = text.startsWith("-") ? "-" : "";
  const body = sign !== "" || text.startsWith("+") ? text.slice(1) : text;
  if (decimalInteger.test(body)) {
    const digits = body.replaceAll("_", "");
    if (digits.charCodeAt(0) === 0x30) return `${sign}0`;
    return Number.isFinite(Number(digits)) ? sign + digits : undefined;
  }
  if (prefixedInteger.test(body)) {
    const digits = body.slice(2).replaceAll("_", "").replace(/^0+/, "");
    // The limit comes first: turning a base into decimals is the one step here that is not linear.
    const most = /^0[xX]/.test(body) ? finiteHexDigits : finiteBinaryDigits;
    if (digits.length > most) return undefined;
    const value = BigInt(body.slice(0, 2).toLowerCase() + (digits === "" ? "0" : digits));
    return Number.isFinite(Number(value)) ? sign + value.toString() : undefined;
  }
  if (!/[0-9]/.test(body) || !float.test(body)) return undefined;
  if (!/[.eE]/.test(body)) return undefined;
  const mark = body.search(/[eE]/);
  const mantissa = (mark < 0 ? body : body.slice(0, mark)).replaceAll("_", "");
  const exponent = mark < 0 ? "" : body.slice(mark).replaceAll("_", "");
  const point = mantissa.indexOf(".");
  const whole = (point < 0 ? mantissa : mantissa.slice(0, point)).replace(/^0+(?=[0-9])/, "");
  const fraction = point < 0 ? "" : mantissa.slice(point + 1);
  if (whole === "" && fraction === "") return undefined;
  const json = `${sign}${whole === "" ? "0" : whole}${point < 0 ? "" : `.${fraction === "" ? "0" : fraction}`}${exponent}`;
  return Number.isFinite(Number(json)) ? json : undefined;
}

/**
 * Decodes one escape sequence of a Python string.
 *
 * @param sequence The whole sequence from its backslash on: `\n`, `\x41`, `\101`, `\u00e9`, `\U0001f600`, or a
 * backslash and a newline (nothing is left of it).
 * @returns The character. A sequence that Python does not know, `\N{...}` among them, comes back with its backslash.
 */
export function decodePythonEscape(sequence: string): string {
  const simple = simpleEscapes.get(sequence.slice(1));
  if (simple !== undefined) return simple;
  if (sequence === "\\\r\n" || sequence === "\\\r") return "";
  const kind = sequence[1];
  if (kind !== undefined && /^[0-7]{1,3}$/.test(sequence.slice(1))) {
    return String.fromCharCode(Number.parseInt(sequence.slice(1), 8));
  }
  const digits = sequence.slice(2);
  const wanted = kind === "x" ? 2 : kind === "u" ? 4 : kind === "U" ? 8 : 0;
  if (wanted === 0 || digits.length !== wanted || !/^[0-9a-fA-F]+$/.test(digits)) return sequence;
  const point = Number.parseInt(digits, 16);
  return point > 0x10ffff ? sequence : String.fromCodePoint(point);
}

/** The length of the escape sequence whose backslash stands at `at`, as Python reads it; at least 2. */
function pythonEscapeLength(text: string, at: number): number {
  const kind = text[at + 1];
  if (kind === "\r") return text[at + 2] === "\n" ? 3 : 2;
  if (kind === undefined) return 1;
  const isDigit = kind >= "0" && kind <= "7";
  const most = isDigit ? 3 : kind === "x" ? 2 : kind === "u" ? 4 : kind === "U" ? 8 : 0;
  if (most === 0) return 2;
  let end = isDigit ? at + 1 : at + 2;
  const stop = end + most;
  while (end < stop && end < text.length && (isDigit ? /[0-7]/ : /[0-9a-fA-F]/).test(text[end] as string)) end++;
  return end - at;
}

/**
 * Reads a Python literal as JSON text. Tuples become arrays, `True`, `False` and `None` their JSON words; a repeated
 * key of a dict stays repeated, so that the gate can refuse it.
 *
 * Linear, with a stack of its own: 100,000 levels are no danger to the call stack.
 *
 * @returns undefined for anything that is not a literal of the grammar above: expressions, names, calls, bytes,
 * f-strings, sets, complex numbers, `inf`, `nan`, `...`.
 */
export function pythonLiteralToJson(text: string): string | undefined {
  return readPythonLiteral(text)?.json;
}

/** The same as {@link pythonLiteralToJson}, with what the reader noticed. */
export function readPythonLiteral(text: string): PythonReading | undefined {
  return new PythonReader(text).read();
}

interface Container {
  close: "]" | ")" | "}";
  items: number;
  /** A comma stands after the last item. */
  comma: boolean;
}

class PythonReader {
  #at = 0;
  #rawControl = false;
  readonly #pieces: string[] = [];
  readonly #stack: Container[] = [];

  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  read(): PythonReading | undefined {
    let adjacent = false;
    this.#skipBlanks();
    for (;;) {
      // Here a value is due, or the closer of a container that may end here.
      const open = this.#stack.at(-1);
      if (open !== undefined && this.#text[this.#at] === open.close && (open.items === 0 || open.comma)) {
        if (!this.#closeContainer(open)) return undefined;
      } else {
        if (open !== undefined) {
          if (open.items > 0) this.#pieces.push(",");
          open.items++;
          open.comma = false;
          if (open.close === "}" && !this.#readKey()) return undefined;
        }
        const opened = this.#openContainer();
        if (opened) continue;
        const strings = this.#readScalar();
        if (strings === undefined) return undefined;
        adjacent ||= strings > 1;
      }
      // Here a value is complete: close what can be closed, then go on after a comma.
      for (;;) {
        this.#skipBlanks();
        const outer = this.#stack.at(-1);
        if (outer === undefined) {
          if (this.#at < this.#text.length) return undefined;
          return { json: this.#pieces.join(""), rawControl: this.#rawControl, adjacent };
        }
        const next = this.#text[this.#at];
        if (next === ",") {
          this.#at++;
          outer.comma = true;
          this.#skipBlanks();
          break;
        }
        // `(5)` is a number in brackets, an expression; `(5,)` is a tuple.
        if (next !== outer.close || (next === ")" && outer.items === 1)) return undefined;
        if (!this.#closeContainer(outer)) return undefined;
      }
    }
  }

  #openContainer(): boolean {
    const character = this.#text[this.#at];
    const close = character === "[" ? "]" : character === "(" ? ")" : character === "{" ? "}" : undefined;
    if (close === undefined) return false;
    this.#stack.push({ close, items: 0, comma: false });
    this.#pieces.push(close === "}" ? "{" : "[");
    this.#at++;
    this.#skipBlanks();
    return true;
  }

  #closeContainer(open: Container): boolean {
    this.#at++;
    this.#stack.pop();
    this.#pieces.push(open.close === "}" ? "}" : "]");
    return true;
  }

  #readKey(): boolean {
    const before = this.#pieces.length;
    const strings = this.#readScalar();
    if (strings === undefined) return false;
    if (strings === 0) {
      // JSON has only text as keys; of Python's other keys an integer has one spelling.
      const key = this.#pieces[before] as string;
      if (!/^-?[0-9]+$/.test(key)) return false;
      this.#pieces[before] = `"${key}"`;
    }
    this.#skipBlanks();
    if (this.#text[this.#at] !== ":") return false;
    this.#pieces.push(":");
    this.#at++;
    this.#skipBlanks();
    return true;
  }

  /** Reads a string, number or word into `pieces`. Returns how many strings it joined: 0 for the others. */
  #readScalar(): number | undefined {
    const parts: string[] = [];
    let strings = 0;
    while (this.#startsString()) {
      const part = this.#readString();
      if (part === undefined) return undefined;
      parts.push(part);
      strings++;
      const end = this.#at;
      this.#skipBlanks();
      if (!this.#startsString()) {
        this.#at = end;
        break;
      }
    }
    if (strings > 0) {
      this.#pieces.push(JSON.stringify(parts.length === 1 ? parts[0] : parts.join("")));
      return strings;
    }
    const start = this.#at;
    while (this.#at < this.#text.length && this.#continuesToken(start)) this.#at++;
    const token = this.#text.slice(start, this.#at);
    const json = words[token] ?? (token === "" ? undefined : pythonNumberToJson(token));
    if (json === undefined) return undefined;
    this.#pieces.push(json);
    return 0;
  }

  #continuesToken(start: number): boolean {
    const code = this.#text.charCodeAt(this.#at);
    const lower = code | 0x20;
    if (lower >= 0x61 && lower <= 0x7a) return true;
    if ((code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2e) return true;
    // A sign stands first, or right after the `e` of an exponent.
    if (code !== 0x2b && code !== 0x2d) return false;
    return this.#at === start || (this.#text.charCodeAt(this.#at - 1) | 0x20) === 0x65;
  }

  #startsString(): boolean {
    const first = this.#text[this.#at];
    if (first === "'" || first === '"') return true;
    if (first !== "r" && first !== "R" && first !== "u" && first !== "U") return false;
    const second = this.#text[this.#at + 1];
    return second === "'" || second === '"';
  }

  #readString(): string | undefined {
    const text = this.#text;
    const prefix = text[this.#at] as string;
    const prefixed = prefix !== "'" && prefix !== '"';
    const raw = prefix === "r" || prefix === "R";
    if (prefixed) this.#at++;
    const quote = text[this.#at] as string;
    const triple = text.startsWith(quote.repeat(3), this.#at);
    const close = triple ? quote.repeat(3) : quote;
    const quoteCode = quote.charCodeAt(0);
    this.#at += close.length;
    const parts: string[] = [];
    let from = this.#at;
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at);
      if (code === quoteCode && (!triple || text.startsWith(close, this.#at))) {
        parts.push(text.slice(from, this.#at));
        this.#at += close.length;
        return parts.length === 1 ? parts[0] : parts.join("");
      }
      if (code === 0x5c) {
        const length = raw ? 2 : pythonEscapeLength(text, this.#at);
        if (!raw) {
          const sequence = text.slice(this.#at, this.#at + length);
          const decoded = decodePythonEscape(sequence);
          // Half a `\x`, `\u` or `\U` is an error in Python: there is no reading to take.
          if (decoded === sequence && "xuU".includes(sequence[1] ?? " ")) return undefined;
          parts.push(text.slice(from, this.#at), decoded);
          from = this.#at + length;
        }
        this.#at += length;
        continue;
      }
      if (code < 0x20 && !triple && code !== 0x09) this.#rawControl = true;
      this.#at++;
    }
    return undefined;
  }

  #skipBlanks(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && (code < 0x09 || code > 0x0d || code === 0x0b)) return;
      if (this.#at >= this.#text.length) return;
      this.#at++;
    }
  }
}
