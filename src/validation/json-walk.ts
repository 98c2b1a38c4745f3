type Place = { readonly [key: string | number]: unknown };

/** What one walk over a parsed value finds. */
export interface ValueWalk {
  /** Members of all objects in it. */
  members: number;
  depth: number;
  /** The first number that is none, as a path. */
  nonFinite?: string;
  hasNumber?: true;
  /** A zero: a number that is too small to be one looks like it. */
  hasZero?: true;
  /** The first key that may not be there, as a path. */
  sensitive?: string;
}

/** `__proto__` is never a parameter; the other two are where a tool declares them. */
const sensitiveNames: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** What a walk has still to look at: a place, its depth, and the step by which it was reached. */
interface Step {
  place: Place;
  depth: number;
  key: string;
  above: Step | undefined;
}

/**
 * Walks a JSON value once, with a stack of its own.
 *
 * @param mayHold Whether a key that names part of the prototype machinery is declared at this depth (1 is the
 * arguments object itself). `__proto__` is not asked about.
 */
export function walkValue(value: unknown, mayHold: (key: string, depth: number) => boolean): ValueWalk {
  const walk: ValueWalk = { members: 0, depth: 0 };
  if (typeof value !== "object" || value === null) return walk;
  let work: Step[] | undefined;
  let step: Step | undefined = { place: value as Place, depth: 1, key: "", above: undefined };
  for (; step !== undefined; step = work?.pop()) {
    const { place, depth }: Step = step;
    if (depth > walk.depth) walk.depth = depth;
    const isArray = Array.isArray(place);
    const keys = isArray ? undefined : Object.keys(place);
    const count = keys === undefined ? (place as unknown as unknown[]).length : keys.length;
    if (!isArray) walk.members += count;
    for (let at = 0; at < count; at++) {
      const key: string | number = keys === undefined ? at : keys[at];
      const part: unknown = place[key];
      if (keys !== undefined && isSensitive(keys[at]) && (key === "__proto__" || !mayHold(keys[at], depth))) {
        walk.sensitive ??= `${pathOf(step)}.${key}`;
      }
      if (typeof part === "number") {
        walk.hasNumber = true;
        if (!Number.isFinite(part)) walk.nonFinite ??= pathOf({ place, depth, key: String(key), above: step });
        else if (part === 0) walk.hasZero = true;
      } else if (typeof part === "object" && part !== null) {
        work ??= [];
        work.push({ place: part as Place, depth: depth + 1, key: String(key), above: step });
      }
    }
  }
  return walk;
}

/** Most keys are distinguished by their length. */
function isSensitive(key: string): boolean {
  return (key.length === 9 || key.length === 11) && sensitiveNames.has(key);
}

function pathOf(step: Step): string {
  const keys: string[] = [];
  for (let at: Step | undefined = step; at?.above !== undefined; at = at.above) {
    keys.push(Array.isArray(at.above.place) ? `[${at.key}]` : `.${at.key}`);
  }
  return `arguments${keys.reverse().join("")}`;
}
