import { nearestName, suggestion } from "../../contract/suggest.ts";
import { promptPlaces, toolListings } from "../../contract/tool-listings.ts";
import { type BodyLanguage, bodyLanguages } from "../../formats/format-data.ts";
import {
  type GrammarError,
  type GrammarFile,
  grammarError,
  grammarNote,
  linesOf,
  rangeAt,
  type SourceRange,
} from "./grammar-error.ts";
import { type HeaderFlag, type HeaderKey, headerFlags, headerKeys, idHelp, idShape } from "./header-keys.ts";

/** Keys whose value is a block of lines, verbatim. */
const blockKeys: readonly HeaderKey[] = ["asks", "example", "prompt"];

/** Keys that say something of their own file alone. */
const ownKeys = [
  "format",
  "aliases",
  "models",
  "extends",
  "asks",
  "overrides",
  "source",
  "example",
  "prompt",
] as const satisfies readonly HeaderKey[];

/** Which keys of a payload hold what, first spelling first. `name: "*"`: the single key is the name. */
export interface PayloadKeys {
  name: string[] | "*";
  arguments: string[];
  id: string[];
}

/** A rule that a family leaves to the format, with a body that can stand there. */
export interface AskedRule {
  name: string;
  /** The text of the body: `"<call>"`. */
  body: string;
}

/** What a family leaves to the format: rules, and the imports that their bodies need. */
export interface AskedRules {
  rules: AskedRule[];
  imports: string[];
}

export interface ReasoningPair {
  open: string;
  close: string;
}

/** What a header may hold. */
interface HeaderValues {
  title: string;
  format: string;
  aliases: string[];
  models: string[];
  mode: "primary" | "json" | "bracket";
  extends: string;
  asks: AskedRules;
  overrides: string[];
  keys: PayloadKeys;
  reasoning: ReasoningPair[];
  starts: string;
  endsReasoning: "call";
  stop: string[];
  turns: string[];
  answers: string[];
  framing: string[];
  marker: "configurable";
  flags: HeaderFlag[];
  body: BodyLanguage;
  unnamed: string[];
  maxPayload: number;
  source: string[];
  example: string;
  prompt: string;
}

/** The header of one file: only what stands in it, with the place of each key and its value. */
export type FileHeader = Partial<HeaderValues> & { spans: Partial<Record<HeaderKey, SourceRange>> };

/** The header of a format, with what it takes over and the defaults. A key without a default may be missing. */
export type GrammarHeader = Pick<
  HeaderValues,
  "aliases" | "models" | "mode" | "keys" | "reasoning" | "starts" | "stop" | "framing" | "flags" | "source"
> &
  FileHeader;

interface Entry {
  key: HeaderKey;
  value: string;
  block: string[];
  start: number;
  end: number;
  /** Where the value starts, for messages about a part of it. */
  valueStart: number;
}

const payloadRoles: readonly string[] = ["name", "arguments", "id"];

/**
 * Reads the comment block at the top of a grammar.
 *
 * @param file path and text of the grammar
 * @returns what stands in it
 * @throws GrammarError for an unknown, repeated or misspelt key, and for a value that the key cannot have
 */
export function readHeader(file: GrammarFile): FileHeader {
  const header: FileHeader = { spans: {} };
  const entries = readEntries(file, header);
  for (const entry of entries) {
    const known = header.spans[entry.key];
    const range = rangeAt(file, entry.start, entry.end);
    if (known !== undefined && entry.key !== "source") {
      throw grammarError([file], range, `the header key "${entry.key}" is given twice`, {
        help: "keep one of the two",
        notes: [grammarNote([file], known, "first given here")],
      });
    }
    header.spans[entry.key] ??= range;
    readValue(file, header, entry);
  }
  return header;
}

