/**
 * Reads `*.corpus.txt`: plain text beside a grammar, one case after another.
 *
 *     === a title, unique in the file, written as a claim
 *     from:  where the case comes from
 *     tools: dials
 *     |input, verbatim; lines are joined by LF
 *     ^      ^^^^^^^^ repair extra-comma
 *     "an input line as a JSON string\u0000"
 *     content: "as a JSON string"
 *     reasoning: "as a JSON string"
 *     call: {"name": "read_dial", "arguments": {"dial": "north"}}
 *
 * What a case does not say is empty: no `content:` means that no content is expected, no carets that nothing is
 * repaired or rejected. Only calls are always named, by `call:` or `calls: none`, since none could be an oversight.
 */

import { isObject } from "../contract/is-object.ts";
import type { RejectionReason } from "../contract/reasons.ts";
import { rejectionReasons } from "../contract/reasons.ts";
import type { RepairKind } from "../contract/repairs.ts";
import { repairKinds } from "../contract/repairs.ts";
import { nearestName } from "../contract/suggest.ts";
import { CorpusError } from "./corpus-error.ts";
import { type CorpusLine, jsonLine, verbatimLine } from "./corpus-line.ts";

/** A span that must be repaired or rejected. A span of one unit also stands for the empty span at its start. */
export type CorpusMark =
  | { what: "repair"; code: RepairKind; start: number; end: number; line: number }
  | { what: "rejected"; code: RejectionReason; start: number; end: number; line: number };

/** A call as a case writes it: name, arguments, and any further field of a call that shall be compared. */
export interface CorpusCall {
  name: string;
  arguments: Record<string, unknown>;
  [field: string]: unknown;
}

/** One case: what is read, with which options, and what must come of it. */
export interface CorpusCase {
  title: string;
  file: string;
  /** Line of the title, from 1. */
  line: number;
  /** Line of the last line that belongs to the case, from 1. */
  lastLine: number;
  from: string;
  /** The offered tools; `undefined` when the case names none: then only extraction is run. */
  tools: unknown[] | undefined;
  prefill: string | undefined;
  intent: boolean | undefined;
  policy: Record<string, unknown> | undefined;
  finishReason: string | undefined;
  marker: string | undefined;
  /** Tool names for extraction, for formats whose tags are tool names. */
  names: string[] | undefined;
  text: string;
  lines: CorpusLine[];
  marks: CorpusMark[];
  calls: CorpusCall[];
  content: string;
  reasoning: string;
}

/** What a corpus file leaves to its surroundings. */
export interface CorpusOptions {
  /** Named tool sets that a `tools:` line may name. */
  toolSets?: Readonly<Record<string, unknown>>;
  /** Accept a case that has no expectation yet, for the tool that fills it in. Default false. */
  unfinished?: boolean;
}

const beforeInput = ["from", "tools", "prefill", "intent", "policy", "finish", "marker", "names"] as const;
const afterInput = ["content", "reasoning", "call", "calls"] as const;
const lineForms = '`=== title`, `key: value`, `|input`, `"input as JSON"`, `^ carets`, or an empty line between cases';

/**
 * Reads a corpus file.
 *
 * @param source the text of the file
 * @param file its name, for messages
 * @returns the cases in order; throws a {@link CorpusError} on the first mistake
 */
