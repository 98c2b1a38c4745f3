/**
 * Tools for a chat model of LangChain that writes its calls as text. `npm install @langchain/core` as well.
 */
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { hermes } from "toolpeg/formats/hermes";
import { ToolCallChatModel } from "toolpeg/langchain";

/** Stands for a model of any provider. Its first call is refused, so it is asked again. */
const local = new FakeListChatModel({
  responses: [
    '<tool_call>\n{"name": "read_dial", "arguments": {}}\n</tool_call>',
    '<tool_call>\n{"name": "read_dial", "arguments": {"dial": "north"}}\n</tool_call>',
    "The north dial stands at 3.",
  ],
});

const readDial = tool(async (given) => ((given as { dial: string }).dial === "north" ? "3" : "0"), {
  name: "read_dial",
  description: "Reads one dial of the panel.",
  schema: { type: "object", properties: { dial: { type: "string" } }, required: ["dial"] },
});

const model = new ToolCallChatModel({
  model: local,
  format: hermes,
  onRejection: ({ reason, name }) => console.log("refused:", reason, name),
}).bindTools([readDial]);

const question = new HumanMessage("What does the north dial say?");
const asked = await model.invoke([question]);
const [call] = asked.tool_calls ?? [];
console.log("run:", call.name, call.args);
const result = new ToolMessage({ tool_call_id: call.id ?? "", content: await readDial.invoke(call.args) });
console.log((await model.invoke([question, asked, result])).content);

/* Prints
refused: schema read_dial
run: read_dial { dial: 'north' }
The north dial stands at 3.
*/
