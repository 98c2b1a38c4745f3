import { expect, test } from "vitest";
import { formats, parse } from "../src/index.ts";

const tools = [
  { name: "read_dial", parameters: { properties: { dial: { type: "string" }, level: { type: "integer" } } } },
];

/** What a message says of its own accord: without what it quotes. */
const own = (message: string) => message.replace(/"(?:[^"\\]|\\.)*"/g, "");

test("messages speak of what is written, and of no rule of a grammar", () => {
  let asked = 0;
  for (const format of formats) {
    const text = format.renderCall({ name: "read_dial", arguments: { dial: "north", level: 4 } });
    const wraps = [text, text.slice(text.indexOf("\n") + 1)];
    for (const wire of wraps) {
      for (let at = 1; at < wire.length; at += 11) {
        for (const damaged of [wire.slice(0, at) + wire.slice(at + 1), `${wire.slice(0, at)}<${wire.slice(at)}`]) {
          for (const { message } of parse(damaged, { format, tools }).rejected) {
            if (!message.includes("expected")) continue;
            asked++;
            expect(own(message)).not.toMatch(/expected.*(?:[a-z]_[a-z]|[a-z][A-Z])/);
          }
        }
      }
    }
  }
  expect(asked).toBeGreaterThan(100);
});
