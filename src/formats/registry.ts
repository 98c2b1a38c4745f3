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

/**
 * Makes a registry; where an alias equals another format's id, the id wins.
 *
 * @param makers by id. Most programs give an id as it is and need one format, so each is made when it is first asked for.
 */
export function createRegistry(makers: Readonly<Record<string, () => Format>>): FormatRegistry {
  const made = new Map<string, Format>();
  const ids = Object.keys(makers);
  const byId = (id: string): Format | undefined => {
    let format = made.get(id);
    if (format === undefined && Object.hasOwn(makers, id)) made.set(id, (format = makers[id]()));
    return format;
  };
  const all = () => ids.map((id) => byId(id) as Format);
  let names: Map<string, Format> | undefined;
  const allNames = () => {
    if (names !== undefined) return names;
    names = new Map();
    for (const format of all()) for (const alias of format.aliases) names.set(normal(alias), format);
    for (const format of all()) names.set(normal(format.id), format);
    return names;
  };
  return {
    ids,
    has: (name) => Object.hasOwn(makers, name) || allNames().has(normal(name)),
    get(name) {
      const format = byId(name) ?? allNames().get(normal(name));
      if (format) return format;
      const byName = allNames();
      const near = nearestName(normal(name), byName.keys());
      const hint = near === undefined ? "" : ` Did you mean "${(byName.get(near) as Format).id}"?`;
      throw new TypeError(
        `there is no format "${name}".${hint} \`formats.ids\` lists all, and so does \`npx toolpeg formats\`.`,
      );
    },
    [Symbol.iterator]: () => all()[Symbol.iterator](),
  };
}
