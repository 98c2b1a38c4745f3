import { indentBefore } from "../blocks/indented-calls.ts";
import { isCutReason } from "../contract/finish-reasons.ts";
import { onceFor } from "../contract/once-for.ts";
import type { Node, Rejection, ToolCall } from "../contract/types.ts";
import type { FormatData } from "../formats/format-data.ts";
import { lineUnitsMax } from "../machine/fence-containers.ts";
import { indentMax } from "../machine/indent.ts";
import { Telemetry } from "../output/telemetry.ts";
import { parseJson } from "../values/json-text.ts";
import { UnknownCalls } from "./around/unknown-calls.ts";
import { CallIds } from "./delivery/call-ids.ts";
import { mayHoldMoved } from "./delivery/held-tokens.ts";
import { defaultId, toolCall } from "./delivery/tool-call.ts";
import {
  besideCharsMax,
  haveHeader,
  haveLines,
  holdsOpenOf,
  isClosedByName,
  mayStandBeside,
  opensProgramCall,
  parameterBefore,
  parameterFollows,
  textCharsMax,
} from "./doubts/beside-calls.ts";
import { mayBeRest } from "./doubts/rest-of-call.ts";
import type { CoreParseOptions, MessageOptions, ReadOptions, ReadSound } from "./options.ts";
import type { Alternative } from "./readings/alternative.ts";
import { argumentsMayEndLater, endsWithBrackets, hasStrings, mayEndLater, stringsSay } from "./readings/call-end.ts";
import { type FormatList, formatList } from "./readings/format-list.ts";
import { frameAt } from "./readings/frames.ts";
import { glanceChars } from "./readings/glances.ts";
import { doubtfulSpanIn } from "./readings/left-open.ts";
import { beginsInThoughts, escapes, type MessageSets, opensAround, quotationUnits } from "./readings/message-sets.ts";
import { openerCharsMin, opensByTag } from "./readings/openers.ts";
import { beginsNextReply } from "./readings/turns.ts";
import { undeclaredKeys } from "./readings/undeclared-keys.ts";
import { type FoundCall, SoundBlocks, shortMax } from "./sound-blocks.ts";
import { mayHoldFences } from "./text/fence-info.ts";
import { openFenceIn } from "./text/fence-lines.ts";
import { beginsLine, endBeforeBlanks, isInWord, notBlank } from "./text/line-start.ts";
import { OpenCode } from "./text/open-code.ts";
import type { PlainTextSearch } from "./text/plain-text-search.ts";
import { mayStandInString } from "./text/string-scan.ts";
import { StringsInProse } from "./text/strings-in-prose.ts";
import { looksLikeCall, mayBeginValue } from "./text/value-beginning.ts";

/** What a message holds that is plain text and sound calls. */
export interface SoundMessage {
  readonly calls: ToolCall[];
  readonly content: string;
  readonly nodes: Node[];
  /** The format of the last call; without one the first that was asked for. */
  readonly format: FormatData;
}

/** So much is looked at after an opener for what opens thoughts or a quotation. */
const aroundChars = 64;

/**
 * The second way to read a message: the whole text at once, plain text and calls that are whole, sound and pass validation.
 * Most messages are that. It never answers otherwise than the first way, {@link MessageReader}: of anything else that it
 * meets it says nothing, and the first way reads all of the text. `test/sound-message.test.ts` compares both.
 */
