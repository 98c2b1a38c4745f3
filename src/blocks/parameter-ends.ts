import { plainSigns } from "../contract/plain-signs.ts";
import { dataBackslash } from "../json-repair/one-reading.ts";
import { latePattern } from "../machine/late-pattern.ts";
import { roleCodes as role } from "../machine/roles.ts";
import { holdsNextCall } from "../values/damaged-arguments.ts";
import type { TextType } from "../values/declared-type.ts";
import { kindBits } from "../values/value-kinds.ts";
import { refuseAmbiguous } from "./candidates.ts";
import { boundaryOf, gapCharsMax, lineCharsMax } from "./misspelt-boundary-words.ts";
import { beginsAsOpener, endsAsCloser, endsInCloser } from "./parameter-debris.ts";
import { mayHoldBoundary } from "./parameter-signs.ts";
import { parameterTagOf } from "./parameter-tag.ts";
import { endBeforeShownCall } from "./refused-block.ts";
import type { ReaderState } from "./state.ts";
import { marksStrings } from "./string-marks.ts";
import { typeBeside } from "./typed-parameter.ts";
import { asWritten } from "./written-tags.ts";

/** The format as the call that is read writes its tags, by the one before a value. */
const formatHere = (state: ReaderState, valueStart: number) =>
  asWritten(
    state.format,
    state.slice(Math.max(state.block?.start ?? valueStart, valueStart - lineCharsMax), valueStart),
  );

/** The opener of the value is missing: what the value begins with may be the rest of it. */
export function checkOpener(state: ReaderState): void {
  const { valueStart, valueEnd } = state;
  const tag = parameterTagOf(formatHere(state, valueStart).template);
  if (tag !== null && beginsAsOpener(state.slice(valueStart, valueEnd), tag)) refuseBeginning(state);
}

const refuseBeginning = ({ block, key }: ReaderState) =>
  block?.candidate?.refuse("ambiguous", `"${key}" begins with what may be left of the tag before it`);

/** What stands for a quote, or escapes one. */
const leftOfMark = /^\s*[\\`"'´“”„‘’«]/;

/** What stands directly before the closer of a value may be one that is damaged. */
export function checkCloser(
  state: ReaderState,
  start: number,
  end: number,
  last = state.slice(Math.max(start, end - gapCharsMax), end),
): void {
  const { format, key, block } = state;
  const isClosed = end < state.store.end;
  if (!isClosed || !mayHoldBoundary(last)) return;
  const value = state.slice(start, end);
  if ([...new Set([format, formatHere(state, start)])].some((one) => endsInCloser(one, value, key)))
    block?.candidate?.refuse("ambiguous", `"${key}" ends in what may be left of its closer; ask for the call again`);
}

/** The closer of the last value is missing: what may be a tag, or the rest of one, leaves two readings of where it stood. */
export function checkLastValue(state: ReaderState, _start: number, at: number): void {
  const { block, shownInLast } = state;
  if (block && shownInLast >= 0 && state.pausedAt === at && endBeforeShownCall(state, block, shownInLast, at)) return;
  const text = state.slice(state.valueStart, state.valueEnd);
  const hasMarks = marksStrings(state.format);
  const mayEndBefore = hasMarks ? /[<>|,{}[\]]/ : tagLike;
  const boundary = boundaryOf(formatHere(state, state.valueStart));
  if (mayEndBefore.test(text)) refuseEnd(state, `"${state.key}" is not closed, and its text holds what may be a tag`);
  else if (/[\r\n]\s*$/.test(text))
    refuseEnd(state, `"${state.key}" is not closed, and its text ends in an empty line`);
  else if ((hasMarks && endsInLoneQuote(text)) || (boundary && endsAsCloser(text, boundary, state.key)))
    refuseEnd(state, `"${state.key}" is not closed, and its text ends in what may be left of its closer`);
  else if (endsAsJson(text)) refuseEnd(state, `"${state.key}" is not closed, and its text ends as JSON does`);
}

/** What may begin a tag, with a blank in it or not, or be the end of one: a `<` before another sign or a number compares or shifts. */
const tagLike = /<(?!<|-|=[\s\d]|\s*[-+]?\d)|>\s*$/;

/** Whether a text ends in a quote that has no partner: where strings have marks of their own, plain quotes are read, too. */
function endsInLoneQuote(text: string): boolean {
  const [quote] = /["'`´“”‘’»](?=\s*$)/.exec(text) ?? [];
  return quote !== undefined && text.split(quote).length % 2 === 0;
}

