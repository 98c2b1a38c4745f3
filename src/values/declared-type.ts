import type { JsonSchema } from "../contract/types.ts";
import { sameJson } from "./same-json.ts";
import { schemaKeywords } from "./schema-keywords.ts";
import { KnownOfSchemas, listOf, ownChoices, ownMember, referredBy, schemaObject } from "./schema-walk.ts";
import { typeNameOf } from "./type-names.ts";
import { everyKind, kindBits, kindOf, kindsNamed, kindsOf } from "./value-kinds.ts";

/** One shape a value may have: its kinds, and the only values allowed where the schema lists them. */
export interface Alternative {
  readonly kinds: number;
  readonly members?: readonly unknown[];
  /** A branch that says nothing of types: it takes on what the others say, and is text when none does. */
  readonly unknown?: boolean;
  /** It says more of a value than its kind, so that not every one of its kinds is legal. */
  readonly limited?: boolean;
  /** No keyword names its kinds; they are those that what it does say is for. */
  readonly implied?: boolean;
}

/** What a schema says of a value that is written as text. */
export interface TextType {
  /** All kinds of all alternatives, as bits of {@link kindBits}. */
  readonly kinds: number;
  readonly alternatives: readonly Alternative[];
  /** A string of any content is allowed. */
  readonly anyString: boolean;
  /** The value is a plain string whatever the text is: it can be sent while it arrives. */
  readonly streams: boolean;
  /** No schema says anything: the value is typed by inference. */
  readonly inferred: boolean;
  /** A schema names the value, and it or a branch of it says nothing of its type: a notation with types of its own keeps them. */
  readonly untyped?: boolean;
}

/** No schema names the value: see `inferText`. */
export const inferredType: TextType = {
  kinds: everyKind,
  alternatives: [{ kinds: everyKind }],
  anyString: true,
  streams: false,
  inferred: true,
};

/** The schema names the value and says nothing of its type: text. */
const plainText: TextType = {
  kinds: kindBits.string,
  alternatives: [{ kinds: kindBits.string }],
  anyString: true,
  streams: true,
  inferred: false,
  untyped: true,
};

/** How deep references and combinations may nest. */
const nestingMax = 64;
/** `allOf` multiplies alternatives; past this the earlier ones stand and validation does the rest. */
const alternativesMax = 64;

const knownTypes = new KnownOfSchemas<TextType>();

/**
 * What a schema says of a value that arrives as text. Cached per schema object.
 *
 * @param schema The schema of the value, `undefined` when no schema speaks of it (then the type is inferred).
 * @param root The document in which `#/...` references are looked up.
 */
export function textTypeOf(schema: JsonSchema | undefined, root: JsonSchema): TextType {
  if (schema === undefined) return inferredType;
  const object = schemaObject(schema);
  if (object === undefined) return plainText;
  const home = schemaObject(root) ?? object;
  return knownTypes.of(object, home, () => {
    const alternatives = alternativesOf(object, home, new Map(), 0);
    if (alternatives === undefined) return plainText;
    const untyped = alternatives.some(({ unknown }) => unknown);
    return { ...makeType(alternatives.map(settleUnknown)), untyped };
  });
}

/**
 * The type that a reply gives beside a value, where the schema leaves a choice: of several types that one, and that one
 * where no schema speaks. Where the schema does not allow it, it says no more than whether the value is a string, and nothing if the
 * schema allows no others; a word that is no type changes nothing. Which numbers there may be is the schema's to say.
 */
export function narrowedType(type: TextType | undefined, word: string): TextType | undefined {
  const name = word === "" ? undefined : typeNameOf(word);
  if (name === undefined || !Object.hasOwn(kindBits, name)) return type;
  const said: Alternative = { kinds: kindBits[name === "integer" ? "number" : (name as keyof typeof kindBits)] };
  if (type === undefined || type.inferred || type.untyped) return makeType([said]);
  const left = intersect(type.alternatives, [said]);
  if (left.length > 0) return makeType(left);
  const others = type.kinds & ~kindBits.string;
  return name === "string" || others === 0 ? type : makeType(intersect(type.alternatives, [{ kinds: others }]));
}

function settleUnknown(alternative: Alternative): Alternative {
  return alternative.unknown === true ? { kinds: kindBits.string } : alternative;
}

function makeType(alternatives: readonly Alternative[]): TextType {
  let kinds = 0;
  let anyString = false;
  for (const alternative of alternatives) {
    kinds |= alternative.kinds;
    if (alternative.members === undefined) anyString ||= (alternative.kinds & kindBits.string) !== 0;
  }
  return {
    kinds,
    alternatives,
    anyString,
    streams: anyString && kinds === kindBits.string,
    inferred: false,
  };
}

