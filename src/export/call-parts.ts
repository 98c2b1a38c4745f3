import { closerBeginnings } from "../contract/closer-beginnings.ts";
import { jsonStyle, type Piece, type RenderTemplate, slot } from "../contract/render-template.ts";
import type { JsonSchema } from "../contract/types.ts";
import type { FormatData } from "../formats/format-data.ts";
import { readBack } from "../rendering/read-back.ts";
import { quote, writeCalls } from "../rendering/write-calls.ts";
import type { Tool } from "../validation/tools.ts";
import { inOrder } from "./in-order.ts";
import { fewest, fillPieces, markerStarts, otherMarkers, structuralMarkers } from "./markers.ts";
import type { Notes } from "./notes.ts";
import { all, any, charsOf, never, nothing, type Part, rangesOf, text } from "./parts.ts";
import { orderOf, SchemaParts, type Typed } from "./schema-parts.ts";

export interface CallOptions {
  readonly order: "any" | "declared";
  readonly guard: "markers" | "closer";
}

/** What every format writes as it is; any other name is tried. */
const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const plainText = /^[^\s<>[\]{}|&"'`\\](?:[^\n\r<>[\]{}|&"'`\\]*[^\s<>[\]{}|&"'`\\])?$/u;

const idChars = rangesOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:-");

/** How calls of one format are written, as parts. */
export class CallParts {
  readonly #format: FormatData;
  readonly #template: RenderTemplate;
  readonly #options: CallOptions;
  readonly #rules: Map<string, Part>;
  readonly #notes: Notes;
  readonly #others: readonly string[];
  #count = 0;

  constructor(
    format: FormatData,
    template: RenderTemplate,
    options: CallOptions,
    rules: Map<string, Part>,
    notes: Notes,
  ) {
    this.#format = format;
    this.#template = template;
    this.#options = options;
    this.#rules = rules;
    this.#notes = notes;
    this.#others = otherMarkers(format);
  }

  /** A call of a tool; a part that cannot be written, where the format cannot carry its name. */
  call(tool: Tool): Part {
    const { name, schema } = tool;
    if (!plainName.test(name) && !this.#carries(name, "{}")) {
      this.#notes.add(name, "unwritable", "the format cannot carry this name");
      return never;
    }
    const takesMembers = this.#template.call.includes(slot.members);
    const structural = structuralMarkers(this.#format, name, takesMembers ? [...tool.keys] : []);
    const guarded = this.#options.guard === "markers" ? this.#others : [];
    const { style = jsonStyle } = this.#template;
    // Where a value is looked for by its closer, a string inside it must not hold that either.
    const needed = takesMembers || style.quoting === "raw" ? structural : [];
    const words = [...needed, ...(this.#options.guard === "markers" ? structural : []), ...guarded];
    const closer = style.quoting === "raw" ? style.string[1] : "";
    const { reserved, notLast } = this.#keptFrom(closer, words, (inside) =>
      this.#carries(name, `{"x":{"x":${inside}}}`),
    );
    const schemas = new SchemaParts({
      root: schema,
      style,
      reserved,
      notLast,
      order: this.#options.order,
      rules: this.#rules,
      notes: this.#notes,
      // A language of lines, such as YAML, has rules of its own for how a value goes on.
      lines: this.#format.body === undefined,
      name: (kind) => this.#name(kind),
    });
    const objects = schemas.typed(schema, name).filter(({ type }) => type === "object");
    return takesMembers
      ? any(...objects.map((object) => this.#withMembers(tool, object, schemas, fewest([...structural, ...guarded]))))
      : this.#withArguments(tool, objects, schemas, reserved);
  }

  #name(kind: string): string {
    return `${kind}-${++this.#count}`;
  }

  #fill(pieces: readonly Piece[], name: string, write: (place: number) => Part): Part {
    const { style = jsonStyle } = this.#template;
    return all(
      ...pieces.map((piece) => {
        if (typeof piece === "string") return text(piece);
        switch (piece) {
          case slot.name:
            return text(name);
          case slot.quotedName:
            return text(quote(name, style.quoting, style.string[1]));
          case slot.id:
          case slot.quotedId:
            return charsOf(idChars, 1);
          case slot.index:
          case slot.number:
            return this.#counter();
          default:
            return write(piece);
        }
      }),
    );
  }

  #counter(): Part {
    return any(text("0"), all(charsOf(rangesOf("123456789"), 1), charsOf(rangesOf("0123456789"), 0)));
  }

  // ----- Arguments as one value -----

  #withArguments(tool: Tool, objects: readonly Typed[], schemas: SchemaParts, reserved: readonly string[]): Part {
    const { call, bare, style } = this.#template;
    const part = any(...objects.map((object) => schemas.typedPart(object, tool.name)));
    const isPlain = style === undefined && reserved.length === 0 && this.#options.order === "declared";
    const value: Part = isPlain && isSimple(tool.schema) ? { type: "schema", schema: tool.schema, part } : part;
    const written = this.#fill(call, tool.name, () => value);
    if (bare === undefined || !objects.some(({ schema }) => !schema.required)) return written;
    return any(
      written,
      this.#fill(bare, tool.name, () => nothing),
    );
  }

  // ----- Arguments one by one -----

  #withMembers(tool: Tool, object: Typed, schemas: SchemaParts, reserved: readonly string[]): Part {
    const { call, bare = call, comma } = this.#template;
    const { name } = tool;
    const isListed = object.values !== undefined;
    if (isListed) this.#notes.add(name, "keyword", "`enum` and `const` of all arguments cannot be said");
    const members = schemas.members(object.schema, name, (key, schema) =>
      this.#member(tool, key, schema, schemas, reserved),
    );
    if (members === undefined) {
      this.#notes.add(name, "free-keys", "undeclared arguments cannot be written here");
    }
    const given = (members ?? []).filter(
      ({ required }) => comma !== undefined || required || (members ?? []).length === 1,
    );
    if (given.length < (members ?? []).length) this.#notes.add(name, "narrowed", "the format carries one argument");
    const order = orderOf(this.#options.order, given, name, this.#notes);
    const { some, mayBeNone } = inOrder(given, text(comma ?? ""), order, this.#rules, (kind) => this.#name(kind));
    const filled = this.#fill(call, name, () => some);
    if (!mayBeNone) return filled;
    return any(
      filled,
      this.#fill(bare, name, () => nothing),
    );
  }

  #member(tool: Tool, key: string, schema: JsonSchema, schemas: SchemaParts, reserved: readonly string[]): Part {
    const path = `${tool.name}/${key}`;
    if (!plainName.test(key) && !this.#carries(tool.name, JSON.stringify({ [key]: "x" }))) {
      this.#notes.add(path, "unwritable", "the format cannot carry this key");
      return never;
    }
    const { members = [], quoting = "raw" } = this.#template;
    const typed = schemas.typed(schema, path);
    const free = typed.find(({ type, values }) => type === "string" && values === undefined);
    const ways: Part[] = [];
    for (const one of typed) {
      const found = members.filter(([listed]) => [...kinds[one.type]].some((kind) => listed.includes(kind)));
      if (found.length === 0) {
        this.#notes.add(path, "unwritable", `the format has no way to write a value of type ${one.type}`);
        continue;
      }
      for (const [listed, ...pieces] of found) {
        // Free text takes in what other values look like, when nothing stands round a text.
        if (free !== undefined && one !== free && quoting === "raw" && listed.includes('"')) continue;
        const value =
          one.type === "string" ? this.#text(tool, key, one, schemas, pieces, reserved) : schemas.typedPart(one, path);
        ways.push(all(...pieces.map((piece) => pieceOf(piece, key, value))));
      }
    }
    return any(...ways);
  }

  /** The text of an argument, between what stands round it. */
  #text(
    tool: Tool,
    key: string,
    one: Typed,
    schemas: SchemaParts,
    pieces: readonly Piece[],
    words: readonly string[],
  ): Part {
    const { quoting = "raw" } = this.#template;
    const closers = this.#closers(tool, key, pieces);
    const reserved = fewest([...words, ...closers]);
    const path = `${tool.name}/${key}`;
    if (one.values === undefined) {
      if (this.#format.rawValues !== undefined)
        this.#notes.add(path, "boundary", "a text that looks like what stands between two arguments is refused");
      for (const keyword of ["pattern", "maxLength"]) {
        if (Object.hasOwn(one.schema, keyword)) {
          this.#notes.add(path, keyword === "pattern" ? "pattern" : "bounds", `\`${keyword}\` cannot be said`);
        }
      }
      const carries = (inside: string) => this.#carries(tool.name, `{${JSON.stringify(key)}:${inside}}`);
      return schemas.stringInside(one.schema, path, {
        quoting,
        ...this.#keptFrom(closers[0] ?? "", reserved, carries),
      });
    }
    return any(
      ...(one.values as string[]).flatMap((value) => {
        const written = quote(value, quoting);
        const isPlain = plainText.test(value) && !reserved.some((word) => written.includes(word));
        if (isPlain || this.#carries(tool.name, JSON.stringify({ [key]: value }))) return [text(written)];
        this.#notes.add(path, "unwritable", `the format cannot carry the value ${JSON.stringify(value)}`);
        return [];
      }),
    );
  }

  /** What a text cannot hold, and cannot end in: before its closer, with blanks between or not, that may be the beginning of it. */
  #keptFrom(
    closer: string,
    words: readonly string[],
    carries: (inside: string) => boolean,
  ): { reserved: readonly string[]; notLast: readonly string[] } {
    const notLast = closerBeginnings(closer);
    const longest = notLast.at(-1);
    if (longest === undefined || carries(JSON.stringify(`x${longest}`)))
      return { reserved: fewest(words), notLast: [] };
    const beforeBlanks = notLast.flatMap((some) => Array.from(" \t\r\n", (blank) => some + blank));
    return { reserved: fewest([...words, ...beforeBlanks]), notLast };
  }

  /** What ends a value of this argument: the first marker after it, or else the first word. */
  #closers(tool: Tool, key: string, pieces: readonly Piece[]): string[] {
    const { call, comma = "", quoting = "raw" } = this.#template;
    if (quoting !== "raw") return [];
    const tail = fillPieces(pieces.slice(pieces.indexOf(slot.value) + 1), tool.name, key);
    const callTail = fillPieces(call.slice(call.indexOf(slot.members) + 1), tool.name, "");
    return [`${tail}${comma}`, `${tail}${callTail}`].flatMap((after) => {
      const [first] = markerStarts(after);
      const [word = ""] = after.trim().split(/\s/u);
      return [first ?? word];
    });
  }

  #carries(name: string, json: string): boolean {
    const call = { name, json, id: "call_0" };
    try {
      return readBack(this.#format, writeCalls(this.#template, [call]), [call]) === undefined;
    } catch {
      return false;
    }
  }
}

