import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isShipped, shippedRoot } from "./resolve-path.ts";

/** Where the grammars of the package lie, seen from a built file, from one of its chunks, and from this source. */
const places = ["../grammars/", "../../grammars/", "../../../grammars/"];

/**
 * The text of a grammar that ships with the package, by the path under which others name it:
 * `toolpeg/shared/json.peggy`. Undefined where there is none.
 */
export function loadShippedGrammar(path: string): string | undefined {
  const file = shippedGrammarFile(path);
  return file === undefined ? undefined : readFileSync(file, "utf8");
}

/** Where that grammar lies on the disk. */
export function shippedGrammarFile(path: string): string | undefined {
  if (!isShipped(path)) return undefined;
  const inside = path.slice(shippedRoot.length + 1);
  const found = places.map((place) => new URL(place + inside, import.meta.url)).find((file) => existsSync(file));
  return found === undefined ? undefined : fileURLToPath(found);
}

/** The paths of the families and the shared parts that ship with the package, as others name them. */
export function shippedGrammarPaths(): string[] {
  return ["family", "shared"].flatMap((folder) =>
    readdirSync(shippedFolder(folder))
      .filter((file) => file.endsWith(".peggy"))
      .map((file) => `${shippedRoot}/${folder}/${file}`),
  );
}

/** The path of a folder of the grammars of the package: `family`. */
export function shippedFolder(name: string): string {
  const found = places.map((place) => new URL(`${place}${name}/`, import.meta.url)).find((url) => existsSync(url));
  if (found === undefined) throw new Error(`the package has no folder grammars/${name}`);
  return fileURLToPath(found);
}