function readEntries(file: GrammarFile, header: FileHeader): Entry[] {
  const entries: Entry[] = [];
  let open: Entry | undefined;
  let start = 0;
  for (const [index, line] of linesOf(file.text).entries()) {
    if (!line.startsWith("//")) break;
    const lineStart = start;
    start += line.length + lineEndLength(file.text, start + line.length);
    const comment = line.slice(2);
    const keyed = /^ {0,2}([A-Za-z][A-Za-z_-]*)[ \t]*:(?:[ \t]+|$)/.exec(comment);
    if (keyed !== null && (index > 0 || (headerKeys as readonly string[]).includes(keyed[1]))) {
      const keyStart = lineStart + 2 + comment.indexOf(keyed[1]);
      const valueStart = lineStart + 2 + keyed[0].length;
      const value = comment.slice(keyed[0].length).trimEnd();
      open = { key: checkKey(file, keyed[1], keyStart), value, block: [], start: keyStart, end: 0, valueStart };
      open.end = value === "" ? keyStart + keyed[1].length : valueStart + value.length;
      entries.push(open);
    } else if (/^(?: {3,}|\t)\S/.test(comment) && open !== undefined) {
      if (!blockKeys.includes(open.key)) open.value = `${open.value} ${comment.trim()}`.trim();
      open.block.push(comment);
    } else if (comment.trim() === "") {
      if (open !== undefined && blockKeys.includes(open.key)) open.block.push("");
      else open = undefined;
    } else if (index === 0) {
      header.title = comment.trim();
    } else {
      checkForgottenColon(file, comment, lineStart + 2);
      open = undefined;
    }
  }
  return entries;
}

function lineEndLength(text: string, offset: number): number {
  return text.startsWith("\r\n", offset) ? 2 : 1;
}

function checkKey(file: GrammarFile, key: string, start: number): HeaderKey {
  if ((headerKeys as readonly string[]).includes(key)) return key as HeaderKey;
  throw grammarError([file], rangeAt(file, start, start + key.length), `unknown header key "${key}"`, {
    expected: [...headerKeys],
    help: `${suggestion(key, headerKeys)}The list of keys is closed; a comment for readers must not begin "word:".`,
  });
}

/** A key padded to its column, with the colon forgotten, would silently be prose. */
function checkForgottenColon(file: GrammarFile, comment: string, start: number): void {
  const padded = /^ ([a-z-]+) {2,}\S/.exec(comment);
  if (padded === null || nearestName(padded[1], headerKeys) === undefined) return;
  const range = rangeAt(file, start + 1, start + 1 + padded[1].length);
  throw grammarError([file], range, `the header key "${padded[1]}" has no colon`, {
    help: `write \`${nearestName(padded[1], headerKeys)}: ...\``,
  });
}

function readValue(file: GrammarFile, header: FileHeader, entry: Entry): void {
  const { key, value } = entry;
  if (value === "" && !blockKeys.includes(key)) {
    throw refuseValue(file, entry, `the header key "${key}" has no value`, "write one, or remove the key");
  }
  // `max-payload` is `maxPayload` here.
  const name = key.replace(/-(.)/, (_, letter: string) => letter.toUpperCase()) as keyof typeof readers;
  Object.assign(header, { [name]: readers[name](file, entry, header) });
}

type Reader<Value> = (file: GrammarFile, entry: Entry, header: FileHeader) => Value;

/** How the value of each key is read. */
const readers: { readonly [Name in Exclude<keyof HeaderValues, "title">]: Reader<HeaderValues[Name]> } = {
  format: readId,
  aliases: listOf,
  models: listOf,
  overrides: listOf,
  unnamed: listOf,
  mode: (file, entry) => oneOf(file, entry, ["primary", "json", "bracket"]),
  body: (file, entry) => oneOf(file, entry, bodyLanguages),
  endsReasoning: (file, entry) => oneOf(file, entry, ["call"]),
  marker: (file, entry) => oneOf(file, entry, ["configurable"]),
  flags: (file, entry) => listOf(file, entry).map((value) => oneOf(file, { ...entry, value }, headerFlags)),
  extends: readExtended,
  asks: readAskedRules,
  keys: readPayloadKeys,
  reasoning: readReasoning,
  // A marker is no plain word: what is one is a misspelt value.
  starts: (file, entry) =>
    /^[a-z-]+$/.test(entry.value)
      ? oneOf(file, entry, ["content", "reasoning"])
      : unescapeToken(file, entry, entry.value),
  stop: readTokens,
  turns: readTokens,
  answers: readTokens,
  framing: readTokens,
  maxPayload: readLimit,
  source: (_, { value }, { source = [] }) => [...source, value],
  example: (file, entry) => ownBlockOf(file, entry, "an example"),
  prompt: readPrompt,
};

function readId(file: GrammarFile, entry: Entry): string {
  if (idShape.test(entry.value)) return entry.value;
  throw refuseValue(file, entry, `"${entry.value}" cannot be the id of a format`, idHelp);
}

