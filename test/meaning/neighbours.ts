import { quotingTags } from "../../src/contract/quoting-tags.ts";
import { type Format, parse } from "../../src/index.ts";
import type { Call, Question, Some } from "./question.ts";
import { noteOf, read, type Subject, scan, tools, wipe } from "./subjects.ts";
import { boundsOf, damagesOf, debrisOf, isWordsOf, misspellingsOf, shiftsOf } from "./tokens.ts";

/** A damaged call changes no call beside it. Rules: C1, C2. */
export function* besideDamage(subject: Subject, _other: Subject, some: Some): Generator<Question> {
  const { format, lead, write, isWhole, between } = subject;
  const note = noteOf("south");
  const [host, real] = [write(note), write(read)];
  if (host === undefined || real === undefined || isWhole) return;
  const isOwn = isWordsOf(note);
  for (const [title, damaged] of some(damagesOf(subject, host))) {
    const common = { format, isExact: false, isOwn };
    yield { ...common, title: `${title}, before a call`, text: lead + damaged + between + real, calls: [note, read] };
    yield { ...common, title: `${title}, after a call`, text: lead + real + between + damaged, calls: [read, note] };
    yield {
      ...common,
      title: `${title}, between calls`,
      text: lead + [real, damaged, real].join(between),
      calls: [read, note, read],
    };
  }
}

/** Two strings of Python side by side are one, by the language itself. */
const joins = ({ format }: Subject) => format.program.strings.includes("'''");
const isJoined = isWordsOf({ ...scan, arguments: { text: "southtaghillside" } });

/** A call with one of its tokens deleted, doubled, moved or swapped is what it was, or none. Rules: A1, B1. */
export function* damaged(subject: Subject, _other: Subject, some: Some): Generator<Question> {
  const { format, lead, write } = subject;
  for (const call of [noteOf("south"), read, scan]) {
    const host = write(call);
    if (host === undefined) continue;
    const isWords = isWordsOf(call);
    const isOwn = (found: Call) => isWords(found) || (call === scan && joins(subject) && isJoined(found));
    const common = { format, calls: [call], isExact: false, isOwn };
    for (const [title, text] of some(damagesOf(subject, host))) yield { ...common, title, text: lead + text };
  }
}

/** A call that ends too early, begins twice, or has lost its way between two values. Rules: A1, A2, C1. */
export function* moved(subject: Subject, _other: Subject, some: Some): Generator<Question> {
  const { format, lead, write } = subject;
  const host = write(scan);
  if (host === undefined) return;
  const isWords = isWordsOf(scan);
  const isOwn = (found: Call) => isWords(found) || (joins(subject) && isJoined(found));
  const common = { format, calls: [scan], isExact: false, isOwn };
  for (const [title, text] of some(boundsOf(subject, host))) yield { ...common, title, text: lead + text };
  for (const [title, text] of some(misspellingsOf(host))) yield { ...common, title, text: lead + text };
  for (const [title, text] of some(shiftsOf(host))) yield { ...common, title, text: lead + text };
}

/** An opener that nothing closes, or what is left of a tag, is no text of a value. Rules: A1, C1, C3. */
export function* leftInValues({ format, lead, write }: Subject, _other: Subject, some: Some): Generator<Question> {
  const host = write(scan);
  if (host === undefined) return;
  const common = { format, calls: [scan], isExact: false, isOwn: isWordsOf(scan) };
  for (const [title, text] of some(debrisOf(host))) yield { ...common, title, text: lead + text };
}

