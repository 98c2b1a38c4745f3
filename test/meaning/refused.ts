import { parse } from "../../src/index.ts";
import type { Call, Question, Some } from "./question.ts";
import { read, type Subject, wipe } from "./subjects.ts";

/** What opens a quotation, thoughts or another turn, and what closes it. */
const pairs: readonly (readonly [open: string, close: string])[] = [
  ["<pre>", "</pre>"],
  ["<!--", "-->"],
  ["<think>", "</think>"],
  ["<|user|>", ""],
  ["<|im_end|>\n<|im_start|>user\n", ""],
];

/** Calls that are refused, each for another reason. */
const refused: readonly (readonly [reason: string, call: Call])[] = [
  ["a tool that is not on offer", { name: "nosuch", arguments: { dial: "north7", level: 4127 } }],
  ["a parameter that is missing", { name: "read_dial", arguments: { dial: "north7" } }],
  ["a parameter of another type", { name: "read_dial", arguments: { dial: "north7", level: "many" } }],
  ["a parameter that is not declared", { name: "read_dial", arguments: { dial: "north7", level: 4127, unit: "K" } }],
];

/** To these every call is one that is whole. */
const anyTool = ["nosuch", "read_dial", "wipe"].map((name) => ({ name, parameters: { type: "object" } }));

/** What stands between two calls. */
const gapOf = ({ format, lead, between }: Subject, text: string, after: string) =>
  parse(lead + [text, after].join(between), { format, tools: anyTool, intent: true }).calls.length === 2;

/** Whether what has been put into a call is text of a value, or of a string. */
function isInValue({ format, lead }: Subject, text: string, at: number, open: string): boolean {
  const before = text.slice(0, at);
  const after = text.slice(at + open.length);
  const isOdd = (mark: RegExp) => (before.match(mark) ?? []).length % 2 === 1;
  // Quotes in a tag are no strings.
  if (isOdd(/["']/g) && !/<[^<>]*$/.test(before)) return true;
  // A fence of its own quotes as well; `<!-->` is a comment by itself.
  if (isOdd(/`{3}/g) || after.startsWith(">") || /^(?:north7|4127|many|K)/.test(after)) return true;
  if (/(?:north7|4127|many|K)$/.test(before)) return true;
  const { calls } = parse(lead + text, { format, tools: anyTool, intent: true });
  return JSON.stringify(calls.map((call) => call.arguments)).includes(JSON.stringify(open.trim()).slice(1, -1));
}

/**
 * What a refused call opens where none of its values stands is text around it, and what follows stands in that, whatever it was
 * refused for. Rules: C1, D1, D2, D3.
 */
export function* afterRefused(subject: Subject, _other: Subject, some: Some): Generator<Question> {
  const { format, lead, write, isWhole, between } = subject;
  const evil = write(wipe);
  if (evil === undefined || isWhole) return;
  for (const [reason, call] of refused) {
    const text = write(call);
    if (text === undefined || !gapOf(subject, text, evil)) continue;
    const places = [...text.matchAll(/\w+|[^\w\s]/g)].map(({ index }) => index).slice(1);
    for (const at of some(places)) {
      for (const [open, close] of pairs) {
        // To this one `<think>` is no thought.
        if (open === "<think>" && format.id === "trinity") continue;
        const opened = text.slice(0, at) + open + text.slice(at);
        if (isInValue(subject, opened, at, open)) continue;
        const title = `${JSON.stringify(open)} in a call with ${reason}`;
        // What ends a turn may end the call as well, which then lacks nothing.
        const isOwn = ({ name }: Call) => name === call.name;
        yield { title, text: lead + [opened, evil].join(between) + close, format, calls: [], isExact: false, isOwn };
      }
    }
  }
}

/** What a value of a refused call holds is text of it, and opens nothing. Rule: C2. */
export function* afterRefusedValues(subject: Subject): Generator<Question> {
  const { format, lead, write, isWhole, between } = subject;
  const real = write(read);
  // To `granite_pythonic` a line that is no call is prose.
  if (real === undefined || isWhole || format.id === "granite_pythonic") return;
  for (const [open] of [...pairs, ["a ` b"]]) {
    for (const call of [
      { name: "nosuch", arguments: { text: `so ${open} it`, tag: "hillside" } },
      { name: "note", arguments: { text: `so ${open} it` } },
      { name: "note", arguments: { text: `so ${open} it`, tag: "hillside", mode: "w" } },
    ]) {
      // Where tags are names, one of a tool that is not on offer is text.
      if (call.name === "nosuch" && format.closers?.some((closer) => closer.includes("\0"))) continue;
      const text = write(call);
      if (text === undefined || !gapOf(subject, text, real)) continue;
      const title = `${JSON.stringify(open)} in a value of a call that is refused`;
      yield { title, text: lead + [text, real].join(between), format, calls: [read], isExact: true };
    }
  }
}
