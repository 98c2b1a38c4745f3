import { textOutside } from "../../blocks/text-around.ts";
import { asWritten } from "../../blocks/written-tags.ts";
import { onceFor } from "../../contract/once-for.ts";
import type { RepairKind } from "../../contract/repairs.ts";
import type { FormatData } from "../../formats/format-data.ts";
import type { Candidate } from "../../values/candidate.ts";
import { countOf } from "../../values/escaped-quotes.ts";
import type { Alternative } from "../readings/alternative.ts";
import { openerOf } from "../readings/call-end.ts";
import { openerCharsMin } from "../readings/openers.ts";

/** A marker of a format, and where the format writes it. */
interface Token {
  readonly text: string;
  /** As a string of JSON holds it. */
  readonly json: string;
  /** What belongs to it, where one opens what the other closes. */
  readonly partner: string | undefined;
  /** So often in each call, and with each of its arguments. */
  readonly inCall: number;
  readonly inMember: number;
  /** Where a call begins, or a section of calls; and where one ends: it may stand outside of the call itself. */
  readonly isBefore: boolean;
  readonly isBehind: boolean;
}

/** What a format writes round and in its calls that is no word. */
interface Tokens {
  readonly all: readonly Token[];
  /** The units that they begin with: few arguments hold one. */
  readonly begins: readonly string[];
  /** Those that a sound call may lack. */
  readonly beforeEnd: readonly Token[];
}

const known = new WeakMap<object, Tokens>();
const noTemplate = {};

function tokensOf(format: FormatData): Tokens {
  // While a grammar is compiled, its program is there before its template is.
  const key = format.template ?? noTemplate;
  let tokens = known.get(key);
  if (tokens === undefined) {
    const all = makeTokens(format);
    const beforeEnd = all.filter(({ isBehind }) => !isBehind);
    tokens = { all, begins: [...new Set(all.flatMap(({ text, json }) => [text[0], json[0]]))], beforeEnd };
    known.set(key, tokens);
  }
  return tokens;
}

function makeTokens(format: FormatData): readonly Token[] {
  const { template, triggers, closers = [], trailingClosers = [], innerTokens = [], reasoning } = format;
  if (template === undefined) return [];
  const textOf = (pieces: readonly (string | number)[]) =>
    pieces.map((piece) => (typeof piece === "string" ? piece : "\0")).join("");
  const call = textOf(template.call);
  const member = textOf(template.members?.[0]?.slice(1) ?? []);
  const { open, close } = template;
  const before = [open, call.slice(0, call.indexOf("\0"))].join("\0");
  const behind = [close, call.slice(call.lastIndexOf("\0"))].join("\0");
  const written = [open, call, member, close].join("\0");
  const closing: readonly string[] = [...closers, ...trailingClosers];
  const all = [...triggers, ...closing, ...innerTokens, ...(written.match(marker) ?? [])];
  const opens = new Map(closing.map((closer) => [openerOf(closer, template), closer]));
  const quoted: readonly string[] = template.style?.string ?? [];
  return [...new Set(all)]
    .filter(
      (text) =>
        text.length >= openerCharsMin &&
        written.includes(text) &&
        noWord.test(text) &&
        !quoted.includes(text) &&
        !reasoning.some(({ close }) => close.includes(text)),
    )
    .map((text) => {
      const opener = closing.includes(text) ? openerOf(text, template) : undefined;
      const partner = opener ?? [...opens].find(([one]) => one !== "" && text.startsWith(one))?.[1];
      return {
        text,
        json: JSON.stringify(text).slice(1, -1),
        partner: partner === text ? undefined : partner,
        inCall: countOf(call, text),
        inMember: countOf(member, text),
        isBefore: before.includes(text),
        isBehind: behind.includes(text),
      };
    });
}

/** What values of a call are written in: strings, and others as JSON. */
export interface ValueTexts {
  readonly strings: readonly string[];
  readonly jsons: readonly string[];
}

/** Whether a token stands in values, what belongs to it does not, and no marks of code or quotation stand round it. */
function isHeld({ text, json, partner }: Token, { strings, jsons }: ValueTexts): boolean {
  const count = countAlone(strings, text, marks) + countAlone(jsons, json, jsonMarks);
  if (count === 0 || partner === undefined) return count > 0;
  return count > [...strings, ...jsons].reduce((sum, one) => sum + countOf(one, partner), 0);
}

function countAlone(texts: readonly string[], token: string, marks: readonly string[]): number {
  let count = 0;
  for (const text of texts) {
    for (let at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + token.length)) {
      const end = at + token.length;
      if (!marks.some((mark) => text.startsWith(mark, at - mark.length) && text.startsWith(mark, end))) count++;
    }
  }
  return count;
}

