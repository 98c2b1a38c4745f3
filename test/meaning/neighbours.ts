import type { Question, Some } from "./question.ts";
import { noteOf, read, type Subject } from "./subjects.ts";
import { damagesOf, isWordsOf } from "./tokens.ts";

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

/** A call with one of its tokens deleted, doubled, moved or swapped is what it was, or none. Rules: A1, B1. */
export function* damaged(subject: Subject, _other: Subject, some: Some): Generator<Question> {
  const { format, lead, write } = subject;
  for (const call of [noteOf("south"), read]) {
    const host = write(call);
    if (host === undefined) continue;
    const common = { format, calls: [call], isExact: false, isOwn: isWordsOf(call) };
    for (const [title, text] of some(damagesOf(subject, host))) yield { ...common, title, text: lead + text };
  }
}

/**
 * Words between a whole payload and the closer of its call: nothing says that it was the payload. A list is complete with its
 * bracket. Rules: A2, B1.
 */
export function* beforeClosers({ format, lead, write, between }: Subject): Generator<Question> {
  const [host, real] = [write(noteOf("south")), write(read)];
  if (host === undefined || real === undefined) return;
  for (const closer of format.closers ?? []) {
    const at = host.lastIndexOf(closer);
    const before = host.slice(0, Math.max(0, at)).trimEnd();
    if (!before.endsWith("}")) continue;
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
