import { jsonStyle, type Quoting, type RenderTemplate, slot, type ValueStyle } from "../../contract/render-template.ts";
import { mentions } from "./read-sample.ts";

// Ways in which a format may write what its sample does not show: each is written and read again, and the first that works is taken.

/** A style and others near it, likeliest first. */
export function stylesLike(shown: ValueStyle, spellings: readonly ValueStyle["words"][]): ValueStyle[] {
  const keys = [shown.key, ["", ""], shown.string, ['"', '"']] as [string, string][];
  const quotings: Quoting[] = ["json", "raw", "entity"];
  const spaced = [
    [shown.colon, shown.comma],
    [":", ","],
  ];
  const made = spaced.flatMap(([colon, comma]) =>
    keys.flatMap((key) =>
      quotings.flatMap((quoting) => spellings.map((words) => ({ ...shown, key, quoting, colon, comma, words }))),
    ),
  );
  const plain = spellings.map((words) => ({ ...jsonStyle, words }));
  return [...new Map([...made, ...plain].map((style) => [JSON.stringify(ordered(style)), style])).values()];
}

/** Where a member says that it is a string, how it may say that it is something else: the names of JSON Schema's types. */
export function typedMembers(middle: string): [kinds: string, middle: string][] {
  const [said] = mentions("string", middle, { start: 0, end: middle.length });
  if (said === undefined) return [];
  const names = { "0": "number", tf: "boolean", n: "null", "[": "array", "{": "object" };
  return Object.entries(names).map(([kinds, name]) => [
    kinds,
    middle.slice(0, said.start) + name + middle.slice(said.end),
  ]);
}

/** How strings may be written where they are arguments by themselves; in quotes only where nothing else carries more. */
export function textWays(template: RenderTemplate): RenderTemplate[] {
  const quotings = ["json", "entity"] as const;
  const [strings, ...others] = template.members as NonNullable<RenderTemplate["members"]>;
  const [kinds, ...pieces] = strings;
  const quoted = pieces.flatMap((piece) => (piece === slot.value ? ['"', piece, '"'] : [piece]));
  const rest: typeof others = kinds === '"' ? others : [[kinds.slice(1), ...pieces], ...others];
  return [
    template,
    ...quotings.map((quoting) => ({ ...template, quoting })),
    { ...template, quoting: "json", members: [['"', ...quoted], ...rest] },
  ];
}

/** Pairs that may stand round a string: the end of what is before it, the beginning of what is after it. */
export function wrappersOf(before: string, after: string): [open: string, close: string][] {
  const pairs: [string, string][] = [];
  const longest = 16;
  for (let open = 1; open <= Math.min(before.length, longest); open++) {
    for (let close = 1; close <= Math.min(after.length, longest); close++) {
      pairs.push([before.slice(-open), after.slice(0, close)]);
    }
  }
  const rank = ([open, close]: [string, string]) => (open === close ? 0 : open.length === close.length ? 1 : 2);
  return pairs
    .sort((left, right) => rank(left) - rank(right) || left.join("").length - right.join("").length)
    .slice(0, 80);
}

/** The same object with its keys in alphabetical order, so that generated files do not depend on the search. */
export function ordered<Value extends object>(value: Value): Value {
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries) as Value;
}
