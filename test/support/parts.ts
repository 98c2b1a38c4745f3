import { holds, type Part, type Parts, type UntilPart } from "../../src/export/parts.ts";

/** Whether a text may be written under a constraint: an acceptor of our own, independent of any engine. */
export function accepts({ root, rules }: Parts, text: string): boolean {
  const memo = new Map<Part, Map<number, readonly number[]>>();
  const once = (ends: Iterable<number>) => [...new Set(ends)];
  const endsOf = (part: Part, at: number): readonly number[] => {
    if (part.type === "text") return text.startsWith(part.text, at) ? [at + part.text.length] : [];
    let places = memo.get(part);
    if (places === undefined) memo.set(part, (places = new Map()));
    let ends = places.get(at);
    if (ends === undefined) {
      places.set(at, []);
      ends = find(part, at);
      places.set(at, ends);
    }
    return ends;
  };
  const find = (part: Exclude<Part, { type: "text" }>, at: number): readonly number[] => {
    switch (part.type) {
      case "all":
        return part.parts.reduce<readonly number[]>(
          (starts, one) => once(starts.flatMap((start) => endsOf(one, start))),
          [at],
        );
      case "any":
        return once(part.parts.flatMap((one) => endsOf(one, at)));
      case "schema":
        return endsOf(part.part, at);
      case "rule": {
        const body = rules.get(part.name);
        if (body === undefined) throw new Error(`no rule ${part.name}`);
        return endsOf(body, at);
      }
      case "chars": {
        const ends = part.min === 0 ? [at] : [];
        for (let end = at, count = 0; end < text.length && count !== part.max; ) {
          const code = text.codePointAt(end) as number;
          if (!holds(part.ranges, code)) break;
          end += code > 0xffff ? 2 : 1;
          count++;
          if (count >= part.min) ends.push(end);
        }
        return ends;
      }
      case "many": {
        const ends = new Set<number>(part.min === 0 ? [at] : []);
        let starts: readonly number[] = [at];
        const seen = new Set<number>();
        for (let count = 1; starts.length > 0 && (part.max === undefined || count <= part.max); count++) {
          const found = once(
            starts.flatMap((start) => {
              const from =
                count === 1 ? start : text.startsWith(part.between, start) ? start + part.between.length : -1;
              return from < 0 ? [] : endsOf(part.part, from);
            }),
          );
          if (count >= part.min) for (const end of found) ends.add(end);
          starts = count < part.min ? found : found.filter((end) => !seen.has(end));
          for (const end of starts) seen.add(end);
        }
        return [...ends];
      }
      default:
        return untilEnds(part, at);
    }
  };
  const untilEnds = (part: UntilPart, at: number): readonly number[] => {
    const ends = new Set<number>(part.min === 0 ? [at] : []);
    const seen = new Set<number>();
    const work = [at];
    for (let place = work.pop(); place !== undefined; place = work.pop()) {
      if (place >= text.length) continue;
      const code = text.codePointAt(place) as number;
      const allowed = place === at && part.first !== undefined ? part.first : part.chars;
      const next = holds(allowed, code) ? [place + (code > 0xffff ? 2 : 1)] : [];
      const byEscape = part.instead !== undefined && allowed === part.chars ? endsOf(part.instead, place) : [];
      for (const end of [...next, ...byEscape]) {
        if (seen.has(end)) continue;
        const longest = Math.max(0, ...part.not.map((word) => word.length));
        const recent = text.slice(Math.max(at, end - longest), end);
        if (part.not.some((word) => recent.endsWith(word)) || isCut(part, recent)) continue;
        seen.add(end);
        if (!part.notLast?.some((last) => recent.endsWith(last))) ends.add(end);
        work.push(end);
      }
    }
    return [...ends];
  };
  return endsOf(root, 0).includes(text.length);
}

/** Whether a text ends like a forbidden string but for its last character, where neither is ASCII. */
function isCut(part: UntilPart, text: string): boolean {
  if (part.coarse !== true) return false;
  const [last = ""] = /[^\x00-\x7f]$/u.exec(text) ?? [];
  if (last === "") return false;
  const before = text.slice(0, -last.length);
  return part.not.some((word) =>
    [...word.matchAll(/[^\x00-\x7f]/gu)].some(({ index }) => index > 0 && before.endsWith(word.slice(0, index))),
  );
}

