import type { RenderTemplate } from "../contract/render-template.ts";
import type { Format } from "../formats/format.ts";
import { parse } from "../parse.ts";
import { writeCalls } from "../rendering/write-calls.ts";

/** A name that every format can carry, to try how calls stand in a message. */
const sampleName = "look_up";

/** A call to try with. Undefined: the template cannot write one. */
export function sampleCall(template: RenderTemplate): string | undefined {
  try {
    return writeCalls(template, [{ name: sampleName, json: '{"x":"y"}', id: "call_0" }]);
  } catch {
    return undefined;
  }
}

/** Whether a text with a {@link sampleCall} in it is read as that call, without a repair or refusal, and this content. */
export function readsAs(format: Format, text: string, content: string, prefill?: string): boolean {
  const tools = [{ name: sampleName, parameters: { type: "object", properties: { x: { type: "string" } } } }];
  const policy = { schema: "off", repairs: "none" } as const;
  const read = parse(text, { format, tools, intent: true, policy, ...(prefill === undefined ? {} : { prefill }) });
  return read.calls.length === 1 && read.rejected.length === 0 && read.content.trim() === content;
}
