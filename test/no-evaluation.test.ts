/** The built run-time entries make no code of text, and no regular expression of model text. */
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { bundle } from "../scripts/bundle.ts";
import { listEntries, projectRoot } from "../scripts/entries.ts";

const runtime = listEntries().filter(({ runtime: isRuntime }) => isRuntime);
/** Every file that a run-time entry can load, dependencies such as the validator included. */
let files: { path: string; text: string; isOwn: boolean }[];

beforeAll(async () => {
  const [own, all] = await Promise.all([
    bundle(runtime, { minify: false, packages: false }),
    build({
      absWorkingDir: projectRoot,
      entryPoints: runtime.map(({ name, source }) => ({ in: source as string, out: name })),
      outdir: "dist",
      bundle: true,
      splitting: true,
      format: "esm",
      target: "es2022",
      platform: "neutral",
      external: frameworks,
      logLevel: "warning",
      write: false,
    }),
  ]);
  files = [
    ...own.map(({ path, text }) => ({ path, text, isOwn: true })),
    ...all.outputFiles.map(({ path, text }) => ({ path: path.slice(projectRoot.length), text, isOwn: false })),
  ];
}, 60_000);

/** What an adapter is used with is its own: the host has chosen it. */
const frameworks = ["@langchain/*", "@huggingface/*"];

/** Lines that hold a pattern, with the file. */
const linesWith = (pattern: RegExp, isOwn?: boolean) =>
  files
    .filter((file) => isOwn === undefined || file.isOwn === isOwn)
    .flatMap(({ path, text }) =>
      text
        .split("\n")
        .filter((line) => !/^\s*(\/\/|\*)/.test(line) && pattern.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );

test("the pattern of the check finds what it looks for", () => {
  for (const line of ["eval(x)", "new Function(x)", "Function('return 1')", "globalThis.eval(x)"]) {
    expect(evaluation.test(line), line).toBe(true);
  }
});

const evaluation = /\beval\s*\(|\bFunction\s*\(/;

test("no eval and no Function, in the library or in what it depends on", () => {
  expect(files.length).toBeGreaterThan(runtime.length);
  expect(linesWith(evaluation)).toEqual([]);
});

test("no timer runs a text, nothing is imported by a computed name", () => {
  expect(linesWith(/\bset(Timeout|Interval)\s*\(\s*["'`]|\bimport\s*\(\s*[^"')]/, true)).toEqual([]);
});

test("regular expressions are made of schemas and of fixed tables, nowhere else", () => {
  const made = linesWith(/\bRegExp\s*\(/, true).map((line) => /RegExp\((.*)\)/.exec(line)?.[1].replace(/\d+/, ""));
  expect([...new Set(made)].sort()).toEqual(allowed);
});

/** What each is made of is fixed when tools or formats are given, before there is any model text. */
const allowed = [
  // A class of characters of a compiled grammar.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source text, looked for as it stands
  '`[${body}]*`, "y"',
  // The literals of a compiled grammar, of headers and tools, or of the `marker` option.
  'literals.map(escapedLiteral).join("|"), "g"',
  // A `pattern` of a schema: the developer's.
  'pattern, "u"',
  'source, "u")',
  // A pattern of the sources that is made late; the test below looks at each.
  "source, flags",
];

test("a pattern that is made late is a literal", () => {
  const made =
    linesWith(/\blatePattern\b/, true)
      .join("\n")
      .match(/(?<!function )latePattern\(.*/g) ?? [];
  expect(made.length).toBeGreaterThan(10);
  expect(made.filter((call) => !/^latePattern\((["'])(?:(?!\1)[^\\]|\\.)*\1(?:, "[a-z]+")?\)/.test(call))).toEqual([]);
});

test("no module of Node, but in what is for Node alone: it loads its own files", () => {
  expect(
    linesWith(/\bfrom\s*["']node:|\bimport\s*["']node:/, true).map((line) => line.replace(/-.{8}\.js/, ".js")),
  ).toEqual(['node/chunks/engine.js: import { createRequire } from "node:module";']);
  const required = linesWith(/\brequire\s*\(\s*["'`]/, true).map((line) =>
    line.replace(/require\("\.\.\/deferred\/[\w/]+\.cjs"\)/g, ""),
  );
  // What ships has the YAML library inside.
  expect(required.filter((line) => /\brequire\s*\(/.test(line))).toEqual([
    'node/deferred/yaml.cjs: let yaml = require("yaml");',
  ]);
});
