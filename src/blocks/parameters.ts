import type { JsonSchema } from "../contract/types.ts";
import type { FormatData } from "../formats/format-data.ts";
import { latePattern } from "../machine/late-pattern.ts";
import { roleCodes as role } from "../machine/roles.ts";
import type { Candidate } from "../values/candidate.ts";
import { inferredType, narrowedType, type TextType, textTypeOf } from "../values/declared-type.ts";
import { parameterTwice } from "../values/duplicate-key-messages.ts";
import { decodeEntity } from "../values/entity.ts";
import { isPlainText, parseJson, trimJson } from "../values/json-text.ts";
import type { JsonWriter } from "../values/json-writer.ts";
import { decodePythonEscape, pythonNumberToJson } from "../values/python-literal.ts";
import { rootAlternatives, shapesOf, typingsOf } from "../values/root-alternatives.ts";
import { declaredKeys, itemSchema, propertySchema, schemaAt, schemaObject } from "../values/schema-walk.ts";
import {
  choicesOf,
  fitsType,
  inferText,
  isString,
  lacksBracket,
  type PlainValue,
  plainKindsOf,
  readJson,
  readPlain,
  type TypedText,
  typeText,
} from "../values/text-to-value.ts";
import { kindBits } from "../values/value-kinds.ts";
import { candidateAt, startIfReady, unquoteArguments } from "./candidates.ts";
import { isReadLater, takeDecoded } from "./capture-log.ts";
import { holdsBoundary, mayHold } from "./misspelt-boundary.ts";
import { gapCharsMax, lineCharsMax } from "./misspelt-boundary-words.ts";
import { holdsItemEnd, keysAtEnds, leavesAnyOpen, leavesParameterOpen, mayHoldOpener } from "./parameter-debris.ts";
import {
  checkInnerQuote,
  checkLastValue,
  checkLostClosers,
  checkOpener,
  checkOpeningQuotes,
  refuseEnd,
} from "./parameter-ends.ts";
import { marksStrings, parameterTagOf } from "./parameter-tag.ts";
import type { Parameter, SoundCall, SoundText } from "./sound-call.ts";
import type { Block, GivenText, OpenRole, ReaderState, RepeatedTexts, RoleHandlers } from "./state.ts";
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

