import { jsonStyle, type Piece, type RenderTemplate, slot, type ValueStyle } from "../../contract/render-template.ts";
import type { FormatData } from "../../formats/format-data.ts";
import { literalSetMark } from "../../machine/program.ts";
import { readBack } from "../../rendering/read-back.ts";
import { type WritableCall, writeCalls } from "../../rendering/write-calls.ts";
import { integerDigits } from "../../values/number-text.ts";
import { mentions, readSample, type Sample, type SampleCall, type Span } from "./read-sample.ts";
import { commonEnd, commonStart, distance, places } from "./text-cuts.ts";
import { ordered, stylesLike, textWays, typedMembers, wrappersOf } from "./ways-to-write.ts";

/**
 * How a format writes calls, derived from its compiled grammar and a sample.
 *
 * The grammar reads the sample, so its roles say which part is name, key, value or framing. What one sample cannot show
 * (what stands between two arguments or two calls, how a number is written where the sample has a string) is found by
 * experiment: candidates made of the framing and of the grammar's own literals are written and read again, and the
 * first that gives the calls back without a repair is taken. So this needs no knowledge of any family, and what it
 * returns has been read by the format itself.
 *
 * @param data the compiled format
 * @param sample the example of the header, or its `render:`: one call or more; what it shows is not searched for
 * @returns undefined when no way to write even one text argument was found
 */
export function deriveTemplate(data: FormatData, sample: string): RenderTemplate | undefined {
  const read = tryToRead(data, sample);
  if (read === undefined) return undefined;
  const derived = new Derivation(data, read).template();
  if (derived === undefined) return undefined;
  const { style = jsonStyle, ...rest } = derived;
  const isPlain = JSON.stringify(ordered(style)) === JSON.stringify(ordered(jsonStyle));
  return ordered(isPlain ? rest : { ...rest, style: ordered(style) });
}

/** An engine that is being worked on shall not keep grammars from being compiled: then there is nothing to learn. */
function tryToRead(data: FormatData, sample: string): Sample | undefined {
  try {
    return readSample(data, sample);
  } catch {
    return undefined;
  }
}

