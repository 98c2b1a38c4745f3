/** A string of a value in text shows what it holds: a closer in it closes, and a call in it calls, nothing. */
import { expect, test } from "vitest";
import { quotingTags } from "../src/contract/quoting-tags.ts";
import { parse } from "../src/index.ts";
import { noteOf, read, type Subject, subjects, tools, wipe } from "./meaning/subjects.ts";
import { isAsked } from "./support/shares.ts";

const namesOf = (text: string, { format }: Subject) => parse(text, { format, tools }).calls.map(({ name }) => name);
const asked = subjects.filter(({ id, isWhole, lead }) => !isWhole && lead === "" && isAsked(id, 0));

test.each(asked.map((subject, turn) => ({ subject, turn, id: subject.id })))(
  "$id: a closer in a string of text",
  ({ subject, turn }) => {
    const [evil, real] = [subject.write(wipe), subject.write(read)] as [string, string];
    const pairs = [...quotingTags].filter(([open]) => !evil.includes(open));
    for (const [open, close] of [pairs[turn % pairs.length], ["<think>", "</think>"]]) {
      const isThought = open === "<think>";
      for (const shown of [`{"echo": "a${close}`, `["${close}", "b `, `{"a": "${close}", "echo": "see `]) {
        const begun = `${open}It says ${shown}`;
        for (const end of isThought ? ['"}].'] : ['"}].', `"}]${close}\nok`, ""])
          expect(namesOf(begun + evil + end, subject), begun + evil + end).toEqual([]);
        // A string ends with its line, and thoughts may break off in one.
        if (subject.id === "granite_pythonic" || (isThought && !shown.startsWith('{"echo"'))) continue;
        expect(namesOf(`${begun}\n\n${real}`, subject), begun).toEqual(["read_dial"]);
        if (isThought && subject.between === "") expect(namesOf(begun + real, subject), begun).toEqual(["read_dial"]);
      }
    }
  },
);

/** Keys of yaml_xml are lines as prose has them, and tags of minimax_m3 stand behind marks. */
const heads = subjects.filter(
  ({ id, lead }) => lead === "" && isAsked(id, 1) && !["yaml_xml", "minimax_m3"].includes(id),
);

test.each(heads)("$id: a call in a value of one that has lost its head", (subject) => {
  const evil = subject.write(wipe) as string;
  for (const call of [noteOf("Intro PLACE End."), noteOf("Intro\n\nPLACE\n\nEnd.")]) {
    const written = subject.write(call);
    const at = written?.indexOf("PLACE") ?? -1;
    // Of a list the second call is the same.
    if (written === undefined || at < 0 || written.indexOf("PLACE", at + 1) >= 0) continue;
    const before = written.slice(0, at);
    for (const lost of [before.indexOf("note") + 4, 1, 6]) {
      for (const end of ["", written.slice(at + "PLACE".length)]) {
        const text = before.slice(lost) + evil + end;
        expect(namesOf(text, subject), text).not.toContain("wipe");
      }
    }
  }
});
