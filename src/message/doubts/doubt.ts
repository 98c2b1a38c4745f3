import type { Candidate } from "../../values/candidate.ts";

/** What may follow a call: text, thoughts, a closer or token that stands for nothing, or another call that is damaged. */
export type Following = "text" | "thoughts" | "closer" | "damage";

/** What may follow a call and say against it that the call has not ended where it seemed to. */
export interface Doubt {
  /** Why the call is refused then. */
  readonly message: string;
  /** What of it says something; absent: text alone. */
  readonly looksAt?: readonly Following[];
  /** Where the next piece says so; -1: nowhere. */
  contradictedAt(piece: string, what: Following): number;
  /** Another call follows. @param isOpen nothing but brackets ends it, so it may have ended too early as well */
  callFollows?(isOpen: boolean): void;
  /** The end of the text says so. */
  readonly contradictedByEnd?: boolean;
  /** The call that it says this of, which has ended all the same; absent: all calls before what follows, which may stand in them. */
  readonly only?: Candidate;
}

const textAlone: readonly Following[] = ["text"];
export const textAndThoughts: readonly Following[] = ["text", "thoughts"];

/** What follows says that calls have ended elsewhere, and may belong to them. */
export interface Contradiction {
  readonly at: number;
  readonly message: string;
}

/** The first of what some doubts say of a piece, which may refuse a call alone before that; undefined: it contradicts no more. */
export function contradictionOf(doubts: Iterable<Doubt>, piece: string, what: Following): Contradiction | undefined {
  let first: Contradiction | undefined;
  let ofOne: { readonly at: number; readonly doubt: Doubt } | undefined;
  for (const doubt of doubts) {
    const at = (doubt.looksAt ?? textAlone).includes(what) ? doubt.contradictedAt(piece, what) : -1;
    if (at >= 0 && doubt.only !== undefined) ofOne = { at, doubt };
    else if (at >= 0 && (first === undefined || at < first.at)) first = { at, message: doubt.message };
  }
  if (ofOne !== undefined && (first === undefined || ofOne.at < first.at))
    ofOne.doubt.only?.refuse("ambiguous", ofOne.doubt.message);
  return first;
}
