/** The doors between rooms open one way. Reads import lines, and names the file that goes through the wrong door. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../scripts/entries.ts";

interface Room {
  name: string;
  level: number | "build";
  holds(path: string): boolean;
  /** Names of the rooms it may import from, itself aside. */
  mayImport: readonly string[];
  /** May it use Node's own modules? The run-time path may not. */
  node?: boolean;
  /** Packages it may import. */
  packages?: readonly string[];
}

const under = (folder: string) => (path: string) => path.startsWith(`${folder}/`);
const file = (name: string) => (path: string) => path === name;
const runtimeRooms = [
  "runtime",
  "generated",
  "recovery",
  "normalise",
  "gate",
  "format",
  "formats",
  "streaming",
  "parse",
  "rendering",
  "define-format",
];
const doors = ["index", "core", "toolpeg"];
const tools = ["compiler", "cli", "testing", "views", "play"];
/** They have a clock and timers. */
const servers = ["proxy", "proxy-node"];

/** First match wins. `core` and `index` are doors: they import what they like below them. */
const rooms: readonly Room[] = [
  { name: "runtime", level: 0, holds: under("src/runtime"), mayImport: [] },
  {
    name: "generated",
    level: 1,
    holds: under("generated"),
    mayImport: ["runtime", "define-format", "steps", "bodies"],
  },
  { name: "recovery", level: 1, holds: under("src/recovery"), mayImport: ["runtime"] },
  // Readers of the languages that a call may hold. Only the module of such a format imports one, and its library.
  { name: "bodies", level: 2, holds: under("src/bodies"), mayImport: ["runtime", "normalise"], packages: ["yaml"] },
  { name: "normalise", level: 2, holds: under("src/normalise"), mayImport: ["runtime", "recovery"] },
  {
    name: "gate",
    level: 3,
    holds: under("src/gate"),
    mayImport: ["runtime", "normalise"],
  },
  // What a format can do, as a type: for the rooms that run formats.
  { name: "format", level: 3, holds: file("src/formats/format.ts"), mayImport: ["runtime", "gate"] },
  // A format as a value: all that a generated module needs. It can also write calls, and reads them back to be sure.
  {
    name: "define-format",
    level: 5,
    holds: file("src/formats/define-format.ts"),
    mayImport: ["runtime", "format", "rendering"],
  },
  { name: "formats", level: 5, holds: under("src/formats"), mayImport: ["runtime", "format", "generated"] },
  {
    name: "streaming",
    level: 4,
    holds: under("src/streaming"),
    mayImport: ["runtime", "generated", "recovery", "normalise", "gate", "format"],
  },
  {
    name: "parse",
    level: 4,
    holds: file("src/parse.ts"),
    mayImport: ["runtime", "streaming"],
  },
  {
    name: "rendering",
    level: 5,
    holds: under("src/rendering"),
    mayImport: ["runtime", "normalise", "gate", "format", "parse"],
  },
  {
    name: "export",
    level: 5,
    holds: under("src/export"),
    mayImport: ["runtime", "normalise", "gate", "format", "parse", "rendering"],
  },
  { name: "steps", level: 5, holds: file("src/steps.ts"), mayImport: ["streaming"] },
  { name: "recovery-door", level: 5, holds: file("src/recovery.ts"), mayImport: ["recovery", "streaming"] },
  { name: "core", level: 5, holds: file("src/core.ts"), mayImport: runtimeRooms },
  { name: "toolpeg", level: 5, holds: file("src/toolpeg.ts"), mayImport: [...runtimeRooms, "core"] },
  { name: "index", level: 5, holds: file("src/index.ts"), mayImport: [...runtimeRooms, "core", "toolpeg"] },
  // LangChain wants instances of its own classes; every other stack takes plain objects.
  {
    name: "langchain",
    level: 5,
    holds: (path) => path.startsWith("src/adapters/langchain"),
    mayImport: [...runtimeRooms, ...doors, "adapters"],
    packages: ["@langchain/core"],
  },
  { name: "adapters", level: 5, holds: under("src/adapters"), mayImport: [...runtimeRooms, ...doors] },
  // A server: the only part of the run time with a clock, timers and the web. Its server for Node is a file of its own.
  {
    name: "proxy-node",
    level: 6,
    holds: file("src/proxy/node.ts"),
    mayImport: ["proxy", "template"],
    node: true,
    packages: ["@hono/node-server"],
  },
  {
    name: "proxy",
    level: 6,
    holds: under("src/proxy"),
    mayImport: ["runtime", "index", "adapters", "export"],
    packages: ["hono", "eventsource-parser"],
  },
  {
    name: "compiler",
    level: "build",
    holds: under("src/compiler"),
    // It reads what it has compiled, to learn how calls are written.
    mayImport: ["runtime", "format", "define-format", "normalise", "bodies", "parse", "rendering", "steps"],
    node: true,
    packages: ["peggy", "ohm-js", "yaml"],
  },
  // It renders a model's own template, reads the text back, and writes grammars and corpora.
  {
    name: "template",
    level: "build",
    holds: under("src/template"),
    mayImport: [...runtimeRooms, ...doors, "compiler", "testing"],
    node: true,
    packages: ["@huggingface/jinja"],
  },
  {
    name: "testing",
    level: "build",
    holds: under("src/testing"),
    // The properties read formats, and measure the work of the drivers.
    mayImport: ["runtime", "compiler", "format", "gate", "streaming"],
    packages: ["vitest"],
  },
  {
    name: "cli",
    level: "build",
    holds: under("src/cli"),
    mayImport: [
      ...runtimeRooms,
      ...doors,
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
    holds: under("src/views"),
    mayImport: ["runtime", "streaming"],
    packages: ["preact"],
  },
  // A page that works from a file: nothing of Node.
  {
    name: "play",
    level: "build",
    holds: under("src/play"),
    mayImport: [
      "runtime",
      "streaming",
      "formats",
      "format",
      ...doors,
      "compiler",
      "export",
      "template",
      "testing",
      "views",
    ],
    packages: ["toolpeg-play", "preact", "@codemirror", "@lezer", "@prantlf/railroad-diagrams"],
  },
];

const importLine =
  /(?:^|\n)\s*(?:import|export)\s[^"';]*?from\s*"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|(?:^|\n)import\s+"([^"]+)"/g;

