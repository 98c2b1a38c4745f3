import { suggestion } from "../../contract/suggest.ts";
import { type GrammarError, grammarError, grammarNote, type SourceRange } from "../parse/grammar-error.ts";
import type { LinkedGrammar } from "../parse/linked-grammar.ts";
import { isShipped } from "../parse/resolve-path.ts";

/**
 * A rule that takes the place of an inherited one says so in the header (`overrides`): a name that merely happens to be the
 * family's would change what the family reads. And a name in that list that replaces nothing is misspelt, or the family
 * has no such rule any more.
 */
export function checkOverrides(grammar: LinkedGrammar): GrammarError[] {
  const { files, header, replaced } = grammar;
  const isOwn = ({ source }: SourceRange) => !isShipped(source) || isShipped(files[0].path);
  const silent = replaced
    .filter(({ declared, location }) => !declared && isOwn(location))
    .map(({ name, location, inherited }) =>
      grammarError(files, location, `the rule "${name}" replaces an inherited one without saying so`, {
        help: `write \`overrides: ${name}\` into the header if that is meant; otherwise give the rule another name`,
        notes: [grammarNote(files, inherited, "this rule is replaced")],
      }),
    );
  const own = files[0].path;
  const names = replaced.filter(({ location }) => location.source === own).map(({ name }) => name);
  const idle = (header.overrides ?? [])
    .filter((name) => header.spans.overrides?.source === own && !names.includes(name))
    .map((name) => {
      const undeclared = replaced.filter(({ declared }) => !declared).map((rule) => rule.name);
      return grammarError(files, header.spans.overrides as SourceRange, `"${name}" overrides nothing`, {
        help: `${suggestion(name, undeclared)}Name rules that this file and what it extends both define.`,
      });
    });
  return [...silent, ...idle];
}
