import { Kept } from "../machine/kept.ts";

/** Patterns come from tool definitions, so there are few; a host that makes tools up per request starts again here. */
const compiled = new Kept<string, RegExp | undefined>(1000);

/**
 * The pattern of a schema as one that compiles with the `u` flag, as JSON Schema defines it. Patterns written for other
 * engines often escape characters that need none (`\@`, `\_`); those backslashes are dropped.
 *
 * @returns undefined when the pattern is no regular expression.
 */
export function unicodePattern(pattern: string): string | undefined {
  if (compiles(pattern)) return pattern;
  const bare = pattern.replace(/\\([\s\S])/g, (whole, character: string) =>
    /[^\w\s^$\\.*+?()[\]{}|/-]|_/.test(character) ? character : whole,
  );
  return compiles(bare) ? bare : undefined;
}

/** Compiles the pattern of a schema, once. Never call it with text of a model. */
export function compilePattern(pattern: string): RegExp | undefined {
  if (compiled.has(pattern)) return compiled.get(pattern);
  const source = unicodePattern(pattern);
  return compiled.keep(pattern, source === undefined ? undefined : new RegExp(source, "u"));
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}
