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
  grammarFiles,
  grammarWarnings,
  placesOfRules,
  readBy,
} from "./compile-grammar.ts";
export { identifierOf } from "./emit/write-module.ts";
export {
  draftGrammar,
  type Family,
  type FormatDraft,
  familyOf,
  rulesOfFamily,
  shippedFamilies,
} from "./parse/draft-grammar.ts";
export { formatGrammarError, GrammarError, type GrammarErrorDetails, type GrammarNote } from "./parse/grammar-error.ts";
export { type HeaderFlag, type HeaderKey, headerFlags, headerKeys } from "./parse/header-keys.ts";
export type { LoadGrammar } from "./parse/link-grammar.ts";
export type { AskedRule, AskedRules } from "./parse/read-header.ts";
export { loadShippedGrammar } from "./parse/shipped-grammars.ts";
export { shownText } from "./parse/shown-text.ts";
