/**
 * What a text means, asked of every registered format: its own calls in strings, after turns, in quotations, in thoughts, in
 * answers, beside damage, as definitions, with each of their tokens out of place. What is expected is what the rules in
 * docs/guarantees.md say. Each question is asked whole and in a stream, alone and, for some, in a list.
 */
import { expect, test } from "vitest";
import { seededRandom, seedOf } from "../../src/testing/splits.ts";
import { isAsked } from "../support/shares.ts";
import { inAnswers } from "./answers.ts";
import { definitions, envelopes } from "./envelopes.ts";
import {
  beforeClosers,
  begun,
  besideDamage,
  betweenCalls,
  brokenOff,
  damaged,
  leftInValues,
  moved,
} from "./neighbours.ts";
import { answerGap, type Question, type Some } from "./question.ts";
import {
  afterHalves,
  afterOpenTags,
  afterQuotations,
  beforeHalves,
  inDocuments,
  inFirstThoughts,
  inPlainText,
  inQuotations,
  inTranscripts,
} from "./quotations.ts";
import { afterRefused, afterRefusedValues } from "./refused.ts";
import { afterOpeners, inEndedStrings, inStrings, inValuesOfText } from "./strings.ts";
import { type Subject, subjects } from "./subjects.ts";
import { inThoughts } from "./thoughts.ts";
import { afterPrompts, afterReplies, afterTurns, turnsElsewhere } from "./turns.ts";

/** `TOOLPEG_DEEP=1`: every question, with calls of every other format and in lists, for an hour. */
const deep = process.env.TOOLPEG_DEEP !== undefined;

interface Topic {
  title: string;
  ask(subject: Subject, other: Subject, some: Some): Iterable<Question>;
  /** Of each format so many questions are asked in the test command. */
  most: number;
  /** The call in question may be another format's. */
  hasOther?: boolean;
}

const topics: readonly Topic[] = [
  { title: "a call in a string of another call is text", ask: inStrings, most: 3, hasOther: true },
  { title: "a call in a string of a value in text is text", ask: inValuesOfText, most: 2 },
  { title: "a call in a string that ends too early is text", ask: inEndedStrings, most: 2 },
  { title: "a call in a string after a lone opener is text", ask: afterOpeners, most: 2, hasOther: true },
  { title: "after another turn nothing runs", ask: afterTurns, most: 2 },
  { title: "after the end of a reply no message of it runs", ask: afterReplies, most: 3 },
  { title: "after a prompt the call runs where the turn is the assistant's", ask: afterPrompts, most: 1 },
  { title: "a turn elsewhere ends no string and no thoughts", ask: turnsElsewhere, most: 1 },
  { title: "a quoted call is text, a real one after it runs", ask: inQuotations, most: 2, hasOther: true },
  { title: "a quoted call is text in the first thoughts, too", ask: inFirstThoughts, most: 2 },
  { title: "what a quotation has opened belongs to it", ask: afterQuotations, most: 1 },
  { title: "a closer in a fence closes what is open, if anything", ask: afterOpenTags, most: 2 },
  { title: "a transcript in a pair of tags is text", ask: inTranscripts, most: 12 },
  { title: "half a call in a pair of tags is text, and the call after it runs", ask: afterHalves, most: 2 },
  {
    title: "a call before half of one is text where it has taken along what ends the quotation",
    ask: beforeHalves,
    most: 2,
  },
  { title: "a call in a document that holds fences is text", ask: inDocuments, most: 1 },
  { title: "what quotes nothing keeps no call from running", ask: inPlainText, most: 1 },
  { title: "a call in thoughts runs only where nothing follows them", ask: inThoughts, most: 2 },
  { title: "an answer in JSON stays one", ask: inAnswers, most: 1, hasOther: true },
  { title: "a damaged call changes none beside it", ask: besideDamage, most: 2 },
  { title: "a call with a token out of place is what it was, or none", ask: damaged, most: 2 },
  { title: "a call that ends too early or begins twice is what it was, or none", ask: moved, most: 2 },
  { title: "what is left of a tag is no text of a value", ask: leftInValues, most: 2 },
  { title: "two names before one set of arguments are no call", ask: begun, most: 2 },
  { title: "what a refused call opens outside of its values holds the calls after it", ask: afterRefused, most: 3 },
  { title: "a value of a refused call opens nothing", ask: afterRefusedValues, most: 1 },
  { title: "what stands behind a call that has broken off is text as elsewhere", ask: brokenOff, most: 2 },
  { title: "words between a payload and its closer refuse the call", ask: beforeClosers, most: 1 },
  { title: "between calls, what quotes quotes, and words are damage", ask: betweenCalls, most: 1 },
  { title: "a definition is no call", ask: definitions, most: 1 },
  { title: "nothing in an envelope is dropped", ask: envelopes, most: 1 },
];

/** So many of those are asked in a list, too. */
const shareInLists = deep ? 1 : 0.1;
/** Of what is wrong in a topic, so much is shown. */
const shownMax = 3;

/** Three of them, or all that there are. */
const pickSome = <Item>(items: readonly Item[], pick: (items: readonly Item[]) => Item): readonly Item[] =>
  items.length <= 3 ? items : [pick(items), pick(items), pick(items)];

test.each(subjects)("$id", (subject) => {
  const random = seededRandom(seedOf(subject.id));
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)];
  const some: Some = (items) => (deep ? [...items] : pickSome([...items], pick));
  const beside = pick(subjects).format;
  const wrong: string[] = [];
  for (const [turn, { title, ask, most, hasOther = false }] of topics.entries()) {
    if (!isAsked(subject.id, turn)) continue;
    const others = hasOther ? (deep ? subjects : [subject, pick(subjects)]) : [subject];
    const questions = others.flatMap((other) => [...ask(subject, other, some)]);
    const asked = deep || questions.length <= most ? questions : Array.from({ length: most }, () => pick(questions));
    const gaps = asked.flatMap((question) => {
      const isInList = beside !== subject.format && random() < shareInLists;
      const lists = isInList ? [undefined, { format: beside, isFirst: random() < 0.5 }] : [undefined];
      return lists.flatMap((list) => {
        const gap = answerGap(question, list);
        if (gap === undefined) return [];
        const where = list === undefined ? "" : ` (${list.isFirst ? "after" : "before"} ${list.format.id})`;
        return [`${title}: ${question.title}${where}: ${gap}\n${JSON.stringify(question.text)}`];
      });
    });
    wrong.push(...gaps.slice(0, shownMax));
  }
  expect(wrong.join("\n\n")).toBe("");
});
