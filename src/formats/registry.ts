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
  const byName = new Map<string, Format>();
  for (const format of formats) for (const alias of format.aliases) byName.set(normal(alias), format);
  for (const format of formats) byName.set(normal(format.id), format);
  return {
    ids: formats.map(({ id }) => id),
    has: (name) => byName.has(normal(name)),
    get(name) {
      const format = byName.get(normal(name));
      if (format) return format;
      const near = nearestName(normal(name), byName.keys());
      const hint = near === undefined ? "" : ` Did you mean "${(byName.get(near) as Format).id}"?`;
      throw new TypeError(`there is no format "${name}".${hint} \`formats.ids\` lists all.`);
    },
    [Symbol.iterator]: () => formats[Symbol.iterator](),
  };
}
