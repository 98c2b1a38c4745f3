/**
 * `toolpeg/compiler`: grammars into formats. Build time: needs Node and Peggy.
 *
 * @module
 */
export {
  type CompileGrammarOptions,
  type CompileModuleOptions,
  checkGrammar,
  checkStreaming,
  compileGrammar,
  grammarWarnings,
  readBy,
} from "./compile-grammar.ts";
export { draftGrammar, type Family, type FormatDraft, familyOf, shippedFamilies } from "./draft-grammar.ts";
export { formatGrammarError, GrammarError, type GrammarErrorDetails, type GrammarNote } from "./grammar-error.ts";
export type { LoadGrammar } from "./link-grammar.ts";
export {
  type AskedRule,
  type AskedRules,
  type HeaderFlag,
  type HeaderKey,
  headerFlags,
  headerKeys,
} from "./read-header.ts";
export { loadShippedGrammar } from "./shipped-grammars.ts";
export { identifierOf } from "./write-module.ts";