function readExtended(file: GrammarFile, entry: Entry): string {
  if (!/\.peggy$|^[./]|\\/.test(entry.value)) return entry.value;
  const help =
    "name it without the ending, counted from the folder `grammars`; what ships is `toolpeg/family/json-in-tags`";
  throw refuseValue(file, entry, `"${entry.value}" is not the name of a grammar`, help);
}

function readLimit(file: GrammarFile, entry: Entry): number {
  if (/^[1-9][0-9]*$/.test(entry.value)) return Number(entry.value);
  throw refuseValue(file, entry, `"${entry.value}" is not a limit`, "write a number of characters, as digits");
}

function readTokens(file: GrammarFile, entry: Entry): string[] {
  return entry.value === "none" ? [] : entry.value.split(/\s+/).map((token) => unescapeToken(file, entry, token));
}

function readAskedRules(file: GrammarFile, entry: Entry): AskedRules {
  const asked: AskedRules = { rules: [], imports: [] };
  for (const line of (entry.value === "" ? blockOf(file, entry) : entry.value).split("\n")) {
    const [, name, body] = /^\s*([A-Za-z_]\w*)\s*=\s*(\S.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && body !== undefined) asked.rules.push({ name, body });
    else if (/^import \{/.test(line)) asked.imports.push(line);
    else throw refuseValue(file, entry, `"${line.trim()}" is no rule`, 'write one rule a line: OPEN = "<call>"');
  }
  return asked;
}

function readPrompt(file: GrammarFile, entry: Entry): string {
  const prompt = ownBlockOf(file, entry, "a prompt");
  const places = [...prompt.matchAll(new RegExp(promptPlaces, "g"))];
  const unknown = places.find(([, listing]) => listing !== undefined && !isListing(listing))?.[1];
  if (unknown !== undefined) {
    const help = `${suggestion(unknown, toolListings)}The styles are ${toolListings.join(", ")}.`;
    throw refuseValue(file, entry, `there is no way "${unknown}" to list tools`, help);
  }
  if (!places.some(([, listing]) => listing !== undefined) || !places.some(([, , example]) => example !== undefined)) {
    throw refuseValue(file, entry, "the prompt lacks tools or example", "write {{tools json}} and {{example}} in it");
  }
  return prompt;
}

const isListing = (word: string) => (toolListings as readonly string[]).includes(word);

function refuseValue(file: GrammarFile, entry: Entry, message: string, help: string): GrammarError {
  const start = entry.value === "" ? entry.start : entry.valueStart;
  return grammarError([file], rangeAt(file, start, entry.end), message, { help });
}

function oneOf<Word extends string>(file: GrammarFile, entry: Entry, words: readonly Word[]): Word {
  const found = words.find((word) => word === entry.value);
  if (found !== undefined) return found;
  throw grammarError(
    [file],
    rangeAt(file, entry.valueStart, entry.end),
    `"${entry.value}" is no value of the header key "${entry.key}"`,
    { expected: [...words], help: `${suggestion(entry.value, words)}The list is closed.` },
  );
}

function listOf(file: GrammarFile, entry: Entry): string[] {
  const items = entry.value.split(",").map((item) => item.trim());
  if (items.every((item) => item !== "" && !/\s/.test(item))) return items;
  throw refuseValue(file, entry, `"${entry.value}" is not a list`, "separate the words by commas: `first, second`");
}

function readPayloadKeys(file: GrammarFile, entry: Entry): PayloadKeys {
  const given: Partial<Record<string, string[]>> = {};
  for (const part of entry.value.split(";")) {
    const found = /^\s*([^=\s]+)\s*=\s*(\S.*?)\s*$/.exec(part);
    const spellings = found?.[2].split("|").map((key) => key.trim());
    if (found === null || spellings === undefined || spellings.some((key) => key === "" || /\s/.test(key))) {
      const help = "write `name = tool_name | name; arguments = parameters`";
      throw refuseValue(file, entry, `"${part.trim()}" does not say which key holds what`, help);
    }
    if (!payloadRoles.includes(found[1])) {
      const help = `${suggestion(found[1], payloadRoles)}The roles are name, arguments and id.`;
      throw refuseValue(file, entry, `"${found[1]}" is no role of a payload key`, help);
    }
    if (given[found[1]] !== undefined) {
      throw refuseValue(file, entry, `the role "${found[1]}" is given twice`, "separate spellings by `|`");
    }
    given[found[1]] = spellings;
  }
  const everyKey = given.name?.includes("*") === true;
  if (everyKey && (given.name?.length !== 1 || given.arguments !== undefined)) {
    const help = "`name = *` stands alone: the value of that single key is the arguments";
    throw refuseValue(file, entry, "`*` cannot be combined with other keys", help);
  }
  if (everyKey) return { name: "*", arguments: [], id: given.id ?? [] };
  const keys = { name: given.name ?? ["name"], arguments: given.arguments ?? ["arguments"], id: given.id ?? [] };
  const all = Object.values(keys).flat();
  const broken = all.find((key) => key.split(".").includes(""));
  if (broken !== undefined) {
    const help = "a point leads into an object: `function.name` is the key `name` of the object under `function`";
    throw refuseValue(file, entry, `"${broken}" does not say which key holds what`, help);
  }
  const outer = keys.arguments.find((key) => all.some((other) => other.startsWith(`${key}.`)));
  if (outer !== undefined) {
    const help = "what stands among the arguments belongs to the tool";
    throw refuseValue(file, entry, `"${outer}" holds the arguments, so no other key can stand inside it`, help);
  }
  return keys;
}

function readReasoning(file: GrammarFile, entry: Entry): ReasoningPair[] {
  if (entry.value === "none") return [];
  return entry.value.split(/\s+;\s+/).map((pair) => {
    const markers = pair.split(/\s+/).map((marker) => unescapeToken(file, entry, marker));
    if (markers.length === 2) return { open: markers[0], close: markers[1] };
    const help = "write opener and closer, `<think> </think>`, several pairs separated by ` ; `, or `none`";
    throw refuseValue(file, entry, `"${pair}" is not a pair of markers`, help);
  });
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", s: " ", ";": ";", "\\": "\\" };

function unescapeToken(file: GrammarFile, entry: Entry, token: string): string {
  return token.replace(/\\(?:u([0-9A-Fa-f]{4})|(.?))/g, (written, code: string | undefined, letter: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    if (letter !== "" && Object.hasOwn(escapes, letter)) return escapes[letter];
    const help = "the escapes are \\n, \\r, \\t, \\s (a blank), \\;, \\\\ and \\uXXXX";
    throw refuseValue(file, entry, `"${written}" is no escape`, help);
  });
}

/** The indented lines below a key, without the indentation they share and without blank lines at the end. */
function blockOf(file: GrammarFile, entry: Entry): string {
  const lines = [...entry.block];
  while (lines.length > 0 && lines[lines.length - 1] === "") lines.pop();
  if (lines.length === 0) {
    const help = "indent the lines of the block by three blanks or more";
    throw refuseValue(file, entry, `the header key "${entry.key}" has no value`, help);
  }
  const indents = lines.filter((line) => line !== "").map((line) => line.length - line.trimStart().length);
  const shared = Math.min(...indents);
  return lines.map((line) => line.slice(shared)).join("\n");
}

/** The same where nothing may stand on the line of the key. */
function ownBlockOf(file: GrammarFile, entry: Entry, what: string): string {
  if (entry.value === "") return blockOf(file, entry);
  const help = `leave the line of the key empty and indent the ${entry.key} below it`;
  throw refuseValue(file, entry, `${what} is a block of its own`, help);
}

/**
 * The header of a format from its own and those it extends.
 *
 * @param chain the headers, the format's own first, then what it extends, and so on
 * @returns for every key the nearest definition, or its default; `spans` name the file each came from
 */
export function mergeHeaders(chain: readonly FileHeader[]): GrammarHeader {
  const own = chain[0];
  const merged: GrammarHeader = {
    aliases: [],
    models: [],
    mode: "primary",
    keys: { name: ["name"], arguments: ["arguments"], id: [] },
    reasoning: [],
    starts: "content",
    stop: [],
    framing: [],
    flags: [],
    source: [],
    spans: {},
  };
  for (const header of [...chain].reverse()) {
    const inherited: FileHeader = { ...header, spans: { ...header.spans } };
    if (header !== own) {
      for (const key of ownKeys) {
        delete inherited[key];
        delete inherited.spans[key];
      }
      delete inherited.title;
    }
    const spans = { ...merged.spans, ...inherited.spans };
    Object.assign(merged, inherited, { spans });
  }
  return merged;
}
