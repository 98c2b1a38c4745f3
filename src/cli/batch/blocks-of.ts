import { bytesOf, skipped } from "../compression.ts";
import type { Input } from "../read-replies.ts";
import type { Terminal } from "../terminal.ts";
import { type Block, lineFeed } from "./read-block.ts";

/** A place between two lines. */
export interface Place {
  /** Lines before it. */
  line: number;
  /** Bytes before it, decompressed. */
  bytes: number;
}

/** A block, and the place after it. */
export interface PlacedBlock {
  block: Block;
  end: Place;
}

/**
 * An input as blocks of whole lines, in the pieces in which it comes: what a pipe brings is not waited for more of.
 *
 * @param from what stands before this place is left out
 * @param onRead gets how many bytes of the file were read
 */
export async function* blocksOf(
  input: Input,
  terminal: Terminal,
  from: Place,
  onRead?: (bytes: number) => void,
): AsyncGenerator<PlacedBlock> {
  const { name, label, jsonl } = input;
  const pieces = name === "-" ? skipped(asBytes(terminal.stdin), from.bytes) : bytesOf(name, from.bytes, onRead);
  let { line, bytes } = from;
  let rest: Uint8Array[] = [];
  for await (const piece of pieces) {
    const end = jsonl ? piece.lastIndexOf(lineFeed) + 1 : 0;
    if (end === 0) {
      rest.push(piece);
      continue;
    }
    const whole = joined([...rest, piece.subarray(0, end)]);
    rest = end < piece.length ? [piece.subarray(end)] : [];
    const block: Block = { bytes: whole, label, line: line + 1 };
    line += linesIn(whole);
    bytes += whole.length;
    yield { block, end: { line, bytes } };
  }
  const last = joined(rest);
  if (jsonl && last.length > 0) {
    yield { block: { bytes: last, label, line: line + 1 }, end: { line: line + 1, bytes: bytes + last.length } };
  }
  // An empty text is a reply too; one that was read before is none.
  if (!jsonl && from.line === 0) yield { block: { bytes: last, label }, end: { line: 1, bytes: last.length } };
}

/** A copy: what is handed to a worker thread is gone here. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) lines++;
  return lines;
}

async function* asBytes(pieces: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) yield typeof piece === "string" ? encoder.encode(piece) : piece;
}
