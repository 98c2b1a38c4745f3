/** Tools for a model that writes its calls as text, in the Vercel AI SDK. `npm install ai` as well. */
import { generateText, jsonSchema, stepCountIs, tool, wrapLanguageModel } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { toolCallMiddleware } from "toolpeg/ai-sdk";
import { hermes } from "toolpeg/formats/hermes";

/** Stands for a model of any provider, such as a local server that speaks the OpenAI interface. */
const replies = [
  'Let me look.\n<tool_call>\n{"name": "read_dial", "arguments": {"dial": "north"}}\n</tool_call>',
  "The north dial stands at 3.",
];
const local = new MockLanguageModelV3({
  doGenerate: async () => ({
    content: [{ type: "text", text: replies.shift() ?? "" }],
    finishReason: { unified: "stop", raw: "stop" },
    usage: {
      inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 0, text: 0, reasoning: 0 },
    },
    warnings: [],
  }),
});

const model = wrapLanguageModel({
  model: local,
  middleware: toolCallMiddleware({
    format: hermes,
    onRejection: ({ reason, message }) => console.log("refused:", reason, message),
  }),
});

const { text, steps } = await generateText({
  model,
  stopWhen: stepCountIs(3),
  prompt: "What does the north dial say?",
  tools: {
    read_dial: tool({
      description: "Reads one dial of the panel.",
      inputSchema: jsonSchema<{ dial: string }>({
        type: "object",
        properties: { dial: { type: "string" } },
        required: ["dial"],
      }),
      execute: async ({ dial }) => (dial === "north" ? 3 : 0),
    }),
  },
});
for (const step of steps) for (const call of step.toolCalls) console.log("ran", call.toolName, call.input);
console.log(text);

/* Prints
ran read_dial { dial: 'north' }
The north dial stands at 3.
*/