const marks = ["`", "'", '"'];
const jsonMarks = ["`", "'", '\\"'];

const tokensOfAll = onceFor((alternatives: readonly Alternative[]): Omit<Tokens, "all"> => {
  const each = alternatives.map(({ format }) => tokensOf(format));
  const begins = [...new Set(each.flatMap((one) => one.begins))];
  return { begins, beforeEnd: each.flatMap(({ beforeEnd }) => beforeEnd) };
});

/** The units that tokens of some formats may begin with, whatever the formats write: most arguments hold none of them. */
const unitsOfAll = onceFor((alternatives: readonly Alternative[]): readonly string[] => {
  const units = alternatives.flatMap(({ format }) =>
    [format.triggers, format.closers, format.trailingClosers, format.innerTokens].flatMap((texts = []) =>
      texts.flatMap((text) => [text[0], JSON.stringify(text)[1]]),
    ),
  );
  return [...new Set([...markerUnits, ...units])];
});

/**
 * Whether values of a call without repairs hold a token by itself, of a format that may have read it, that the call may lack: what
 * ends it is there, or not due.
 */
export function mayHoldMoved(
  values: ValueTexts,
  alternatives: readonly Alternative[],
  text: string,
  start: number,
): boolean {
  if (values.strings.length === 0 && values.jsons.length === 0) return false;
  if (!holdOne(values, unitsOfAll(alternatives))) return false;
  const { begins, beforeEnd } = tokensOfAll(alternatives);
  if (!holdOne(values, begins)) return false;
  return beforeEnd.some((token) => isHeld(token, values) && !(token.isBefore && beginsWith(text, start, token.text)));
}

const holdOne = ({ strings, jsons }: ValueTexts, units: readonly string[]): boolean =>
  areIn(strings, units) || areIn(jsons, units);

/** Asked of each call: no function is made for it. */
function areIn(texts: readonly string[], units: readonly string[]): boolean {
  for (let text = 0; text < texts.length; text++)
    for (let at = 0; at < units.length; at++) if (texts[text].includes(units[at])) return true;
  return false;
}

/** Whether a token stands directly before a call, or begins it. */
const beginsWith = (text: string, start: number, token: string): boolean =>
  text.startsWith(token, start) || text.slice(Math.max(0, start - nearCharsMax), start).includes(token);

/** The opener of a section, with blanks. */
const nearCharsMax = 64;

/**
 * A token of the format that a value of a call holds, and that the call lacks: it may have been moved there.
 *
 * @param before what stands before the call and is no text
 */
export function movedToken(candidate: Candidate, format: FormatData, before: string): string | undefined {
  // What is guessed of the call says so itself.
  if (candidate.problem !== undefined || candidate.repairs.some(({ level }) => level !== "safe")) return undefined;
  const { jsonText } = candidate.writer;
  const { all, begins } = tokensOf(format);
  const values = { strings: [], jsons: [jsonText] };
  if (!holdOne(values, begins)) return undefined;
  const held = all.filter((token) => isHeld(token, values));
  if (held.length === 0) return undefined;
  const outside = textOutside(candidate, format);
  // Where its own bear a prefix or a suffix, one without is text.
  const [firstValue = candidate.textStart] = candidate.values;
  if (asWritten(format, candidate.text.slice(0, firstValue - candidate.textStart)) !== format) return undefined;
  const isRepaired = (kind: RepairKind) => candidate.repairs.some((repair) => repair.kind === kind);
  const isOfMembers = candidate.kind === "members";
  const count = isOfMembers ? candidate.values.length / 2 : 0;
  // JSON in a format of tags has none of them, and lacks none.
  const isOtherForm = isOfMembers !== (format.template?.members !== undefined);
  const isMissing = ({ text, inCall, inMember, isBefore, isBehind }: Token) => {
    const due = inCall + inMember * count;
    const isFound = countOf(outside, text) >= Math.max(due, 1);
    if (isFound || (due === 0 && !isBefore && !isBehind)) return false;
    if (isBehind) return isRepaired("missing-close-marker");
    return !isOtherForm && (!isBefore || !before.includes(text));
  };
  return held.find(isMissing)?.text;
}

/** A tag without attributes, a special token, a word in brackets. */
const marker = /<[^<>\s"'\0]+>|\[\/?[A-Z_]+\]/g;
const markerUnits = ["<", "["];
const noWord = /[^\w\s]/;
