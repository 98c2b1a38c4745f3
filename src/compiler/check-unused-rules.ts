import type { ast } from "peggy";
import { type GrammarError, grammarError, type SourceRange } from "./grammar-error.ts";
import type { LinkedGrammar } from "./linked-grammar.ts";
import { didYouMean } from "./suggest.ts";

/**
 * A rule or import of the format's own file that nothing uses: it is misspelt, or left over. What families and parts
 * define is for whoever needs it.
 *
 * @param own the tree of the format's own file
 * @param used the names that references in the format's scope are written with; `library.` for `import * as library`
 */
export function checkUnusedRules(grammar: LinkedGrammar, own: ast.Grammar, used: ReadonlySet<string>): GrammarError[] {
  const errors: GrammarError[] = [];
  const report = (name: string, location: unknown, message: string): void => {
    const others = [...used].filter((known) => known !== name);
    errors.push(
      grammarError(grammar.files, location as SourceRange, message, {
        help: `${didYouMean(name, others)}No rule that can be reached from "${grammar.start}" uses it: remove it.`,
      }),
    );
  };
  for (const { name, nameLocation } of own.rules) {
    if (name !== grammar.start && !used.has(name)) report(name, nameLocation, `the rule "${name}" is never used`);
  }
  for (const { what } of own.imports) {
    for (const { type, binding, location } of what) {
      const written = type === "import_binding_all" ? `${binding}.` : binding;
      if (!used.has(written)) report(binding, location, `the import "${binding}" is never used`);
    }
  }
  return errors;
}
