import { grammarFiles } from "toolpeg-play";

const root = "toolpeg/";

/** Stands for the compiler's own, which reads the disk: the text of a grammar that ships with the package. */
export function loadShippedGrammar(path: string): string | undefined {
  return path.startsWith(root) ? fileAt(path.slice(root.length)) : undefined;
}

/** There is no disk: its path stands for its place. */
export function shippedGrammarFile(path: string): string | undefined {
  return loadShippedGrammar(path) === undefined ? undefined : path;
}

/** The families and shared parts among them. */
export function shippedGrammarPaths(): string[] {
  return Object.keys(grammarFiles)
    .filter((path) => /^(family|shared)\/.*\.peggy$/.test(path))
    .map((path) => root + path);
}

/** A file below grammars/. */
export function fileAt(path: string): string | undefined {
  return Object.hasOwn(grammarFiles, path) ? grammarFiles[path] : undefined;
}

/** What an edited grammar extends and imports: it stands among the shipped ones. */
export function loadBeside(path: string): string | undefined {
  return path.startsWith("grammars/") ? fileAt(path.slice("grammars/".length)) : undefined;
}
