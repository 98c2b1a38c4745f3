import {
  jsonStyle,
  type Piece,
  type Quoting,
  type RenderTemplate,
  slot,
  type ValueStyle,
} from "../../contract/render-template.ts";
import type { FormatData } from "../../formats/format-data.ts";
import { readBack } from "../../rendering/read-back.ts";
import { type WritableCall, writeCalls } from "../../rendering/write-calls.ts";
import { mentions, type Sample, type SampleCall, type SampleMember } from "./read-sample.ts";
import { commonStart } from "./text-cuts.ts";

/**
 * How a format writes calls, copied from the example of its header: the grammar's roles say what in it is name, key or
 * value, and all that stands between them is written as it stands there.
 *
 * Only what a string has to be escaped for cannot be shown well: the ways of doing so are tried.
 *
 * @param data the compiled format
 * @param sample the example as the format reads it
 * @returns undefined when no call of it has arguments
 */
export function deriveTemplate(data: FormatData, sample: Sample): RenderTemplate | undefined {
  const { text, start, calls } = sample;
  const [first, second] = calls;
  const hasArguments = ({ members, slots }: SampleCall) =>
    members.length > 0 || slots.some((one) => one.slot === slot.arguments);
  const full = calls.find(hasArguments);
  if (full === undefined) return undefined;
  const byOne = full.members.length === 0 ? undefined : argumentsShown(sample);
  const bare = calls.find((call) => !hasArguments(call));
  const piecesOf = (call: SampleCall) => callPieces(text, call, byOne?.members ?? []);
  const counted = second === undefined ? unchanged : counterOf(piecesOf(first), piecesOf(second));
  const template: RenderTemplate = {
    ...(bare && { bare: counted(piecesOf(bare)) }),
    ...(second && { between: text.slice(first.end, second.start) }),
    call: counted(piecesOf(full)),
    close: text.slice(calls[calls.length - 1].end),
    ...byOne,
    open: text.slice(start, first.start),
  };
  return withQuoting(data, template, styleShown(sample), full.name);
}

type Ways = NonNullable<RenderTemplate["members"]>;

/** All kinds of values, by the first character of their JSON; `.` is a number with a fraction. */
const kinds = ['"', "0", ".", "tf", "n", "[", "{"];

/** How arguments are written one by one, by the kind of their values, and what stands between two. */
function argumentsShown({ text, calls }: Sample): { members: Ways; comma?: string } {
  const shown = calls.flatMap(({ members, slots, end }) =>
    members.map(({ key, value, kind }, at) => {
      const word = text.slice(key.start, key.end);
      const next = members[at + 1]?.key.start;
      const after = next ?? slots.find(({ start }) => start >= value.end)?.start ?? end;
      // A closing tag may say the key again: then it is part of the argument.
      const behind = withKey(text.slice(value.end, after), word);
      const closed = behind.lastIndexOf(slot.key) + 1;
      return {
        kind,
        pieces: [slot.key, ...withKey(text.slice(key.end, value.start), word), slot.value, ...behind.slice(0, closed)],
        isLast: next === undefined,
        rest: behind.slice(closed).join(""),
      };
    }),
  );
  const followed = shown.filter(({ isLast }) => !isLast);
  // What closes a string stands before the comma; the shortest text between two arguments has nothing of that.
  const comma = followed.map(({ rest }) => rest).sort((left, right) => left.length - right.length)[0];
  const ways = new Map<string, Piece[]>();
  for (const { kind, pieces, isLast, rest } of [...followed, ...shown]) {
    if (ways.has(kind)) continue;
    const closer = isLast ? "" : rest.slice(0, rest.length - comma.length);
    ways.set(kind, closer === "" ? pieces : [...pieces, closer]);
  }
  const others = ways.get("0") ?? [...ways].find(([kind]) => kind !== '"')?.[1];
  const grouped = new Map<string, [string, ...Piece[]]>();
  for (const kind of kinds) {
    // A kind that is not shown is written as a number is.
    const pieces = ways.get(kind) ?? (kind === "." ? undefined : (others ?? ways.get('"')));
    if (pieces === undefined || (kind === "." && same(pieces, others))) continue;
    const known = grouped.get(JSON.stringify(pieces));
    if (known) known[0] += kind;
    else grouped.set(JSON.stringify(pieces), [kind, ...pieces]);
  }
  return { ...(comma === undefined ? {} : { comma }), members: [...grouped.values()] };
}

const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right);

/** A text with the places in it where a key is said again. */
function withKey(text: string, key: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end } of mentions(key, text, { start: 0, end: text.length })) {
    pieces.push(text.slice(at, start), slot.key);
    at = end;
  }
  return [...pieces, text.slice(at)].filter((piece) => piece !== "");
}

