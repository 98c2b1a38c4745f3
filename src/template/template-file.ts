import { readGgufTemplate } from "./gguf-template.ts";
import type { NamedTemplate, TokenizerConfig } from "./template-source.ts";

/**
 * The template of a model on disk: a template (`*.jinja`), a `tokenizer_config.json` or `chat_template.json`, a GGUF file, or
 * the folder of a model. Needs Node.
 *
 * @throws Error for a path that cannot be read and a folder without a template
 */
export async function readTemplateFile(path: string): Promise<TokenizerConfig> {
  const { readdir, readFile, stat } = await import("node:fs/promises");
  const { join } = await import("node:path");
  if (!(await stat(path)).isDirectory()) return readFileOf(path);
  const files = await readdir(path);
  const has = (name: string) => files.includes(name);
  const config: TokenizerConfig = has("tokenizer_config.json")
    ? await readFileOf(join(path, "tokenizer_config.json"))
    : {};
  // A file of its own is newer than what the configuration holds.
  if (has("chat_template.json")) Object.assign(config, await readFileOf(join(path, "chat_template.json")));
  const named: NamedTemplate[] = [];
  if (has("chat_template.jinja")) {
    named.push({ name: "default", template: await readFile(join(path, "chat_template.jinja"), "utf8") });
  }
  if (has("additional_chat_templates")) {
    for (const name of (await readdir(join(path, "additional_chat_templates"))).sort()) {
      if (!name.endsWith(".jinja")) continue;
      const template = await readFile(join(path, "additional_chat_templates", name), "utf8");
      named.push({ name: name.slice(0, -".jinja".length), template });
    }
  }
  if (named.length > 0) return { ...config, chat_template: named };
  if (config.chat_template !== undefined && config.chat_template !== null) return config;
  const other = files.filter((name) => /\.(gguf|jinja)$/.test(name)).sort();
  if (other.length === 1) return readFileOf(join(path, other[0]));
  const several = other.length > 1 ? `; name one of ${other.slice(0, 5).join(", ")}` : "";
  throw new Error(`${path} holds no chat_template.jinja, and no tokenizer_config.json with a template${several}`);
}

async function readFileOf(path: string): Promise<TokenizerConfig> {
  const { readFile } = await import("node:fs/promises");
  if (path.endsWith(".gguf")) return readGgufTemplate(path);
  // What editors put before JSON is a byte order mark, and white space to `trim`.
  const text = await readFile(path, "utf8");
  if (!path.endsWith(".json")) return { chat_template: text };
  let value: unknown;
  try {
    value = JSON.parse(text.trim());
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== "object" || value === null) throw new Error(`${path} holds no configuration of a tokenizer`);
  return value as TokenizerConfig;
}
