import { message } from "../../../generated/message.ts";
import { onceFor } from "../../contract/once-for.ts";
import { otherCommentClose, quotingMarks, quotingNames, quotingTokens, tagPair } from "../../contract/quoting-tags.ts";
import { thinkingTags } from "../../contract/thinking-tags.ts";
import {
  allTurnTokens,
  endOfTurnTokens,
  lostTurnTokens,
  otherEndOfTurnTokens,
  replyHeaders,
  textBeginnings,
  turnBeginnings,
  turnOpeners,
  turnsBegun,
  turnTokensLike,
} from "../../contract/turn-tokens.ts";
import { type FormatData, offeredName } from "../../formats/format-data.ts";
import { Kept } from "../../machine/kept.ts";
import {
  combinedProgram,
  extensionsOf,
  literalSearch,
  type Program,
  type ReadyProgram,
} from "../../machine/program.ts";
import { notBlank } from "../text/line-start.ts";
import { PlainTextPlaces, toldBy } from "../text/plain-text-search.ts";
import { openerCharsMin, openersOf, withNames } from "./openers.ts";
import { ownTurnsOf, repliesOf, type Turn } from "./turns.ts";

/** What the formats that were asked for say about the text around their blocks. */
export interface MessageSets {
  /** Made when something is read with it: much of the text around blocks is plain, and needs no grammar. */
  readonly program: ReadyProgram;
  /** Closers of reasoning by what opens it, both as {@link tagOf} writes them. */
  readonly thinkClosers: ReadonlyMap<string, readonly string[]>;
  /** The same for quoting tags. */
  readonly quoteClosers: ReadonlyMap<string, readonly string[]>;
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
  /** Tokens that end a turn. */
  readonly endsOfTurns: readonly string[];
  /** What begins another turn: by itself, or after a token that ends one. */
  readonly turns: {
    readonly alone: readonly string[];
    readonly ends: readonly string[];
    readonly openers: readonly string[];
  };
  /** What begins another reply: see {@link repliesOf}. */
  readonly replies: readonly Turn[];
  /** What begins another turn in visible text, and is text in thoughts. */
  readonly wordsOfTurns: readonly string[];
  /** What begins another turn to some formats, while the headers of others document it as something else. */
  readonly ownTurns: readonly Turn[];
  /** Where something other than content may begin. */
  readonly places: PlainTextPlaces;
  /** What else may begin within text, beside openers: all that a text begins with, or that begin with it. */
  literalsLike(text: string): readonly string[];
  /** How calls begin that no marker opens, of them: an opener that begins so comes first. */
  readonly begun: readonly string[];
  /** What closes blocks and their parts. */
  readonly closers: readonly string[];
  /** Where a tag may begin, in lower case. */
  readonly tagStarts: readonly string[];
  /** What opens thoughts or a quotation, in lower case as well, by its first unit and by its first two: see {@link byBegin}. */
  readonly around: ReadonlyMap<string, readonly (readonly [opener: string, lower: string])[]>;
  /** Finds the first two units, in lower case, of what a text may leave open: see `leavesOpen`. */
  readonly beginnings: RegExp;
  /** At the start of a message, the units after its blanks that may begin something other than content. */
  readonly beginners: string;
  /** The same without those of calls that no marker opens. */
  readonly answerBeginners: string;
}

/**
 * Whether a text begins with what opens thoughts or a quotation, blanks before it aside.
 *
 * @returns a text: more has to come, such as this
 */
export function opensAround({ around }: MessageSets, text: string): boolean | string {
  const first = text.search(notBlank);
  if (first < 0) return text.length < blanksMax ? "" : false;
  const openers = around.get(text.slice(first, first + 2).toLowerCase()) ?? around.get("") ?? [];
  if (openers.length === 0) return false;
  const rest = text.slice(first);
  const written = tagOf(rest).replace(suffixed, "<$1>");
  const lower = rest.toLowerCase();
  let more: string | undefined;
  for (const [opener, begun] of openers) {
    if (written === opener || rest.startsWith(opener)) return true;
    if (begun.startsWith(lower)) more ??= begun.slice(lower.length);
  }
  return more ?? false;
}

/** Literals by their first unit in lower case, and by their first two; those of one unit stand under all, and under none. */
function byBegin(literals: readonly string[]): MessageSets["around"] {
  const both = literals.map((literal): [string, string] => [literal, literal.toLowerCase()]);
  const short = both.filter(([literal]) => literal.length < 2);
  const found = new Map([["", short]]);
  for (const pair of both) {
    if (short.includes(pair)) continue;
    for (const begin of [pair[1].slice(0, 1), pair[1].slice(0, 2)]) {
      found.set(begin, [...(found.get(begin) ?? short), pair]);
    }
  }
  return found;
}

