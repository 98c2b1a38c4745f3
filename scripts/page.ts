/** What a user's bundler makes of built entries for a page. */
import { type BuildOptions, build } from "esbuild";
import { projectRoot } from "./entries.ts";

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
    legalComments: "none",
  } satisfies BuildOptions;
  return build(options);
}
