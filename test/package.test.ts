/** What a user installs: the built files, as the build makes them of the sources. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { type BuiltFile, bundledPackages, licensesOf } from "../scripts/bundle.ts";
import { loadCorpus } from "../scripts/corpora.ts";
import { type Entry, listEntries, projectRoot } from "../scripts/entries.ts";
import { bundleForPage } from "../scripts/page.ts";
import { parse, type ToolDefinition } from "../src/index.ts";
import { builtProject } from "./support/built.ts";

const manifest = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
const entries = listEntries();
const formatIds = entries.filter(({ name }) => name.startsWith("formats/")).map(({ name }) => name.slice(8));
let files: ReadonlyMap<string, BuiltFile>;

beforeAll(() => {
  files = new Map(builtProject().files.map((file) => [file.path, file]));
}, 60_000);

/** The files that an entry loads, itself among them. */
function loaded(entry: string): BuiltFile[] {
  const found = new Set<BuiltFile>();
  const work = [`${entry}.js`];
  for (let path = work.pop(); path !== undefined; path = work.pop()) {
    const file = files.get(path);
    if (file === undefined || found.has(file)) continue;
    found.add(file);
    work.push(...file.imports);
  }
  return [...found];
}

/** What `package.json` leads Node to. */
const nameInNode = (name: string) => `node/${name === "index-node" ? "index" : name}`;

/** Packages and Node modules that an entry pulls in, by itself or through chunks. */
function externals(entry: string): string[] {
  const imports = loaded(entry).flatMap((file) => file.imports);
  return [...new Set(imports)].filter((target) => !files.has(target)).sort();
}

