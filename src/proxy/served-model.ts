import { isObject } from "../contract/is-object.ts";
import type { ProxySettings, TemplateSource } from "./options.ts";
import { type Asked, ask, type Passage } from "./upstream.ts";

/** What an upstream says of the model that a name stands for. */
export interface ServedModel {
  /** The chat template, and what it prints. */
  template: TemplateSource | undefined;
  /** Names of the model, the most precise first; asked for when they are needed. */
  names(): Promise<string[]>;
  /** Something could not be asked: later more may be known. */
  isPartial(): boolean;
}

/** Asks the upstream of the model that a request names. */
export async function servedModel(model: string, passage: Passage, settings: ProxySettings): Promise<ServedModel> {
  let isPartial = false;
  const read = async (asked: Promise<Asked>) => {
    const { value, failed } = await asked;
    isPartial ||= failed;
    return value;
  };
  // Servers put what is their own beside the base of OpenAI's interface.
  const root = settings.upstream.replace(/\/v1$/, "");
  const props = await read(ask(`${root}/props?model=${encodeURIComponent(model)}`, passage, settings));
  return {
    template: templateIn(props),
    async names() {
      const listed = listedNames(await read(ask(`${settings.upstream}/models`, passage, settings)), model);
      const names = [...listed, ...texts(props.model_path)].map((name) => name.replace(/\.gguf$/i, ""));
      if (Object.keys(props).length > 0) return names;
      return [...names, ...ollamaNames(await read(ask(`${root}/api/show`, passage, settings, { model })))];
    },
    isPartial: () => isPartial,
  };
}

/** llama.cpp and its like. */
function templateIn({ chat_template, bos_token, eos_token }: Asked["value"]): TemplateSource | undefined {
  if (typeof chat_template !== "string" || chat_template.trim() === "") return undefined;
  const token = (given: unknown) => (typeof given === "string" ? given : undefined);
  return { chat_template, bos_token: token(bos_token), eos_token: token(eos_token) };
}

/** Servers give models names of their own, and say in their list what stands for one: vLLM its `root`, llama.cpp a file. */
function listedNames({ data }: Asked["value"], model: string): string[] {
  const served = Array.isArray(data) ? data.filter(isObject) : [];
  const named = served.filter(({ id, aliases }) => id === model || (Array.isArray(aliases) && aliases.includes(model)));
  // A server of one model answers with it whatever it was asked for.
  const meant = named.length > 0 ? named : served.length === 1 ? served : [];
  return meant.flatMap(({ root, id }) => texts(root, id));
}

/**
 * Ollama serves no template that its models were trained with, but says which of its parsers reads them, and the names
 * that the file of the model brings.
 */
function ollamaNames({ parser, details, model_info }: Asked["value"]): string[] {
  const { parent_model } = isObject(details) ? details : {};
  const info = isObject(model_info) ? model_info : {};
  const { "general.base_model.0.repo_url": base, "general.basename": name } = info;
  return texts(parser, parent_model, base, name);
}

const texts = (...given: unknown[]) => given.filter((one): one is string => typeof one === "string" && one !== "");
