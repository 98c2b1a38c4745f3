import { spacedJson } from "../rendering/write-calls.ts";
import { commonMarkedEnd, commonMarkedStart, markersIn } from "./markers.ts";
import { type Probe, plainTools, wireTools } from "./probes.ts";
import type { Renderer, TemplateMessage } from "./render.ts";

/** One of the ways in which templates take a conversation. */
export interface Manner {
  /** Which tools are given. Some templates write no calls without any, and a few fail where their types are not plain. */
  tools: keyof typeof toolSets;
  /** What `content` is where an assistant only calls. */
  content: "empty" | "null" | "absent";
  /** Arguments as an object, or as JSON text. */
  arguments: "object" | "text";
  /** Ids of nine letters and digits, or with the name in them. */
  ids: "plain" | "named";
  /** Does a result follow the calls? */
  followed: boolean;
  /** Is text given as a list of parts, as models that see images have it? */
  parts: boolean;
}

/** Every manner, the usual ones first. */
export const manners: readonly Manner[] = (["all", "plain", "none"] as const).flatMap((tools) =>
  [false, true].flatMap((parts) =>
    (["plain", "named"] as const).flatMap((ids) =>
      [false, true].flatMap((followed) =>
        (["object", "text"] as const).flatMap((args) =>
          (["empty", "null", "absent"] as const).map((content) => ({
            tools,
            content,
            arguments: args,
            ids,
            followed,
            parts,
          })),
        ),
      ),
    ),
  ),
);

/** What surrounds a reply in a template. */
export interface Frame {
  /** What stands between a question and the role of the assistant. */
  before: string;
  /** The role of the assistant, where the template writes one. */
  header: string;
  /** What the generation prompt writes after the role. */
  opened: string;
  /** What ends a turn. */
  end: string;
}

const question = "Which ferry goes north?";
const answer = "The 09:40 does, from quay 7.";
const contentOf = (text: string, { parts }: Manner) => (parts ? [{ type: "text", text }] : text);
const askedIn = (manner: Manner): TemplateMessage => ({ role: "user", content: contentOf(question, manner) });
const toolSets = { all: wireTools, plain: plainTools, none: undefined } as const;
type ToolSet = (typeof toolSets)[keyof typeof toolSets];
const toolsOf = ({ tools }: Manner): ToolSet => toolSets[tools];

/** What stands after the question. Templates may repeat it in an instruction, so the last one counts. */
function behindQuestion(text: string | undefined): string | undefined {
  const at = text?.lastIndexOf(question) ?? -1;
  return at < 0 ? undefined : text?.slice(at + question.length);
}

/** What the template writes round replies; undefined where it cannot write a conversation in this manner. */
export function frameOf(render: Renderer, manner: Manner, openers: readonly string[]): Frame | undefined {
  const tools = toolsOf(manner);
  const asked = askedIn(manner);
  const asking = behindQuestion(render([asked], { tools }));
  const answered = { role: "assistant", content: contentOf(answer, manner) };
  const plain = behindQuestion(render([asked, answered], { tools }));
  const at = plain?.indexOf(answer) ?? -1;
  if (asking === undefined || plain === undefined || at < 0) return undefined;
  const before = asking.slice(0, commonMarkedStart(asking, plain));
  const written = plain.slice(before.length);
  const generation = generationOf(render, asked, tools);
  let header = generation.slice(0, sharedStart(generation, written));
  for (const thinking of [true, false]) {
    const other = generationOf(render, asked, tools, thinking);
    if (other !== "") header = header.slice(0, sharedStart(header, other));
  }
  if (header === "") {
    // An instruction that stands after the last question has parted the two inside the role.
    const role = markersIn(generation).find((marker) =>
      written.startsWith(generation.slice(generation.indexOf(marker))),
    );
    if (role !== undefined) header = generation.slice(generation.indexOf(role));
    // Where nothing asks for a reply, the turn begins with what stands before every answer.
    else if (generation === "") header = written.slice(0, written.indexOf(answer));
  }
  // Where every turn begins with an open block, no two texts differ before it.
  const found = openers.map((opener) => header.indexOf(opener)).filter((index) => index >= 0);
  if (found.length > 0) header = header.slice(0, Math.min(...found));
  const opened = generation.endsWith(header) ? "" : generation.slice(header.length);
  return { before, header, opened, end: plain.slice(at + answer.length) };
}

