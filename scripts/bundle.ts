/**
 * What dist/ holds, made of the sources. The root entry is what most programs import, so it is few files: a program that
 * starts pays for each. All code that needs no format is one chunk, all formats with the root are another; what
 * `toolpeg/formats/*` holds is one module of data each, as `toolpeg compile` writes it.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build as esbuild, transform } from "esbuild";
import {
  type ChunkingContext,
  type CodeSplittingGroup,
  type OutputOptions,
  type Plugin,
  type RolldownOutput,
  rolldown,
} from "rolldown";
import { packProgram } from "../src/compiler/emit/pack-program.ts";
import type { Format } from "../src/formats/format.ts";
import type { Program, RuleCode } from "../src/machine/program.ts";
import {
  asLoadable,
  DeferralPlan,
  deferredInput,
  deferring,
  gateId,
  programsFile,
  programsId,
  recogniserEntries,
  recogniserGateId,
  textsAsLoadable,
  withFileTable,
} from "./deferred.ts";
import { type Entry, listEntries, projectRoot } from "./entries.ts";

/** Used by one format alone, and slow to import from its many files: it ships inside, with its license. */
export const bundledPackages = ["yaml"];

/** A file of dist/. */
export interface BuiltFile {
  /** Under dist/: `index.js`, `chunks/engine-....js`. */
  readonly path: string;
  readonly text: string;
  /** Other files of dist/ by their paths, packages and modules of Node by their names. */
  readonly imports: readonly string[];
}

export interface BundleOptions {
  /** Written there; absent: nothing is written. */
  readonly folder?: string;
  /** With a source map beside each file. Default: true. */
  readonly minify?: boolean;
  /** Puts the packages inside that ship there. Default: true. */
  readonly packages?: boolean;
}

/** Bundles entries; formats that are among them are made of the other entries' files. */
export async function bundle(entries: readonly Entry[], options: BundleOptions = {}): Promise<BuiltFile[]> {
  const isThin = ({ name }: Entry) => name.startsWith("formats/");
  const isForNode = ({ name }: Entry) => name === "cli";
  const whole = entries.filter((entry) => !isThin(entry));
  const hasNode = whole.some(({ name }) => name === "index-node");
  const files = [
    ...(await bundleTogether(hasNode ? whole.filter((entry) => !isForNode(entry)) : whole, options)),
    ...(hasNode
      ? await bundleForNode(
          whole.filter(({ name }) => name !== "index"),
          options,
        )
      : []),
    ...(await bundleApart(entries.filter(isThin), options, hasNode ? ["", "node/"] : [""])),
  ];
  await compactRecognisers(files, options);
  return files;
}

/** The same entries for Node: what they do not need at once is loaded when they need it. The command is for Node alone. */
async function bundleForNode(entries: readonly Entry[], options: BundleOptions): Promise<BuiltFile[]> {
  const plan = new DeferralPlan(entries);
  const recognisers = await bundleRecognisers(plan, options);
  plan.measureRecognisers(recognisers);
  const nameOf = ({ name }: Entry) => (name === "cli" ? name : `node/${name === "index-node" ? "index" : name}`);
  const programs: Record<string, string> = {};
  const build = await rolldown({
    ...shared,
    input: Object.fromEntries(entries.map((entry) => [nameOf(entry), entry.source])),
    external: isExternalWith(options),
    plugins: [deferring(plan), packPrograms(programs), yamlReader],
  });
  const output = {
    ...outputOf(options),
    chunkFileNames: "node/chunks/[name]-[hash].js",
    codeSplitting: { groups: chunks(entries, { root: "index-node", withoutFormats: ["core", "role-handlers"] }) },
  } satisfies OutputOptions;
  const built = filesOf(options.folder === undefined ? await build.generate(output) : await build.write(output));
  const files = built.map((file) => ({ ...file, text: withFileTable(file.text, plan) }));
  for (const [at, { path, text }] of files.entries()) if (text !== built[at].text) write(options.folder, path, text);
  for (const file of plan.files) files.push(await bundleDeferred(plan, file, options));
  const packed = { path: `${deferredFolder}${programsFile}.cjs`, text: textsAsLoadable(programs), imports: [] };
  write(options.folder, packed.path, packed.text);
  files.push(packed);
  for (const id of plan.long) {
    const file = { path: `${deferredFolder}recognisers/${id}.cjs`, text: recognisers.get(id) as string, imports: [] };
    write(options.folder, file.path, file.text);
    files.push(file);
  }
  return files;
}

