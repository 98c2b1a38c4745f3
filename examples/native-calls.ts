/** Leaves the text alone when the API has delivered calls itself, or when JSON was asked for as the answer. */
import { type NativeReply, type NativeRequest, parse, shouldParseText } from "toolpeg";

const tools = [{ name: "read_dial", parameters: { type: "object", properties: { dial: { type: "string" } } } }];
const content = '<tool_call>\n{"name": "read_dial", "arguments": {"dial": "north"}}\n</tool_call>';
const native = [{ id: "1", type: "function", function: { name: "read_dial", arguments: '{"dial": "north"}' } }];

/** The calls of one reply, wherever they stand. */
function callsOf(message: NativeReply & { content: string }, request: NativeRequest): readonly unknown[] {
  if (!shouldParseText(message, request)) return message.tool_calls ?? [];
  return parse(message.content, { format: "hermes", tools }).calls;
}

console.log("in the text:", callsOf({ content }, {}).length);
console.log("beside the text:", callsOf({ content, tool_calls: native }, {}).length);
console.log("JSON as the answer:", callsOf({ content }, { response_format: { type: "json_object" } }).length);

/* Prints
in the text: 1
beside the text: 1
JSON as the answer: 0
*/
