/** A reply in, calls out. */
import { parse } from "toolpeg";

const tools = [
  { name: "read_dial", parameters: { type: "object", properties: { dial: { type: "string" } } } },
] as const;
const reply = `Reading both.
<tool_call>{"name": "read_dial", "arguments": {"dial": 'north'}}</tool_call>
<tool_call>{"name": "read_dial", "arguments": {"dial": 7}}</tool_call>`;

const { calls, content, rejected } = parse(reply, { format: "hermes", tools });
console.log(content.trim());
for (const call of calls) console.log("run", call.name, call.arguments, call.repairs);
for (const { reason } of rejected) console.log("refused:", reason);

/* Prints
Reading both.
run read_dial { dial: 'north' } [ { kind: 'quote-style', level: 'safe', start: 69, end: 70 } ]
refused: schema
*/
