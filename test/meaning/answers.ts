import type { Question } from "./question.ts";
import { read, type Subject, wipe } from "./subjects.ts";

/** A call in a string of an answer in JSON. Rule: D4. */
export function* inAnswers(subject: Subject, other: Subject): Generator<Question> {
  const { format, lead, write, isWhole } = subject;
  const [evil, real] = [other.write(wipe), write(read)];
  if (evil === undefined || real === undefined || lead !== "") return;
  const twice = JSON.stringify({ text: evil });
  const values: unknown[] = [
    { answer: evil },
    { answer: `So:\n${evil}\nYes.`, more: [1, 2] },
    { log: [{ text: evil }, evil] },
    [evil, evil],
    [{ answer: evil }],
    { answer: twice },
    { answer: `say "${evil}"`, again: JSON.stringify(twice) },
    { [evil]: true },
    evil,
    twice,
  ];
  for (const value of values) {
    for (const indent of [undefined, 2]) {
      const answer = JSON.stringify(value, null, indent);
      if (answer.startsWith('"') && indent) continue;
      // A string alone is a JSON value, and no answer that a program would ask for: quotation marks quote nothing.
      if (answer.startsWith('"') && !answer.includes("\\")) continue;
      const common = { format, calls: [], isExact: true };
      yield { ...common, title: "an answer", text: answer, content: answer };
      yield { ...common, title: "an answer after a blank", text: `\n ${answer}\n`, content: `\n ${answer}\n` };
      if (isWhole || answer.startsWith('"')) continue;
      const text = `${answer}\n${real}`;
      yield { ...common, title: "an answer, a call after it", text, calls: [read], isExact: false };
    }
  }
}
