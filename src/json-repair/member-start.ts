import {
  COLON,
  END,
  EQUALS,
  isDigit,
  isKeyCharacter,
  isLetter,
  isQuote,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  SLASH,
} from "./characters.ts";
import type { LookAhead } from "./look-ahead.ts";
import { hasKey, type OpenContainers } from "./open-containers.ts";

/**
 * What is known of the key with which a member begins. `none`: no member begins here. `declared`: the schema has the key;
 * `undeclared`: there is a schema, and it has not; `unknown`: nothing is known of the keys here. `partial`: the text ended
 * inside the key. `damaged`: its colon or closing quote went wrong: evidence only where nothing speaks against it.
 */
export type KeyEvidence = "none" | "declared" | "undeclared" | "unknown" | "partial" | "damaged";

/** A place where a member may begin. */
export interface MemberStart {
  evidence: KeyEvidence;
  /** The key has no opening quote. */
  bare: boolean;
  /** Index of the colon; -1 where none was seen. */
  colon: number;
  /** The object has this key already. */
  seen: boolean;
  /** The key is longer than any look-ahead, so nothing is known of its colon. */
  long: boolean;
}

const withoutColon = { bare: false, colon: -1, seen: false, long: false } as const;
const none: MemberStart = { evidence: "none", ...withoutColon };
const partial: MemberStart = { evidence: "partial", ...withoutColon };
const partialBare: MemberStart = { evidence: "partial", ...withoutColon, bare: true };
const damaged: MemberStart = { evidence: "damaged", ...withoutColon };

/** Whether the key and its colon are there as they should be. */
export function isWholeKey({ evidence, long }: MemberStart): boolean {
  return !long && evidence !== "none" && evidence !== "partial" && evidence !== "damaged";
}

/**
 * A member start: a key of bounded length with or without quotes, then a colon.
 *
 * @param ahead - Looks at the text.
 * @param open - The containers that are open.
 * @param at - Where the key would begin.
 * @param level - In which of the open containers it would stand; -1 asks for the shape only.
 */
export function findMemberStart(ahead: LookAhead, open: OpenContainers, at: number, level: number): MemberStart {
  const first = ahead.at(at);
  if (first === END) return partial;
  if (!isQuote(first)) return isKeyCharacter(first) ? findBareStart(ahead, open, at, level) : none;
  const end = ahead.endOfString(at);
  if (end === "cut") return partial;
  if (end === "long") {
    // As written.
    const evidence = level >= 0 && open.allowedAt(level) !== undefined ? "undeclared" : "unknown";
    return { evidence, bare: false, colon: -1, seen: false, long: true };
  }
  const width = ahead.doubled && ahead.at(at + 1) === first ? 2 : 1;
  const after = ahead.skipBlanks(end);
  const code = ahead.at(after);
  if (code === END) return partial;
  if (code !== COLON) return isDamagedMember(ahead, at + width, after, code) ? damaged : none;
  return startWithKey(ahead, open, level, false, after, at + width, end - width);
}

/** The same where the key has no opening quote, and perhaps a closing one. */
function findBareStart(ahead: LookAhead, open: OpenContainers, at: number, level: number): MemberStart {
  const end = ahead.endOfRun(at, isKeyCharacter);
  if (end < 0) return none;
  const last = ahead.at(end);
  const after = last >= 0 && isQuote(last) ? end + 1 : end;
  const colon = ahead.skipBlanks(after);
  const code = ahead.at(colon);
  if (code === END) return colon > after ? none : partialBare;
  if (code !== COLON || ahead.at(colon + 1) === SLASH) return none; // `https://`
  return startWithKey(ahead, open, level, true, colon, at, end);
}

function startWithKey(
  ahead: LookAhead,
  open: OpenContainers,
  level: number,
  bare: boolean,
  colon: number,
  keyStart: number,
  keyEnd: number,
): MemberStart {
  const allowed = level < 0 ? undefined : open.allowedAt(level);
  if (allowed === undefined) return { evidence: "unknown", bare, colon, seen: false, long: false };
  const key = decodeKey(ahead.window.text.slice(keyStart, keyEnd));
  if (!allowed.has(key)) return { evidence: "undeclared", bare, colon, seen: false, long: false };
  const container = open.stack[level];
  const seen = hasKey(container, key) || container.key === key;
  return { evidence: "declared", bare, colon, seen, long: false };
}

/** `"key" = 1`, `"key" {` and `"key: 1`: a member whose colon or quote is damaged, if a value follows. */
function isDamagedMember(ahead: LookAhead, keyStart: number, after: number, code: number): boolean {
  if (isQuote(code)) return isStringInTurn(ahead, after);
  if (code === EQUALS || beginsContainerOrNumber(code)) return true;
  const { window } = ahead;
  let at = keyStart;
  while (at < after && isKeyCharacter(ahead.at(at))) at++;
  window.steps += at - keyStart;
  if (at === keyStart || ahead.at(at) !== COLON) return false;
  const value = ahead.skipBlanks(at + 1);
  const first = ahead.at(value);
  if (isQuote(first) || beginsContainerOrNumber(first)) return true;
  return isLetter(first) && ahead.isLiteral(value);
}

/** What cannot be the rest of a key. */
export function beginsContainerOrNumber(code: number): boolean {
  return code === OPEN_BRACE || code === OPEN_BRACKET || code === MINUS || isDigit(code);
}

/** A string at `at` that closes in its turn: a comma or a closer follows it. */
export function isStringInTurn(ahead: LookAhead, at: number): boolean {
  const end = ahead.endOfString(at);
  if (typeof end !== "number") return false;
  const next = ahead.skipBlanks(end);
  return ahead.at(next) !== END && ahead.endsValue(next);
}

/** A key as it will be stored. */
export function decodeKey(raw: string): string {
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
}