async function bundleDeferred(plan: DeferralPlan, file: string, options: BundleOptions): Promise<BuiltFile> {
  const { plugins, ...input } = deferredInput(plan, file);
  const build = await rolldown({
    ...shared,
    ...input,
    external: isExternalWith(options),
    plugins: [plugins, packPrograms(), yamlReader],
  });
  const { output } = await build.generate({ ...outputOf(options), format: "cjs", esModule: false });
  const [{ code, map }] = output;
  const path = `${deferredFolder}${file}.cjs`;
  const text = asLoadable(code);
  write(options.folder, path, map === null ? text : `${text}//# sourceMappingURL=${basename(path)}.map\n`);
  if (map !== null) write(options.folder, `${path}.map`, map.toString());
  return { path, text, imports: [] };
}

const deferredFolder = "node/deferred/";

/** By the format, a recogniser as one file with all that it needs: what some have in common stands in each of them. */
async function bundleRecognisers(plan: DeferralPlan, { minify = true }: BundleOptions): Promise<Map<string, string>> {
  const { outputFiles } = await esbuild({
    entryPoints: plan.recognised.map((id) => ({ in: id, out: id })),
    bundle: true,
    write: false,
    outdir: "recognisers",
    format: "esm",
    platform: "neutral",
    minify,
    plugins: [recogniserEntries],
  });
  return new Map(
    outputFiles.map(({ path, text }) => [
      basename(path, ".js"),
      asLoadable(text.replace(/export ?\{\s*(\w+) as modules\s*\};?\s*$/, "exports.modules = $1;")),
    ]),
  );
}

