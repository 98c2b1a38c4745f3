import type { VNode } from "preact";
import { render } from "preact-render-to-string";
import { viewStyles } from "../views/styles.ts";

/** A view as a page that needs nothing else: no script, no network. */
export function htmlPage(title: string, ...views: VNode[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${viewStyles}</style>
<main class="page">
<h1>${escaped(title)}</h1>
${views.map((view) => render(view)).join("\n")}
</main>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
