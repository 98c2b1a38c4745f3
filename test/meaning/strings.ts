import { parse } from "../../src/index.ts";
import { openerOf } from "../../src/testing/tokens.ts";
import type { Call, Question, Some } from "./question.ts";
import { noteOf, read, type Subject, tools, wipe } from "./subjects.ts";
import { isWordsOf, tokensOf } from "./tokens.ts";

/** Texts that hold a call. */
const holders = (call: string): string[] => [`see ${call} ok`, call, `\n${call}\n`, `"${call}`, `a "b" ${call}`];

const place = "zqplaceqz";

/** A call in a string of another call, sound and damaged. Rules: D4, C1. */
export function* inStrings(subject: Subject, other: Subject, some: Some): Generator<Question> {
  const { format, lead, write, isWhole, between } = subject;
  const evil = other.write(wipe);
  const real = write(read);
  const empty = write(noteOf(place));
  if (evil === undefined || real === undefined || empty === undefined) return;
  const [before, after] = [empty.slice(0, empty.indexOf(place)), empty.slice(empty.indexOf(place) + place.length)];
  const damaged = [...damages(subject, before, after)];
  for (const held of some(holders(evil))) {
    const host = noteOf(held);
    const sound = write(host);
    if (sound !== undefined) {
      yield { title: "in a string", text: lead + sound, format, calls: [host], isExact: true };
      if (!isWhole) {
        const text = lead + sound + between + real;
        yield { title: "in a string, a call after it", text, format, calls: [host, read], isExact: true };
      }
    }
    for (const [how, value] of [
      ["as it is", held],
      ["escaped", JSON.stringify(held).slice(1, -1)],
    ] as const) {
      const text = before + value + after;
      const owns = [isWordsOf(host), isWordsOf(noteOf(value))];
      const isOwn = (call: Call) => owns.some((isWords) => isWords(call));
      const common = { format, isExact: false, isOwn };
      yield { ...common, title: `in a string, ${how}`, text: lead + text, calls: [] };
      yield {
        ...common,
        title: `in a string, ${how}, a call after it`,
        text: lead + text + between + real,
        calls: [read],
      };
      // Quotation marks that nothing escapes end the string: what they hold stands in none.
      if (how === "as it is" && held.slice(0, -evil.length).includes('"')) continue;
      for (const [what, left, right] of some(damaged)) {
        const text = left + value + right;
        yield { ...common, title: `in a string, ${how}, ${what}`, text: lead + text, calls: [] };
        yield {
          ...common,
          title: `in a string, ${how}, ${what}, a call after it`,
          text: lead + text + between + real,
          calls: [read],
        };
      }
    }
  }
}

/**
 * A call in a string of another one that ends too early, where the quotes in it are not escaped, or not all of them: it looks damaged
 * there, and what is left over behind the call says that it was not. Rules: A1, C1.
 */
