import { matchAt } from "../machine/match-at.ts";

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
  /**
   * It has another reading: two strings stand side by side, which Python joins, but a comma may be missing as well; or one
   * in double quotes holds an escape that is not JSON's, whose backslash may be data, as in a path or an expression.
   */
  isAmbiguous: boolean;
}

/** Sign; a decimal integer, or one of another base, or whole, fraction and exponent. Single underscores between digits. */
const number =
  /^([+-]?)(?:(0|[1-9](?:_?\d)*)|(0(?:[xX](?:_?[\da-fA-F])+|[oO](?:_?[0-7])+|[bB](?:_?[01])+))|(?=\.?\d)(0|[1-9](?:_?\d)*)?(\.(?:\d(?:_?\d)*)?)?([eE][+-]?\d(?:_?\d)*)?)$/;
const finiteHexDigits = 256; // 16^256 = 2^1024, the first power that is no finite number
const finiteBinaryDigits = 1024;

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ["\r\n", ""],
  ["\r", ""],
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
 * Python, and octal elsewhere; `000`, which is none there, is what `[1,000]` leaves of a thousand).
 */
export function pythonNumberToJson(text: string): string | undefined {
  const parts = text.length > numberCharsMax ? null : number.exec(text);
  if (parts === null) return undefined;
  const [, sign, integer, based, whole = "", fraction = "", exponent = ""] = parts;
  let json: string;
  if (integer !== undefined) json = integer;
  else if (based !== undefined) {
    // The limit comes first: turning a base into decimals is the one step here that is not linear.
    const most = /^0[xX]/.test(based) ? finiteHexDigits : finiteBinaryDigits;
    if (
      based
        .slice(2)
        .replace(/^[0_]+/, "")
        .replaceAll("_", "").length > most
    )
      return undefined;
    json = BigInt(based.replaceAll("_", "")).toString();
  } else {
    if (fraction === "" && exponent === "") return undefined;
    json = `${whole || "0"}${fraction === "." ? ".0" : fraction}${exponent}`;
  }
  json = json.replaceAll("_", "");
  return Number.isFinite(Number(json)) ? (sign === "-" ? `-${json}` : json) : undefined;
}

const octalEscape = /^\\[0-7]{1,3}$/;
const hexEscape = /^\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})$/;

/**
 * Decodes one escape sequence of a Python string.
 *
 * @param sequence The whole sequence from its backslash on: `\n`, `\x41`, `\101`, `\u00e9`, `\U0001f600`, or a
 * backslash and a newline (nothing is left of it).
 * @returns The character. A sequence that Python does not know comes back with its backslash.
 */
export function decodePythonEscape(sequence: string): string {
  const simple = simpleEscapes.get(sequence.slice(1));
  if (simple !== undefined) return simple;
  if (octalEscape.test(sequence)) return String.fromCharCode(Number.parseInt(sequence.slice(1), 8));
  const point = hexEscape.test(sequence) ? Number.parseInt(sequence.slice(2), 16) : Number.POSITIVE_INFINITY;
  return point > 0x10ffff ? sequence : String.fromCodePoint(point);
}

/**
 * Reads a Python literal as JSON text, and says what it noticed. Tuples become arrays, `True`, `False` and `None` their JSON words; a repeated
 * key of a dict stays repeated, so that validation can refuse it.
 *
 * Linear, with a stack of its own: 100,000 levels are no danger to the call stack.
 *
 * @returns undefined for anything that is not a literal of the grammar above: expressions, names, calls, bytes,
 * f-strings, sets, complex numbers, `inf`, `nan`, `...`.
 */
export function readPythonLiteral(text: string): PythonReading | undefined {
  return new PythonReader(text).read();
}

interface Container {
  close: string;
  items: number;
  /** A comma stands after the last item. */
  comma: boolean;
}

const closers: ReadonlyMap<string | undefined, string> = new Map([
  ["[", "]"],
  ["(", ")"],
  ["{", "}"],
]);

// What may stand at a place of the text; each is tried there and nowhere else.
const blanks = /[\t\n\f\r ]*/y;
/**
 * A sign stands first, or right after the `e` of an exponent. More than `numberCharsMax` characters are no number and no
 * word; each turn is remembered by the engine, so a text of nothing else would be more than it can hold.
 */
