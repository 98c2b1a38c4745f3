/** Agent loops of `openai` (`runTools`) and `@openai/agents` in five formats, through the proxy as their `fetch`. */
import {
  Agent,
  tool as agentTool,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
} from "@openai/agents";
import OpenAI from "openai";
import { createProxy } from "toolpeg/proxy";
import { describe, expect, test } from "vitest";
import {
  dialSchema,
  finalAnswer,
  healedAnswer,
  healingReplies,
  loopFormats,
  loopRan,
  loopReplies,
  noArguments,
  Panel,
  refusedReplies,
  Script,
} from "./support/agent-scripts.ts";

setTracingDisabled(true);

/** A client whose requests go through the proxy, in process, to a server that says what the script says. */
function clientOf(script: Script, format: string): OpenAI {
  const server = async (_url: unknown, { body }: { body?: unknown } = {}): Promise<Response> => {
    const { stream, messages } = JSON.parse(String(body));
    const frame = { id: "up", created: 1, model: "m" };
    if (stream !== true) {
      const choices = [
        { index: 0, message: { role: "assistant", content: script.say(messages) }, finish_reason: "stop" },
      ];
      return Response.json({ ...frame, object: "chat.completion", choices });
    }
    const deltas = script.chunks(messages).map((content) => ({ index: 0, delta: { content }, finish_reason: null }));
    const all = [...deltas, { index: 0, delta: {}, finish_reason: "stop" }];
    const lines = all.map(
      (choice) => `data: ${JSON.stringify({ ...frame, object: "chat.completion.chunk", choices: [choice] })}\n\n`,
    );
    const headers = { "content-type": "text/event-stream" };
    return new Response(`${lines.join("")}data: [DONE]\n\n`, { headers });
  };
  const handle = createProxy({ upstream: "http://model/v1", format, fetch: server as typeof fetch });
  return new OpenAI({
    apiKey: "none",
    baseURL: "http://proxy/v1",
    maxRetries: 0,
    fetch: async (url, init) => handle(new Request(url as string, init as RequestInit)),
  });
}

interface Ended {
  ran: string[];
  text: string;
}

async function runTools(script: Script, format: string, isStreamed: boolean): Promise<Ended> {
  const panel = new Panel();
  const request = {
    model: "m",
    messages: [{ role: "user" as const, content: "What do the dials say?" }],
    tools: [
      {
        type: "function" as const,
        function: {
          name: "list_dials",
          parameters: noArguments,
          function: async () => JSON.stringify(panel.list_dials()),
        },
      },
      {
        type: "function" as const,
        function: {
          name: "read_dial",
          parameters: dialSchema,
          parse: JSON.parse,
          function: async (given: unknown) => String(panel.read_dial(given)),
        },
      },
    ],
  };
  const { completions } = clientOf(script, format).chat;
  const runner = isStreamed
    ? completions.runTools({ ...request, stream: true } as never)
    : completions.runTools(request as never);
  return {
    text: String(await (runner as unknown as { finalContent(): Promise<string> }).finalContent()),
    ran: panel.ran,
  };
}

async function runAgent(script: Script, format: string, isStreamed: boolean, interfaceName: string): Promise<Ended> {
  const panel = new Panel();
  const client = clientOf(script, format) as never;
  const Model = interfaceName === "responses" ? OpenAIResponsesModel : OpenAIChatCompletionsModel;
  const agent = new Agent({
    name: "panel",
    model: new Model(client, "m"),
    tools: [
      agentTool({
        name: "list_dials",
        description: "Lists.",
        parameters: noArguments as never,
        strict: false,
        execute: async () => panel.list_dials(),
      }),
      agentTool({
        name: "read_dial",
        description: "Reads.",
        parameters: dialSchema as never,
        strict: false,
        execute: async (given) => panel.read_dial(given),
      }),
    ],
  });
  const runner = new Runner();
  if (!isStreamed) {
    const { finalOutput } = await runner.run(agent, "What do the dials say?", { maxTurns: 5 });
    return { text: String(finalOutput), ran: panel.ran };
  }
  const result = await runner.run(agent, "What do the dials say?", { maxTurns: 5, stream: true });
  for await (const _event of result);
  await result.completed;
  return { text: String(result.finalOutput), ran: panel.ran };
}

const stacks: { title: string; run: (script: Script, format: string) => Promise<Ended> }[] = [
  ...[false, true].map((isStreamed) => ({
    title: `openai, runTools${isStreamed ? ", streamed" : ""}`,
    run: (script: Script, format: string) => runTools(script, format, isStreamed),
  })),
  ...["chat completions", "responses"].flatMap((name) =>
    [false, true].map((isStreamed) => ({
      title: `@openai/agents, ${name}${isStreamed ? ", streamed" : ""}`,
      run: (script: Script, format: string) => runAgent(script, format, isStreamed, name),
    })),
  ),
];

describe.each(stacks)("$title", ({ run }) => {
  test.each(loopFormats)("two tools in %s, to the end", async (format) => {
    expect(await run(new Script(loopReplies(format)), format)).toEqual({ ran: loopRan, text: finalAnswer });
  });

  describe.each(refusedReplies)("$cause", ({ text: refused, reason }) => {
    test("makes the model be asked again", async () => {
      const script = new Script(healingReplies(refused));
      expect(await run(script, "hermes")).toEqual({ ran: ["read_dial north"], text: healedAnswer });
      expect(script.asked[1]).toContain("was not run");
    });

    test("for ever: nothing runs, and the refusal is seen", async () => {
      const { ran, text } = await run(new Script([refused], true), "hermes");
      expect([ran, text]).toEqual([[], expect.stringContaining(`refused and not run: ${reason}: `)]);
    });
  });
});
