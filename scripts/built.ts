/** What a build was made of: nothing is built again from the same sources for the tests that look at what ships. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BuiltFile } from "./bundle.ts";
import { projectRoot } from "./entries.ts";

interface BuildNote {
  /** Of all that a build is made of. */
  readonly state: string;
  /** What was bundled, and what each file imports. */
  readonly files: readonly Pick<BuiltFile, "path" | "imports">[];
}

/** In the folder that was built; `files` of package.json leaves it out. */
const noteName = ".built.json";

export function noteBuild(folder: string, state: string, files: readonly BuiltFile[]): void {
  const note: BuildNote = { state, files: files.map(({ path, imports }) => ({ path, imports })) };
  writeFileSync(join(folder, noteName), JSON.stringify(note));
}

/** The bundled files of a folder; `undefined` where it was not built of the project as it stands. */
export function readBuilt(folder: string, state: string): BuiltFile[] | undefined {
  const path = join(folder, noteName);
  if (!existsSync(path)) return undefined;
  const note: BuildNote = JSON.parse(readFileSync(path, "utf8"));
  if (note.state !== state) return undefined;
  return note.files.map((file) => ({ ...file, text: readFileSync(join(folder, file.path), "utf8") }));
}

const sourceFolders = ["src", "generated", "grammars", "scripts"];
const otherSources = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"];

/** Of the project as it stands, so far as a build is made of it. */
export function stateOfSources(): string {
  const paths = sourceFolders.flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return hashOf([...paths.sort(), ...otherSources.map((name) => join(projectRoot, name))]);
}

/** Of the names and the texts of files. */
export function hashOf(paths: readonly string[]): string {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(`${path.slice(projectRoot.length)}\0`).update(readFileSync(path));
  return hash.digest("hex").slice(0, 16);
}