/** Whether a text ends in a quote and brackets that nothing in it has opened: it is the rest of JSON. */
export function endsAsJson(text: string): boolean {
  if (!/["']\s*[}\]][}\]\s]*$/.test(text)) return false;
  let depth = 0;
  for (const unit of text) {
    if (unit === "{" || unit === "[") depth++;
    else if (unit === "}" || unit === "]") depth--;
  }
  return depth < 0;
}

/**
 * A quote after a key and its sign, or in a list after a comma, begins the next value, if the one that ends this is missing, and
 * one behind the beginning of another call one of its. Behind two strings side by side it may end a third.
 */
export function checkInnerQuote(state: ReaderState, start: number): void {
  const before = plainSigns(state.slice(Math.max(state.block?.start ?? start, start - gapCharsMax), start));
  const isItem = state.roles.some(({ code }) => code === role.Array || code === role.Object) && /,\s*$/.test(before);
  const text = state.slice(Math.max(state.block?.start ?? start, start - lineCharsMax), start);
  const value = state.slice(Math.max(state.roles.at(-1)?.start ?? start, start - lineCharsMax), start);
  const isUnsure = isItem || wordAndSign().test(before) || sideBySide.test(value) || dataBackslash.test(value);
  if (isUnsure || holdsNextCall(text, state.hints.names)) refuseAmbiguous(state);
}

/** Where two are missing, the first of the others may have stood before the text that ends with the second. */
export function checkOpeningQuotes(state: ReaderState): void {
  const missing = state.block?.candidate?.repairs.filter(({ kind }) => kind === "missing-opening-quote") ?? [];
  if (missing.length > 1 || mayBeginBefore(state)) for (const repair of missing) repair.level = "guess";
  checkOpener(state);
  if (leftOfMark.test(state.slice(state.valueStart, state.valueEnd))) refuseBeginning(state);
}

/**
 * Whether a string of which only the end is marked may begin in a member before its own, back to the last bracket. One in marks may
 * have one too many; what stands without any is none only where the schema takes no string.
 */
function mayBeginBefore(state: ReaderState): boolean {
  const { block, valueStart } = state;
  const before = state.slice(Math.max(block?.start ?? valueStart, valueStart - lineCharsMax), valueStart);
  const members = membersAfterBracket.exec(before)?.[1];
  if (members === undefined) return true;
  const given = members.split(",").slice(0, -1);
  return given.some((member) => member.trim() !== "" && takesText(typeBeside(state, member.split(":")[0].trim())));
}

/** A `>` ends the mark of a string. */
const membersAfterBracket = /[{}[\]]([^{}[\]>]*)$/;

const takesText = (type: TextType | undefined): boolean => type === undefined || (type.kinds & kindBits.string) !== 0;

/** Where one string ends and the next begins. */
const sideBySide = /(["'])[ \t\r\n]+[rRuU]?\1/;

const wordAndSign = latePattern("[\\p{L}\\p{N}_]\\s*=\\s*$");

/** The call lacks a closer that its last value holds: it was moved there, or it is text. */
export function checkLostClosers(state: ReaderState, _start: number, at: number): void {
  const { format, valueStart, valueEnd } = state;
  const [held, after] = [state.slice(valueStart, valueEnd), state.slice(valueEnd, at)];
  const { trailingClosers = [], closers = [] } = format;
  for (const closer of new Set([...trailingClosers, ...closers])) {
    if (!holdsCloser(held, closer) || holdsCloser(after, closer)) continue;
    refuseEnd(state, `a closer is missing after "${state.key}", and its text holds one`);
    return;
  }
}

/** Whether a closer stands in a text, with whatever prefix its tag may have there. */
function holdsCloser(text: string, closer: string): boolean {
  const [head, name] = closer.startsWith("</") ? ["</", closer.slice(2)] : ["", closer];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (head === "" || /<\/[^<>\s/]*$/.test(text.slice(Math.max(0, at - prefixCharsMax), at))) return true;
  }
  return false;
}

const prefixCharsMax = 64;

/** Where the call ends is not known. */
export function refuseEnd({ block }: ReaderState, what: string): void {
  const candidate = block?.candidate ?? block?.pending;
  if (!candidate) return;
  candidate.refuse("ambiguous", `${what}, so where the call ends is not known; ask for it again`);
  candidate.endIsUnproven = true;
}
