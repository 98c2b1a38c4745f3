import type { Format } from "../formats/format.ts";
import type { Tool, ToolSet } from "../gate/tools.ts";
import { parse } from "../parse.ts";
import { writeCalls } from "../rendering/write-calls.ts";
import { type RenderTemplate, slot } from "../runtime/render-template.ts";
import { fewest, fillPieces, framingTexts, markerStarts, otherMarkers, structuralMarkers } from "./markers.ts";
import type { Notes } from "./notes.ts";
import {
  all,
  any,
  charsOf,
  many,
  nothing,
  optional,
  type Part,
  rangesOf,
  text,
  textChars,
  type UntilPart,
  without,
} from "./parts.ts";

export interface MessageOptions {
  readonly toolChoice: "auto" | "required" | "none" | { readonly name: string };
  readonly parallel: boolean;
  readonly reasoning: "closed" | "prefilled" | "may";
  readonly prose: "any" | "no-code";
}

/** What text is made of: no other control characters than those that lay it out. */
const proseChars = without(textChars, [1, 8, 11, 31, 127, 127]);
const blanks = rangesOf(" \t\n\r");
/** What quotes a call in prose, beside fences and inline code. */
const quotingTags = ["~~~", "<pre", "<code", "<tool_res", "<function_res", "<example", "<!--"];
/** A name that every format can carry, to try how calls stand in a message. */
const sampleName = "look_up";
/** What other models' special tokens begin with. */
const specialStarts = ["<|", "<｜"];

export interface MessageParts {
  readonly root: Part;
  /** Calls alone, from their first marker on: for engines that constrain from a trigger. */
  readonly section: Part;
  /** What begins a section. Empty: nothing that prose could not hold. */
  readonly triggers: readonly string[];
  readonly prefill: string | undefined;
}

export function messageParts(
  format: Format,
  template: RenderTemplate,
  tools: ToolSet,
  callOf: (tool: Tool) => Part,
  options: MessageOptions,
  notes: Notes,
): MessageParts {
  const { toolChoice } = options;
  const offered = toolChoice === "none" ? [] : typeof toolChoice === "object" ? [tools.get(toolChoice.name) as Tool] : tools.list;
  const names = tools.names;
  const calls = any(...offered.map(callOf));
  const section = (skip: string) => sectionOf(format, template, calls, options, notes, skip);
  const frame = openText(template, sampleName);
  // A closer of thoughts that the template writes first is written once: by the thoughts, where there are any.
  const closer = format.reasoning.map(({ close }) => close).find((close) => frame.startsWith(close)) ?? "";
  const whole = section("");
  const [blank] = /^\s*/.exec(template.open.slice(closer.length)) as RegExpExecArray;
  const head = closer === "" ? "" : closer + blank;
  const later = closer === "" ? whole : section(head);
  const thoughts = thoughtsOf(format, options, sampleCall(template, sampleName, head), notes);
  const afterThoughts = (part: Part) => (thoughts.part === undefined ? part : all(thoughts.part, part));
  const prose = proseOf(format, tools, options);
  let answer: (calls: Part) => Part;
  if (toolChoice === "none") answer = () => optional(prose);
  else if (toolChoice === "auto") {
    const call = offered.length === 0 ? undefined : sampleCall(template, sampleName, "");
    const words = "Some words.";
    const gaps = ["", "\n", "\n\n"].filter((gap) => {
      const fits = ({ content }: { content: string }) => content.trim() === words;
      return call !== undefined && readsAlone(format, `${words}${gap}${call}`, undefined, fits);
    });
    answer = (part) => {
      const alone = any(part, prose, nothing);
      return gaps.length === 0 ? alone : any(all(prose, any(...gaps.map(text)), part), alone);
    };
  } else answer = (part) => part;
  const withThoughts = thoughts.part === undefined ? undefined : afterThoughts(answer(later));
  const root =
    thoughts.part === undefined
      ? answer(whole)
      : options.reasoning === "may"
        ? any(withThoughts as Part, answer(whole))
        : (withThoughts as Part);
  return {
    root,
    section: section(head),
    triggers: toolChoice === "none" ? [] : triggersOf(format, template, names, closer),
    prefill: thoughts.prefill,
  };
}

