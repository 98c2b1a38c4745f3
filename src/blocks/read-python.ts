import { schemaLookupOf } from "../json-repair/schema-lookup.ts";
import { readDamagedArguments } from "../values/damaged-arguments.ts";
import { finishCandidate, flushDelta, settleCandidate } from "./candidates.ts";
import { endProof } from "./damaged-call-end.ts";
import { closingText } from "./read-recovered.ts";
import type { Block, ReaderState } from "./state.ts";

/** The name of a call, and what opens its arguments. */
const begun = /^\s*[^\s()]+\s*\(/;

/**
 * The grammar could not read a Python call up to its closing marker. Where quotes that are not escaped are all that is wrong with
 * it, and leave one reading, it is made.
 *
 * @returns whether it was
 */
export function readPythonCall(state: ReaderState, block: Block, at: number): boolean {
  const { candidate, start } = block;
  const { format, openers, program, owner } = state;
  const schema = owner.tools.schemaOf(candidate?.name);
  if (!format.pythonValues || block.kind !== "members" || candidate === undefined || schema === undefined) return false;
  const text = state.store.slice(start, at);
  const opened = begun.exec(text)?.[0];
  const closing = closingText(format.template).replace(/^[)\]\s]+/, "");
  const end = closedAt(text, closing, block.brokenList?.standsWhenCut === false);
  if (opened === undefined || closing === "" || end < opened.length) return false;
  // A call that is quoted in a string could not be distinguished from the call itself.
  const call = text.slice(0, end);
  const markers = [...openers, ...program.ends, ...(format.closers ?? [])];
  if (markers.some((marker) => /\w/.test(marker) && call.includes(marker))) return false;
  const places = schemaLookupOf(schema);
  const read = readDamagedArguments(call.slice(opened.length), (path) => places.rulesAt(path), state.hints.names);
  if (read === undefined) return false;
  for (const before of block.brokenList?.candidates ?? []) settleCandidate(state, before);
  flushDelta(owner, candidate);
  const writer = candidate.writer.again(candidate.started && !candidate.sendsAtEnd);
  candidate.writer = writer;
  candidate.problem = undefined;
  candidate.repairs = [];
  candidate.values.length = 0;
  candidate.hasArguments = true;
  writer.beginObject();
  for (const [key, json] of read.members) {
    writer.beginString(0, true);
    writer.text(key);
    writer.endString();
    writer.json(json);
  }
  writer.endObject();
  const from = start + opened.length;
  for (const quote of read.innerQuotes)
    candidate.repair({ kind: "inner-quote", level: "safe", ...state.span(from + quote, from + quote + 1) });
  if (read.rawControl)
    candidate.repair({ kind: "raw-control-character", level: "safe", ...state.span(from, start + end) });
  candidate.end = start + end;
  candidate.endIsUnproven = endProof(state, block, at) === undefined;
  finishCandidate(state, block, candidate);
  return true;
}

/** Where the parentheses of a call end, behind which nothing stands but the bracket of its list and what closes it; -1: it is not closed. */
function closedAt(text: string, closing: string, isListed: boolean): number {
  const marks = closing.split(/\s+/).reverse();
  let rest = text.trimEnd();
  for (const mark of marks) {
    if (!rest.endsWith(mark)) return -1;
    rest = rest.slice(0, -mark.length).trimEnd();
  }
  if (isListed) rest = rest.endsWith("]") ? rest.slice(0, -1).trimEnd() : "";
  return rest.endsWith(")") ? rest.length : -1;
}
