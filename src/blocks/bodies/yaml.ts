import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  Parser,
  Scalar,
} from "yaml";
import type { RejectionReason } from "../../contract/reasons.ts";
import type { JsonSchema } from "../../contract/types.ts";
import type { ReadBody } from "../../formats/format-data.ts";
import { type TextType, textTypeOf } from "../../values/declared-type.ts";
import { mappingKeyTwice } from "../../values/duplicate-key-messages.ts";
import { isExactNumber, isJsonNumber } from "../../values/number-text.ts";
import { rootAlternatives, shapesOf } from "../../values/root-alternatives.ts";
import {
  declaredKeys,
  isClosedObject,
  itemSchema,
  matchesPatternKey,
  propertySchema,
} from "../../values/schema-walk.ts";
import { fitsType, typeText } from "../../values/text-to-value.ts";
import { kindBits } from "../../values/value-kinds.ts";

// A YAML 1.2 mapping as the arguments of a call. A plain scalar is typed by the schema, as text is everywhere else;
// where the schema says nothing, by YAML's core schema as far as JSON spells it. Anchors, aliases, tags and several
// documents have no place in a call.

/** Deeper nesting is refused; the policy's limit is lower. */
const nestingMax = 512;
const tooDeep = `the YAML is nested deeper than ${nestingMax} levels`;

/** What is wrong with a body; caught where the body is read. */
class BodyProblem extends Error {
  readonly reason: RejectionReason;

