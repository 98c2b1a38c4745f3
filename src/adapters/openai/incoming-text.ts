import { isObject, objectsIn } from "../../contract/is-object.ts";
import { rolesOfOthers } from "../../contract/roles-of-others.ts";
import { type ContentPiece, contentPieces, splitThoughts } from "../content-pieces.ts";
import { noId } from "../native-calls.ts";
import type { IncomingChoice, IncomingChunk, IncomingToolCallDelta } from "./shapes.ts";

/** The choices of a chunk. What a server writes in a chunk's place that is none brings none. */
export const choicesOf = (chunk: IncomingChunk | null | undefined): readonly IncomingChoice[] =>
  objectsIn(chunk?.choices);

/** What a choice brings of the message, in its order; thoughts may be in a field of their own, or parts of the content. */
export function piecesOfChoice({ delta, text }: IncomingChoice): ContentPiece[] {
  const pieces = contentPieces(delta?.content ?? text, splitThoughts(delta));
  if (delta?.refusal) pieces.push({ kind: "refusal", text: delta.refusal });
  if (isObject(delta?.audio)) pieces.push({ kind: "other", text: "" });
  return pieces;
}

/** Whether the server says that somebody else than the model has written it. */
export function isOfOthers(delta: IncomingChoice["delta"]): boolean {
  const role: unknown = delta?.role;
  return typeof role === "string" && rolesOfOthers.includes(role.toLowerCase());
}

/** Calls that a server has read itself: `tool_calls`, or the one `function_call` of older servers, which has no id. */
export function nativeCallsOf(delta: IncomingChoice["delta"]): readonly IncomingToolCallDelta[] {
  if (delta?.tool_calls) return objectsIn(delta.tool_calls);
  const called = delta?.function_call;
  if (!called) return [];
  return [{ index: 0, ...(called.name ? { id: noId } : {}), type: "function", function: called }];
}

/** Some servers give the arguments as an object, where their text is due. */
export function withText(piece: IncomingToolCallDelta): IncomingToolCallDelta {
  const given: unknown = piece.function?.arguments;
  if (!isObject(given)) return piece;
  return { ...piece, function: { ...piece.function, arguments: JSON.stringify(given) } };
}

const readFields = new Set([
  "role",
  "content",
  "reasoning_content",
  "reasoning",
  "reasoning_text",
  "thinking",
  "refusal",
  "tool_calls",
  "function_call",
]);

/** What of a server's piece of a message is neither text nor thoughts, refusals and calls. */
export const otherFields = (delta: IncomingChoice["delta"]) => withoutNulls(membersBeside(readFields, delta));

const readOfChoice = new Set(["index", "message", "delta", "text", "logprobs", "finish_reason", "whole"]);

/** What a server says of a choice beside its message, such as `content_filter_results`. */
export const otherOfChoice = (choice: object) => withoutNulls(membersBeside(readOfChoice, choice));

const readOfChunk = new Set(["id", "object", "created", "model", "choices", "usage", "error", "isLast"]);

/** What a server says beside the choices, such as llama.cpp its `timings`. */
export const otherOfChunk = (chunk: object | null | undefined) => membersBeside(readOfChunk, chunk);

type Members = Record<string, unknown>;

/** The members of an object without those that are read. */
const membersBeside = (read: ReadonlySet<string>, given: object | null | undefined): Members =>
  Object.fromEntries(Object.entries(given ?? {}).filter(([key, value]) => !read.has(key) && value !== undefined));

/** In a stream `null` says that there is nothing; undefined: there is none. */
function withoutNulls(members: Members): Members | undefined {
  const given = Object.entries(members).filter(([, value]) => value !== null);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
