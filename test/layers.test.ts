/** Imports go down. Reads the import lines, and names the file that imports what is above it. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../scripts/entries.ts";
import { quotingTags } from "../src/contract/quoting-tags.ts";

interface Layer {
  name: string;
  /** What it may import stands at most this high. The tools of the build have no level. */
  level: number | "build";
  contains(path: string): boolean;
  /** Names of the layers it may import from, itself aside. */
  mayImport: readonly string[];
  /** May it use Node's own modules? The run-time path may not. */
  node?: boolean;
  /** Packages it may import. */
  packages?: readonly string[];
}

const under = (folder: string) => (path: string) => path.startsWith(`${folder}/`);
const file =
  (...names: string[]) =>
  (path: string) =>
    names.includes(path);
const runtimeLayers = [
  "contract",
  "machine",
  "generated",
  "json-repair",
  "values",
  "blocks",
  "validation",
  "format-data",
  "format",
  "formats",
  "output",
  "message",
  "parse",
  "rendering",
  "define-format",
];
const entryPoints = ["index", "core", "toolpeg", "public-types"];
const tools = ["compiler", "cli", "testing", "views", "play"];
/** They have a clock and timers. */
const servers = ["proxy", "proxy-node"];

const messageRooms = ["text", "readings", "doubts", "delivery", "around"];
const belowMessages = [
  "contract",
  "machine",
  "message-program",
  "values",
  "blocks",
  "validation",
  "format-data",
  "format",
  "output",
];