/** The pieces of a call: what stands between name, id and arguments. */
function callPieces(text: string, { start, end, slots, members }: SampleCall, ways: Ways): Piece[] {
  const last = members.at(-1);
  const taken = [...slots];
  if (last !== undefined) {
    const written = ways.map(([, ...pieces]) => argumentOf(text, last, pieces));
    const ends = written.map((way) => (text.startsWith(way, last.key.start) ? last.key.start + way.length : 0));
    taken.push({ start: members[0].key.start, end: Math.max(last.value.end, ...ends), slot: slot.members });
  }
  const pieces: Piece[] = [];
  let at = start;
  for (const place of taken.sort((left, right) => left.start - right.start)) {
    pieces.push(text.slice(at, place.start), place.slot);
    at = place.end;
  }
  return [...pieces, text.slice(at, end)].filter((piece) => piece !== "");
}

/** An argument as pieces would write it. */
function argumentOf(text: string, { key, value }: SampleMember, pieces: readonly Piece[]): string {
  const word = (place: Piece) => {
    const span = place === slot.key ? key : value;
    return typeof place === "string" ? place : text.slice(span.start, span.end);
  };
  return pieces.map(word).join("");
}

const unchanged = (pieces: Piece[]) => pieces;

/** Puts a count in the place of a number that is one more in the second call. */
function counterOf(one: readonly Piece[], two: readonly Piece[]): (pieces: Piece[]) => Piece[] {
  for (const [at, piece] of one.entries()) {
    const other = two[at];
    if (typeof piece !== "string" || typeof other !== "string") continue;
    const same = commonStart(piece, other);
    const [digit] = /^[01](?!\d)/.exec(piece.slice(same)) ?? [];
    if (digit === undefined || Number(digit) + 1 !== Number(/^\d+/.exec(other.slice(same)))) continue;
    const before = piece.slice(0, same);
    const count = digit === "0" ? slot.index : slot.number;
    return (pieces) =>
      pieces.flatMap((text) =>
        typeof text === "string" && text.startsWith(before) && /^\d/.test(text.slice(same))
          ? [before, count, text.slice(same + 1)]
          : [text],
      );
  }
  return unchanged;
}

const isText = ({ kind }: SampleMember) => kind === '"';

const pythonWords = ["True", "False", "None"] as const;

/** How values in values are written: as in the first object that shows a text. */
function styleShown({ text, calls }: Sample): ValueStyle {
  const cut = (from: number, to: number) => text.slice(from, to);
  const objects = calls.flatMap(({ object }) => object ?? []);
  const values = [...calls.flatMap(({ members }) => members), ...objects.flatMap(({ members }) => members)];
  const shown = new Set<string>(values.filter((one) => !isText(one)).map(({ value }) => cut(value.start, value.end)));
  const isPython = pythonWords.some((word) => shown.has(word));
  const words = isPython ? pythonWords : jsonStyle.words;
  const object = objects.find(({ members }) => members.some(isText)) ?? objects[0];
  if (object === undefined) return { ...jsonStyle, words };
  const { members } = object;
  const at = Math.max(0, members.findIndex(isText));
  const { key, value } = members[at];
  const [, keyClose, colon, open] = /^(\S*?)(\s*:\s*)(\S*)$/.exec(cut(key.end, value.start)) ?? ["", '"', ": ", '"'];
  const between = members.length > 1 ? /\s*,\s*/.exec(cut(members[0].value.end, members[1].key.start))?.[0] : undefined;
  const comma = between ?? (/\s$/.test(colon) ? ", " : ",");
  const close = cut(value.end, members[at + 1]?.key.start ?? object.end - 1)
    .split(comma)[0]
    .trimEnd();
  const keyOpen = cut(object.start + 1, members[0].key.start).trimStart();
  const string: ValueStyle["string"] = isText(members[at]) ? [open, close] : jsonStyle.string;
  return { ...jsonStyle, string, key: [keyOpen, keyClose], colon, comma, words };
}

/** A text with all that some way of writing strings escapes. */
const hardText = "a\\b \"c\" 'd' &amp;\n";

/** With the first way of writing the inside of a string, of arguments and of values in them, that carries a hard text. */
function withQuoting(data: FormatData, template: RenderTemplate, shown: ValueStyle, name: string): RenderTemplate {
  const choose = (value: unknown, otherwise: Quoting, make: (quoting: Quoting) => RenderTemplate) => {
    const call: WritableCall = { name, json: JSON.stringify({ k: value }), id: "call_0" };
    const carries = (way: Quoting) => readBack(data, writeCalls(make(way), [call]), [call]) === undefined;
    return (["raw", "json", "entity"] as const).find(carries) ?? otherwise;
  };
  const style = {
    ...shown,
    quoting: choose([hardText], "json", (quoting) => ({ ...template, style: { ...shown, quoting } })),
  };
  const styled = same(style, jsonStyle) ? template : { ...template, style };
  const quoting = template.members ? choose(hardText, "raw", (quoting) => ({ ...styled, quoting })) : "raw";
  return quoting === "raw" ? styled : { ...styled, quoting };
}
