import { onceFor } from "../contract/once-for.ts";
import type { Node } from "../contract/types.ts";
import type { Format, RenderableCall } from "../formats/format.ts";
import type { FormatData } from "../formats/format-data.ts";
import type { FindOtherFormat, OtherFormat } from "./options.ts";
import { extractMessage } from "./prepared-messages.ts";
import { PlainTextPlaces, type PlainTextSearch } from "./text/plain-text-search.ts";

/** What may open a call of some formats, and stands in few other texts. */
export const distinctiveOpeners = (formats: Iterable<Opening>): string[] => [
  ...new Set([...formats].flatMap(distinctiveOf)),
];

type Opening = Pick<FormatData, "triggers" | "template">;

/** Where no opener says which format it is, what it writes begins with more than that, as `Action:` does. */
const distinctiveOf = onceFor(({ triggers, template }: Opening): readonly string[] => {
  const distinctive = triggers.filter(isDistinctive);
  const [written = ""] = /^[^\s"']+/.exec(template ? template.open + String(template.call[0]) : "") ?? [];
  const saysMore = triggers.some((one) => written.startsWith(one) && !isDistinctive(one));
  return saysMore && written.length >= writtenCharsMin ? [...distinctive, written] : distinctive;
});

const writtenCharsMin = 6;

/** Openers of fewer characters, or of letters alone, stand in every text. */
const isDistinctive = (opener: string) => opener.length >= 3 && /[^\w\s:]/.test(opener) && !opener.startsWith("\0");

/** After so many openers no call is looked for: where only openers stand, each would be read by all formats that share it. */
const openersMax = 128;

/** The openers that a text holds, and where the last of them is passed that is looked at. */
function openersIn(text: string, openers: readonly string[], search: PlainTextSearch) {
  const found = new Set<string>();
  let count = 0;
  let end = text.length;
  for (let at = search.from(text, 0); at < end; at = search.from(text, at + 1)) {
    const begun = openers.filter((opener) => text.startsWith(opener, at));
    for (const opener of begun) found.add(opener);
    if (begun.length > 0 && ++count > openersMax) end = at;
  }
  search.forget();
  return { found, end };
}

/**
 * Looks for what a registry knows beside what was asked for. Where no opener of any format begins, that costs a search
 * for a few characters.
 *
 * @param formats not asked for before there is something to find
 * @param known their {@link distinctiveOpeners}, where they are known beforehand
 */
export function otherFormatFinder(formats: Iterable<Format>, known?: readonly string[]): FindOtherFormat {
  let openers = known;
  let search: PlainTextSearch | undefined;
  return (whole, asked, asWritten = false) => {
    openers ??= distinctiveOpeners(formats);
    search ??= new PlainTextPlaces(openers, []).search();
    const { found, end: textEnd } = openersIn(whole, openers, search);
    if (found.size === 0) return undefined;
    const text = whole.slice(0, textEnd);
    const isAsked = ({ id }: Format) => asked.some((one) => one.id === id);
    const others = [...formats].filter(
      (one) => !isAsked(one) && distinctiveOf(one).some((opener) => found.has(opener)),
    );
    if (others.length === 0) return undefined;
    // One of a list that reads it alone is not another one.
    const readsAlone = (one: Format) => isAsked(one) && extracted(text, [one]).calls.length > 0;
    if (asked.length > 1 && asWritten && [...formats].some(readsAlone)) return undefined;
    const { calls, rejected } = extracted(text, others);
    const ambiguous = rejected.find(({ reason }) => reason === "ambiguous");
    // What they refuse together one may read alone; what they dispute is damaged.
    if (calls.length > 0 || (rejected.length > 0 && ambiguous === undefined))
      return writerOf(text, others, [...formats].filter(isAsked), asWritten);
    if (asWritten || ambiguous === undefined) return undefined;
    const { start, end } = ambiguous;
    const begun = others.filter(({ triggers }) => triggers.some((opener) => text.startsWith(opener, start)));
    return { id: (namingOne(text, begun) ?? begun[0] ?? others[0]).id, start, end };
  };
}

/**
 * Of formats that read calls in a text the one that writes most of it so, or the one of the most models. One that was asked for has
 * refused calls that it reads for what stands around them.
 */
function writerOf(
  text: string,
  formats: readonly Format[],
  asked: readonly Format[],
  asWritten: boolean,
): OtherFormat | undefined {
  const readings = formats.flatMap((format) => {
    const { calls, nodes } = extracted(text, [format]);
    const [call] = calls;
    if (call === undefined) return [];
    const block = blockAt(call.start, nodes, text);
    // Of a format whose tags are names any tag may be one to it where no tools are known.
    if (asked.some((one) => extracted(block, [one]).calls.some(({ name }) => name === call.name))) return [];
    const { id, models } = format;
    const { start, end } = call;
    const [exact, blanksAside] = writtenBy(format, calls, text);
    if (asWritten && blanksAside === 0) return [];
    return [{ found: { id, start, end }, rank: [exact, blanksAside, models.length] }];
  });
  return readings.sort(({ rank: left }, { rank: right }) => compare(right, left))[0]?.found;
}

/** What stands around a call up to other text. */
function blockAt(at: number, nodes: readonly Node[], text: string): string {
  const others = nodes.filter(({ type }) => type !== "call" && type !== "framing");
  const before = others.findLast(({ end }) => end <= at);
  return text.slice(before?.end, others.find(({ start }) => start >= at)?.start);
}

function compare(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((one, index) => one !== right[index]);
  return at < 0 ? 0 : left[at] - right[at];
}

/** How much of a text is what a format writes for the calls, and how much white space aside. */
function writtenBy(
  format: Format,
  calls: readonly RenderableCall[],
  text: string,
): readonly [exact: number, blanksAside: number] {
  try {
    const written = format.renderCalls(calls);
    const lengthIn = (all: string, part: string) => (all.includes(part) ? part.length : 0);
    return [lengthIn(text, written), lengthIn(withoutBlanks(text), withoutBlanks(written))];
  } catch {
    return [0, 0];
  }
}

const withoutBlanks = (text: string) => text.replace(/\s/g, "");

function extracted(text: string, formats: readonly Format[]) {
  const message = extractMessage({ format: formats }, false);
  message.push(text);
  message.end();
  return message.result();
}

/** Of formats that dispute a text the first that makes a call of it or, where none does, reads the name of one in it. */
function namingOne(text: string, formats: readonly Format[]): Format | undefined {
  const alone = formats.map((format) => ({ format, result: extracted(text, [format]) }));
  const names = ({ reason, name }: { reason: string; name?: string }) => reason === "ambiguous" && name !== undefined;
  const found =
    alone.find(({ result }) => result.calls.length > 0) ?? alone.find(({ result }) => result.rejected.some(names));
  return found?.format;
}