const token = /[+-]?(?:[eE][+-]?|\w|\.){0,1025}/y;
const stringStart = /([rRuU]?)('''|"""|'|")/y;
/** An escape as far as Python reads it, whole or not. */
const escapeSequence = /\\(?:\r\n|[0-7]{1,3}|x[0-9a-fA-F]{0,2}|u[0-9a-fA-F]{0,4}|U[0-9a-fA-F]{0,8}|[\s\S])?/y;
/** What JSON and Python read alike, and the apostrophe that only Python escapes. */
const escapeOfBoth = /^\\["\\/bfnrtu']/;
const rawEscape = /\\[\s\S]?/y;
const doubleQuoted = /[^"\\]*/y;
const singleQuoted = /[^'\\]*/y;
/** What a string that may not span lines does not hold. */
const control = /[\0-\x08\x0a-\x1f]/;

const word = /^(?:None|[Tt]rue|[Ff]alse|null)$/;
const wordToJson = (text: string) => (text === "None" ? "null" : text.toLowerCase());

class PythonReader {
  readonly #text: string;
  #at = 0;
  #rawControl = false;
  #isAmbiguous = false;
  readonly #pieces: string[] = [];
  readonly #stack: Container[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  read(): PythonReading | undefined {
    this.#take(blanks);
    for (;;) {
      // Here a value is due, or the closer of a container that may end here.
      const open = this.#stack.at(-1);
      if (open !== undefined && this.#next === open.close && (open.items === 0 || open.comma)) this.#close(open);
      else {
        if (open !== undefined) {
          if (open.items > 0) this.#pieces.push(",");
          open.items++;
          open.comma = false;
          if (open.close === "}" && !this.#readKey()) return undefined;
        }
        if (this.#opens()) continue;
        const strings = this.#readScalar();
        if (strings === undefined) return undefined;
        this.#isAmbiguous ||= strings > 1;
      }
      // Here a value is complete: close what can be closed, then go on after a comma.
      for (;;) {
        this.#take(blanks);
        const outer = this.#stack.at(-1);
        if (outer === undefined) {
          if (this.#next !== undefined) return undefined;
          const json = this.#pieces.join("");
          return { json, rawControl: this.#rawControl, isAmbiguous: this.#isAmbiguous };
        }
        if (this.#next === ",") {
          outer.comma = true;
          this.#step();
          break;
        }
        // `(5)` is a number in brackets, an expression; `(5,)` is a tuple.
        if (this.#next !== outer.close || (outer.close === ")" && outer.items === 1)) return undefined;
        this.#close(outer);
      }
    }
  }

  get #next(): string | undefined {
    return this.#text[this.#at];
  }

  /** Goes on after what an expression matches here. */
  #take(expression: RegExp): RegExpExecArray | undefined {
    const found = matchAt(expression, this.#text, this.#at);
    if (found !== undefined) this.#at += found[0].length;
    return found;
  }

  /** Goes on after a mark and the blanks that follow it. */
  #step(): void {
    this.#at++;
    this.#take(blanks);
  }

  #opens(): boolean {
    const close = closers.get(this.#next);
    if (close === undefined) return false;
    this.#stack.push({ close, items: 0, comma: false });
    this.#pieces.push(close === "}" ? "{" : "[");
    this.#step();
    return true;
  }

  #close({ close }: Container): void {
    this.#at++;
    this.#stack.pop();
    this.#pieces.push(close === "}" ? "}" : "]");
  }

  #readKey(): boolean {
    const strings = this.#readScalar();
    if (strings === undefined) return false;
    if (strings === 0) {
      // JSON has only text as keys; of Python's other keys an integer has one spelling.
      const key = this.#pieces.pop() as string;
      if (!/^-?[0-9]+$/.test(key)) return false;
      this.#pieces.push(`"${key}"`);
    }
    this.#take(blanks);
    if (this.#next !== ":") return false;
    this.#pieces.push(":");
    this.#step();
    return true;
  }

  /** Reads a string, number or word into `pieces`. Returns how many strings it joined: 0 for the others. */
  #readScalar(): number | undefined {
    let strings = 0;
    let value = "";
    for (let start = this.#take(stringStart); start !== undefined; start = this.#take(stringStart)) {
      const part = this.#readString(start);
      if (part === undefined) return undefined;
      value += part;
      strings++;
      this.#take(blanks);
    }
    let json: string | undefined = JSON.stringify(value);
    if (strings === 0) {
      const [text] = this.#take(token) as RegExpExecArray;
      json = word.test(text) ? wordToJson(text) : pythonNumberToJson(text);
      if (json === undefined) return undefined;
    }
    this.#pieces.push(json);
    return strings;
  }

  /** The rest of a string, after its opening mark. */
  #readString([, prefix, close]: RegExpExecArray): string | undefined {
    const isRaw = /r/i.test(prefix);
    let value = "";
    for (;;) {
      const [run] = this.#take(close.startsWith('"') ? doubleQuoted : singleQuoted) as RegExpExecArray;
      if (close.length === 1 && control.test(run)) this.#rawControl = true;
      value += run;
      if (this.#text.startsWith(close, this.#at)) {
        this.#at += close.length;
        return value;
      }
      if (this.#next === undefined) return undefined;
      const sequence = this.#take(isRaw ? rawEscape : escapeSequence)?.[0];
      if (sequence === undefined) {
        // One quote alone does not end a string of three.
        value += this.#next;
        this.#at++;
        continue;
      }
      const decoded = isRaw ? sequence : decodePythonEscape(sequence);
      // Half a `\x`, `\u` or `\U` is an error in Python, and characters by name are not known: there is no reading to take.
      if (!isRaw && decoded === sequence && "xuU".includes(sequence[1] ?? " ")) return undefined;
      if (!isRaw && sequence === "\\N" && this.#next === "{") return undefined;
      if (!isRaw && close === '"' && !escapeOfBoth.test(sequence)) this.#isAmbiguous = true;
      value += decoded;
    }
  }
}
