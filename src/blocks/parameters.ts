import { roleCodes as role } from "../machine/roles.ts";
import type { Candidate } from "../values/candidate.ts";
import type { TextType } from "../values/declared-type.ts";
import { decodeEntity } from "../values/entity.ts";
import { parseJson } from "../values/json-text.ts";
import type { JsonWriter } from "../values/json-writer.ts";
import { decodePythonEscape, pythonNumberToJson } from "../values/python-literal.ts";
import { inferText, isString, typeText } from "../values/text-to-value.ts";
import { kindBits } from "../values/value-kinds.ts";
import { candidateAt, startIfReady, unquoteArguments } from "./candidates.ts";
import { isReadLater, takeDecoded } from "./capture-log.ts";
import { holdsBoundary, holdsCrossing } from "./misspelt-boundary.ts";
import { gapCharsMax } from "./misspelt-boundary-words.ts";
import { leavesAnyOpen, leavesParameterOpen, mayHoldOpener } from "./parameter-debris.ts";
import {
  checkCloser,
  checkInnerQuote,
  checkLastValue,
  checkLostClosers,
  checkOpener,
  checkOpeningQuotes,
  refuseEnd,
} from "./parameter-ends.ts";
import {
  checkAfterUnmarked,
  checkExpected,
  checkFurther,
  checkKey,
  checkLone,
  checkNamedElsewhere,
  noteAttribute,
  noteShown,
} from "./parameter-keys.ts";
import { mayHoldBoundary } from "./parameter-signs.ts";
import { tagOfValue } from "./parameter-tag.ts";
import {
  keepText,
  mayRepeat,
  noteForShape,
  waitsForShape,
  writeByShape,
  writeList,
  writeRepeated,
  writeSaid,
} from "./repeated-parameters.ts";
import { soundParameter } from "./sound-parameter.ts";
import type { Block, OpenRole, ReaderState, RoleHandlers } from "./state.ts";
import { endsWithMarks, holdsMember, lacksMark, marksStrings, memberAtEnd, typeOfText } from "./string-marks.ts";
import { plainOf, repaired, typeHere, writeJson, writeKey, writeRepaired, writeTyped } from "./typed-parameter.ts";
import { beginItem } from "./value-place.ts";

/** The arguments are an object whose members come one by one. */
export function beginMembers(state: ReaderState, candidate: Candidate): JsonWriter {
  if (!candidate.hasArguments) {
    candidate.hasArguments = true;
    unquoteArguments(state, candidate);
    candidate.writer.beginObject();
    startIfReady(state, candidate);
  }
  state.sink = candidate.writer;
  return candidate.writer;
}

/** A key was read: of the arguments, or inside the value of a parameter. */
function endKey(state: ReaderState, start: number, at: number): void {
  const block = state.block as Block;
  state.wireType = "";
  if (block.kind === "members") beginMembers(state, candidateAt(state, start));
  const isParameter = block.kind === "members" && state.path.length === 0;
  // Blanks round the name of a parameter are layout; in a map that is a value, or holds all, they are part of the key.
  const key = isParameter ? state.captured.trim() : state.captured;
  if (state.path.length > 0) state.path[state.path.length - 1] = key;
  else state.key = key;
  checkAfterUnmarked(state, key, start);
  if (!isParameter) return writeKey(state, key, start, at);
  checkExpected(state, key);
  checkKey(state, key);
  state.givenKeys.add(key);
  candidateAt(state, start).writer.holdKey(key);
}

/** The call is whole. */
export function endParameters(state: ReaderState): void {
  writeRepeated(state);
  checkNamedElsewhere(state);
  checkLone(state);
  const key = state.holdsBoundary;
  if (key === undefined) return;
  const what = `"${key}" holds what may be its end and the beginning of another parameter; ask for the call again`;
  state.block?.candidate?.refuse("ambiguous", what);
}

