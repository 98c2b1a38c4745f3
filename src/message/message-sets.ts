import { message } from "../../generated/message.ts";
import { quotingTags } from "../contract/quoting-tags.ts";
import { endOfTurnTokens, turnOpeners, turnTokens } from "../contract/turns.ts";
import { type FormatData, offeredName } from "../formats/format-data.ts";
import { combinedProgram, type Program, type ReadyProgram } from "../machine/program.ts";
import { openersOf, withNames } from "./openers.ts";

/** What the formats that were asked for say about the text around their blocks. */
export interface MessageSets {
  /** Made when something is read with it: much of the text around blocks is plain, and needs no grammar. */
  readonly program: ReadyProgram;
  /** Closers of reasoning by what opens it. */
  readonly thinkClosers: ReadonlyMap<string, readonly string[]>;
  /** Closers of quoting tags by what opens them. */
  readonly quoteClosers: ReadonlyMap<string, string>;
  /** A message begins in reasoning that these close; undefined: it begins with content. */
  readonly startsInReasoning: readonly string[] | undefined;
  /** The same for a list in which not all formats say so: what these close may turn out to have been thoughts. */
  readonly mayStartInReasoning: readonly string[];
  /** Some format may begin a message with any character. */
  readonly anyLead: boolean;
  /** What opens a block of some format. */
  readonly openers: ReadonlySet<string>;
  /** What only frames text. */
  readonly framing: readonly string[];
  /** Special tokens that stand inside calls and close nothing. */
  readonly innerTokens: readonly string[];
  /** Matches the next unit that may begin something other than content. Made of the headers, never of model text. */
  readonly notPlain: RegExp;
  /** The same by two units. */
  readonly notContent: RegExp;
  /** What else may begin within text, beside openers. */
  readonly textLiterals: readonly string[];
  /** What closes blocks and their parts. */
  readonly closers: readonly string[];
  /** Openers that are the beginning of nothing else, and that nothing else begins. */
  readonly plainOpeners: readonly string[];
  /** What else may stand in text and is something other than content, by its first unit; openers have none of their own. */
  readonly specials: ReadonlyMap<string, readonly string[]>;
  readonly longestSpecial: number;
  /** At the start of a message, the units after its blanks that may begin something other than content. */
  readonly beginners: string;
}

/** Unpacked once, whatever the formats. */
let messageProgram: Program | undefined;

/** Sets by the first format and what else they depend on; good for exactly the formats that they were made of. */
const known = new WeakMap<FormatData, Map<string, { formats: readonly FormatData[]; sets: MessageSets }>>();

/**
 * The sets of a choice of formats, made once for each.
 *
 * @param marker the opener of formats whose opener is configurable
 * @param quoted pairs of tags of the caller's, beside {@link quotingTags}
 * @param names of the offered tools, which some openers begin with
 */
export function messageSets(
  formats: readonly FormatData[],
  marker: string | undefined,
  quoted: readonly (readonly [string, string])[],
  names: readonly string[] | undefined,
): MessageSets {
  const byName = formats.some(({ triggers, closers = [] }) =>
    [...triggers, ...closers].some((literal) => literal.includes(offeredName)),
  );
  const ids = JSON.stringify([formats.map(({ id }) => id), marker, quoted, byName ? names : undefined]);
  let byIds = known.get(formats[0]);
  const found = byIds?.get(ids);
  if (found?.formats.every((format, at) => format === formats[at])) return found.sets;
  const sets = makeSets(formats, marker, quoted, names);
  if (byIds === undefined || byIds.size >= listsMax) known.set(formats[0], (byIds = new Map()));
  byIds.set(ids, { formats, sets });
  return sets;
}

/** So many lists are remembered for each first format: more at a time are not in use. */
const listsMax = 16;

