import { promptFormatOf, type ReadingOptions } from "../adapters/reading.ts";
import { type Format, formatForModel } from "../index.ts";
import { invalid, isObject } from "./chat-request.ts";
import { type ProxySettings, readingOptions } from "./options.ts";
import { type Passage, servedModels } from "./upstream.ts";

/** How the text of one model is read, and the format that calls are told to it in. */
export interface ChosenFormat {
  reading: ReadingOptions;
  format: Format;
}

/** Models are named by clients, so what is remembered of them is bounded. */
const rememberedMax = 1000;

/** Finds the format of a request's model, once per model. */
export class FormatChooser {
  readonly #settings: ProxySettings;
  readonly #known = new Map<string, ChosenFormat>();

  constructor(settings: ProxySettings) {
    this.#settings = settings;
  }

  /** @throws Problem when the format of the model is not known */
  async choose(model: string, passage: Passage): Promise<ChosenFormat> {
    const known = this.#known.get(model);
    if (known !== undefined) return known;
    const found = await this.#find(model, passage);
    if (this.#known.size >= rememberedMax) this.#known.clear();
    this.#known.set(model, found);
    return found;
  }

  async #find(model: string, passage: Passage): Promise<ChosenFormat> {
    const { format } = this.#settings;
    const chosen = format === "by-model" ? (formatForModel(model) ?? (await this.#ofServed(model, passage))) : format;
    const unknown = `no format is known for the model ${JSON.stringify(model)}: start the proxy with the format that it writes`;
    if (chosen === undefined) throw invalid(unknown, "model");
    const reading = readingOptions(this.#settings, chosen);
    try {
      return { reading, format: promptFormatOf(reading, model) };
    } catch (error) {
      // With `auto` the format that is written may be unknown although every format can be read.
      if (error instanceof TypeError) throw invalid(unknown, "model");
      throw error;
    }
  }

  /** Servers give models names of their own, and tell in their list what stands behind one: vLLM its `root`, llama.cpp a file. */
  async #ofServed(model: string, passage: Passage): Promise<Format | undefined> {
    const served = (await servedModels(passage, this.#settings)).filter(isObject);
    const named = served.filter(
      ({ id, aliases }) => id === model || (Array.isArray(aliases) && aliases.includes(model)),
    );
    // A server of one model answers with it whatever it was asked for.
    for (const { root, id } of named.length > 0 ? named : served.length === 1 ? served : []) {
      for (const name of [root, id]) {
        const found = typeof name === "string" ? formatForModel(name.replace(/\.gguf$/i, "")) : undefined;
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }
}