/** Text that bears no mark ends at a comma, which may as well be text of it: so what follows has to be declared there. */
function checkAfterUnmarked(state: ReaderState, key: string, start: number): void {
  const { unmarkedEnd, path } = state;
  const candidate = state.block?.candidate;
  state.unmarkedEnd = -1;
  if (unmarkedEnd < 0 || !/^[\s,"']*$/.test(state.slice(unmarkedEnd, start))) return;
  const root = state.owner.tools.schemaOf(candidate?.name);
  if (root === undefined || declaredKeys(schemaAt(root, [state.key, ...path].slice(0, path.length)), root).has(key))
    return;
  refuseUndeclared(candidate, key);
}

/** A list, and nothing that a single text could be: it may be given item by item. */
const isList = (type: TextType | undefined): boolean =>
  type !== undefined && !type.inferred && !type.anyString && (type.kinds & kindBits.array) !== 0;

/** After a value stands a key that may as well be text of it, unless the tool takes it there. */
export function checkExpected(state: ReaderState, key: string): void {
  if (!state.isUnexpected) return;
  state.isUnexpected = false;
  const candidate = state.block?.candidate;
  const name = candidate?.name;
  if (state.hints.keysOf(name)?.has(key)) {
    if (!mayRepeat(state)) candidate?.refuse("ambiguous", parameterTwice(key));
    return;
  }
  if (state.hints.takesKey?.(name, key, false) || tagsAreTokens(state)) return;
  refuseUndeclared(candidate, key);
}

/** Text holds no tag of the format. */
const tagsAreTokens = (state: ReaderState) => state.format.flags.includes("special-tags");

function refuseUndeclared(candidate: Candidate | undefined, key: string): void {
  // Whichever it is, the values before it are values.
  if (candidate !== undefined && candidate.problem === undefined) candidate.hasKnownValues = true;
  candidate?.refuse("ambiguous", `"${candidate.name}" has no parameter "${key}": it may be text of the one before`);
}

/** The text of a parameter that may be given again waits for the end of its call. */
export function keepText(
  state: ReaderState,
  write: RepeatedTexts["write"],
  given: GivenText = { text: state.captured, isSaid: false },
): void {
  const { key, valueStart: start, valueEnd: end } = state;
  const texts = state.repeated.get(key)?.texts ?? [];
  texts.push(given);
  state.repeated.set(key, { texts, start, end, write });
}

/**
 * In a value stands what would be another parameter if the closer before it were there, or a closer, before which the opener of
 * another may be lost. Declared ones that open in the value the grammar knows, unless they may be given again.
 */
function checkFurther(state: ReaderState, start: number, key: string): void {
  const candidate = state.block?.candidate;
  const name = candidate?.name;
  if (state.block?.kind === "arguments") {
    candidate?.refuse(
      "ambiguous",
      `"${key}" stands beside an object that is to hold all arguments; ask for one of the two`,
    );
    return;
  }
  if (key === "") {
    const what = `the closer in "${state.key}" may be its end, if what opens the next parameter is lost`;
    if (!beginsLine(state, start) || mayTakeFurther(state, name)) candidate?.refuse("ambiguous", what);
    state.loneCloser = state.key;
    return;
  }
  const isDeclared = state.hints.keysOf(name)?.has(key);
  const isTaken = isDeclared ? isListOf(state, name, key) : state.hints.takesKey?.(name, key, tagsAreTokens(state));
  if (isTaken) candidate?.refuse("ambiguous", `"${key}" may be a parameter, or text of the one before`);
}

/** Whether an offset of a value begins a line, after text: elsewhere a closer may have been doubled, or moved there. */
function beginsLine(state: ReaderState, at: number): boolean {
  const { start } = state.roles[state.roles.length - 1];
  return /\S[\s\S]*[\r\n][ \t]*$/.test(state.slice(Math.max(start, at - lineCharsMax), at));
}

/** Whether a tool may take one more parameter. */
function mayTakeFurther(state: ReaderState, name: string | undefined): boolean {
  const keys = state.hints.keysOf(name);
  if (keys === undefined || state.hints.takesKey?.(name, "", tagsAreTokens(state))) return true;
  return [...keys].some((key) => !state.givenKeys.has(key) || isListOf(state, name, key));
}

const isListOf = (state: ReaderState, name: string | undefined, key: string): boolean =>
  name !== undefined && isList(state.owner.tools.parameterType(name, key));

/** In a tag that has lost a quotation mark, what it says of its parameter stands in the key. */
function checkKey(state: ReaderState, key: string): void {
  const candidate = state.block?.candidate;
  const declared = state.hints.keysOf(candidate?.name);
  if (declared?.has(key)) return;
  if (holdsAttribute(state.format, key))
    candidate?.refuse("malformed", `"${key}" is no name: a quotation mark of its tag may be missing`);
  const known = mayBeOtherName(state.format, key) ? key.normalize("NFKC") : key;
  if (declared?.has(known)) candidate?.refuse("ambiguous", `"${key}" is "${known}" to Python`);
}

/** Of letters that look alike Python takes one for all in a name. */
const mayBeOtherName = ({ pythonValues }: Pick<FormatData, "pythonValues">, key: string): boolean =>
  pythonValues === true && /[^\0-\x7f]/.test(key);

const holdsAttribute = ({ rawValues }: Pick<FormatData, "rawValues">, key: string): boolean =>
  rawValues !== undefined && key.includes("=") && /\s[^\s=]+=/.test(key);

/** What a tag says of its parameter is framing, but under the name of a parameter that is not given it is one, written elsewhere. */
function noteAttribute(state: ReaderState, key: string): void {
  const name = state.block?.candidate?.name;
  const root = state.owner.tools.schemaOf(name) ?? true;
  const said = propertySchema(root, root, key);
  const isNamed = state.hints.keysOf(name)?.has(key) || Object.keys(schemaObject(said) ?? {}).length > 0;
  if (isNamed) state.namedElsewhere.set(key, "an attribute of a tag");
}

/** All parameters are known. */
export function checkNamedElsewhere({ namedElsewhere, givenKeys, block }: ReaderState): void {
  if (namedElsewhere.size === 0) return;
  for (const [key, what] of namedElsewhere) {
    if (givenKeys.has(key)) continue;
    block?.candidate?.refuse("ambiguous", `"${key}" is ${what}, and is named as a parameter`);
  }
  namedElsewhere.clear();
}

const mayBeShown = "may be a parameter, or text of the one in which it stands";

/** Where tags are names, a value may hold other parameters at its ends, and an item of a list the end of one. */
export function noteShown(state: ReaderState, value: string): void {
  const { format, hints, block, key, namedElsewhere } = state;
  const name = block?.candidate?.name;
  const type = typeHere(state);
  if (isList(type) && holdsItemEnd(format, value, key))
    block?.candidate?.refuse("ambiguous", `an item of "${key}" holds what may be its end, or the beginning of another`);
  // The elements of what is no text are its own.
  if (type?.anyString !== true) return;
  for (const one of keysAtEnds(format, value, key, hints.keysOf(name) ?? noKeys)) {
    if (isListOf(state, name, one)) block?.candidate?.refuse("ambiguous", `"${one}" ${mayBeShown}`);
    else namedElsewhere.set(one, "shown in the text of another one");
  }
}

const noKeys: ReadonlySet<string> = new Set();

/** Whether a value may say something of other parameters. */
export const mayShow = ({ source: { format, hints }, name }: SoundCall, key: string, value: string): boolean =>
  value.includes("<") &&
  (holdsItemEnd(format, value, key) || keysAtEnds(format, value, key, hints.keysOf(name) ?? noKeys).length > 0);

/** Parameters that may have been given several times are written now. */
export function writeRepeated(state: ReaderState): void {
  if (state.repeated.size === 0) return;
  const candidate = state.block?.candidate as Candidate;
  for (const [key, { texts, start, end, write }] of state.repeated) {
    state.valueStart = start;
    state.valueEnd = end;
    write(state, candidate, key, texts);
  }
  state.repeated.clear();
}

/** The call is whole. */
function endParameters(state: ReaderState): void {
  writeRepeated(state);
  checkNamedElsewhere(state);
  checkLone(state);
  const key = state.holdsBoundary;
  if (key === undefined) return;
  const what = `"${key}" holds what may be its end and the beginning of another parameter; ask for the call again`;
  state.block?.candidate?.refuse("ambiguous", what);
}

/** One of two tags that stand alone may have been moved away from the other. */
function checkLone({ loneCloser, loneOpener, block }: ReaderState): void {
  if (loneCloser === undefined || loneOpener === undefined) return;
  const what = `a closer in "${loneCloser}" and what opens a parameter in "${loneOpener}" may belong together`;
  block?.candidate?.refuse("ambiguous", what);
}

/** One text is the list, several are its items, whatever the wire says of some of them. */
function writeList(state: ReaderState, candidate: Candidate, key: string, texts: readonly GivenText[]): void {
  const type = state.owner.tools.parameterType(candidate.name, key) as TextType;
  const [{ text, isSaid }] = texts;
  state.key = key;
  writeKey(state, key, state.valueStart, state.valueEnd);
  if (texts.length > 1) return writeItems(state, candidate, key, texts, type);
  if (isSaid) return writeValue(state, text);
  writeTyped(state, key, repaired(state, text, type, plainOf(text, type) ?? typeText(text, type)), state.valueEnd);
}

function writeItems(
  state: ReaderState,
  candidate: Candidate,
  key: string,
  texts: readonly GivenText[],
  type: TextType,
): void {
  const root = state.owner.tools.schemaOf(candidate.name) as JsonSchema;
  const schema = propertySchema(root, root, key);
  const items = texts.map(({ text, isSaid }, at) =>
    isSaid ? { json: text } : typeText(text, textTypeOf(itemSchema(schema, root, at), root)),
  );
  if (texts.some((given) => "json" in typeText(writtenText(given), type)))
    candidate.refuse("ambiguous", listTwice(key, texts.length));
  const misfit = items.find((item) => "mismatch" in item);
  const json = `[${items.map((item) => ("json" in item ? item.json : "")).join(",")}]`;
  writeTyped(state, key, misfit ?? { json }, state.valueEnd);
}

/** What stands in a string that the wire has marked, else the text as it is. */
const writtenText = ({ text, isSaid }: GivenText): string =>
  isSaid && isString(text) ? (parseJson(text) as string) : text;

const listTwice = (key: string, times: number) => `"${key}" is given ${times} times, and one of them is a whole list`;

export function writeKey(state: ReaderState, key: string, start: number, at: number): void {
  state.sink?.beginString(start, true);
  state.sink?.text(key);
  state.sink?.endString(at);
}

/** How text is typed at the place that is being read. */
export function typeHere(state: ReaderState): TextType | undefined {
  const name = state.block?.candidate?.name;
  if (name === undefined) return undefined;
  if (state.path.length === 0) return state.owner.tools.parameterType(name, state.key);
  const root = state.owner.tools.schemaOf(name);
  return root === undefined ? undefined : textTypeOf(schemaAt(root, [state.key, ...state.path]), root);
}

/** How a text is typed. What the notation calls a string, or no string, is that where no schema says otherwise. */
function typeOfText(
  format: ReaderState["format"],
  code: number,
  declared: TextType | undefined,
  said: string,
): TextType | undefined {
  if (code === role.StringText) return narrowedType(declared, "string");
  return narrowedType(declared?.untyped && marksStrings(format) ? inferredType : declared, said);
}

function beginTypedText(state: ReaderState, code: number, at: number): void {
  state.captured = "";
  beginItem(state);
  state.type = typeOfText(state.format, code, typeHere(state), state.wireType);
  state.wireType = "";
  state.streams = state.type?.streams ?? false;
  if (state.streams) state.sink?.beginString(at, false);
}

/** What has been written of the text that is open; empty: that is not known. */
function streamedText({ sink }: ReaderState, candidate: Candidate | undefined): string {
  return sink !== undefined && sink === candidate?.writer ? (candidate.writer.openText ?? "") : "";
}

/** The text is complete: the schema says what it is. */
function endTypedText(state: ReaderState, start: number, at: number): void {
  const candidate = state.block?.candidate;
  noteRawValue(state, start, at, state.streams ? streamedText(state, candidate) : state.captured);
  if (state.streams) return state.sink?.endString(at);
  if (state.type === undefined || state.type.inferred) {
    const json = inferText(state.captured);
    if (lacksMark(state.format, state.captured, json))
      candidate?.refuse("ambiguous", `"${state.key}" is text, or has lost a bracket or a comma; ask for it again`);
    return writeJson(state, json);
  }
  if (mayRepeat(state)) {
    candidate?.writer.dropKey();
    return keepText(state, writeList);
  }
  const { captured, type } = state;
  if (waitsForShape(state, captured, type)) {
    candidate?.writer.dropKey();
    return keepText(state, writeByShape);
  }
  const typed = plainOf(captured, type) ?? typeText(captured, type, marksStrings(state.format));
  writeTyped(state, state.key, repaired(state, captured, type, typed), at);
}

/**
 * Whether a text is one thing in some of the shapes that arguments may have, and another in others. Its like are remembered: what they
 * are may say which shape it is.
 */
export function waitsForShape(state: ReaderState, text: string, type: TextType | undefined): boolean {
  const root = state.path.length > 0 || type !== typeHere(state) ? undefined : schemaHere(state);
  const shapes = rootAlternatives(root);
  if (root === undefined || shapes.length === 0 || text.length > shapeCharsMax) return false;
  state.shapeTexts.set(state.key, text);
  return (
    !state.repeated.has(state.key) && typingsOf(shapes, root, state.key, text).filter((one) => "json" in one).length > 1
  );
}

const schemaHere = (state: ReaderState) => state.owner.tools.schemaOf(state.block?.candidate?.name);

/** What tells shapes apart is short. */
const shapeCharsMax = 4096;

/** All parameters are known: where they have one shape, or shapes that agree, the text is what it is there. */
function writeByShape(state: ReaderState, candidate: Candidate, key: string, texts: readonly GivenText[]): void {
  const root = schemaHere(state) as JsonSchema;
  const type = state.owner.tools.parameterType(candidate.name, key) as TextType;
  const [{ text }] = texts;
  const typings = typingsOf(shapesHere(state), root, key, text);
  const typed = typings.length === 1 ? typings[0] : typeText(text, type, marksStrings(state.format));
  writeKey(state, key, state.valueStart, state.valueEnd);
  writeTyped(state, key, typed, state.valueEnd);
}

/** The shapes that what is given may have; where no text waits for them none. */
export function shapesHere({ owner, block, shapeTexts, givenKeys }: ReaderState): readonly JsonSchema[] {
  const root = owner.tools.schemaOf(block?.candidate?.name);
  return root === undefined || shapeTexts.size === 0
    ? []
    : shapesOf(rootAlternatives(root), root, shapeTexts, givenKeys);
}

/** What fits no type may be a damaged list or object, where no string is allowed. */
export function repaired<Typed extends object>(
  state: ReaderState,
  text: string,
  type: TextType | undefined,
  typed: Typed,
): Typed | TypedText {
  if (!("mismatch" in typed) || type === undefined || type.inferred || type.anyString) return typed;
  const trimmed = text.trim();
  const fenced = state.givenRecovery && textInFence(trimmed);
  const value = fenced ?? trimmed;
  const bit = value[0] === "{" ? kindBits.object : value[0] === "[" ? kindBits.array : 0;
  const root = state.owner.tools.schemaOf(state.block?.candidate?.name);
  if ((type.kinds & bit) === 0 || root === undefined) return typed;
  const sound = fenced === undefined ? typed : typeText(fenced, type);
  if ("json" in sound) return { ...sound, repairs: ["fence", ...(sound.repairs ?? [])] };
  const read = state.givenRecovery?.readValue(value, root, [state.key, ...state.path]);
  if (read === undefined || !fitsType(read.json, type)) return typed;
  return fenced === undefined ? read : { ...read, repairs: ["fence", ...read.repairs] };
}

/** What stands in a fence that is all of a text. */
function textInFence(text: string): string | undefined {
  const begin = text.startsWith("```") && text.endsWith("```") ? text.indexOf("\n") : -1;
  if (begin < 0 || !/^```\w*\s*$/.test(text.slice(0, Math.min(begin, fenceLineMax)))) return undefined;
  return text.slice(begin, -3).trim();
}

const fenceLineMax = 32;

/** Most values are written as JSON writes them, and no string is allowed there. */
function plainOf(text: string, type: TextType): PlainValue | undefined {
  const kinds = plainKindsOf(type);
  return kinds === 0 ? undefined : readPlain(trimJson(text), kinds);
}

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

const holdsMember = (format: Pick<FormatData, "flags">, text: string) =>
  marksStrings(format) && text.includes(":") && wordAndColon().test(text);
/** But no scheme. */
const wordAndColon = latePattern("[\\p{L}_][\\p{L}\\p{N}_-]*:(?!//)");

function writeTyped(state: ReaderState, key: string, typed: TypedText | PlainValue, at: number): void {
  const candidate = state.block?.candidate;
  if ("value" in typed) return candidate?.writer.member(typed);
  if ("json" in typed) return writeRepaired(state, typed, at, writeJson);
  candidate?.refuse("type-mismatch", `the value of "${key}": ${typed.mismatch}`);
  writeJson(state, "null");
}

function writeRepaired(
  state: ReaderState,
  { json, repairs = [] }: Extract<TypedText, { json: string }>,
  at: number,
  write: (state: ReaderState, json: string) => void,
): void {
  for (const kind of repairs) state.block?.candidate?.repair({ kind, level: "safe", ...state.span(at, at) });
  write(state, json);
}

/** A value of which the wire says what it is. One that may be given again waits for the end of its call. */
function writeSaid(state: ReaderState, json: string): void {
  if (!mayRepeat(state)) return writeValue(state, json);
  state.block?.candidate?.writer.dropKey();
  keepText(state, writeList, { text: json, isSaid: true });
}

/** A string is written as one, so that it may be read out of its quotes where none is allowed. */
function writeValue(state: ReaderState, json: string): void {
  if (!isString(json)) return writeJson(state, json);
  state.sink?.beginString(state.valueStart, false);
  state.sink?.text(parseJson(json) as string);
  state.sink?.endString(state.valueEnd);
}

/** A list may be given text by text, where what is given are texts: keys of a map come once. */
const mayRepeat = (state: ReaderState) =>
  state.path.length === 0 &&
  state.format.rawValues !== undefined &&
  !marksStrings(state.format) &&
  isList(typeHere(state));

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

/** Text and something else are both legal: what is said to be no text, and reads as nothing else, is neither. */
const mayBeText = (type: TextType | undefined): boolean =>
  type === undefined || type.inferred || type.untyped === true || (type.anyString && type.kinds !== kindBits.string);

function endPythonNumber(state: ReaderState, start: number, at: number): void {
  const json = pythonNumberToJson(state.captured.replace(/^([+-])[ \t]+/, "$1"));
  if (json !== undefined) return state.sink?.literal(json, start, at);
  state.block?.candidate?.refuse("type-mismatch", `${state.captured} is no finite number`);
  state.sink?.literal("null", start, at);
}

function writeJson(state: ReaderState, json: string): void {
  state.block?.candidate?.writer.json(json);
}

/** Where the newest value stands. */
export function noteValue(state: ReaderState, start: number, end: number): void {
  state.block?.candidate?.values.push(start, end);
  state.valueStart = start;
  state.valueEnd = end;
  state.shownInLast = state.shownIn;
  // Something closes it.
  if (end < state.store.end) state.shownIn = -1;
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
  if (format.rawValues === undefined || block?.kind !== "members" || path.length > 0 || name === undefined) return;
  const { kind, end: openerEnd } = block.candidate?.repairs.at(-1) ?? {};
  if (kind === "missing-open-marker" && openerEnd === state.span(start, start).end) checkOpener(state);
  if (parameterTagOf(format.template)?.isClosedByName) noteShown(state, state.slice(start, end));
  if (state.holdsBoundary !== undefined) return;
  const keys = state.hints.keysOf(name);
  const tag = parameterTagOf(format.template);
  let left: string[] | undefined;
  let mayBeOpen = false;
  // What stands for something is longer than that.
  const isWhole = collected.length === end - start && end - start <= windowChars;
  for (let from = start; from < end; from += windowChars - windowOverlap) {
    const value = isWhole ? collected : state.slice(from, Math.min(end, from + windowChars));
    if (!mayHold.test(value)) continue;
    mayBeOpen ||= tag !== null && mayHoldOpener(value, tag);
    left ??= [...(keys ?? [])].filter((one) => !givenKeys.has(one));
    if (keys === undefined || !holdsBoundary(format, value, key, left, from > start)) continue;
    state.holdsBoundary = key;
    return;
  }
  if (!mayBeOpen) return;
  const value = state.slice(start, end);
  if (leavesAnyOpen(format, value)) state.loneOpener = key;
  if (leavesParameterOpen(format, value, key, left ?? [])) state.holdsBoundary = key;
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

const endsWithMarks = (format: Pick<FormatData, "flags" | "pythonValues">): boolean =>
  format.pythonValues === true || marksStrings(format);

/** The key of the member, with a number or a word for its value, that a text ends in. */
const memberAtEnd = (text: string): string | undefined => endsInMember.exec(text)?.[1];

/** Quotes of its own may stand behind it. */
const endsInMember = /,\s*([A-Za-z_]\w*)\s*[:=]\s*(?:-?\d[\d.]*|[Tt]rue|[Ff]alse|None|null)["']*$/;

/** A long value is looked at in stretches. */
const windowChars = 65_536;
const windowOverlap = 512;

/** The text of an entry of the log that holds no other. */
export function soundText(call: SoundCall, log: readonly number[], at: number): string | undefined {
  return log[at + 2] === (log[at] | 1) ? call.text.slice(log[at + 1], log[at + 3]) : undefined;
}

/** A key with its value: each a text of its own. */
function soundParameter(call: SoundCall, log: readonly number[], at: number): number {
  const written = soundText(call, log, at);
  const text = soundText(call, log, at + 4);
  if (written === undefined || text === undefined || call.name === undefined) return -1;
  const { format } = call.source;
  const key = written.trim();
  const parameter = call.parameter(key);
  // After an unmarked text it has to be declared.
  if (!parameter.isDeclared && (marksStrings(format) || mayBeOtherName(format, key))) return -1;
  if (parameter.dependsOnOthers || holdsAttribute(format, written)) return -1;
  const isPlain = isPlainText(text);
  if (!isPlain && mayHoldOther(call, key, text)) return -1;
  const code = log[at + 4] >> 1;
  if (code === role.Verbatim)
    return !isList(parameter.type) && soundString(call, parameter, text, isPlain) ? at + 8 : -1;
  if (code !== role.Text && code !== role.StringText) return -1;
  if (!isPlain && code === role.Text && holdsMember(format, text)) return -1;
  parameter.texts[code] ??= soundTextType(call, parameter, code);
  const typed = parameter.texts[code];
  if (typed === undefined) return -1;
  const { type, plainKinds, choices } = typed;
  if (type.streams || choices.includes(text)) return soundString(call, parameter, text, isPlain) ? at + 8 : -1;
  const value = (plainKinds === 0 ? undefined : readPlain(text, plainKinds)) ?? soundValue(call, text, type);
  if (value === undefined) return -1;
  return (typed.isList ? call.memberAtEnd(parameter, value) : call.member(parameter, value)) ? at + 8 : -1;
}

/** A text as a string. `isPlain`: see `isPlainText`. */
export const soundString = (call: SoundCall, parameter: Parameter, text: string, isPlain: boolean): boolean =>
  isPlain ? call.plainString(parameter, text) : call.string(parameter, text);

/** How a text is typed, whatever it is. */
export const makeSoundText = (type: TextType, isList: boolean): SoundText => ({
  type,
  plainKinds: plainKindsOf(type),
  choices: choicesOf(type),
  isList,
});

/** Whether a text may hold what belongs to another parameter, or more than one. */
const mayHoldOther = (call: SoundCall, key: string, text: string): boolean =>
  mayShow(call, key, text) ||
  (text.includes(",") && endsWithMarks(call.source.format) && memberAtEnd(text.slice(-gapCharsMax)) !== undefined) ||
  (mayHold.test(text) && mayHoldBoundary(call, key, text));

function mayHoldBoundary({ name, source: { format, hints } }: SoundCall, key: string, text: string): boolean {
  if (format.rawValues === undefined) return false;
  const keys = hints.keysOf(name as string) ?? [];
  return leavesParameterOpen(format, text, key, keys) || holdsBoundary(format, text, key, keys);
}

function soundTextType(call: SoundCall, { type: declared }: Parameter, code: number): SoundText | undefined {
  const type = typeOfText(call.source.format, code, declared, "");
  return type && makeSoundText(type, !type.inferred && !marksStrings(call.source.format) && isList(declared));
}

/** Whether a text of which no schema speaks may be a value that has lost a mark. */
const lacksMark = (format: Pick<FormatData, "flags">, text: string, json: string): boolean =>
  lacksBracket(text, json) || (marksStrings(format) && scalars.test(text));

/** Several with nothing but blanks between them: where strings are marked, they are no text. */
const scalars = /^\s*(?:-?\d[\d.]*|true|false|null)(?:\s+(?:-?\d[\d.]*|true|false|null))+\s*$/;

/** What a text is by its type; undefined: it fits none, or not without a repair. */
function soundValue({ source }: SoundCall, text: string, type: TextType): PlainValue | undefined {
  const typed = typeText(text, type, marksStrings(source.format));
  if (type.inferred && "json" in typed && lacksMark(source.format, text, typed.json)) return undefined;
  return "json" in typed && (typed.repairs?.length ?? 0) === 0 ? readJson(typed.json) : undefined;
}

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
      endEscape(state, at, isLater ? reference : decodeEntity(reference));
    },
  },
  [role.FurtherKey]: {
    close: (state, start, at) => checkFurther(state, start, state.slice(start, at).trim()),
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
