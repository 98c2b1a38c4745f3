import type { Hints } from "../machine/hints.ts";
import { unitAt } from "../machine/string-units.ts";
import type { TextSource } from "../machine/text-store.ts";
import type { FormatList } from "./format-list.ts";
import { glanceChars } from "./glances.ts";
import { type MessageSets, tagOf } from "./message-sets.ts";
import { opensByTag, startsWithOne } from "./openers.ts";

/**
 * Calls of tools that are not on offer, where tags are the names of tools: a tag directly followed by another one, of which neither is
 * known as anything else; where all formats have bodies, also by a key. To be one, what follows is a parameter of some tool, or the
 * tag has an underscore, which none of HTML has. A pair of tags around a call is none. Read piece by piece, each once.
 */
export class UnknownCalls {
  readonly #store: TextSource;
  readonly #list: FormatList;
  readonly #sets: MessageSets;
  readonly #names: readonly string[];
  readonly #hints: Hints;
  #follower: RegExp | undefined;
  /** How calls of tools on offer begin, as far as a glance goes. */
  #begins: readonly string[] | undefined;
  /** Names of tags that are tools, open blocks or frame text. */
  #known: ReadonlySet<string> | undefined;
  /** Up to where it has been read. */
  #to = 0;
  /** Closers of those that are open, outermost first. */
  #open: string[] = [];
  /** Of those that were open. */
  #closed: string[] = [];

  constructor(store: TextSource, list: FormatList) {
    this.#store = store;
    this.#list = list;
    this.#sets = list.sets;
    this.#hints = list.alternatives[0].validator.hints;
    this.#names = this.#hints.names ?? [];
  }

  /** Here text begins that is no part of what stands before it. */
  begin(start: number): void {
    this.#to = start;
    this.#open = [];
  }

  /** What stands here is a block. */
  skip(start: number, end: number): void {
    this.readTo(start);
    this.#to = Math.max(this.#to, end);
  }

  /** Whether what opens here may be a call of such a format, by as much of its name as is there for certain. */
  opensTool(start: number): boolean {
    const text = this.#store.slice(start, start + glanceChars);
    this.#begins ??= this.#names.map((name) => `<${name}`.slice(0, glanceChars));
    return startsWithOne(text, this.#begins);
  }

  /** Closers of those that are open at an offset. */
  openAt(at: number): readonly string[] {
    this.readTo(at);
    this.#closed = [];
    return this.#open;
  }

  /** Closers that stand before an offset, and after where this was asked last. */
  closedTo(at: number): readonly string[] {
    this.readTo(at);
    const closed = this.#closed;
    this.#closed = [];
    return closed;
  }

  /** Text up to here is about to be let go. */
  readTo(end: number): void {
    if (end <= this.#to) return;
    const text = this.#store.slice(this.#to, end);
    const known = text.includes("<") ? knownTo(text) : text.length;
    this.#to += known;
    this.#follower ??= this.#followerOf();
    if (this.#open.length === 0 && !mayOpen(text, this.#follower === tagOrKey)) return;
    for (const { 0: written, 1: slash, 2: name, 3: rest, index } of text.matchAll(tags)) {
      if (index >= known) break;
      if (slash !== "") this.#close(tagOf(written));
      else if (/^(?:$|\s)/.test(rest) && !rest.endsWith("/") && this.#isCall(name, text, index + written.length)) {
        this.#open.push(tagOf(`</${name}>`));
        if (this.#open.length > openMax) this.#open.shift();
      }
    }
  }

  #close(closer: string): void {
    const at = this.#open.lastIndexOf(closer);
    if (at >= 0) this.#closed.push(...this.#open.splice(at));
  }

  /** @param end where the tag of the name ends */
  #isCall(name: string, text: string, end: number): boolean {
    const follower = this.#follower as RegExp;
    follower.lastIndex = end;
    const found = follower.exec(text);
    const next = found?.[1] ?? found?.[2];
    if (next === undefined) return false;
    const mayBe = name.includes("_") || this.#names.some((tool) => this.#hints.keysOf(tool)?.has(next));
    return mayBe && !this.#isKnown(name) && !this.#isKnown(next);
  }

  /** What follows the tag of a call. */
  #followerOf(): RegExp {
    const ofTags = this.#list.alternatives.filter(opensByTag);
    return ofTags.every(({ format }) => format.body !== undefined) ? tagOrKey : followingTag;
  }

  /** A tag has a meaning: it is a tool, opens thoughts, a quotation or a block, or frames text. */
  #isKnown(name: string): boolean {
    const { thinkClosers, quoteClosers, openers, framing } = this.#sets;
    this.#known ??= new Set([
      ...this.#names,
      ...[...openers, ...framing].flatMap((text) => wholeName.exec(text)?.[1] ?? []),
    ]);
    const tag = tagOf(`<${name}>`);
    return this.#known.has(name) || thinkClosers.has(tag) || quoteClosers.has(tag);
  }
}

/** So many may be open: of more the innermost. */
const openMax = 16;

const tags = /<(\/?)([A-Za-z_][\w.:-]{0,63})([^<>]{0,255})>/g;
/** Of a literal that is the beginning of a tag. */
const wholeName = /^<([^\s<>/]+)(?:[> ]|$)/;
const followingTag = /\s{0,127}<([A-Za-z_][\w.:-]{0,63})(?=[\s/>])/y;
const tagOrKey =
  /\s{0,127}<([A-Za-z_][\w.:-]{0,63})(?=[\s/>])|[ \t]{0,63}\r?\n[ \t]{0,63}([A-Za-z_][\w.-]{0,63}):(?=\s)/y;
/** What may be a tag of which more has to come, or one whose follower has. */
const undecided = /(?:<(?!\/)[^<>]{0,320}>\s{0,127}[\w.:-]{0,65})?(?:<[^<>]{0,320})?$/;
const undecidedMax = 900;

/** Whether what may be a tag is directly followed by what may be another one, or by the end of its line: in prose hardly one is. */
function mayOpen(text: string, byLines: boolean): boolean {
  for (let at = text.indexOf(">"); at >= 0; at = text.indexOf(">", at + 1)) {
    let next = at + 1;
    while (next < text.length && isBlank(unitAt(text, next))) {
      if (byLines && text[next] === "\n") return true;
      next++;
    }
    if (text[next] === "<") return true;
  }
  return false;
}

/** Also what is none: no unit of another alphabet begins a tag. */
const isBlank = (unit: number) => unit <= 0x20 || unit > 0x7f;

/** Up to where a text says what its tags are. */
function knownTo(text: string): number {
  const from = Math.max(0, text.length - undecidedMax);
  return from + text.slice(from).search(undecided);
}