class SoundReader {
  readonly #list: FormatList;
  /** What no format marks is no call. */
  readonly #areMarked: boolean;
  /** Formats of which parameters may stand beside calls; of these, those whose parameters are lines. */
  readonly #haveBeside: readonly FormatData[];
  readonly #areRaw: boolean;
  readonly #haveLines: readonly FormatData[];
  /** The parameters of some. */
  readonly #areClosedByName: boolean;
  /** The text before a call may name it in some. */
  readonly #haveHeader: boolean;
  /** Finds what only quotes. */
  readonly #quotations: PlainTextSearch;
  /** Finds all else that is not plain. */
  readonly #unquotedPlaces: PlainTextSearch;
  readonly #blocks = new Map<Alternative, SoundBlocks>();
  /** Those that have the text; of the list, so many are. */
  readonly #loaded: SoundBlocks[] = [];
  #loadedCount = 0;
  /** A validator of the host may read another message. */
  #isBusy = false;
  #text = "";
  /** Where lines may be calls. */
  #openCode: OpenCode | undefined;
  /** Made when text holds what may be tags. */
  #unknownCalls: UnknownCalls | undefined;
  /** The last place that {@link #unquotedFrom} has found. */
  #unquoted = -1;
  /** Where the last block ends. */
  #blockEnd = 0;
  /** From here on the text is blank; -1: nothing has asked. */
  #blankFrom = -1;
  /** Something that quotes may stand before it. */
  #mayQuote = false;
  /** The opener that stands there. */
  #opener = "";
  #found: FoundCall[] = none;
  /** The model has written ids of some. */
  #haveIds = false;
  #nodes: Node[] = [];
  #nodesEnd = 0;
  #content = "";
  /** Some of it follows a call. */
  #hasTextAfter = false;

  constructor(list: FormatList) {
    const quoting = unitsThatQuote(list.sets);
    this.#list = list;
    this.#quotations = list.search(quoting);
    this.#unquotedPlaces = list.search(quoting, true);
    this.#haveBeside = list.alternatives.map(({ format }) => format).filter(mayStandBeside);
    this.#areRaw = list.alternatives.some(({ format }) => format.rawValues !== undefined);
    this.#haveLines = this.#haveBeside.filter(haveLines);
    this.#areClosedByName = this.#haveBeside.some(isClosedByName);
    this.#haveHeader = list.alternatives.some(({ format }) => haveHeader(format));
    this.#areMarked = list.alternatives.every(({ format }) => format.mode === "primary");
  }