function beginTypedText(state: ReaderState, code: number, at: number): void {
  state.captured = "";
  state.holdsEscaped = false;
  beginItem(state);
  state.typeWord = state.wireType;
  state.type = typeOfText(state.format, code, typeHere(state), state.typeWord);
  state.wireType = "";
  state.streams = state.type?.streams ?? false;
  if (state.streams) state.sink?.beginString(at, false);
}

/** The text that is open, as far as it has been written or collected; empty: that is not known. */
function textHere({ block, captured, sink, streams }: ReaderState): string {
  if (!streams) return captured;
  const writer = block?.candidate?.writer;
  return writer !== undefined && sink === writer ? (writer.openText ?? "") : "";
}

/** Whoever writes marks as they are may mean what looks like a reference or a section as it is. */
export function checkReferences(state: ReaderState, start: number, end: number): void {
  const { holdsEscaped, key, block } = state;
  if (!holdsEscaped || end >= state.store.end) return;
  const text = state.slice(start, end);
  if (isSection(text) || !mark.test(text.replace(sectionOrReference, ""))) return;
  const what = "references or sections, and marks that are not escaped";
  block?.candidate?.refuse("ambiguous", `"${key}" holds ${what}; ask for it again`);
}

/** The text is complete: the schema says what it is. */
function endTypedText(state: ReaderState, start: number, at: number): void {
  const candidate = state.block?.candidate;
  checkReferences(state, start, at);
  const text = textHere(state);
  noteRawValue(state, start, at, text);
  noteForShape(state, text);
  if (state.streams) return state.sink?.endString(at);
  if (state.type === undefined || state.type.inferred) {
    const json = inferText(state.captured);
    if (lacksMark(state.format, state.captured, json))
      candidate?.refuse("ambiguous", `"${state.key}" is text, or has lost a bracket or a comma; ask for it again`);
    return writeJson(state, json);
  }
  const { captured, type } = state;
  const waits = waitsForShape(state, captured, type);
  if (waits || mayRepeat(state)) {
    candidate?.writer.dropKey();
    return keepText(state, waits ? writeByShape : writeList);
  }
  const typed = plainOf(captured, type) ?? typeText(captured, type, marksStrings(state.format));
  writeTyped(state, state.key, repaired(state, captured, type, typed), at);
}

/** Whether one section holds all of a text: it may hold marks that end one. */
const isSection = (text: string): boolean =>
  text.startsWith("<![CDATA[") && text.endsWith("]]>") && text.indexOf("<![CDATA[", 1) < 0;

