/** The kinds of value as bits. `number` holds `integer`, so that two schemas that both apply meet by `&`. */
export const kindBits = {
  null: 1,
  boolean: 2,
  integer: 4,
  number: 4 | 8,
  object: 16,
  array: 32,
  string: 64,
} as const;

/** A number that is no integer. */
export const fractionBit = kindBits.number & ~kindBits.integer;

/** Any kind. */
export const everyKind = 127;

/** The kind of a JSON value, as a bit. */
export function kindOf(value: unknown): number {
  switch (typeof value) {
    case "string":
      return kindBits.string;
    case "number":
      return Number.isInteger(value) ? kindBits.integer : fractionBit;
    case "boolean":
      return kindBits.boolean;
    default:
      if (value === null) return kindBits.null;
      return Array.isArray(value) ? kindBits.array : kindBits.object;
  }
}

/** The kinds of some values. */
export const kindsOf = (values: readonly unknown[]): number =>
  values.reduce<number>((kinds, value) => kinds | kindOf(value), 0);

/** The kinds that `type` of a schema names; `other`: what a name stands for that is none. */
export function kindsNamed(type: unknown, other: number): number {
  let kinds = 0;
  for (const name of Array.isArray(type) ? type : [type]) {
    kinds |= Object.hasOwn(kindBits, name) ? kindBits[name as keyof typeof kindBits] : other;
  }
  return kinds;
}

/** Kinds in words: `integer or null`. */
export function describeKinds(kinds: number): string {
  const names: string[] = [];
  if ((kinds & kindBits.number) === kindBits.number) names.push("number");
  else if ((kinds & kindBits.integer) !== 0) names.push("integer");
  for (const name of ["boolean", "object", "array", "string", "null"] as const) {
    if ((kinds & kindBits[name]) !== 0) names.push(name);
  }
  return names.join(" or ");
}
