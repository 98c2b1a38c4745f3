/** The package as a user gets it: built, packed and unpacked into a folder of its own, once for all tests of a file. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { transformSync } from "esbuild";
import { projectRoot } from "../../scripts/entries.ts";
import { builtProject } from "./built.ts";
import { runProgram } from "./run-program.ts";

export interface PackedPackage {
  /** A folder with node_modules/toolpeg, what it depends on, and the examples. */
  folder: string;
  /** Runs a program in the folder; throws with what it printed when it fails. */
  run(command: string, args: readonly string[], options?: { cwd?: string; input?: string }): string;
}

/** What the examples import besides the package. */
const alsoInstalled = [
  "ai",
  "@ai-sdk",
  "@opentelemetry",
  "@types",
  "undici-types",
  "openai",
  "@langchain",
  "zod",
  "@standard-schema",
  "@huggingface",
];

export function packProject(): PackedPackage {
  const folder = mkdtempSync(join(tmpdir(), "toolpeg-packed-"));
  const stage = join(folder, "stage");
  const manifest = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
  mkdirSync(stage);
  for (const path of ["package.json", ...manifest.files.filter((file: string) => !/^!|^dist$/.test(file))]) {
    cpSync(join(projectRoot, path), join(stage, path), { recursive: true });
  }
  cpSync(builtProject().folder, join(stage, "dist"), { recursive: true });
  const packed = runProgram("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], {
    cwd: stage,
  });
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  runProgram("tar", ["-xzf", join(folder, JSON.parse(packed)[0].filename), "-C", modules]);
  runProgram("mv", [join(modules, "package"), join(modules, "toolpeg")]);
  for (const name of [...Object.keys(manifest.dependencies), ...alsoInstalled]) {
    const target = join(projectRoot, "node_modules", name);
    if (!existsSync(target)) continue;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(target, join(modules, name));
  }
  const bin = join(modules, "toolpeg", manifest.bin.toolpeg);
  chmodSync(bin, 0o755);
  symlinkSync(bin, join(modules, ".bin", "toolpeg"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module", "private": true }');
  copyExamples(folder);
  return { folder, run: (command, args, options) => runProgram(command, args, { cwd: folder, ...options }) };
}

/** Examples in TypeScript lose their types, as Node 22 does when it runs one. */
function copyExamples(folder: string): void {
  const examples = join(folder, "examples");
  cpSync(join(projectRoot, "examples"), examples, { recursive: true });
  for (const file of readdirSync(examples).filter((name) => name.endsWith(".ts"))) {
    const { code } = transformSync(readFileSync(join(examples, file), "utf8"), { loader: "ts", target: "es2022" });
    writeFileSync(join(examples, file.replace(/\.ts$/, ".js")), code);
  }
}
