/** Files that are made from others and committed with them: which are stale, and how they are brought up to date. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { projectRoot } from "./entries.ts";

/** Whether the script only compares: `--check`. */
const onlyChecks = process.argv.includes("--check");

/** Names of the files of a folder that differ from what they should hold, and of those that should not be there. */
export function staleFiles(folder: string, fresh: ReadonlyMap<string, string>): string[] {
  const written = existsSync(folder) ? readdirSync(folder) : [];
  const stale = [...fresh].filter(
    ([name, text]) => !written.includes(name) || readFileSync(join(folder, name), "utf8") !== text,
  );
  return [...stale.map(([name]) => name), ...written.filter((name) => !fresh.has(name))];
}

/** Brings a folder up to date. @returns the names of the files that have changed */
export function writeFiles(folder: string, fresh: ReadonlyMap<string, string>): string[] {
  const stale = staleFiles(folder, fresh);
  mkdirSync(folder, { recursive: true });
  for (const name of stale) {
    const text = fresh.get(name);
    if (text === undefined) rmSync(join(folder, name));
    else writeFileSync(join(folder, name), text);
  }
  return stale;
}

/** The same for a script: says what it has written, or with `--check` what is stale, which is a failure. */
export function updateFolder(folder: string, fresh: ReadonlyMap<string, string>, command: string): void {
  const stale = onlyChecks ? staleFiles(folder, fresh) : writeFiles(folder, fresh);
  const shown = `${relative(projectRoot, folder)}/`;
  for (const name of stale) console.log(`${onlyChecks ? "stale" : "wrote"}: ${shown}${name}`);
  if (stale.length === 0) {
    if (!process.exitCode) console.log(`${shown} is fresh`);
  } else if (onlyChecks) failStale(shown, command);
}

/** Writes a part of a page between two lines that stay; with `--check` it only compares. */
export function updatePart(file: string, [begin, end]: readonly [string, string], part: string, command: string): void {
  const path = join(projectRoot, file);
  const page = readFileSync(path, "utf8");
  const from = page.indexOf(begin) + begin.length;
  const to = page.indexOf(end, from);
  if (from < begin.length || to < 0) throw new Error(`${file} needs the lines ${begin} and ${end}`);
  const fresh = `${page.slice(0, from)}\n${part}\n${page.slice(to)}`;
  if (fresh === page) return;
  if (onlyChecks) failStale(file, command);
  else writeFileSync(path, fresh);
}

function failStale(what: string, command: string): void {
  console.error(`${what} is stale; run: ${command}`);
  process.exitCode = 1;
}