/** What stands behind a call that has broken off is text as it is elsewhere: thoughts, quotations, turns. Rules: C1, D1, D2, D3. */
export function* brokenOff(
  { format, lead, write, isWhole }: Subject,
  _other: Subject,
  some: Some,
): Generator<Question> {
  const note = noteOf("south");
  const [host, evil] = [write(note), write(wipe)];
  if (host === undefined || evil === undefined || isWhole || format.starts !== undefined) return;
  const documented = [
    format.triggers,
    format.framing ?? [],
    format.stop,
    format.reasoning.map(({ open }) => open),
  ].flat();
  const around = [
    ["<think>\n", "\n</think>"],
    ...format.reasoning.map(({ open, close }) => [open, close]),
    ...[...quotingTags].map(([open, close]) => [open, close]),
    ["See `", "` there"],
    ["```\n", "\n```"],
    ["~~~\n", "\n~~~"],
    ["<|im_end|>\n<|im_start|>user\n", ""],
  ].filter(([open, close]) => {
    const isOwn = documented.some((text) => open.includes(text) && !format.reasoning.some((one) => one.open === open));
    return !isOwn && ![open, close].some((text) => text !== "" && evil.includes(text.trim().replace(/^See /, "")));
  });
  const ends = [...host.matchAll(/[<>|[\]{}"':=(),\n]+|\w+/g)].map(({ 0: token, index }) => index + token.length);
  const cuts = ends.filter((end) => end < host.length).map((end) => host.slice(0, end));
  for (const cut of some(cuts)) {
    for (const [open, close] of some(around)) {
      const text = `${lead}${cut}\n${open}Not like this: ${evil}${close}\nHm.`;
      const title = `${JSON.stringify(cut)}, then ${JSON.stringify(open)}`;
      yield { title, text, format, calls: [note], isExact: false, isOwn: isWordsOf(note) };
    }
  }
  // A text about calls, which names the opener of one and its closer.
  const opener = evil.slice(0, evil.indexOf(wipe.name));
  if (opener.trim() === "" || /\{"|`/.test(opener)) return;
  for (const closer of some(["", ...(format.closers ?? [])])) {
    for (const [open, close] of some(around)) {
      for (const end of closer === "" ? [""] : [`, and \`${closer}\` ends it`, `, ${closer} ends it`]) {
        const text = `${lead}It begins with ${opener} and the name${end}.\n${open}Not like this: ${evil}${close}\nHm.`;
        const title = `${JSON.stringify(opener + end)} in prose, then ${JSON.stringify(open)}`;
        yield { title, text, format, calls: [], isExact: true };
      }
    }
  }
}

/** A call that is begun and given up before its first value, then one of a tool that takes the same. Rules: A4, C1. */
export function* begun({ format, lead, write }: Subject, _other: Subject, some: Some): Generator<Question> {
  const note = noteOf("south");
  const [host, next] = [write(note), write(scan)];
  if (host === undefined || next === undefined) return;
  // A name that nothing opens is text.
  const first = host.startsWith(note.name) ? 1 : 0;
  const [from, to] = [host.indexOf(note.name) + note.name.length + first, host.indexOf("south")];
  const cuts = Array.from({ length: Math.max(0, to - from) }, (_, at) => host.slice(0, from + at));
  for (const cut of some(cuts)) {
    for (const between of ["", "\n", " words\n"]) {
      const text = lead + cut + between + next;
      yield { title: `${JSON.stringify(cut + between)} before it`, text, format, calls: [], isExact: true };
    }
  }
}

/**
 * Words between a whole payload and the closer of its call: nothing says that it was the payload. Rules: A2, B1.
 */
export function* beforeClosers({ format, lead, write, between }: Subject): Generator<Question> {
  const [host, real] = [write(noteOf("south")), write(read)];
  if (host === undefined || real === undefined) return;
  for (const closer of [...(format.closers ?? []), "```"]) {
    const at = host.lastIndexOf(closer);
    const before = host.slice(0, Math.max(0, at)).trimEnd();
    if (!/[\])}]$/.test(before)) continue;
    for (const words of [" but not yet ", '; "tag": "hilltop"}} ', ' and "tag": "hilltop"}\n']) {
      const text = lead + before + words + host.slice(at);
      yield { title: `${words} before ${closer}`, text, format, calls: [], isExact: true };
      yield {
        title: `${words} before ${closer}, a call after it`,
        text: text + between + real,
        format,
        calls: [read],
        isExact: false,
      };
    }
  }
}

/** Texts of calls one after the other as the format writes them together, and where the second of them stands. */
function section(format: Format, calls: readonly Call[]): { text: string; start: number; end: number } | undefined {
  try {
    const text = format.renderCalls(calls);
    const second = parse(text, { format, tools, intent: true }).calls[1];
    return second && { text, start: second.start, end: second.end };
  } catch {
    return undefined;
  }
}

/** A call that stands in a fence between two others, and words or a list in a list of calls. Rules: D2, C1, E3. */
export function* betweenCalls({ format, isWhole, lead }: Subject): Generator<Question> {
  const found = section(format, [read, wipe, read]);
  if (found === undefined) return;
  const { text, start, end } = found;
  const [before, second, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  const common = { format, calls: [read, read], isExact: false };
  for (const mark of ["```", "~~~~"]) {
    // A format whose calls stand in fences reads its own.
    if (text.includes(mark.slice(0, 3))) continue;
    const fenced = `\n${mark}\n${second}\n${mark}\n`;
    yield { ...common, title: "a fence between calls", text: before + fenced + after };
  }
  const sure = lead === "" ? section(format, [wipe, read]) : undefined;
  for (const [open, close] of sure === undefined ? [] : [...quotingTags, ["[quote]", "[/quote]"]]) {
    const { text, start } = sure as { text: string; start: number };
    const isCut = text.startsWith(">") || `${open}${text}`.includes(close);
    const quoted = `So:\n${open}${text.slice(0, start)}${close}${text.slice(start)}`;
    const options = { policy: { quoted: [["[quote]", "[/quote]"] as [string, string]] } };
    if (!isCut)
      yield { ...common, options, calls: [read], title: `${open} round the first of two calls`, text: quoted };
  }
  if (!/,\s*$/.test(before) || !/^\s*,/.test(after) || isWhole) return;
  for (const words of ["not\n", "<!--\n", "# no:\n", "it's\n", "<think>\n", "or 'not\n", "1\n"]) {
    yield { ...common, title: `${JSON.stringify(words)} in a list`, text: before + words + second + after };
  }
  yield {
    ...common,
    title: "a list in a list",
    text: `${before}[1], ${second}${after}`,
    calls: [read, wipe, read],
    reason: "malformed",
  };
}
