/**
 * Constraints for guided decoding: what a model may write, for the engines that can hold it to that.
 *
 * @module
 */
export {
  type Constraint,
  type ConstraintOptions,
  exportConstraint,
  type GbnfConstraint,
} from "./export-constraint.ts";
export { type ConstraintNote, type NoteCode, noteCodes } from "./notes.ts";
export type { CharRanges, Part, Parts, UntilPart } from "./parts.ts";
export type { StructuralFormat, StructuralTag, StructuralTagPart } from "./write-structural-tag.ts";
