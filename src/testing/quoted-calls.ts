/**
 * A call in a string of another call is text, and one in a fence after it too, whichever token of that other call is
 * damaged. What runs nonetheless comes back with the rule that let reading go on inside of the quotation.
 */
import type { Format } from "../formats/format.ts";
import { structuralDamage } from "./damage.ts";
import type { Engine, HarnessResult } from "./engine.ts";
import { callsOf, show } from "./observe.ts";
import type { CorpusCall } from "./read-corpus.ts";
import { looseTools, sampleWords } from "./samples.ts";
import { shrinkText } from "./shrink.ts";
import { openerOf, tokenDamage, tokensOf } from "./tokens.ts";

/** A quoted call that ran. */
export interface QuotedCallRun {
  /** The smallest text that shows it. */
  text: string;
  /** Where in it that call begins. */
  at: number;
  /** What was damaged, and what ran. */
  what: string;
  /** The rule that let it: `Sync` found its opener after damage; `Block` took the opener before it for text. */
  rule: "Block" | "Sync";
}

/** The word of the outer call that the quotation takes the place of. */
const place = "north7";
const outer: CorpusCall = { name: "read_dial", arguments: { dial: place, site: "hillside" } };
const inner: readonly CorpusCall[] = [
  { name: "list_dials", arguments: {} },
  { name: "set_dial", arguments: { dial: "south" } },
];
const values = new Set([place, "hillside"]);

/** The outer call with one edit. `title` says which; undefined: it is sound. */
interface Outer {
  kind: "token" | "character";
  title: string | undefined;
  text: string;
}

/** How a call stands in or after the outer one. */
interface Quotation {
  /** Words for it: `in a string`. */
  title: string;
  /** The tool of the quoted call. */
  name: string;
  around(outer: string): string;
}

/** How much of the smallest text is searched for. */
const shrinkTriesMax = 400;

/**
 * Looks for a call that runs although it is quoted.
 *
 * @returns the first that is found, in the smallest text; undefined: there is none, or the time is over
 */
export function quotedCallRun(format: Format, engine: Engine, isOver: () => boolean): QuotedCallRun | undefined {
  const write = writerOf(format);
  const template = write(outer, true);
  if (template === undefined || template.split(place).length !== 2) return undefined;
  const read = (text: string) => engine.parse(text, { format, tools: looseTools, intent: true });
  const quotations = inner.flatMap((call) => {
    const written = write(call);
    return written === undefined ? [] : quotationsOf(format, template, { name: call.name, text: written }, write);
  });
  // Tokens say the most: with little time, every quotation has at least been tried with each of them.
  const outers = outersOf(format, template);
  for (const kind of ["token", "character"] as const) {
    for (const quotation of quotations) {
      for (const { title, text } of outers.filter((one) => one.kind === kind)) {
        if (isOver()) return undefined;
        if (ranIn(read(quotation.around(text)), quotation.name) === undefined) continue;
        const small = smallest(format, template, title, quotation, read);
        return describe(format, small, title, quotation, read);
      }
    }
  }
  return undefined;
}

/** Writes calls as the format does; those that are not alone without what only the start of a message has. */
function writerOf(format: Format): (call: CorpusCall, isFirst?: boolean) => string | undefined {
  const render = (call: CorpusCall): string | undefined => {
    try {
      return format.renderCall(call);
    } catch {
      return undefined;
    }
  };
  const first = render(outer) ?? "";
  const lead = format.starts === "reasoning" ? first.slice(0, first.indexOf(format.triggers[0])).trimEnd() : "";
  return (call, isFirst = false) => (isFirst ? render(call) : render(call)?.slice(lead.length).trimStart());
}

/** The outer call, sound and with each edit of one token or character. What opens it stays: without it there is no call. */
function outersOf(format: Format, template: string): Outer[] {
  const opener = template.slice(
    0,
    template.indexOf(openerText(format, template)) + openerText(format, template).length,
  );
  // Without what opens the string, and after it twice, what stands there is in none.
  const stringOpener = tokensOf(format, template.slice(0, template.indexOf(place)).trimEnd()).at(-1) ?? "";
  const opensString = (before: string) =>
    before.trimEnd().endsWith(stringOpener) && !before.trimEnd().endsWith(stringOpener + stringOpener);
  const found = new Map<string, Outer>([[template, { kind: "token", title: undefined, text: template }]]);
  const add = (kind: Outer["kind"], title: string, text: string) => {
    const [before, ...after] = text.split(place);
    const isWhole = text.startsWith(opener) && after.length === 1 && opensString(before);
    if (isWhole && !found.has(text)) found.set(text, { kind, title, text });
  };
  for (const { title, text } of tokenDamage(format, template, values)) add("token", title, text);
  for (const { kind, at, text } of structuralDamage(template, new RegExp(sampleWords))) {
    add("character", `${JSON.stringify(template[at])} ${done[kind]}`, text);
  }
  return [...found.values()];
}

