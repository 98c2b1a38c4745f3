import { promptFormatOf, type ReadingOptions } from "../adapters/reading-options.ts";
import { type Format, formatForModel } from "../index.ts";
import { invalid } from "./chat-request.ts";
import { type ProxySettings, readingOptions, type TemplateReading, type TemplateSource } from "./options.ts";
import { type ServedModel, servedModel } from "./served-model.ts";
import type { Passage } from "./upstream.ts";

/** How the text of one model is read, and the format that calls are written for it in. */
export interface ChosenFormat {
  reading: ReadingOptions;
  format: Format;
}

/** What is known of one model. */
interface Found {
  chosen: ChosenFormat | undefined;
  /** What whoever runs the proxy should know, a sentence each. */
  notes: readonly string[];
  /** The upstream has answered all that it was asked. */
  isCertain: boolean;
}

interface Known extends Found {
  /** Until when it is taken for true: a server may be started anew with another model. */
  until: number;
}

/** Models are named by clients, so what is remembered of them is bounded. */
const rememberedMax = 1000;
const templatesMax = 50;
const freshMs = 300_000;
const uncertainMs = 10_000;

/** Finds the format of a request's model, once per model. */
export class FormatChooser {
  readonly #settings: ProxySettings;
  readonly #known = new Map<string, Known>();
  readonly #finding = new Map<string, Promise<Found>>();
  /** By their text: reading one takes long, and a server of one model serves it under every name. */
  readonly #templates = new Map<string, Promise<TemplateReading | string>>();

  constructor(settings: ProxySettings) {
    this.#settings = settings;
  }

  /**
   * @param report gets what whoever runs the proxy should know
   * @throws Problem when the format of the model is not known
   */
  async choose(model: string, { headers }: Passage, report: (note: string) => void): Promise<ChosenFormat> {
    const { chosen, notes } = await this.#found(model, headers);
    for (const note of notes) report(note);
    if (chosen === undefined) throw invalid(unknownFormat(model), "model");
    return chosen;
  }

  async #found(model: string, headers: Headers): Promise<Found> {
    const known = this.#known.get(model);
    if (known !== undefined && known.until > performance.now()) return known;
    return this.#finding.get(model) ?? this.#begin(model, headers);
  }

  /** Several clients may wait for one answer, so one that leaves does not end it. */
  #begin(model: string, headers: Headers): Promise<Found> {
    const finding = this.#find(model, { headers, signal: new AbortController().signal })
      .then((found) => this.#remember(model, found))
      .finally(() => this.#finding.delete(model));
    this.#finding.set(model, finding);
    return finding;
  }

  #remember(model: string, found: Found): Found {
    const known = this.#known.get(model);
    // What was known is better than nothing while the upstream does not answer.
    const best = found.isCertain || known === undefined ? found : known;
    if (best.chosen === undefined) return best;
    const until = performance.now() + (found.isCertain ? freshMs : uncertainMs);
    keep(this.#known, model, { ...best, until }, rememberedMax);
    return best;
  }

  async #find(model: string, passage: Passage): Promise<Found> {
    const { format } = this.#settings;
    if (format !== "by-model") return { chosen: this.#reading(format, model), notes: [], isCertain: true };
    const served = await servedModel(model, passage, this.#settings);
    const notes: string[] = [];
    const found = await this.#ofServed(formatForModel(model), served, notes);
    const chosen = found === undefined ? undefined : this.#reading(found, model);
    return { chosen, notes, isCertain: !served.isPartial() };
  }

  #reading(format: Format | ProxySettings["format"], model: string): ChosenFormat | undefined {
    const reading = readingOptions(this.#settings, format);
    try {
      return { reading, format: promptFormatOf(reading, model) };
    } catch (error) {
      // With `auto` the format that is written may be unknown although every format can be read.
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  }

  /**
   * What the template writes is what the model was taught; a name is what a client, or a server, says of it. Where several
   * formats read the template, that of the name says more of the model.
   */
  async #ofServed(named: Format | undefined, served: ServedModel, notes: string[]): Promise<Format | undefined> {
    const read = served.template === undefined ? undefined : await this.#template(served.template);
    if (typeof read === "string") notes.push(read);
    const template = typeof read === "object" ? read : undefined;
    if (template?.prefill !== undefined && this.#settings.prefill === undefined) {
      notes.push(
        `the upstream's chat template opens ${JSON.stringify(template.prefill)} for the model: where the server does not ` +
          "split thoughts off itself, start the proxy with it as prefill",
      );
    }
    const byName = named ?? (await this.#ofNames(template, served));
    if (template === undefined) return byName;
    // What was made from a template has read nothing but what it was made from.
    const isNamed = byName !== undefined && (template.readBy.includes(byName.id) || template.readBy.length === 0);
    return isNamed ? byName : template.format;
  }

  async #ofNames(template: TemplateReading | undefined, served: ServedModel): Promise<Format | undefined> {
    if (template?.readBy.length === 1) return undefined;
    for (const name of await served.names()) {
      const found = formatForModel(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** What a template comes to, or the sentence that says why it is not used. */
  #template(source: TemplateSource): Promise<TemplateReading | string> {
    const { formatOfTemplate } = this.#settings;
    const known = this.#templates.get(source.chat_template);
    if (known !== undefined) return known;
    const reading =
      formatOfTemplate === undefined
        ? Promise.resolve("the upstream serves a chat template, and the proxy was given no `formatOfTemplate`")
        : formatOfTemplate(source).catch(
            (error: Error) => `the upstream's chat template is not used: ${error.message}`,
          );
    keep(this.#templates, source.chat_template, reading, templatesMax);
    return reading;
  }
}

function unknownFormat(model: string): string {
  return `no format is known for the model ${JSON.stringify(model)}: start the proxy with the format that it writes`;
}

/** The oldest are forgotten first. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  if (map.size >= most) map.delete(map.keys().next().value as string);
  map.set(key, value);
}
