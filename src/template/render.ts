import { completeTree, completingFunctions } from "./complete-jinja.ts";
import type { SourceTemplate } from "./template-source.ts";

/** A message of a conversation, as templates are given it. */
export type TemplateMessage = Record<string, unknown>;

/** What a template is rendered with, beside the conversation. */
export interface RenderSetting {
  bosToken: string;
  eosToken: string;
}

/** A template that is ready, or the sentence that says why it is not. */
export type Renderer = (
  messages: readonly TemplateMessage[],
  options?: { tools?: readonly unknown[] | undefined; prompt?: boolean; thinking?: boolean },
) => string | undefined;

interface Jinja {
  Template: new (text: string) => { parsed: unknown; render(items: Record<string, unknown>): string };
}

let jinja: Promise<Jinja> | undefined;

/** The interpreter is loaded with the first template: an optional peer, so most users have none. */
function loadJinja(): Promise<Jinja> {
  jinja ??= import("@huggingface/jinja").catch((error: unknown) => {
    jinja = undefined;
    throw new Error("templates need the package @huggingface/jinja: npm install @huggingface/jinja", { cause: error });
  });
  return jinja;
}

/**
 * Prepares a template.
 *
 * @param faults gets what the template said when it refused to render, each sentence once
 * @throws SyntaxError or Error of the interpreter, when the text is no template
 */
export async function rendererOf(
  template: SourceTemplate,
  setting: RenderSetting,
  faults: Set<string>,
): Promise<Renderer> {
  const { Template } = await loadJinja();
  const compiled = new Template(template.text);
  completeTree(compiled.parsed);
  return (messages, { tools, prompt = false, thinking } = {}) => {
    try {
      // A template may change what it is given, so each run gets a copy.
      const given = structuredClone({ messages, tools });
      return compiled.render({
        ...completingFunctions,
        messages: given.messages,
        ...(given.tools === undefined ? {} : { tools: given.tools }),
        add_generation_prompt: prompt,
        bos_token: setting.bosToken,
        eos_token: setting.eosToken,
        ...(thinking === undefined ? {} : { enable_thinking: thinking, thinking }),
        date_string: dateString,
        datetime: dateString,
        functions: JSON.stringify(given.tools ?? []),
      });
    } catch (error) {
      faults.add(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  };
}

/** Some templates take the day from their caller; each run gets the same. */
const dateString = "1 January 2026";