const done = { deletion: "deleted", duplication: "doubled", swap: "swapped with the next" } as const;

const openerText = (format: Format, text: string): string => {
  const at = Math.max(
    0,
    Math.min(...format.triggers.map((one) => text.indexOf(one)).filter((one) => one >= 0), text.length),
  );
  return openerOf(format, text.slice(at === text.length ? 0 : at), outer.name);
};

function quotationsOf(
  format: Format,
  template: string,
  { name, text: call }: { name: string; text: string },
  write: (call: CorpusCall) => string | undefined,
): Quotation[] {
  const end = template.trimEnd();
  const closers = (format.closers ?? []).filter((one) => end.endsWith(one));
  const closer = closers.sort((left, right) => right.length - left.length)[0];
  const held = [`see ${call} ok`, `\n${call}\n`, ...(closer === undefined ? [] : [`${closer} ${call}`])];
  // Where no value can hold a line break, one ends the value: what stands after it is quoted nowhere.
  const holdsLines = write({ name: outer.name, arguments: { dial: "a\nb", site: "hillside" } }) !== undefined;
  const texts = held.flatMap((text) => [
    ...(holdsLines || !text.includes("\n") ? [text] : []),
    JSON.stringify(text).slice(1, -1),
  ]);
  return [
    ...[...new Set(texts)].map((text) => ({
      title: "in a string",
      name,
      around: (one: string) => one.replace(place, () => text),
    })),
    // Where fences are part of the wire, damage decides what opens one.
    ...(/```/.test(template) ? [] : [{ title: "in a fence after it", name, around: inFence(call) }]),
  ];
}

const inFence = (call: string) => (one: string) => `${one}\n\`\`\`\n${call}\n\`\`\`\n`;

/** The call of that name, if it ran. */
const ranIn = (result: HarnessResult, name: string) => callsOf(result).find((call) => call.name === name);

/** The outer call with all taken away that is not needed: it is still sound, and the same edit makes the quoted call run. */
function smallest(
  format: Format,
  template: string,
  title: string | undefined,
  quotation: Quotation,
  read: (text: string) => HarnessResult,
): string {
  const words = new Set(template.match(/\w+/g));
  const damaged = (text: string) =>
    outersOf(format, text).find((one) => one.title === title && ranIn(read(quotation.around(one.text)), quotation.name))
      ?.text;
  const isSmaller = (text: string) => {
    if (text.split(place).length !== 2) return false;
    if (text.match(/\w+/g)?.some((word) => !words.has(word))) return false;
    const { rejected, ...sound } = read(text);
    const [call, ...others] = callsOf({ rejected, ...sound });
    const isAlone = others.length === 0 && rejected.length === 0;
    const isSound = isAlone && call?.name === outer.name && call.repairs.length === 0;
    return isSound && JSON.stringify(call.arguments).includes(place) && damaged(text) !== undefined;
  };
  return quotation.around(damaged(shrinkText(template, isSmaller, shrinkTriesMax)) as string);
}

function describe(
  format: Format,
  text: string,
  title: string | undefined,
  { title: where, name }: Quotation,
  read: (text: string) => HarnessResult,
): QuotedCallRun {
  const result = read(text);
  const { start, arguments: given } = ranIn(result, name) as { start: number; arguments: unknown };
  const how = title === undefined ? `the call ${where} of a sound one ran` : `with ${title}, the call ${where} ran`;
  // Where no block was opened, the opener alone is listed, and text follows it.
  const isDamaged = result.rejected.some(
    ({ end, raw }) => end <= start && text.slice(end, start).trim() === "" && raw !== openerText(format, text),
  );
  const why = isDamaged
    ? "after the damage reading went on at it: `Sync` matches inside of the quotation, and `Skip` does not pass over that"
    : "what stands before it was no call, but text: the block failed before its first `Cut`";
  return {
    text,
    at: start,
    what: `${how}: ${show({ name, arguments: given })}; ${why}`,
    rule: isDamaged ? "Sync" : "Block",
  };
}
