/**
 * What Node loads when it is first needed. A program that starts reads all of the code that it imports, and sound messages
 * need less than half of it. So in what ships for Node, modules behind a gate stand in files of their own, and the gate loads
 * its file when one of its functions is called, or one of its classes made. What such a file shares with the start is handed to
 * it: no module is there twice.
 */
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Plugin as EsbuildPlugin } from "esbuild";
import type { ModuleType, Plugin, RolldownOptions } from "rolldown";
import { parseAst } from "rolldown/parseAst";
import { type Entry, projectRoot } from "./entries.ts";

/** Recognisers are a file for each format, but for short ones: to find and load a file takes longer than to read all of those. */
const recogniserGate = "src/recogniser-of.ts";
const recogniserFolder = "recognisers";
const shortRecogniserMax = 1_400;

/** By the file that holds it and what only it needs, the modules that many programs never call, or not at once. */
const gates: Readonly<Record<string, readonly string[]>> = {
  // Calls that the plain check of a schema says nothing of.
  validation: [
    "src/validation/check-envelope.ts",
    "src/validation/json-walk.ts",
    "src/validation/schema/check-run.ts",
    "src/validation/schema/compile-schema.ts",
  ],
  // Blocks that no recogniser reads.
  machine: ["src/machine/machine.ts", "src/machine/program.ts"],
  // Streams, and all that is not whole and sound.
  reader: [
    "generated/message.ts",
    "src/blocks/blocks.ts",
    "src/blocks/boundary-pieces.ts",
    "src/blocks/candidates.ts",
    "src/blocks/capture-log.ts",
    "src/blocks/misspelt-boundary.ts",
    "src/blocks/parameter-keys.ts",
    "src/blocks/repeated-parameters.ts",
    "src/blocks/typed-parameter.ts",
    "src/blocks/misspelt-boundary-words.ts",
    "src/blocks/parameter-debris.ts",
    "src/blocks/parameter-ends.ts",
    "src/blocks/refused-block.ts",
    "src/blocks/text-around.ts",
    "src/message/text/fence-lines.ts",
    "src/machine/json-scanner.ts",
    "src/message/doubts/loose-parameters.ts",
    "src/message/doubts/rest-of-call.ts",
    "src/message/message.ts",
    "src/message/text/open-code.ts",
    "src/message/around/unknown-calls.ts",
    "src/output/wrap-streams.ts",
    "src/values/arguments-reader.ts",
    "src/values/candidate.ts",
    "src/values/payload-reader.ts",
  ],
  // Damaged payloads.
  recovery: [
    "src/blocks/read-python.ts",
    "src/blocks/read-recovered.ts",
    "src/blocks/recovery-steps.ts",
    "src/json-repair/open-string.ts",
    "src/json-repair/escaped-document.ts",
    "src/json-repair/index.ts",
  ],
  // What is asked for by name, or by few schemas and formats.
  rest: [
    "src/contract/suggest.ts",
    "src/explain.ts",
    "src/formats/model-name.ts",
    "src/rendering/correction.ts",
    "src/rendering/instruction.ts",
    "src/rendering/render-calls.ts",
    "src/validation/coerce-arguments.ts",
    "src/validation/fallback-conditions.ts",
    "src/validation/standard-check.ts",
    "src/values/markup.ts",
    "src/values/python-literal.ts",
  ],
  yaml: ["src/blocks/bodies/yaml.ts"],
  [recogniserFolder]: [recogniserGate],
};

/** Entries that a program imports to read messages. */
const startingEntries = ["index-node", "core", "role-handlers"];

/** A constant has no identity, and is written wherever it is used: an enumeration, a number, a text, a pattern without a state. */
type Kind = "function" | "class" | "constant" | "value";

interface Module {
  /** By the path of a module, the names that are imported from it; "*": all. */
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
  /** What it exports, types aside. */
  readonly exports: ReadonlyMap<string, Kind>;
  /** How its constants are declared. */
  readonly constants: ReadonlyMap<string, string>;
}

