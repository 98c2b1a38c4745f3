import { expect, test } from "vitest";
import { JsonScanner } from "../src/machine/json-scanner.ts";
import { JsonWriter } from "../src/values/json-writer.ts";

const objects = [
  "{}",
  '{"a":[],"b":{}}',
  '{ "dial" : "north" ,\n"times":[ 1, -0.5e+3 ,true,false , null,[{}]]\t}',
  '{"":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00 🧭 北","\\u0061":{"__proto__":{"n":0}}}',
  '{"open \\ud83d":"half of a pair \ud83d","x":12345678901234567890}',
];

/** What a scanner makes of a text that comes in pieces of a size: where it stops, and the JSON of what it has said. */
function scan(text: string, size: number): { end: number; json: string; saidTo: number } {
  const scanner = new JsonScanner();
  const writer = new JsonWriter();
  scanner.begin(0, {
    beginObject: () => writer.beginObject(),
    endObject: () => writer.endObject(),
    beginArray: () => writer.beginArray(),
    endArray: () => writer.endArray(),
    beginString: (at, key) => writer.beginString(at, key),
    text: (piece) => writer.text(piece),
    escaped: (piece) => writer.escaped(piece),
    endString: () => writer.endString(),
    literal: (json, start, end) => {
      expect(text.slice(start, end)).toBe(json);
      writer.literal(json);
    },
  });
  let end = -1;
  for (let at = 0; at < text.length && end === -1; at += size) end = scanner.push(text.slice(at, at + size), at);
  return { end, json: writer.jsonText, saidTo: scanner.saidTo };
}

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test("an object is read alike in pieces of any size, up to its brace", () => {
  for (const object of objects) {
    for (let size = 1; size <= object.length; size++) {
      const { end, json } = scan(`${object} and so on`, size);
      expect(end).toBe(object.length);
      expect(JSON.parse(json)).toEqual(JSON.parse(object));
    }
  }
});

test("of what is no JSON nothing is taken for an object, and of an object no part is refused", () => {
  const marks = ['"', "\\", "{", "}", "[", "]", ",", ":", "1", "-", ".", "e", "t", "u", " ", "\n", "\u0000", "é", ""];
  for (const object of objects) {
    for (let at = 1; at < object.length; at++) {
      for (const mark of marks) {
        const text = object.slice(0, at) + mark + object.slice(at + 1);
        const first = scan(text, text.length);
        for (const size of [1, 3]) expect(scan(text, size).end).toBe(first.end);
        const ends = [...text.matchAll(/\}/g)]
          .map(({ index }) => index + 1)
          .filter((end) => isJson(text.slice(0, end)));
        expect(first.end >= 0 ? [first.end] : []).toEqual(ends);
      }
    }
  }
});
