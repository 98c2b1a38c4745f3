import type { ValueStyle } from "../contract/render-template.ts";
import type { JsonSchema } from "../contract/types.ts";
import { quote, writeValue } from "../rendering/write-calls.ts";
import { ownMember, referredBy, schemaObject } from "../values/schema-walk.ts";
import { fitsType, flatten, isOpen, requiredOf, type SchemaObject, typesOf, valuesOf } from "./flat-schema.ts";
import { anyOrderMax, inOrder, type Member } from "./in-order.ts";
import type { NoteCode, Notes } from "./notes.ts";
import {
  all,
  any,
  type CharRanges,
  chars,
  charsOf,
  everyChar,
  many,
  never,
  nothing,
  optional,
  type Part,
  rangesOf,
  rule,
  text,
  without,
} from "./parts.ts";

/** A place of one type, with what the schema says of it. */
export interface Typed {
  readonly type: string;
  readonly schema: SchemaObject;
  /** The only values, where they are listed. */
  readonly values?: readonly unknown[] | undefined;
}

export interface SchemaContext {
  readonly root: JsonSchema;
  readonly style: ValueStyle;
  /** What no string may hold. */
  readonly reserved: readonly string[];
  /** What no string may end in. */
  readonly notLast: readonly string[];
  readonly order: "any" | "declared";
  readonly rules: Map<string, Part>;
  readonly notes: Notes;
  /** Values may go on over lines. */
  readonly lines: boolean;
  /** A new name for a rule. */
  name(kind: string): string;
}

const digits: CharRanges = rangesOf("0123456789");
const hexDigits: CharRanges = rangesOf("0123456789abcdefABCDEF");
const controls: CharRanges = [0, 0x1f];
/** A range of whole numbers this long is written out. */
const listedNumbersMax = 128;
/** What objects keep for themselves: validation refuses such a key, unless the tool declares it. */
const sensitiveKeys = ["__proto__", "constructor", "prototype"];

/** Keywords that no part says, by the type they speak of. */
const unsaid: Readonly<Record<string, readonly string[]>> = {
  string: ["pattern", "maxLength"],
  number: ["multipleOf"],
  integer: ["multipleOf"],
  array: ["uniqueItems", "contains", "unevaluatedItems"],
  object: [
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
  ],
};
const unsaidAnywhere = ["not", "if"];
const noteOf: Readonly<Record<string, NoteCode>> = {
  pattern: "pattern",
  maxLength: "bounds",
  multipleOf: "bounds",
  uniqueItems: "count",
  contains: "count",
  minProperties: "count",
  maxProperties: "count",
};

/** JSON Schema in parts, in the spelling of one format. */
export class SchemaParts {
  readonly #context: SchemaContext;
  readonly #referred = new Map<unknown, Part>();
  readonly #isJson: boolean;
  #anyValue: Part | undefined;

  constructor(context: SchemaContext) {
    this.#context = context;
    const { style } = context;
    this.#isJson = style.quoting === "json" && style.words[0] === "true";
  }

  /** A value that fits a schema. */
  value(schema: JsonSchema, path: string): Part {
    const object = schemaObject(schema);
    const [target] = object === undefined ? [] : referredBy(object, this.#context.root);
    if (object === undefined || target === undefined) return this.#values(schema, path);
    // A reference is a rule of its own, so that a schema may refer to itself.
    const key = Object.keys(object).length === 1 ? target : object;
    let known = this.#referred.get(key);
    if (known === undefined) {
      const name = this.#context.name("ref");
      known = rule(name);
      this.#referred.set(key, known);
      this.#context.rules.set(name, this.#values(schema, path));
    }
    return known;
  }

  #values(schema: JsonSchema, path: string): Part {
    const typed = this.typed(schema, path);
    const isFree = typed.length > 5 && typed.every((one) => isSilent(one.schema));
    return isFree ? this.#any(path) : any(...typed.map((one) => this.typedPart(one, path)));
  }

