import type { RepairKind } from "../contract/repairs.ts";
import type { FormatData } from "../formats/format-data.ts";
import type { Candidate } from "../values/candidate.ts";
import { parseJson } from "../values/json-text.ts";
import { parameterBefore } from "./beside-calls.ts";
import { isEmpty, tailOf } from "./call-end.ts";

/** How calls of a format end, and what their tools take. */
export interface CallEnds {
  readonly format: FormatData;
  /** The parameters that the tool of a call declares; empty where it requires some. */
  optionalOf(candidate: Candidate): ReadonlySet<string>;
  /** Whether the tool of a call declares a parameter. */
  declares: DeclaresParameter;
}

/** It has written none, although its tool takes some. */
const lacksArguments = (candidate: Candidate, ends: CallEnds): boolean =>
  isEmpty(candidate) && !candidate.hasArguments && ends.optionalOf(candidate).size > 0;

/** Whether the tool of that name declares a parameter. */
export type DeclaresParameter = (name: string | undefined, key: string) => boolean;

/** What was found directly before a call. */
export interface Neighbour {
  readonly candidate: Candidate;
  readonly isRefused: boolean;
  /** Those of the format that it was read in. */
  readonly ends: CallEnds;
}

/**
 * What has no name may be the arguments of the call before it; so may what begins with one of their names: what is no call, or an
 * object where arguments are written in tags.
 */
function mayBeArguments({ candidate: last, ends }: Neighbour, { name, problem, placed }: Candidate): boolean {
  if (!name) return true;
  const key = ends.format.rawValues === undefined ? undefined : firstKey.exec(placed.raw)?.[1];
  const optional = ends.optionalOf(last);
  return (problem !== undefined && optional.has(name)) || (key !== undefined && optional.has(key));
}

const firstKey = /^\{\s*"([^"]*)"/;

/**
 * Refuses calls that may be one: where a call has no closer and another begins, the opener may have been written twice, or
 * moved. One that holds nothing may not have been meant; where both hold arguments of one tool, or the second such as the first
 * takes, neither is known.
 */
export function refuseDoubled(
  { candidate: last, isRefused, ends: lastEnds }: Neighbour,
  candidate: Candidate,
  ends: CallEnds,
): void {
  const holdsArgumentOf = (one: Candidate) =>
    Object.keys(argumentsOf(candidate)).some((key) => lastEnds.declares(one.name, key));
  // The opener between them may be none.
  const holdsRestOf = (one: Candidate) =>
    Object.keys(argumentsOf(candidate)).some(
      (key) =>
        lastEnds.declares(one.name, key) &&
        !ends.declares(candidate.name, key) &&
        !Object.hasOwn(argumentsOf(one), key),
    );
  const lacks = (one: Candidate) => lacksArguments(one, ends);
  if (mayBeArguments({ candidate: last, isRefused, ends: lastEnds }, candidate)) {
    if (!isRefused && isEmpty(last) && lastEnds.optionalOf(last).size > 0) last.refuse("ambiguous", nameless);
    return;
  }
  if (isRefused) {
    // What could not be read, and has no name, may have been its arguments.
    if (last.name === undefined && lacks(candidate) && (last.isLoose || !hasEnd(candidate, ends))) refuse(candidate);
    const before = parameterBefore(last.placed.raw, lastEnds.format);
    if (before !== undefined && ends.declares(candidate.name, before)) {
      if (lacks(candidate) || (last.isLoose && !Object.hasOwn(argumentsOf(candidate), before))) refuse(candidate);
    }
    if (last.problem?.reason !== "malformed" || isClosed(last, lastEnds) || !holdsNothing(last)) return;
    refuseAfter(namesIn(last.name ?? last.placed.raw), candidate, lastEnds.declares);
    return;
  }
  if (hasEnd(last, lastEnds)) return;
  if (
    !isComplete(last) &&
    last.name !== candidate.name &&
    (isEmpty(last) ? holdsArgumentOf(last) : holdsRestOf(last))
  ) {
    refuse(last);
    refuse(candidate);
  } else if (!isComplete(last) && lacks(last)) refuse(last);
  else if (last.name !== candidate.name) return;
  else if (lacks(candidate) && !(isComplete(last) && isComplete(candidate))) refuse(candidate);
  else if (closersOf(lastEnds).length > 0 && isEmpty(last) && isEmpty(candidate) && !isComplete(last)) refuse(last);
  else if (
    lastEnds.format.rawValues !== undefined &&
    !isEmpty(last) &&
    !isEmpty(candidate) &&
    !isComplete(last) &&
    sharesNoKey(last, candidate)
  ) {
    refuse(last);
    refuse(candidate);
  }
}

