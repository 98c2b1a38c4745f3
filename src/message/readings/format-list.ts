import { onceFor } from "../../contract/once-for.ts";
import { thinkingTags } from "../../contract/thinking-tags.ts";
import { replyHeaders, textBeginnings } from "../../contract/turn-tokens.ts";
import type { Format } from "../../formats/format.ts";
import type { FormatData } from "../../formats/format-data.ts";
import { Kept } from "../../machine/kept.ts";
import { blanks } from "../text/line-start.ts";
import { KnownPrefixes, PlainTextPlaces, type PlainTextSearch } from "../text/plain-text-search.ts";
import type { Alternative, BlockEntry, CallValidator } from "./alternative.ts";
import { type Frame, Frames } from "./frames.ts";
import { Glances, glanceChars, type Place } from "./glances.ts";
import { isLike, type MessageSets, messageSets, quotationUnits, wholeMarker } from "./message-sets.ts";
import {
  openerCharsMax,
  openerCharsMin,
  openersOf,
  opensByName,
  opensByTag,
  startsWithOne,
  withNames,
} from "./openers.ts";

/** What may follow an opener that it belongs to. */
interface ClosersAfter {
  /** The formats that the opener belongs to. */
  readonly formats: readonly FormatData[];
  readonly closers: readonly string[];
  readonly lastClosers: readonly string[];
  readonly blockClosers: readonly string[];
  /** Those and the tokens that stand inside calls. */
  readonly tokens: ReadonlySet<string>;
}

/** Literals of a message that begin alike. */
interface LiteralsAlike {
  readonly openers: readonly string[];
  readonly others: readonly string[];
  /** What stands there is known by the beginning they have in common. */
  readonly isTold: boolean;
  /** Then: the opener, where one stands there for certain. */
  readonly opener: string | undefined;
  /** How many characters are content for certain; undefined: nothing has asked. */
  plain?: number;
}

/** The formats that a message is read in, and what is known of them before any text is there. */
export class FormatList {
  readonly alternatives: readonly Alternative[];
  readonly marker: string | undefined;
  readonly sets: MessageSets;
  /** Openers by their first unit, each with the formats that it may begin a block of. */
  readonly #openers = new Map<string, [string, Alternative[]][]>();
  readonly #openedBy = new Map<string, readonly Alternative[]>();
  /** By the text that a place begins with: see {@link mayOpen}. */
  readonly #mayOpen = new Kept<string, readonly Alternative[]>(rememberedMax);
  /** By framing: see {@link framedBy}. */
  readonly #framedBy = new Kept<string, readonly Alternative[]>(rememberedMax);
  readonly #closersOf = new Map<string, ClosersAfter>();
  /** Formats with a form that begins a message, or a line. */
  readonly #leaders: Readonly<Record<"start" | "line", readonly Alternative[]>>;
  readonly #leading = new Kept<string, readonly Alternative[]>(rememberedMax);
  /** By the text that a place begins with: see {@link openerAt}. */
  readonly #alike = new Kept<string, LiteralsAlike>(rememberedMax);
  #lastKey: string | undefined;
  #lastAlike: LiteralsAlike = noLiterals;
  readonly #glances: Glances;
  #openerPlaces: PlainTextPlaces | undefined;
  /** Calls of some format begin with the name of a tool, or have it for their tag. */
  readonly opensByName: boolean;
  readonly opensByTag: boolean;
  /** Some format has a form that is looked for at the start of a line. */
  readonly leadsLines: boolean;
  readonly frames = new Frames();
  /** By what stands at the beginning of a line, an opener first: whether thoughts or a quotation are opened there, see {@link opensAround}. */
  readonly around = new Kept<string, boolean | string>(rememberedMax);
  /** By the text that a place begins with: see {@link plainLength}. */
  readonly #plain = new Map<string, number>();
  /** Beginnings of which it is known that they are content within a line, and not more of it. */
  readonly #plainPrefixes = new KnownPrefixes();

  constructor(alternatives: readonly Alternative[], marker: string | undefined) {
    const [{ validator }] = alternatives;
    this.alternatives = alternatives;
    this.marker = marker;
    this.#glances = new Glances(marker);
    this.opensByName = alternatives.some(opensByName);
    this.opensByTag = alternatives.some(opensByTag);
    const formats = alternatives.map(({ format }) => format);
    this.sets = messageSets(formats, marker, validator.policy.quoted, validator.hints.names);
    const leadersOf = (entry: "start" | "line") =>
      alternatives.filter(({ format }) => leadsOf(format, entry) !== undefined);
    this.#leaders = { start: leadersOf("start"), line: leadersOf("line") };
    this.leadsLines = this.#leaders.line.length > 0;
    for (const alternative of alternatives) {
      for (const opener of openersOf(alternative.format, marker, validator.hints.names)) this.#add(opener, alternative);
    }
  }

