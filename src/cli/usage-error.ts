import { type PolicyInput, resolvePolicy } from "../validation/policy.ts";
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

/**
 * Reads JSON that a user has given.
 *
 * @param source what it is called: a path, a flag
 * @throws UsageError for what is no JSON
 */
export function jsonFrom(text: string, source: string, help: string): unknown {
  try {
    // What editors put before it is a byte order mark, and white space to `trim`.
    return JSON.parse(text.trim());
  } catch (error) {
    throw new UsageError(`${source} is not JSON: ${(error as Error).message.replace(/\s+/g, " ")}`, help);
  }
}

/** What `--policy` holds: it is looked at here, since without tools nothing else would. */
export function policyFrom(text: string): unknown {
  const policy = jsonFrom(text, "--policy", `write --policy '{"calls": "first"}'`);
  orMisuse(() => resolvePolicy(policy as PolicyInput, "primary"));
  return policy;
}

/** Runs a call of the library that throws only when it is given something wrong. */
export function orMisuse<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Runs what writes a file or a folder that the command line names. */
export function orUnwritable<Result>(path: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${(error as Error).message}`);
  }
}
