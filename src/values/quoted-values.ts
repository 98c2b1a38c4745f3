import type { RepairKind } from "../contract/repairs.ts";
import type { Allowed } from "./allowed-values.ts";
import { compactJson, parseJson, trimJson } from "./json-text.ts";
import { type Places, rewriteScalars } from "./rewrite-scalars.ts";
import { sameJson } from "./same-json.ts";
import { kindBits, kindOf } from "./value-kinds.ts";

/** The repairs that take the quotes off a value. */
export type QuotedKind = Extract<RepairKind, "quoted-scalar" | "quoted-container">;

/** What may be read out of quotes, and where. */
export interface Unquoting {
  /** What may stand in the arguments. */
  readonly allowed: Allowed;
  /** The repairs that may be made. */
  readonly kinds: readonly QuotedKind[];
}

/** A value without its quotes. */
export interface UnquotedValue {
  readonly json: string;
  readonly kind: QuotedKind;
}

/** Whether a string here is certainly none: the schema refuses every string at this place, and allows something else. */
export function refusesStrings({ kinds }: Allowed): boolean {
  return kinds !== 0 && (kinds & kindBits.string) === 0;
}

/**
 * Reads a value that stands in quotes although no string is allowed there. A scalar must be written as JSON writes it:
 * `"3"` and `"null"`, not `"03"`, `"3.0"` or `"1e3"`. A container must be JSON; what is in it is not looked into.
 *
 * @returns undefined when the string stays what it is, for the validator to refuse.
 */
export function unquote(text: string, allowed: Allowed, kinds: readonly QuotedKind[]): UnquotedValue | undefined {
  const trimmed = trimJson(text);
  const isContainer = trimmed.startsWith("{") || trimmed.startsWith("[");
  const kind: QuotedKind = isContainer ? "quoted-container" : "quoted-scalar";
  if (!kinds.includes(kind)) return undefined;
  const value = parseJson(text);
  if (value === undefined || (allowed.kinds & kindOf(value)) === 0) return undefined;
  if (allowed.choices !== undefined && !allowed.choices.some((choice) => sameJson(choice, value))) return undefined;
  if (!isContainer) return JSON.stringify(value) === text ? { json: text, kind } : undefined;
  const compact = compactJson(trimmed);
  return compact?.finite === true ? { json: compact.json, kind } : undefined;
}

/** Takes the quotes off the values of a whole text. */
export function unquoteAll(
  json: string,
  { allowed, kinds }: Unquoting,
): { json: string; kinds: QuotedKind[] } | undefined {
  const made: QuotedKind[] = [];
  const places: Places<Allowed> = {
    root: allowed,
    member: (place, key) => place.member(key),
    item: (place, index) => place.item(index),
  };
  const changed = rewriteScalars(json, places, (token, place) => {
    if (!token.startsWith('"') || !refusesStrings(place)) return undefined;
    const unquoted = unquote(JSON.parse(token) as string, place, kinds);
    if (unquoted !== undefined) made.push(unquoted.kind);
    return unquoted?.json;
  });
  return changed === undefined ? undefined : { json: changed, kinds: made };
}

/** Whether a value holds a string where none is allowed; with a stack of its own. */
export function holdsRefusedString(value: unknown, allowed: Allowed | undefined): boolean {
  if (allowed === undefined) return false;
  if (typeof value === "string") return refusesStrings(allowed);
  if (typeof value !== "object" || value === null) return false;
  let work: [object, Allowed][] | undefined;
  let step: [object, Allowed] | undefined = [value, allowed];
  for (; step !== undefined; step = work?.pop()) {
    const [holder, place]: [object, Allowed] = step;
    const keys = Array.isArray(holder) ? undefined : Object.keys(holder);
    const count = keys === undefined ? (holder as unknown[]).length : keys.length;
    for (let at = 0; at < count; at++) {
      const part = (holder as Record<string | number, unknown>)[keys === undefined ? at : keys[at]];
      if (typeof part !== "string" && (typeof part !== "object" || part === null)) continue;
      const below = keys === undefined ? place.item(at) : place.member(keys[at]);
      if (typeof part !== "string") {
        work ??= [];
        work.push([part, below]);
      } else if (refusesStrings(below)) return true;
    }
  }
  return false;
}
