import type { RejectionReason } from "../contract/reasons.ts";
import type { Repair } from "../contract/repairs.ts";
import type { Node, Rejection, ToolCall } from "../contract/types.ts";
import { argumentPlaces } from "./argument-places.ts";

/** What is shown of a reading: a result of `parse`, or of `extract` with its candidates as calls. */
export interface ShownResult {
  calls: readonly ToolCall[];
  rejected: readonly Rejection[];
  nodes: readonly Node[];
}

/** What a stretch of text is: a node, or text in which a refused call was quoted. */
export type PieceKind = Node["type"] | "quoted";

/** A stretch of text that is one thing. */
export interface Piece {
  kind: PieceKind;
  start: number;
  end: number;
  /** A repair that was made here. */
  repair?: Repair;
  /** The argument of a call whose value this is. */
  argument?: PlacedArgument;
}

/** An argument with its place in the text. */
export interface PlacedArgument {
  key: string;
  /** Of the arguments of its call, from 1. */
  number: number;
  start: number;
  end: number;
}

/** A part of the text with the calls and refusals in it. */
export interface Block {
  start: number;
  end: number;
  pieces: Piece[];
  calls: ToolCall[];
  rejected: Rejection[];
}

/** The kind of every place of the text, in pieces that tile it. */
export function piecesOf(text: string, { calls, rejected, nodes }: ShownResult): Piece[] {
  const quoted = rejected.filter(({ reason }) => reason === ("quoted" satisfies RejectionReason));
  const repairs = [...calls, ...rejected].flatMap((one) => one.repairs ?? []);
  const placed = calls.flatMap((call) => placedArguments(text, call));
  const cuts = new Set([0, text.length]);
  for (const { start, end } of [...nodes, ...quoted, ...repairs, ...placed]) cuts.add(start).add(end);
  const places = [...cuts].filter((at) => at >= 0 && at <= text.length).sort((left, right) => left - right);
  const pieces: Piece[] = [];
  let next = 0;
  for (let at = 0; at + 1 < places.length; at++) {
    const [start, end] = [places[at], places[at + 1]];
    while (next < nodes.length && nodes[next].end <= start) next++;
    const within = (one: { start: number; end: number }) => one.start <= start && end <= one.end;
    const repair = repairs.find((one) => within(one) && one.end > one.start);
    const kind = quoted.some(within) ? "quoted" : (nodes[next]?.type ?? "content");
    const argument = placed.find(within);
    pieces.push({
      kind,
      start,
      end,
      ...(repair === undefined ? {} : { repair }),
      ...(argument === undefined ? {} : { argument }),
    });
  }
  return pieces;
}

/** The arguments whose place was found, numbered as the call has them. */
export function placedArguments(text: string, call: ToolCall): PlacedArgument[] {
  const keys = Object.keys((call.written ?? call.arguments) as object);
  return argumentPlaces(text, call).map((place) => ({ ...place, number: keys.indexOf(place.key) + 1 }));
}

/** The text in blocks: each call or refusal with its place, and what stands between them. */
export function blocksOf(text: string, result: ShownResult): Block[] {
  const found = [
    ...result.calls.map((call) => ({ start: call.start, end: call.end, calls: [call], rejected: [] as Rejection[] })),
    ...result.rejected.map((one) => ({ start: one.start, end: one.end, calls: [] as ToolCall[], rejected: [one] })),
  ].sort((left, right) => left.start - right.start || left.end - right.end);
  const merged: Omit<Block, "pieces">[] = [];
  for (const one of found) {
    const last = merged.at(-1);
    if (last !== undefined && one.start < last.end) {
      last.end = Math.max(last.end, one.end);
      last.calls.push(...one.calls);
      last.rejected.push(...one.rejected);
    } else {
      merged.push(one);
    }
  }
  const blocks: Omit<Block, "pieces">[] = [];
  let at = 0;
  for (const one of merged) {
    const last = blocks.at(-1);
    // A line break between two calls is no part of its own.
    if (last !== undefined && one.start > at && text.slice(at, one.start).trim() === "") last.end = one.start;
    else if (one.start > at) blocks.push({ start: at, end: one.start, calls: [], rejected: [] });
    blocks.push(one);
    at = Math.max(at, one.end);
  }
  const last = blocks.at(-1);
  if (last !== undefined && text.slice(at).trim() === "") last.end = text.length;
  else if (at < text.length) blocks.push({ start: at, end: text.length, calls: [], rejected: [] });
  const pieces = piecesOf(text, result);
  return blocks.map((block) => ({
    ...block,
    pieces: pieces
      .filter(({ start, end }) => start < block.end && end > block.start)
      .map((piece) => ({
        ...piece,
        start: Math.max(piece.start, block.start),
        end: Math.min(piece.end, block.end),
      })),
  }));
}

/** Line and column of an offset, from 1. */
export function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return `${line}:${offset - before.lastIndexOf("\n")}`;
}