const mark = /[<&]/;
/** What stands for something else in a text of XML. */
const sectionOrReference = /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|&(?:#x[0-9a-fA-F]+|#[0-9]+|[a-z]+);/g;

/** Where the wire marks strings, text without the mark ends at the next comma, and the comma may be missing. */
function endUnmarkedText(state: ReaderState, start: number, at: number): void {
  if (!marksStrings(state.format)) return endTypedText(state, start, at);
  if (holdsMember(state.format, state.slice(start, at))) {
    const what = `"${state.key}" is not marked as text, and holds what may be another argument`;
    state.block?.candidate?.refuse("ambiguous", what);
  }
  const isText = state.streams || isString(inferText(state.captured));
  endTypedText(state, start, at);
  if (isText) state.unmarkedEnd = at;
}

function endJsonText(state: ReaderState, start: number, at: number): void {
  noteRawValue(state, start, at, state.captured);
  const text = state.captured.trim();
  if (parseJson(text) !== undefined) return writeSaid(state, text);
  const type = typeHere(state);
  const damaged = repaired(state, text, type, { mismatch: "" });
  // Where no text is allowed, it is what it would be without a word of the wire.
  const isTyped = type !== undefined && !type.inferred && (type.kinds & kindBits.string) === 0;
  const read = "json" in damaged || !isTyped ? damaged : typeText(text, type);
  if ("json" in read) return writeRepaired(state, read, at, writeSaid);
  // The wire said JSON and it is none. What does not begin as JSON is text where the schema takes nothing else.
  const candidate = state.block?.candidate;
  // Where the text ends, it may have become JSON.
  const isCut = state.mayBeCut && at >= state.store.end;
  if (/^["'{[]/.test(text)) {
    candidate?.refuse(isCut ? "truncated" : "malformed", `"${state.key}" is said to be JSON, and is damaged`);
  } else if (!mayBeText(typeHere(state))) {
    candidate?.repair({ kind: "bare-word", level: "safe", ...state.span(start, at) });
  } else if (isCut) candidate?.refuse("truncated", `"${state.key}" is said to be JSON, and the text ends in it`);
  else candidate?.refuse("type-mismatch", `"${state.key}" is said to be JSON, and is none`);
  state.sink?.beginString(start, false);
  state.sink?.text(state.captured);
  state.sink?.endString(at);
}

/** Text and something else than nothing are both legal: what is said to be no text, and reads as nothing else, is neither. */
const mayBeText = (type: TextType | undefined): boolean =>
  type === undefined ||
  type.inferred ||
  type.untyped === true ||
  (type.anyString && (type.kinds & ~kindBits.null) !== kindBits.string);

function endPythonNumber(state: ReaderState, start: number, at: number): void {
  const json = pythonNumberToJson(state.captured.replace(/^([+-])[ \t]+/, "$1"));
  if (json !== undefined) return state.sink?.literal(json, start, at);
  state.block?.candidate?.refuse("type-mismatch", `${state.captured} is no finite number`);
  state.sink?.literal("null", start, at);
}

/** Where the newest value stands. */
export function noteValue(state: ReaderState, start: number, end: number): void {
  state.block?.candidate?.values.push(start, end);
  state.valueStart = start;
  state.valueEnd = end;
  state.shownInLast = state.shownIn;
  // Something closes it.
  if (end < state.store.end) state.shownIn = -1;
  const { attributed: key, block } = state;
  if (key === undefined || key !== state.key || state.slice(start, end).trim() !== "") return;
  block?.candidate?.refuse("ambiguous", `"${key}" is empty, and its tag says what may be its value; ask for it again`);
}

/**
 * Where a value of raw text stands. It may hold its end, and the beginning of another parameter.
 *
 * @param collected its text, in which references and the like stand for what they mean
 */
function noteRawValue(state: ReaderState, start: number, end: number, collected: string): void {
  noteValue(state, start, end);
  noteMemberAtEnd(state, start, end, collected);
  const { block, format, path, key, givenKeys } = state;
  const name = block?.candidate?.name;
  if (format.rawValues === undefined || block?.kind !== "members") return;
  // What stands for something is longer than that.
  const isWhole = collected.length === end - start && end - start <= windowChars;
  checkCloser(state, start, end, isWhole ? collected.slice(-gapCharsMax) : undefined);
  if (path.length > 0 || name === undefined) return;
  const { kind, end: openerEnd } = block.candidate?.repairs.at(-1) ?? {};
  if (kind === "missing-open-marker" && openerEnd === state.span(start, start).end) checkOpener(state);
  const tag = tagOfValue(format.template, key, state.slice(end, end + key.length + gapCharsMax));
  if (tag?.isClosedByName) noteShown(state, tag, state.slice(start, end));
  if (state.holdsBoundary !== undefined) return;
  const keys = state.hints.keysOf(name);
  let left: string[] | undefined;
  let mayBeOpen = false;
  for (let from = start; from < end; from += windowChars - windowOverlap) {
    const value = isWhole ? collected : state.slice(from, Math.min(end, from + windowChars));
    if (!mayHoldBoundary(value)) continue;
    mayBeOpen ||= tag !== null && mayHoldOpener(value, tag);
    left ??= [...(keys ?? [])].filter((one) => !givenKeys.has(one));
    if (keys === undefined || !holdsBoundary(format, value, key, left, from > start)) continue;
    state.holdsBoundary = key;
    return;
  }
  if (!mayBeOpen) return;
  const value = state.slice(start, end);
  if (leavesAnyOpen(format, value)) state.loneOpener = key;
  const isOpen =
    leavesParameterOpen(tag, value, key, left ?? []) || holdsCrossing(format, value, keys ?? [], state.hints.names);
  if (isOpen) state.holdsBoundary = key;
}

/** Where marks end strings, the last one may have been moved over the next argument, if that is no string. */
function noteMemberAtEnd(state: ReaderState, start: number, end: number, collected: string): void {
  const { format, block, path, hints, namedElsewhere } = state;
  const name = block?.candidate?.name;
  if (!endsWithMarks(format) || block?.kind !== "members" || path.length > 0 || name === undefined) return;
  const text = collected === "" ? state.slice(Math.max(start, end - gapCharsMax), end) : collected;
  const key = memberAtEnd(text.slice(-gapCharsMax));
  if (key === undefined || !hints.keysOf(name)?.has(key)) return;
  if (!state.owner.tools.parameterType(name, key)?.anyString)
    namedElsewhere.set(key, "at the end of another one's text");
}

/** A long value is looked at in stretches. */
const windowChars = 65_536;
const windowOverlap = 512;

/** What an escape stands for; the text round it goes on after it. */
function endEscape(state: ReaderState, at: number, decoded: string): void {
  const parent = state.roles[state.roles.length - 1] as OpenRole;
  parent.at = at;
  takeDecoded(state, parent.code, decoded);
}

/** Text that is collected, and used when its role closes. */
export function collect(state: ReaderState): void {
  state.captured = "";
}

/** Arguments that come one by one, as text of their own. */
export const parameterHandlers: RoleHandlers = {
  [role.Key]: { open: collect, close: endKey, sound: soundParameter },
  [role.Text]: { open: beginTypedText, close: endUnmarkedText },
  [role.Type]: {
    open: collect,
    close(state) {
      state.wireType = state.captured.trim();
    },
  },
  [role.StringText]: { open: beginTypedText, close: endTypedText },
  [role.Verbatim]: {
    open(state, _code, at) {
      state.captured = "";
      beginItem(state);
      state.streams = !mayRepeat(state);
      if (state.streams) state.sink?.beginString(at, false);
    },
    close(state, start, at) {
      noteRawValue(state, start, at, state.captured);
      noteForShape(state, textHere(state));
      if (state.streams) state.sink?.endString(at);
      else writeSaid(state, JSON.stringify(state.captured));
    },
  },
  [role.JsonText]: { open: collect, close: endJsonText },
  [role.PythonNumber]: { open: collect, close: endPythonNumber },
  [role.PythonEscape]: {
    close: (state, start, at) => endEscape(state, at, decodePythonEscape(state.slice(start, at))),
  },
  [role.Entity]: {
    close(state, start, at) {
      const reference = state.slice(start, at);
      const isLater = isReadLater(state, state.roles[state.roles.length - 1].code);
      state.holdsEscaped = true;
      endEscape(state, at, isLater ? reference : decodeEntity(reference));
    },
  },
  [role.FurtherKey]: {
    close: checkFurther,
  },
  [role.AttributeKey]: {
    close: (state, start, at) => noteAttribute(state, state.slice(start, at)),
  },
  [role.Undeclared]: {
    close(state) {
      state.isUnexpected = true;
    },
  },
  [role.Computed]: {
    close({ block }) {
      const candidate = block?.candidate ?? block?.pending;
      candidate?.refuse("malformed", "an argument is an expression or has no name: only `name=literal` is read");
    },
  },
  [role.UnprovenEnd]: {
    close: (state) => refuseEnd(state, "a closer is missing, and another one follows that could be it"),
  },
  end: { close: endParameters },
  "inner-quote": { close: checkInnerQuote },
  "missing-opening-quote": { close: checkOpeningQuotes },
  "missing-close-marker": { close: checkLostClosers },
  "missing-last-closer": { close: checkLastValue },
};
