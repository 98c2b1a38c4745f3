import { isObject } from "../contract/is-object.ts";

/** One piece of a message: visible text, thoughts that the server has split off, what the model will not do, or something else. */
export interface ContentPiece {
  kind: "text" | "reasoning" | "refusal" | "other";
  text: string;
  /** What is neither text nor thoughts nor part of a call, as the provider gave it: pictures, files, what it has executed itself. */
  parts?: readonly object[];
}

/**
 * A content in its order, parts of one kind together. What is neither text nor thoughts keeps its place, since no call goes
 * on across it.
 *
 * @param split {@link splitThoughts}: they come first, and parts do not repeat them
 */
export function contentPieces(content: unknown, split: readonly ContentPiece[] = []): ContentPiece[] {
  const pieces = [...split];
  const isSplit = split.some(({ kind }) => kind === "reasoning");
  if (typeof content === "string") pieces.push({ kind: "text", text: content });
  for (const part of Array.isArray(content) ? content : isObject(content) ? [content] : []) {
    const found = pieceOf(part);
    if (found === undefined) continue;
    const piece: ContentPiece = isSplit && found.kind === "reasoning" ? { kind: "other", text: "" } : found;
    const last = pieces.at(-1);
    if (last?.kind !== piece.kind) pieces.push(piece);
    else {
      last.text += piece.text;
      if (piece.parts !== undefined) last.parts = [...(last.parts ?? []), ...piece.parts];
    }
  }
  return pieces;
}

/** The visible text of a content; nothing, where it is none. */
export const textOf = (content: unknown): string =>
  contentPieces(content)
    .map(({ kind, text }) => (kind === "text" ? text : ""))
    .join("");

/**
 * The text that a model goes on with: that of the last messages of its own, if they hold nothing else. Several in a row are one
 * turn to some servers, and what the first has opened may be open.
 */
export function begunText(
  messages: readonly { role: string; content?: unknown; tool_calls?: unknown }[],
): string | undefined {
  const texts: string[] = [];
  for (let at = messages.length - 1; at >= 0; at--) {
    const { role, content, tool_calls: calls } = messages[at];
    if (role !== "assistant" || (Array.isArray(calls) && calls.length > 0)) break;
    const pieces = contentPieces(content);
    if (pieces.length !== 1 || pieces[0].kind !== "text") break;
    texts.unshift(pieces[0].text);
  }
  return texts.length === 0 ? undefined : texts.join("\n");
}

interface Part {
  type?: unknown;
  text?: unknown;
  refusal?: unknown;
  /** Google's parts that are thoughts say so. */
  thought?: unknown;
  reasoning?: unknown;
  thinking?: unknown;
}

/** Parts whose text is what the model says. Other parts with a text may be results, documents or quotations. */
const typesOfText: readonly string[] = ["text", "output_text", "input_text", "text_delta"];

const typesOfThoughts = /think|thought|reason|summary/;

/** Undefined: nothing stands there. */
function pieceOf(part: string | Part | null | undefined): ContentPiece | undefined {
  if (part === null || part === undefined) return undefined;
  if (typeof part === "string") return { kind: "text", text: part };
  const { type, text, refusal, thought: isMarked, reasoning, thinking } = part;
  const refused = type === "refusal" ? (refusal ?? text) : undefined;
  if (typeof refused === "string") return { kind: "refusal", text: refused };
  const isThought = isMarked === true || (typeof type === "string" && typesOfThoughts.test(type));
  if (typeof text === "string" && !isThought) {
    const isText = type === undefined || type === null || typesOfText.includes(String(type));
    return isText ? { kind: "text", text } : { kind: "other", text: "", parts: [part] };
  }
  const thought = thoughtIn(isThought ? part : (reasoning ?? thinking));
  if (thought !== "") return { kind: "reasoning", text: thought };
  const isShown = typeof type === "string" && !isThought && !typesOfCalls.includes(type) && !typesOfText.includes(type);
  return { kind: "other", text: "", ...(isShown && !("functionCall" in part) ? { parts: [part] } : {}) };
}

/** Parts of calls that the provider has read and not executed: its message lists those calls, too. */
const typesOfCalls: readonly string[] = [
  "tool_use",
  "tool_call",
  "tool_call_chunk",
  "function_call",
  "input_json_delta",
];

/** Thoughts are text, or parts that hold it under a name of the provider's, as a text or in parts again. */
function thoughtIn(given: unknown): string {
  const textOfPart = (part: unknown) =>
    isObject(part) ? membersOfThoughts.map((name) => part[name]).find(isGiven) : part;
  const textsIn = (parts: readonly unknown[]) => parts.flat(2).map(textOfPart);
  return textsIn(textsIn([given]))
    .filter((text) => typeof text === "string")
    .join("");
}

const membersOfThoughts = ["text", "reasoning", "thinking", "reasoningText", "summary", "content"] as const;

/** Fields in which servers put thoughts that they have split off, as text or in parts. Several of them say the same. */
const fieldsOfThoughts = [
  "reasoning_content",
  "reasoning",
  "reasoning_text",
  "thinking",
  "reasoning_details",
  "thinking_blocks",
] as const;

/**
 * Thoughts that a server has split off, as pieces before the content: one, or none. Those that it does not show are something else.
 */
export function splitThoughts(fields: Readonly<Record<string, unknown>> | null | undefined): ContentPiece[] {
  const given = fieldsOfThoughts.map((name) => fields?.[name]).filter(isGiven);
  if (given.length === 0) return [];
  const text = given.map(thoughtIn).find((found) => found !== "");
  return [text === undefined ? { kind: "other", text: "" } : { kind: "reasoning", text }];
}

const isGiven = (value: unknown) =>
  typeof value === "object"
    ? value !== null && Object.keys(value).length > 0
    : typeof value === "string" && value !== "";

/** A call that the provider has executed itself, as its part of a content says it, or a piece of that. */
export interface ExecutedCall {
  name: string;
  argumentsText: string;
}

/** Collects such calls of a content, which comes whole or in chunks. */
export class ExecutedCalls {
  readonly all: ExecutedCall[] = [];
  readonly #byIndex = new Map<unknown, ExecutedCall>();

  /** @returns whether one begins in a content */
  take(content: unknown): boolean {
    const before = this.all.length;
    for (const part of Array.isArray(content) ? content : []) {
      if (!isObject(part)) continue;
      const { type, index, name, input = part.args ?? part.arguments } = part;
      const written = typeof input === "string" ? input : JSON.stringify(input ?? {});
      const isBegun = this.#byIndex.has(index) && typeof name !== "string";
      if (executedTypes.includes(String(type)) && !isBegun) {
        const call = { name: String(name), argumentsText: written };
        this.all.push(call);
        if (index !== undefined) this.#byIndex.set(index, call);
      } else if (type === "input_json_delta" || type === "server_tool_call_chunk") {
        const call = this.#byIndex.get(index);
        // Before the first piece an empty object stands for what is to come.
        if (call !== undefined) call.argumentsText = call.argumentsText.replace(/^\{\}$/, "") + written;
      }
    }
    return this.all.length > before;
  }
}

const executedTypes: readonly string[] = [
  "server_tool_use",
  "mcp_tool_use",
  "mcp_call",
  "server_tool_call",
  "server_tool_call_chunk",
];