// ----- Calls -----

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
  const isMany = options.parallel && between !== undefined && !isNamed;
  if (options.parallel && between === undefined && !isNamed) {
    notes.add("", "one-call", "a message of this format carries one call");
  }
  const head = text(open.slice(skip.length));
  // What ends the turn is a token that servers keep for themselves, so at the end of the message it may be missing.
  const stop = format.stop.find((token) => close.endsWith(token));
  if (stop !== undefined) {
    const tail = all(text(close.slice(0, -stop.length)), optional(text(stop)));
    return all(head, isMany ? many(call, { between: between as string, min: 1 }) : call, tail);
  }
  const callStop = close === "" ? format.stop.find((token) => endsWith(call, token)) : undefined;
  if (callStop === undefined) {
    return all(head, isMany ? many(call, { between: between as string, min: 1 }) : call, text(close));
  }
  const core = withoutEnd(call, callStop);
  const list = isMany ? many(core, { between: `${callStop}${between}`, min: 1 }) : core;
  return all(head, list, optional(text(callStop)));
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

/** What stands before the first place that the caller fills. */
function openText(template: RenderTemplate, name: string): string {
  return template.open + fillPieces(template.call, name, "").split("\n\n")[0];
}

/** What tells that a call begins: one word for all tools, where the frame has one; else a word for each. */
function triggersOf(format: Format, template: RenderTemplate, names: readonly string[], closer: string): string[] {
  const upToName = (name: string) => {
    const at = template.call.findIndex((piece) => typeof piece !== "string");
    const first = fillPieces(template.call.slice(0, Math.max(at, 0)), name, "");
    return `${template.open}${first}`.slice(closer.length).trim();
  };
  const common = upToName("");
  const isMarked = common.length > 2 && format.triggers.some((trigger) => common.includes(trigger.trim()));
  // The rest of a long opener is held to the grammar, whether the model writes it as its template does or not.
  const [short] = /^[^]+?(?=\n|\s*[{"]|.\s*\[)|$/.exec(common) as RegExpExecArray;
  if (isMarked) return [/[^\p{L}\p{N}_]/u.test(short) ? short : common];
  const [, after = ""] = /^([^]?)/.exec(fillPieces(template.call.slice(2, 3), "", "")) ?? [];
  return format.triggers.length === 0 ? [] : names.map((name) => `${common}${name}${after.trim()}`);
}

/** A call to try gaps with; the beginning of the frame that is left out is `skip`. Undefined: none can be written. */
function sampleCall(template: RenderTemplate, name: string, skip: string): string | undefined {
  try {
    return writeCalls(template, [{ name, json: '{"x":"y"}', id: "call_0" }]).slice(skip.length);
  } catch {
    return undefined;
  }
}

/** Whether a text is read as one call, no repair and no refusal, whatever its tool is. */
function readsAlone(
  format: Format,
  written: string,
  prefill: string | undefined,
  fits: (read: { content: string }) => boolean,
): boolean {
  const tools = [{ name: sampleName, parameters: { type: "object", properties: { x: { type: "string" } } } }];
  const policy = { schema: "off", repairs: "none" } as const;
  const read = parse(written, { format, tools, intent: true, policy, ...(prefill === undefined ? {} : { prefill }) });
  return read.calls.length === 1 && read.rejected.length === 0 && fits(read);
}

// ----- Prose and thoughts -----

/** What text for people cannot hold, so that it is not taken for the beginning of something else. */
function reservedInProse(format: Format, template: RenderTemplate, tools: ToolSet): string[] {
  const framing = new Set(tools.names.map((name) => structuralMarkers(format, name, [])));
  const triggers = format.triggers.filter((trigger) => trigger.length > 1);
  // Where a name is what begins a call, it is kept out with what stands before it, or else after it.
  const [head, next] = template.call;
  const before = typeof head === "string" ? (/\S+$/.exec(head)?.[0] ?? "") : "";
  const after = head === slot.name && typeof next === "string" ? next.slice(0, 1) : "";
  const opener = `${template.open}${typeof head === "string" ? head : ""}`;
  const isMarked = triggers.some((trigger) => opener.includes(trigger)) && format.leads === undefined;
  const begins = format.needsNames === true || format.triggers.length === 0;
  const names = begins && !isMarked ? tools.names.map((name) => `${before}${name}${after}`) : [];
  const short = begins ? [] : format.triggers.filter((trigger) => trigger.length === 1);
  const own = [...triggers, ...short, ...names, ...[...framing].flat(), ...otherMarkers(format)];
  return fewest([...own, ...quotingTags, ...specialStarts]);
}

function proseOf(format: Format, tools: ToolSet, options: MessageOptions): Part {
  const not = reservedInProse(format, format.template as RenderTemplate, tools);
  const leads = format.leads === undefined ? [] : rangesOf(format.leads);
  const first = without(proseChars, [...leads.length > 0 ? blanks : [], ...leads]);
  const begin = leads.length > 0 ? { first } : {};
  const plain = (min: 0 | 1): UntilPart => ({ type: "until", not: [...not, "`"], chars: proseChars, min, coarse: true });
  const template = format.template as RenderTemplate;
  const usesTicks = [...framingTexts(format, "f", ["k"]), format.leads ?? "", template.open].some((one) => one.includes("`"));
  if (options.prose === "no-code" || usesTicks) return { ...plain(1), ...begin };
  // Code is closed before a call begins: an open fence would quote the call.
  const inline = all(text("`"), charsOf(without(proseChars, [...rangesOf("`\n\r"), ...rangesOf("<")]), 1), text("`"));
  const info = charsOf(rangesOf("abcdefghijklmnopqrstuvwxyz0123456789+-"), 0);
  const body: UntilPart = { type: "until", not: [...not, "`"], chars: proseChars, min: 0, coarse: true };
  const fence = all(text("\n```"), info, text("\n"), body, text("\n```\n"));
  const code = any(inline, fence);
  return all({ ...plain(1), ...begin }, many(all(code, plain(1))), optional(code));
}

function thoughtsOf(format: Format, options: MessageOptions, call: string | undefined, notes: Notes): { part?: Part; prefill?: string } {
  const { reasoning } = options;
  if (reasoning === "closed") return {};
  const [pair] = format.reasoning;
  if (pair === undefined) {
    notes.add("", "no-reasoning", "the format has no thinking block of its own: none may be written");
    return {};
  }
  const framing = framingTexts(format, "f", ["k"]).flatMap(markerStarts);
  const own = [...format.triggers, ...framing, ...otherMarkers(format), ...specialStarts].filter((one) => one.length > 1);
  const not = fewest([...own, ...quotingTags, "`", pair.close.trim()]);
  const inside: UntilPart = { type: "until", not, chars: proseChars, min: 0, coarse: true };
  const isPrefilled = reasoning === "prefilled";
  const before = isPrefilled ? "" : pair.open;
  const frames = (format.framing ?? []).map((frame) => `\n${frame}`);
  const gaps = (["", "\n", "\n\n", ...frames] as const).filter((gap) => {
    const written = `${before}Some words.${pair.close}${gap}${call}`;
    return readsAlone(format, written, isPrefilled ? pair.open : undefined, ({ content }) => content === "");
  });
  if (call !== undefined && gaps.length === 0) {
    notes.add("", "no-reasoning", "no way to write a call after a thinking block was found: none may be written");
    return {};
  }
  const rest = all(inside, text(pair.close), any(...(call === undefined ? [nothing] : gaps.map(text))));
  return isPrefilled ? { part: rest, prefill: pair.open } : { part: all(text(pair.open), rest) };
}