/** First match wins. `core` and `index` are entry points: they import what they like below them. */
const layers: readonly Layer[] = [
  { name: "contract", level: 0, contains: under("src/contract"), mayImport: [] },
  { name: "machine", level: 1, contains: under("src/machine"), mayImport: ["contract"] },
  // What a format is, as data.
  { name: "format-data", level: 1, contains: file("src/formats/format-data.ts"), mayImport: ["contract", "machine"] },
  // The program of the text around blocks.
  { name: "message-program", level: 2, contains: file("generated/message.ts"), mayImport: ["machine"] },
  // Functions that read blocks in the machine's place.
  {
    name: "recognisers",
    level: 2,
    contains: file("generated/recognisers.ts", "src/recogniser-of.ts"),
    mayImport: ["machine"],
  },
  { name: "json-repair", level: 2, contains: under("src/json-repair"), mayImport: ["contract", "machine"] },
  {
    name: "values",
    level: 3,
    contains: under("src/values"),
    mayImport: ["contract", "machine", "json-repair", "format-data"],
  },
  // Readers of the languages that a call may hold. Only the module of such a format imports one, and its library.
  {
    name: "bodies",
    level: 4,
    contains: under("src/blocks/bodies"),
    mayImport: ["contract", "values", "format-data"],
    packages: ["yaml"],
  },
  {
    name: "blocks",
    level: 4,
    contains: under("src/blocks"),
    mayImport: ["contract", "machine", "json-repair", "values", "format-data"],
  },
  {
    name: "validation",
    level: 4,
    contains: under("src/validation"),
    mayImport: ["contract", "values", "format-data"],
  },
  // What a format can do, as a type.
  {
    name: "format",
    level: 4,
    contains: file("src/formats/format.ts"),
    mayImport: ["contract", "format-data", "validation"],
  },
  { name: "output", level: 5, contains: under("src/output"), mayImport: ["contract", "validation"] },
  // The rooms of a message: each may import from those above it in this list.
  ...messageRooms.map((room, at): Layer => {
    const rooms = messageRooms.slice(0, at);
    const name = `message-${room}`;
    return {
      name,
      level: 6,
      contains: under(`src/message/${room}`),
      mayImport: [...belowMessages, ...rooms.map((one) => `message-${one}`)],
    };
  }),
  {
    name: "message",
    level: 6,
    contains: under("src/message"),
    mayImport: [...belowMessages, ...messageRooms.map((room) => `message-${room}`)],
  },
  {
    name: "parse",
    level: 7,
    contains: file("src/parse.ts", "src/explain.ts"),
    mayImport: ["contract", "machine", "format-data", "format", "output", "message"],
  },
  // A format as a value: all that a generated module needs. It can also write calls, and reads them back to be sure.
  {
    name: "define-format",
    level: 9,
    contains: file("src/formats/define-format.ts"),
    mayImport: ["machine", "format-data", "format", "rendering"],
  },
  {
    name: "generated",
    level: 9,
    contains: under("generated"),
    mayImport: ["define-format", "role-handlers", "bodies"],
  },
  {
    name: "formats",
    level: 9,
    contains: under("src/formats"),
    mayImport: ["contract", "format-data", "format", "generated"],
  },
  {
    name: "rendering",
    level: 8,
    contains: under("src/rendering"),
    mayImport: ["contract", "machine", "values", "validation", "format-data", "format", "parse"],
  },
  {
    name: "export",
    level: 9,
    contains: under("src/export"),
    mayImport: ["contract", "machine", "values", "validation", "format-data", "format", "parse", "rendering"],
  },
  { name: "role-handlers", level: 9, contains: file("src/role-handlers.ts"), mayImport: ["blocks", "rendering"] },
  {
    name: "recovery-entry",
    level: 9,
    contains: file("src/recovery.ts"),
    mayImport: ["json-repair", "blocks"],
  },
  { name: "public-types", level: 9, contains: file("src/public-types.ts"), mayImport: runtimeLayers },
  { name: "core", level: 9, contains: file("src/core.ts"), mayImport: [...runtimeLayers, "public-types"] },
  { name: "toolpeg", level: 9, contains: file("src/toolpeg.ts"), mayImport: [...runtimeLayers, "core"] },
  {
    name: "index",
    level: 9,
    contains: file("src/index.ts", "src/index-node.ts"),
    mayImport: [...runtimeLayers, "recognisers", "public-types", "core", "toolpeg"],
  },
  // LangChain takes instances of its own classes only; every other stack takes plain objects.
  {
    name: "langchain",
    level: 10,
    contains: (path) => path.startsWith("src/adapters/langchain"),
    mayImport: [...runtimeLayers, ...entryPoints, "adapters"],
    packages: ["@langchain/core"],
  },
  {
    name: "adapters",
    level: 10,
    contains: under("src/adapters"),
    mayImport: [...runtimeLayers, "message-text", "message-readings", ...entryPoints],
  },
  // A server: the only part of the run time with a clock, timers and the web. Its server for Node is a file of its own.
  {
    name: "proxy-node",
    level: 12,
    contains: file("src/proxy/node.ts"),
    mayImport: ["proxy", "template"],
    node: true,
    packages: ["@hono/node-server"],
  },
  {
    name: "proxy",
    level: 11,
    contains: under("src/proxy"),
    mayImport: ["contract", "machine", "index", "adapters", "export", "template"],
    packages: ["hono", "eventsource-parser"],
  },
  {
    name: "compiler",
    level: "build",
    contains: under("src/compiler"),
    // It reads what it has compiled, to learn how calls are written.
    mayImport: [
      "contract",
      "machine",
      "format-data",
      "format",
      "define-format",
      "values",
      "bodies",
      "parse",
      "rendering",
      "role-handlers",
    ],
    node: true,
    packages: ["peggy", "ohm-js", "yaml"],
  },
  // Grammars in the builds of other people.
  {
    name: "plugin",
    level: "build",
    contains: under("src/plugin"),
    mayImport: ["compiler"],
    node: true,
    // What it writes for a build imports the package by its name.
    packages: ["unplugin", "toolpeg/core"],
  },
  // It renders a model's own template, reads the text back, and writes grammars and corpora.
  {
    name: "template",
    level: "build",
    contains: under("src/template"),
    mayImport: [...runtimeLayers, ...entryPoints, "compiler", "testing"],
    node: true,
    packages: ["@huggingface/jinja"],
  },
  {
    name: "testing",
    level: "build",
    contains: under("src/testing"),
    // The properties read formats, and measure the work of the drivers.
    mayImport: [
      "contract",
      "machine",
      "compiler",
      "format-data",
      "format",
      "validation",
      "blocks",
      "message",
      "output",
      "rendering",
    ],
    packages: ["vitest"],
  },
  {
    name: "cli",
    level: "build",
    contains: under("src/cli"),
    mayImport: [
      ...runtimeLayers,
      ...entryPoints,
      "adapters",
      "proxy",
      "proxy-node",
      "compiler",
      "export",
      "template",
      "testing",
      "views",
    ],
    node: true,
    packages: [
      "commander",
      "picocolors",
      "yaml",
      "ohm-js",
      "fzstd",
      "@hpcc-js/wasm-zstd",
      "preact",
      "preact-render-to-string",
    ],
  },
  // What is found, as elements of a page: for the playground, and for the pages that the command writes.
  {
    name: "views",
    level: "build",
    contains: under("src/views"),
    mayImport: ["parse", "contract", "machine", "blocks", "message", "output"],
    packages: ["preact"],
  },
  // A page that works from a file: nothing of Node.
  {
    name: "play",
    level: "build",
    contains: under("src/play"),
    mayImport: [
      "parse",
      "contract",
      "machine",
      "blocks",
      "message",
      "output",
      "formats",
      "format-data",
      "format",
      ...entryPoints,
      "compiler",
      "export",
      "template",
      "testing",
      "views",
    ],
    packages: ["toolpeg-play", "preact", "@codemirror", "@lezer", "@prantlf/railroad-diagrams"],
  },
];

/** Types that name each other: a reader holds what it hands itself to. */
const nameEachOther = [
  ["src/blocks/sound-call.ts", "src/blocks/state.ts"],
  ["src/blocks/recovery-types.ts", "src/blocks/state.ts"],
];

