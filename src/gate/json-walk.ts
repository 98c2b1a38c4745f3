type Place = { readonly [key: string]: unknown };

/** What one walk over a parsed value finds. */
export interface ValueWalk {
  /** Members of all objects in it. */
  members: number;
  depth: number;
  /** The first number that is none, as a path. */
  nonFinite?: string;
  /** The first key that may not be there, as a path. */
  sensitive?: string;
}

/** `__proto__` is never a parameter; the other two are where a tool declares them. */
const sensitiveNames: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Walks a JSON value once, with a stack of its own.
 *
 * @param mayHold Whether a key that names part of the prototype machinery is declared at this depth (1 is the
 * arguments object itself). `__proto__` is not asked about.
 */
export function walkValue(value: unknown, mayHold: (key: string, depth: number) => boolean): ValueWalk {
  const walk: ValueWalk = { members: 0, depth: 0 };
  const work: { place: Place; depth: number; path: string }[] = [];
  if (typeof value === "object" && value !== null) work.push({ place: value as Place, depth: 0, path: "arguments" });
  for (;;) {
    const item = work.pop();
    if (item === undefined) return walk;
    const depth = item.depth + 1;
    if (depth > walk.depth) walk.depth = depth;
    const isArray = Array.isArray(item.place);
    for (const key of Object.keys(item.place)) {
      if (!isArray) {
        walk.members++;
        if (sensitiveNames.has(key) && (key === "__proto__" || !mayHold(key, depth))) {
          walk.sensitive ??= `${item.path}.${key}`;
        }
      }
      const part: unknown = item.place[key];
      if (typeof part === "number" && !Number.isFinite(part)) walk.nonFinite ??= step(item.path, key, isArray);
      if (typeof part !== "object" || part === null) continue;
      work.push({ place: part as Place, depth, path: step(item.path, key, isArray) });
    }
  }
}

function step(path: string, key: string, isArray: boolean): string {
  return isArray ? `${path}[${key}]` : `${path}.${key}`;
}