/** What may stand between two calls or arguments where nothing is shown; literals of the grammar come after it. */
const separators = ["", ", ", ",", "\n", "; ", ";", " ", "\n\n"];
/** Longer literals are no separators. */
const separatorCharsMax = 24;
/** Strings that are hard to write, to find out how. */
const hardStrings = [
  "plain",
  "a\nb",
  'say "x"',
  "it's",
  "back\\slash",
  "a < b && c > d",
  "tab\tbell\u0007",
  "&amp;",
  "",
];
/** One value of each kind that is no string, by its first character. */
const otherValues: Readonly<Record<string, string>> = {
  "0": "7",
  t: "true",
  f: "false",
  n: "null",
  "[": '[1,"x",{"k":null}]',
  "{": '{"a":true,"b":{"c":"y"}}',
};
/** A number after the name that may count the calls. */
const counterShape = /^([^\p{L}\p{N}]|.*[^\p{L}\p{N}]\p{L}+=["']?)([01])(?![\p{L}\p{N}.])/u;
/** The kind of a value by how its text begins; undefined for what is no JSON but a string. */
function kindOf(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const [unit] = text.trim();
  if (/[-0-9]/.test(unit)) return integerDigits(text.trim()) === undefined ? "." : "0";
  return unit in otherValues ? unit : undefined;
}

const pythonWords = ["True", "False", "None"] as const;

class Derivation {
  readonly #data: FormatData;
  readonly #sample: Sample;
  readonly #first: SampleCall;
  readonly #literals: readonly string[];
  /** How true, false and null may be spelt; as Python does where the grammar says that first. */
  readonly #words: readonly ValueStyle["words"][];

  constructor(data: FormatData, sample: Sample) {
    this.#data = data;
    this.#sample = sample;
    this.#first = sample.calls[0];
    this.#literals = data.program.strings.filter((text) => !text.startsWith(literalSetMark));
    const python = this.#literals.indexOf("True");
    const isPython = python >= 0 && python < this.#literals.indexOf("true");
    this.#words = isPython ? [pythonWords, jsonStyle.words] : [jsonStyle.words, ...(python < 0 ? [] : [pythonWords])];
  }

  template(): RenderTemplate | undefined {
    const { text, calls } = this.#sample;
    const last = calls[calls.length - 1];
    const frame = { open: text.slice(0, this.#first.start), close: text.slice(last.end) };
    const one = this.#first.argumentsNode ? this.#withArguments(frame) : this.#withMembers(frame);
    return one && this.#withCounter(this.#withBare(this.#withBetween(one)));
  }

  #text(start: number, end: number): string {
    return this.#sample.text.slice(start, end);
  }

  #works(template: RenderTemplate, ...calls: [name: string, json: string][]): boolean {
    const writable = calls.map(([name, json], at) => ({ name, json, id: `call_${at}` }) satisfies WritableCall);
    try {
      return readBack(this.#data, writeCalls(template, writable), writable) === undefined;
    } catch {
      return false;
    }
  }

  /** The best of some ways to write something: the one that carries most of the tests, the first of equals. */
  #best<Way>(ways: readonly Way[], make: (way: Way) => RenderTemplate, jsons: readonly string[]): Way {
    const { name } = this.#first;
    let best = ways[0];
    let most = 0;
    for (const way of ways) {
      const template = make(way);
      const count = jsons.filter((json) => this.#works(template, [name, json])).length;
      if (count > most) {
        most = count;
        best = way;
      }
      if (most === jsons.length) break;
    }
    return best;
  }

  /** The pieces of a call; `extra` are slots beside those of the sample. */
  #pieces(call: SampleCall, extra: readonly (Span & { slot: number })[] = []): Piece[] {
    const slots = [...call.slots, ...extra].sort((left, right) => left.start - right.start);
    const pieces: Piece[] = [];
    let at = call.start;
    for (const { start, end, slot: place } of slots) {
      if (start > at) pieces.push(this.#text(at, start));
      pieces.push(place);
      at = end;
    }
    if (call.end > at) pieces.push(this.#text(at, call.end));
    return pieces;
  }

  // ----- Arguments as one value -----

  #withArguments(frame: { open: string; close: string }): RenderTemplate | undefined {
    const call = this.#pieces(this.#first);
    const shown = this.#shownStyle();
    const make = (style: ValueStyle): RenderTemplate => ({ ...frame, call, style });
    const jsons = [
      ...hardStrings.map((text) => JSON.stringify({ k: text })),
      ...Object.values(otherValues).map((json) => `{"k":${json},"l":1}`),
    ];
    const styles = stylesLike(shown, this.#words);
    const style = this.#best(styles, make, jsons);
    const template = make(style);
    return this.#works(template, [this.#first.name, '{"k":"plain"}']) ? template : undefined;
  }

  /** The style of the sample's arguments, as far as it shows one. */
  #shownStyle(): ValueStyle {
    const node = this.#first.argumentsNode as Span;
    const member = this.#first.firstMember;
    if (!member) return jsonStyle;
    const keyOpen = this.#text(node.start + 1, member.key.start).trimStart();
    const joint = /^(\S*?)(\s*:\s*)(\S*)$/.exec(this.#text(member.key.end, member.value.start));
    if (!joint) return jsonStyle;
    const [, keyClose, colon, open] = joint;
    const close = this.#text(member.value.end, node.end - 1).trimEnd();
    const comma = /\s$/.test(colon) ? ", " : ",";
    return { ...jsonStyle, string: [open, close], key: [keyOpen, keyClose], colon, comma };
  }

  // ----- Arguments one by one -----

  #withMembers(frame: { open: string; close: string }): RenderTemplate | undefined {
    const { members, end, name } = this.#first;
    const [member] = members;
    if (!member) return undefined;
    const lastMember = members[members.length - 1];
    const key = this.#text(member.key.start, member.key.end);
    // After the value, up to the next slot; a closing tag may say the key again.
    const nextSlot = this.#first.slots.find(({ start }) => start >= lastMember.value.end)?.start ?? end;
    const lastKey = this.#text(lastMember.key.start, lastMember.key.end);
    const again = mentions(lastKey, this.#sample.text, { start: lastMember.value.end, end: nextSlot }).at(-1);
    const tail: Piece[] = [];
    if (again) {
      if (again.start > lastMember.value.end) tail.push(this.#text(lastMember.value.end, again.start));
      tail.push(slot.key);
    }
    const middle = this.#text(member.key.end, member.value.start);
    const call = this.#pieces(this.#first, [
      { start: member.key.start, end: again?.end ?? lastMember.value.end, slot: slot.members },
    ]);
    const strings: Piece[] = [slot.key, ...this.#keyAgain(middle, key), slot.value, ...tail];
    let template: RenderTemplate = { ...frame, call, members: [['"', ...strings]] };
    if (!this.#works(template, [name, `{${JSON.stringify(key)}:"plain"}`])) return undefined;
    template = this.#withShownKinds(this.#variants(template, members, tail, call), tail);
    const jsons = hardStrings.map((text) => `{${JSON.stringify(key)}:${JSON.stringify(text)}}`);
    template = this.#best(textWays(template), (way) => way, jsons);
    template = this.#withComma(template);
    return this.#withStyle(template, key);
  }

  /** What the sample shows of arguments that are no strings is taken over, kind by kind: a tag may say their type. */
  #withShownKinds(template: RenderTemplate, tail: readonly Piece[]): RenderTemplate {
    const shown = new Map<string, Piece[]>();
    const [first, ...others] = this.#sample.calls.flatMap(({ members }) => members);
    for (const { key, value } of others) {
      const kind = kindOf(this.#text(value.start, value.end));
      const middle = this.#text(key.end, value.start);
      if (kind === undefined || shown.has(kind) || middle === this.#text(first.key.end, first.value.start)) continue;
      const pieces = [slot.key, ...this.#keyAgain(middle, this.#text(key.start, key.end)), slot.value, ...tail];
      const known = template.members?.find(([kinds]) => kinds.includes(kind))?.slice(1);
      if (known !== undefined && same(known as Piece[], pieces)) continue;
      const json = `{"k":${this.#text(value.start, value.end)}}`;
      const made: RenderTemplate = { ...template, members: [[kind, ...pieces], ...(template.members ?? [])] };
      if (this.#works(made, [this.#first.name, json])) shown.set(kind, pieces);
    }
    // What is written round one of the two words is written round the other.
    for (const [one, other] of ["tf", "ft"]) {
      const pieces = shown.get(one);
      if (pieces && !shown.has(other)) shown.set(other, pieces);
    }
    if (shown.size === 0) return template;
    const rest = (template.members ?? []).flatMap(([kinds, ...pieces]) => {
      const left = [...kinds].filter((kind) => !shown.has(kind)).join("");
      return left === "" ? [] : [[left, ...pieces] as const];
    });
    const groups = new Map<string, [string, ...Piece[]]>();
    for (const [kind, pieces] of shown) {
      const known = groups.get(JSON.stringify(pieces));
      if (known) known[0] += kind;
      else groups.set(JSON.stringify(pieces), [kind, ...pieces]);
    }
    return { ...template, members: [...rest, ...groups.values()] };
  }

  #keyAgain(text: string, key: string): Piece[] {
    const pieces: Piece[] = [];
    let at = 0;
    for (const { start, end } of mentions(key, text, { start: 0, end: text.length })) {
      pieces.push(text.slice(at, start), slot.key);
      at = end;
    }
    pieces.push(text.slice(at));
    return pieces.filter((piece) => piece !== "");
  }

  /** How arguments are written that are no strings. */
  #variants(template: RenderTemplate, members: SampleCall["members"], tail: Piece[], call: Piece[]): RenderTemplate {
    const [, ...strings] = (template.members as NonNullable<RenderTemplate["members"]>)[0];
    const { name } = this.#first;
    const key = this.#text(members[0].key.start, members[0].key.end);
    const middle = this.#text(members[0].key.end, members[0].value.start);
    const kinds = Object.keys(otherValues);
    const carries = (made: RenderTemplate, kind: string) => {
      const value = kind === "[" ? "[1]" : kind === "{" ? "{}" : otherValues[kind];
      return this.#works(made, [name, `{${JSON.stringify(key)}:${value}}`]);
    };
    const ways: RenderTemplate[] = [];
    const other = (pieces: Piece[], made = template, text = strings): RenderTemplate => ({
      ...made,
      members: [
        ['"', ...text],
        [kinds.join(""), ...pieces],
      ],
    });
    // Shown by the sample: a second argument that is no string.
    const second = members[1] && this.#text(members[1].key.end, members[1].value.start);
    const secondKey = members[1] && this.#text(members[1].key.start, members[1].key.end);
    if (second !== undefined) ways.push(other([slot.key, ...this.#keyAgain(second, secondKey), slot.value, ...tail]));
    const bare = wrappersOf(middle, this.#afterArguments(call)).map(([open, close]): [boolean, RenderTemplate] => {
      const shorter = dropFromBehind(call, close);
      const inner = middle.slice(0, middle.length - open.length);
      const made: RenderTemplate = { ...template, call: shorter, style: { ...jsonStyle, string: [open, close] } };
      const way = other(
        [slot.key, inner, slot.value].filter((piece) => piece !== ""),
        made,
        [...strings, close],
      );
      return [open === close && this.#literals.includes(open), way];
    });
    // The same marker on both sides is a string mark, though a schema may let what is no string stand there as well.
    ways.push(...bare.filter(([isMark]) => isMark).map(([, way]) => way));
    ways.push(other(strings));
    ways.push(...bare.filter(([isMark]) => !isMark).map(([, way]) => way));
    const typed = typedMembers(middle).map(([kind, text]): [string, ...Piece[]] => [
      kind,
      slot.key,
      text,
      slot.value,
      ...tail,
    ]);
    if (typed.length > 0) ways.push({ ...template, members: [['"', ...strings], ...typed] });
    const swapsFrom = ways.length;
    for (const swapped of this.#swaps(middle)) ways.push(other([slot.key, swapped, slot.value, ...tail]));
    // One way for all kinds is the rule; where kinds differ, each gets the first that carries it. Ways that are about
    // quotes carry a number or nothing.
    let best: RenderTemplate | undefined;
    let most = 0;
    const carried = new Map<string, RenderTemplate>();
    for (const [at, way] of ways.entries()) {
      for (const words of this.#words) {
        const made = { ...way, style: { ...(way.style ?? jsonStyle), words } };
        if (at < swapsFrom && !carries(made, "0")) break;
        const count = kinds.filter((kind) => {
          if (!carries(made, kind)) return false;
          if (!carried.has(kind)) carried.set(kind, made);
          return true;
        }).length;
        if (count > most) {
          most = count;
          best = made;
        }
        if (most === kinds.length) break;
      }
      if (most === kinds.length) break;
    }
    if (!best?.members) return template;
    if (best.members.length > 2) return best;
    const [text, rest] = best.members;
    const pieces = rest.slice(1);
    const own = kinds.filter((kind) => carries(best, kind));
    const left = kinds.filter((kind) => !own.includes(kind) && carried.has(kind));
    const lists: [string, ...Piece[]][] = [[own.join(""), ...pieces]];
    for (const kind of left) lists.push([kind, ...(carried.get(kind)?.members?.[1].slice(1) ?? [])]);
    if (lists.length === 1 && same(text.slice(1), pieces))
      return { ...best, members: [[`"${own.join("")}`, ...pieces]] };
    return { ...best, members: [text, ...lists] };
  }

  /** The text of a call right after its arguments. */
  #afterArguments(call: readonly Piece[]): string {
    const piece = call[call.indexOf(slot.members) + 1];
    return typeof piece === "string" ? piece : "";
  }

  /** A text with one literal of the grammar in it replaced by another. */
  #swaps(text: string): string[] {
    const words = this.#literals.filter((literal) => literal !== "" && /[\p{L}]/u.test(literal));
    const swapped = words.flatMap((word) => {
      const at = text.indexOf(word);
      if (at < 0) return [];
      return words
        .filter((other) => other !== word)
        .map((other) => text.slice(0, at) + other + text.slice(at + word.length));
    });
    return [...new Set(swapped)].sort((left, right) => distance(left, text) - distance(right, text)).slice(0, 60);
  }

  /** How values inside values are written. */
  #withStyle(template: RenderTemplate, key: string): RenderTemplate {
    const values = [
      otherValues["["],
      otherValues["{"],
      ...hardStrings.map((text) => JSON.stringify([text])),
      ...hardStrings.map((text) => JSON.stringify({ k: text })),
    ];
    const jsons = values.map((value) => `{${JSON.stringify(key)}:${value}}`);
    const { style: known = jsonStyle, comma } = template;
    const isTight = comma !== undefined && /^[,;]$/.test(comma);
    const shown = isTight ? { ...known, colon: known.colon.trim(), comma: known.comma.trim() } : known;
    const styles = stylesLike(shown, this.#words);
    const style = this.#best(styles, (way) => ({ ...template, style: way }), jsons);
    return { ...template, style };
  }

  #withComma(template: RenderTemplate): RenderTemplate {
    const { members, name } = this.#first;
    const before = template.call[template.call.indexOf(slot.members) - 1];
    const lead = typeof before === "string" ? before : "";
    const tail = this.#afterArguments(template.call);
    const works = (comma: string) =>
      this.#works({ ...template, comma }, [name, '{"first":"one","second":"two","third":"three"}']);
    if (members.length > 1) {
      const from = mentions(this.#text(members[0].key.start, members[0].key.end), this.#sample.text, {
        start: members[0].value.end,
        end: members[1].key.start,
      }).at(-1);
      let shown = this.#text(from?.end ?? members[0].value.end, members[1].key.start);
      const closing = template.members?.[0].at(-1);
      if (from === undefined && typeof closing === "string" && shown.startsWith(closing))
        shown = shown.slice(closing.length);
      if (works(shown)) return { ...template, comma: shown };
    }
    const comma = this.#joint(lead, tail, works);
    return comma === undefined ? template : { ...template, comma };
  }

  /** What stands between two: the end of one, maybe a separator, the beginning of the other. */
  #joint(lead: string, tail: string, works: (joint: string) => boolean): string | undefined {
    const isTight = !/[,:] /.test(this.#sample.text) && /[,:]\S/.test(this.#sample.text);
    const order = [...separators, ...this.#literals.filter(({ length }) => length <= separatorCharsMax)].sort(
      (left, right) => (isTight ? left.trim().length - right.trim().length || left.length - right.length : 0),
    );
    const tails = places(tail).map((at) => tail.slice(0, at));
    const leads = places(lead)
      .map((at) => lead.slice(at))
      .reverse();
    const pairs = tails
      .flatMap((end) => leads.map((start) => [end, start]))
      .sort((left, right) => left.join("").length - right.join("").length);
    for (const [end, start] of pairs) {
      // A token eats the white space after it, so what stands after the last stands after the others as well.
      const blank = /^\s*/.exec(tail.slice(end.length))?.[0] ?? "";
      for (const separator of end === "" && start === "" ? order : isTight ? ["", ",", ", "] : ["", ", ", ","]) {
        const joints =
          separator === "" && end + start !== "" ? [end + blank + start, end + start] : [end + separator + start];
        const found = joints.find(works);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  // ----- Several calls, and calls without arguments -----

  #withBetween(template: RenderTemplate): RenderTemplate {
    const { calls } = this.#sample;
    const two = (between: string): boolean => {
      const made = { ...template, between };
      const json = '{"first":"one"}';
      return this.#works(made, ["some_tool", json], ["other_tool", json], ["some_tool", json]);
    };
    if (calls.length > 1) {
      const shown = this.#text(calls[0].end, calls[1].start);
      if (two(shown)) return { ...template, between: shown };
    }
    const { open, close } = template;
    const blank = /^\s*/.exec(close)?.[0] ?? "";
    const hasLines = /\n/.test(this.#sample.text);
    const indent = /\n\s*$/.exec(open)?.[0];
    const isBlock = this.#data.triggers.some((trigger) => this.#sample.text.startsWith(trigger, this.#first.start));
    const near = isBlock && hasLines ? ["\n"] : [...(indent === undefined ? [] : [`,${indent}`]), blank];
    const inside = [...near, ...separators, ...this.#literals.filter(({ length }) => length <= separatorCharsMax)];
    const outside = [hasLines ? "\n" : "", "", "\n", "\n\n", ";"].map((separator) => close + separator + open);
    const found = [...new Set([...inside, ...outside])].find(two);
    return found === undefined ? template : { ...template, between: found };
  }

  /** The number after a name counts the calls, where the grammar takes any number there. */
  #withCounter(template: RenderTemplate): RenderTemplate {
    const count = (pieces: readonly Piece[]): Piece[] =>
      pieces.flatMap((piece, at) => {
        const found = pieces[at - 1] === slot.name && typeof piece === "string" ? counterShape.exec(piece) : null;
        if (found === null || typeof piece !== "string") return [piece];
        const [all, before, digit] = found;
        return [before, digit === "0" ? slot.index : slot.number, piece.slice(all.length)];
      });
    const call = count(template.call);
    if (call.length === template.call.length) return template;
    const made = { ...template, call, ...(template.bare ? { bare: count(template.bare) } : {}) };
    const calls = Array.from({ length: 12 }, (_, at): [string, string] => [
      "some_tool",
      at % 2 ? "{}" : '{"first":"one"}',
    ]);
    const carried = template.between === undefined ? calls.slice(0, 1) : calls;
    return this.#works(made, ...carried) ? made : template;
  }

  #withBare(template: RenderTemplate): RenderTemplate {
    const none = (made: RenderTemplate) => this.#works(made, ["some_tool", "{}"]);
    const shown = this.#sample.calls.find(({ members, argumentsNode }) => members.length === 0 && !argumentsNode);
    if (shown) {
      const bare = this.#pieces(shown);
      if (none({ ...template, bare })) return { ...template, bare };
    }
    if (none(template) && !template.members) return template;
    const at = template.call.indexOf(template.members ? slot.members : slot.arguments);
    const before = typeof template.call[at - 1] === "string" ? (template.call[at - 1] as string) : "";
    const after = typeof template.call[at + 1] === "string" ? (template.call[at + 1] as string) : "";
    const head = template.call.slice(0, before === "" ? at : at - 1);
    const rest = template.call.slice(after === "" ? at + 1 : at + 2);
    const make = (left: string, right: string) => [...head, left + right, ...rest].filter((piece) => piece !== "");
    const lead = commonEnd(before, template.comma ?? "");
    const tail = commonStart(after, (template.comma ?? "").slice(0, (template.comma ?? "").length - lead));
    const ways = [make(before.slice(0, before.length - lead), after.slice(tail))];
    const lefts = places(before)
      .map((end) => before.slice(0, end))
      .reverse();
    const rights = places(after).map((start) => after.slice(start));
    const pairs = lefts.flatMap((left) => rights.map((right) => [left, right]));
    pairs.sort((one, other) => other.join("").length - one.join("").length);
    for (const [left, right] of pairs) ways.push(make(left, right));
    const bare = ways.find((way) => none({ ...template, bare: way }));
    return bare === undefined ? template : { ...template, bare };
  }
}

/** A call without the text that has become part of its arguments. */
function dropFromBehind(call: readonly Piece[], text: string): Piece[] {
  const at = call.indexOf(slot.members) + 1;
  const rest = (call[at] as string).slice(text.length);
  return [...call.slice(0, at), ...(rest === "" ? [] : [rest]), ...call.slice(at + 1)];
}

function same(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, at) => item === right[at]);
}
