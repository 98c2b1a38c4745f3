/**
 * What a text means, asked of every registered format: its own calls in strings, after turns, in quotations, in thoughts, in
 * answers, beside damage, as definitions, with each of their tokens out of place. What is expected is what the rules in
 * docs/guarantees.md say. Each question is asked whole and in a stream, alone and, for some, in a list.
 */
import { describe, expect, test } from "vitest";
import { seededRandom, seedOf } from "../../src/testing/splits.ts";
import { inAnswers } from "./answers.ts";
import { definitions, envelopes } from "./envelopes.ts";
import { besideDamage, damaged } from "./neighbours.ts";
import { answerGap, type Question } from "./question.ts";
import { inPlainText, inQuotations } from "./quotations.ts";
import { inStrings } from "./strings.ts";
import { type Subject, subjects } from "./subjects.ts";
import { inThoughts } from "./thoughts.ts";
import { afterTurns, turnsElsewhere } from "./turns.ts";

/** `TOOLPEG_DEEP=1`: every question, with calls of every other format, for many minutes. */
const deep = process.env.TOOLPEG_DEEP !== undefined;

interface Topic {
  title: string;
  ask(subject: Subject, other: Subject): Iterable<Question>;
  /** Of each format so many questions are asked in the test command. */
  most: number;
  /** The call in question may be another format's. */
  hasOther?: boolean;
}

const topics: readonly Topic[] = [
  { title: "a call in a string of another call is text", ask: inStrings, most: 90, hasOther: true },
  { title: "after another turn nothing runs", ask: afterTurns, most: 50 },
  { title: "a turn elsewhere ends no string and no thoughts", ask: turnsElsewhere, most: 20 },
  { title: "a quoted call is text, a real one after it runs", ask: inQuotations, most: 70, hasOther: true },
  { title: "what quotes nothing keeps no call from running", ask: inPlainText, most: 20 },
  { title: "a call in thoughts runs only where nothing follows them", ask: inThoughts, most: 50 },
  { title: "an answer in JSON stays one", ask: inAnswers, most: 20, hasOther: true },
  { title: "a damaged call changes none beside it", ask: besideDamage, most: 60 },
  { title: "a call with a token out of place is what it was, or none", ask: damaged, most: 60 },
  { title: "a definition is no call", ask: definitions, most: 10 },
  { title: "nothing in an envelope is dropped", ask: envelopes, most: 30 },
];

/** So many of those are asked in a list, too. */
const shareInLists = deep ? 1 : 0.1;

describe.each(subjects)("$id", (subject) => {
  const random = seededRandom(seedOf(subject.id));
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)];

  test.each(topics)("$title", ({ ask, most, hasOther = false }) => {
    const others = hasOther ? (deep ? subjects : [subject, pick(subjects), pick(subjects)]) : [subject];
    const questions = others.flatMap((other) => [...ask(subject, other)]);
    const wrong: string[] = [];
    for (const question of questions) {
      if (!deep && random() * questions.length > most) continue;
      const besides = [undefined];
      const list = random() < shareInLists ? [{ format: pick(subjects).format, isFirst: random() < 0.5 }] : [];
      for (const beside of [...besides, ...list]) {
        const gap = answerGap(question, beside);
        if (gap === undefined) continue;
        const where = beside === undefined ? "" : ` (${beside.isFirst ? "after" : "before"} ${beside.format.id})`;
        wrong.push(`${question.title}${where}: ${gap}\n${JSON.stringify(question.text)}`);
      }
    }
    expect(wrong.slice(0, 3).join("\n\n")).toBe("");
  });
});
