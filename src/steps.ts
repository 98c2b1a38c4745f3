/**
 * `toolpeg/steps`: what a format brings for roles that not every grammar has. Compiled modules import from here what
 * their grammar needs, so that a page which reads one format carries no other's.
 *
 * @module
 */
export { argumentsSteps } from "./streaming/reader/arguments.ts";
export { listSteps } from "./streaming/reader/held-calls.ts";
export { markupSteps } from "./streaming/reader/markup-parameters.ts";
export { parameterSteps } from "./streaming/reader/parameters.ts";
export { payloadSteps } from "./streaming/reader/payload.ts";
export { bodySteps, onlyTextSteps } from "./streaming/reader/whole-arguments.ts";
