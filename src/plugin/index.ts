/**
 * `toolpeg/plugin`: grammars in a build. `import format from "./my.peggy"` gives the compiled format; the compiler does not
 * get into the bundle. For Vite, Rollup, Rolldown and esbuild. Build time: needs Node.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { createUnplugin } from "unplugin";
import { checkGrammar, compileGrammar, formatGrammarError, grammarFiles, grammarWarnings } from "../compiler/index.ts";
import { loadGrammarFile } from "../compiler/load-grammar-file.ts";

/** A plugin of Vite, Rollup or Rolldown. */
export interface BundlerPlugin {
  /** What messages of the build call it. */
  name: string;
}

/** A plugin of esbuild. */
export interface EsbuildPlugin {
  /** What messages of the build call it. */
  name: string;
  /** Called by esbuild. */
  setup(build: object): void | Promise<void>;
}

const plugin = createUnplugin(() => ({
  name: "toolpeg",
  load: {
    // A query such as `?raw` asks for something else than the format.
    filter: { id: /\.peggy$/ },
    async handler(id) {
      const text = await readFile(id, "utf8");
      // Where the project lies is no part of what is built.
      const options = { path: relative("", id).replaceAll("\\", "/"), load: loadGrammarFile };
      for (const file of grammarFiles(text, options)) this.addWatchFile(file);
      const errors = checkGrammar(text, options);
      if (errors.length > 0) {
        this.error(errors.map(formatGrammarError).join("\n\n"));
        // Only esbuild comes here: it collects errors.
        return "export {};";
      }
      for (const warning of grammarWarnings(text, options)) this.warn(formatGrammarError(warning));
      return compileGrammar(text, { ...options, output: "module" });
    },
  },
}));

/** For `plugins` of a Vite configuration. */
export const vite: () => BundlerPlugin = () => plugin.vite() as BundlerPlugin;

/** For `plugins` of a Rollup configuration. */
export const rollup: () => BundlerPlugin = () => plugin.rollup() as BundlerPlugin;

/** For `plugins` of a Rolldown configuration. */
export const rolldown: () => BundlerPlugin = () => plugin.rolldown() as BundlerPlugin;

/** For `plugins` of an esbuild call. */
export const esbuild: () => EsbuildPlugin = () => plugin.esbuild() as EsbuildPlugin;