export function readCorpus(source: string, file: string, options: CorpusOptions = {}): CorpusCase[] {
  const rows = source.split("\n");
  const cases: CorpusCase[] = [];
  const titles = new Map<string, number>();
  let current: Draft | undefined;

  const mistake = (row: number, column: number, width: number, what: string, help: string): CorpusError =>
    new CorpusError({ file, line: row + 1, column, width, text: rows[row] }, what, help);
  const inRow = (row: number, what: string, help: string) => mistake(row, 1, rows[row].length, what, help);

  for (const [row, line] of rows.entries()) {
    if (line.endsWith("\r")) {
      const help = 'save the file with LF; a CR in the input is written "...\\r"';
      throw mistake(row, line.length, 1, "the line ends with CR LF", help);
    }
    if (line.startsWith("===")) {
      if (current) cases.push(finish(current));
      current = newDraft(readTitle(row), file, row);
      continue;
    }
    if (line.trim() === "") continue;
    if (current === undefined) {
      throw inRow(row, "text before the first case", "a corpus starts with `=== title`");
    }
    current.lastLine = row + 1;
    if (line[0] === "|") {
      addInput(current, row, verbatimLine(line));
    } else if (line[0] === '"') {
      const read = jsonLine(line);
      if (read) addInput(current, row, read);
      else throw inRow(row, "not a JSON string", 'write the input line as "..." with JSON escapes');
    } else if (line[0] === "^") {
      addCarets(current, row);
    } else {
      addKey(current, row);
    }
  }
  if (current) cases.push(finish(current));
  return cases;

  function readTitle(row: number): string {
    const line = rows[row];
    const title = line.slice(3).trim();
    if (!line.startsWith("=== ") || title === "") {
      throw inRow(row, "a case needs a title", "write `=== what the case claims`");
    }
    const twin = titles.get(title);
    if (twin !== undefined) {
      const help = "titles are unique in a file: say what differs";
      throw mistake(row, 5, title.length, `the title stands on line ${twin} too`, help);
    }
    titles.set(title, row + 1);
    return title;
  }

  function addInput(draft: Draft, row: number, line: CorpusLine): void {
    if (draft.seen.has("call") || draft.seen.has("calls") || draft.seen.has("content") || draft.seen.has("reasoning")) {
      const help = "the order is: keys, input with its carets, expectations";
      throw mistake(row, 1, 1, "input after the expectations", help);
    }
    draft.starts.push(draft.end);
    draft.end += line.text.length + 1;
    draft.lines.push(line);
  }

  function addCarets(draft: Draft, row: number): void {
    const source = rows[row];
    const index = draft.lines.length - 1;
    if (index < 0) throw mistake(row, 1, 1, "carets without a line above", "put them under the input line they mark");
    const body = /^\^[ ^]*/.exec(source)![0];
    const label = source.slice(body.length).trim();
    const line = draft.lines[index];
    const lineStart = draft.starts[index];
    const spans = [...body.slice(1).matchAll(/\^+/g)].map((found) => {
      const last = found.index + found[0].length;
      // One column after the text is the LF, or the end of the text.
      if (last > line.units.length) {
        const help = "a span may cover the line and the LF after it";
        throw mistake(row, found.index + 2, found[0].length, "carets beyond the end of the line", help);
      }
      const end = last < line.units.length ? line.units[last] : line.text.length + 1;
      return { start: lineStart + line.units[found.index], end: lineStart + end };
    });
    if (spans.length === 0) {
      throw inRow(row, "no carets", "column 1 is the marker `^`; carets follow under the span, then the label");
    }
    if (label === "") {
      if (spans.length > 1 || draft.open) {
        throw inRow(row, "a label is missing", "write `repair CODE` or `rejected CODE` after the carets");
      }
      draft.open = { start: spans[0].start, row };
      return;
    }
    const [, what, code] = /^(repair|rejected) (\S+)$/.exec(label) ?? [];
    const labelColumn = source.length - source.slice(body.length).trimStart().length + 1;
    if (what === undefined || code === undefined) {
      const help = "write `repair CODE` or `rejected CODE`";
      throw mistake(row, labelColumn, label.length, `unknown label ${JSON.stringify(label)}`, help);
    }
    const known: readonly string[] = what === "repair" ? repairKinds : rejectionReasons;
    if (!known.includes(code)) {
      const unknown = `no ${what === "repair" ? "repair kind" : "rejection reason"} is called ${code}`;
      throw mistake(row, source.length - code.length + 1, code.length, unknown, nearOrAll(code, known));
    }
    if (draft.open) {
      spans[0].start = draft.open.start;
      draft.open = undefined;
    }
    for (const span of spans) draft.marks.push({ what, code, ...span, line: row + 1 } as CorpusMark);
  }

  function addKey(draft: Draft, row: number): void {
    const source = rows[row];
    const [, key, value] = /^([a-z]+):[ \t]*(.*?)[ \t]*$/.exec(source) ?? [];
    if (key === undefined || value === undefined) {
      throw inRow(row, "not a line of a corpus", `a line is ${lineForms}`);
    }
    const column = source.length - source.slice(key.length + 1).trimStart().length + 1;
    const wrong = (what: string, help: string) => mistake(row, column, value.length, what, help);
    const before = (beforeInput as readonly string[]).includes(key);
    if (!before && !(afterInput as readonly string[]).includes(key)) {
      throw mistake(row, 1, key.length, `unknown key ${key}`, nearOrAll(key, [...beforeInput, ...afterInput]));
    }
    if (before && draft.lines.length > 0)
      throw mistake(row, 1, key.length, `${key}: after the input`, "options stand before the input");
    if (!before && draft.lines.length === 0)
      throw mistake(row, 1, key.length, `${key}: before the input`, "expectations stand after the input");
    if (key !== "call" && draft.seen.has(key)) throw mistake(row, 1, key.length, `${key}: twice`, "keep one");
    draft.seen.add(key);

    const json = (help: string): unknown => {
      try {
        return JSON.parse(value);
      } catch {
        throw wrong("not JSON", help);
      }
    };
    const text = (): string => {
      const read = json("write a JSON string");
      if (typeof read === "string") return read;
      throw wrong("not a JSON string", 'write "..." with JSON escapes');
    };
    switch (key) {
      case "from":
        draft.from = value;
        break;
      case "tools": {
        if (value.startsWith("[")) {
          const inline = json("write a JSON array of tools, or the name of a set");
          draft.tools = inline as unknown[];
          break;
        }
        const set = options.toolSets && Object.hasOwn(options.toolSets, value) ? options.toolSets[value] : undefined;
        if (!Array.isArray(set)) {
          const names = Object.keys(options.toolSets ?? {}).filter((name) => Array.isArray(options.toolSets?.[name]));
          throw wrong(`no tool set is called ${value}`, nearOrAll(value, names, "; or write a JSON array"));
        }
        draft.tools = set as unknown[];
        break;
      }
      case "prefill":
      case "marker":
        draft[key] = value.startsWith('"') ? text() : value;
        break;
      case "finish":
        draft.finishReason = value;
        break;
      case "intent":
        if (value !== "true" && value !== "false")
          throw wrong("neither true nor false", "write `intent: true` or `intent: false`");
        draft.intent = value === "true";
        break;
      case "names":
        draft.names = value.split(/[,\s]+/).filter((name) => name !== "");
        break;
      case "policy": {
        const policy = json("write a JSON object of policy keys");
        if (!isObject(policy)) throw wrong("not an object", "write a JSON object of policy keys");
        draft.policy = policy;
        break;
      }
      case "content":
      case "reasoning":
        draft[key] = text();
        break;
      case "calls":
        if (value !== "none")
          throw wrong("only `none` may stand here", "write `calls: none`, or one `call: {...}` per call");
        if (draft.calls.length > 0) throw wrong("`calls: none` after a call", "keep one of the two");
        break;
      case "call": {
        if (draft.seen.has("calls")) throw wrong("a call after `calls: none`", "keep one of the two");
        const help = 'write {"name": "...", "arguments": {...}}';
        const call = json(help) as CorpusCall;
        if (!isObject(call) || typeof call.name !== "string" || !isObject(call.arguments))
          throw wrong("not a call", help);
        draft.calls.push(call);
        break;
      }
    }
  }

  function finish(draft: Draft): CorpusCase {
    const lacks = (what: string, help: string) => inRow(draft.row, what, help);
    if (draft.open)
      throw inRow(draft.open.row, "a span is opened and not closed", "mark its last line too, with the label");
    if (!draft.seen.has("from")) {
      const help = "add `from: issue or document`, or `from: written here, for ...`";
      throw lacks("the case does not say where it is from", help);
    }
    if (draft.lines.length === 0)
      throw lacks("the case has no input", "write `|` lines; a single `|` is the empty text");
    if (draft.calls.length === 0 && !draft.seen.has("calls") && !options.unfinished) {
      throw lacks("the case does not say which calls it yields", "add `call: {...}` per call, or `calls: none`");
    }
    const { row: _row, seen: _seen, starts: _starts, end: _end, open: _open, ...read } = draft;
    read.text = draft.lines.map((line) => line.text).join("\n");
    for (const mark of read.marks) mark.end = Math.min(mark.end, read.text.length);
    return read;
  }
}

const nearOrAll = (unknown: string, known: readonly string[], or = "") => {
  const near = nearestName(unknown, known);
  return near ? `did you mean ${near}?` : `one of: ${known.join(", ")}${or}`;
};

/** A case while it is read. */
interface Draft extends CorpusCase {
  row: number;
  seen: Set<string>;
  /** Where each input line starts in the text. */
  starts: number[];
  end: number;
  /** A span that goes over several lines: its first line bears no label. */
  open: { start: number; row: number } | undefined;
}

function newDraft(title: string, file: string, row: number): Draft {
  return {
    title,
    file,
    line: row + 1,
    lastLine: row + 1,
    from: "",
    tools: undefined,
    prefill: undefined,
    intent: undefined,
    policy: undefined,
    finishReason: undefined,
    marker: undefined,
    names: undefined,
    text: "",
    lines: [],
    marks: [],
    calls: [],
    content: "",
    reasoning: "",
    row,
    seen: new Set(),
    starts: [],
    end: 0,
    open: undefined,
  };
}
