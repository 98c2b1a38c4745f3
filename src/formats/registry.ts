import { nearestName } from "../contract/suggest.ts";
import type { Format } from "./format.ts";

/** Formats by id and alias. */
export interface FormatRegistry extends Iterable<Format> {
  /** The format of an id or alias, compared without case and with `-`, `_`, `.` alike. Throws with "did you mean". */
  get(name: string): Format;
  /** Whether `get` would find one. */
  has(name: string): boolean;
  /** Every id, in the order of the formats. */
  readonly ids: readonly string[];
}

const normal = (name: string) => name.toLowerCase().replace(/[-_.]/g, "");

/** Makes a registry; where an alias equals another format's id, the id wins. */
export function createRegistry(formats: readonly Format[]): FormatRegistry {
  const byId = new Map(formats.map((format) => [format.id, format]));
  let names: Map<string, Format> | undefined;
  // Most programs give an id as it is, and need no other name.
  const allNames = () => {
    if (names !== undefined) return names;
    names = new Map();
    for (const format of formats) for (const alias of format.aliases) names.set(normal(alias), format);
    for (const format of formats) names.set(normal(format.id), format);
    return names;
  };
  return {
    ids: formats.map(({ id }) => id),
    has: (name) => byId.has(name) || allNames().has(normal(name)),
    get(name) {
      const format = byId.get(name) ?? allNames().get(normal(name));
      if (format) return format;
      const byName = allNames();
      const near = nearestName(normal(name), byName.keys());
      const hint = near === undefined ? "" : ` Did you mean "${(byName.get(near) as Format).id}"?`;
      throw new TypeError(`there is no format "${name}".${hint} \`formats.ids\` lists all.`);
    },
    [Symbol.iterator]: () => formats[Symbol.iterator](),
  };
}
