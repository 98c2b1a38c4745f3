import { readFile } from "node:fs/promises";
import { jsonFrom, UsageError } from "./usage-error.ts";

/** Reads a tools file: a JSON array of tools, or an object that holds one as `tools` (a request body does). */
export async function readTools(path: string): Promise<unknown[]> {
  const text = await readFile(path, "utf8").catch(() => {
    throw new UsageError(`cannot read the tools file ${path}`, "check the path given to --tools");
  });
  const value = jsonFrom(text, path, "a tools file is a JSON array of tools");
  const tools = Array.isArray(value) ? value : (value as { tools?: unknown } | null)?.tools;
  if (Array.isArray(tools)) return tools;
  throw new UsageError(
    `${path} holds no tools`,
    'write an array such as [{"name": "read_dial", "parameters": {"type": "object"}}], or {"tools": [...]}',
  );
}
