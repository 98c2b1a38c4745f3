import { fenceMarksMin, leavesFenceOpen } from "../../machine/fence-containers.ts";
import { openFenceIn } from "../text/fence-lines.ts";
import type { MessageSets } from "./message-sets.ts";

/**
 * Whether a text that a damaged call has taken along leaves open what the text around blocks would have read in it: a fence, a
 * code span, thoughts, a pair of quoting tags, or another turn. Then what follows it stands in that.
 *
 * @param names of the offered tools: a tag of such a name may be the call
 */
export function leavesOpen(sets: MessageSets, text: string, names: readonly string[] | undefined): boolean {
  if (
    leavesFenceOpen(text) ||
    openFenceIn(text) === "`" ||
    openSpanIn(text.slice(text.lastIndexOf("\n\n") + 1)) !== undefined
  )
    return true;
  return leavesEnclosureOpen(sets, text, names);
}

/** The same of thoughts, pairs and turns alone. */
export function leavesEnclosureOpen(sets: MessageSets, text: string, names: readonly string[] | undefined): boolean {
  const lower = text.toLowerCase();
  // Most calls hold nothing that begins so.
  if (lower.search(sets.beginnings) < 0) return false;
  for (const pairs of [sets.thinkClosers, sets.quoteClosers]) {
    for (const [open, closers] of pairs) {
      if (!names?.includes(open.slice(1, -1)) && isLeftOpen(lower, open, closers)) return true;
    }
  }
  return beginsTurn(sets, text);
}

/** Whether another turn begins in a text. */
function beginsTurn({ turns: { alone, ends, openers } }: MessageSets, text: string): boolean {
  if (alone.some((token) => text.includes(token))) return true;
  if (!ends.some((token) => text.includes(token))) return false;
  const isEnded = (at: number) => {
    const before = text.slice(Math.max(0, at - turnEndMax), at).trimEnd();
    return ends.some((token) => before.endsWith(token));
  };
  return openers.some((token) => placesOf(text, token).some(isEnded));
}

/** The marks of the code span that is open at the end of a text; undefined: none is. */
export function openSpanIn(text: string): string | undefined {
  let open: string | undefined;
  for (const marks of text.match(/`+/g) ?? []) {
    if (open === undefined) open = marks;
    else if (open === marks) open = undefined;
  }
  return open;
}

/**
 * The marks of a code span in which the end of a text stands to a reader: those that it ends in, which may be closed behind a fence or an
 * empty line in a call; three or more within a line, which none within one close; or what is open if marks in tags of HTML, links and
 * other blocks are none of code: the former bind as code spans do (CommonMark 0.31, 6.1, 6.3, 6.5 and 6.6).
 */
export function doubtfulSpanIn(text: string): string | undefined {
  if (!text.includes("`")) return undefined;
  const paragraph = text.slice(text.lastIndexOf("\n\n") + 1).replace(linesOfFences, "");
  const runs = [...paragraph.matchAll(/`+/g)];
  const open: string[] = [];
  let holdsMarks = false;
  let openTo = -1;
  let to = 0;
  let next = 0;
  for (const { 0: found, index } of paragraph.matchAll(marksOrTheirLike)) {
    if (index < to) continue;
    const isRun = found[0] === "`";
    // Those behind only: what has found its partner is not looked through again.
    while (next < runs.length && runs[next].index <= index) next += 1;
    let at = isRun ? next : runs.length;
    while (at < runs.length && runs[at][0] !== found) at += 1;
    const partner = runs[at] as RegExpExecArray | undefined;
    to = (partner?.index ?? index) + found.length;
    if (isRun && partner === undefined) {
      open.push(found);
      openTo = to;
    }
    holdsMarks ||= !isRun && found[0] !== "\\" && found.includes("`");
  }
  const isAtEnd = openTo >= 0 && paragraph.slice(openTo).trim() === "";
  return holdsMarks || isAtEnd ? open.at(-1) : open.find(({ length }) => length >= fenceMarksMin);
}

const linesOfFences = /^[ \t>*+\-.)\d]*```.*$/gm;
/** Beside marks: what is escaped, tags, what links lead to, and blocks that are no paragraphs: scripts, definitions of links, indented code. */
const marksOrTheirLike =
  /`+|\\[\\`]|<(script|style|textarea)(?=[\s>])[\s\S]*?<\/\1>|<[A-Za-z/!?][^<>]*>|\]\([^()]*(?:\([^()]*\)[^()]*)?\)|^ {0,3}\[[^[\]]+\]:.*|(?<![\s\S])\n?(?:(?: {4}|\t).*\n)+/gim;

/** Whether more openers than closers stand in a text, or one behind them all. */
function isLeftOpen(lower: string, open: string, closers: readonly string[]): boolean {
  const opened = placesOf(lower, open.toLowerCase());
  if (opened.length === 0) return false;
  const spelt = new Set(closers.map((closer) => closer.toLowerCase()));
  const closed = [...spelt].flatMap((closer) => placesOf(lower, closer));
  return opened.length > closed.length || closed.every((at) => at < (opened.at(-1) as number));
}

/** Where a literal stands. A tag may hold attributes, or a suffix of its name. */
export function placesOf(text: string, literal: string): readonly number[] {
  const isTag = /^<\/?[a-z][\w:.-]*>$/.test(literal);
  const begin = isTag ? literal.slice(0, -1) : literal;
  const places: number[] = [];
  for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at + begin.length)) {
    if (!isTag || /[\s>:]/.test(text.charAt(at + begin.length))) places.push(at);
  }
  return places;
}

/** So far before what opens a turn the token may begin that has ended the last. */
const turnEndMax = 64;
