/** Reads what is written for llama.cpp and llguidance back into parts: only what is written there, no more. */
import { all, any, chars, type Part, type Parts, rule, text, without } from "../../src/export/parts.ts";

/** A grammar of one rule per line: GBNF (`name ::= ...`) or Lark (`name: ...`). */
export function readGrammar(grammar: string): Parts {
  const rules = new Map<string, Part>();
  for (const line of grammar.trimEnd().split("\n")) {
    const [head, name] = /^([\w-]+)(?: ::=|:) /.exec(line) as RegExpExecArray;
    const reader = new LineReader(line, head.length);
    rules.set(name, reader.alternatives());
    reader.expectEnd();
  }
  return { root: rule(rules.has("start") ? "start" : "root"), rules };
}

class LineReader {
  #at: number;
  readonly #line: string;

  constructor(line: string, at: number) {
    this.#line = line;
    this.#at = at;
  }

  alternatives(): Part {
    const found = [this.#sequence()];
    while (this.#take(" | ")) found.push(this.#sequence());
    return any(...found);
  }

  expectEnd(): void {
    if (this.#at < this.#line.length) throw new Error(`not read: ${this.#line.slice(this.#at)}`);
  }

  #take(word: string): boolean {
    if (!this.#line.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  #match(shape: RegExp): RegExpExecArray | undefined {
    shape.lastIndex = this.#at;
    const found = shape.exec(this.#line) ?? undefined;
    if (found !== undefined) this.#at += found[0].length;
    return found;
  }

  #sequence(): Part {
    const found = [this.#repeated()];
    while (!this.#line.startsWith(" | ", this.#at) && this.#take(" ")) found.push(this.#repeated());
    return all(...found);
  }

  #repeated(): Part {
    const part = this.#one();
    const [, sign, least, most] = this.#match(/([?*+])|\{(\d+)(?:,(\d*))?\}/y) ?? [];
    if (sign === undefined && least === undefined) return part;
    const min = sign === "+" ? 1 : sign === undefined ? Number(least) : 0;
    const max = sign === "?" ? 1 : sign !== undefined || most === "" ? undefined : Number(most ?? least);
    return part.type === "chars" ? { ...part, min, max } : { type: "many", part, between: "", min, max };
  }

  #one(): Part {
    if (this.#take("(")) {
      const inner = this.alternatives();
      if (!this.#take(")")) throw new Error(`no ")": ${this.#line.slice(this.#at)}`);
      return inner;
    }
    const quoted = this.#match(/"((?:[^"\\]|\\.)*)"/y);
    if (quoted !== undefined) return text(unescaped(quoted[1]));
    const set = this.#match(/\/?\[(\^?)((?:[^\]\\]|\\.)*)\]\/?/y);
    if (set !== undefined) return chars(rangesIn(set[2], set[1] === "^"));
    const name = this.#match(/[\w-]+/y);
    if (name === undefined) throw new Error(`not read: ${this.#line.slice(this.#at)}`);
    return rule(name[0]);
  }
}

const escapes = /\\(?:U([\dA-F]{8})|u([\dA-Fa-f]{4})|x([\dA-F]{2})|n|t|r|f|b|(.))/g;
const named: Record<string, string> = { "\\n": "\n", "\\t": "\t", "\\r": "\r", "\\f": "\f", "\\b": "\b" };

function unescaped(written: string): string {
  return written.replace(escapes, (whole, long, short, byte, plain) => {
    const code = long ?? short ?? byte;
    return code !== undefined ? String.fromCodePoint(Number.parseInt(code, 16)) : (named[whole] ?? plain);
  });
}

function rangesIn(written: string, isNegated: boolean): readonly number[] {
  const ranges: number[] = [];
  const unit = /\\U[\dA-F]{8}|\\u[\dA-F]{4}|\\x[\dA-F]{2}|\\.|[^\\]/gu;
  const units = [...written.matchAll(unit)].map(([found]) => found);
  for (let at = 0; at < units.length; at++) {
    const first = unescaped(units[at]).codePointAt(0) as number;
    const isRange = units[at + 1] === "-" && at + 2 < units.length;
    ranges.push(first, isRange ? (unescaped(units[at + 2]).codePointAt(0) as number) : first);
    if (isRange) at += 2;
  }
  return isNegated ? without([0, 0xd7ff, 0xe000, 0x10ffff], ranges) : ranges;
}