/** A number from 0 up to 1, and the same row of them for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What a text is made of, to be hard to read. */
const scraps = [
  ..."abcXYZ019 _-.,:;!?'\"\\/<>{}[]()=&|`#*~@$%^+",
  "\n",
  "\n\n",
  "  ",
  "\t",
  "ä",
  "漢字",
  "😀",
  "\u2028",
  "null",
  "true",
  "None",
  "12",
  "-3.5",
  '{"a": 1}',
  '{"a',
  "[1, 2]",
  "[",
  "</",
  "<a>",
  "</b>",
  "&lt;",
  "&amp;",
  "\\n",
  "Action",
  "name",
  "```",
  "word and word",
];

/** How deep the way through rules may go before the shortest way out is taken. */
const deepest = 60;

/** Texts that may be written under a constraint. */
export function sampler({ root, rules }: Parts, random: () => number): () => string {
  const heights = heightsOf({ root, rules });
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)];
  const character = (ranges: readonly number[]): string => {
    const at = 2 * Math.floor(random() * (ranges.length / 2));
    const [first, last] = [ranges[at], ranges[at + 1]];
    return String.fromCodePoint(first + Math.floor(random() * (Math.min(last, first + 200) - first + 1)));
  };
  const times = (min: number, max: number | undefined) => {
    let count = min;
    while ((max === undefined || count < max) && random() < 0.6) count++;
    return count;
  };
  const write = (part: Part, depth: number): string => {
    switch (part.type) {
      case "text":
        return part.text;
      case "all":
        return part.parts.map((one) => write(one, depth)).join("");
      case "any": {
        if (depth < deepest) return write(pick(part.parts), depth);
        const least = Math.min(...part.parts.map(heights));
        return write(part.parts.find((one) => heights(one) === least) as Part, depth);
      }
      case "many": {
        const count = depth < deepest ? times(part.min, part.max) : part.min;
        return Array.from({ length: count }, () => write(part.part, depth + 1)).join(part.between);
      }
      case "chars":
        return Array.from({ length: times(part.min, part.max) }, () => character(part.ranges)).join("");
      case "rule":
        return write(rules.get(part.name) as Part, depth + 1);
      case "schema":
        return write(part.part, depth);
      default:
        return writeUntil(part, depth);
    }
  };
  const writeUntil = (part: UntilPart, depth: number): string => {
    let text = "";
    const beginnings = part.not.flatMap((word) => [
      word.slice(0, -1),
      word.slice(0, 1 + Math.floor(random() * word.length)),
    ]);
    const pool = [...scraps, ...beginnings];
    const wanted = part.min + Math.floor(random() * 12);
    for (let count = 0, tries = 0; count < wanted && tries < 200; tries++) {
      const isEscape = part.instead !== undefined && (text !== "" || part.first === undefined) && random() < 0.15;
      const scrap = isEscape ? write(part.instead as Part, depth) : random() < 0.4 ? character(part.chars) : pick(pool);
      if (scrap === "") continue;
      const allowed = [...scrap].every((char, at) => {
        const ranges = text === "" && at === 0 ? (part.first ?? part.chars) : part.chars;
        return holds(ranges, char.codePointAt(0) as number);
      });
      if (!isEscape && !allowed) continue;
      const longer = text + scrap;
      if (part.not.some((word) => longer.includes(word))) continue;
      if ([...longer].some((_, at, all) => isCut(part, all.slice(0, at + 1).join("")))) continue;
      text += scrap;
      count++;
    }
    // A parameter may be called x: `</x` may be what ends its value.
    const behind = [..."xyz"].find((char) => !part.not.some((word) => (text + char).includes(word)));
    if (part.notLast?.some((last) => text.endsWith(last))) text += behind;
    if (text === "" && part.min > 0) throw new Error(`nothing found that ${JSON.stringify(part.not)} allows`);
    return text;
  };
  return () => write(root, 0);
}

/** How many rules lie at least between a part and its text. */
function heightsOf({ rules }: Parts): (part: Part) => number {
  const known = new Map<string, number>();
  const height = (part: Part): number => {
    switch (part.type) {
      case "all":
        return Math.max(0, ...part.parts.map(height));
      case "any":
        return Math.min(Number.POSITIVE_INFINITY, ...part.parts.map(height));
      case "many":
        return part.min === 0 ? 0 : height(part.part);
      case "schema":
        return height(part.part);
      case "rule":
        return 1 + (known.get(part.name) ?? Number.POSITIVE_INFINITY);
      default:
        return 0;
    }
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (const [name, body] of rules) {
      const found = height(body);
      if (found < (known.get(name) ?? Number.POSITIVE_INFINITY)) {
        known.set(name, found);
        changed = true;
      }
    }
  }
  return height;
}
