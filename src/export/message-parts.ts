import type { RenderTemplate } from "../contract/render-template.ts";
import type { Format } from "../formats/format.ts";
import type { Tool, ToolSet } from "../validation/tools.ts";
import { fillPieces, wholeMarkers } from "./markers.ts";
import type { Notes } from "./notes.ts";
import { all, any, many, nothing, optional, type Part, text } from "./parts.ts";
import { gapsAfterProse, prosePart, thoughtsPart } from "./prose-parts.ts";

export interface MessageOptions {
  readonly toolChoice: "auto" | "required" | "none" | { readonly name: string };
  readonly parallel: boolean;
  readonly reasoning: "closed" | "prefilled" | "may";
  readonly prose: "any" | "no-code";
}

export interface MessageParts {
  readonly root: Part;
  /** Calls alone, from their first marker on: for engines that constrain from a trigger. */
  readonly section: Part;
  /** What begins a section, where text may stand before it. Empty: nothing that text could not hold. */
  readonly triggers: readonly string[];
  readonly prefill: string | undefined;
}

/** A whole message: thoughts, text and calls, as the options ask for them. */
export function messageParts(
  format: Format,
  template: RenderTemplate,
  tools: ToolSet,
  callOf: (tool: Tool) => Part,
  options: MessageOptions,
  notes: Notes,
): MessageParts {
  const { toolChoice, reasoning } = options;
  const named = typeof toolChoice === "object" ? tools.get(toolChoice.name) : undefined;
  const offered = toolChoice === "none" ? [] : named === undefined ? tools.list : [named];
  const call = any(...offered.map(callOf));
  const { open } = template;
  // What ends thoughts and is the first text of the frame is written once: by the thoughts, where there are any.
  const closer = format.reasoning.map(({ close }) => close).find((close) => open.startsWith(close)) ?? "";
  const [blank] = /^\s*/.exec(open.slice(closer.length)) as RegExpExecArray;
  const skip = closer === "" ? "" : closer + blank;
  const section = (left: string) => sectionOf(format, template, call, options, notes, left);
  // Text and then calls are written where the model may choose.
  const gaps = toolChoice === "auto" && offered.length > 0 ? gapsAfterProse(format, template, notes) : [];
  const prose = prosePart(format, template, tools, options.prose);
  const answer = (calls: Part): Part => {
    if (toolChoice === "none") return optional(prose);
    if (toolChoice !== "auto") return calls;
    const alone = any(calls, prose, nothing);
    return gaps.length === 0 ? alone : any(all(prose, any(...gaps.map(text)), calls), alone);
  };
  const thoughts = thoughtsPart(format, template, tools, reasoning, skip, notes);
  const plain = answer(section(""));
  const thoughtful = thoughts === undefined ? plain : all(thoughts.part, answer(section(skip)));
  return {
    root: reasoning === "may" ? any(thoughtful, plain) : thoughtful,
    section: section(closer + blank),
    triggers: gaps.length === 0 ? [] : triggersOf(format, template, tools.names, closer.length + blank.length),
    prefill: thoughts?.prefill,
  };
}

/** Calls in their frame; `skip`: a beginning of the frame that is left out. */
function sectionOf(
  format: Format,
  template: RenderTemplate,
  call: Part,
  options: MessageOptions,
  notes: Notes,
  skip: string,
): Part {
  const { open, between, close } = template;
  const isNamed = typeof options.toolChoice === "object";
  if (options.parallel && between === undefined && !isNamed) {
    notes.add("", "one-call", "a message of this format carries one call");
  }
  const list = (one: Part, joint: string) =>
    options.parallel && between !== undefined && !isNamed ? many(one, { between: joint, min: 1 }) : one;
  const head = text(open.slice(skip.length));
  // What ends the turn is a token that servers keep for themselves, so at the end of the message it may be missing.
  const closeStop = format.stop.find((token) => close.endsWith(token));
  if (closeStop !== undefined) {
    const tail = all(text(close.slice(0, -closeStop.length)), optional(text(closeStop)));
    return all(head, list(call, between ?? ""), tail);
  }
  const callStop = close === "" ? format.stop.find((token) => endsWith(call, token)) : undefined;
  if (callStop === undefined) return all(head, list(call, between ?? ""), text(close));
  return all(head, list(withoutEnd(call, callStop), `${callStop}${between ?? ""}`), optional(text(callStop)));
}

function endsWith(part: Part, end: string): boolean {
  if (part.type === "text") return part.text.endsWith(end);
  if (part.type === "all") return endsWith(part.parts[part.parts.length - 1], end);
  return part.type === "any" && part.parts.length > 0 && part.parts.every((one) => endsWith(one, end));
}

function withoutEnd(part: Part, end: string): Part {
  if (part.type === "text") return text(part.text.slice(0, -end.length));
  if (part.type === "any") return any(...part.parts.map((one) => withoutEnd(one, end)));
  if (part.type !== "all") return part;
  const last = part.parts.length - 1;
  return all(...part.parts.slice(0, last), withoutEnd(part.parts[last], end));
}

/**
 * What shows that a call begins: one word for all tools where the frame has one, else a word for each. It is as short as
 * it can be: the rest of an opener is held to the grammar, whether the model would write it as its template does or not.
 */
function triggersOf(format: Format, template: RenderTemplate, names: readonly string[], skip: number): string[] {
  const at = template.call.findIndex((piece) => typeof piece !== "string");
  const opener = `${template.open}${fillPieces(template.call.slice(0, at), "", "")}`.slice(skip);
  const ends = format.triggers.flatMap((trigger) => {
    const found = trigger.trim().length > 1 ? opener.indexOf(trigger.trim()) : -1;
    return found < 0 ? [] : [found + trigger.trim().length];
  });
  const [marker = ""] = wholeMarkers(opener);
  if (marker !== "" && opener.startsWith(marker)) ends.push(marker.length);
  if (ends.length > 0) {
    const end = Math.min(...ends);
    const [more] = /^[^\n{["]*/.exec(opener.slice(end)) as RegExpExecArray;
    const short = (opener.slice(0, end) + more).trimEnd();
    return [/[^\p{L}\p{N}_]/u.test(short) ? short : opener.trimEnd()];
  }
  const [after = ""] = fillPieces(template.call.slice(at + 1, at + 2), "", "").trim();
  return names.map((name) => `${opener}${name}${after}`);
}
