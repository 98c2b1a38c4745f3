import type { Random } from "./random.ts";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** How to write a document; what is left out is strict JSON. */
export interface Style {
  indent?: string;
  key?: (key: string) => string;
  string?: (text: string, key: string) => string;
  scalar?: (value: number | boolean | null) => string;
  comma?: (inObject: boolean) => string;
  colon?: string;
  close?: (closer: string) => string;
  open?: (opener: string) => string;
}

/** Writes a document in a style; damage that is a habit of the writer is a style. */
export function write(value: Json, style: Style = {}, key = "", depth = 0): string {
  if (typeof value === "string") return style.string === undefined ? JSON.stringify(value) : style.string(value, key);
  if (typeof value !== "object" || value === null) return (style.scalar ?? String)(value);
  const isArray = Array.isArray(value);
  const line = style.indent === undefined ? "" : `\n${style.indent.repeat(depth + 1)}`;
  const lastLine = style.indent === undefined ? "" : `\n${style.indent.repeat(depth)}`;
  const members = isArray
    ? value.map((item) => write(item, style, key, depth + 1))
    : Object.entries(value).map(
        ([name, item]) =>
          (style.key ?? JSON.stringify)(name) + (style.colon ?? ": ") + write(item, style, name, depth + 1),
      );
  const opener = isArray ? "[" : "{";
  const closer = isArray ? "]" : "}";
  const separator = style.comma?.(!isArray) ?? ",";
  const body = members.length === 0 ? "" : line + members.join(separator + (line === "" ? " " : line)) + lastLine;
  return (style.open?.(opener) ?? opener) + body + (style.close?.(closer) ?? closer);
}

export const sentences = [
  "The meeting moved to Thursday; bring the draft.",
  "Please check the third row again",
  "Rain until noon, then clear (about 14 degrees).",
  "Two options: keep it, or start over",
  "Grüße aus Köln – bis morgen!",
  "Cost is 40% lower than last year's",
  "no changes needed",
  "Ships within 3-5 days",
];
const words = ["north", "blue tea", "invoice", "draft", "riverbank", "Oslo", "v2 plan", "café", "alpha", "weekly"];
const keys = [
  "title",
  "query",
  "city",
  "limit",
  "path",
  "note",
  "labels",
  "owner",
  "mode",
  "count",
  "options",
  "status",
  "ratio",
  "active",
];

export const code = [
  'print("hello")\nfor name in names:\n    print(f"hi {name}")\n',
  'const m = {"u": 1, "v": "two"};\nrun(m["u"], "fast");',
  'if (state == "open") { next = "closed"; }',
  'fields = ["id", "name"]\nrows = load("a.csv", sep=",")',
  'echo "start" && grep -n "TODO" src/*.ts',
];
export const queries = [
  'SELECT "name", "id" FROM "users" WHERE "city" = "Oslo"',
  'UPDATE "orders" SET "state" = "paid" WHERE "id" = 7',
];
export const markup = [
  '<a href="https://h.test/x" class="big">more</a>',
  '<div id="main"><img src="a.png" alt="a dog"></div>',
];
export const embedded = [
  '{"kind":"note","tags":["a","b"]}',
  '[{"x":1,"y":"two"},{"x":2,"y":"three"}]',
  '{"user": {"name": "Ada"}, "ok": true}',
];

/** A tool's arguments: some members of the usual types, in any order. */
export function makeDocument(random: Random): JsonObject {
  const document: JsonObject = {};
  const size = 3 + random.below(4);
  while (Object.keys(document).length < size) document[random.pick(keys)] = makeValue(random, 0);
  return document;
}

function makeValue(random: Random, depth: number): Json {
  const kind = random.below(depth > 1 ? 6 : 9);
  if (kind < 2) return random.pick(sentences);
  if (kind === 2) return random.pick(words);
  if (kind === 3) return random.below(2000) - 100;
  if (kind === 4) return random.below(1000) / 8;
  if (kind === 5) return random.pick([true, false, null]);
  if (kind === 6) return Array.from({ length: 1 + random.below(4) }, () => random.pick(words));
  if (kind === 7) return Array.from({ length: 1 + random.below(4) }, () => random.below(100));
  const inner: JsonObject = {};
  for (let count = 1 + random.below(3); count > 0; count--) inner[random.pick(keys)] = makeValue(random, depth + 1);
  return inner;
}
