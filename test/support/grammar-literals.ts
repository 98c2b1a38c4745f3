import { existsSync, readFileSync } from "node:fs";
import { projectRoot } from "../../scripts/entries.ts";
import { linkGrammar } from "../../src/compiler/parse/link-grammar.ts";
import { walkExpression } from "../../src/compiler/parse/linked-grammar.ts";

/** The literals of a shipped grammar and of what it imports; what its header says is not among them. */
export function literalsOf(id: string): string[] {
  const load = (path: string) =>
    existsSync(projectRoot + path) ? readFileSync(projectRoot + path, "utf8") : undefined;
  const path = `grammars/${id}.peggy`;
  const found = new Set<string>();
  for (const rule of linkGrammar({ path, text: load(path) as string }, load).rules.values()) {
    if (rule.origin === "header") continue;
    walkExpression(rule.expression, (inner) => {
      if (inner.type === "literal") found.add(inner.value);
    });
  }
  return [...found];
}
