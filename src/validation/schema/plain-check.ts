import { onceFor } from "../../contract/once-for.ts";
import type { JsonSchema } from "../../contract/types.ts";
import { wordOf } from "../../values/envelope-keys.ts";
import { ownMember, schemaObject } from "../../values/schema-walk.ts";
import { everyKind, kindBits, kindOf, kindsNamed } from "../../values/value-kinds.ts";

// Most schemas name the parameters of a tool and their types, and most arguments fit them. Of such arguments one walk says
// yes; of all others it says nothing, and every question is asked on its own.

/** What a schema of plain shape says of one place. */
interface Place {
  /** As bits of {@link kindBits}. */
  readonly kinds: number;
  /** The only strings. */
  readonly choices: readonly string[] | undefined;
  /** What an item is; undefined: nothing is known of items. */
  readonly item: Place | undefined;
  readonly members: ReadonlyMap<string, Member>;
  /** How many members must be there. */
  readonly needed: number;
}

interface Member {
  readonly place: Place;
  readonly isNeeded: boolean;
}

/** Arguments of a tool that are certainly in order. */
export interface PlainCheck {
  /** The deepest nesting that it says yes to. */
  readonly depth: number;
  /** Some place takes integers and no other numbers; what was written there counts, of which digits may be lost. */
  readonly mayHoldIntegers: boolean;
  /**
   * How many members the value has at any depth; -1: nothing is said of it. Each is declared and of its type, no number is
   * too large to be one, and no key is one of the envelope of a call.
   */
  count(value: unknown): number;
  /** What was counted last holds a zero: a number that is too small to be one looks like it. */
  hasZero: boolean;
}

const none: ReadonlyMap<string, Member> = new Map();

/** These say nothing that is checked. `format` does only where a policy says so. */
const remarks: readonly string[] = ["title", "description", "default", "examples", "format", "$comment", "deprecated"];

const known: readonly string[] = [
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  ...remarks,
];

/** The check of a schema that has been read strictly; undefined: it is of another shape. */
export function plainCheckOf(schema: JsonSchema): PlainCheck | undefined {
  return typeof schema === "object" ? checkOf(schema) : undefined;
}

const checkOf = onceFor((schema: Exclude<JsonSchema, boolean>): PlainCheck | undefined => {
  const { place, depth, hasIntegers } = placeOf(schema);
  if (place === undefined || place.kinds !== kindBits.object) return undefined;
  const check: PlainCheck = {
    depth,
    mayHoldIntegers: hasIntegers,
    count(value) {
      check.hasZero = false;
      return typeof value === "object" && value !== null ? countOf(value, place, check) : -1;
    },
    hasZero: false,
  };
  return check;
});

/** What a schema says, where it says no more than a {@link Place} holds. */
function placeOf(schema: unknown): { place: Place | undefined; depth: number; hasIntegers: boolean } {
  const nothing = { place: undefined, depth: 0, hasIntegers: false };
  const object = schemaObject(schema);
  if (object === undefined || Object.keys(object).some((keyword) => !known.includes(keyword))) return nothing;
  const kinds = kindsOf(ownMember(object, "type"));
  if (kinds === 0) return nothing;
  const choices = ownMember(object, "enum");
  if (choices !== undefined && !(Array.isArray(choices) && kinds === kindBits.string)) return nothing;
  const item = placeOf(ownMember(object, "items"));
  const required = ownMember(object, "required");
  const names = Array.isArray(required) ? new Set<unknown>(required) : new Set();
  const members = new Map<string, Member>();
  let { depth, hasIntegers } = item;
  hasIntegers ||= (kinds & kindBits.number) === kindBits.integer;
  for (const [key, part] of Object.entries(schemaObject(ownMember(object, "properties")) ?? {})) {
    const member = placeOf(part);
    // A member that says more is looked at where it comes.
    if (member.place === undefined || saysMore(key)) continue;
    members.set(key, { place: member.place, isNeeded: names.has(key) });
    depth = Math.max(depth, member.depth);
    hasIntegers ||= member.hasIntegers;
  }
  const place: Place = {
    kinds,
    choices: choices?.filter((choice) => typeof choice === "string"),
    item: item.place,
    members: members.size === 0 ? none : members,
    // What is required and not among them never comes, and then nothing is said.
    needed: names.size,
  };
  return { place, depth: depth + ((kinds & (kindBits.object | kindBits.array)) === 0 ? 0 : 1), hasIntegers };
}

function kindsOf(type: unknown): number {
  const kinds = kindsNamed(type, everyKind + 1);
  return kinds > everyKind ? 0 : kinds;
}

/** Where such a key stands, the arguments may be a call themselves, or a definition; or it may change how objects behave. */
function saysMore(key: string): boolean {
  return wordOf(key) === "synonym" || otherKeys.includes(key);
}

const otherKeys = ["$schema", "properties", "function", "__proto__", "constructor", "prototype"];

/** Members of a container; -1: nothing is said of it. */
function countOf(holder: object, place: Place, check: PlainCheck): number {
  if (Array.isArray(holder)) {
    const { item } = place;
    let count = 0;
    for (let at = 0; at < holder.length; at++) {
      const inner = item === undefined ? -1 : countIn(holder[at], item, check);
      if (inner < 0) return -1;
      count += inner;
    }
    return count;
  }
  const keys = Object.keys(holder);
  let { needed } = place;
  let count = keys.length;
  for (let at = 0; at < keys.length; at++) {
    const member = place.members.get(keys[at]);
    if (member === undefined) return -1;
    const inner = countIn((holder as Readonly<Record<string, unknown>>)[keys[at]], member.place, check);
    if (inner < 0) return -1;
    count += inner;
    if (member.isNeeded) needed--;
  }
  return needed === 0 ? count : -1;
}

function countIn(value: unknown, place: Place, check: PlainCheck): number {
  if (typeof value === "string") {
    const { kinds, choices } = place;
    return (kinds & kindBits.string) !== 0 && (choices === undefined || choices.includes(value)) ? 0 : -1;
  }
  if ((place.kinds & kindOf(value)) === 0) return -1;
  if (typeof value === "number") {
    check.hasZero ||= value === 0;
    return Number.isFinite(value) ? 0 : -1;
  }
  return typeof value === "object" && value !== null ? countOf(value, place, check) : 0;
}