/** Which file each module is in. */
export class DeferralPlan {
  readonly #modules = new Map<string, Module>();
  /** Modules that a program which starts reads. */
  readonly #starting: ReadonlySet<string>;
  /** By its path, the file that a module is deferred to. */
  readonly #files = new Map<string, string>();
  /** By the path of a module, what is imported from it by modules that are not in its file, by the files of those. */
  readonly #asked = new Map<string, Map<string | undefined, Set<string>>>();
  /** Ids of formats with a recogniser. */
  readonly recognised: readonly string[];
  /** Those with one that is read at the start. */
  #short: readonly string[] = [];

  constructor(entries: readonly Entry[]) {
    const starting = entries.filter(({ name }) => startingEntries.includes(name)).map(({ source }) => source);
    const allGates = Object.values(gates).flat();
    this.#starting = this.#reached(starting, (path) => allGates.includes(path));
    for (const [file, paths] of Object.entries(gates)) {
      const stops = (path: string) =>
        this.#starting.has(path) || this.#files.has(path) || (allGates.includes(path) && !paths.includes(path));
      for (const path of this.#reached(paths, stops)) this.#files.set(path, file);
    }
    const all = entries.map(({ source }) => source);
    for (const path of this.#reached([...all, ...allGates], () => false)) this.#ask(path);
    for (const path of all) if (this.fileOf(path) !== undefined) this.#askFor(path, new Set(["*"]));
    const { exports } = this.#module("generated/recognisers.ts");
    this.recognised = [...exports.keys()].filter((name) => name !== "recognisers");
  }

  #ask(from: string): void {
    for (const [path, names] of this.#module(from).imports)
      if (this.fileOf(path) !== this.fileOf(from)) this.#askFor(path, names, from);
  }

  /** `from`: undefined: the module is an entry itself. */
  #askFor(path: string, names: ReadonlySet<string>, from?: string): void {
    const { exports } = this.#module(path);
    const wanted = [...(names.has("*") ? exports.keys() : names)].filter((name) => exports.has(name));
    if ((from === undefined || this.#starting.has(from)) && wanted.some((name) => this.kindOf(path, name) === "value"))
      throw new Error(
        `${from} imports ${wanted} of ${path}, and a gate has nothing but functions, classes and constants`,
      );
    let asked = this.#asked.get(path);
    if (asked === undefined) this.#asked.set(path, (asked = new Map()));
    const file = from && this.fileOf(from);
    asked.set(file, new Set([...(asked.get(file) ?? []), ...wanted]));
  }

  #reached(from: readonly string[], stops: (path: string) => boolean): Set<string> {
    const found = new Set<string>();
    const work = [...from];
    for (let path = work.pop(); path !== undefined; path = work.pop()) {
      if (found.has(path)) continue;
      found.add(path);
      work.push(...[...this.#module(path).imports.keys()].filter((one) => !stops(one)));
    }
    return found;
  }

  #module(path: string): Module {
    let module = this.#modules.get(path);
    if (module === undefined) this.#modules.set(path, (module = readModule(path, (other) => this.#module(other))));
    return module;
  }

  kindOf(path: string, name: string): Kind | undefined {
    return this.#module(path).exports.get(name);
  }

  /** The file that a module is deferred to; undefined: none. */
  fileOf(path: string): string | undefined {
    return this.#files.get(path);
  }

  /** The names of the files, without their ending; recognisers aside. */
  get files(): readonly string[] {
    return Object.keys(gates).filter((file) => file !== recogniserFolder);
  }

  /** Says how long the recognisers are, as they ship. */
  measureRecognisers(texts: ReadonlyMap<string, string>): void {
    this.#short = this.recognised.filter((id) => (texts.get(id) ?? "").length <= shortRecogniserMax);
  }

  get short(): readonly string[] {
    return this.#short;
  }

  /** Those with one in a file of its own. */
  get long(): readonly string[] {
    return this.recognised.filter((id) => !this.#short.includes(id));
  }

  /**
   * Whether a module gets a gate for one that is deferred. Otherwise it loads the file at once: an entry that a program need not
   * import may ask for values, and say what a class extends.
   */
  getsGate(from: string | undefined, path: string): boolean {
    if (from === undefined || this.#starting.has(from)) return true;
    const names = this.#module(from).imports.get(path);
    return names !== undefined && this.canWait(path, [...names]);
  }

  /** Whether nothing of some names has to be there before it is called. */
  canWait(path: string, names: readonly string[]): boolean {
    return names.every((name) => ["function", "constant"].includes(this.kindOf(path, name) as Kind));
  }

  /** What is asked for of a module by others that are not in its file. */
  askedOf(path: string): string[] {
    const names = [...(this.#asked.get(path)?.values() ?? [])].flatMap((some) => [...some]);
    return [...new Set(names)].sort();
  }

  /** The same by the modules of one file. */
  askedBy(file: string, path: string): string[] {
    return [...(this.#asked.get(path)?.get(file) ?? [])].sort();
  }

  /** Modules of a file that others ask for something; undefined: those that are not deferred, which deferred ones ask. */
  askedIn(file: string | undefined): string[] {
    return [...this.#asked.keys()].filter((path) => this.fileOf(path) === file).sort();
  }

  /** Modules of one file that another file asks for something. */
  get crossings(): string[] {
    const isCrossing = ([path, asked]: [string, Map<string | undefined, unknown>]) =>
      this.fileOf(path) !== undefined && [...asked.keys()].some((file) => file !== undefined);
    return [...this.#asked].filter(isCrossing).map(([path]) => path);
  }

  /** How a constant is declared. */
  declarationOf(path: string, name: string): string | undefined {
    return this.#module(path).constants.get(name);
  }
}

/** What of the syntax tree says how modules meet. */
interface Declared {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly id: { readonly name: string };
  readonly declarations: readonly { id: { name: string }; init: Initial | null }[];
}
interface Initial {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly regex?: { readonly flags: string };
}
interface Specifier {
  readonly type: string;
  readonly importKind?: string;
  readonly exportKind?: string;
  readonly imported: { readonly name: string };
  readonly local: { readonly name: string };
  readonly exported: { readonly name: string };
}
interface Statement {
  readonly type: string;
  readonly importKind?: string;
  readonly exportKind?: string;
  readonly source?: { readonly value: string } | null;
  readonly specifiers?: readonly Specifier[];
  readonly declaration?: Declared | null;
}

function readModule(path: string, other: (path: string) => Module): Module {
  const text = readFileSync(join(projectRoot, path), "utf8");
  const imports = new Map<string, Set<string>>();
  const exports = new Map<string, Kind>();
  const constants = new Map<string, string>();
  /** Of what is no source the path is undefined. */
  const pathOfSource = (source: string) =>
    source.startsWith(".") ? join(dirname(path), source).replaceAll("\\", "/") : undefined;
  const add = (source: string, names: readonly string[]) => {
    const target = pathOfSource(source);
    if (target !== undefined) imports.set(target, new Set([...(imports.get(target) ?? []), ...names]));
  };
  const passOn = (source: string, name: string): Kind => {
    const target = pathOfSource(source);
    return target === undefined ? "value" : (other(target).exports.get(name) ?? "value");
  };
  const declare = (declared: Declared) => {
    const { type, id, start, end, declarations } = declared;
    if (type === "FunctionDeclaration") exports.set(id.name, "function");
    else if (type === "ClassDeclaration") exports.set(id.name, "class");
    else if (type === "TSEnumDeclaration") {
      exports.set(id.name, "constant");
      constants.set(id.name, `export ${text.slice(start, end)}`);
    } else if (type === "VariableDeclaration") {
      for (const { id, init } of declarations) {
        const isConstant = init?.type === "Literal" && !/[gy]/.test(init.regex?.flags ?? "");
        if (isConstant) constants.set(id.name, `export const ${id.name} = ${text.slice(init.start, init.end)};`);
        const isFunction = init?.type === "ArrowFunctionExpression";
        exports.set(id.name, isConstant ? "constant" : isFunction ? "function" : "value");
      }
    }
  };
  const { body } = parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" });
  for (const statement of body as unknown as readonly Statement[]) {
    const { type, importKind, exportKind, source, declaration } = statement;
    if (importKind === "type" || exportKind === "type") continue;
    const isValue = (one: Specifier) => one.importKind !== "type" && one.exportKind !== "type";
    const specifiers = (statement.specifiers ?? []).filter(isValue);
    if (type === "ImportDeclaration" && source) {
      const nameOf = ({ type, imported }: Specifier) => (type === "ImportSpecifier" ? imported.name : "*");
      if (specifiers.length > 0) add(source.value, specifiers.map(nameOf));
    } else if (type === "ExportAllDeclaration" && source) {
      add(source.value, ["*"]);
    } else if (source) {
      if (specifiers.length > 0)
        add(
          source.value,
          specifiers.map(({ local }) => local.name),
        );
      for (const { local, exported } of specifiers) exports.set(exported.name, passOn(source.value, local.name));
    } else if (declaration) {
      declare(declaration);
    } else {
      for (const { exported } of specifiers) exports.set(exported.name, "value");
    }
  }
  for (const [, source] of text.matchAll(/\bimport\("(\.[^"]+)"\)/g)) add(source, ["*"]);
  // As it ships, its program is packed.
  if (path === "generated/message.ts") add("../src/machine/unpack-program.ts", ["unpackProgram"]);
  return { imports, exports, constants };
}

const pathOf = (id: string) => relative(projectRoot, id).replaceAll("\\", "/");
const idOf = (path: string) => JSON.stringify(join(projectRoot, path));

/** The source that a source imports; undefined: it is none. */
function importedPath(id: string, importer: string | undefined): string | undefined {
  if (!id.startsWith(".") || importer === undefined || importer.startsWith("\0")) return undefined;
  const path = pathOf(join(dirname(importer), id));
  return /^(?:src|generated)\//.test(path) ? path : undefined;
}

/** With it begins the id of what stands in the place of a module. */
export const gateId = "\0gate:";
/** The one that formats alone need. */
export const recogniserGateId = `${gateId}${recogniserGate}`;
const loadedId = "\0loaded:";
/** Gives the programs of formats. */
export const programsId = "\0programs";
export const programsFile = "programs";
const loaderId = "\0loader";

/** Puts gates in the place of modules that are deferred. */
export function deferring(plan: DeferralPlan): Plugin {
  return {
    name: "deferring",
    resolveId: {
      order: "pre",
      handler(id, importer) {
        if (id === loaderId || id === programsId) return { id, moduleSideEffects: false };
        const path = importer === undefined ? id : importedPath(id, importer);
        if (path === undefined || plan.fileOf(path) === undefined) return null;
        const before = plan.getsGate(importer && pathOf(importer), path) ? gateId : loadedId;
        return { id: `${before}${path}`, moduleSideEffects: false };
      },
    },
    load(id) {
      if (id === loaderId) return loaderText(plan);
      if (id === recogniserGateId) return recogniserText(plan);
      if (id === programsId) return programsText;
      if (id.startsWith(gateId)) {
        const path = id.slice(gateId.length);
        return {
          code: `${importLoader}${gateText(plan, path, plan.askedOf(path), moduleIn(plan, path))}`,
          moduleType: "ts",
        };
      }
      if (id.startsWith(loadedId)) return loadedText(plan, id.slice(loadedId.length));
      return null;
    },
  };
}

const importLoader = `import { load } from ${JSON.stringify(loaderId)};\n`;
const moduleIn = (plan: DeferralPlan, path: string) =>
  `load(${JSON.stringify(plan.fileOf(path))})[${JSON.stringify(path)}]`;

const programsText = `import { open } from ${JSON.stringify(loaderId)};
let programs;
export function programOf(id) {
  return (programs ??= open(${JSON.stringify(programsFile)}))[id]();
}
`;

/** Each name loads the file when it is first called, and is what it stands for then. Cycles of modules find it declared. */
function gateText(plan: DeferralPlan, path: string, asked: readonly string[], module: string): string {
  const kinds = asked.map((name) => [name, plan.kindOf(path, name)]);
  const callable = kinds.filter(([, kind]) => kind === "function" || kind === "class");
  const gate = ([name, kind]: (typeof kinds)[number]) =>
    `export function ${name}(...given) { open(); return ${kind === "class" ? "new " : ""}${name}(...given); }\n`;
  const names = callable.map(([name]) => name).join(", ");
  const constants = asked.flatMap((name) => plan.declarationOf(path, name) ?? []);
  return `function open() { ({ ${names} } = ${module}); }\n${callable.map(gate).join("")}${constants.join("\n")}\n`;
}

function recogniserText({ short, long }: DeferralPlan): string {
  const names = short.join(", ");
  return `${importLoader}import { ${names} } from ${idOf("generated/recognisers.ts")};
const known = { ${names} };
const ids = ${JSON.stringify(long)};
export function recogniserOf(id) {
  if (Object.hasOwn(known, id)) return known[id];
  return ids.includes(id) ? load(\`${recogniserFolder}/\${id}\`) : undefined;
}
`;
}

function loadedText(plan: DeferralPlan, path: string): string {
  return `${importLoader}export const { ${plan.askedOf(path).join(", ")} } = ${moduleIn(plan, path)};\n`;
}

/** Loads a file, and hands it what it asks for. */
function loaderText(plan: DeferralPlan): string {
  const imports: string[] = [];
  const handed: string[] = [];
  let count = 0;
  for (const path of plan.askedIn(undefined)) {
    const names = plan.askedOf(path).filter((name) => plan.kindOf(path, name) !== "constant");
    if (names.length === 0) continue;
    const own = names.map((name) => [name, `given${count++}`]);
    imports.push(`import { ${own.map((pair) => pair.join(" as ")).join(", ")} } from ${idOf(path)};\n`);
    handed.push(`${JSON.stringify(path)}: () => ({ ${own.map((pair) => pair.join(": ")).join(", ")} }),\n`);
  }
  for (const path of plan.crossings) handed.push(`${JSON.stringify(path)}: () => ${moduleIn(plan, path)},\n`);
  return `import { createRequire } from "node:module";
${imports.join("")}
const handed = {
${handed.join("")}};
const required = ${fileTable};
let ownRequire;
const own = (file) => {
  ownRequire ??= createRequire(new URL("${folder}/", import.meta.url));
  return ownRequire(\`./\${file}.cjs\`);
};
export function open(file) {
  // That of a program (\`node -e\`, the REPL) looks beside the program.
  const isOfProgram = globalThis.require !== undefined;
  try {
    return isOfProgram ? own(file) : required(file);
  } catch (error) {
    if (isOfProgram) return required(file);
    if (error instanceof ReferenceError) return own(file);
    throw error;
  }
}
const loaded = {};
export function load(file) {
  return (loaded[file] ??= open(file)((path) => handed[path]()));
}
`;
}

/** Where the files are, seen from a chunk. As an URL, since those who copy what a server needs look for these. */
const folder = "../deferred";

/** Stands for the function that requires each file by its name: as it is written, a bundler would follow it here already. */
const fileTable = "toolpegDeferredFiles";

/**
 * Writes that function into built code. A bundler that takes what is for Node knows each `require`, and takes the files along. For Node
 * there is no such function in a module, so another is made there.
 */
export function withFileTable(code: string, plan: DeferralPlan): string {
  const files = [...plan.files, programsFile, ...plan.long.map((id) => `${recogniserFolder}/${id}`)];
  const cases = files.map((file) => `case "${file}": return require("${folder}/${file}.cjs");`);
  return code.replace(fileTable, () => `function (file) { switch (file) { ${cases.join(" ")} } }`);
}

const entryId = "\0deferred";
const handedId = "\0handed:";

/** What is built for a file. */
export function deferredInput(plan: DeferralPlan, file: string): RolldownOptions & { plugins: Plugin } {
  const handedText = (path: string): { code: string; moduleType: ModuleType } => {
    const names = plan.askedBy(file, path);
    const module = `hand(${JSON.stringify(path)})`;
    // Of what is in another file, functions can wait.
    if (plan.fileOf(path) !== undefined && plan.canWait(path, names))
      return { code: gateText(plan, path, names, module), moduleType: "ts" };
    const constants = names.flatMap((name) => plan.declarationOf(path, name) ?? []);
    const handed = names.filter((name) => plan.declarationOf(path, name) === undefined);
    const taken = handed.length === 0 ? "" : `export const { ${handed.join(", ")} } = ${module};\n`;
    return { code: `${taken}${constants.join("\n")}\n`, moduleType: "ts" };
  };
  const plugin: Plugin = {
    name: "deferred",
    resolveId: {
      order: "pre",
      handler(id, importer) {
        if (id === entryId) return id;
        const path = importedPath(id, importer);
        return path === undefined || plan.fileOf(path) === file ? null : `${handedId}${path}`;
      },
    },
    load(id) {
      if (id === entryId) return entryText(plan, file);
      return id.startsWith(handedId) ? handedText(id.slice(handedId.length)) : null;
    },
  };
  return { input: { deferred: entryId }, plugins: plugin };
}

/** What is built for each recogniser, by the id of its format. */
export const recogniserEntries: EsbuildPlugin = {
  name: "recogniser-entries",
  setup(build) {
    build.onResolve({ filter: /^\w+$/ }, ({ path, kind }) =>
      kind === "entry-point" ? { path, namespace: "recogniser" } : undefined,
    );
    build.onLoad({ filter: /^/, namespace: "recogniser" }, ({ path }) => ({
      contents: `export { ${path} as modules } from ${idOf("generated/recognisers.ts")};`,
      resolveDir: projectRoot,
    }));
  },
};

/** All modules of a file that others ask for something. */
function entryText(plan: DeferralPlan, file: string): string {
  const asked = plan.askedIn(file);
  const imports = asked.map((path, at) => `import * as module${at} from ${idOf(path)};\n`);
  const fields = asked.map((path, at) => {
    const names = plan.askedOf(path).map((name) => `${name}: module${at}.${name}`);
    return `${JSON.stringify(path)}: { ${names.join(", ")} },\n`;
  });
  return `${imports.join("")}export const modules = {\n${fields.join("")}};\n`;
}

/** Code as a function of what is handed to it. In brackets, since V8 then reads what is in it once and not twice. */
export const asLoadable = (code: string) =>
  `module.exports = (function (hand, exports = {}) {${code}\nreturn exports.modules;\n});\n`;

/** Texts as the functions of a file. V8 looks through these, where it would make each of the texts at once, as of a file of JSON. */
export function textsAsLoadable(texts: Readonly<Record<string, string>>): string {
  const escaped = (text: string) =>
    JSON.stringify(text).replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const members = Object.entries(texts).map(([name, text]) => `${name}: function () { return ${escaped(text)}; },\n`);
  return `module.exports = {\n${members.join("")}};\n`;
}
