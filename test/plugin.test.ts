/** `import format from "./my.peggy"` in builds of Vite, Rollup, Rolldown and esbuild. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as esbuildPackage from "esbuild";
import { type RolldownOutput, rolldown as runRolldown } from "rolldown";
import { type RollupOutput, rollup as runRollup } from "rollup";
import { type Format, parse } from "toolpeg";
import { esbuild, rolldown, rollup, vite } from "toolpeg/plugin";
import { build as runVite } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectRoot } from "../scripts/entries.ts";

const grammar = `// Bells
//
// format:  bells
// extends: toolpeg/family/json-in-tags
//
// example:
//   @call {"name": "ring", "arguments": {}} @end

import { OPEN_MARK } from "./marks.peggy"

OPEN  = OPEN_MARK
CLOSE = "@end"
`;
const bell = { name: "ring", parameters: { type: "object", properties: {} } };

let folder = "";
let entry = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toolpeg-plugin-"));
  mkdirSync(join(folder, "grammars"));
  entry = join(folder, "main.js");
  writeFileSync(join(folder, "grammars/bells.peggy"), grammar);
  writeFileSync(join(folder, "grammars/marks.peggy"), 'OPEN_MARK = "@call"\n');
  writeFileSync(entry, 'import format from "./grammars/bells.peggy";\nexport { format };\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A run-time module of the package stays outside of the bundle: each bundler has its own way to say so. */
const external = (id: string) => id.startsWith("toolpeg/");
const textOf = ({ output }: RollupOutput | RolldownOutput) => output[0].code;

/** How each bundler builds a module, to text. */
const builds: Readonly<Record<string, (input: string) => Promise<string>>> = {
  async Vite(input) {
    const made = await runVite({
      root: folder,
      logLevel: "silent",
      configFile: false,
      plugins: [vite()],
      build: { write: false, minify: false, lib: { entry: input, formats: ["es"] }, rolldownOptions: { external } },
    });
    return textOf([made].flat()[0] as RolldownOutput);
  },
  async Rollup(input) {
    const build = await runRollup({ input, external, plugins: [rollup()], onwarn() {} });
    return textOf(await build.generate({ format: "es" }));
  },
  async Rolldown(input) {
    const build = await runRolldown({ input, external, plugins: [rolldown()], logLevel: "silent" });
    return textOf(await build.generate({ format: "es" }));
  },
  async esbuild(input) {
    const made = await esbuildPackage.build({
      ...{ entryPoints: [input], bundle: true, format: "esm", write: false, logLevel: "silent" },
      ...{ external: ["toolpeg/*"], plugins: [esbuild()] },
    });
    return made.outputFiles[0].text;
  },
};

describe.each(Object.entries(builds))("%s", (name, build) => {
  test("a grammar is a module whose default is the compiled format", async () => {
    const text = await build(entry);
    // The program is in it, the compiler is not, and nothing says where the project lay.
    expect(text).toMatch(/from ["']toolpeg\/core["']/);
    expect(text).not.toMatch(/linkGrammar|peggy\/lib/);
    expect(text).not.toContain(projectRoot);
    const file = join(folder, `${name}.mjs`);
    // The test resolves the package to its sources; a file elsewhere would find none.
    writeFileSync(file, text.replace(/["']toolpeg\/([\w-]+)["']/g, `"${projectRoot}src/$1.ts"`));
    const { format } = (await import(file)) as { format: Format };
    expect(format.id).toBe("bells");
    const reply = 'Now. @call {"name": "ring", "arguments": {}} @end';
    expect(parse(reply, { format, tools: [bell] }).calls).toMatchObject([{ name: "ring", arguments: {} }]);
  });

  test("a grammar that is refused ends the build with its place and what to do", async () => {
    const input = join(folder, "refused.js");
    writeFileSync(join(folder, "grammars/refused.peggy"), grammar.replace("OPEN  =", "OPEM  ="));
    writeFileSync(input, 'import format from "./grammars/refused.peggy";\nexport { format };\n');
    const error = await build(input).then(
      () => "it was built",
      (failure: Error) => failure.message,
    );
    expect(error).toContain('the rule "OPEN" is missing');
    expect(error).toMatch(/grammars\/refused\.peggy:\d+:\d+/);
    expect(error).toContain('help: define it below the header, for instance OPEN = "<call>"');
  });
});

test("a build that watches looks at all that a grammar is made of", async () => {
  const build = await runRollup({ input: entry, external, plugins: [rollup()], onwarn() {} });
  const names = build.watchFiles.map((file) => file.replaceAll("\\", "/"));
  await build.close();
  for (const ending of ["/bells.peggy", "/marks.peggy", "/grammars/family/json-in-tags.peggy"]) {
    expect(names.filter((name) => name.endsWith(ending))).not.toEqual([]);
  }
});

test("the types of the modules ship, and name the type of a format", () => {
  const types = readFileSync(join(projectRoot, "src/plugin/modules.d.ts"), "utf8");
  expect(types).toContain('import("toolpeg/core").Format');
  const { exports: map } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
  expect(map["./plugin/modules"]).toEqual({ types: "./dist/plugin/modules.d.ts" });
});