/** An opener follows directly, and the text has been cut there: what a call without arguments and without an end lacks may have come. */
export function refuseBeforeCut(candidate: Candidate, ends: CallEnds): void {
  if (lacksArguments(candidate, ends) && !hasEnd(candidate, ends)) refuse(candidate);
}

const nameless = "the call has no arguments, and what follows may be its arguments; ask for the call again";

function refuse(candidate: Candidate): void {
  candidate.refuse(
    "ambiguous",
    "the call has no end before the next one begins, so the two may be one; ask for both again",
  );
}

/** What a call is made of has ended by itself: a value in brackets, a tag without a body. */
const isComplete = ({ placed: { raw } }: Candidate): boolean => /(?:\/>|[})])\s*$/.test(raw);

/** Nothing is missing at its end. Where nothing closes calls, one ends with its value. */
function hasEnd(candidate: Candidate, ends: CallEnds): boolean {
  if (candidate.repairs.some(({ kind }) => missingEnds.has(kind))) return false;
  return closersOf(ends).length > 0 || tailOf(ends.format) !== "" || isComplete(candidate);
}

const missingEnds: ReadonlySet<RepairKind> = new Set<RepairKind>(["missing-close-marker", "missing-last-closer"]);

/** It has been damaged before its first argument. */
const holdsNothing = ({ writer }: Candidate): boolean => writer.length <= "{}".length;

/** Its text ends with a closer. */
const isClosed = ({ name, placed: { raw } }: Candidate, ends: CallEnds): boolean =>
  callClosers(ends, name).some((closer) => raw.trimEnd().endsWith(closer));

/** What closes a call, and no part of it. */
function callClosers(ends: CallEnds, name: string | undefined): readonly string[] {
  const call = ends.format.template?.call.map((piece) => (typeof piece === "string" ? piece : "\0")).join("") ?? "";
  const isOfPart = (closer: string) => call.includes(closer) && !call.endsWith(closer);
  return closersOf(ends)
    .map((closer) => (closer.startsWith("</\0") ? `</${name}>` : closer))
    .filter((closer) => !isOfPart(closer));
}

const closersOf = ({ format }: CallEnds): readonly string[] => format.closers ?? [];

/** Refuses a call after a name without arguments, where that is the name of another tool, which takes arguments of this one. */
function refuseAfter(names: readonly string[], candidate: Candidate, declares: DeclaresParameter): void {
  const keys = Object.keys(argumentsOf(candidate));
  if (names.some((name) => name !== candidate.name && keys.some((key) => declares(name, key)))) refuse(candidate);
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

  /** @param ends those of its format, which has the same openers */
  refuseNext(candidate: Candidate, ends: CallEnds): void {
    if (this.#texts.length === 0) return;
    const isOpen = (text: string) => !callClosers(ends, namesIn(text)[0]).some((closer) => text.includes(closer));
    refuseAfter(this.#texts.filter(isOpen).flatMap(namesIn), candidate, ends.declares);
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
  return !Object.keys(argumentsOf(right)).some((key) => Object.hasOwn(ofLeft, key));
}

/** As far as they were read. */
const argumentsOf = ({ writer: { value, jsonText } }: Candidate): object =>
  Object(value ?? parseJson(jsonText) ?? parseJson(`${jsonText}}`));
