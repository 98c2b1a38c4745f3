import { once } from "node:events";
import pc from "picocolors";

export type Colours = ReturnType<typeof pc.createColors>;

/** Everything a command may touch of the outside world, so that a test can stand in for it. */
export interface Terminal {
  stdin: AsyncIterable<Uint8Array | string> & { isTTY?: boolean };
  out(text: string): void;
  /** Resolves when what was written may be followed by more; absent: always. */
  drained?(): Promise<void>;
  /** The program as a worker thread runs it; absent: everything is done in one thread. */
  workerFile?: URL;
  /** For people only: notes, progress, errors. */
  err(text: string): void;
  /** Is somebody watching? Progress is drawn only then. */
  errIsTerminal: boolean;
  columns: number;
  colours: Colours;
  errColours: Colours;
}

/** The real terminal. Colours need one, and `NO_COLOR` or `--no-color` turns them off. */
export function processTerminal(argv: readonly string[], workerFile?: URL): Terminal {
  const wanted = (stream: NodeJS.WriteStream): boolean => {
    if (process.env.NO_COLOR || argv.includes("--no-color")) return false;
    if (process.env.FORCE_COLOR || argv.includes("--color")) return true;
    return stream.isTTY === true && process.env.TERM !== "dumb";
  };
  return {
    stdin: process.stdin,
    out: (text) => void process.stdout.write(text),
    async drained() {
      if (process.stdout.writableNeedDrain) await once(process.stdout, "drain");
    },
    ...(workerFile === undefined ? {} : { workerFile }),
    err: (text) => void process.stderr.write(text),
    errIsTerminal: process.stderr.isTTY === true,
    columns: process.stdout.columns ?? 100,
    colours: pc.createColors(wanted(process.stdout)),
    errColours: pc.createColors(wanted(process.stderr)),
  };
}

/** Until the command is asked to end. */
export function stopAsked(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}