/** The alternatives of a schema, or undefined when it says nothing of types. `known`: those of schemas met before. */
function alternativesOf(
  schema: JsonSchema | undefined,
  root: JsonSchema,
  known: Map<object, readonly Alternative[] | undefined>,
  depth: number,
): readonly Alternative[] | undefined {
  const object = schemaObject(schema);
  if (object === undefined || depth > nestingMax) return undefined;
  if (known.has(object)) return known.get(object);
  // A schema that refers to itself says nothing of itself.
  known.set(object, undefined);
  let result: readonly Alternative[] | undefined;
  const ofPart = (part: JsonSchema) => alternativesOf(part, root, known, depth + 1);
  const meet = (other: readonly Alternative[] | undefined) => {
    if (other !== undefined) result = result === undefined ? other : intersect(result, other);
  };

  meet(ofKinds(kindsNamed(ownMember(object, "type"), 0)));
  const members = ownChoices(object);
  if (members !== undefined) meet([{ kinds: kindsOf(members), members }]);
  for (const target of referredBy(object, root)) meet(ofPart(target));
  for (const part of listOf(object, "allOf")) meet(ofPart(part));
  for (const keyword of ["anyOf", "oneOf"]) meet(union(listOf(object, keyword).map(ofPart)));
  result ??= impliedBy(object);
  result = result?.flatMap((one) => partedByLimits(one, object));
  // OpenAPI's word for "or null".
  if (ownMember(object, "nullable") === true && result !== undefined) result = [...result, { kinds: kindBits.null }];
  known.set(object, result);
  return result;
}

/** What a schema says of some kinds of values beside their type. */
const limitsOfKinds: readonly (readonly [kinds: number, keywords: readonly string[]])[] = [
  [kindBits.string, ["pattern", "minLength", "maxLength", "not", "if"]],
  [kindBits.number, ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "not", "if"]],
  [everyKind & ~(kindBits.string | kindBits.number), []],
];

/** Strings and numbers have limits of their own. */
function partedByLimits(one: Alternative, schema: object): readonly Alternative[] {
  const has = (keyword: string) => ownMember(schema, keyword) !== undefined;
  if (one.members !== undefined || !limitsOfKinds.some(([, keywords]) => keywords.some(has))) return [one];
  return limitsOfKinds.flatMap(([bits, keywords]) => {
    const kinds = one.kinds & bits;
    if (kinds === 0) return [];
    return [keywords.some(has) ? { ...one, kinds, limited: true } : { ...one, kinds }];
  });
}

const ofKinds = (kinds: number): readonly Alternative[] | undefined => (kinds === 0 ? undefined : [{ kinds }]);

/** Keywords that make sense for one kind only, where nothing else shows the kind. */
function impliedBy(schema: { readonly [keyword: string]: unknown }): readonly Alternative[] | undefined {
  let kinds = 0;
  for (const keyword of Object.keys(schema)) {
    const facts = schemaKeywords.get(keyword);
    if (facts?.implies) kinds |= facts.kinds ?? 0;
  }
  return kinds === 0 ? undefined : [{ kinds, implied: true }];
}

function union(branches: readonly (readonly Alternative[] | undefined)[]): readonly Alternative[] | undefined {
  if (branches.every((branch) => branch === undefined)) return undefined;
  return distinct(branches.flatMap((branch) => branch ?? [{ kinds: everyKind, unknown: true }]));
}

/** Without what says the same as one before: alternatives that share what they refer to would double at each level. */
function distinct(alternatives: readonly Alternative[]): readonly Alternative[] {
  const seen = new Set<unknown>();
  return alternatives.filter((alternative) => {
    const { kinds, members, limited = false, unknown = false, implied = false } = alternative;
    const key = members === undefined ? `${kinds} ${limited} ${unknown} ${implied}` : alternative;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function intersect(left: readonly Alternative[], right: readonly Alternative[]): readonly Alternative[] {
  if (left === right || left.length * right.length > alternativesMax) return left;
  const result: Alternative[] = [];
  for (const one of left) {
    for (const other of right) {
      const kinds = kindsOfBoth(one, other);
      if (kinds === 0) continue;
      const limited = one.limited || other.limited ? { limited: true } : {};
      if (one.implied && other.implied) {
        result.push({ kinds, ...limited, implied: true });
        continue;
      }
      const unknown = one.unknown === true && other.unknown === true;
      const members = intersectMembers(one.members, other.members, kinds);
      if (members === undefined) result.push({ kinds, ...limited, ...(unknown ? { unknown } : {}) });
      else if (members.length > 0) result.push({ kinds, members });
    }
  }
  return result;
}

/** What a schema says of some kinds alone excludes no others. */
function kindsOfBoth(one: Alternative, other: Alternative): number {
  if (one.implied) return other.implied ? one.kinds | other.kinds : other.kinds;
  return other.implied ? one.kinds : one.kinds & other.kinds;
}

function intersectMembers(
  left: readonly unknown[] | undefined,
  right: readonly unknown[] | undefined,
  kinds: number,
): readonly unknown[] | undefined {
  const members =
    left === undefined || right === undefined
      ? (left ?? right)
      : left.filter((value) => right.some((other) => sameJson(value, other)));
  return members?.filter((value) => (kindOf(value) & kinds) !== 0);
}

/** A list, and nothing that a single text could be: it may be given item by item. */
export const isList = (type: TextType | undefined): boolean =>
  type !== undefined && !type.inferred && !type.anyString && (type.kinds & kindBits.array) !== 0;