function makeSets(
  formats: readonly FormatData[],
  marker: string | undefined,
  quoted: readonly (readonly [string, string])[],
  names: readonly string[] | undefined,
): MessageSets {
  const openers = formats.flatMap((format) => openersOf(format, marker, names));
  const documented = formats.flatMap((format) => [...openers, ...(format.framing ?? [])]);
  const pairs = [
    ...formats.flatMap(({ reasoning }) => reasoning),
    // Thoughts are marked so by models of every format, unless its header says that the tags mean something else.
    ...commonReasoning.filter(({ open }) => !documented.includes(open)),
  ];
  const thinkClosers = new Map<string, string[]>();
  const addPair = (open: string, close: string) => {
    const closers = thinkClosers.get(open) ?? [];
    if (!closers.includes(close)) thinkClosers.set(open, [...closers, close]);
  };
  for (const { open, close } of pairs) addPair(open, close);
  const starters = formats.flatMap(({ starts, reasoning }) => {
    if (starts === undefined || starts === "reasoning") return [];
    for (const { close } of reasoning) addPair(starts, close);
    return [starts];
  });
  const thinkOpens = pairs.map(({ open }) => open);
  const thinkCloses = pairs.map(({ close }) => close);
  const stops = [...formats.flatMap(({ stop }) => stop), ...endOfTurnTokens];
  const claimed = [...thinkOpens, ...thinkCloses];
  const isFree = (text: string) => !claimed.includes(text);
  // A token of the format's own is nothing that a person would read.
  const framing = formats.flatMap((format) => [...(format.framing ?? []), ...format.stop]).filter(isFree);
  const innerTokens = formats.flatMap((format) => format.innerTokens ?? []).filter(isFree);
  const closers = formats.flatMap((format) => withNames(format.closers ?? [], names)).filter(isFree);
  const headers = [...openers, ...claimed, ...formats.flatMap((format) => format.framing ?? [])];
  const tags = [...quotingTags, ...quoted].filter(([open]) => !headers.some((text) => text === open));
  // What the header of a format documents is what it says there.
  const isTurn = (token: string) => !headers.some((text) => text.startsWith(token));
  const unmarkedLeads = formats.flatMap(({ unmarkedLeads }) => [...(unmarkedLeads ?? "")]);
  const literals = {
    Open: openers,
    OpenMarker: openers.filter((opener) => wholeMarker.test(opener)),
    Lead: formats.flatMap(({ leads }) => [...(leads ?? "")]),
    LineLead: unmarkedLeads,
    ThinkOpen: thinkOpens,
    ThinkClose: thinkCloses,
    ThinkStart: starters,
    QuoteOpen: tags.map(([open]) => open),
    QuoteClose: tags.map(([, close]) => close),
    Stop: stops,
    Turn: turnOpeners.filter(isTurn),
    TurnAlone: turnTokens.filter(isTurn),
    Framing: framing,
    Closer: closers,
    Unmatched: [...closers, ...innerTokens],
    End: [...closers, ...framing],
    Markup: [...thinkOpens, ...thinkCloses, ...framing],
  };
  let program: ReadyProgram | undefined;
  const startingInReasoning = formats.filter(beginsInThoughts);
  const always = startingInReasoning.length === formats.length;
  const closersOfThem = startingInReasoning.flatMap(({ reasoning }) => reasoning.map(({ close }) => close));
  return {
    get program() {
      messageProgram ??= message();
      program ??= combinedProgram(messageProgram, literals);
      return program;
    },
    thinkClosers,
    openers: new Set(openers),
    framing,
    innerTokens,
    quoteClosers: new Map(tags),
    closers,
    startsInReasoning: always ? thinkCloses : undefined,
    mayStartInReasoning: always ? [] : [...new Set(closersOfThem)],
    anyLead: formats.some(({ leads }) => leads === ""),
    ...plainSets(literals),
  };
}

/** Every message of the format begins in thoughts. */
export const beginsInThoughts = ({ starts }: FormatData): boolean => starts === "reasoning";

/** Fences and code spans begin so in every message: see `grammars/message.peggy`. */
export const quotationUnits = ["`", "~"];
/** And what is struck through. */
const strikeOpener = "<s>";
/** JSON answers. */
const answerUnits = '[{"';

const firstUnits = (literals: readonly string[]) => [...new Set(literals.flatMap((text) => text[0] ?? []))];

function plainSets(
  literals: Readonly<Record<"Open" | "Lead" | "LineLead" | "ThinkStart", readonly string[]>> &
    Readonly<Record<string, readonly string[]>>,
): Pick<
  MessageSets,
  "notPlain" | "notContent" | "plainOpeners" | "specials" | "longestSpecial" | "beginners" | "textLiterals"
> {
  const { Open, OpenMarker: _, Lead, LineLead, ThinkStart, ...others } = literals;
  const beginners = [...Lead, ...ThinkStart];
  const textLiterals = [...new Set([...Object.values(others).flat(), strikeOpener])];
  const all = new Set([...Open, ...textLiterals, ...LineLead, ...beginners, ...quotationUnits]);
  const isPlain = (opener: string) =>
    ![...all].some((text) => text !== opener && (text.startsWith(opener) || opener.startsWith(text))) &&
    !textLiterals.includes(opener);
  const specials = new Map<string, string[]>();
  for (const text of Open) specials.set(text[0], []);
  for (const text of new Set([...textLiterals, ...LineLead, ...quotationUnits])) {
    const same = specials.get(text[0]);
    if (same) same.push(text);
    else specials.set(text[0], [text]);
  }
  return {
    notPlain: new RegExp(`[${[...specials.keys()].map(escaped).join("")}]`, "g"),
    notContent: placesOf([...Open, ...textLiterals, ...LineLead, ...quotationUnits]),
    specials,
    longestSpecial: Math.max(0, ...[...specials.values()].flat().map((text) => text.length)),
    textLiterals,
    plainOpeners: [...new Set(Open)].filter(isPlain),
    beginners: firstUnits(beginners).join("") + answerUnits,
  };
}

const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Matches where literals may begin, by their first two units; and at the end of the text, by the first. */
function placesOf(literals: readonly string[]): RegExp {
  const seconds = new Map<string, Set<string> | undefined>();
  for (const [first, second] of literals) {
    const known = seconds.has(first) ? seconds.get(first) : new Set<string>();
    if (second !== undefined) known?.add(second);
    seconds.set(first, second === undefined ? undefined : known);
  }
  const alone = [...seconds].flatMap(([first, known]) => (known ? [] : [escaped(first)]));
  const pairs = [...seconds].flatMap(([first, known]) =>
    known ? [`${escaped(first)}(?:[${[...known].map(escaped).join("")}]|$)`] : [],
  );
  return new RegExp([...(alone.length > 0 ? [`[${alone.join("")}]`] : []), ...pairs].join("|"), "g");
}

/** An opener that ends as it begins, with a bracket: no word, and not the beginning of a longer one. */
export const wholeMarker = /^[<[\]].*[>\][]$/;

const commonReasoning = [
  { open: "<think>", close: "</think>" },
  { open: "<thinking>", close: "</thinking>" },
];
