import type { RepairKind } from "../../contract/repairs.ts";
import { endOfTurnTokens, otherEndOfTurnTokens } from "../../contract/turn-tokens.ts";
import type { FormatData } from "../../formats/format-data.ts";
import type { Candidate } from "../../values/candidate.ts";
import { parseJson } from "../../values/json-text.ts";
import { endsWithJson, isEmpty, tailOf } from "../readings/call-end.ts";
import { parameterBefore } from "./beside-calls.ts";
import { declares, lackingOf, optionalOf, parametersOf, type Tools } from "./declared-parameters.ts";
import { ValueBelow } from "./value-below.ts";

/** What was found directly before a call, and the format that it was read in. */
export interface Neighbour {
  readonly candidate: Candidate;
  readonly isRefused: boolean;
  readonly format: FormatData;
  /** What was found before it, if it has no name: what has none either may be arguments of that. */
  readonly named: Neighbour | undefined;
  /** What has stood behind it. */
  behind: string;
}

/** Whether what stands behind it says nothing: blanks and the tokens that end a turn. */
export function staysBeside(neighbour: Neighbour, piece: string): boolean {
  neighbour.behind = (neighbour.behind + piece).trimStart();
  let rest = neighbour.behind;
  // Most text begins as no token does.
  if (rest === "" || !tokenBeginnings.has(rest[0]) || rest.length > behindCharsMax) return rest === "";
  for (const token of endTokens) rest = rest.replaceAll(token, "");
  rest = rest.trim();
  return endTokens.some((token) => token.startsWith(rest));
}

/** Room for a few tokens. */
const behindCharsMax = 128;
const endTokens: readonly string[] = [...endOfTurnTokens, ...otherEndOfTurnTokens];
const tokenBeginnings: ReadonlySet<string> = new Set(endTokens.map(([unit]) => unit));

/** What was found last, behind another. */
export function neighbourOf(
  candidate: Candidate,
  isRefused: boolean,
  format: FormatData,
  last: Neighbour | undefined,
): Neighbour {
  const named = candidate.name ? undefined : last?.candidate.name ? last : last?.named;
  return { candidate, isRefused, format, named, behind: "" };
}

/** It has written none, although its tool takes some and requires none. */
const lacksArguments = (candidate: Candidate, tools: Tools): boolean =>
  !candidate.hasArguments && lackingOf(tools, candidate) !== undefined;

/**
 * What has no name may be the arguments of the call before it; so may what begins with one of their names: what is no call, or an
 * object where arguments are written in tags.
 */
function mayBeArguments(
  { candidate: last, format }: Neighbour,
  { name, problem, placed }: Candidate,
  tools: Tools,
): boolean {
  if (!name) return true;
  const key = format.rawValues === undefined ? undefined : firstKey.exec(placed.raw)?.[1];
  const optional = optionalOf(tools, last.name);
  return (problem !== undefined && optional.has(name)) || (key !== undefined && optional.has(key));
}

const firstKey = /^\{\s*"([^"]*)"/;

/**
 * Refuses calls that may be one: where a call has no closer and another begins, the opener may have been written twice, or
 * moved. One that holds nothing may not have been meant; where both hold arguments of one tool, or the second such as the first
 * takes, neither is known.
 */
export function refuseDoubled(neighbour: Neighbour, candidate: Candidate, format: FormatData, tools: Tools): void {
  const { candidate: last, isRefused, format: lastFormat } = neighbour;
  const lacks = (one: Candidate) => lacksArguments(one, tools);
  if (mayBeArguments(neighbour, candidate, tools)) {
    const { candidate: call, isRefused: isOver } = (candidate.name ? undefined : neighbour.named) ?? neighbour;
    if (isOver) return;
    if (lackingOf(tools, call) !== undefined) call.refuse("ambiguous", nameless);
    else if (endsWithJson(format) || call.isFollowed)
      new ValueBelow(call, parametersOf(tools, call), [format]).readNameless(candidate.placed.raw, call.isFollowed);
    return;
  }
  if (isRefused) {
    // What could not be read, and has no name, may have been its arguments.
    if (last.name === undefined && lacks(candidate) && (last.isLoose || !hasEnd(candidate, format))) refuse(candidate);
    const before = parameterBefore(last.placed.raw, lastFormat);
    if (before !== undefined && declares(tools, candidate.name, before)) {
      if (lacks(candidate) || (last.isLoose && !Object.hasOwn(argumentsOf(candidate), before))) refuse(candidate);
    }
    if (last.problem?.reason !== "malformed" || isClosed(last, lastFormat) || !holdsNothing(last)) return;
    refuseAfter(namesIn(last.name ?? last.placed.raw), candidate, tools);
    return;
  }
  if (hasEnd(last, lastFormat)) return;
  const isOfOneTool = last.name === candidate.name;
  const isWhole = isComplete(last);
  if (!isWhole && !isOfOneTool && holdsRestOf(last, candidate, tools)) {
    refuse(last);
    refuse(candidate);
  } else if (lacks(last) && (!isWhole || isEnvelope(last))) refuse(last);
  else if (!isOfOneTool) return;
  else if (lacks(candidate) && !(isWhole && isComplete(candidate))) refuse(candidate);
  else if (isWhole) return;
  else if (isEmpty(last) && isEmpty(candidate)) {
    if (closersOf(lastFormat).length > 0 && !isSectionOver(last, candidate, lastFormat)) refuse(last);
  } else if (
    lastFormat.rawValues !== undefined &&
    !isEmpty(last) &&
    !isEmpty(candidate) &&
    sharesNoKey(last, candidate)
  ) {
    refuse(last);
    refuse(candidate);
  }
}

