import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";

/** Colours for Peggy's language: enough to see comments, texts, classes and rules. */
export const grammarLanguage: Extension = [
  StreamLanguage.define({
    name: "grammar",
    token(stream) {
      if (stream.match(/^\/\/.*/)) return "comment";
      if (stream.match(/^"(?:[^"\\]|\\.)*"i?|^'(?:[^'\\]|\\.)*'i?/)) return "string";
      if (stream.match(/^\[(?:[^\]\\]|\\.)*\]i?/)) return "regexp";
      if (stream.match(/^(?:import|from|as)\b/)) return "keyword";
      if (stream.sol() && stream.match(/^[A-Za-z_]\w*/)) return "definition";
      if (stream.match(/^[A-Z]\w*/)) return "typeName";
      if (stream.match(/^[&!*+?/.=|]/)) return "operator";
      stream.next();
      return null;
    },
    tokenTable: { definition: tags.definition(tags.variableName) },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.comment, color: "var(--dim)" },
      { tag: tags.string, color: "var(--call-line)" },
      { tag: tags.regexp, color: "var(--repair-line)" },
      { tag: tags.operator, color: "var(--rejected-line)" },
      { tag: tags.keyword, color: "var(--rejected-line)" },
      { tag: tags.typeName, color: "var(--link)" },
      { tag: tags.definition(tags.variableName), color: "var(--link)", fontWeight: "bold" },
    ]),
  ),
];
