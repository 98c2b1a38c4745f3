import type { Terminal } from "./terminal.ts";

/** The command was used wrongly: what is wrong, and what to do instead. Ends with {@link exitStatus.misuse}. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** Absent where the message itself says what to do, as the library's do. */
  readonly help: string | undefined;

  constructor(what: string, help?: string) {
    super(what);
    this.help = help;
  }
}

/** Writes one where people read it. */
export function printUsageError({ message, help }: UsageError, { err, errColours }: Terminal): void {
  err(`${errColours.red("toolpeg")}: ${message}\n`);
  if (help) err(`${errColours.cyan("help")}: ${help}\n`);
}

/** Runs a call of the library that throws only when it is given something wrong. */
export function orMisuse<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