/**
 * The same within an opener, and directly after it: it may end in the midst of such a tag.
 *
 * @param text begins with the opener
 */
export function opensBehind(sets: MessageSets, text: string, openerChars: number): boolean | string {
  let around: boolean | string = false;
  for (let at = 1; at <= openerChars; at++) {
    if (at < openerChars && !sets.around.has(text.slice(at, at + 2).toLowerCase())) continue;
    const found = opensAround(sets, text.slice(at));
    if (found === true) return true;
    if (typeof found === "string") around = found;
  }
  return around;
}

/** So many blanks may stand before them. */
const blanksMax = 256;

/** Unpacked once, whatever the formats. */
let messageProgram: Program | undefined;

/** Sets by the first format and what else they depend on; good for exactly the formats that they were made of. */
const known = onceFor(
  (_: FormatData) => new Kept<string, { formats: readonly FormatData[]; sets: MessageSets }>(listsMax),
);

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
  const byName = formats.some(({ triggers, closers = [], begun = [] }) =>
    [...triggers, ...closers, ...begun].some((literal) => literal.includes(offeredName)),
  );
  const ids = JSON.stringify([formats.map(({ id }) => id), marker, quoted, byName ? names : names !== undefined]);
  const byIds = known(formats[0]);
  const found = byIds.get(ids);
  if (found?.formats.every((format, at) => format === formats[at])) return found.sets;
  return byIds.keep(ids, { formats, sets: makeSets(formats, marker, quoted, names) }).sets;
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
  /** The header of each of the formats says that this is something else. */
  const isDocumented = (text: string) =>
    openers.includes(text) || formats.every(({ framing }) => framing?.includes(text));
  const pairs = [
    ...formats.flatMap(({ reasoning }) => reasoning),
    // Thoughts are marked so by models of every format, unless its header says that the tags mean something else.
    ...thinkingTags.filter(({ open }) => !isDocumented(open)),
  ];
  const thinkClosers = new Map<string, string[]>();
  const addPair = (open: string, close: string) => {
    const closers = thinkClosers.get(tagOf(open)) ?? [];
    if (!closers.includes(tagOf(close))) thinkClosers.set(tagOf(open), [...closers, tagOf(close)]);
  };
  for (const { open, close } of pairs) addPair(open, close);
  const starters = formats.flatMap(({ starts, reasoning }) => {
    if (starts === undefined || starts === "reasoning") return [];
    for (const { close } of reasoning) addPair(starts, close);
    return [starts];
  });
  const thinkOpens = pairs.map(({ open }) => open);
  const thinkCloses = pairs.map(({ close }) => close);
  // Lists of hundreds are joined so: to spread them is to ask for each of their texts.
  const stops = [formats.flatMap(({ stop }) => stop), endOfTurnTokens, otherEndOfTurnTokens].flat();
  const claimed = new Set([...thinkOpens, ...thinkCloses]);
  const isFree = (text: string) => !claimed.has(text);
  // A token of the format's own is nothing that a person would read.
  const framing = formats.flatMap((format) => [...(format.framing ?? []), ...format.stop]).filter(isFree);
  const innerTokens = formats.flatMap((format) => format.innerTokens ?? []).filter(isFree);
  const closers = formats.flatMap((format) => withNames(format.closers ?? [], names)).filter(isFree);
  const headers = new Set([...openers, ...claimed, ...formats.flatMap((format) => format.framing ?? [])]);
  const quoteNames = quotingNames.filter((name) => !headers.has(`<${name}>`));
  const otherQuotes = [[...quotingMarks, ...quoted].flatMap(spelt), quotingTokens]
    .flat()
    .filter(([open]) => !headers.has(open));
  const quotes = () => [...quoteNames.map(tagPair), ...otherQuotes];
  // What the header of a format documents is what it says there.
  const isTurn = (token: string) => !headers.has(token);
  const wordsOfTurns = formats.flatMap(({ turns = [] }) => turns);
  const goesOn = (text: string, word: string) => word.length < text.length && text.startsWith(word);
  const opensTurn = (text: string) =>
    turnsBegun(text).some(isTurn) || wordsOfTurns.some((word) => goesOn(text, word) && isTurn(word));
  const ownTurnHeaders = [...headers].filter(opensTurn);
  const replies = [...replyHeaders, ...textBeginnings].filter((reply) => !documents(headers, reply));
  const begun = names === undefined ? [] : formats.flatMap(({ begun = [] }) => withNames(begun, names));
  const leads = formats.flatMap(({ leads }) => [...(leads ?? "")]);
  const lineLeads = formats.flatMap(({ unmarkedLeads }) => [...(unmarkedLeads ?? "")]);
  const thinkTags = pairs.flatMap(({ open, close }) => tagName(open, close));
  const quoteTags = [...quoteNames, ...otherQuotes.flatMap(([open, close]) => tagName(open, close))];
  const tagStarts = [...thinkTags, ...quoteTags].flatMap((name) => [`<${name}`, `</${name}`]);
  // What is a tag is matched as tags are.
  const written = new Set(tagStarts.map((start) => `${start}>`));
  const isMark = (text: string) => !written.has(text);
  const quoteOpens = otherQuotes.map(([open]) => open).filter(isMark);
  const quoteCloses = otherQuotes.flatMap(([, close]) => quoteClosersOf(close)).filter(isMark);
  // A wrapper of all formats may be what some open their calls with.
  const ofSome = openers.some((opener) => opener.startsWith(wrapper.open));
  const others = [
    begun,
    thinkOpens,
    thinkCloses,
    quoteOpens,
    quoteCloses,
    stops,
    wordsOfTurns.filter(isTurn),
    replies,
    ownTurnHeaders,
    framing,
    closers,
    innerTokens,
    proseLiterals,
    ofSome ? [] : Object.values(wrapper),
  ].flat();
  const plain = [openers, others, turnBeginnings(toldBy), quotationUnits].flat();
  const places = new PlainTextPlaces(plain, firstUnits(lineLeads), tagStarts);
  // Sound messages ask for none of these.
  let turnsAlone: readonly string[] | undefined;
  let turnsOpened: readonly string[] | undefined;
  let program: ReadyProgram | undefined;
  let ownTurns: readonly Turn[] | undefined;
  let quoteClosers: MessageSets["quoteClosers"] | undefined;
  let around: MessageSets["around"] | undefined;
  let beginnings: MessageSets["beginnings"] | undefined;
  const startingInReasoning = formats.filter(beginsInThoughts);
  const always = startingInReasoning.length === formats.length;
  const closersOfThem = startingInReasoning.flatMap(({ reasoning }) => reasoning.map(({ close }) => close));
  const turns = {
    get alone() {
      return (turnsAlone ??= [...allTurnTokens(), ...lostTurnTokens, ...wordsOfTurns].filter(isTurn));
    },
    ends: stops,
    get openers() {
      return (turnsOpened ??= turnOpeners.filter(isTurn));
    },
  };
  const literals = () => ({
    Begun: begun,
    Open: openers,
    OpenMarker: openers.filter((opener) => wholeMarker.test(opener)),
    Lead: leads,
    LineLead: lineLeads,
    ThinkOpen: thinkOpens.filter(isMark),
    ThinkClose: thinkCloses.filter(isMark),
    ThinkStart: starters,
    ThinkTag: thinkTags,
    QuoteOpen: quoteOpens,
    QuoteClose: quoteCloses,
    QuoteCloseFirst: quoteCloses.filter(extensionsOf(new Set(quotes().map(([open]) => open)))),
    QuoteTag: quoteTags,
    Tag: [...thinkTags, ...quoteTags],
    // Any of those that are no tags.
    Mark: [...[...thinkOpens, ...thinkCloses].filter(isMark), ...quoteOpens, ...quoteCloses],
    Stop: stops,
    Turn: turns.openers,
    TurnAlone: turns.alone,
    Reply: replies,
    OwnTurn: ownTurnHeaders,
    Framing: framing,
    Closer: closers,
    Unmatched: [...closers, ...innerTokens],
    // What ends a turn may close thoughts as well.
    End: [...closers, ...framing, ...formats.flatMap(({ stop }) => stop.filter((token) => claimed.has(token)))],
    ThinkEnd: thinkCloses,
    Markup: [...thinkOpens, ...thinkCloses, ...framing],
  });
  const sets: MessageSets = {
    get program() {
      return (program ??= combinedProgram((messageProgram ??= message()), literals(), places));
    },
    get ownTurns() {
      return (ownTurns ??= ownTurnsOf(formats, marker, names, stops));
    },
    get quoteClosers() {
      return (quoteClosers ??= new Map(quotes().map(([open, close]) => [tagOf(open), quoteClosersOf(tagOf(close))])));
    },
    get around() {
      if (around !== undefined) return around;
      // A turn that begins with a bracket looks like a list to a call.
      const lists = turns.alone.filter((token) => token.startsWith("["));
      return (around = byBegin([...thinkClosers.keys(), ...sets.quoteClosers.keys(), ...lists]));
    },
    get beginnings() {
      if (beginnings !== undefined) return beginnings;
      const literals = [...thinkClosers.keys(), ...sets.quoteClosers.keys(), ...turns.alone, ...stops];
      beginnings = literalSearch([...new Set(literals.map((literal) => literal.slice(0, 2).toLowerCase()))]);
      return beginnings;
    },
    thinkClosers,
    openers: new Set(openers),
    framing,
    innerTokens,
    endsOfTurns: stops,
    turns,
    replies: repliesOf(openers),
    wordsOfTurns,
    closers,
    startsInReasoning: always ? thinkCloses.map(tagOf) : undefined,
    mayStartInReasoning: always ? [] : [...new Set(closersOfThem.map(tagOf))],
    anyLead: formats.some(({ leads }) => leads === ""),
    places,
    tagStarts,
    begun,
    beginners: firstUnits([...leads, ...starters]).join("") + answerUnits,
    answerBeginners: firstUnits(starters).join("") + answerUnits,
    literalsLike: (text) => [
      ...others.filter((literal) => isLike(literal, text)),
      ...turnTokensLike(text).filter((token) => isLike(token, text) && isTurn(token)),
    ],
  };
  return sets;
}