  /** What a place may hold, type by type. */
  typed(schema: JsonSchema, path: string): Typed[] {
    const { notes, root } = this.#context;
    const { schemas, overlaps, lost } = flatten(schema, root);
    if (overlaps) notes.add(path, "one-of", "a value that fits two branches of `oneOf` is not kept out");
    if (lost.length > 0)
      notes.add(path, "keyword", `${lost.join(", ")} cannot be said together with what else applies`);
    return schemas.flatMap((one) => {
      for (const keyword of unsaidAnywhere) {
        if (Object.hasOwn(one, keyword)) notes.add(path, "keyword", `\`${keyword}\` cannot be said`);
      }
      const values = valuesOf(one);
      return this.#typesOf(one, path).map((type) => ({
        type,
        schema: one,
        values: values?.filter((value) => fitsType(value, type)),
      }));
    });
  }

  #typesOf(schema: SchemaObject, path: string): readonly string[] {
    const types = typesOf(schema);
    if (schema.type !== undefined || valuesOf(schema) !== undefined) return types;
    const implied = ["properties", "required", "additionalProperties"].some((key) => Object.hasOwn(schema, key))
      ? "object"
      : ["items", "prefixItems"].some((key) => Object.hasOwn(schema, key))
        ? "array"
        : undefined;
    if (implied === undefined) return types;
    this.#context.notes.add(path, "narrowed", `no type is declared: only an ${implied} may be written`);
    return [implied];
  }

  /** A value of one type. */
  typedPart(one: Typed, path: string): Part {
    const { type, schema, values } = one;
    const { style, notes } = this.#context;
    if (values !== undefined) return this.#listed(values, path);
    for (const keyword of unsaid[type] ?? []) {
      const value = schema[keyword];
      if (value === undefined || value === false) continue;
      notes.add(path, noteOf[keyword] ?? "keyword", `\`${keyword}\` cannot be said`);
    }
    switch (type) {
      case "string":
        return this.#string(schema, path);
      case "integer":
      case "number":
        return this.#number(schema, type, path);
      case "boolean":
        return any(text(style.words[0]), text(style.words[1]));
      case "null":
        return text(style.words[2]);
      case "array":
        return this.#array(schema, path);
      default:
        return this.#object(schema, path);
    }
  }

  /** Listed values, each as the format writes it. */
  #listed(values: readonly unknown[], path: string): Part {
    const { style, reserved, notLast, notes } = this.#context;
    return any(
      ...values.flatMap((value) => {
        const written = writeValue(JSON.stringify(value), style);
        const insides = stringsIn(value).map((one) => quote(one, style.quoting, style.string[1]));
        const taken =
          reserved.find((word) => insides.some((inside) => inside.includes(word))) ??
          notLast.find((end) => insides.some((inside) => inside.endsWith(end)));
        if (taken === undefined) return [text(written)];
        notes.add(path, "unwritable", `the value ${JSON.stringify(value)} holds ${JSON.stringify(taken)}`);
        return [];
      }),
    );
  }

  // ----- Strings -----

  #string(schema: SchemaObject, path: string): Part {
    const { style } = this.#context;
    return all(text(style.string[0]), this.stringInside(schema, path), text(style.string[1]));
  }

  /** What stands in a string, between its quotes. */
  stringInside(
    schema: SchemaObject,
    path: string,
    options: { quoting?: string; reserved?: readonly string[]; notLast?: readonly string[] | undefined } = {},
  ): Part {
    const { style, notes } = this.#context;
    const { quoting = style.quoting, reserved = this.#context.reserved, notLast = this.#context.notLast } = options;
    const least = schema.minLength as number | undefined;
    if (least !== undefined && least > 1) notes.add(path, "bounds", "`minLength` above 1 cannot be said");
    if (reserved.length > 0) {
      notes.add("", "reserved-text", `a text cannot hold ${reserved.map((word) => JSON.stringify(word)).join(", ")}`);
    }
    return {
      type: "until",
      not: reserved,
      notLast,
      ...this.#stringChars(quoting),
      min: least === undefined || least === 0 ? 0 : 1,
    };
  }

  #stringChars(quoting: string): { chars: CharRanges; instead?: Part } {
    const { style } = this.#context;
    if (quoting === "raw") return { chars: without(everyChar, [0, 8, 11, 12, 14, 31]) };
    if (quoting === "entity") {
      const references = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"].map(text);
      const taken = [...controls.slice(0, 1), 8, 11, 12, 14, 31, ...rangesOf("&<>\"'")];
      return { chars: without(everyChar, taken), instead: any(...references) };
    }
    const quotes = `\\${style.string[1] === "'" ? "'" : '"'}`;
    // A lone half of a surrogate pair is no Unicode text; Python reads `\/` as two characters.
    const unit = any(
      all(chars(rangesOf("0123456789abcefABCEF")), chars(hexDigits, 3)),
      all(chars(rangesOf("dD")), chars(rangesOf("01234567")), chars(hexDigits, 2)),
    );
    const instead = all(
      text("\\"),
      any(chars(rangesOf(this.#isJson ? '"\\/bfnrt' : '"\\bfnrt')), all(text("u"), unit)),
    );
    return { chars: without(everyChar, [...controls, ...rangesOf(quotes)]), instead };
  }

  // ----- Numbers -----

  #number(schema: SchemaObject, type: string, path: string): Part {
    const { notes } = this.#context;
    const least = bound(schema.minimum, schema.exclusiveMinimum, type, 1);
    const most = bound(schema.maximum, schema.exclusiveMaximum, type, -1);
    const isWhole = type === "integer";
    if (isWhole && least !== undefined && most !== undefined && most - least < listedNumbersMax) {
      const step = typeof schema.multipleOf === "number" ? schema.multipleOf : 1;
      const listed: Part[] = [];
      for (let value = Math.ceil(least); value <= most; value++) if (value % step === 0) listed.push(text(`${value}`));
      return any(...listed);
    }
    const isSaid = isWhole && (least === 0 || least === 1);
    if ((least !== undefined && !isSaid) || most !== undefined) {
      notes.add(path, "bounds", "the bounds of the number cannot be said");
    }
    const natural = all(chars(rangesOf("123456789")), charsOf(digits, 0));
    if (isWhole && least === 1) return natural;
    const sign = least !== undefined && least >= 0 ? nothing : optional(text("-"));
    // "-0" is a number too, and no integer in some languages: it is left out.
    if (isWhole) return any(text("0"), all(sign, natural));
    const fraction = all(text("."), charsOf(digits, 1));
    // Past 1e308 a number is none that programs can hold.
    const exponent = all(chars(rangesOf("eE")), optional(chars(rangesOf("+-"))), chars(digits, 1, 2));
    return all(sign, any(text("0"), natural), optional(fraction), optional(exponent));
  }

  // ----- Containers -----

  #space(): Part {
    if (!this.#isJson) return nothing;
    const { rules, lines } = this.#context;
    if (!lines) return optional(text(" "));
    if (!rules.has("ws")) {
      // As much as people indent: without a limit, a model that finds no way out writes blanks for ever.
      rules.set("ws", any(nothing, text(" "), all(text("\n"), chars(rangesOf(" \t"), 0, 20))));
    }
    return rule("ws");
  }

  #comma(): Part {
    return this.#isJson ? all(this.#space(), text(","), this.#space()) : text(this.#context.style.comma);
  }

  #colon(): Part {
    return this.#isJson ? all(text(":"), this.#space()) : text(this.#context.style.colon);
  }

  #array(schema: SchemaObject, path: string): Part {
    const { notes } = this.#context;
    const legacy = Array.isArray(schema.items) ? schema.items : undefined;
    const first = (legacy ?? (Array.isArray(schema.prefixItems) ? schema.prefixItems : [])) as JsonSchema[];
    const further = (legacy === undefined ? schema.items : schema.additionalItems) as JsonSchema | undefined;
    const least = (schema.minItems as number | undefined) ?? 0;
    const most = schema.maxItems as number | undefined;
    if (least > 64 || (most !== undefined && most > 64)) notes.add(path, "count", "more than 64 items are not counted");
    const comma = this.#comma();
    const list: Part[] = [];
    const rest = this.#ruled("item", this.value(further ?? true, `${path}/[]`));
    const tail = (from: number): Part => {
      const min = Math.min(Math.max(0, least - from), 64);
      const max = most === undefined || most > 64 ? undefined : Math.max(0, most - from);
      const one = from === 0 ? rest : all(comma, rest);
      if (from > 0 || max === 0) return many(one, { min, max });
      const more = many(all(comma, rest), { min: Math.max(0, min - 1), max: max === undefined ? max : max - 1 });
      const some = all(rest, more);
      return min === 0 ? optional(some) : some;
    };
    let inside = tail(first.length);
    for (let at = first.length - 1; at >= 0; at--) {
      const item = this.value(first[at], `${path}/[]`);
      const some = all(at === 0 ? item : all(comma, item), inside);
      if (most !== undefined && at >= most) inside = nothing;
      else inside = at >= least ? optional(some) : some;
    }
    list.push(text("["), this.#space(), inside, this.#space(), text("]"));
    return all(...list);
  }

  #ruled(kind: string, part: Part): Part {
    if (part.type === "text" || part.type === "rule" || part.type === "chars" || isEmptyAny(part)) return part;
    const { rules } = this.#context;
    const name = this.#context.name(kind);
    rules.set(name, part);
    return rule(name);
  }

  #object(schema: SchemaObject, path: string): Part {
    const members = this.members(schema, path, (key, value) =>
      all(text(this.keyText(key)), this.#colon(), this.value(value, `${path}/${key}`)),
    );
    if (members === undefined) return this.#map(schema, path);
    const { rules, name } = this.#context;
    const { some, mayBeNone } = inOrder(members, this.#comma(), this.#orderOf(members, path), rules, name);
    const filled = all(text("{"), this.#space(), some, this.#space(), text("}"));
    return mayBeNone ? any(filled, text("{}")) : filled;
  }

  /** The declared members of an object, in their order; undefined: none is declared, and any may stand there. */
  members(schema: SchemaObject, path: string, write: (key: string, value: JsonSchema) => Part): Member[] | undefined {
    const { notes } = this.#context;
    const properties = schemaObject(schema.properties) ?? {};
    const required = requiredOf(schema);
    const open = isOpen(schema);
    const keys = [...new Set([...Object.keys(properties), ...required])];
    const offered = keys.filter((key) => {
      if (key !== "__proto__") return ownMember(properties, key) !== false || required.includes(key);
      notes.add(path, "unwritable", "`__proto__` is refused as a key");
      return required.includes(key);
    });
    const saysFurther = schema.properties === undefined || schemaObject(schema.additionalProperties) !== undefined;
    if (offered.length === 0 && open && (saysFurther || schema.additionalProperties === true)) return undefined;
    if (open)
      notes.add(path, "free-keys", "only the declared keys may be written: `additionalProperties: false` says so");
    const further = (open ? (schema.additionalProperties ?? true) : false) as JsonSchema;
    return offered.map((key) => {
      const declared = ownMember(properties, key) as JsonSchema | undefined;
      const part = key === "__proto__" ? never : write(key, declared ?? further);
      return { part, required: required.includes(key) };
    });
  }

  #orderOf(members: readonly Member[], path: string): "any" | "declared" {
    return orderOf(this.#context.order, members, path, this.#context.notes);
  }

  /** A key as it stands in an object. */
  keyText(key: string): string {
    const { style } = this.#context;
    const [open, close] = style.key;
    return open + quote(key, open === "" ? "raw" : style.quoting, close) + close;
  }

  /** An object whose keys are not declared. */
  #map(schema: SchemaObject, path: string): Part {
    this.#noteFreeKeys(path);
    const value = this.value((schema.additionalProperties ?? true) as JsonSchema, `${path}/{}`);
    return this.#mapOf(value, (schema.minProperties as number | undefined) ?? 0);
  }

  #noteFreeKeys(path: string): void {
    const { style, notes } = this.#context;
    const left =
      style.key[0] === ""
        ? "only those of ASCII letters, digits and `_` may be written"
        : "empty ones, and those with quotes, backslashes or control characters, may not be written";
    notes.add(path, "free-keys", `undeclared keys are free: that none stands twice cannot be said, and ${left}`);
  }

  #mapOf(value: Part, least: number): Part {
    const { style } = this.#context;
    const [open, close] = style.key;
    const inside: Part =
      open === ""
        ? all(chars(rangesOf(letters)), charsOf(rangesOf(`${letters}0123456789`), 0))
        : {
            type: "until",
            not: [...sensitiveKeys, ...this.#context.reserved],
            chars: without(everyChar, [...controls, ...rangesOf("\"'\\")]),
            min: 1,
          };
    const member = this.#ruled("member", all(text(open), inside, text(close), this.#colon(), value));
    const more = many(all(this.#comma(), member), { min: Math.max(0, Math.min(least, 64) - 1) });
    const filled = all(text("{"), this.#space(), member, more, this.#space(), text("}"));
    return least === 0 ? any(filled, text("{}")) : filled;
  }

  /** Any value. */
  #any(path: string): Part {
    this.#noteFreeKeys(path);
    if (this.#anyValue !== undefined) return this.#anyValue;
    const { rules } = this.#context;
    const name = this.#context.name("any");
    const self = rule(name);
    this.#anyValue = self;
    const items = all(self, many(all(this.#comma(), self)));
    const scalars = ["string", "number", "boolean", "null"].map((type) => this.typedPart({ type, schema: {} }, path));
    rules.set(
      name,
      any(...scalars, all(text("["), this.#space(), optional(items), this.#space(), text("]")), this.#mapOf(self, 0)),
    );
    return self;
  }
}

/** The texts in a value, keys too. */
function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...stringsIn(inner)]);
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";

const isEmptyAny = (part: Part) => part.type === "any" && part.parts.length === 0;

/** Members in any order become a rule for each set of them: so many are said in the declared order. */
export function orderOf(
  order: "any" | "declared",
  members: readonly Member[],
  path: string,
  notes: Notes,
): "any" | "declared" {
  if (order === "declared" || members.length <= anyOrderMax) return order;
  notes.add(path, "order", `more than ${anyOrderMax} keys are written in their declared order`);
  return "declared";
}

/** A schema that says nothing of its value. */
function isSilent(schema: SchemaObject): boolean {
  const spoken = [...Object.values(unsaid).flat(), "minLength", "minimum", "maximum", "exclusiveMinimum"];
  const more = ["exclusiveMaximum", "minItems", "maxItems", "properties", "required", "additionalProperties", "items"];
  return ![...spoken, ...more, "prefixItems", "enum", "const"].some((keyword) => Object.hasOwn(schema, keyword));
}

/** The least or the most of a number; of a whole number, the exclusive bound moved by one. */
function bound(inclusive: unknown, exclusive: unknown, type: string, step: 1 | -1): number | undefined {
  const given = [inclusive].filter((value) => typeof value === "number") as number[];
  if (typeof exclusive === "number") {
    const round = step > 0 ? Math.floor : Math.ceil;
    given.push(type === "integer" ? round(exclusive) + step : exclusive);
  }
  if (given.length === 0) return undefined;
  const found = step > 0 ? Math.max(...given) : Math.min(...given);
  return type === "integer" ? (step > 0 ? Math.ceil(found) : Math.floor(found)) : found;
}
