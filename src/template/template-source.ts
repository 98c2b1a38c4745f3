/** The part of `tokenizer_config.json` that says how a model writes; a file read from disk may hold more. */
export interface TokenizerConfig {
  /** The template, or several by name: `default`, `tool_use`, `rag`. */
  chat_template?: string | readonly NamedTemplate[] | Readonly<Record<string, string>> | null | undefined;
  /** The token that begins a text, as templates print it. */
  bos_token?: SpecialToken | null | undefined;
  /** The token that ends a turn, as templates print it. */
  eos_token?: SpecialToken | null | undefined;
  /** What Hugging Face's tools read replies with: only its plain markers are looked at, as a hint. */
  response_template?: unknown;
  /** The older name of the same. */
  response_schema?: unknown;
  /** Names the model, for the header of a grammar that is made. */
  name_or_path?: string | undefined;
}

/** One of several templates of a model. */
export interface NamedTemplate {
  name: string;
  template: string;
}

/** A token as text, or as the object that tokenizers store. */
export type SpecialToken = string | { content?: string | undefined };

/** A template with what it prints around a conversation. */
export interface SourceTemplate {
  /** Undefined where a model has one template. */
  name: string | undefined;
  text: string;
}

/** A source in one shape, whatever it came as. */
export interface TemplateSource {
  /** In the order in which they are tried: the one for tools first. */
  templates: SourceTemplate[];
  bosToken: string;
  eosToken: string;
  /** Markers of thoughts that `response_template` names. A hint: the template itself counts for more. */
  thoughts: { open: string; close: string } | undefined;
  model: string | undefined;
}

/** Longer texts are no chat template; the longest known one has a tenth of it. */
const templateCharsMax = 1 << 20;

/**
 * Reads a source.
 *
 * @throws TypeError when it holds no template
 */
export function templateSourceOf(source: string | TokenizerConfig): TemplateSource {
  const config: TokenizerConfig = typeof source === "string" ? { chat_template: source } : source;
  if (typeof config !== "object" || config === null) {
    throw new TypeError("a template is given as its text, or as the object that tokenizer_config.json holds");
  }
  const templates = templatesOf(config.chat_template);
  if (templates.length === 0) {
    throw new TypeError(
      "there is no chat template: give its text, or an object with `chat_template` such as tokenizer_config.json",
    );
  }
  for (const { text } of templates) {
    if (text.length > templateCharsMax)
      throw new TypeError(`a template of ${text.length} characters is no chat template`);
  }
  return {
    templates,
    bosToken: tokenText(config.bos_token),
    eosToken: tokenText(config.eos_token),
    thoughts: thoughtsOfResponse(config.response_template ?? config.response_schema),
    model: typeof config.name_or_path === "string" && config.name_or_path !== "" ? config.name_or_path : undefined,
  };
}

const preferred = ["tool_use", "default"];

function templatesOf(given: TokenizerConfig["chat_template"]): SourceTemplate[] {
  if (typeof given === "string") return given.trim() === "" ? [] : [{ name: undefined, text: given }];
  if (typeof given !== "object" || given === null) return [];
  const named = Array.isArray(given)
    ? (given as readonly NamedTemplate[]).map(({ name, template }) => ({ name, text: template }))
    : Object.entries(given as Readonly<Record<string, string>>).map(([name, text]) => ({ name, text }));
  const rank = ({ name }: SourceTemplate) => {
    const at = preferred.indexOf(name ?? "");
    return at < 0 ? preferred.length : at;
  };
  return named
    .filter(({ name, text }) => typeof name === "string" && typeof text === "string" && text.trim() !== "")
    .sort((left, right) => rank(left) - rank(right));
}

function tokenText(token: SpecialToken | null | undefined): string {
  const text = typeof token === "object" && token !== null ? token.content : token;
  return typeof text === "string" ? text : "";
}

/** Characters that mean something in a regular expression: a text with one of them may be one, and none is ever run. */
const expressionSigns = /[\\()*+?^$]/;
const valuesMax = 10_000;

/** The plain `open` and `close` of the field that holds thoughts. */
function thoughtsOfResponse(response: unknown): TemplateSource["thoughts"] {
  const queue: { name: string; value: unknown }[] = [{ name: "", value: response }];
  for (let at = 0; at < queue.length && at < valuesMax; at++) {
    const { name, value } = queue[at];
    if (typeof value !== "object" || value === null) continue;
    const { open, close } = value as { open?: unknown; close?: unknown };
    if (/think|reason|thought/i.test(name) && isMarker(open) && isMarker(close))
      return { open: open.trim(), close: close.trim() };
    for (const [key, member] of Object.entries(value)) queue.push({ name: `${name}.${key}`, value: member });
  }
  return undefined;
}

const isMarker = (value: unknown): value is string =>
  typeof value === "string" && value.trim() !== "" && !expressionSigns.test(value);