/** The first characters of values as JSON, by type: how a template lists the ways to write a member. */
const kinds: Readonly<Record<string, string>> = {
  string: '"',
  number: "0.",
  integer: "0",
  boolean: "t",
  null: "n",
  array: "[",
  object: "{",
};

function pieceOf(piece: Piece, key: string, value: Part): Part {
  if (typeof piece === "string") return text(piece);
  return piece === slot.key ? text(key) : value;
}

/**
 * Whether the converters of the engines read the schema as validation does. Theirs differ in all that combines schemas,
 * and each leaves out some keywords without a word.
 */
function isSimple(schema: JsonSchema): boolean {
  if (typeof schema !== "object") return false;
  const known = [
    "type",
    "title",
    "description",
    "default",
    "properties",
    "required",
    "items",
    "enum",
    "additionalProperties",
  ];
  for (const [keyword, value] of Object.entries(schema)) {
    if (!known.includes(keyword)) return false;
    if (keyword === "additionalProperties" && value !== false) return false;
    if (keyword === "type" && Array.isArray(value)) return false;
    if (keyword === "items" && !isSimple(value as JsonSchema)) return false;
    if (keyword === "properties" && !Object.values(value as object).every((part) => isSimple(part as JsonSchema)))
      return false;
  }
  const { type } = schema;
  if (type === undefined || (type === "array" && schema.items === undefined)) return false;
  // Their numbers know bounds of their own; their objects are closed, whatever the schema says.
  return type !== "object" || schema.additionalProperties === false;
}
