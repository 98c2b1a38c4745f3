/** What a user installs: the built files, as esbuild makes them of the sources, without writing them. */
import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { build, type Metafile } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { bundleOptions } from "../scripts/bundle-options.ts";
import { listEntries, projectRoot } from "../scripts/entries.ts";

const manifest = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
const entries = listEntries().filter((entry) => entry.source !== undefined);
let metafile: Metafile;
let outputs: Map<string, string>;

beforeAll(async () => {
  const result = await build({ ...bundleOptions(entries), write: false, metafile: true });
  metafile = result.metafile as Metafile;
  outputs = new Map((result.outputFiles ?? []).map((file) => [file.path.slice(projectRoot.length), file.text]));
});

/** Packages and Node modules that an entry pulls in, by itself or through chunks. */
function externals(entry: string): string[] {
  const seen = new Set<string>();
  const found = new Set<string>();
  const work = [`dist/${entry}.js`];
  for (let path = work.pop(); path !== undefined; path = work.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const { path: target, external } of metafile.outputs[path].imports) {
      if (external) found.add(target);
      else work.push(target);
    }
  }
  return [...found].sort();
}

describe("a run-time entry", () => {
  const runtime = entries.filter((entry) => entry.runtime).map((entry) => entry.name);

  test.each(runtime)("%s imports no module of Node, and no package but what its formats need", (name) => {
    // The root brings every format; one format has YAML for a body. The proxy is a server.
    const yaml = name === "formats/yaml_xml" || name === "index" ? ["yaml"] : [];
    const allowed = name === "proxy" ? ["yaml", "hono", "hono/body-limit", "eventsource-parser"] : yaml;
    // The one stack that needs instances of its own classes.
    const isPeer = (target: string) => name === "langchain" && target.startsWith("@langchain/core/");
    expect(externals(name).filter((target) => !allowed.includes(target) && !isPeer(target))).toEqual([]);
  });

  test.each(runtime)("%s makes no code of text", (name) => {
    expect(outputs.get(`dist/${name}.js`)).not.toMatch(/\beval\s*\(|\bnew Function\b/);
  });
});

test("every package that a built file imports is declared", () => {
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  const packages = entries
    .flatMap((entry) => externals(entry.name))
    .filter((target) => !target.startsWith("node:") && !builtinModules.includes(target))
    .map((target) =>
      target
        .split("/")
        .slice(0, target.startsWith("@") ? 2 : 1)
        .join("/"),
    );
  expect([...new Set(packages)].filter((name) => !declared.includes(name))).toEqual([]);
});

test("exports name types first, and lead to the entries there are, to all of them and to no other", () => {
  const targets = Object.values(manifest.exports).filter((target) => typeof target === "object") as object[];
  for (const target of targets) expect(Object.keys(target)[0]).toBe("types");
  const names = targets.map((target) => (target as { default: string }).default.replace(/^\.\/dist\/|\.js$/g, ""));
  const fixed = entries.map((entry) => entry.name).filter((name) => !name.startsWith("formats/") && name !== "cli");
  expect(names.filter((name) => name !== "formats/*").sort()).toEqual(fixed.sort());
});
