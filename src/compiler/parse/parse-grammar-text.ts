import type { ast, parser } from "peggy";
import peggy from "peggy";
import { checkNesting } from "./check-nesting.ts";
import { type GrammarFile, grammarError, linesOf, rangeAt, type SourceRange } from "./grammar-error.ts";

/** What could always stand there, and what Peggy would take but we do not. */
const noise = new Set(["whitespace", "end of line", "comment", "/*", "//", "code block", "@", "{"]);

/**
 * Parses the text of a grammar with Peggy. A text of comments alone has no rules, which Peggy would refuse: such a
 * format takes over everything but its header.
 *
 * @throws GrammarError for a text that is no grammar, and for an initializer
 */
export function parseGrammarText(file: GrammarFile): ast.Grammar {
  if (linesOf(file.text).every((line) => /^\s*(?:\/\/.*)?$/.test(line))) {
    return { type: "grammar", imports: [], rules: [], location: rangeAt(file, 0, file.text.length) };
  }
  const error = checkNesting(file);
  if (error !== undefined) throw error;
  let tree: ast.Grammar;
  try {
    tree = peggy.parser.parse(file.text, { grammarSource: file.path, reservedWords: [] });
  } catch (error) {
    if (error instanceof peggy.parser.SyntaxError) throw translate(file, error);
    throw error;
  }
  for (const block of [tree.topLevelInitializer, tree.initializer].flat()) {
    if (block === undefined || block === null) continue;
    throw grammarError([file], block.location as SourceRange, "initializers are not allowed", {
      help: "grammars hold no JavaScript: remove the block in braces",
    });
  }
  return tree;
}

function translate(file: GrammarFile, error: InstanceType<typeof parser.SyntaxError>): Error {
  const location = error.location as SourceRange;
  const help = "the language of grammars is Peggy's: https://peggyjs.org/documentation.html";
  const line = linesOf(file.text)[location.start.line - 1] ?? "";
  if (/^\s*import\b.*\bfrom\b/.test(line) && /^\s*[A-Za-z_]\w*\s*("[^"]*"\s*)?=/m.test(before(file, location))) {
    return grammarError([file], location, "an import stands after a rule", {
      help: "move it up: imports stand together, above all rules",
    });
  }
  if (error.expected === null) return grammarError([file], location, error.message, { help });
  const expected = new Set<string>();
  for (const expectation of error.expected) {
    const name = describe(expectation);
    if (!noise.has(name) && !noise.has(name.slice(1, -1))) expected.add(name);
  }
  const found = error.found === null ? "the end of the file" : JSON.stringify(error.found);
  return grammarError([file], location, `the grammar cannot be read: found ${found}`, {
    expected: [...expected].sort(),
    help,
  });
}

const before = (file: GrammarFile, { start }: SourceRange) =>
  linesOf(file.text)
    .slice(0, start.line - 1)
    .filter((line) => !line.startsWith("//"))
    .join("\n");

function describe(expectation: parser.Expectation): string {
  switch (expectation.type) {
    case "literal":
      return JSON.stringify(expectation.text);
    case "other":
      return expectation.description;
    case "end":
      return "the end of the file";
    case "any":
      return "any character";
    case "class": {
      const parts = expectation.parts.map((part) => (typeof part === "string" ? part : part.join("-")));
      return `[${expectation.inverted ? "^" : ""}${parts.join("")}]`;
    }
  }
}
