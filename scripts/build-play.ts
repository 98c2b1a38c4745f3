/**
 * Builds the playground: one page that holds everything, so that it works from a file and from any static host. Nothing is
 * loaded from anywhere, and its policy forbids it to try.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import { playStyles } from "../src/play/styles.ts";
import { viewStyles } from "../src/views/styles.ts";
import { projectRoot } from "./entries.ts";
import { packedPrograms } from "./page.ts";

/** Builds the page. */
export async function buildPlay(): Promise<string> {
  const result = await build({
    absWorkingDir: projectRoot,
    entryPoints: ["src/play/main.tsx"],
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    legalComments: "none",
    logLevel: "warning",
    plugins: [browserPlugin, packedPrograms],
  });
  // In an element of a page, the text of a script ends at the first thing that looks like its end.
  const script = result.outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    // The editor makes its style elements as it runs.
    "style-src 'unsafe-inline'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>toolpeg: see how a reply is read</title>
<link rel="icon" href="data:,">
<style>${viewStyles}${playStyles}</style>
</head>
<body>
<div id="app"><p class="page">This page reads model replies in your browser; it needs JavaScript, and sends nothing anywhere.</p></div>
<script type="module">${script}</script>
</body>
</html>
`;
}

/** What the sources take from Node, and the data of the page. */
const browserPlugin: Plugin = {
  name: "toolpeg-play",
  setup(build) {
    build.onResolve({ filter: /^toolpeg-play$/ }, () => ({ path: "data", namespace: "toolpeg-play" }));
    build.onLoad({ filter: /.*/, namespace: "toolpeg-play" }, () => ({ contents: data(), loader: "js" }));
    build.onResolve({ filter: /\/shipped-grammars\.ts$/ }, () => ({ path: join(projectRoot, "src/play/shipped.ts") }));
    // Of Peggy only its parser is used; what writes parsers would be a tenth of the page.
    build.onResolve({ filter: /^peggy$/ }, () => ({ path: "peggy", namespace: "toolpeg-peggy" }));
    build.onLoad({ filter: /.*/, namespace: "toolpeg-peggy" }, () => ({
      contents: 'import parser from "./node_modules/peggy/lib/parser.js"; export default { parser };',
      resolveDir: projectRoot,
      loader: "js",
    }));
    // For the text of a module, which the page does not write.
    build.onResolve({ filter: /^node:crypto$/ }, () => ({ path: "crypto", namespace: "toolpeg-node" }));
    build.onLoad({ filter: /.*/, namespace: "toolpeg-node" }, () => ({
      contents: 'export function createHash() { throw new Error("a page writes no modules"); }',
      loader: "js",
    }));
  },
};

function data(): string {
  const folder = join(projectRoot, "grammars");
  const files: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, "utf8");
    // Where a case comes from the repository says: in the page that would be 8 KB.
    const shown = path.endsWith(".corpus.txt") ? text.replace(/^from: .*$/gm, "from:  the repository") : text;
    files[relative(folder, path).replaceAll("\\", "/")] = shown;
  }
  const sorted = Object.fromEntries(Object.entries(files).sort(([left], [right]) => (left < right ? -1 : 1)));
  const replies = join(projectRoot, "examples", "replies");
  const samples = readdirSync(replies)
    .filter((name) => name.endsWith(".txt"))
    .sort()
    .map((name) => {
      const [format, kind] = name.split(".");
      return { name: `${format}, ${kind}`, format, text: readFileSync(join(replies, name), "utf8") };
    });
  const sampleTools = readFileSync(join(replies, "tools.json"), "utf8");
  return [
    `export const grammarFiles = ${JSON.stringify(sorted)};`,
    `export const samples = ${JSON.stringify(samples)};`,
    `export const sampleTools = ${JSON.stringify(sampleTools)};`,
  ].join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const target = resolve(process.argv[2] ?? join(projectRoot, "dist", "play.html"));
  const page = await buildPlay();
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, page);
  const size = gzipSync(page, { level: 9 }).length;
  console.log(`build: ${relative(process.cwd(), target)}, ${Math.round(size / 1000)} KB gzip`);
}
