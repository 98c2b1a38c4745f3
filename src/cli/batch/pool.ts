import { Worker } from "node:worker_threads";
import { blockCompressor, type Compression } from "../compression.ts";
import type { CliEngine } from "../engine.ts";
import { UsageError } from "../usage-error.ts";
import { type BatchSetup, type Block, BlockReader, type ReadBlock } from "./read-block.ts";

/** A block that was read, with its output as it goes to the file. */
export type FinishedBlock = ReadBlock;

/** Reads blocks: here, or in threads. */
export interface Pool {
  /** How many blocks keep it busy. */
  readonly width: number;
  read(block: Block): Promise<FinishedBlock>;
  close(): Promise<void>;
}

/** What a worker thread is started with. */
export interface WorkerOrder {
  toolpegBatch: { setup: BatchSetup; compression: Compression };
}

/** What a worker thread answers: blocks in the order in which they came. */
export type WorkerAnswer =
  | { finished: FinishedBlock }
  | { misuse: { message: string; help: string | undefined } }
  | { fault: string };

/** Reads in this thread. */
export async function localPool(engine: CliEngine, setup: BatchSetup, compression: Compression): Promise<Pool> {
  const finish = await finisher(engine, setup, compression);
  return { width: 1, read: async (block) => finish(block), close: async () => {} };
}

/** Reads a block and packs what comes out. */
export async function finisher(
  engine: CliEngine,
  setup: BatchSetup,
  compression: Compression,
): Promise<(block: Block) => FinishedBlock> {
  const reader = new BlockReader(engine, setup);
  const compress = await blockCompressor(compression);
  return (block) => {
    const read = reader.read(block);
    return read.bytes.length === 0 ? read : { ...read, bytes: compress(read.bytes) };
  };
}

/** Blocks that a thread has before it, so that it need not wait for the next. */
const aheadMax = 2;

interface Job {
  resolve(finished: FinishedBlock): void;
  reject(error: unknown): void;
}

/** Reads in threads, each of which runs `file`. */
export function threadPool(file: URL, jobs: number, setup: BatchSetup, compression: Compression): Pool {
  const workers = Array.from({ length: jobs }, () => new PoolWorker(file, { toolpegBatch: { setup, compression } }));
  return {
    width: jobs * aheadMax,
    read(block) {
      const [first, ...others] = workers;
      const idlest = others.reduce((best, one) => (one.jobs.length < best.jobs.length ? one : best), first);
      return idlest.read(block);
    },
    close: async () => {
      await Promise.all(workers.map((one) => one.close()));
    },
  };
}

class PoolWorker {
  readonly jobs: Job[] = [];
  readonly #worker: Worker;

  constructor(file: URL, order: WorkerOrder) {
    this.#worker = new Worker(file, { workerData: order });
    this.#worker.on("message", (answer: WorkerAnswer) => {
      const job = this.jobs.shift();
      if ("finished" in answer) job?.resolve(answer.finished);
      else if ("misuse" in answer) job?.reject(new UsageError(answer.misuse.message, answer.misuse.help));
      else job?.reject(new Error(answer.fault));
    });
    // Out of memory, or a fault of ours: what was asked of it would be waited for without end.
    this.#worker.on("error", (error) => this.#failAll(error));
    this.#worker.on("exit", () => this.#failAll(new Error("a worker thread ended before its work was done")));
  }

  read(block: Block): Promise<FinishedBlock> {
    return new Promise((resolve, reject) => {
      this.jobs.push({ resolve, reject });
      this.#worker.postMessage(block, [block.bytes.buffer as ArrayBuffer]);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #failAll(error: unknown): void {
    for (const job of this.jobs.splice(0)) job.reject(error);
  }
}
