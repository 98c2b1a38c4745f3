import { spawnSync } from "node:child_process";

/** Runs a program to its end; throws with what it printed when it fails. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: { cwd?: string; input?: string } = {},
): string {
  const done = spawnSync(command, args, { encoding: "utf8", ...options });
  if (done.status === 0) return done.stdout;
  throw new Error(`${command} ${args.join(" ")} ended with ${done.status}\n${done.stdout}${done.stderr}`);
}