describe("a run-time entry", () => {
  const runtime = entries
    .filter((entry) => entry.runtime)
    .flatMap(({ name }) => (name === "index" ? [name] : [name, nameInNode(name)]));

  test.each(runtime)("%s imports no package, and no module of Node that is not for Node alone", (name) => {
    // The proxy is a server.
    const allowed = name.endsWith("proxy") ? ["hono", "hono/body-limit", "eventsource-parser"] : [];
    // The one stack that needs instances of its own classes.
    const isPeer = (target: string) => name.endsWith("langchain") && target.startsWith("@langchain/core/");
    // By this one the files for Node load others.
    const own = name.startsWith("node/") ? ["node:module"] : [];
    expect(externals(name).filter((target) => !allowed.includes(target) && !isPeer(target))).toEqual(own);
  });

  test.each(runtime)("%s makes no code of text", (name) => {
    for (const { text } of loaded(name)) expect(text).not.toMatch(/\beval\s*\(|\bnew Function\b/);
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
  const code = targets.filter((target) => "default" in target);
  // Types of what others import have no code: what a build makes of a grammar.
  const typesOnly = targets.filter((target) => !("default" in target));
  expect(typesOnly).toEqual([{ types: "./dist/plugin/modules.d.ts" }]);
  const names = code.map((target) => (target as { default: string }).default.replace(/^\.\/dist\/|\.js$/g, ""));
  const isOpen = ({ name, internal }: Entry) => !internal && !name.startsWith("formats/") && name !== "cli";
  const fixed = entries.filter(isOpen).map((entry) => entry.name);
  expect(names.filter((name) => name !== "formats/*").sort()).toEqual(fixed.sort());
});

test("exports lead Node to what loads files when it needs them, and bundlers for Node to what holds all", () => {
  for (const [path, target] of Object.entries<{ node?: object; default?: string }>(manifest.exports)) {
    if (target.default === undefined) continue;
    const name = target.default.replace(/^\.\/dist\/|\.js$/g, "");
    const whole = path === "." ? "index-node" : name;
    expect(target.node).toEqual({ module: `./dist/${whole}.js`, default: `./dist/${nameInNode(name)}.js` });
    if (path !== "./formats/*") expect([...files.keys()]).toContain(`${nameInNode(name)}.js`);
  }
  for (const id of formatIds)
    expect(files.get(`node/formats/${id}.js`)?.text).toBe(files.get(`formats/${id}.js`)?.text);
});

test("a package that ships inside is no dependency, and its license is there", () => {
  const licenses = licensesOf(bundledPackages);
  for (const name of bundledPackages) {
    expect(Object.keys(manifest.dependencies)).not.toContain(name);
    expect(licenses).toContain(readFileSync(join(projectRoot, "node_modules", name, "LICENSE"), "utf8").trim());
  }
});

describe("what is loaded", () => {
  const bytes = (entry: string) => loaded(entry).reduce((sum, { text }) => sum + text.length, 0);
  /** Formats that the files hold, by how their modules name them. */
  const formatsIn = (entry: string) =>
    formatIds.filter((id) => loaded(entry).some(({ text }) => new RegExp(`\\bid: ?["'\`]${id}["'\`]`).test(text)));

  test("the root entry is four files: each costs a program that starts", () => {
    const names = loaded("index").map(({ path }) => path.replace(/-.{8}\.js$/, ""));
    expect(names.sort()).toEqual(["chunks/engine", "chunks/formats", "chunks/yaml", "index.js"]);
    expect(formatsIn("index")).toEqual(formatIds);
    expect(bytes("index")).toBeLessThan(1_444_000);
  });

  test("a program that is bundled for Node has recognisers as well, in one file", () => {
    const names = loaded("index-node").map(({ path }) => path.replace(/-.{8}\.js$/, ""));
    expect(names.sort()).toEqual(["chunks/engine", "chunks/formats", "chunks/yaml", "index-node.js"]);
    expect(files.get("index-node.js")?.text.length).toBeLessThan(426_000);
  });

  test("Node loads three files, and others when it needs them", () => {
    const names = loaded("node/index").map(({ path }) => path.replace(/-.{8}\.js$/, ""));
    expect(names.sort()).toEqual(["node/chunks/engine", "node/chunks/formats", "node/index.js"]);
    expect(formatsIn("node/index")).toEqual(formatIds);
    expect(bytes("node/index")).toBeLessThan(377_000);
    expect(bytes("node/core")).toBeLessThan(221_000);
    const chunk = loaded("node/core").find(({ path }) => path.includes("engine"))?.text ?? "";
    const named = [...chunk.matchAll(/require\("\.\.\/(deferred\/[^"]+)"\)/g)].map(([, path]) => `node/${path}`);
    const deferred = [...files.keys()].filter((path) => path.startsWith("node/deferred/"));
    expect(named.sort()).toEqual(deferred.sort());
    const large = deferred.filter(
      (path) => !path.includes("/recognisers/") && (files.get(path)?.text.length ?? 0) > 16_000,
    );
    expect(large.map((path) => path.slice("node/deferred/".length)).sort()).toEqual([
      "machine.cjs",
      "programs.cjs",
      "reader.cjs",
      "recovery.cjs",
      "rest.cjs",
      "validation.cjs",
      "yaml.cjs",
    ]);
  });

  test.each(["core", "ai-sdk", "langchain", "openai", "export"])("%s brings no format", (name) => {
    expect(formatsIn(name)).toEqual([]);
    expect(bytes(name)).toBeLessThan(698_000);
  });

  test("one format is its own data", () => {
    expect(formatsIn("formats/hermes")).toEqual(["hermes"]);
    expect(files.get("formats/hermes.js")?.text.length).toBeLessThan(3_800);
  });
});

describe("what a page loads with one format", () => {
  /** The files that entries load, as a user's bundler joins them. */
  async function page(...names: string[]): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), "toolpeg-page-"));
    try {
      writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", sideEffects: false }));
      for (const { path, text } of new Set(names.flatMap(loaded))) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      const { outputFiles } = await bundleForPage(names.map((name) => join(folder, `${name}.js`)));
      return outputFiles[0].text;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  test("yaml_xml and what is bundled of its library reads YAML as the whole library does", async () => {
    const text = await page("core", "formats/yaml_xml", "recovery");
    const { part0, part1, part2 } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    for (const { text, tools = [] } of loadCorpus("yaml_xml").cases) {
      const options = { tools: tools as ToolDefinition[], policy: { schema: "off" } } as const;
      const { telemetry, rejected, ...built } = part0.parse(text, {
        format: part1.default,
        recovery: part2.recovery,
        ...options,
      });
      const whole = parse(text, { format: "yaml_xml", ...options });
      expect(whole).toMatchObject(built);
      // Which other format was written, only what knows all of them says.
      expect(whole.rejected.filter(({ reason }) => reason !== "other-format")).toEqual(rejected);
    }
  });

  test.each([
    ["core", "formats/hermes", 121_500],
    ["core", "formats/qwen3_coder", 138_100],
    ["ai-sdk", "formats/hermes", 172_400],
  ])("%s and %s: no other format, and at most %i bytes with gzip", async (entry, format, bytesMax) => {
    const text = await page(entry, format);
    const held = formatIds.filter((id) => new RegExp(`\\bid: ?["'\`]${id}["'\`]`).test(text));
    expect(held).toEqual([format.slice("formats/".length)]);
    expect(gzipSync(text, { level: 9 }).length).toBeLessThan(bytesMax);
  });
});
