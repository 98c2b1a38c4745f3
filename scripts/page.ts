/** What a user's bundler makes of built entries for a page. */
import { basename } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { packedModule } from "./bundle.ts";
import { projectRoot } from "./entries.ts";

/** Programs of sources are one text each, as in the package. */
export const packedPrograms: Plugin = {
  name: "packed-programs",
  setup(build) {
    build.onLoad({ filter: /[\\/]generated[\\/][a-z0-9_]+\.ts$/ }, async ({ path }) => {
      if (basename(path) === "all.ts") return undefined;
      return { contents: await packedModule(path), loader: "ts" };
    });
  },
};

/** One minified module with all that some files export, packages that they import included. */
export async function bundleForPage(files: readonly string[]) {
  const contents = files.map((file, index) => `export * as part${index} from ${JSON.stringify(file)};`).join("\n");
  const options = {
    absWorkingDir: projectRoot,
    stdin: { contents, resolveDir: projectRoot, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    mainFields: ["module", "main"],
    external: ["@langchain/*"],
    write: false,
    metafile: true,
    plugins: [packedPrograms],
    legalComments: "none",
  } satisfies BuildOptions;
  return build(options);
}
