import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatForModel, formats } from "../src/index.ts";

const known: readonly (readonly [string, string])[] = [
  ["Qwen/Qwen3-32B", "hermes"],
  ["Qwen/Qwen2.5-Coder-32B-Instruct", "hermes"],
  ["Qwen/Qwen3-4B-Thinking-2507", "hermes"],
  ["Qwen/Qwen3-Coder-30B-A3B-Instruct", "qwen3_coder"],
  ["Qwen/Qwen3-Coder-Next", "qwen3_coder"],
  ["Qwen/Qwen3.5-27B", "qwen3_coder"],
  ["deepseek-ai/DeepSeek-V3", "deepseek_v3"],
  ["deepseek-ai/DeepSeek-R1-0528-Qwen3-8B", "deepseek_v3"],
  ["deepseek-ai/DeepSeek-V3.1", "deepseek_v31"],
  ["deepseek-ai/DeepSeek-V3.2-Exp", "deepseek_v31"],
  ["deepseek-ai/DeepSeek-V3.2", "dsml_v32"],
  ["deepseek-ai/DeepSeek-V4-Flash", "dsml_v4"],
  ["openai/gpt-oss-20b", "harmony"],
  ["zai-org/GLM-4.6", "glm45"],
  ["zai-org/GLM-4.7-Flash", "glm47"],
  ["moonshotai/Kimi-K2-Instruct", "kimi_k2"],
  ["mistralai/Mistral-Small-3.2-24B-Instruct-2506", "mistral_compact"],
  ["mistralai/Mistral-7B-Instruct-v0.3", "mistral_array"],
  ["meta-llama/Llama-3.1-8B-Instruct", "llama3_json"],
  ["meta-llama/Llama-3.2-1B-Instruct", "pythonic"],
  ["meta-llama/Llama-3.2-90B-Vision-Instruct", "llama3_json"],
  ["meta-llama/Llama-4-Scout-17B-16E-Instruct", "llama4_pythonic"],
  ["NousResearch/Hermes-3-Llama-3.1-70B", "hermes"],
  ["CohereLabs/c4ai-command-r7b-12-2024", "cohere"],
  ["CohereLabs/c4ai-command-r-08-2024", "command_r"],
];

test.each(known)("%s speaks %s", (model, id) => expect(formatForModel(model)?.id).toBe(id));

const otherwise: readonly (readonly [string, string])[] = [
  ["Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8", "qwen3_coder"],
  ["unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF", "qwen3_coder"],
  ["bartowski/Qwen_Qwen3-32B-GGUF", "hermes"],
  ["Qwen/Qwen3-32B-AWQ", "hermes"],
  ["someone/Qwen3-8B-medical-lora-v2", "hermes"],
  ["qwen3:32b", "hermes"],
  ["qwen3:8b-q4_K_M", "hermes"],
  ["hugging-quants/Meta-Llama-3.1-8B-Instruct-AWQ-INT4", "llama3_json"],
  ["llama3.1:8b", "llama3_json"],
  ["RedHatAI/Mistral-Small-3.2-24B-Instruct-2506-FP8", "mistral_compact"],
  ["unsloth/gpt-oss-20b-BF16", "harmony"],
  ["openai/gpt-oss-120b:free", "harmony"],
  ["lmstudio-community/DeepSeek-V3.1-GGUF", "deepseek_v31"],
  ["nvidia/Llama-3.3-Nemotron-Super-49B-v1.5-FP8", "nemotron"],
  ["nemotron-3-nano:30b", "qwen3_coder"],
];

test.each(otherwise)("other owners, packaging and spelling: %s speaks %s", (model, id) =>
  expect(formatForModel(model)?.id).toBe(id),
);

const collected = readFileSync(new URL("model-names.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split(" ") as [id: string, name: string]);

test("several hundred names of the hub and of Ollama lead to their format or to none, never to another", () => {
  expect(collected.length).toBeGreaterThan(300);
  expect(new Set(collected.map(([, name]) => name)).size).toBe(collected.length);
  const wrong = collected.filter(([id, name]) => formatForModel(name) !== (id === "-" ? undefined : formats.get(id)));
  expect(wrong.map(([id, name]) => `${name}: ${formatForModel(name)?.id ?? "-"}, not ${id}`)).toEqual([]);
});

// A wrong format loses every call, so a name that is only near is no answer.
test.each([
  "",
  "/",
  "bert-base-uncased",
  "openai/gpt-4o",
  "google/gemma-2-9b-it",
  "meta-llama/Llama-2-7b-chat-hf",
  "meta-llama/Meta-Llama-3-8B-Instruct",
  "microsoft/phi-4",
  "mistralai/Mistral-7B-Instruct-v0.1",
  "deepseek-ai/DeepSeek-V9",
  "zai-org/GLM-9",
  "3.1",
])("%j is unknown", (model) => expect(formatForModel(model)).toBeUndefined());

test("every listed model is a name of the hub, and leads to a format that lists it", () => {
  const lost: string[] = [];
  for (const { models } of formats) {
    for (const model of models) {
      expect(model).toMatch(/^[\w.-]+\/[\w.-]+$/);
      if (!formatForModel(model)?.models.includes(model)) lost.push(model);
    }
  }
  expect(lost).toEqual([]);
});

test("no model is listed by two formats", () => {
  const all = [...formats].flatMap(({ models }) => models);
  expect(all.filter((model, index) => all.indexOf(model) !== index)).toEqual([]);
});