/** One of two texts begins with the other. */
export const isLike = (left: string, right: string): boolean => left.startsWith(right) || right.startsWith(left);

/** A beginning of few characters says nothing of it. */
function documents(headers: ReadonlySet<string>, token: string): boolean {
  for (const text of headers)
    if (text.startsWith(token) || (text.length >= openerCharsMin && token.startsWith(text))) return true;
  return false;
}

/** Every message of the format begins in thoughts. */
export const beginsInThoughts = ({ starts }: FormatData): boolean => starts === "reasoning";

/** Fences and code spans begin so in every message: see `grammars/message/fences-and-code-spans.peggy`. */
export const quotationUnits = ["`", "~"];
/** Of which marks are no quotations. */
export const escapes = ["\\`", "\\\\"];
/** What stands round calls, as `grammars/message.peggy` says it. */
export const wrapper = { open: "<tool_calls>", close: "</tool_calls>" };
/** And what is struck through. */
const proseLiterals = [...escapes, "<s>"];
/** JSON answers, and the name of the language before them. */
const answerUnits = '[{"jJ';

const firstUnits = (literals: readonly string[]) => [...new Set(literals.flatMap((text) => text[0] ?? []))];

/** An opener that ends as it begins, with a bracket: no word, and not the beginning of a longer one. */
export const wholeMarker = /^[<[\]].*[>\][]$/;

