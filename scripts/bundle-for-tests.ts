/**
 * The sources as Vitest gets them: bundled once for each state of the project. One by one, each call from one module to
 * another would go through an object, which took a third of the time of all tests, and each worker would compile all modules.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { hashOf } from "./built.ts";
import { projectRoot } from "./entries.ts";

/** Packages are found from here, and the grammars of this checkout: what `node_modules` leads to may be another's. */
const cache = join(projectRoot, ".cache");
/** Another run may still read from one. */
const keptMilliseconds = 3_600_000;

/** They stay sources: to import a program is to run it, and the playground needs what its build adds. */
const isLeftOut = (path: string) => path === "src/cli/index.ts" || path.startsWith("src/play/");

const sources = ["src", "generated"].flatMap((folder) =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".d.ts") && !isLeftOut(path))
    .sort(),
);

/** Layers that stay apart: who does not ask for them does not load them, nor the packages that they need. */
const apart = ["adapters", "cli", "compiler", "plugin", "proxy", "template", "testing", "views"];

const withRecognisers = ["src/index-node.ts", "src/recogniser-of.ts", "generated/recognisers.ts"];

function chunkOf(id: string): string | null {
  const path = relative(projectRoot, id).replaceAll("\\", "/");
  if (!sources.includes(path)) return null;
  // To load these changes how whole texts are read.
  if (withRecognisers.includes(path)) return "index-node";
  const [, folder] = path.split("/");
  return apart.includes(folder) ? folder : "engine";
}

/**
 * Bundles the sources, or finds them bundled.
 *
 * @returns by its path, the file that exports what a source does
 */
export async function bundleForTests(): Promise<ReadonlyMap<string, string>> {
  const paths = sources.map((path) => join(projectRoot, path));
  const folder = join(cache, hashOf([fileURLToPath(import.meta.url), ...paths]));
  if (!existsSync(folder)) {
    forgetOld();
    await bundleInto(folder);
  }
  return new Map(sources.map((path) => [join(projectRoot, path), join(folder, `${stemOf(path)}.mjs`)]));
}

const stemOf = (path: string) => path.replace(/\.tsx?$/, "").replaceAll("/", "--");

async function bundleInto(folder: string): Promise<void> {
  const build = await rolldown({
    cwd: projectRoot,
    input: Object.fromEntries(sources.map((path) => [stemOf(path), path])),
    platform: "node",
    preserveEntrySignatures: "allow-extension",
    logLevel: "warn",
    external: (id) => !/^[./]|^[A-Z]:\\/.test(id),
  });
  // Two runs may begin at once: a bundle is there as a whole, or not at all.
  const unfinished = mkdtempSync(join(cache, "unfinished-"));
  await build.write({
    dir: unfinished,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "chunk-[name].mjs",
    codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunkOf, debugName: "layers" }] },
  });
  await build.close();
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
}

function forgetOld(): void {
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (Date.now() - statSync(path).mtimeMs > keptMilliseconds) rmSync(path, { recursive: true, force: true });
  }
}
