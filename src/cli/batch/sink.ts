import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type FileHandle, open, rename, stat, writeFile } from "node:fs/promises";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import type { Place } from "./blocks-of.ts";
import { type BatchTally, emptyTally } from "./read-block.ts";

/** Where a run stands: everything before it is in the output, and nothing else is. */
export interface RunState {
  /** Which input is being read. */
  input: number;
  place: Place;
  tally: BatchTally;
}

/** Where records go. */
export interface Sink {
  /** Where to begin. */
  readonly start: RunState;
  /** Nothing is left to do. */
  readonly isDone: boolean;
  write(bytes: Uint8Array, state: RunState): Promise<void>;
  /** The last record was written. */
  finish(state: RunState): Promise<void>;
  close(): Promise<void>;
}

function startState(): RunState {
  return { input: 0, place: { line: 0, bytes: 0 }, tally: emptyTally() };
}

/** Standard output. */
export function terminalSink(terminal: Terminal): Sink {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return {
    start: startState(),
    isDone: false,
    async write(bytes) {
      if (bytes.length > 0) terminal.out(decoder.decode(bytes));
      await terminal.drained?.();
    },
    finish: async () => {},
    close: async () => {},
  };
}

/** How long work may be lost by a kill, in milliseconds. */
const checkpointMilliseconds = 1000;

interface ProgressFile {
  /** Of this layout. */
  version: 1;
  /** What the run was asked to do: another run does not go on with it. */
  run: string;
  /** Length of the output that is certain to be on the disk. */
  bytes: number;
  done: boolean;
  state: RunState;
}

/** The file beside an output that says how far it is. */
function progressPath(output: string): string {
  return `${output}.progress.json`;
}

/**
 * A file that survives a kill: beside it stands how much of it is complete and what of the input that came from. What was
 * written after that is cut off when the run goes on.
 *
 * @param run what is asked for, as text
 * @throws UsageError when the output is that of an unfinished run and `resume` is false, or of another run
 */
export async function fileSink(output: string, run: string, resume: boolean): Promise<Sink> {
  const path = progressPath(output);
  const identity = createHash("sha256").update(run).digest("hex").slice(0, 32);
  const known = readProgress(path);
  if (known !== undefined && !resume && !known.done) {
    throw new UsageError(
      `${output} belongs to a run that was not finished`,
      `--resume goes on with it; delete ${path} to begin anew`,
    );
  }
  if (known !== undefined && resume && known.run !== identity) {
    throw new UsageError(
      `${output} was begun with other inputs or options`,
      `give those of the first run, or delete ${path} to begin anew`,
    );
  }
  const found = await stat(output).catch(() => undefined);
  if (resume && known === undefined && found !== undefined && found.size > 0) {
    throw new UsageError(
      `${output} is there, and ${path} is not: nothing says how far it is`,
      `delete ${output} to begin anew`,
    );
  }
  const goesOn = resume && known !== undefined;
  if (goesOn && (found?.size ?? 0) < known.bytes) {
    throw new UsageError(`${output} is shorter than ${path} says`, `delete both to begin anew`);
  }
  const start = goesOn ? known.state : startState();
  let bytes = goesOn ? known.bytes : 0;
  if (goesOn && known.done) {
    return { start, isDone: true, write: async () => {}, finish: async () => {}, close: async () => {} };
  }
  const unwritten = (error: Error): never => {
    throw new UsageError(`${output} cannot be written: ${error.message}`);
  };
  const file: FileHandle = await open(output, goesOn ? "r+" : "w").catch(unwritten);
  await file.truncate(bytes).catch(unwritten);
  let saved = 0;
  const save = async (state: RunState, done: boolean) => {
    await file.datasync();
    const progress: ProgressFile = { version: 1, run: identity, bytes, done, state };
    // The old one stands until the new one is whole.
    await writeFile(`${path}.new`, JSON.stringify(progress), { flush: true } as object);
    await rename(`${path}.new`, path);
    saved = Date.now();
  };
  // From the first byte on there is a file that says whose output this is.
  await save(start, false);
  const write = async (piece: Uint8Array, state: RunState) => {
    for (let at = 0; at < piece.length; )
      at += (await file.write(piece, at, piece.length - at, bytes + at)).bytesWritten;
    bytes += piece.length;
    if (Date.now() - saved >= checkpointMilliseconds) await save(state, false);
  };
  return {
    start,
    isDone: false,
    write: (piece, state) => write(piece, state).catch(unwritten),
    finish: (state) => save(state, true).catch(unwritten),
    close: () => file.close(),
  };
}

function readProgress(path: string): ProgressFile | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  try {
    const progress = JSON.parse(text) as ProgressFile;
    if (progress.version === 1) return progress;
  } catch {
    // Said below.
  }
  throw new UsageError(`${path} is no record of a run`, "delete it to begin anew");
}
