import { slot } from "../../contract/render-template.ts";
import type { ToolCall } from "../../contract/types.ts";
import type { Format } from "../../formats/format.ts";
import type { FormatData } from "../../formats/format-data.ts";
import { stopOf } from "../../machine/expected.ts";
import { readyProgram } from "../../machine/program.ts";
import { namesParameter } from "../../machine/role-properties.ts";
import { roleCodes as role } from "../../machine/roles.ts";
import { parse } from "../../parse.ts";
import { envelopeOf } from "../../values/envelope-keys.ts";
import { harmlessKeys } from "../../values/harmless-keys.ts";
import { integerDigits } from "../../values/number-text.ts";
import { blocksIn, flatten, type RoleNode, wordsIn } from "../emit/role-tree.ts";

export interface Span {
  start: number;
  end: number;
}

/** A key and its value, without quotes that their roles cover. */
export interface SampleMember {
  key: Span;
  value: Span;
  /** The kind of the value, as members of a template list it. */
  kind: string;
}

/** Where the parts of one call stand in a sample. */
export interface SampleCall extends Span {
  name: string;
  /** What stands for name, id and arguments as a whole, in their order. */
  slots: (Span & { slot: number })[];
  /** Arguments given one by one: their keys and values. */
  members: SampleMember[];
  /** The first object with members that the grammar takes apart: the arguments, or one of them. */
  object: (Span & { members: SampleMember[] }) | undefined;
}

/** A sample taken apart. */
export interface Sample {
  text: string;
  /** Where the calls begin: after what is said or thought before them. */
  start: number;
  calls: SampleCall[];
  /** The same calls as the format reads them; a raw text that is JSON counts as the value that it says. */
  given: readonly ToolCall[];
}

/**
 * Reads a sample message as the format itself reads it, and says which part of it is what.
 *
 * @param data the compiled format
 * @param text the example of its header
 * @returns undefined when the text holds no call, or anything else than calls and white space in front
 */
export function readSample(data: FormatData, text: string): Sample | undefined {
  const words = wordsIn(text);
  // Beside the arguments, `type` is a parameter of no tool; among them it may be one.
  const harmless = new Set(harmlessKeys);
  return readWith(data, text, words) ?? readWith(data, text, new Set([...words].filter((word) => !harmless.has(word))));
}

/**
 * Why a text is no sample, for whoever wrote it: what was refused, or where a block of the grammar stopped.
 *
 * @param places where rules stand, by their names
 * @returns a clause: `a missing colon is malformed: ...`
 */
export function whyNoSample(data: FormatData, text: string, places: ReadonlyMap<string, string>): string {
  const words = wordsIn(text);
  const { calls, rejected } = parseWith(data, text, words);
  const [refused] = rejected;
  if (refused !== undefined && refused.reason !== "malformed") return `${refused.reason}: ${refused.message}`;
  const hints = { names: [...words], keysOf: () => words };
  const program = readyProgram(data.program);
  const opened = data.triggers.map((trigger) => text.indexOf(trigger)).filter((at) => at >= 0);
  if (opened.length === 0 && data.triggers.length > 0 && data.program.entries.start === undefined) {
    return `no opener stands in it: ${data.triggers.map((trigger) => JSON.stringify(trigger)).join(", ")}`;
  }
  const start = opened.length === 0 ? 0 : Math.min(...opened);
  const stop = stopOf(program, hints, text.slice(start), true);
  if (stop !== undefined) {
    const before = JSON.stringify(text.slice(Math.max(0, start + stop.at - 24), start + stop.at));
    const rules =
      stop.rules.length === 0 ? "" : `, in ${stop.rules.map((rule) => `${rule} (${places.get(rule)})`).join(", ")}`;
    return `after ${before} the grammar ${stop.expected}${rules}`;
  }
  if (refused !== undefined) return `${refused.reason}: ${refused.message}`;
  return calls.length === 0 ? "it holds no call" : "text stands between its calls, or after them";
}

function parseWith(data: FormatData, text: string, words: ReadonlySet<string>) {
  // Any word may be the tool or a parameter: the format decides, with no hint of ours.
  const properties = Object.fromEntries([...words].map((word) => [word, {}]));
  const tools = [...words].map((name) => ({ name, parameters: { type: "object", properties } }));
  const policy = { schema: "off", repairs: "none", fallback: { single: false } } as const;
  return parse(text, { format: data as Format, tools, intent: true, policy });
}