  constructor(reason: RejectionReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Reads a YAML body; what is no YAML may still be one of two shapes that models write instead. */
export const readYamlBody: ReadBody = (text, schema) => {
  const body = dedent(text);
  try {
    if (body.includes("\r"))
      throw new BodyProblem("ambiguous", "a carriage return alone ends a line to YAML; write it as an escape");
    const json = readMapping(body, schema);
    if (json !== undefined) return { json };
    const salvaged = readTagLines(body, schema) ?? readKeyLines(body, schema);
    if (salvaged !== undefined) {
      const level = salvaged.every(({ isSure }) => isSure) ? "safe" : "guess";
      return { json: `{${salvaged.map(({ member }) => member).join(",")}}`, repairs: ["bare-word"], level };
    }
  } catch (error) {
    if (!(error instanceof BodyProblem)) throw error;
    const { message, reason } = error;
    return { problem: message, reason, isOpen: reason !== "too-deep" && leavesOpen(body) };
  }
  return { problem: "the body is no YAML mapping", isOpen: leavesOpen(body) };
};

/** Whether a string of a damaged body may go on behind it; that of a key without a blank after its colon, too. */
const leavesOpen = (body: string): boolean => !survey(tokensOf(body), body).quotationsEnd || openBehindColon.test(body);

const openBehindColon = /^[ \t-]*[^\s:"'-][^\s:"']*:(?:"[^"\n]*|'[^'\n]*)$/m;

/** The lines without the indentation all of them share, and without blank lines in front. */
function dedent(text: string): string {
  const lines = text.replace(/\r(?:\n|$)/g, "\n").split("\n");
  while (lines.length > 0 && lines[0].trim() === "") lines.shift();
  let shared = Number.POSITIVE_INFINITY;
  for (const line of lines) if (line.trim() !== "") shared = Math.min(shared, line.length - line.trimStart().length);
  if (!Number.isFinite(shared)) return "";
  const body = lines.map((line) => line.slice(shared)).join("\n");
  return body.endsWith("\n") ? body : `${body}\n`;
}

/** The mapping as JSON; undefined when the text is no YAML or no mapping. */
function readMapping(body: string, schema: JsonSchema | undefined): string | undefined {
  if (body.trim() === "") return "{}";
  const { document, comments } = compose(body);
  if (document === undefined) return undefined;
  if (document.errors.length > 0 || document.warnings.length > 0) return undefined;
  if (document.contents === null) {
    // All that stands there is a comment.
    if (/["':{}[\]]/.test(body))
      throw new BodyProblem("ambiguous", "the body is a comment, which may hold the arguments");
    return "{}";
  }
  if (!isMap(document.contents)) return undefined;
  const items = document.contents.items as readonly Pair<Node | null>[];
  // It is a parameter in tags: its text holds a colon.
  if (items.some(({ key }) => isScalar(key) && key.type === Scalar.PLAIN && tagAtStart.test(key.source ?? "")))
    return undefined;
  const names = keysOf(items);
  const isMissing = (key: string) => declaredKeys(schema, schema ?? true).has(key) && !names.has(key);
  for (const comment of comments) {
    const [, key = ""] = keyInComment.exec(comment) ?? [];
    if (isMissing(key)) throw new BodyProblem("ambiguous", `"${key}" stands in a comment, and may be a parameter`);
  }
  return writeNode(document.contents, { body, schema: shapeOf(items, names, schema), root: schema ?? true }, 0);
}

/** The one shape that the arguments may have by what is given, or all that the schema says. */
function shapeOf(
  items: readonly Pair<Node | null>[],
  names: ReadonlySet<string>,
  schema: JsonSchema | undefined,
): JsonSchema | undefined {
  const shapes = rootAlternatives(schema);
  if (schema === undefined || shapes.length === 0) return schema;
  const texts = [...names].flatMap((name, at) => {
    const { value } = items[at];
    return isScalar(value)
      ? [[name, value.type === Scalar.PLAIN ? (value.source ?? "") : String(value.value)] as const]
      : [];
  });
  const left = shapesOf(shapes, schema, new Map(texts), names);
  return left.length === 1 ? left[0] : schema;
}

const tagAtStart = /^\s*<([\w.-]{1,128})>/;
const keyInComment = /^#[#\s-]*["']?([^"':]+?)["']?\s*:/;

/** Whether YAML can read a line by itself. */
function isMapping(line: string): boolean {
  const { document } = compose(line);
  return document?.errors.length === 0 && isMap(document.contents);
}

/** Parses in two steps: the first refuses what is too deep for the recursion of the second. */
function compose(body: string): { document?: Document | undefined; comments: readonly string[] } {
  const tokens = tokensOf(body);
  const { quotationsEnd, comments } = survey(tokens, body);
  if (!quotationsEnd) return { comments };
  // The library compares each key with all before it.
  const options = {
    version: "1.2",
    schema: "core",
    prettyErrors: false,
    logLevel: "silent",
    uniqueKeys: false,
  } as const;
  const documents = [...new Composer(options).compose(tokens, true, body.length)];
  return { document: documents.length === 1 ? documents[0] : undefined, comments };
}

/** What the parser has open it closes by calling itself. */
function tokensOf(body: string): readonly CST.Token[] {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(body)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > nestingMax + openBesideMax) throw new BodyProblem("too-deep", tooDeep);
  }
  tokens.push(...parser.end());
  return tokens;
}

/** The document and what is no container. */
const openBesideMax = 8;

/**
 * The comments, and whether each text in quotes ends with a quote of its own, behind which one may end; without recursion. The library
 * ends such a text at a line that is indented too little, and says nothing where an escaped quote stands last before it: `"C:\"`.
 */
function survey(tokens: readonly CST.Token[], body: string): { quotationsEnd: boolean; comments: readonly string[] } {
  const comments: string[] = [];
  const note = (pieces: object) => {
    for (const part of Object.values(pieces).flatMap((piece) => (Array.isArray(piece) ? piece : [])))
      if (part.type === "comment") comments.push(part.source);
  };
  let quotationsEnd = true;
  const work: (CST.Token | null | undefined)[] = [...tokens];
  while (work.length > 0) {
    const token = work.pop();
    if (!token) continue;
    const { type } = token;
    if (type === "comment") comments.push(token.source);
    else note(token);
    if (type === "double-quoted-scalar" || type === "single-quoted-scalar")
      quotationsEnd &&=
        closedQuotation[type].test(token.source) && endsValue.test(body[token.offset + token.source.length] ?? "");
    if ("value" in token) work.push(token.value as CST.Token | undefined);
    if (!("items" in token)) continue;
    for (const item of token.items) {
      note(item);
      work.push(item.key, item.value);
    }
  }
  return { quotationsEnd, comments };
}

const closedQuotation = {
  "double-quoted-scalar": /^"(?:[^"\\]|\\[\s\S])*"$/,
  "single-quoted-scalar": /^'(?:[^']|'')*'$/,
};

/** What may stand behind the end of a text in quotes. */
const endsValue = /^[\s,:\]}]?$/;

const isQuotation = (text: string) => Object.values(closedQuotation).some((whole) => whole.test(text));