export function* inEndedStrings(subject: Subject, other: Subject): Generator<Question> {
  const { format, lead } = subject;
  const evil = other.write(wipe);
  const texts = [noteOf(place), { name: "note", arguments: { tag: "hillside", text: place } }].map(subject.write);
  for (const written of texts) {
    const [before, after] = written?.split(place) ?? [];
    const quote = before?.at(-1) ?? "";
    if (evil === undefined || after === undefined || !"\"'".includes(quote) || after[0] !== quote) continue;
    const closer = (/["'][}\])]*\s*([^"']*)$/.exec(after) as RegExpExecArray)[1];
    for (const shown of ["say", `say \\${quote}hi`]) {
      for (const junk of [", ", "]", ")", "x", `, ${quote}`]) {
        const ended = `${lead}${before}${shown}${quote}${junk}${closer}`;
        // What is a call by itself has ended there.
        if (parse(ended, { format, tools }).calls.length > 0) continue;
        const text = ended + evil + after;
        yield { title: `in a string that ends too early, ${junk}`, text, format, calls: [], isExact: false };
      }
    }
  }
}

/** A call in a string of a value that stands in text, and one behind such a value. Rule: D4. */
export function* inValuesOfText(subject: Subject): Generator<Question> {
  const { format, lead, write, isWhole } = subject;
  const [evil, real] = [write(wipe), write(read)];
  if (evil === undefined || real === undefined || isWhole || lead !== "" || format.starts !== undefined) return;
  for (const shown of [
    '{"a": "',
    '{"a": "see ',
    '["b", 1, "see ',
    "{'a': 'see ",
    '{"a": None, "b": [True, "see ',
    "(1, 'see (it) ",
    '[b"',
    "{'a': [None, Rb'see ",
    '("it is" {"a": "',
  ]) {
    const none = { format, calls: [], isExact: true };
    yield { ...none, title: `in a string of text, ${shown}`, text: `It says ${shown}${evil}` };
    yield { ...none, title: `in a string of a line, ${shown}`, text: `So:\n${shown}${evil}\nDone.` };
  }
  const one = { format, calls: [read], isExact: true };
  for (const shown of [
    '{"a": "see"}',
    "[not 'a', but b or {c: \"d",
    '["a" and {"it\'s',
    '`{"a": "`',
    "{'a': [1, 'b']}",
    "(it's so, 'a",
    "('tis (so)) b",
    "(an or 'a",
    "[ab 'c",
  ])
    yield { ...one, title: `behind ${shown}`, text: `It says ${shown}.\nSo:\n${real}` };
}

/** A call in a string after an opener that opens no call, with a closer before it in the string. Rule: C1. */
export function* afterOpeners(subject: Subject, other: Subject, some: Some): Generator<Question> {
  const { format, lead, isWhole } = subject;
  const evil = other.write(wipe);
  if (evil === undefined || isWhole) return;
  const isWritten = (literal: string) => !literal.includes("\0") && literal.length > 2;
  // The beginning of one is a word.
  const isOpener = (literal: string) =>
    parse(`${lead}${literal} zz`, { format, tools }).rejected.some(({ raw }) => raw === literal);
  for (const opener of format.triggers.filter((one) => isWritten(one) && isOpener(one))) {
    for (const closer of some(["", ...(format.closers ?? []).filter(isWritten)])) {
      for (const quote of ['"', "'"]) {
        const common = { format, calls: [], isExact: false };
        const held = `${quote}${closer} ${evil} ${quote}`;
        yield { ...common, title: "in a string after a lone opener", text: `${lead}${opener}zz a=${held})` };
        yield { ...common, title: "in a member after a lone opener", text: `${lead}${opener} zz "a": ${held}}` };
      }
    }
  }
}

/** The text before and after a string, with one token of it deleted or doubled; the opener stays. */
function* damages(subject: Subject, before: string, after: string): Generator<[string, string, string]> {
  const first = tokensOf(subject, before);
  // An opener that is damaged opens nothing, and what follows is prose.
  const opener = openerOf(subject.format, before, "note").length;
  for (let at = 1; at < first.length; at++) {
    if (first.slice(0, at).join("").length < opener) continue;
    const [left, right] = [first.slice(0, at).join(""), first.slice(at + 1).join("")];
    yield [`${first[at]} deleted`, left + right, after];
    yield [`${first[at]} doubled`, left + first[at] + first[at] + right, after];
  }
  const last = tokensOf(subject, after);
  for (let at = 0; at < last.length; at++) {
    if (last[at] === "hillside") continue;
    const [left, right] = [last.slice(0, at).join(""), last.slice(at + 1).join("")];
    yield [`${last[at]} deleted`, before, left + right];
    yield [`${last[at]} doubled`, before, left + last[at] + last[at] + right];
  }
  yield ["cut", before, ""];
  const misspelt = before.replace(/([{(]\s*)(["']?)text\2(\s*[:=])/, "$1$2x$2$3fasle, $2text$2$3");
  if (misspelt !== before) yield ["a false word before it", misspelt, after];
}
