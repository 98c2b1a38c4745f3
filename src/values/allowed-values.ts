import { onceFor } from "../contract/once-for.ts";
import type { JsonSchema } from "../contract/types.ts";
import { Kept } from "../machine/kept.ts";
import { type References, referencesOf } from "./schema-references.ts";
import {
  listOf,
  matchingPatterns,
  ownChoices,
  ownItem,
  ownMember,
  patternKeyCharsMax,
  type SchemaObject,
  schemaObject,
} from "./schema-walk.ts";
import { everyKind, kindBits, kindsNamed, kindsOf } from "./value-kinds.ts";

// What may stand at a place, at most: if the answer to "is a string allowed here?" is no, the schema surely
// refuses every string. Where a schema says less than that, or says it in a way that is not followed here, the answer is
// that anything may stand there.

/** What may stand at one place, at most. */
export interface Allowed {
  /** As bits of `kindBits`. */
  readonly kinds: number;
  /** The only values, where the schema lists them. */
  readonly choices: readonly unknown[] | undefined;
  member(key: string): Allowed;
  item(index: number): Allowed;
}

const anything: Allowed = {
  kinds: everyKind,
  choices: undefined,
  member: () => anything,
  item: () => anything,
};

const nothing: Allowed = { ...anything, kinds: 0 };
const onlyNull: Allowed = { ...anything, kinds: kindBits.null };

/** So much of what stands below a place is kept, by key or index: undeclared keys are the model's, and there is no end to them. */
const keptMax = 256;

/** Parts of which all apply, or one of which does. */
class Combined implements Allowed {
  readonly kinds: number;
  readonly choices: readonly unknown[] | undefined;
  readonly #parts: readonly Allowed[];
  readonly #combine: (parts: readonly Allowed[]) => Allowed;
  readonly #below = new Kept<string | number, Allowed>(keptMax);

  constructor(
    parts: readonly Allowed[],
    kinds: number,
    choices: readonly unknown[] | undefined,
    combine: (parts: readonly Allowed[]) => Allowed,
  ) {
    this.#parts = parts;
    this.kinds = kinds;
    this.choices = choices;
    this.#combine = combine;
  }

  member(key: string): Allowed {
    return this.#below.get(key) ?? this.#keep(key, kindBits.object, (part) => part.member(key));
  }

  item(index: number): Allowed {
    return this.#below.get(index) ?? this.#keep(index, kindBits.array, (part) => part.item(index));
  }

  #keep(step: string | number, kind: number, below: (part: Allowed) => Allowed): Allowed {
    const parts = this.#parts.filter((part) => (part.kinds & kind) !== 0);
    return this.#below.keep(step, this.#combine(parts.map(below)));
  }
}

function all(parts: readonly Allowed[]): Allowed {
  const speaking = parts.filter((part) => part !== anything);
  if (speaking.length < 2) return speaking[0] ?? anything;
  const kinds = speaking.reduce((common, part) => common & part.kinds, everyKind);
  return new Combined(speaking, kinds, speaking.find((part) => part.choices)?.choices, all);
}

function some(parts: readonly Allowed[]): Allowed {
  if (parts.length === 0 || parts.includes(anything)) return anything;
  if (parts.length === 1) return parts[0] as Allowed;
  const kinds = parts.reduce((union, part) => union | part.kinds, 0);
  const choices = parts.every((part) => part.choices) ? parts.flatMap((part) => part.choices ?? []) : undefined;
  return new Combined(parts, kinds, choices, some);
}

/** What one schema says by its own keywords. */
class Own implements Allowed {
  readonly kinds: number;
  readonly choices: readonly unknown[] | undefined;
  readonly #schema: SchemaObject;
  readonly #of: (schema: unknown) => Allowed;
  readonly #below = new Kept<string | number, Allowed>(keptMax);

  constructor(schema: SchemaObject, of: (schema: unknown) => Allowed) {
    this.#schema = schema;
    this.#of = of;
    this.choices = ownChoices(schema);
    const kinds = this.choices === undefined ? everyKind : kindsOf(this.choices);
    this.kinds = kinds & kindsNamed(ownMember(schema, "type"), everyKind);
  }

  member(key: string): Allowed {
    return this.#below.get(key) ?? this.#below.keep(key, this.#member(key));
  }

  #member(key: string): Allowed {
    const property = ownMember(ownMember(this.#schema, "properties"), key);
    const parts = [...(property === undefined ? [] : [property]), ...matchingPatterns(this.#schema, key)];
    if (parts.length > 0) return all(parts.map(this.#of));
    // A long key may match a pattern that was not tried.
    if (key.length > patternKeyCharsMax && Object.hasOwn(this.#schema, "patternProperties")) return anything;
    return this.#of(ownMember(this.#schema, "additionalProperties"));
  }

  item(index: number): Allowed {
    return this.#of(ownItem(this.#schema, index));
  }
}

const allowedIn = onceFor((root: SchemaObject) => new Document(referencesOf(root)).of(root));

/** What may stand where a schema applies, at most; made once per schema. */
export function allowedBy(root: JsonSchema): Allowed {
  if (typeof root === "boolean") return root ? anything : nothing;
  return allowedIn(root);
}

class Document {
  readonly #references: References;
  readonly #known = new Map<object, Allowed>();

  constructor(references: References) {
    this.#references = references;
  }

  readonly of = (schema: unknown): Allowed => {
    if (schema === false) return nothing;
    const source = schemaObject(schema);
    if (source === undefined) return anything;
    const known = this.#known.get(source);
    if (known !== undefined) return known;
    // A schema that refers to itself says nothing of itself.
    this.#known.set(source, anything);
    const allowed = this.#read(source);
    this.#known.set(source, allowed);
    return allowed;
  };

  #read(schema: SchemaObject): Allowed {
    const reference = ownMember(schema, "$ref");
    const target = typeof reference === "string" ? this.#references.target(schema, reference) : undefined;
    if (this.#references.isEarly && target !== undefined) return this.of(target);
    const parts: Allowed[] = [new Own(schema, this.of), this.of(target)];
    for (const part of listOf(schema, "allOf")) parts.push(this.of(part));
    for (const keyword of ["anyOf", "oneOf"]) parts.push(some(listOf(schema, keyword).map(this.of)));
    if (Object.hasOwn(schema, "if")) {
      parts.push(some([this.of(ownMember(schema, "then")), this.of(ownMember(schema, "else"))]));
    }
    const allowed = all(parts);
    return ownMember(schema, "nullable") === true ? some([onlyNull, allowed]) : allowed;
  }
}
