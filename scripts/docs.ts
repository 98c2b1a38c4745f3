/**
 * Writes the API reference, docs/api/: a page per entry point, made of the docstrings. `--check` writes nothing and fails
 * when a page is stale.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, Comment, Converter, type TypeDocOptions } from "typedoc";
import type { PluginOptions } from "typedoc-plugin-markdown";
import { listEntries, projectRoot } from "./entries.ts";
import { updateFolder } from "./made-files.ts";

/** Where the pages lie. */
export const apiFolder = join(projectRoot, "docs/api");

/** All formats are alike: one of them stands for the page of `toolpeg/formats/<id>`. */
const anyFormat = "formats/hermes";

/** What its module cannot say. */
const formatsNote =
  "Every compiled format is a value of its own: `toolpeg/formats/<id>` exports it by its id and by default, ready for " +
  "`toolpeg/core`. `hermes` stands for all here; `formats.ids` of the root entry lists them.";

/** Pages by entry: the name of the file under docs/api/, and what users import. */
const pages = new Map<string, { page: string; specifier: string }>([
  ["index", { page: "toolpeg", specifier: "toolpeg" }],
  ["proxy/node", { page: "proxy-node", specifier: "toolpeg/proxy/node" }],
  [anyFormat, { page: "formats", specifier: "toolpeg/formats/<id>" }],
]);

const entries = listEntries().flatMap(({ name, source, internal }) => {
  if (internal === true || name === "cli" || (name.startsWith("formats/") && name !== anyFormat)) return [];
  return [{ source, ...(pages.get(name) ?? { page: name, specifier: `toolpeg/${name}` }) }];
});

const specifiers = new Map(entries.map(({ page, specifier }) => [page, specifier]));

const options: TypeDocOptions & PluginOptions = {
  name: "API reference",
  tsconfig: join(projectRoot, "tsconfig.docs.json"),
  entryPoints: entries.map(({ source }) => join(projectRoot, source)),
  plugin: ["typedoc-plugin-markdown"],
  readme: "none",
  // The same bytes wherever and whenever it is made: no commit, no path, no version.
  disableGit: true,
  disableSources: true,
  excludeExternals: true,
  excludeInternal: true,
  // `npm run typecheck` does that, with the compiler of the project.
  skipErrorChecking: true,
  sort: ["alphabetical"],
  groupOrder: ["Functions", "Classes", "Interfaces", "Type Aliases", "Variables", "*"],
  // What types are computed with, and what only the machine and the writer of calls read.
  intentionallyNotExported: [
    "IsChecked",
    "CallOfTool",
    "FromKeywords",
    "Get",
    "Program",
    "RenderTemplate",
    "bodyLanguages",
    "toolListings",
    "stages",
    "MakeRecovery",
    "RoleHandlers",
  ],
  logLevel: "Warn",
  treatWarningsAsErrors: true,
  validation: { notExported: true, invalidLink: true, rewrittenLink: true, notDocumented: true },
  requiredToBeDocumented: ["Function", "Class", "Interface", "TypeAlias", "Variable"],
  fileExtension: ".md",
  entryFileName: "README",
  outputFileStrategy: "modules",
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  indexFormat: "table",
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  classPropertiesFormat: "table",
  typeAliasPropertiesFormat: "table",
  typeDeclarationFormat: "table",
  tableColumnSettings: { hideInherited: true, hideOverrides: true, hideModifiers: true },
  pageTitleTemplates: { module: ({ name }: { name: string }) => `\`${specifiers.get(name) ?? name}\`` } as never,
};

/** The pages by file name. Reads every source that an entry leads to, so it takes seconds. */
export async function writeApiReference(): Promise<Map<string, string>> {
  const application = await Application.bootstrapWithPlugins(options);
  // Types as they are written in the sources: names instead of what they stand for.
  application.converter.on(Converter.EVENT_BEGIN, (context) => {
    context.convertingTypeNode = true;
  });
  application.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) {
      const entry = entries.find(({ source }) => `${source.replace(/(\/index)?\.ts$/, "")}` === module.name);
      if (entry === undefined) continue;
      module.name = entry.page;
      if (entry.page === "formats") module.comment = new Comment([{ kind: "text", text: formatsNote }]);
    }
  });
  const project = await application.convert();
  if (project === undefined) throw new Error("docs: the sources could not be read");
  application.validate(project);
  const folder = mkdtempSync(join(tmpdir(), "toolpeg-docs-"));
  try {
    await application.outputs.writeOutput({ name: "markdown", path: folder }, project);
    if (application.logger.hasErrors() || application.logger.hasWarnings()) throw new Error("docs: see above");
    return new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  updateFolder(apiFolder, await writeApiReference(), "npm run docs");
}
