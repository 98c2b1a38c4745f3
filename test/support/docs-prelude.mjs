// What fragments in README and docs take for granted: names that a reader has in a program of their own.
import { generateText, simulateReadableStream } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { formats, parse } from "toolpeg";
import { toolCallMiddleware } from "toolpeg/ai-sdk";
import { hermes } from "toolpeg/formats/hermes";

const reply = 'Looking.\n<tool_call>{"name": "read_dial", "arguments": {"dial": "north"}}</tool_call>';
const parameters = { type: "object", properties: { dial: { type: "string" } }, required: ["dial"] };
const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
const scripted = new MockLanguageModelV3({
  doGenerate: async () => ({
    content: [{ type: "text", text: reply }],
    finishReason: { unified: "stop", raw: "stop" },
    usage: { inputTokens: tokens, outputTokens: tokens },
    warnings: [],
  }),
});

Object.assign(globalThis, {
  completion: { choices: [{ message: { content: reply } }] },
  formats,
  generateText,
  hermes,
  log: () => {},
  model: scripted,
  modelOutput: simulateReadableStream({
    chunks: ["Look", 'ing.\n<tool_call>{"name": "read_dial", "argu', 'ments": {"dial": "north"}}</tool_call>'],
  }),
  parse,
  prompt: "What does the north dial say?",
  provider: () => scripted,
  reply,
  request: {},
  run: () => {},
  show: () => {},
  toolCallMiddleware,
  tools: [{ name: "read_dial", parameters }],
});
