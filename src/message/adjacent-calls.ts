import type { RepairKind } from "../contract/repairs.ts";
import type { Candidate } from "../values/candidate.ts";
import { parseJson } from "../values/json-text.ts";
import { isEmpty } from "./contradicting-text.ts";

/** How calls of a format end, and what their tools take. */
export interface CallEnds {
  readonly closers: readonly string[];
  /** What the format writes last of a call: empty where that is its value, undefined where it is not known. */
  readonly tail: string | undefined;
  /** Values are raw text, each with a closer of its own. */
  readonly hasRawValues: boolean;
  /** The parameters that the tool of a call declares; empty where it requires some. */
  optionalOf(candidate: Candidate): ReadonlySet<string>;
  /** Whether the tool of a call declares a parameter. */
  declares(candidate: Candidate, key: string): boolean;
}

/** What was found directly before a call. */
export interface Neighbour {
  readonly candidate: Candidate;
  readonly isRefused: boolean;
  /** Those of the format that it was read in. */
  readonly ends: CallEnds;
}

/** What has no name may be the arguments of the call before it; so may what is no call, and begins with one of their names. */
export function mayBeArguments({ candidate: last, ends }: Neighbour, { name, problem }: Candidate): boolean {
  return !name || (problem !== undefined && ends.optionalOf(last).has(name));
}

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
    Object.keys(argumentsOf(candidate)).some((key) => lastEnds.declares(one, key));
  const lacks = (one: Candidate) => isEmpty(one) && !one.hasArguments && ends.optionalOf(one).size > 0;
  if (mayBeArguments({ candidate: last, isRefused, ends: lastEnds }, candidate)) {
    if (!isRefused && isEmpty(last) && lastEnds.optionalOf(last).size > 0) last.refuse("ambiguous", nameless);
    return;
  }
  if (isRefused) {
    // What could not be read, and has no name, may have been its arguments.
    if (last.name === undefined && lacks(candidate) && !hasEnd(candidate, ends)) refuse(candidate);
    return;
  }
  if (hasEnd(last, lastEnds)) return;
  if (!isComplete(last) && isEmpty(last) && last.name !== candidate.name && holdsArgumentOf(last)) {
    refuse(last);
    refuse(candidate);
  } else if (!isComplete(last) && lacks(last)) refuse(last);
  else if (last.name !== candidate.name) return;
  else if (lacks(candidate) && !(isComplete(last) && isComplete(candidate))) refuse(candidate);
  else if (lastEnds.closers.length > 0 && isEmpty(last) && isEmpty(candidate) && !isComplete(last)) refuse(last);
  else if (
    lastEnds.hasRawValues &&
    !isEmpty(last) &&
    !isEmpty(candidate) &&
    !isComplete(last) &&
    sharesNoKey(last, candidate)
  ) {
    refuse(last);
    refuse(candidate);
  }
}

const nameless =
  "the call has no arguments, and what follows has no name: it may be its arguments; ask for the call again";

function refuse(candidate: Candidate): void {
  candidate.refuse(
    "ambiguous",
    "the call has no end before the next one begins, so the two may be one; ask for both again",
  );
}

/** What a call is made of has ended by itself: a value in brackets, a tag without a body. */
const isComplete = ({ placed: { raw } }: Candidate): boolean => /(?:\/>|[})])\s*$/.test(raw);

/** Nothing is missing at its end. Where nothing closes calls, one ends with its value. */
function hasEnd(candidate: Candidate, { closers, tail }: CallEnds): boolean {
  if (candidate.repairs.some(({ kind }) => missingEnds.has(kind))) return false;
  return closers.length > 0 || tail !== "" || isComplete(candidate);
}

const missingEnds: ReadonlySet<RepairKind> = new Set<RepairKind>(["missing-close-marker", "missing-last-closer"]);

/** Whether two calls have no argument of the same key. */
function sharesNoKey(left: Candidate, right: Candidate): boolean {
  const ofLeft = argumentsOf(left);
  return !Object.keys(argumentsOf(right)).some((key) => Object.hasOwn(ofLeft, key));
}

const argumentsOf = ({ writer }: Candidate): object => Object(writer.value ?? parseJson(writer.jsonText));
