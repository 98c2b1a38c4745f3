import { replyHeaders } from "../../src/contract/turn-tokens.ts";
import type { Question, Some } from "./question.ts";
import { read, type Subject, wipe } from "./subjects.ts";
import { documents } from "./turns.ts";

/** What formats write before visible text, beside {@link replyHeaders}. */
const ownHeaders: Record<string, readonly string[]> = {
  functionary_v32: [">>>all\n"],
  granite3: ["<response>"],
  harmony: [
    "<|channel|>final<|message|>",
    "<|channel|>final <|constrain|>json<|message|>",
    "<|channel|>analysis<|message|>So.<|end|><|start|>assistant<|channel|>final<|message|>",
    "<|start|>assistant<|channel|>final<|message|>",
  ],
  inkling: ["<|content_text|>"],
  kimi_k3: ["<|open|>message<|sep|>", "<|open|>response<|sep|>"],
  muse_glimmer: ["<|start|>assistant to=user<|message|>"],
};

/** A call in a string of an answer in JSON. Rule: D4. */
export function* inAnswers(subject: Subject, other: Subject, some: Some): Generator<Question> {
  const { format, lead, write, isWhole } = subject;
  const [evil, real] = [other.write(wipe), write(read)];
  if (evil === undefined || real === undefined || lead !== "") return;
  const headers = [
    ...some(replyHeaders.filter((header) => !documents(subject, header))),
    ...(ownHeaders[format.id] ?? []),
  ];
  const twice = JSON.stringify({ text: evil });
  // Where lines are looked at alone, one in a value or in a damaged call is part of it.
  const options = { policy: { bare: "anywhere" as const } };
  const leads = format.triggers.some((opener) => evil.startsWith(opener)) ? undefined : format.unmarkedLeads;
  for (const before of leads === undefined ? [] : ["", "Sure:\n", `Sure:\n${real}\nAnd:\n`]) {
    for (const [left, right] of [
      ['{"a":\n', "\n}"],
      ['{"a": [1,\n', "\n]}"],
      ['{"a": "\n', '\n"}'],
      ['[note(text="\n', '\n"]'],
      ["[note(text='\n", "\n)]"],
      ['[note(text="a" b\n', ")]"],
    ]) {
      const text = before + left + evil + right;
      const calls = before.includes(real) ? [read] : [];
      yield { title: "a line in a value", format, options, text, calls, isExact: false };
    }
  }
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
      for (const header of headers) {
        const text = header + answer;
        yield { ...common, title: `an answer after ${header}`, text, content: answer };
        const prefill = replyHeaders.includes(header) ? `<|im_start|>user\nhi<|im_end|>\n${header}` : header;
        const options = { prefill };
        yield { ...common, title: `an answer, ${header} in the prompt`, text: answer, content: answer, options };
      }
      yield { ...common, title: "an answer after a blank", text: `\n ${answer}\n`, content: `\n ${answer}\n` };
      if (isWhole || answer.startsWith('"')) continue;
      const named = `json\n${answer}`;
      yield { ...common, title: "an answer after the name of its language", text: named, content: named };
      const text = `${answer}\n${real}`;
      yield { ...common, title: "an answer, a call after it", text, calls: [read], isExact: false };
      yield {
        ...common,
        title: "a call, an answer after it",
        text: `${real}\n${answer}`,
        calls: [read],
        isExact: false,
      };
      yield { ...common, title: "two answers", text: `{"done": true}\n${answer}` };
      for (const before of ["1\n", "null ", '"a"\n', "// A note\n", "/* a */ ", "<s>", "[gMASK]<sop>", "\0"]) {
        yield { ...common, title: `an answer after ${JSON.stringify(before)}`, text: before + answer };
      }
      for (const between of [", ", "; ", "}\n", "}, "]) {
        yield { ...common, title: `an answer, ${between.trim()} before it`, text: `{"done": {}}${between}${answer}` };
      }
      if (!answer.startsWith("{")) continue;
      for (const left of ['{"done": {}}}, ', '{"done": []]\n', '{"done"}: 1, ', '{"done": }1, ', "{{", '"done": 1, ']) {
        yield { ...common, title: `an answer damaged by ${left.trim()}`, text: left + answer.slice(1) };
      }
      const string = JSON.stringify(evil);
      for (const before of [
        "[1 2, ",
        "[, ",
        "{1, ",
        "{...rest, a: ",
        '{"a":][,"b": ',
        "(1, ",
        "{:a => ",
        "[\n  # note\n  ",
        "}\n{1: ",
      ]) {
        yield { ...common, title: `a string behind ${before.trim()}`, text: `${before}${string}]` };
      }
    }
  }
}