  /** Reads a whole message; undefined: the first way has to. */
  read(text: string): SoundMessage | undefined {
    if (this.#isBusy || typeof text !== "string") return undefined;
    this.#isBusy = true;
    this.#text = text;
    this.#found = none;
    this.#haveIds = false;
    this.#nodes = [];
    this.#nodesEnd = 0;
    this.#content = "";
    this.#hasTextAfter = false;
    if (this.#list.opensByName) this.#openCode = new OpenCode(sourceOf(text));
    this.#unquoted = -1;
    this.#blankFrom = -1;
    try {
      const calls = this.#readAll() ? this.#validated() : this.#isContent() ? [] : undefined;
      return (
        calls && {
          calls,
          content: this.#content,
          nodes: this.#nodes,
          format: (this.#found.at(-1)?.by ?? this.#list.alternatives[0]).format,
        }
      );
    } finally {
      this.#isBusy = false;
      this.#text = "";
      this.#openCode = undefined;
      this.#unknownCalls = undefined;
      this.#quotations.forget();
      this.#unquotedPlaces.forget();
      for (let at = 0; at < this.#loadedCount; at++) this.#loaded[at].load("");
      this.#loadedCount = 0;
    }
  }

  /** Whether the message begins as text does. */
  get #beginsPlain(): boolean {
    const text = this.#text;
    // Most messages begin with a letter or a marker.
    const isPlain = text.charCodeAt(0) > 0x20 && text.charCodeAt(0) < 0x7f;
    const first = isPlain ? 0 : text.search(notBlank);
    return first >= 0 && !this.#mayBeginAnswer(first) && !this.#mayLead("start", 0, first);
  }

  #mayBeginAnswer(first: number): boolean {
    const text = this.#text;
    return this.#list.sets.answerBeginners.includes(text[first]) && this.#list.openerAt(text, first) === undefined;
  }

  /** Whether the message is content and nothing else, where no call has been found. */
  #isContent(): boolean {
    const text = this.#text;
    if (this.#found.length > 0 || !this.#areMarked || text === "" || this.#unquoted < text.length) return false;
    this.#content = text;
    this.#nodes = [{ type: "content", start: 0, end: text.length }];
    return true;
  }

  #readAll(): boolean {
    const text = this.#text;
    if (!this.#beginsPlain) return false;
    for (let at = 0; at < text.length; ) {
      const opener = this.#openerFrom(at);
      if (opener < 0) return false;
      // Between most calls stands a line break.
      if (!isBlank(text, at, opener)) {
        if (opener < text.length && mayBeginValue(text, at, opener)) return false;
        if (this.#haveBeside.length > 0 && this.#standsBeside(at, opener)) return false;
        if (opener < text.length && (this.#opensString(at, opener) || this.#opensCall(at, opener))) return false;
        if (this.#haveHeader && ofHeader.test(text[opener - 1])) return false;
        if (doubtfulSpanIn(text.slice(Math.max(at, opener - lineUnitsMax), opener)) !== undefined) return false;
        this.#addText(at, opener);
      }
      if (opener === text.length) break;
      // It may stand in a string.
      if (text[opener - 1] === '"') return false;
      at = this.#readBlock(opener);
      if (at < 0) return false;
    }
    this.#addFraming(text.length);
    // Most messages end with their one call.
    const isAlone = this.#found.length === 1 && this.#isAtEnd(this.#blockEnd);
    return isAlone || (this.#found.length > 0 && !this.#mayBeContradicted());
  }

  /**
   * A call without arguments, whose tool takes some, is followed by anything: that may be them. One that ends with its own
   * brace, or has escaped quotes, is followed by text with another, or one whose parameters are closed by name by text with a closing tag: that may
   * be its end. So may anything be that follows one with a value in which a parameter is opened and not closed, and a fence that follows one which
   * has left a fence open.
   */
  #mayBeContradicted(): boolean {
    const [first] = this.#found;
    // To the format of one call that of another is text.
    if (this.#found.some(({ by }) => by !== first.by)) return true;
    const last = this.#found[this.#found.length - 1];
    const isFollowed = (call: FoundCall) => call !== last || !this.#isAtEnd(this.#blockEnd);
    const follows = (holds: (text: string) => boolean) =>
      this.#hasTextAfter &&
      this.#nodes.some(
        ({ type, start, end: to }) => type === "content" && start >= first.end && holds(this.#text.slice(start, to)),
      );
    const mayGoOn = ({ by: { format }, start, end: to }: FoundCall) => {
      const raw = this.#text.slice(start, to);
      return endsWithBrackets(format) || (hasStrings(raw, format) && stringsSay(raw, [format]));
    };
    const isBeforeCall = ({ type, start, end: to }: Node, at: number) =>
      type === "content" && this.#nodes[at + 1]?.type === "call" && mayStandInString(this.#text.slice(start, to));
    if (follows((text) => mayBeRest.test(text)) && (this.#found.some(mayGoOn) || this.#nodes.some(isBeforeCall)))
      return true;
    const hasNames = ({ by }: FoundCall) => isClosedByName(by.format);
    if (this.#areClosedByName && follows((text) => text.includes("</")) && this.#found.some(hasNames)) return true;
    const leavesFence = ({ by: { format }, start, end: to }: FoundCall) =>
      format.rawValues !== undefined && openFenceIn(this.#text.slice(start, to)) !== undefined;
    if (follows((text) => anyFence.test(text)) && this.#found.some(leavesFence)) return true;
    const mayGoOnBehind = ({ argumentsText, by: { format }, start, end: to }: FoundCall) =>
      argumentsMayEndLater(argumentsText, format) && mayEndLater(this.#text.slice(start, to), format);
    const lacksArguments = ({ argumentsText, name, by: { validator } }: FoundCall) =>
      argumentsText === "{}" && (validator.hints.keysOf(name)?.size ?? 0) > 0;
    return this.#found.some((call) => isFollowed(call) && (lacksArguments(call) || mayGoOnBehind(call)));
  }

  /** Whether a string of a value is open at the end of a text. */
  #opensString(start: number, end: number): boolean {
    // Most texts are short and have neither brackets, in which values stand, nor keys.
    if (end - start <= shortCharsMax && !anyBracket.test(this.#text.slice(start, end))) return false;
    const strings = new StringsInProse(sourceOf(this.#text));
    strings.begin(start);
    return strings.isOpenAt(end);
  }

  /** Whether the parentheses of a call are open at the end of a text. */
  #opensCall(start: number, end: number): boolean {
    const before = this.#text.slice(Math.max(start, end - textCharsMax), end);
    return (
      before.includes("(") && opensProgramCall(before, this.#list.alternatives[0].validator.hints.names, () => true)
    );
  }

  /** Whether what may be a parameter stands in a text directly behind a call or directly before one. */
  #standsBeside(start: number, end: number): boolean {
    const tag = this.#text.indexOf("<", start);
    // All others are tags.
    const formats = tag >= 0 && tag < end ? this.#haveBeside : this.#haveLines;
    return formats.length > 0 && this.#standBeside(formats, start, end);
  }

  #standBeside(formats: readonly FormatData[], start: number, end: number): boolean {
    const text = this.#text;
    const behind = start > 0 ? text.slice(start, Math.min(end, start + besideCharsMax)) : "";
    const before = end < text.length ? text.slice(Math.max(start, end - textCharsMax), end) : "";
    return formats.some(
      (format) =>
        parameterFollows(behind, format) ||
        (before !== "" && (parameterBefore(before, format) !== undefined || holdsOpenOf(before, format, () => true))),
    );
  }

  /** Whether a format may read a form that begins the message, or a line, here. */
  #mayLead(entry: "start" | "line", start: number, first: number): boolean {
    const leading = this.#list.leading(entry, this.#text[first]);
    if (leading.length === 0) return false;
    const after = this.#text.slice(start, start + glanceChars);
    return this.#list.glance(entry, leading, { opener: "", after, beginsLine: true }).length > 0;
  }

  /** Where plain text ends: at an opener, or with the text. -1: it holds something else. */
  #openerFrom(from: number): number {
    const text = this.#text;
    if (this.#list.leadsLines && from > 0 && this.#leadsAfter(from)) return -1;
    for (let at = from; ; ) {
      const unquoted = this.#unquotedFrom(at);
      // Nothing is left to quote.
      if (unquoted === text.length) return unquoted;
      const quotation = this.#mayQuote ? this.#quotations.from(text, at, unquoted) : unquoted;
      if (quotation >= unquoted) return this.#opener === "" ? -1 : unquoted;
      at = this.#quotationEnd(quotation, unquoted);
      if (at === quotation) return -1;
    }
  }

  /**
   * Where a code span ends that is closed on its line, or a fence that stands in nothing, if both stand before what is no
   * quotation. Its beginning: the first way has to say.
   */
  #quotationEnd(start: number, unquoted: number): number {
    const text = this.#text;
    const span = lengthAt(codeSpan, text, start);
    if (span > 0) return start + span <= unquoted ? start + span : start;
    const from = start + lengthAt(fenceBegin, text, start);
    if (from === start || (start > 0 && text[start - 1] !== "\n")) return start;
    const marks = lengthAt(fenceMarks, text, start);
    const close = text.indexOf("```", from);
    if (close < 0 || text[close - 1] !== "\n" || lengthAt(fenceMarks, text, close) < marks) return start;
    // What ends a block of HTML may end one that the marks stand in.
    const isDoubtful = mayHoldFences(text.slice(start + marks, from)) || htmlEnd.test(text.slice(from, close));
    const closing = isDoubtful ? 0 : lengthAt(fenceEnd, text, close);
    return closing > 0 && close <= unquoted ? close + closing : start;
  }

  /** The first place from an offset on where something begins that is neither plain nor quotes; the end of the text: there is none. */
  #unquotedFrom(start: number): number {
    if (start <= this.#unquoted) return this.#unquoted;
    const text = this.#text;
    const places = this.#unquotedPlaces;
    let at = places.from(text, start);
    this.#mayQuote = places.mayPassOthers;
    for (; at < text.length; at = places.from(text, at)) {
      this.#opener = "";
      // Blanks at the end begin nothing.
      if (this.#isAtEnd(at)) {
        at = text.length;
        break;
      }
      if (this.#list.leadsLines && beginsLine(text, at) && (this.#mayLead("line", at, at) || lineCalls(text, at)))
        break;
      this.#opener = this.#list.openerAt(text, at) ?? "";
      // One that is shorter opens nothing where it may be content, which is not known at the beginning of a line.
      if (this.#opener.length >= openerCharsMin || this.#mayOpenLine(at)) break;
      const length = this.#list.plainLengthAt(text, at);
      if (length === 0 || length >= openerCharsMin) break;
      at += length;
      this.#mayQuote = true;
    }
    this.#unquoted = at;
    return at;
  }

  /** Whether nothing but blanks stands after an offset. */
  #isAtEnd(at: number): boolean {
    const text = this.#text;
    if (at === text.length) return true;
    const unit = text.charCodeAt(at);
    if (unit > 0x20 && unit < 0x7f) return false;
    if (this.#blankFrom < 0) this.#blankFrom = text.trimEnd().length;
    return at >= this.#blankFrom;
  }

  /** Whether a line begins with the opener that stands at an offset: where no format reads on, it is listed. */
  #mayOpenLine(at: number): boolean {
    return this.#opener !== "" && beginsLine(this.#text, at);
  }

  /** What a block ends begins a line with what follows it. */
  #leadsAfter(end: number): boolean {
    const first = end + this.#text.slice(end, end + indentMax + 1).search(notBlank);
    return first >= end && this.#mayLead("line", first, first);
  }

  #addText(start: number, end: number): void {
    const piece = this.#text.slice(start, end);
    // Most text begins with a letter.
    const first = piece.charCodeAt(0);
    if (!(first > 0x20 && first < 0x7f) && !notSpace.test(piece)) return;
    this.#content += piece;
    this.#hasTextAfter ||= this.#found.length > 0;
    if (this.#list.opensByTag && this.#unknownCalls === undefined && piece.includes("<")) {
      this.#unknownCalls = new UnknownCalls(sourceOf(this.#text), this.#list);
      this.#unknownCalls.begin(start);
    }
    this.#addFraming(start);
    this.#nodes.push({ type: "content", start, end });
    this.#nodesEnd = end;
  }

  #addFraming(end: number): void {
    if (end > this.#nodesEnd) this.#nodes.push({ type: "framing", start: this.#nodesEnd, end });
  }

  /** Where the block that opens at an offset ends; -1: it is not sound, or several formats read it otherwise. */
  #readBlock(start: number): number {
    const { alternatives: listed } = this.#list;
    if (isInWord(this.#text, start) || this.#openCode?.holds(start)) return -1;
    if (beginsNextReply(this.#list.sets.replies, this.#text, start)) return -1;
    // Whether that is text of its values as well.
    if (this.#areRaw && start > 0 && this.#text[start - 1] !== "\n" && indentBefore(this.#text, start) !== "")
      return -1;
    if (this.#unknownCalls !== undefined && this.#unknownCalls.openAt(start).length > 0) return -1;
    if (listed.length === 1) return this.#readAlone(listed[0], start);
    if (this.#text.length > shortMax || this.#mayOpenAround(start)) return -1;
    const alternatives = this.#alternativesAt(start);
    const framed = alternatives.length > 1 ? this.#readFrame(alternatives, start) : undefined;
    if (framed !== undefined) return this.#take(framed.calls, framed.end);
    let best: FoundBlock | undefined;
    for (const alternative of alternatives) {
      const blocks = this.#blocksOf(alternative);
      const calls = blocks?.read(start);
      if (calls === "declined") continue;
      if (blocks === undefined || calls === undefined || calls.some(holdsUndeclared)) return -1;
      const block = { calls, end: blocks.end };
      if (best === undefined) best = block;
      else if (!isAlike(best, block)) return -1;
      // As where formats are compared: to one of them the message would be thoughts.
      else if (beginsInThoughts(best.calls[0].by.format)) best = block;
    }
    if (best === undefined || beginsInThoughts(best.calls[0].by.format)) return -1;
    // The first way remembers what they have read alike.
    if (alternatives.length > 1 && this.#list.frames.takeProof(alternatives)) return -1;
    return this.#take(best.calls, best.end);
  }

  /** The same where one format is looked for. */
  #readAlone(alternative: Alternative, start: number): number {
    const blocks = this.#blocksOf(alternative);
    const calls = blocks?.read(start);
    if (blocks === undefined || calls === undefined || calls === "declined" || beginsInThoughts(alternative.format))
      return -1;
    return this.#take(calls, blocks.end);
  }

  /** Whether what another format reads as thoughts, or as a quotation, may be opened directly after an opener. */
  #mayOpenAround(start: number): boolean {
    const end = start + this.#opener.length;
    return opensAround(this.#list.sets, this.#text.slice(end, end + aroundChars)) !== false;
  }

  #alternativesAt(start: number): readonly Alternative[] {
    const text = this.#text;
    const opener = this.#opener;
    const end = start + opener.length;
    return this.#list.glance("block", this.#list.openedBy(opener), {
      opener,
      after: text.slice(end, end + glanceChars),
      beginsLine: beginsLine(text, start),
    });
  }

  /** The block, where all of some formats have read its like alike before: one of them is enough. */
  #readFrame(alternatives: readonly Alternative[], start: number): FoundBlock | undefined {
    const place = frameAt(this.#list.frames.of(alternatives), this.#text, start);
    if (place === undefined || beginsInThoughts(place.frame.reader.format)) return undefined;
    const blocks = this.#blocksOf(place.frame.reader);
    const calls = blocks?.read(start);
    if (blocks === undefined || calls === undefined || calls === "declined") return undefined;
    const isFramed = blocks.end === place.end && blocks.isObject(calls, place.objectStart, place.objectEnd);
    return isFramed ? { calls, end: blocks.end } : undefined;
  }

  /** What reads the blocks of a format; undefined: it has forms that only the first way reads. */
  #blocksOf(alternative: Alternative): SoundBlocks | undefined {
    let blocks = this.#blocks.get(alternative);
    if (blocks === undefined) {
      if (alternative.format.mode !== "primary") return undefined;
      this.#blocks.set(alternative, (blocks = new SoundBlocks(alternative)));
    }
    if (!blocks.isLoaded) {
      blocks.load(this.#text);
      this.#loaded[this.#loadedCount++] = blocks;
    }
    return blocks;
  }

  #take(calls: readonly FoundCall[], end: number): number {
    for (const call of calls) {
      const index = this.#found.length;
      if (index >= call.by.validator.policy.maxCalls) return -1;
      if (index === 0) this.#found = [call];
      else this.#found.push(call);
      this.#haveIds ||= call.wireId !== undefined;
      this.#addFraming(call.start);
      this.#nodes.push({ type: "call", start: call.start, end: call.end, index });
      this.#nodesEnd = call.end;
    }
    this.#blockEnd = end;
    this.#openCode?.begin(end);
    this.#unknownCalls?.skip(calls[0].start, end);
    return endBeforeBlanks(this.#text, this.#nodesEnd, end);
  }

  /** The calls, when all of the message has been read; undefined: validation refuses one. */
  #validated(): ToolCall[] | undefined {
    // Most messages hold one call: a list that is made with it takes less room than one that grows.
    let calls: ToolCall[] | undefined;
    const { alternatives } = this.#list;
    const ids = this.#haveIds ? new CallIds(undefined) : undefined;
    for (let index = 0; index < this.#found.length; index++) {
      const facts = this.#found[index];
      const { format, validator } = facts.by;
      if (mayHoldMoved(facts, alternatives, this.#text, facts.start)) return undefined;
      const verdict = validator.verdictOn(facts);
      if (!verdict.ok) return undefined;
      const { name, wireId, isIdBefore, start, end } = facts;
      const id = ids?.give({ idAtStart: isIdBefore ? wireId : "", index }) ?? defaultId(index);
      const variant = facts.variant > 0 ? format.program.variants[facts.variant - 1] : undefined;
      const call = toolCall({ id, index, name, start, end, wireId, variant }, format, verdict);
      if (calls === undefined) calls = [call];
      else calls.push(call);
    }
    return calls;
  }
}

/** The calls of a block, and where it ends. */
interface FoundBlock {
  readonly calls: readonly FoundCall[];
  readonly end: number;
}

const isAlike = (left: FoundBlock, right: FoundBlock) =>
  left.end === right.end &&
  left.calls.length === right.calls.length &&
  left.calls.every(({ name, argumentsText, start, end }, at) => {
    const other = right.calls[at];
    return name === other.name && argumentsText === other.argumentsText && start === other.start && end === other.end;
  });

/** Units that begin nothing but quotations, or keep marks from being some. */
function unitsThatQuote({ openers, literalsLike }: MessageSets): string {
  const begins = (unit: string) =>
    [...openers, ...literalsLike(unit)].some((text) => text[0] === unit && !escapes.includes(text));
  return [...quotationUnits, "\\"].filter((unit) => !begins(unit)).join("");
}

/** Whether a stretch holds nothing but plain blanks. */
function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== 0x20 && (unit < 0x09 || unit > 0x0d)) return false;
  }
  return true;
}

const sourceOf = (text: string) => ({ end: text.length, slice: (from: number, to: number) => text.slice(from, to) });

/** Nothing is ever put into it. */
const none: FoundCall[] = [];
const ofHeader = /[\w \t]/;
const notSpace = /\S/;
/** So much says whether a line begins as a call does. */
const callCharsMax = 128;
const lineCalls = (text: string, at: number) => looksLikeCall(text.slice(at, at + callCharsMax));

const codeSpan = /(`{1,2})(?!`)[^`\r\n]+\1(?!`)/y;
const anyFence = /```|~~~/;
const anyBracket = /[{[(]|["']\s*:|=\s*["']/;
/** What is looked through for one character first. */
const shortCharsMax = 1024;
const fenceMarks = /`{3,80}/y;
const fenceBegin = /`{3,80}[^`\r\n]*\n/y;
const htmlEnd = /<\/|\?>/;
const fenceEnd = /`{3,}[ \t]*(?=\n|$)/y;

/** How long what stands at an offset is; 0: it is not that. */
function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex - at : 0;
}

type Asked = MessageOptions & Pick<ReadOptions, "keptText">;

/** Nothing is asked for that the second way does not bring. */
function isPlain({ prefill, finishReason, marker, retain, id, clock, onTelemetry, keptText }: Asked): boolean {
  return (
    (prefill === undefined || prefill === "") &&
    !isCutReason(finishReason) &&
    marker === undefined &&
    retain !== "calls" &&
    (id ?? clock ?? onTelemetry ?? keptText) === undefined
  );
}

/** To another format one of its arguments may open a call. */
const holdsUndeclared = ({ by, name, value, argumentsText }: FoundCall): boolean =>
  opensByTag(by) && undeclaredKeys(value ?? parseJson(argumentsText), by.validator.hints.keysOf(name)).size > 0;

/** The second way for messages with some formats and options; undefined: they leave it nothing to read. */
export function soundReaderOf(options: CoreParseOptions, alternatives: readonly Alternative[]): ReadSound | undefined {
  const reader = isPlain(options) ? readerOf(formatList(alternatives, undefined)) : undefined;
  if (reader === undefined) return undefined;
  const { findOtherFormat } = options;
  const formats = alternatives.map(({ format }) => format);
  return (text, own) => {
    if (own !== undefined && !isPlain(own)) return undefined;
    const found = reader.read(text);
    if (found === undefined) return undefined;
    const { calls, content, nodes, format } = found;
    if (calls.length === 0 && findOtherFormat?.(text, formats) !== undefined) return undefined;
    const rejected: Rejection[] = [];
    const telemetry = new Telemetry({
      calls,
      rejected,
      candidateCount: calls.length,
      mode: format.mode,
      format: format.id,
      chars: text.length,
      truncated: false,
      durationMs: undefined,
    });
    return { calls, content, reasoning: "", rejected, nodes, truncated: false, telemetry };
  };
}

const readerOf = onceFor((list: FormatList) => (maySuit(list) ? new SoundReader(list) : undefined));

function maySuit({ alternatives, sets }: FormatList): boolean {
  if (sets.startsInReasoning) return false;
  return alternatives.every(({ validator: { policy, asksLibraries, hints } }) => {
    const isUsual = policy.schema === "reject" && policy.calls === "all" && policy.quoted.length === 0;
    return isUsual && !asksLibraries && hints.names !== undefined;
  });
}