/** Without a folder nothing is written. */
function write(folder: string | undefined, path: string, text: string): void {
  if (folder === undefined) return;
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

/** Functions that a compiler has written, and that throw nothing: their lines say nothing, and are half of them. */
async function compactRecognisers(files: BuiltFile[], { folder, minify = true }: BundleOptions): Promise<void> {
  const at = files.findIndex(({ path }) => path === "index-node.js");
  if (at < 0 || !minify) return;
  const { path, text, imports } = files[at];
  const { code } = await transform(text, { minify: true, format: "esm" });
  files[at] = { path, text: code, imports };
  write(folder, path, code);
  if (folder !== undefined) rmSync(join(folder, `${path}.map`), { force: true });
}

async function bundleTogether(entries: readonly Entry[], options: BundleOptions): Promise<BuiltFile[]> {
  if (entries.length === 0) return [];
  const build = await rolldown({
    ...shared,
    input: Object.fromEntries(entries.map(({ name, source }) => [name, source])),
    external: isExternalWith(options),
    plugins: [packPrograms(), yamlReader],
  });
  const output = {
    ...outputOf(options),
    codeSplitting: { groups: chunks(entries, { root: "index", withoutFormats }) },
  } satisfies OutputOptions;
  return filesOf(options.folder === undefined ? await build.generate(output) : await build.write(output));
}

const shared = {
  cwd: projectRoot,
  platform: "neutral",
  logLevel: "warn",
  // The names of modules are in the source maps.
  experimental: { attachDebugInfo: "none" },
} as const;

const outputOf = ({ folder, minify = true }: BundleOptions) =>
  ({
    dir: folder ?? "dist",
    format: "esm",
    // Lines stay: an error that nothing catches prints the one that it comes from.
    minify: minify && { compress: true, mangle: true, codegen: { removeWhitespace: false } },
    // A bundler of users drops by these what they do not use.
    comments: { legal: false, annotation: true, jsdoc: false },
    sourcemap: minify,
    // Node reads a file of plain ASCII faster, and keeps it in half the memory.
    charset: "ascii",
    chunkFileNames: "chunks/[name]-[hash].js",
  }) satisfies OutputOptions;

const isExternalWith =
  ({ packages = true }: BundleOptions) =>
  (id: string) =>
    isPackage(id) && !id.startsWith("\0") && !(packages && bundledPackages.includes(id));

const isPackage = (id: string) => !/^[./]|^[A-Z]:\\/.test(id);

/** Entries that need no format: what they are made of stays apart from the formats. */
const withoutFormats = ["core", "role-handlers", "recovery"];
/** Of these it is what the root entry needs as well. */
const besideFormats = ["openai", "ai-sdk", "langchain", "export"];

type Graph = Pick<ChunkingContext, "getModuleInfo">;

/** The chunks that are not left to the bundler, with what each holds: the first that a module fits. */
function chunks(
  entries: readonly Entry[],
  { root: rootName, withoutFormats }: { root: string; withoutFormats: readonly string[] },
): CodeSplittingGroup[] {
  const allNames = entries.map(({ name }) => name);
  const reached = (names: readonly string[], graph: Graph) => {
    const found = new Set<string>();
    const work = entries.flatMap(({ name, source }) => (names.includes(name) ? [join(projectRoot, source)] : []));
    for (let id = work.pop(); id !== undefined; id = work.pop()) {
      if (found.has(id)) continue;
      found.add(id);
      work.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
    }
    return found;
  };
  const chunk = (name: string, priority: number, members: (graph: Graph) => Set<string>): CodeSplittingGroup => {
    let found: Set<string> | undefined;
    const holds = (id: string, graph: Graph) => (found ??= members(graph)).has(id);
    return { debugName: name, name: (id, graph) => (holds(id, graph) ? name : null), priority };
  };
  const engine = (graph: Graph) => {
    const root = reached([rootName], graph);
    const beside = [...reached(besideFormats, graph)].filter((id) => root.has(id));
    const gates = [...reached(allNames, graph)].filter((id) => id.startsWith(gateId) && id !== recogniserGateId);
    return new Set([...reached(withoutFormats, graph), ...beside, ...gates]);
  };
  return [
    chunk("engine", 3, engine),
    chunk("yaml", 2, (graph) => reached(["bodies/yaml"], graph)),
    chunk("formats", 1, (graph) => reached([rootName], graph)),
  ];
}

function filesOf({ output }: RolldownOutput): BuiltFile[] {
  return output.flatMap((file) =>
    file.type === "chunk"
      ? [{ path: file.fileName, text: file.code, imports: [...file.imports, ...file.dynamicImports] }]
      : [],
  );
}

/** Programs are lists of numbers in generated/, for people to compare, and one text each in what ships. */
/** @param apart takes the programs of formats by their ids: they are loaded when they are asked for */
const packPrograms = (apart?: Record<string, string>): Plugin => ({
  name: "pack-programs",
  load: {
    filter: { id: /[\\/]generated[\\/](?!recognisers\.ts)[^\\/]+\.ts$/ },
    handler: async (id) => {
      if (basename(id) === "all.ts") return listOfMakers(id);
      const text = made(await packedModule(id));
      return apart === undefined ? text : withoutProgram(text, apart);
    },
  },
});

/** The module of a format without its program. */
function withoutProgram(text: string, apart: Record<string, string>): string {
  let id: string | undefined;
  const rest = text.replace(/^ {2}program: (".*"),$/m, (_, program) => {
    id = /^ {2}id: "(.*)",$/m.exec(text)?.[1];
    if (id === undefined) throw new Error(`a format has no id: ${text.slice(0, 80)}`);
    apart[id] = JSON.parse(program);
    return `  program: () => programOf(${JSON.stringify(id)}),`;
  });
  return id === undefined ? text : `import { programOf } from ${JSON.stringify(programsId)};\n${rest}`;
}

/**
 * A module whose format is made when it is asked for: a program that starts has no use for most. It is no arrow function,
 * since V8 parses those of a module in full while it loads.
 */
const made = (text: string) =>
  text
    .replace(/^export const (\w+) = (defineFormat\([\s\S]*?^\}\);)$/m, "export function $1() {\n  return $2\n}")
    .replace(/^export default .*/m, "");

const listOfMakers = (path: string) => readFileSync(path, "utf8").replace(/: \(\) => (\w+),$/gm, ": $1,");