/** A call of another tool has an argument that one before it takes: all of its arguments may, if that has none, else what only that takes and lacks. */
function holdsRestOf(last: Candidate, candidate: Candidate, tools: Tools): boolean {
  const given = argumentsOf(last);
  const isRest = (key: string) =>
    isEmpty(last) || (!declares(tools, candidate.name, key) && !Object.hasOwn(given, key));
  return keysOf(candidate).some((key) => declares(tools, last.name, key) && isRest(key));
}

/** An opener follows directly, and the text has been cut there: what a call without arguments and without an end lacks may have come. */
export function refuseBeforeCut(candidate: Candidate, format: FormatData, tools: Tools): void {
  if (lacksArguments(candidate, tools) && !hasEnd(candidate, format)) refuse(candidate);
}

const nameless = "the call has no arguments, and what follows may be its arguments; ask for the call again";

function refuse(candidate: Candidate): void {
  candidate.refuse(
    "ambiguous",
    "the call has no end before the next one begins, so the two may be one; ask for both again",
  );
}

/** An object that names a call ends without its arguments. */
const isEnvelope = ({ placed: { raw } }: Candidate): boolean => raw.trimEnd().endsWith("}");

/** What a call is made of has ended by itself: a value in brackets, a tag without a body. */
const isComplete = ({ placed: { raw } }: Candidate): boolean => /(?:\/>|[})])\s*$/.test(raw);

/** Nothing is missing at its end. Where nothing closes calls, one ends with its value. */
function hasEnd(candidate: Candidate, format: FormatData): boolean {
  if (candidate.repairs.some(({ kind }) => missingEnds.has(kind))) return false;
  return closersOf(format).length > 0 || tailOf(format) !== "" || isComplete(candidate);
}

const missingEnds: ReadonlySet<RepairKind> = new Set<RepairKind>(["missing-close-marker", "missing-last-closer"]);

/** Between two calls the section of the first is closed, and with it that call. */
function isSectionOver(
  { placed: { end } }: Candidate,
  { placed, before }: Candidate,
  { template }: FormatData,
): boolean {
  const close = template?.close.trim() ?? "";
  return close !== "" && before.slice(Math.max(0, before.length - (placed.start - end))).includes(close);
}

/** It has been damaged before its first argument. */
const holdsNothing = ({ writer }: Candidate): boolean => writer.length <= "{}".length;

/** Its text ends with a closer. */
const isClosed = ({ name, placed: { raw } }: Candidate, format: FormatData): boolean =>
  callClosers(format, name).some((closer) => raw.trimEnd().endsWith(closer));

/** What closes a call, and no part of it. */
function callClosers(format: FormatData, name: string | undefined): readonly string[] {
  const call = format.template?.call.map((piece) => (typeof piece === "string" ? piece : "\0")).join("") ?? "";
  const isOfPart = (closer: string) => call.includes(closer) && !call.endsWith(closer);
  return closersOf(format)
    .map((closer) => (closer.startsWith("</\0") ? `</${name}>` : closer))
    .filter((closer) => !isOfPart(closer));
}

const closersOf = ({ closers = [] }: FormatData): readonly string[] => closers;

/** Refuses a call after a name without arguments, where that is the name of another tool, which takes arguments of this one. */
function refuseAfter(names: readonly string[], candidate: Candidate, tools: Tools): void {
  const keys = keysOf(candidate);
  if (names.some((name) => name !== candidate.name && keys.some((key) => declares(tools, name, key))))
    refuse(candidate);
}

/** What follows openers that open no call, as far as an empty line. */
export class BegunCalls {
  readonly #texts: string[] = [];

  begin(): void {
    this.#texts.push("");
  }

  addText(piece: string): void {
    if (this.#texts.length === 0) return;
    const text = this.#texts.pop() + piece;
    this.#texts.push(text);
    const isOver = piece.includes("\n") && /\S[^\S\n]*\n[^\S\n]*\n/.test(text);
    if (isOver || text.length > begunCharsMax) this.#texts.length = 0;
  }

  /** @param format that of the call, which has the same openers */
  refuseNext(candidate: Candidate, format: FormatData, tools: Tools): void {
    if (this.#texts.length === 0) return;
    const isOpen = (text: string) => !callClosers(format, namesIn(text)[0]).some((closer) => text.includes(closer));
    refuseAfter(this.#texts.filter(isOpen).flatMap(namesIn), candidate, tools);
    this.#texts.length = 0;
  }
}

/** The first two words, each whole and by its parts: `name="bash"`, `functions.bash:0`, `function<sep>bash`. */
const namesIn = (text: string): readonly string[] =>
  text.slice(0, begunCharsMax).trimStart().split(/\s+/, 2).flatMap(wordsOf);

const wordsOf = (text: string): readonly string[] => [
  ...(text.match(/[\p{L}\p{N}_.-]+/gu) ?? []),
  ...(text.match(/[\p{L}\p{N}_-]+/gu) ?? []),
];

/** An opener and a name are no longer. */
const begunCharsMax = 256;

/** Whether two calls have no argument of the same key. */
function sharesNoKey(left: Candidate, right: Candidate): boolean {
  const ofLeft = argumentsOf(left);
  return !keysOf(right).some((key) => Object.hasOwn(ofLeft, key));
}

const keysOf = (candidate: Candidate): readonly string[] => Object.keys(argumentsOf(candidate));

/** As far as they were read. */
const argumentsOf = ({ writer: { value, jsonText } }: Candidate): object =>
  Object(value ?? parseJson(jsonText) ?? parseJson(`${jsonText}}`));
