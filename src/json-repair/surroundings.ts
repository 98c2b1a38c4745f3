import { latePattern } from "../machine/late-pattern.ts";
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  END,
  isDigit,
  isKeyCharacter,
  isQuote,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
} from "./characters.ts";
import type { TextWindow } from "./text-window.ts";

const keyCharactersMax = 64;

/** Index of the next opener at or after `from` after which JSON begins, rather than a word in brackets; or -1. */
export function nextCandidate(window: TextWindow, from: number): number {
  const text = window.text;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== OPEN_BRACE && code !== OPEN_BRACKET) continue;
    if (beginsJson(window, at, code)) {
      window.steps += at - from;
      return at;
    }
  }
  window.steps += text.length - from;
  return -1;
}

function beginsJson(window: TextWindow, at: number, opener: number): boolean {
  const first = window.skipBlanks(at + 1);
  const code = window.at(first);
  if (code === END) return false;
  if (isQuote(code) || (code === BACKSLASH && window.at(first + 1) === 0x22)) return true;
  if (opener === OPEN_BRACKET) {
    if (code === CLOSE_BRACKET || code === OPEN_BRACE || code === OPEN_BRACKET || code === MINUS || isDigit(code))
      return true;
    return /^(?:true|false|null|True|False|None)\b/.test(window.text.slice(first, first + 6));
  }
  if (code === CLOSE_BRACE) return true;
  let index = first;
  while (index - first < keyCharactersMax && isKeyCharacter(window.at(index))) index++;
  return index > first && window.at(window.skipBlanks(index)) === COLON;
}

const assignmentBefore = latePattern(
  "^\\s*(?:(?:const|let|var|export|default|return|json|my)\\s+){0,3}[\\p{L}\\p{N}_$.]{0,64}\\s*(?::?=|\\()\\s*$",
);
const returnBefore = /^\s*(?:return|export\s+default)\s*$/;
const assignmentAfter = /^\s*\)?\s*;?\s*$/;
const shortText = 200;

/** `r = {...};` and `call({...});` as a whole. */
export function isAssignment(before: string, after: string): boolean {
  if (before.length > shortText || after.length > shortText) return false;
  return (assignmentBefore().test(before) || returnBefore.test(before)) && assignmentAfter.test(after);
}

const fenceBefore = /(?:^|\n)[ \t]{0,3}(`{3,8}|~{3,8})[ \t]*[\w+-]{0,32}\s*$/;

/** Index where the fence line that ends `before` begins, or -1. */
export function fenceStart(before: string): number {
  const found = fenceBefore.exec(before.slice(-shortText));
  return found === null ? -1 : before.length - found[0].trimStart().length;
}