const importLine =
  /(?:^|\n)\s*(?:import|export)\s[^"';]*?from\s*"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|(?:^|\n)import\s+"([^"]+)"/g;

/** What a source imports: specifiers, in order. */
function importsOf(source: string): string[] {
  return [...source.matchAll(importLine)].map((found) => found[1] ?? found[2] ?? found[3]);
}

function layerOf(path: string): Layer | undefined {
  return layers.find((layer) => layer.contains(path));
}

/** What is wrong with the imports of one file, a sentence each. */
function offences(path: string, source: string): string[] {
  const layer = layerOf(path);
  if (layer === undefined) return [`${path} is in no layer: give it one here, or move it`];
  const label = (one: Layer) => `${one.name} (${one.level})`;
  return importsOf(source).flatMap((specifier) => {
    if (!specifier.startsWith(".")) {
      const allowed = specifier.startsWith("node:")
        ? layer.node === true
        : (layer.packages ?? []).some((name) => specifier === name || specifier.startsWith(`${name}/`));
      return allowed ? [] : [`${path}: ${label(layer)} may not import ${specifier}`];
    }
    if (!/\.tsx?$/.test(specifier)) return [`${path}: write ${specifier} with its .ts ending`];
    const target = join(dirname(path), specifier).replaceAll("\\", "/");
    const other = layerOf(target);
    if (other === undefined) return [`${path}: ${specifier} leads out of every layer`];
    const isBelow = layer.level === "build" || other.level === "build" || other.level <= layer.level;
    const fits = other === layer || (isBelow && layer.mayImport.includes(other.name));
    return fits ? [] : [`${path}: ${label(layer)} may not import ${label(other)}`];
  });
}

function sources(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(projectRoot, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}

describe("layers", () => {
  const paths = [...sources("src"), ...sources("generated")];

  test("import only what stands below them", () => {
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.flatMap((path) => offences(path, readFileSync(join(projectRoot, path), "utf8")))).toEqual([]);
  });

  test("no file imports itself by way of others", () => {
    const imported = new Map(
      paths.map((path) => [
        path,
        importsOf(readFileSync(join(projectRoot, path), "utf8"))
          .filter((specifier) => specifier.startsWith("."))
          .map((specifier) => join(dirname(path), specifier).replaceAll("\\", "/"))
          .filter((target) => !nameEachOther.some(([from, to]) => from === path && to === target)),
      ]),
    );
    const done = new Set<string>();
    function circleFrom(path: string, way: readonly string[]): readonly string[] {
      if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
      if (done.has(path)) return [];
      for (const target of imported.get(path) ?? []) {
        const circle = circleFrom(target, [...way, path]);
        if (circle.length > 0) return circle;
      }
      done.add(path);
      return [];
    }
    expect(paths.map((path) => circleFrom(path, [])).find((circle) => circle.length > 0)).toBeUndefined();
  });

  test("an offender is named", () => {
    const source =
      'import { a } from "../formats/registry.ts";\nexport type { B } from "../contract/types.ts";\nimport "node:fs";';
    expect(offences("src/validation/check-call.ts", source)).toEqual([
      "src/validation/check-call.ts: validation (4) may not import formats (9)",
      "src/validation/check-call.ts: validation (4) may not import node:fs",
    ]);
    expect(offences("src/machine/machine.ts", 'const late = import("../index.ts");')).toEqual([
      "src/machine/machine.ts: machine (1) may not import index (9)",
    ]);
    expect(offences("src/machine/machine.ts", 'import { a } from "./a";')).toEqual([
      "src/machine/machine.ts: write ./a with its .ts ending",
    ]);
  });

  test("below the compiler nothing makes code of text, reads a clock or prints", () => {
    const forbidden = /\beval\s*\(|\bnew Function\b|\bDate\.now\b|\bnew Date\b|\bprocess\.|\bconsole\.|\bsetTimeout\b/;
    const found = paths.flatMap((path) => {
      if ([...tools, ...servers].includes(layerOf(path)?.name ?? "")) return [];
      const code = readFileSync(join(projectRoot, path), "utf8").replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
      const hit = forbidden.exec(code);
      return hit ? [`${path}: ${hit[0]}`] : [];
    });
    expect(found).toEqual([]);
  });
});

test("the quoting tags of formats that own their message are those of all others", () => {
  const grammar = readFileSync(join(projectRoot, "grammars/shared/fences-and-thoughts.peggy"), "utf8");
  const rule = grammar.match(/^quotingTag = (.*)$/m)?.[1] ?? "";
  const tags = [...rule.matchAll(/"(\w+)"i/g)].map(([, name]) => [`<${name}>`, `</${name}>`]);
  const marks = [...grammar.matchAll(/"(<[^"]+)" (\w+)\* \("\1" \2\*\)\S+ "([^"]+)"/g)];
  const pairs = [...tags, ...marks.map(([, open, , close]) => [open, close])];
  expect(pairs.sort()).toEqual([...quotingTags].map((pair) => [...pair]).sort());
});
