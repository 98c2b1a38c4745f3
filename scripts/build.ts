/**
 * Builds dist/: one module per entry with what they share in chunks, and declarations beside them. Types are not
 * checked here (`npm run typecheck` does), so `npm ci` never fails on one.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { buildPlay } from "./build-play.ts";
import { noteBuild, stateOfSources } from "./built.ts";
import { bundle, bundledPackages, licensesOf } from "./bundle.ts";
import { listEntries, projectRoot } from "./entries.ts";

/** Another folder may be named, for tests that build beside the others' work. */
const dist = resolve(process.argv[2] ?? join(projectRoot, "dist"));
const entries = listEntries();

const state = stateOfSources();

rmSync(dist, { recursive: true, force: true });
const files = await bundle(entries, { folder: dist });
declarations();
writeFileSync(join(dist, "licenses.txt"), licensesOf(bundledPackages));
writeFileSync(join(dist, "play.html"), await buildPlay());
noteBuild(dist, state, files);
console.log(`build: ${entries.length} entries in ${relative(projectRoot, dist)}/`);

/**
 * tsc writes one declaration per source, in the folders of the sources; each entry gets a small file that leads there,
 * so that `exports` does not depend on how the sources are laid out.
 */
function declarations(): void {
  const tsc = join(projectRoot, "node_modules", ".bin", "tsc");
  const run = spawnSync(tsc, ["-p", "tsconfig.build.json", "--outDir", join(dist, "types")], {
    cwd: projectRoot,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  const types = join(dist, "types");
  if (!existsSync(types)) {
    console.error(`build: tsc wrote no declarations\n${run.stdout ?? ""}${run.stderr ?? ""}`);
    process.exit(1);
  }
  if (run.status !== 0)
    console.warn(`build: tsc had remarks (npm run typecheck shows all)\n${run.stdout.slice(0, 2000)}`);
  for (const file of readdirSync(types, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".d.ts")) continue;
    const path = join(types, file);
    writeFileSync(path, readFileSync(path, "utf8").replace(/(["'])(\.\.?\/[^"'\n]*)\.ts\1/g, "$1$2.js$1"));
  }
  // A declaration file is none that tsc writes. It names no file of the package, so it goes where its export leads.
  mkdirSync(join(dist, "plugin"), { recursive: true });
  copyFileSync(join(projectRoot, "src/plugin/modules.d.ts"), join(dist, "plugin/modules.d.ts"));
  for (const { name, source, internal } of entries) {
    if (internal) continue;
    const stub = join(dist, `${name}.d.ts`);
    const target = join(types, source.replace(/\.ts$/, ".js"));
    const path = relative(dirname(stub), target).replaceAll("\\", "/");
    mkdirSync(dirname(stub), { recursive: true });
    writeFileSync(stub, `export * from "${path.startsWith(".") ? path : `./${path}`}";\n`);
  }
}