const tag = /^<\/?([A-Za-z][\w:.-]*)(?=[\s>])/;

/** A tag without what makes no difference: attributes, blanks and case. What is no tag stays as it is. */
export function tagOf(text: string): string {
  const found = tag.exec(text);
  return found === null ? text : `${found[0].toLowerCase()}>`;
}

/** What closes the thoughts that a text opens; a suffix of its tag stands in the closer as well. */
export function thinkClosersOf({ thinkClosers }: MessageSets, open: string): readonly string[] {
  const written = tagOf(open);
  const [, name, suffix] = suffixed.exec(written) ?? [];
  return thinkClosers.get(written) ?? (thinkClosers.has(`<${name}>`) ? [`</${name}${suffix}>`] : []);
}

const suffixed = /^<(\w+)(:[\w-]+)>$/;

const quoteClosersOf = (close: string): readonly string[] =>
  close === "-->" ? [close, otherCommentClose] : spellingsOf(close);

/** A quoting pair; one of marks that are no tags, which stand in any case, in each of their spellings. */
function spelt([open, close]: readonly [string, string]): (readonly [string, string])[] {
  return tagName(open, close).length > 0 ? [[open, close]] : spellingsOf(open).map((one) => [one, close]);
}

/** A tag is written as {@link tagOf} writes it; other marks as they are, in small letters, or in capitals. */
const spellingsOf = (mark: string): readonly string[] =>
  tag.test(mark) ? [mark] : [...new Set([mark, mark.toLowerCase(), mark.toUpperCase()])];

/** The name of a pair of tags, if that is what the two are. */
function tagName(open: string, close: string): string[] {
  const name = tag.exec(open)?.[1].toLowerCase();
  return name !== undefined && `<${name}>` === open.toLowerCase() && `</${name}>` === close.toLowerCase() ? [name] : [];
}
