import { onceFor } from "../contract/once-for.ts";
import { type Piece, slot } from "../contract/render-template.ts";
import { turnBoundaries } from "../contract/turn-tokens.ts";
import type { FormatData } from "../formats/format-data.ts";

/** `<|x|>`, `<｜x｜>`: mostly one token each. */
const special = /<[|｜][^<>\s]*?[|｜]>/gu;
/** A tag up to where attributes or its end begin, and the character there. */
const tagStart = /(<\/?[^\s<>"'=/]+)([\s\S]?)/gu;
/** A name that tags of other languages hardly begin with. */
const tellingName = /[^\p{L}\p{N}<>/]|.{9}/u;
const tagWhole = /<\/?[^\s<>"'=/]+>/gu;
const bracketed = /\[\/?[\p{L}][\p{L}\p{N}_ ]*\]/gu;

/**
 * What in a text is a marker, each by the shortest beginning that no other text has: `</parameter` without its end, which
 * formats read with blanks before it too; `</p>` with it, since `</pre>` is something else.
 */
export function markerStarts(text: string): string[] {
  const rest = text.replace(special, "\n");
  const tags = [...rest.matchAll(tagStart)].flatMap(([, start, next]) => {
    if (tellingName.test(start)) return [start];
    return [...new Set([next, ">", " ", "\n", "\t", "\r", "/"])].map((end) => start + end);
  });
  return [...matches(text, special), ...tags, ...matches(rest, bracketed)];
}

/** The markers of a text as they stand there. */
export function wholeMarkers(text: string): string[] {
  const rest = text.replace(special, "\n");
  return [...matches(text, special), ...matches(rest, tagWhole), ...matches(rest, bracketed)];
}

const matches = (text: string, shape: RegExp) => [...text.matchAll(shape)].map(([found]) => found);

/** Pieces with names in their places; arguments, values and ids are a line break, which no marker holds. */
export function fillPieces(pieces: readonly Piece[], name: string, key: string): string {
  return pieces
    .map((piece) => {
      if (typeof piece === "string") return piece;
      if (piece === slot.name || piece === slot.quotedName) return name;
      return piece === slot.key ? key : "\n";
    })
    .join("");
}

/** The framing of a format, once for each of some names and keys. */
export function framingTexts(format: FormatData, name: string, keys: readonly string[]): string[] {
  const { template } = format;
  if (template === undefined) return [];
  const { open, between = "", close, call, bare = [], comma = "", members = [] } = template;
  const texts = [open, between, close, fillPieces(call, name, ""), fillPieces(bare, name, "")];
  for (const key of keys.length > 0 ? keys : [""]) {
    for (const [, ...pieces] of members) {
      const member = fillPieces(pieces, name, key);
      // The end of a tag may stand in what surrounds the members.
      for (const before of [comma, upToMembers(call, name)]) texts.push(`${before}${member}`);
      texts.push(`${member}${comma}`, `${member}${afterMembers(call, name)}`);
    }
  }
  return texts;
}

function upToMembers(call: readonly Piece[], name: string): string {
  const at = call.indexOf(slot.members);
  return at < 0 ? "" : fillPieces(call.slice(0, at), name, "");
}

function afterMembers(call: readonly Piece[], name: string): string {
  const at = call.indexOf(slot.members);
  return at < 0 ? "" : fillPieces(call.slice(at + 1), name, "");
}

/** A marker that is also a word of every day forbids too much: `Action`. */
const isDistinctive = (marker: string) => marker.length > 2 && /[^\p{L}\p{N}_\s]/u.test(marker);

/** A name and a key that stand in no format. */
const placeholder = "\u0001n";
const sharedMarkersOf = onceFor((format: FormatData) => markersWith(format, placeholder, [placeholder]));

/**
 * What begins or ends a call, an argument or a value of this tool, by its distinguishing beginning. Where names and keys
 * are no part of markers, the same list for every tool.
 */
export function structuralMarkers(format: FormatData, name: string, keys: readonly string[]): readonly string[] {
  const shared = sharedMarkersOf(format);
  return shared.some((marker) => marker.includes(placeholder)) ? markersWith(format, name, keys) : shared;
}

function markersWith(format: FormatData, name: string, keys: readonly string[]): string[] {
  const own = [...format.triggers, ...(format.trailingClosers ?? [])].map((marker) => marker.replace(/[\s>]+$/u, ""));
  const framing = framingTexts(format, name, keys).flatMap(markerStarts);
  return fewest([...own, ...framing].filter(isDistinctive));
}

/** Other markers of the format: thoughts, framing, the end of a turn. */
export function otherMarkers(format: FormatData): string[] {
  const thoughts = format.reasoning.flatMap(({ open, close }) => [open, close]);
  const found = [...thoughts, ...(format.framing ?? []), ...format.stop].flatMap((text) => {
    const markers = markerStarts(text.trim());
    return markers.length > 0 ? markers : [text.trim()];
  });
  return fewest(found.filter(isDistinctive));
}

/** Up to the first mark behind a name in capitals (`[TOOL_`), up to the second one behind any other (`<start_of_`, `<role>HUMAN<`). */
const turnStart = /^[<[\]]\/?(?:\p{Lu}+[^\p{L}]|\p{Ll}*[^\p{L}][\p{L}\p{N}]*[^\p{L}\p{N}]?)/u;

/**
 * What the tokens begin with that end a turn, or that open another one by themselves, in any format, each as far as other text
 * hardly does. What opens one behind a token that ends one needs that token first.
 */
export const turnStarts: readonly string[] = fewest(
  turnBoundaries().map((token) => turnStart.exec(token)?.[0] ?? token),
);

/** Without those that hold another one. */
export function fewest(markers: readonly string[]): string[] {
  const all = new Set(markers);
  all.delete("");
  const lengths = [...new Set([...all].map((marker) => marker.length))];
  return [...all].filter((marker) => {
    for (const length of lengths) {
      for (let at = 0; length < marker.length && at + length <= marker.length; at++) {
        if (all.has(marker.slice(at, at + length))) return false;
      }
    }
    return true;
  });
}