/** What the template adds to a conversation that the model is to go on with. */
function generationOf(render: Renderer, asked: TemplateMessage, tools: ToolSet, thinking?: boolean): string {
  const options = { tools, ...(thinking === undefined ? {} : { thinking }) };
  const asking = render([asked], options);
  const prompt = render([asked], { ...options, prompt: true });
  return asking === undefined || prompt === undefined ? "" : prompt.slice(commonMarkedStart(asking, prompt));
}

/** How much of `left` the beginning of `right` repeats, white space before it aside. */
function sharedStart(left: string, right: string): number {
  const blanks = left.length - left.trimStart().length;
  const shared = commonMarkedStart(left.trimStart(), right.trimStart());
  return shared === 0 ? 0 : blanks + shared;
}

/** `text` without `prefix`, white space round it aside; undefined where it begins with something else. */
function withoutStart(text: string, prefix: string): string | undefined {
  if (text.startsWith(prefix)) return text.slice(prefix.length);
  const bare = prefix.trim();
  if (bare === "" || !text.trimStart().startsWith(bare)) return undefined;
  return text.trimStart().slice(bare.length);
}

/** A probe as a template writes it. */
export interface WrittenProbe {
  probe: Probe;
  /** What the model would write, without role and end of turn. */
  text: string;
  /** What the prompt has opened before it; empty for nothing. */
  prefill: string;
  /** The ids that the calls were given. */
  ids: string[];
  /** Is the probe's text in it? Are its thoughts? */
  hasText: boolean;
  hasReasoning: boolean;
}

/** Writes a probe; undefined where the template refuses it, or writes something else than these calls. */
export function writeProbe(render: Renderer, probe: Probe, manner: Manner, frame: Frame): WrittenProbe | undefined {
  const whole = behindQuestion(render(messagesOf(probe, manner), { tools: toolsOf(manner) }));
  if (whole === undefined) return undefined;
  const turn = withoutStart(whole, frame.before) ?? whole;
  let text = withoutStart(turn, frame.header) ?? turn;
  if (manner.followed) {
    const result = text.indexOf(toolResult);
    if (result < 0) return undefined;
    // Between the calls and the result stand the end of the turn and the role of the next one.
    const end = frame.end.trim() === "" ? -1 : text.slice(0, result).indexOf(frame.end.trim());
    text = text.slice(0, end < 0 ? result : end);
  } else {
    text = text.slice(0, text.length - commonMarkedEnd(text, frame.end));
  }
  if (!wordsOf(probe).every((word) => text.includes(word))) return undefined;
  const rest = frame.opened.trim() !== "" ? withoutStart(text, frame.opened) : undefined;
  return {
    probe,
    text: rest ?? text,
    prefill: rest === undefined ? "" : frame.opened,
    ids: probe.calls.map((call, index) => idOf(call.name, index, manner)),
    hasText: probe.text !== undefined && text.includes(probe.text),
    hasReasoning: probe.reasoning !== undefined && text.includes(probe.reasoning),
  };
}

/** What has to stand in a text that holds the calls of a probe; values that are escaped are none. */
function wordsOf(probe: Probe): string[] {
  return probe.calls.flatMap(({ name, arguments: args }) => [
    name,
    ...Object.keys(args),
    ...Object.values(args).filter((value): value is string => typeof value === "string" && /^\w+$/.test(value)),
  ]);
}

const toolResult = "Tables of the quay";

const idOf = (name: string, index: number, { ids }: Manner) =>
  ids === "plain" ? `ferry000${index}` : `functions.${name}:${index}`;

function messagesOf(probe: Probe, manner: Manner): TemplateMessage[] {
  const calls = probe.calls.map((call, index) => ({
    id: idOf(call.name, index, manner),
    type: "function",
    function: {
      name: call.name,
      // Text is spaced as Python's own writer spaces it.
      arguments: manner.arguments === "object" ? call.arguments : spacedJson(call.arguments),
    },
  }));
  const none = { empty: { content: "" }, null: { content: null }, absent: {} }[manner.content];
  const assistant: TemplateMessage = {
    role: "assistant",
    ...(probe.text === undefined ? none : { content: contentOf(probe.text, manner) }),
    ...(probe.reasoning === undefined
      ? {}
      : { reasoning_content: probe.reasoning, reasoning: probe.reasoning, thinking: probe.reasoning }),
    tool_calls: calls,
  };
  const asked = askedIn(manner);
  if (!manner.followed) return [asked, assistant];
  const results = calls.map(({ id, function: { name } }) => ({
    role: "tool",
    tool_call_id: id,
    name,
    content: toolResult,
  }));
  return [asked, assistant, ...results];
}
