import { quotingTags } from "../contract/quoting-tags.ts";
import { type RenderTemplate, slot } from "../contract/render-template.ts";
import type { Format } from "../formats/format.ts";
import { offeredName } from "../formats/format-data.ts";
import type { ToolSet } from "../validation/tools.ts";
import { fewest, framingTexts, markerStarts, otherMarkers, structuralMarkers, turnStarts } from "./markers.ts";
import type { Notes } from "./notes.ts";
import {
  all,
  any,
  charsOf,
  many,
  optional,
  type Part,
  rangesOf,
  text,
  textChars,
  type UntilPart,
  without,
} from "./parts.ts";
import { readsAs, sampleCall } from "./try-reading.ts";

/** What text is made of: no other control characters than those that lay it out. */
const proseChars = without(textChars, [1, 8, 11, 31, 127, 127]);
const unbracketed = without(proseChars, rangesOf("([{"));
/** What quotes a call in prose, beside inline code and fences of backticks. Tags stand with attributes, too. */
const quotations = ["~~~", ...quotingTags.map(([open]) => open.replace(/>$/, ""))];
/** A string of a value that text begins shows a call on its line. */
const stringStarts = ["{", "["].flatMap((bracket) =>
  ["", " "].flatMap((blank) => ["'", '"'].map((quote) => bracket + blank + quote)),
);
/** What other models' special tokens begin with. */
const specialStarts = ["<|", "<｜"];
const words = "Some words.";
/** A marker that is a word is none behind the end of another. */
const sayings = [words, "Some word_"];

/** A line may be a call by itself. */
const areLinesCalls = ({ triggers }: Format) => triggers.some((opener) => opener.startsWith(offeredName));

/** Text for people. */
export function prosePart(format: Format, template: RenderTemplate, tools: ToolSet, kind: "any" | "no-code"): Part {
  const framing = [...framingTexts(format, "f", ["k"]), format.leads ?? ""];
  const hasCode = kind === "any" && !framing.some((one) => one.includes("`"));
  const not = [...reservedInProse(format, template, tools), "`"];
  // Behind a backslash a backtick is no mark of code, and would be counted as one.
  const escapes = hasCode ? ["\\"] : [];
  // A bracket may open code that the lines after it stand in.
  const chars = areLinesCalls(format) ? unbracketed : proseChars;
  // A message that begins as JSON or as a call without a marker does is held to be one.
  const first = without(chars, rangesOf(` \t\n\r{["${format.leads ?? ""}`));
  const plain: UntilPart = {
    type: "until",
    not: [...not, ...escapes.map((mark) => `${mark}\``)],
    notLast: escapes,
    chars,
    min: 1,
    coarse: true,
  };
  const begin = { ...plain, first };
  if (!hasCode) return begin;
  // Code is closed before a call begins: an open fence would quote the call.
  const inline = all(text("`"), charsOf(without(proseChars, rangesOf("`\n\r<")), 1), text("`"));
  const info = charsOf(rangesOf("abcdefghijklmnopqrstuvwxyz0123456789+-"), 0);
  const fence = all(text("\n```"), info, text("\n"), { ...plain, min: 0 }, text("\n```\n"));
  const code = any(inline, fence);
  return all(begin, many(all(code, plain)), optional(code));
}

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
  const isNamed = format.needsNames === true || format.triggers.length === 0;
  const names = isNamed && !isMarked ? tools.names.map((name) => `${before}${name}${after}`) : [];
  const short = isNamed ? [] : format.triggers.filter((trigger) => trigger.length === 1);
  const own = [...triggers, ...short, ...names, ...[...framing].flat(), ...otherMarkers(format)];
  return fewest([...own, ...quotations, ...stringStarts, ...specialStarts, ...turnStarts, ...(format.turns ?? [])]);
}

/** Which line breaks may stand between prose and a call. None: a call stands alone in its message. */
export function gapsAfterProse(format: Format, template: RenderTemplate, notes: Notes): string[] {
  const call = sampleCall(template);
  if (call === undefined) return [];
  const gaps = ["", "\n", "\n\n"].filter((gap) =>
    sayings.every((said) => readsAs(format, `${said}${gap}${call}`, said)),
  );
  if (gaps.length > 0 && areLinesCalls(format)) {
    notes.add(
      "",
      "prose",
      "code that text before a call begins and does not end is not kept out: the call is then refused",
    );
  }
  return gaps;
}

/** Thoughts before the answer. */
export interface Thoughts {
  readonly part: Part;
  /** What the prompt has opened. */
  readonly prefill?: string;
}

/**
 * Thoughts as the format encloses them.
 *
 * @param skip what the frame of calls begins with and thoughts end with
 * @returns undefined, when there are none, or no call is read after them
 */
export function thoughtsPart(
  format: Format,
  template: RenderTemplate,
  tools: ToolSet,
  reasoning: "closed" | "prefilled" | "may",
  skip: string,
  notes: Notes,
): Thoughts | undefined {
  if (reasoning === "closed") return undefined;
  const [pair] = format.reasoning;
  if (pair === undefined) {
    notes.add("", "no-reasoning", "the format has no thinking block of its own: none may be written");
    return undefined;
  }
  const isPrefilled = reasoning === "prefilled";
  const before = isPrefilled ? "" : pair.open;
  const prefill = isPrefilled ? pair.open : undefined;
  const call = sampleCall(template)?.slice(skip.length) ?? "";
  const frames = (format.framing ?? []).map((frame) => `\n${frame}`);
  const gaps = ["", "\n", "\n\n", ...frames].filter((gap) =>
    readsAs(format, `${before}${words}${pair.close}${gap}${call}`, "", prefill),
  );
  if (gaps.length === 0) {
    notes.add("", "no-reasoning", "no call is read after a thinking block: none may be written");
    return undefined;
  }
  const framing = framingTexts(format, "f", ["k"]).flatMap(markerStarts);
  // An opener of one character opens nothing without a name behind it.
  const triggers = format.triggers.flatMap((trigger) =>
    trigger.length > 1 ? [trigger] : tools.names.map((name) => trigger + name),
  );
  const own = [...triggers, ...framing, ...otherMarkers(format), ...specialStarts, ...turnStarts, ...quotations];
  const not = fewest([...own, "`", pair.close.trim()]);
  const inside: UntilPart = { type: "until", not, chars: proseChars, min: 0, coarse: true };
  const rest = all(inside, text(pair.close), any(...gaps.map(text)));
  return prefill === undefined ? { part: all(text(pair.open), rest) } : { part: rest, prefill };
}
