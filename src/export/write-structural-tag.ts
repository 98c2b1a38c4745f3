import type { JsonSchema } from "../contract/types.ts";
import type { Part, Parts } from "./parts.ts";
import { holdsSchema, writeGbnf } from "./write-grammar.ts";

/** One piece of a structural tag: the kinds that every xgrammar from 0.1.27 on reads. */
export type StructuralFormat =
  | { readonly type: "const_string"; readonly value: string }
  | { readonly type: "json_schema"; readonly json_schema: JsonSchema }
  | { readonly type: "grammar"; readonly grammar: string }
  | { readonly type: "sequence"; readonly elements: readonly StructuralFormat[] }
  | { readonly type: "or"; readonly elements: readonly StructuralFormat[] }
  | StructuralTagPart
  | {
      readonly type: "tags_with_separator";
      readonly tags: readonly StructuralTagPart[];
      readonly separator: string;
      readonly at_least_one: boolean;
      readonly stop_after_first: boolean;
    };

/** A region between two texts. */
export interface StructuralTagPart {
  readonly type: "tag";
  readonly begin: string;
  readonly content: StructuralFormat;
  readonly end: string;
}

/** What goes into `response_format`. */
export interface StructuralTag {
  readonly type: "structural_tag";
  readonly format: StructuralFormat;
}

/** The parts as a structural tag. What holds no JSON Schema is a grammar in it. */
export function writeStructuralTag({ root, rules }: Parts): StructuralTag {
  const write = (part: Part): StructuralFormat => {
    if (part.type === "text" && part.text !== "") return { type: "const_string", value: part.text };
    if (part.type === "schema") return { type: "json_schema", json_schema: part.schema };
    if (part.type === "many") {
      const list = asTags(part, write);
      if (list !== undefined) return list;
    }
    if (!holdsSchema(part, rules)) return { type: "grammar", grammar: writeGbnf({ root: part, rules }) };
    if (part.type === "all") return { type: "sequence", elements: part.parts.map(write) };
    if (part.type === "any") return { type: "or", elements: part.parts.map(write) };
    return { type: "grammar", grammar: writeGbnf({ root: part, rules }) };
  };
  return { type: "structural_tag", format: write(root) };
}

/** Calls in a row, where each is a text, its arguments and a text. */
function asTags(part: Part & { type: "many" }, write: (part: Part) => StructuralFormat): StructuralFormat | undefined {
  if (part.max !== undefined || part.min !== 1 || part.between === "") return undefined;
  const calls = part.part.type === "any" ? part.part.parts : [part.part];
  const tags: StructuralTagPart[] = [];
  for (const call of calls) {
    if (call.type !== "all" || call.parts.length !== 3) return undefined;
    const [begin, content, end] = call.parts;
    if (begin.type !== "text" || content.type !== "schema" || end.type !== "text") return undefined;
    tags.push({ type: "tag", begin: begin.text, content: write(content), end: end.text });
  }
  return { type: "tags_with_separator", tags, separator: part.between, at_least_one: true, stop_after_first: false };
}
