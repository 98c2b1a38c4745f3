/** Character codes and classes of the recovery. Codes rather than strings: the loops compare numbers. */

/** What {@link TextWindow.at} says where the text is over. */
export const END = -1;
/** What every look-ahead says when the answer lies in text that has not come yet. */
export const WAIT = -2;

export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const HASH = 0x23;
export const APOSTROPHE = 0x27;
export const OPEN_PAREN = 0x28;
export const CLOSE_PAREN = 0x29;
export const ASTERISK = 0x2a;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const DOT = 0x2e;
export const SLASH = 0x2f;
export const COLON = 0x3a;
export const SEMICOLON = 0x3b;
export const EQUALS = 0x3d;
export const GREATER = 0x3e;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const BACKTICK = 0x60;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const TILDE = 0x7e;
export const ELLIPSIS = 0x2026;

/** White space by the JSON grammar. */
export function isBlank(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB;
}

/** White space that JSON does not know but that can only be meant as white space between tokens. */
export function isOddBlank(code: number): boolean {
  if (code < 0x80) return code === 0x0b || code === 0x0c;
  return (
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    code === 0x180e ||
    (code >= 0x2000 && code <= 0x200f) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x2060 ||
    code === 0x3000 ||
    code === 0xfeff
  );
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

export function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

export function isHexDigit(code: number): boolean {
  return isDigit(code) || (code >= 0x61 && code <= 0x66) || (code >= 0x41 && code <= 0x46);
}

/** What a key may be made of when it has no quotes: any letter of any script, digits, `$ _ - .` */
export function isKeyCharacter(code: number): boolean {
  if (code < 0x80) {
    return isLetter(code) || isDigit(code) || code === 0x5f || code === 0x24 || code === MINUS || code === DOT;
  }
  return !isOddBlank(code) && !isQuote(code) && code !== ELLIPSIS;
}

export function isCloser(code: number): boolean {
  return code === CLOSE_BRACE || code === CLOSE_BRACKET || code === CLOSE_PAREN;
}

export function isOpener(code: number): boolean {
  return code === OPEN_BRACE || code === OPEN_BRACKET || code === OPEN_PAREN;
}

/** Which characters may close a string, by the character that opened it: its partner, and for a smart one a straight one. */
const partners: ReadonlyMap<number, readonly number[]> = /* @__PURE__ */ new Map([
  [QUOTE, [QUOTE]],
  [APOSTROPHE, [APOSTROPHE]],
  [BACKTICK, [BACKTICK, 0xb4, APOSTROPHE]],
  [0x201c, [0x201d, 0x201c, QUOTE]],
  [0x201d, [0x201d, 0x201c, QUOTE]],
  [0x201e, [0x201c, 0x201d, QUOTE]],
  [0x201f, [0x201d, 0x201c, QUOTE]],
  [0x2018, [0x2019, 0x2018, APOSTROPHE]],
  [0x2019, [0x2019, 0x2018, APOSTROPHE]],
  [0x201a, [0x2018, 0x2019, APOSTROPHE]],
  [0xff02, [0xff02, QUOTE]],
  [0xff07, [0xff07, APOSTROPHE]],
  [0xab, [0xbb]],
  [0xb4, [0xb4, APOSTROPHE]],
]);

export function isQuote(code: number): boolean {
  return code === QUOTE || code === APOSTROPHE || code === BACKTICK || (code > 0x7f && partners.has(code));
}

/** The characters that may close what `opener` opened; empty when it opens no string. */
export function closersOf(opener: number): readonly number[] {
  return partners.get(opener) ?? [];
}