interface Place {
  body: string;
  schema: JsonSchema | undefined;
  root: JsonSchema;
}

function writeNode(node: Node | null, place: Place, depth: number): string {
  if (depth > nestingMax) throw new BodyProblem("too-deep", tooDeep);
  const { root } = place;
  if (node === null) return "null";
  if (isAlias(node)) throw new BodyProblem("malformed", "an alias has no place in a call; write the value out");
  refuseProperties(node);
  if (isScalar(node)) {
    refuseUnmarkedBlock(node, place.body);
    return writeScalar(node, textTypeOf(place.schema, root));
  }
  if (isSeq(node)) {
    if (node.flow && node.items.some(isOfThousand))
      throw new BodyProblem(
        "ambiguous",
        "digits behind a comma begin with zero: they may belong to the number before it",
      );
    const items = node.items.map((item, at) =>
      writeNode(item as Node | null, { ...place, schema: itemSchema(place.schema, root, at) }, depth + 1),
    );
    return `[${items.join(",")}]`;
  }
  if (!isMap(node))
    throw new BodyProblem("malformed", "the YAML holds something that is neither text nor a list nor a mapping");
  const { flow } = node;
  const items = node.items as Pair<Node | null, Node | null>[];
  const names = keysOf(items);
  const missing = [...declaredKeys(place.schema, root)].filter((key) => !names.has(key));
  const inOrder = [...names];
  const members = items.map(({ key, value }, at) => {
    const name = inOrder[at];
    // A colon twice: the key before it, or another.
    if (name.endsWith(":")) throw new BodyProblem("malformed", `the key "${name}" ends in a second colon`);
    // In a list or a mapping in brackets a word alone is a key to YAML: a quote or a comma is misplaced.
    if (value === null) throw new BodyProblem("malformed", `the key "${name}" has no colon; put text in quotes`);
    if (isScalar(key) && key.type === Scalar.PLAIN) checkKey(name, place);
    if (flow && isScalar(value) && value.type === Scalar.PLAIN && /["']\s*:/.test(value.source ?? ""))
      throw new BodyProblem("ambiguous", `the value of "${name}" holds a quoted key; it may lack a comma`);
    if (isScalar(value) && isBlock(value) && missing.some((one) => endsInKey(value.source ?? "", one)))
      throw new BodyProblem("ambiguous", `the last line of "${name}" may be two that lack a break`);
    const inner = { ...place, schema: propertySchema(place.schema, root, name) };
    try {
      return `${JSON.stringify(name)}:${writeNode(value, inner, depth + 1)}`;
    } catch (error) {
      if (error instanceof BodyProblem) throw new BodyProblem(error.reason, `"${name}": ${error.message}`);
      throw error;
    }
  });
  return `{${members.join(",")}}`;
}

/** What `[1,000]` leaves of a thousand. */
const isOfThousand = (item: unknown) => isScalar(item) && item.type === Scalar.PLAIN && /^0\d/.test(item.source ?? "");

/** Lines below their key are one to YAML where the mark of a block is missing, and items that are indented too far belong to the one above. */
function refuseUnmarkedBlock(node: Scalar, body: string): void {
  const { type, range, value } = node;
  const [start = 0, end = 0] = range ?? [];
  const [first, ...others] = body.slice(start, end).split("\n");
  if (isBlock(node) && value === "")
    throw new BodyProblem(
      "ambiguous",
      `${first} is the mark of a block to YAML, and no line follows; put text in quotes`,
    );
  if (type !== Scalar.PLAIN || others.length === 0) return;
  if (others.some((line) => /^\s*-\s/.test(line)))
    throw new BodyProblem(
      "ambiguous",
      "a line that begins as an item belongs to the text above it; indent items alike",
    );
  if (isOfMarks.test(first) || body.slice(body.lastIndexOf("\n", start) + 1, start).trim() === "")
    throw new BodyProblem("ambiguous", "lines below a key have no mark that keeps them apart; put | after the key");
}

/** What is left of the mark of a block, or more than it. */
const isOfMarks = /^[-+|>]+\s*$/;

const isBlock = ({ type }: Scalar) => type === Scalar.BLOCK_LITERAL || type === Scalar.BLOCK_FOLDED;

/** Whether a key with its colon stands in the last line of a text, directly after the end of a word. */
function endsInKey(text: string, key: string): boolean {
  const line = text.slice(text.trimEnd().lastIndexOf("\n") + 1);
  const at = line.lastIndexOf(`${key}:`);
  return at > 0 && /\S$/.test(line.slice(0, at)) && /^(?:\s|$)/.test(line.slice(at + key.length + 1));
}

/** A colon without its blank ends no key: what stands behind it may be a value, and ends at a colon of its own. */
function checkKey(name: string, { schema, root }: Place): void {
  if (!/[:"'{}[\]]/.test(name)) return;
  const keys = declaredKeys(schema, root);
  if (keys.has(name)) return;
  const isTwo =
    ofValues.test(name) || [...keys].some((key) => name.startsWith(key) && /^\s*:/.test(name.slice(key.length)));
  if (isTwo)
    throw new BodyProblem(
      "ambiguous",
      `"${name}" may be a key and the beginning of its value; put a blank after the colon`,
    );
}

/** What stands round values; an apostrophe within a word does not. */
const ofValues = /["{}[\]]|(?<![\p{L}\p{N}])'|'(?![\p{L}\p{N}])/u;

/** A tag makes another value of what is written, and an anchor is dropped: `&nbsp;` is one to YAML. */
function refuseProperties({ tag, anchor }: { tag?: string | undefined; anchor?: string | undefined }): void {
  if (tag !== undefined) throw new BodyProblem("malformed", tagMessage);
  if (anchor !== undefined)
    throw new BodyProblem("malformed", `&${anchor} is an anchor, which has no place in a call; put text in quotes`);
}

const tagMessage = "a tag has no place in a call; write the value out, text in quotes";

/** The keys of a mapping, each once. */
function keysOf(items: readonly Pair<Node | null>[]): ReadonlySet<string> {
  const names = new Set(items.map(({ key }) => keyOf(key)));
  if (names.size < items.length) throw new BodyProblem("duplicate-key", mappingKeyTwice);
  return names;
}

/** A key is the text that stands there, whatever YAML takes it for. */
function keyOf(key: Node | null): string {
  if (key !== null && !isAlias(key)) refuseProperties(key);
  if (!isScalar(key) || key.value === null) {
    if (isScalar(key) && key.source) return key.source;
    throw new BodyProblem("malformed", "a key of the mapping is no text");
  }
  return typeof key.value === "string" ? key.value : (key.source ?? String(key.value));
}

function writeScalar(node: Scalar, type: TextType): string {
  const { value, source = "" } = node;
  const isPlain = node.type === Scalar.PLAIN && node.tag === undefined;
  if (isPlain && node.comment && (type.anyString || type.inferred || typeof value !== "boolean")) {
    throw new BodyProblem("ambiguous", commentMessage(source));
  }
  if (isPlain && typeof value === "string" && isHalfQuoted(source))
    throw new BodyProblem("ambiguous", `${source} lacks a quote, or holds one too many; put text in quotes`);
  const isFree = type.inferred || type.untyped === true;
  if (typeof value === "string" && (!isPlain || isFree)) return JSON.stringify(value);
  // `0777` is a mode to one reader of YAML and a number to another.
  if (isFree && typeof value === "number" && !isJsonNumber(source)) return JSON.stringify(source);
  if (isFree || !isPlain) return resolved(value, source);
  // A key without a value.
  if (source === "") return (type.kinds & kindBits.null) === 0 && type.anyString ? '""' : "null";
  if (value === null && (type.kinds & kindBits.null) !== 0) return "null";
  // Text stands in quotes where it looks like a number; one with a sign or zeros of its own is none that YAML would write.
  const isMarked = typeof value === "number" ? String(value) === source : typeof value !== "string";
  const typed = typeText(typeof value === "string" ? value : source, type, isMarked);
  if ("json" in typed) return typed.json;
  // YAML's own spellings: `~`, `0o17`, `.5`.
  const json = resolved(value, source);
  if (typeof value !== "string" && fitsType(json, type)) return json;
  throw new BodyProblem(typed.reason ?? "type-mismatch", typed.mismatch);
}

const commentMessage = (source: string) =>
  `after "${source}" stands a comment, or the rest of the text; put text in quotes`;

/** What YAML's core schema makes of a scalar, with the digits as they were written. */
function resolved(value: unknown, source: string): string {
  if (typeof value === "number") {
    if (isJsonNumber(source)) return isExactNumber(source) ? source : JSON.stringify(source);
    return Number.isFinite(value) ? String(value) : JSON.stringify(source);
  }
  return JSON.stringify(value ?? null);
}

/** A parameter whose value no YAML parser has read, as a member of the arguments. */
interface Salvaged {
  readonly member: string;
  /** It has one reading. */
  readonly isSure: boolean;
}

/**
 * One parameter as text, typed by the schema. Of text that lacks the mark of a block nobody knows whether its last line break is
 * part of it; and where a container is allowed as well, a break or a quote more makes one of it.
 */
function writeText(key: string, text: string, schema: JsonSchema | undefined): Salvaged {
  const root = schema ?? true;
  const type = textTypeOf(propertySchema(schema, root, key), root);
  const typed = typeText(text, type);
  if ("mismatch" in typed) throw new BodyProblem(typed.reason ?? "type-mismatch", `"${key}": ${typed.mismatch}`);
  const member = `${JSON.stringify(key)}:${typed.json}`;
  const takesList = type.untyped === true || (type.kinds & kindBits.array) !== 0;
  const takesMapping = type.untyped === true || (type.kinds & kindBits.object) !== 0;
  const alone = takesList || takesMapping ? readMapping(`${key}: ${text}\n`, schema) : undefined;
  const isOther =
    alone === undefined
      ? (takesList && isItem.test(text)) || (takesMapping && isPair.test(text))
      : alone !== `{${member}}`;
  return { member, isSure: !text.includes("\n") && !isOther };
}

/** On a line of its own it would be one of a list, or of a mapping. */
const isItem = /^-\s/;
const isPair = /:(?:\s|$)/;

/** `<key>value</key>`, one to a line, in place of the mapping. */
function readTagLines(body: string, schema: JsonSchema | undefined): readonly Salvaged[] | undefined {
  const members = new Map<string, Salvaged>();
  const shown: string[] = [];
  for (const line of body.split("\n")) {
    if (line.trim() === "") continue;
    const found = /^[ \t]*<([\w.-]{1,128})>(.*)<\/([\w.-]{1,128})>[ \t]*$/.exec(line);
    if (found === null || found[1] !== found[3] || members.has(found[1]) || found[2].includes(`</${found[1]}>`)) {
      return undefined;
    }
    const [, first] = tagAtStart.exec(found[2]) ?? [];
    if (first !== undefined && found[2].includes(`</${first}>`)) shown.push(first);
    members.set(found[1], writeText(found[1], found[2], schema));
  }
  const keys = declaredKeys(schema, schema ?? true);
  const key = shown.find((one) => keys.has(one) && !members.has(one));
  if (key !== undefined)
    throw new BodyProblem("ambiguous", `"${key}" may be a parameter, or text of the one around it`);
  return members.size === 0 ? undefined : [...members.values()];
}

/**
 * `key: text`, the text as it stands up to the next line that begins with a declared key: how models write code that
 * they have forgotten to make a block scalar. Where YAML could read the first line, one below it at the left edge is no
 * code but damage: a key that lost its colon, or what is left of the call's end.
 */
function readKeyLines(body: string, schema: JsonSchema | undefined): readonly Salvaged[] | undefined {
  if (schema === undefined) return undefined;
  const keys = declaredKeys(schema, schema);
  const found: { key: string; lines: string[]; isCode?: boolean }[] = [];
  const keyAt = (line: string) =>
    [...keys].some((key) => line.replace(beforeKey, "").startsWith(key) && !found.some((one) => one.key === key));
  const isOpen = !isClosedObject(schema, schema);
  const takesOther = (line: string) =>
    isOpen || matchesPatternKey(schema, schema, line.replace(beforeKey, "").split(/["']?\s*:/)[0]);
  for (const line of body.slice(0, -1).split("\n")) {
    const colon = line.indexOf(":");
    const key = colon > 0 ? line.slice(0, colon) : "";
    if (keys.has(key)) {
      if (found.some((one) => one.key === key)) return undefined;
      if (oddSign.test(line.slice(colon + 1)))
        throw new BodyProblem(
          "ambiguous",
          `the sign behind "${key}:" may be part of its text or not; put text in quotes`,
        );
      found.push({ key, lines: [line.slice(colon + (line[colon + 1] === " " ? 2 : 1))] });
    } else {
      const last = found.at(-1);
      if (last === undefined) return undefined;
      if (documentMark.test(line)) return undefined;
      // YAML could read the line before, and this one is the key of another mapping.
      if (/^\s/.test(line) && mayBeginKey.test(line.trimStart()) && isMapping(`${last.key}: ${last.lines[0]}\n`))
        return undefined;
      if (/^\S/.test(line)) {
        last.isCode ??= !isMapping(`${last.key}: ${last.lines[0]}\n`);
        if (!last.isCode || keyAt(line)) {
          if (/^<\/[^<>]*$/.test(line)) throw new BodyProblem("truncated", "the body ends in a tag");
          return undefined;
        }
        // A key that is not declared, where such keys are legal, or a line of the text.
        if (mayBeginKey.test(line) && takesOther(line)) return undefined;
      }
      last.lines.push(line);
    }
  }
  // `label: north dial: 3`: a line that lost its break, or text.
  const missing = [...keys].filter((key) => !found.some((one) => one.key === key));
  const holdsKey = (line: string) =>
    missing.some((key) =>
      ["", '"', "'"].some((quote) => line.includes(`${key}${quote}: `) || line.endsWith(`${key}${quote}:`)),
    );
  if (found.some(({ lines }) => lines.some(holdsKey))) return undefined;
  return found.map(({ key, lines }) => {
    while (lines.length > 1 && lines.at(-1)?.trim() === "") lines.pop();
    const text = lines.length === 1 ? lines[0] : `${lines.join("\n")}\n`;
    refuseUnclear(key, lines[0].trimStart(), text.trim());
    return writeText(key, text, schema);
  });
}

/** What stands for the blank behind a colon, or has slipped in there. */
const oddSign = /^(?:\ufffd|[^\0-\x7f\p{L}\p{M}\p{N}\p{S}])/u;

/** The quote that begins a text may be missing, or stand after the first word; so may the blank after the colon be missing. */
const isHalfQuoted = (text: string) =>
  [/"/, /(?<!\\)"/].some((mark) => text.endsWith('"') && text.split(mark).length % 2 === 0) ||
  isQuotation(`'${text}`) ||
  isQuotation(text.replace(afterFirstWord, "$2$1"));

/** A quote after one character, or after one word. */
const afterFirstWord = /^([^\s"']|[^\s"']*[\p{L}\p{N}])(["'])/u;

/** Marks of a list, of a key that stands alone, and of a quotation. */
const beforeKey = /^[-?\s]*["']?/;
const mayBeginKey = /^[-?\s]*(?:"[^"]*"|'[^']*'|[\p{L}\p{N}_$][\p{L}\p{N}_$. -]*)\s*:(?:\s|$)/u;

/** Here a document ends, and another one may begin. */
const documentMark = /^(?:---|\.\.\.)(?:\s|$)/;

/** What YAML could not read, and is more or less than the text that stands there. */
function refuseUnclear(key: string, first: string, text: string): void {
  if (first.startsWith("!")) throw new BodyProblem("malformed", `"${key}": ${tagMessage}`);
  if (first.startsWith(":") || first.startsWith(`${key}:`))
    throw new BodyProblem(
      "ambiguous",
      `"${key}" is followed by a further key or colon, which may be part of it or not`,
    );
  // A block, a container or a quoted text that YAML could not read ends somewhere, and where is not known.
  const isBlock = first === "" ? text !== "" : /^[|>]/.test(first) || (first !== text && isOfMarks.test(first));
  const [mark] = /^(?:"""|'''|```|~~~)/.exec(text) ?? [];
  const isOpen = mark === undefined ? /^[[{"']/.test(first) : text.split(mark).length % 2 === 0;
  if (isBlock || isOpen || isHalfQuoted(text)) {
    throw new BodyProblem("malformed", `"${key}" begins a block, a container or a quotation that is no YAML`);
  }
  // A comment ends plain text: after one, more of the text can only be that of a block.
  const [, before] = /^(.*?)(?:^|\s)#/.exec(text.slice(text.lastIndexOf("\n") + 1)) ?? [];
  if (before !== undefined) throw new BodyProblem("ambiguous", commentMessage(before));
  if (mark !== undefined && text.endsWith(mark)) {
    throw new BodyProblem(
      "ambiguous",
      `"${key}" stands between ${mark}, which may be part of it or not; put text in quotes`,
    );
  }
}