  #add(opener: string, alternative: Alternative): void {
    let alike = this.#openers.get(opener[0]);
    if (alike === undefined) this.#openers.set(opener[0], (alike = []));
    const known = alike.find(([text]) => text === opener);
    if (known) known[1].push(alternative);
    else alike.push([opener, [alternative]]);
  }

  /** Formats, in the order of the list, with an opener that suits, of those that begin with the unit that a text begins with. */
  #withOpener(text: string, suits: (opener: string) => boolean): readonly Alternative[] {
    const found = (this.#openers.get(text[0]) ?? []).filter(([opener]) => suits(opener));
    if (found.length <= 1) return found[0]?.[1] ?? [];
    const all = new Set(found.flatMap(([, alternatives]) => alternatives));
    return this.alternatives.filter((alternative) => all.has(alternative));
  }

  /** The formats that may find a whole opener where a text begins, as far as its first characters say. */
  mayOpen(text: string, beginsLine: boolean): readonly Alternative[] {
    const first = text.slice(0, glanceChars);
    const key = (beginsLine ? "\n" : " ") + first;
    const known = this.#mayOpen.get(key);
    if (known !== undefined) return known;
    const begun = this.#withOpener(first, (opener) => opener.startsWith(first) || first.startsWith(opener));
    return this.#mayOpen.keep(
      key,
      begun.filter((one) => this.#glances.mayBeOpener(one, first, beginsLine)),
    );
  }

  /** Where an opener of some format may begin in a text. */
  openerSearch(): PlainTextSearch {
    this.#openerPlaces ??= new PlainTextPlaces([...this.sets.openers], []);
    return this.#openerPlaces.search();
  }

  /** How long the opener is that a text begins with, all of which is there; -1: it is none, or one to this format. */
  openerLength(text: string, beginsLine: boolean, except: Alternative): number {
    const begun = this.mayOpen(text, beginsLine);
    if (begun.includes(except)) return -1;
    return Math.max(-1, ...begun.map((one) => this.#glances.openerLength(one, text, beginsLine)));
  }

  /** The same for what a message has been stopped at: one of few literals. */
  openedBy(opener: string): readonly Alternative[] {
    if (this.alternatives.length === 1) return this.alternatives;
    let found = this.#openedBy.get(opener);
    if (found === undefined) this.#openedBy.set(opener, (found = this.#whoseOwn(opener)));
    return found;
  }

  /** Where no names of tools are known, a tag that is the markup of some format is the name of no tool to the others. */
  #whoseOwn(opener: string): readonly Alternative[] {
    const found = this.#withOpener(opener, (one) => opener.startsWith(one));
    if (!this.opensByTag || this.alternatives[0].validator.hints.names !== undefined) return found;
    const ofTags = new Set(found.filter(opensByTag).flatMap(({ format }) => format.triggers));
    const own = this.#withOpener(opener, (one) => opener.startsWith(one) && !ofTags.has(one));
    return own.length === 0 ? found : found.filter((one) => !opensByTag(one));
  }

  /** Formats with a form that begins with a unit and is looked for at the start of the message, or of a line. Empty: any unit. */
  leading(entry: "start" | "line", unit: string): readonly Alternative[] {
    const leaders = this.#leaders[entry];
    if (leaders.length === 0) return leaders;
    const key = entry + unit;
    const known = this.#leading.get(key);
    if (known !== undefined) return known;
    const found = leaders.filter(({ format }) => {
      const leads = leadsOf(format, entry) as string;
      const mayLead = (entry === "start" && leads === "") || unit === "" || leads.includes(unit);
      // Last: to ask a program for something unpacks it.
      return mayLead && format.program.entries[entry] !== undefined;
    });
    return this.#leading.keep(key, found);
  }

  /** The opener that stands at an offset for certain: no other literal of the message begins there, whatever follows. */
  openerAt(text: string, at = 0): string | undefined {
    const found = this.#alikeAt(text, at);
    return found.isTold
      ? found.opener
      : certainOpener(text.slice(at, at + openerCharsMax), found.openers, found.others);
  }

  /** Where something other than plain text may begin: see {@link PlainTextPlaces.search}. */
  search(units?: string, isWithout?: boolean): PlainTextSearch {
    return this.sets.places.search(units, isWithout, this.#plainPrefixes);
  }

  /** An opener of which a text is the beginning, and not all. */
  openerBegunBy(text: string): string | undefined {
    return this.#openers.get(text[0])?.find(([opener]) => mayBeginOne(text, opener))?.[0];
  }

  #alikeAt(text: string, at: number): LiteralsAlike {
    const key = text.slice(at, at + openerKeyMax);
    // Most calls of a message begin alike, and to find a text in a map costs more than to compare it.
    if (key === this.#lastKey) return this.#lastAlike;
    this.#lastKey = key;
    return (this.#lastAlike = this.#alike.get(key) ?? this.#alike.keep(key, this.#literalsLike(key)));
  }

  /** Openers, and other literals of the message, that a text with such a beginning may begin with. */
  #literalsLike(key: string): LiteralsAlike {
    const tags = this.#tagsAt(key);
    const lower = key.toLowerCase();
    if (startsWithOne(lower, tags) || mayBeginAny(lower, tags)) return { ...noLiterals };
    const openers = this.#openersLike(key).filter((opener) => isLike(opener, key));
    const isOpened = (one: string) => this.sets.begun.includes(one) && openers.some((opener) => opener.startsWith(one));
    const others = this.sets.literalsLike(key).filter((one) => !isOpened(one));
    const isShort = (one: string) => one.length <= openerKeyMax;
    const isTold = key.length === openerKeyMax && openers.every(isShort) && others.every(isShort);
    return { openers, others, isTold, opener: isTold ? certainOpener(key, openers, others) : undefined };
  }

  /** Those that begin with the unit that a text begins with. */
  #openersLike(text: string): readonly string[] {
    return (this.#openers.get(text[0]) ?? []).map(([opener]) => opener);
  }

  /**
   * What says of an opener that it began a call: a closer, or a marker that frames and opens nothing. `lastClosers`: those that
   * are no closers of a part of the call. `blockClosers`: those that close what the opener opens, be it a section of calls.
   */
  closersAfter(opener: string): ClosersAfter {
    let found = this.#closersOf.get(opener);
    if (found === undefined) {
      const opened = this.openedBy(opener);
      const begun = opened.length > 0 ? opened : this.alternatives.filter(({ format }) => format.begun !== undefined);
      // Another format may have an opener that this one begins with.
      const opening = begun.filter((one) => this.#glances.mayBeOpener(one, opener, true));
      const formats = (opening.length > 0 ? opening : begun).map(({ format }) => format);
      const { names } = this.alternatives[0].validator.hints;
      // A closing tag closes a tag, and no word.
      const mayClose = (closer: string) => opener.includes("<") || !closer.startsWith("</");
      const all = (closers: (format: FormatData) => string[]) => [
        ...new Set(formats.flatMap((format) => withNames(closers(format).filter(mayClose), names))),
      ];
      found = {
        formats,
        closers: all(closersOf),
        lastClosers: all(lastClosersOf),
        blockClosers: all((format) => blockClosersOf(format, opener)),
        tokens: new Set(all(tokensOf)),
      };
      this.#closersOf.set(opener, found);
    }
    return found;
  }

  /** The formats that an opener belongs to, if a closer may end the call or the block which it opens. */
  formatsClosed(opener: string, closer: string): readonly FormatData[] {
    const { formats, lastClosers } = this.closersAfter(opener);
    const name = this.alternatives[0].validator.hints.names?.find((one) => closer === `</${one}>`);
    const isOwn = name === undefined || opener.startsWith(`<${name}`);
    return isOwn && lastClosers.includes(closer) ? formats : [];
  }

  /** The formats to which a text frames others: what only some of the list have is text to the rest. */
  framedBy(framing: string): readonly Alternative[] {
    if (framing === "" || this.alternatives.length === 1) return this.alternatives;
    const known = this.#framedBy.get(framing);
    if (known !== undefined) return known;
    const { names } = this.alternatives[0].validator.hints;
    const token = framing.trim();
    const having = framesInAll(token)
      ? []
      : this.alternatives.filter(({ format }) => framingOf(format, names).some((one) => one.trim() === token));
    return this.#framedBy.keep(framing, having.length === 0 ? this.alternatives : having);
  }

  /** The formats that have a closer. */
  closedBy(closer: string): readonly FormatData[] {
    const { names } = this.alternatives[0].validator.hints;
    const formats = this.alternatives.map(({ format }) => format);
    return formats.filter(({ closers = [] }) => withNames(closers, names).includes(closer));
  }

  /** Those of some formats that the first characters of a place do not exclude. `opener`: empty where none opens it. */
  glance(entry: BlockEntry, alternatives: readonly Alternative[], place: Place): readonly Alternative[] {
    return this.#glances.remaining(entry, alternatives, place);
  }

  /** Some formats have read an object alike, and nothing but that and its frame: so they read any other, if its keys mean the same to all. */
  addFrame(alternatives: readonly Alternative[], frame: Frame): void {
    const meaning = meaningOf(frame.reader);
    if (alternatives.every((one) => meaningOf(one) === meaning)) this.frames.add(alternatives, frame);
  }

  /**
   * How many characters are content for certain where an opener or another literal of the message may begin, but does not, or
   * where no format reads on after one; 0: that is not known. Not asked at the beginning of a line, where more counts.
   */
  plainLength(text: string): number {
    for (const length of plainPrefixes) {
      if (text.length < length) return 0;
      const prefix = text.slice(0, length);
      let found = this.#plain.get(prefix);
      if (found === undefined) {
        if (this.#plain.size >= plainMax) {
          this.#plain.clear();
          this.#plainPrefixes.clear();
        }
        this.#plain.set(prefix, (found = this.#plainLength(prefix)));
        if (found === 1) this.#plainPrefixes.add(prefix);
      }
      if (found !== undecided) return found;
    }
    return 0;
  }

  /** The same for a place of a text, which {@link openerAt} has been asked about. */
  plainLengthAt(text: string, at: number): number {
    const alike = this.#alikeAt(text, at);
    alike.plain ??= this.plainLength(text.slice(at, at + plainCharsMax));
    return alike.plain;
  }

  /** Where a tag of thoughts or of a quotation may begin here: tags stand in any case. */
  #tagsAt(text: string): readonly string[] {
    return text[0] === "<" ? this.sets.tagStarts : [];
  }

  /** What all texts with a prefix have in common; {@link undecided}: it depends on what follows. */
  #plainLength(prefix: string): number {
    const { closers } = this.sets;
    const literals = this.sets.literalsLike(prefix);
    if (quotationUnits.includes(prefix[0]) || startsWithOne(prefix, literals)) return 0;
    const tags = this.#tagsAt(prefix);
    if (startsWithOne(prefix.toLowerCase(), tags)) return 0;
    if (mayBeginAny(prefix.toLowerCase(), tags)) return undecided;
    const openers = this.#openersLike(prefix);
    if (mayBeginAny(prefix, literals) || mayBeginAny(prefix, openers)) return undecided;
    const opener = longestOf(openers, prefix);
    if (opener === undefined) return 1;
    const after = prefix.slice(opener.length).replace(blanks, "");
    if (after === "" || mayBeginAny(after, closers)) return undecided;
    if (after[0] === "[" || startsWithOne(after, closers)) return 0;
    const place = { opener, after: prefix.slice(opener.length), beginsLine: false };
    if (this.glance("block", this.openedBy(opener), place).length > 0) return undecided;
    // A longer one is listed.
    if (opener.length >= openerCharsMin) return wholeMarker.test(opener) ? 0 : opener.length;
    return this.openedBy(opener).some((one) => this.#glances.mayBeOpener(one, prefix, false))
      ? undecided
      : opener.length;
  }
}

function closersOf({ closers = [], framing = [], triggers }: FormatData): string[] {
  return [...closers, ...framing.filter((marker) => !triggers.some((opener) => marker.startsWith(opener)))];
}

/** What begins a reply, and opens or closes thoughts, whatever the format says. */
function framesInAll(token: string): boolean {
  const tag = token.replace(tagSuffix, ">");
  const isThought = thinkingTags.some(({ open, close }) => open === tag || close === tag);
  return isThought || replyHeaders.includes(token) || textBeginnings.includes(token);
}

const tagSuffix = /:[\w-]+>$/;

/** What frames text in a format, or opens or closes thoughts. */
function framingOf(
  { framing = [], stop, closers = [], innerTokens = [], reasoning }: FormatData,
  names: readonly string[] | undefined,
): string[] {
  const ofThoughts = reasoning.flatMap(({ open, close }) => [open, close]);
  return [...framing, ...stop, ...withNames(closers, names), ...innerTokens, ...ofThoughts];
}

const tokensOf = (format: FormatData): string[] => [...closersOf(format), ...(format.innerTokens ?? [])];

/** Those that end a call or the block it stands in: what the format writes last, and what frames no part of a call. */
function lastClosersOf(format: FormatData): string[] {
  const { closers = [], template } = format;
  const tails = [template?.call.at(-1), template?.bare?.at(-1), template?.close].map((piece) => String(piece ?? ""));
  const last = tails.flatMap((tail) => closers.filter((closer) => tail.trimEnd().endsWith(closer)));
  const inside = template?.call.slice(0, -1).join("\n") ?? "";
  const isInside = (closer: string) => closers.includes(closer) || inside.includes(closer);
  return closersOf(format).filter((closer) => last.length === 0 || last.includes(closer) || !isInside(closer));
}

function blockClosersOf(format: FormatData, opener: string): string[] {
  const { closers = [], template } = format;
  const [open, close] = [template?.open.trimEnd() ?? "", template?.close.trimEnd() ?? ""];
  const opensSection = open !== "" && (opener.startsWith(open) || open.startsWith(opener));
  const ofSection = opensSection ? closers.filter((closer) => close.endsWith(closer)) : [];
  return ofSection.length > 0 ? ofSection : lastClosersOf(format);
}

/** What the members of a payload mean depends on nothing else. */
const meaningOf = ({ format }: Alternative) => JSON.stringify([format.keys, format.flags, format.unnamed, format.mode]);

/** What begins calls of a format without an opener, where the message or a line begins. */
const leadsOf = (format: FormatData, entry: "start" | "line") =>
  entry === "start" ? format.leads : format.unmarkedLeads;

/** The longest of some openers that a text begins with, where neither a longer one nor another literal may begin there. */
function certainOpener(text: string, openers: readonly string[], others: readonly string[]): string | undefined {
  const opener = longestOf(openers, text);
  if (opener === undefined || mayBeginAny(text, openers)) return undefined;
  return startsWithOne(text, others) || mayBeginAny(text, others) ? undefined : opener;
}

const longestOf = (openers: readonly string[], text: string): string | undefined =>
  openers.filter((one) => text.startsWith(one)).sort((left, right) => right.length - left.length)[0];
/** More text may make it one of them. */
const mayBeginAny = (text: string, literals: readonly string[]) => literals.some((one) => mayBeginOne(text, one));
const mayBeginOne = (text: string, literal: string) => literal.length > text.length && literal.startsWith(text);

/** By so many characters most openers are distinguished from other literals. */
const openerKeyMax = 12;
/** So many beginnings are remembered of each kind. */
const rememberedMax = 512;
const noLiterals: LiteralsAlike = { openers: [], others: [], isTold: true, opener: undefined };
/** By so many characters it is asked what is plain content: no more than are remembered with what begins alike. */
export const plainCharsMax = openerKeyMax;
const plainPrefixes = [2, 4, 8, plainCharsMax];
/** So many of them are remembered. */
const plainMax = 1024;
const undecided = -1;

/** By what validates the calls of the first format: that is made once for the same format, tools and policy. */
const knownAlternatives = onceFor((_: CallValidator): (readonly Alternative[])[] => []);
const knownLists = onceFor((_: CallValidator): FormatList[] => []);

/** So many lists are remembered for each first format: no host uses more at a time. */
const listsMax = 16;

/** What is known and suits, or is made and known from now on. */
function remembered<Known>(known: Known[], suits: (known: Known) => boolean, make: () => Known): Known {
  const found = known.find(suits);
  if (found !== undefined) return found;
  if (known.length >= listsMax) known.length = 0;
  const made = make();
  known.push(made);
  return made;
}

/** What may be read together: any compiled formats, at least one. @throws TypeError */
export function listFormats(format: Format | readonly Format[]): readonly Format[] {
  const list: readonly Format[] = Array.isArray(format) ? format : [format as Format];
  if (list.length === 0) throw new TypeError("format names no format: give one, or a list of at least one");
  for (const one of list) {
    if (typeof one === "object" && one !== null && "program" in one) continue;
    throw new TypeError('format must be a compiled format, such as `hermes` from "toolpeg/formats/hermes"');
  }
  return list;
}

/** Formats, each with what validates its calls; made once for the same validators. */
export function alternativesOf(
  formats: readonly FormatData[],
  validatorOf: (format: FormatData) => CallValidator,
  intent: boolean,
): readonly Alternative[] {
  const [first] = formats;
  const isSame = (known: readonly Alternative[]) =>
    known.length === formats.length && known.every((one, at) => one.format === formats[at] && one.intent === intent);
  const make = () => formats.map((format) => ({ format, validator: validatorOf(format), intent }));
  return remembered(knownAlternatives(validatorOf(first)), isSame, make);
}

/** The list of some formats; made once for each. */
export function formatList(alternatives: readonly Alternative[], marker: string | undefined): FormatList {
  const isSame = (list: FormatList) => list.marker === marker && list.alternatives === alternatives;
  const make = () => new FormatList(alternatives, marker);
  return remembered(knownLists(alternatives[0].validator), isSame, make);
}
