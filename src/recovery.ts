/**
 * `toolpeg/recovery`: damaged JSON by itself, and `recovery`, which gives repairs to `toolpeg/core`:
 * `parse(text, { format, tools, policy, recovery })`.
 *
 * @module
 */

export { recovery } from "./blocks/make-recovery.ts";
export * from "./json-repair/index.ts";
