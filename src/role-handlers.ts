/**
 * `toolpeg/role-handlers`: what a format brings for roles that not every grammar has, and for prompts that few have. Compiled modules import from here what
 * their grammar needs, so that a page which reads one format carries no other's.
 *
 * @module
 */
export { argumentsHandlers } from "./blocks/arguments.ts";
export { listHandlers } from "./blocks/call-lists.ts";
export { markupHandlers } from "./blocks/markup-parameters.ts";
export { parameterHandlers } from "./blocks/parameters.ts";
export { payloadHandlers } from "./blocks/payload.ts";
export { bodyHandlers, onlyTextHandlers } from "./blocks/whole-arguments.ts";
export { parameterTagListing } from "./rendering/parameter-tag-listing.ts";
export { typescriptListing } from "./rendering/typescript-listing.ts";
