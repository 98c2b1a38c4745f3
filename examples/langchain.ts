/**
 * A result as the fields of a LangChain `AIMessage`, which then goes into any agent: `new AIMessage(toAIMessage(result))`.
 * Plain objects, so this file needs no LangChain.
 */
import { type ParseResult, parse } from "toolpeg";
import { uniqueCallIds } from "toolpeg/openai";

export function toAIMessage(result: Pick<ParseResult, "calls" | "content" | "reasoning" | "rejected">) {
  return {
    content: result.content,
    tool_calls: result.calls.map(({ id, name, arguments: args }) => ({ type: "tool_call" as const, id, name, args })),
    invalid_tool_calls: result.rejected
      .filter(({ name }) => name !== undefined)
      .map(({ name, raw, message }) => ({ type: "invalid_tool_call" as const, name, args: raw, error: message })),
    additional_kwargs: result.reasoning === "" ? {} : { reasoning_content: result.reasoning },
  };
}

const tools = [
  { name: "read_dial", parameters: { type: "object", properties: { dial: { type: "string" } } } },
] as const;
const reply = `<tool_call>{"name": "read_dial", "arguments": {"dial": "north"}}</tool_call>
<tool_call>{"name": "open_door", "arguments": {}}</tool_call>`;

const message = toAIMessage(parse(reply, { format: "hermes", tools, id: uniqueCallIds() }));
console.log(message.tool_calls.map(({ name, args }) => [name, args]));
console.log(message.invalid_tool_calls.map(({ name }) => name));

/* Prints
[ [ 'read_dial', { dial: 'north' } ] ]
[ 'open_door' ]
*/