const formatProgram = /^ {2}program: \{\n[\s\S]*?^ {2}\},$/m;
/** What `defineFormat` adds: most formats say one of these or another. */
const usual =
  /^ {2}(?:mode: "primary"|keys: \{"name":\["name"\],"arguments":\["arguments"\],"id":\[\]\}|(?:aliases|models|stop|reasoning|flags): \[\]),\n/gm;
const bareProgram = /^(export const \w+) = \(\): Program => \(\{\n[\s\S]*?^\}\);$/m;

/** Of `yaml` it is the reader alone that is used. What writes stays away: it is a fifth of what every start would read. */
const yamlReader: Plugin = {
  name: "yaml-reader",
  load: {
    filter: { id: /[\\/]yaml[\\/](?:browser[\\/])?dist[\\/](?:stringify[\\/]\w+|visit)\.js$/ },
    handler: (id) => {
      const names = /^export \{ (.*) \};$/m.exec(readFileSync(id, "utf8"))?.[1];
      if (names === undefined) throw new Error(`${basename(id)} of yaml exports nothing: is it the same library?`);
      return names
        .split(", ")
        .map((name) => `export function ${name}() { throw new Error("yaml is bundled without ${name}"); }`)
        .join("\n");
    },
  },
};

const packedModules = new Map<string, Promise<string>>();

/** The text of a generated module, its program packed. */
export function packedModule(path: string): Promise<string> {
  let packed = packedModules.get(path);
  if (packed === undefined) packedModules.set(path, (packed = pack(path)));
  return packed;
}

async function pack(path: string): Promise<string> {
  const text = readFileSync(path, "utf8");
  const [value] = Object.values(await import(pathToFileURL(path).href)) as (Format | (() => Program))[];
  const isFormat = typeof value === "object";
  const packed = JSON.stringify(packProgram(isFormat ? value.program : withoutNames(value())));
  const found = isFormat ? formatProgram : bareProgram;
  if (!found.test(text)) throw new Error(`${basename(path)} has no program where one is expected`);
  if (isFormat) return text.replace(found, () => `  program: ${packed},`).replace(usual, "");
  const unpack = 'import { unpackProgram } from "../src/machine/unpack-program.ts";\n';
  return unpack + text.replace(found, (_, name) => `${name} = () => unpackProgram(${packed});`);
}

/** Explanations name rules of formats; nothing asks for those of the message. */
const withoutNames = (program: Program): Program => ({
  ...program,
  code: program.code.map(([, ...numbers]): RuleCode => ["", ...numbers]),
});

const definition = "src/formats/define-format.ts";

/** Formats as modules of data, which import the rest from the entries that users' own formats import from. */
async function bundleApart(
  formats: readonly Entry[],
  { folder }: BundleOptions,
  places: readonly string[],
): Promise<BuiltFile[]> {
  const entryOf = new Map(listEntries().map(({ name, source }) => [source, name]));
  const files: BuiltFile[] = [];
  for (const { name, source } of formats) {
    const imports: string[] = [];
    const packed = (await packedModule(join(projectRoot, source))).replace(
      /(from ")\.\.\/(src\/[^"]+)(";)/g,
      (_, before, from, after) => {
        const entry = from === definition ? "core" : entryOf.get(from);
        if (entry === undefined) throw new Error(`${source} imports ${from}, which is no entry`);
        imports.push(`${entry}.js`);
        return `${before}../${entry}.js${after}`;
      },
    );
    const { code } = await transform(packed, { loader: "ts", format: "esm", target: "es2022", charset: "utf8" });
    for (const place of places) {
      files.push({ path: `${place}${name}.js`, text: code, imports: imports.map((path) => `${place}${path}`) });
      write(folder, `${place}${name}.js`, code);
    }
  }
  return files;
}

/** The licenses of the packages that ship inside. */
export function licensesOf(packages: readonly string[]): string {
  const parts = packages.map((name) => {
    const folder = join(projectRoot, "node_modules", name);
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return `${name} ${version}\n\n${readFileSync(join(folder, "LICENSE"), "utf8").trim()}\n`;
  });
  return `These packages ship inside toolpeg.\n\n${parts.join("\n")}`;
}
