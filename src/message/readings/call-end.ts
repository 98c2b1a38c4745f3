import { type ParameterTag, parameterTagOf } from "../../blocks/parameter-tag.ts";
import { onceFor } from "../../contract/once-for.ts";
import type { RenderTemplate } from "../../contract/render-template.ts";
import type { RepairKind } from "../../contract/repairs.ts";
import type { FormatData } from "../../formats/format-data.ts";
import type { Candidate } from "../../values/candidate.ts";
import { countOf, escapedQuotes, hasUnpairedEscape } from "../../values/escaped-quotes.ts";
import { openerCharsMin } from "./openers.ts";

/** Repairs that say where a call ends: what follows may say that it ended elsewhere. */
const movesEnd: ReadonlySet<RepairKind> = new Set<RepairKind>([
  "inner-quote",
  "missing-closer",
  "missing-envelope-closer",
  "missing-close-marker",
  "missing-last-closer",
  "surplus-closer",
  "extra-comma",
]);

/** Whether it is a repair that says where the call ends. A tag that closes itself needs no marker. */
export function endIsRepaired({ repairs, placed }: Candidate): boolean {
  const closesItself = (kind: RepairKind) => kind === "missing-close-marker" && placed.raw.endsWith("/>");
  return repairs.some(({ kind }) => movesEnd.has(kind) && !closesItself(kind));
}

/** What a format writes last of a call: empty where that is its value, undefined where it is not known. */
export function tailOf({ template }: FormatData): string | undefined {
  const piece = template?.call.at(-1);
  return template && (typeof piece === "string" ? piece.trim() : "");
}

/** Whether nothing but brackets of its own ends a call: then a quote that is not escaped may have ended it. */
export const endsWithBrackets = onceFor((format: FormatData): boolean => {
  const isOfThoughts = (closer: string) => format.reasoning.some(({ close }) => close === closer);
  return (format.closers ?? []).every(isOfThoughts) && /^["}\])]*$/.test(tailOf(format) ?? "?");
});

/** Whether nothing but the brackets of JSON ends what a format writes of calls. */
export const endsWithJson = (format: FormatData): boolean =>
  endsWithBrackets(format) && jsonEnd.test(`${tailOf(format)}${format.template?.close ?? ""}`.trim());

const jsonEnd = /^["}\]]*$/;

/** Whether a call has written no arguments, so that its object is empty. */
export const isEmpty = ({ writer }: Candidate): boolean => writer.length === emptyChars;

const emptyChars = "{}".length;

/** Whether a text has more quotes that begin strings than such that end them, or the other way round. */
export const hasOddQuotes = (text: string): boolean => (text.replace(/\\./gs, "").split('"').length - 1) % 2 === 1;

/**
 * What the strings of a call say of its end, where a quote may have lost its backslash, or got one too many: `none` holds an
 * escaped quote; all those in one are `paired`; one has no partner, or an opener of the format stands in one, so it is `open`.
 *
 * @param formats those whose arguments have strings
 */
export function stringsOf(raw: string, formats: readonly FormatData[]): "none" | "paired" | "open" {
  if (formats.length === 0) return "none";
  if (holdsOpener(raw, formats)) return "open";
  if (hasUnpairedEscape(raw)) return "open";
  return escapedQuotes.some((quote) => raw.includes(quote)) ? "paired" : "none";
}

/** Whether they say anything of it. */
export const stringsSay = (raw: string, formats: readonly FormatData[]): boolean =>
  escapedQuotes.some((quote) => raw.includes(quote)) || holdsOpener(raw, formats);

/** Whether an opener stands in a call, which may begin with one. */
function holdsOpener(raw: string, formats: readonly FormatData[]): boolean {
  const isHeld = (opener: string) =>
    opener.length >= openerCharsMin && raw.indexOf(opener, raw.startsWith(opener) ? 1 : 0) >= 0;
  return formats.some(({ triggers }) => triggers.some(isHeld));
}

/** Whether the arguments of a call are JSON or of Python, also where the format has raw values as well. */
export function hasStrings(raw: string, { template, rawValues }: FormatData): boolean {
  if (rawValues === undefined) return true;
  const brace = raw.indexOf("{");
  const parameter = raw.indexOf(parameterTagOf(template)?.opener ?? "{");
  return brace >= 0 && (parameter < 0 || brace <= parameter);
}

/**
 * Whether the closer of a call may be another's: a value holds the opener of a parameter that nothing closes in it, or the closer
 * stands behind text of a line that is deeper than the body, which may be that of a block.
 */
export const mayEndLater = (raw: string, format: FormatData): boolean => {
  if (format.body !== undefined) return endsDeeper(raw);
  const tag = closedTagOf(format);
  return tag !== null && countOf(raw, tag.opener) > countOf(raw, tag.closeTag);
};

function endsDeeper(raw: string): boolean {
  const indent = indentOfBody.exec(raw)?.[1].length ?? 0;
  const deeper = raw.slice(raw.lastIndexOf("\n") + 1).match(indentOfText)?.[0].length ?? 0;
  return raw.includes("\n") && deeper > indent;
}

const indentOfBody = /^<[^>]*>\s*\n([ \t]*)\S/;
const indentOfText = /^[ \t]+(?!<\/)(?=\S)/;

/** How the tag begins that a closing tag closes. */
export function openTagOf(closer: string): string {
  const tag = closer.replace("</", "<");
  return tag.endsWith(">") ? tag.slice(0, -1) : tag;
}

/** What opens what a closer of a format closes, as the format writes it. A mark of strings opens as well. */
export function openerOf(closer: string, template: RenderTemplate | undefined): string {
  if (closer.includes("</")) return openTagOf(closer);
  const tag = parameterTagOf(template);
  if (closer === tag?.valueOpener || template?.style?.string.includes(closer)) return closer;
  const isOfPart = tag && template?.comma?.trimStart().startsWith(closer);
  const opener = isOfPart ? tag.opener : template?.close.includes(closer) ? template.open : String(template?.call[0]);
  return opener.trimStart().split(/[\s"{]/, 1)[0];
}

/** Whether the arguments of a call say that it may. */
export const argumentsMayEndLater = (json: string, format: FormatData): boolean => {
  const tag = closedTagOf(format);
  return format.body !== undefined || (tag !== null && json.includes(tag.openerInJson));
};

/** The tag of its parameters, if they hold text and all are closed alike. */
function closedTagOf({ template, rawValues }: FormatData): ParameterTag | null {
  const tag = rawValues === undefined ? null : parameterTagOf(template);
  return tag?.closeTag ? tag : null;
}