function readWith(data: FormatData, text: string, words: ReadonlySet<string>): Sample | undefined {
  const read = parseWith(data, text, words);
  if (read.calls.length === 0 || read.rejected.length > 0) return undefined;
  const calls = flatten(blocksIn(data.program, text, words))
    .filter(({ code }) => code === role.Call)
    .flatMap((node) => callsOf(node, data, text));
  if (calls.length !== read.calls.length) return undefined;
  for (const [at, call] of calls.entries()) call.name = read.calls[at].name;
  for (const call of calls) placeNames(call, text);
  // What stands before the calls and is said or thought is none of theirs.
  const isText = (type: string) => type === "content" || type === "reasoning";
  const start = read.nodes.filter(({ type, end }) => isText(type) && end <= calls[0].start).at(-1)?.end ?? 0;
  return { text, start, calls, given: read.calls.map((call, at) => typed(call, calls[at], text)) };
}

function typed(call: ToolCall, { members }: SampleCall, text: string): ToolCall {
  const given: Record<string, unknown> = { ...call.arguments };
  for (const { key, value, kind } of members) {
    const name = text.slice(key.start, key.end);
    if (kind !== '"' && typeof given[name] === "string") given[name] = JSON.parse(text.slice(value.start, value.end));
  }
  return { ...call, arguments: given };
}

const isKey = ({ code }: RoleNode) => code === role.JsonKey || namesParameter(code);
/** Values of all kinds stand together in the table of roles. */
const isValue = ({ code }: RoleNode) => code >= role.Object && code <= role.OnlyText;

/** A text without the quotes that a role covers along with it. */
function insideOf(node: RoleNode): Span {
  const mutes = node.inner.filter(({ code, start, end }) => code === role.Ignored && end > start);
  const head = mutes[0]?.start === node.start ? mutes[0].end : node.start;
  const last = mutes.at(-1);
  return {
    start: head,
    end: last !== undefined && last.end === node.end && last.start >= head ? last.start : node.end,
  };
}

const kindsByRole: Readonly<Record<number, string>> = {
  ...{ [role.String]: '"', [role.Verbatim]: '"', [role.True]: "tf", [role.False]: "tf" },
  ...{ [role.Null]: "n", [role.Array]: "[", [role.Object]: "{" },
};

/** The kind of a value. A raw text that is JSON stands for what it says: no schema makes it a string. */
function kindOf(text: string, code = 0): string {
  if (code in kindsByRole) return kindsByRole[code];
  try {
    JSON.parse(text);
  } catch {
    return '"';
  }
  const [unit] = text.trim();
  if (/[-\d]/.test(unit)) return integerDigits(text.trim()) === undefined ? "." : "0";
  return unit === "t" || unit === "f" ? "tf" : unit;
}

function pairsOf(nodes: readonly RoleNode[], text: string): (SampleMember & { node: RoleNode })[] {
  const found = nodes.filter((node) => isKey(node) || isValue(node));
  return found.flatMap((node, at) => {
    const value = found[at + 1];
    if (!isKey(node) || value === undefined || isKey(value)) return [];
    const inside = insideOf(value);
    const kind = kindOf(text.slice(inside.start, inside.end), value.code);
    return [{ key: insideOf(node), value: inside, kind, node: value }];
  });
}

/** A call whose name is not known yet; `values`: all its arguments as one, or each of them. */
function callOf(
  { start, end }: Span,
  slots: SampleCall["slots"],
  values: readonly RoleNode[],
  text: string,
): SampleCall {
  const objects = values.map((node) => ({ start: node.start, end: node.end, members: pairsOf(node.inner, text) }));
  return { start, end, name: "", slots, members: [], object: objects.find(({ members }) => members.length > 0) };
}

function callsOf(node: RoleNode, data: FormatData, text: string): SampleCall[] {
  const payloads = node.inner.filter(({ code }) => code === role.Payload);
  const items = payloads.flatMap(({ inner }) => (inner[0]?.code === role.Array ? inner[0].inner : inner.slice(0, 1)));
  const whole = { ...node, end: node.start + text.slice(node.start, node.end).trimEnd().length };
  if (payloads.length === 0) return [plainCall(whole, text)];
  const isSingle = items.length === 1 && payloads[0].inner[0] === items[0];
  return items.map((item) => payloadCall(item, data, isSingle ? whole : { ...item, inner: [] }, text));
}

