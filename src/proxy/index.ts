/**
 * `toolpeg/proxy`: tools for every client in front of any model server, as a fetch handler for Node, Bun, Deno and edge.
 *
 * @module
 */
import { createApp } from "./app.ts";
import { type ProxyOptions, resolveOptions } from "./options.ts";

export type { OnRefusal, RefusalContext, RefusalHandling } from "../adapters/refusals.ts";
export { chatMlPrompt, type Prompt } from "./chat-ml.ts";
export type { LogRecord } from "./log.ts";
export type { ConstraintForm, ProxyOptions, SendAs, TemplateReading, TemplateSource } from "./options.ts";
export type { Usage } from "./server-chunk.ts";

/**
 * Makes a proxy that gives the clients of the OpenAI, Anthropic and Ollama interfaces tools, in front of a server whose
 * model writes its calls as text.
 *
 * @returns a fetch handler: a request in, its answer out. It never rejects.
 * @throws TypeError on misuse: a misspelt option, an unknown format, an upstream that is no URL.
 */
export function createProxy(options: ProxyOptions): (request: Request) => Promise<Response> {
  const app = createApp(resolveOptions(options), { active: 0, stopping: false });
  return async (request) => app.fetch(request);
}
