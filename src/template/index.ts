/**
 * `toolpeg/template`: the format of a model, from the chat template that it brings. Needs the package `@huggingface/jinja`.
 *
 * @module
 */
export {
  formatForTemplate,
  type TemplateFormat,
  type TemplateMatch,
  type TemplateOptions,
  type TemplateProbe,
} from "./format-for-template.ts";
export { type FormatOfTemplate, formatOfTemplate } from "./format-of-template.ts";
export { readGgufTemplate } from "./gguf-template.ts";
export { grammarFromTemplate, type TemplateGrammar } from "./grammar-from-template.ts";
export { readTemplateFile } from "./template-file.ts";
export type { NamedTemplate, SpecialToken, TokenizerConfig } from "./template-source.ts";