/** Lines of a text that a decoder reads, each a key, a colon and a value. */
function linesOf(body: Span, text: string): SampleMember[] {
  const lines = text.slice(body.start, body.end).matchAll(/^([\p{L}_][\p{L}\p{N}_]*)(:[ \t]*"?)(.*?)"?$/gmu);
  return [...lines].map(({ index, 1: key, 2: colon, 3: value }) => {
    const start = body.start + index;
    const from = start + key.length + colon.length;
    const kind = colon.endsWith('"') ? '"' : kindOf(value);
    return { key: { start, end: start + key.length }, value: { start: from, end: from + value.length }, kind };
  });
}

const isName = (code: number) => code === role.Name;

function plainCall(node: RoleNode, text: string): SampleCall {
  const find = (isIt: (code: number) => boolean) => node.inner.find(({ code }) => isIt(code));
  const name = find(isName);
  const id = find((code) => code === role.Id);
  const value = find((code) => code === role.Arguments)?.inner[0];
  const body = find((code) => code === role.Body);
  const slots: SampleCall["slots"] = [];
  if (name) slots.push({ ...insideOf(name), slot: slot.name });
  if (id && !id.inner.some(({ code }) => isName(code))) slots.push({ ...insideOf(id), slot: slot.id });
  if (value) return callOf(node, [...slots, { ...value, slot: slot.arguments }], [value], text);
  const members = pairsOf(node.inner, text);
  const values = members.map((member) => member.node);
  return { ...callOf(node, slots, values, text), members: body ? linesOf(body, text) : members };
}

/** `call` stands round the payload. */
function payloadCall(item: RoleNode, { keys }: FormatData, call: RoleNode, text: string): SampleCall {
  const slots: SampleCall["slots"] = [];
  const values: RoleNode[] = [];
  const levels = [{ nodes: item.inner, level: envelopeOf(keys) }];
  for (let open = levels.pop(); open; open = levels.pop()) {
    for (const { key, value, node } of pairsOf(open.nodes, text)) {
      const word = text.slice(key.start, key.end);
      const found = open.level.slots.get(word);
      const inner = open.level.inner.get(word);
      if (inner) levels.push({ nodes: node.inner, level: inner });
      if (keys.name === "*") slots.push({ ...key, slot: slot.quotedName });
      if (found === "name") slots.push({ ...value, slot: slot.quotedName });
      if (found === "id") slots.push({ ...value, slot: slot.quotedId });
      if (keys.name !== "*" && found !== "arguments") continue;
      values.push(node);
      slots.push({ ...node, slot: slot.arguments });
    }
  }
  for (const node of call.inner) if (isName(node.code)) slots.push({ ...node, slot: slot.name });
  return callOf(call, slots, values, text);
}

/** The name may be part of what the wire calls one, and may be said again, as in a closing tag. */
function placeNames(call: SampleCall, text: string): void {
  const taken = [...call.slots, ...call.members.flatMap(({ key, value }) => [key, value])];
  for (const found of call.slots) {
    if (found.slot !== slot.name) continue;
    const at = text.slice(found.start, found.end).lastIndexOf(call.name);
    if (at < 0) continue;
    found.start += at;
    found.end = found.start + call.name.length;
  }
  for (const again of mentions(call.name, text, call)) {
    const overlaps = taken.some(({ start, end }) => start < again.end && end > again.start);
    if (!overlaps) call.slots.push({ ...again, slot: slot.name });
  }
  call.slots.sort((left, right) => left.start - right.start);
}

/** Where a word stands in a text by itself. */
export function mentions(word: string, text: string, within: Span): Span[] {
  const found: Span[] = [];
  for (let at = text.indexOf(word, within.start); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    if (end > within.end) break;
    if (isWordUnit(text[at - 1]) || isWordUnit(text[end])) continue;
    found.push({ start: at, end });
  }
  return found;
}

function isWordUnit(unit: string | undefined): boolean {
  return unit !== undefined && /[\p{L}\p{N}_]/u.test(unit);
}