/** What a source imports: specifiers, in order. */
function importsOf(source: string): string[] {
  return [...source.matchAll(importLine)].map((found) => found[1] ?? found[2] ?? found[3]);
}

function roomOf(path: string): Room | undefined {
  return rooms.find((room) => room.holds(path));
}

/** What is wrong with the imports of one file, a sentence each. */
function offences(path: string, source: string): string[] {
  const room = roomOf(path);
  if (room === undefined) return [`${path} is in no room: give it one here, or move it`];
  const label = (one: Room) => `${one.name} (${one.level})`;
  return importsOf(source).flatMap((specifier) => {
    if (!specifier.startsWith(".")) {
      const allowed = specifier.startsWith("node:")
        ? room.node === true
        : (room.packages ?? []).some((name) => specifier === name || specifier.startsWith(`${name}/`));
      return allowed ? [] : [`${path}: ${label(room)} may not import ${specifier}`];
    }
    if (!/\.tsx?$/.test(specifier)) return [`${path}: write ${specifier} with its .ts ending`];
    const target = join(dirname(path), specifier).replaceAll("\\", "/");
    const other = roomOf(target);
    if (other === undefined) return [`${path}: ${specifier} leads out of every room`];
    const fits = other === room || room.mayImport.includes(other.name);
    return fits ? [] : [`${path}: ${label(room)} may not import ${label(other)}`];
  });
}

function sources(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(projectRoot, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}

describe("rooms", () => {
  const paths = [...sources("src"), ...sources("generated")];

  test("import only what stands below them", () => {
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.flatMap((path) => offences(path, readFileSync(join(projectRoot, path), "utf8")))).toEqual([]);
  });

  test("an offender is named", () => {
    const source =
      'import { a } from "../formats/registry.ts";\nexport type { B } from "../runtime/types.ts";\nimport "node:fs";';
    expect(offences("src/gate/check-call.ts", source)).toEqual([
      "src/gate/check-call.ts: gate (3) may not import formats (5)",
      "src/gate/check-call.ts: gate (3) may not import node:fs",
    ]);
    expect(offences("src/runtime/machine.ts", 'const late = import("../index.ts");')).toEqual([
      "src/runtime/machine.ts: runtime (0) may not import index (5)",
    ]);
    expect(offences("src/runtime/machine.ts", 'import { a } from "./a";')).toEqual([
      "src/runtime/machine.ts: write ./a with its .ts ending",
    ]);
  });

  test("below the compiler nothing makes code of text, reads a clock or prints", () => {
    const forbidden = /\beval\s*\(|\bnew Function\b|\bDate\.now\b|\bnew Date\b|\bprocess\.|\bconsole\.|\bsetTimeout\b/;
    const found = paths.flatMap((path) => {
      if ([...tools, ...servers].includes(roomOf(path)?.name ?? "")) return [];
      const code = readFileSync(join(projectRoot, path), "utf8").replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
      const hit = forbidden.exec(code);
      return hit ? [`${path}: ${hit[0]}`] : [];
    });
    expect(found).toEqual([]);
  });
});
