/** What a model says in an agent's loop, step by step, and what must come of it: the same for every stack. */
import { formats } from "../../src/index.ts";
import { oddChunks } from "./corpus-runs.ts";

/** Formats that differ in everything: JSON in tags, parameters in tags, channels, section markers with ids, keys and values. */
export const loopFormats = ["hermes", "qwen3_coder", "harmony", "kimi_k2", "glm45"];

export const dialSchema = {
  type: "object" as const,
  properties: { dial: { type: "string" as const, description: "Its name." } },
  required: ["dial"],
  additionalProperties: false,
};
export const noArguments = { type: "object" as const, properties: {}, additionalProperties: false };

/** The tools of every loop, and a record of what ran. */
export class Panel {
  readonly ran: string[] = [];

  readonly list_dials = (): string[] => {
    this.ran.push("list_dials");
    return ["north", "south"];
  };

  readonly read_dial = (given: unknown): number => {
    const { dial } = given as { dial: string };
    this.ran.push(`read_dial ${dial}`);
    return dial === "north" ? 3 : 5;
  };
}

export const finalAnswer = "North stands at 3, south at 5.";

/** Lists the dials, reads both in one message, answers. */
export function loopReplies(format: string): string[] {
  const { renderCalls } = formats.get(format);
  return [
    `Let me look.\n${renderCalls([{ name: "list_dials", arguments: {}, id: "functions.list_dials:0" }])}`,
    renderCalls([
      { name: "read_dial", arguments: { dial: "north" }, id: "functions.read_dial:0" },
      { name: "read_dial", arguments: { dial: "south" }, id: "functions.read_dial:1" },
    ]),
    finalAnswer,
  ];
}

export const loopRan = ["list_dials", "read_dial north", "read_dial south"];

const wrapped = (payload: string) => `<tool_call>\n${payload}\n</tool_call>`;

/** One reply for each way in which a call is refused, in hermes. */
export const refusedReplies: { cause: string; reason: string; text: string; finish?: string }[] = [
  { cause: "unknown tool", reason: "unknown-tool", text: wrapped('{"name": "open_door", "arguments": {}}') },
  { cause: "wrong type", reason: "schema", text: wrapped('{"name": "read_dial", "arguments": {"dial": ["north"]}}') },
  { cause: "missing key", reason: "schema", text: wrapped('{"name": "read_dial", "arguments": {}}') },
  {
    cause: "cut call",
    reason: "truncated",
    text: '<tool_call>\n{"name": "read_dial", "arguments": {"dial": "nor',
  },
  { cause: "malformed", reason: "malformed", text: wrapped('{"name": "read_dial", "argumnets": {"dial": "north"}}') },
  {
    cause: "ambiguous",
    reason: "ambiguous",
    text: wrapped('{"name": "read_dial", "dial": "north", "arguments": {"dial": "south"}}'),
  },
];

export const healedAnswer = "It stands at 3.";

/** The refused reply, the call made well, the answer. */
export const healingReplies = (refused: string): string[] => [
  refused,
  formats.get("hermes").renderCalls([{ name: "read_dial", arguments: { dial: "north" } }]),
  healedAnswer,
];

/** A model that says one text after the other, and remembers what it was asked. */
export class Script {
  readonly asked: string[] = [];
  readonly #replies: string[];
  #at = 0;

  /** @param repeats the last reply is said for ever */
  constructor(replies: readonly string[], repeats = false) {
    this.#replies = [...replies];
    this.#repeats = repeats;
  }

  readonly #repeats: boolean;

  /** The next reply. */
  say(prompt: unknown): string {
    this.asked.push(JSON.stringify(prompt));
    const last = this.#replies.length - 1;
    const at = this.#at++;
    if (at > last && !this.#repeats) throw new Error(`the script has ${last + 1} replies and was asked for one more`);
    return this.#replies[Math.min(at, last)];
  }

  /** The next reply in chunks that end nowhere sensible. */
  chunks(prompt: unknown): string[] {
    return oddChunks(this.say(prompt));
  }
}
