/**
 * `toolpeg/recovery`: damaged JSON by itself, and `recovery`, which gives repairs to `toolpeg/core`:
 * `parse(text, { format, tools, policy, recovery })`.
 *
 * @module
 */
export * from "./recovery/index.ts";
export { recovery } from "./streaming/recovery.ts";
