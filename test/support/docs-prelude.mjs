// What fragments in README and docs take for granted: names that a reader has in a program of their own.
import { generateText, simulateReadableStream } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { formats, parse } from "toolpeg";
import { toolCallMiddleware } from "toolpeg/ai-sdk";
import { exportConstraint } from "toolpeg/export";
import { hermes } from "toolpeg/formats/hermes";

const reply = 'Looking.\n<tool_call>{"name": "read_dial", "arguments": {"dial": "north"}}</tool_call>';
const parameters = { type: "object", properties: { dial: { type: "string" } }, required: ["dial"] };
const tools = [{ name: "read_dial", parameters: { ...parameters, additionalProperties: false } }];
const constraint = exportConstraint(hermes, { tools, toolChoice: "auto" });
const { lazy, preservedTokens } = constraint.gbnf();
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
  askTheModel: async () => reply,
  completion: { choices: [{ message: { content: reply } }], generateCompletion: async () => reply },
  constraint,
  formats,
  generateText,
  hermes,
  lazy,
  llama: { createGrammar: async () => ({}) },
  log: () => {},
  messages: [{ role: "user", content: "What does the north dial say?" }],
  model: scripted,
  modelOutput: simulateReadableStream({
    chunks: ["Look", 'ing.\n<tool_call>{"name": "read_dial", "argu', 'ments": {"dial": "north"}}</tool_call>'],
  }),
  parse,
  preservedTokens,
  prompt: "What does the north dial say?",
  provider: () => scripted,
  reply,
  request: {},
  run: () => {},
  show: () => {},
  toolCallMiddleware,
  tools,
});
