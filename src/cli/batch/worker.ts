import { parentPort, workerData } from "node:worker_threads";
import type { CliEngine } from "../engine.ts";
import { UsageError } from "../usage-error.ts";
import { finisher, type WorkerAnswer, type WorkerOrder } from "./pool.ts";
import type { Block } from "./read-block.ts";

/** Was this thread started to read blocks? */
export function isBatchWorker(): boolean {
  return parentPort !== null && (workerData as Partial<WorkerOrder> | null)?.toolpegBatch !== undefined;
}

/** The life of such a thread: blocks in, records out, until it is stopped. */
export async function runBatchWorker(engine: CliEngine): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error("this is no worker thread");
  const { setup, compression } = (workerData as WorkerOrder).toolpegBatch;
  const finish = await finisher(engine, setup, compression);
  port.on("message", (block: Block) => {
    try {
      const finished = finish(block);
      // A buffer of a pool of Node's cannot be handed over.
      if (finished.bytes.byteLength !== finished.bytes.buffer.byteLength) finished.bytes = finished.bytes.slice();
      if (!(finished.bytes.constructor === Uint8Array)) finished.bytes = new Uint8Array(finished.bytes);
      port.postMessage({ finished } satisfies WorkerAnswer, [finished.bytes.buffer as ArrayBuffer]);
    } catch (error) {
      port.postMessage(answerOf(error));
    }
  });
}

function answerOf(error: unknown): WorkerAnswer {
  if (error instanceof UsageError) return { misuse: { message: error.message, help: error.help } };
  return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
