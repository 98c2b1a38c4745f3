/** A long stream forgets the text that nobody asks for again: what is asked for is there, whatever stands in the text. */
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createParser, type Format, parse } from "../src/core.ts";
import { formats } from "../src/index.ts";
import { TextStore } from "../src/machine/text-store.ts";
import { recovery } from "../src/recovery.ts";
import { validateSchema } from "../src/validation/validate-schema.ts";

const releasedChars = 8192;

afterEach(() => vi.restoreAllMocks());

/** Fails where text is asked for that has been released. */
function watchStores(): void {
  const releasedTo = new WeakMap<TextStore, number>();
  const { release, slice } = TextStore.prototype;
  vi.spyOn(TextStore.prototype, "release").mockImplementation(function (this: TextStore, upTo: number) {
    releasedTo.set(this, Math.max(upTo, releasedTo.get(this) ?? 0));
    release.call(this, upTo);
  });
  vi.spyOn(TextStore.prototype, "slice").mockImplementation(function (this: TextStore, start: number, end: number) {
    const released = releasedTo.get(this) ?? 0;
    if (end > start && start < released)
      throw new Error(`text from ${start} is asked for, and released to ${released}`);
    return slice.call(this, start, end);
  });
}

const tools = [
  { name: "read_dial", parameters: { type: "object", properties: { dial: { type: "string" } } } },
  { name: "list_dials", parameters: { type: "object", properties: {} } },
] as const;

/** The root entry keeps all of a text in which no call has been found; the core looks for no other format. */
function isAsWhole(id: string, text: string, size: number): void {
  const options = { format: formats.get(id) as Format, tools, recovery, policy: { validate: validateSchema } };
  const parser = createParser(options);
  for (let at = 0; at < text.length; at += size) parser.push(text.slice(at, at + size));
  parser.end();
  const { calls, rejected, content } = parser.result();
  const whole = parse(text, options);
  expect(calls.map(({ name, arguments: given }) => [name, given])).toEqual(
    whole.calls.map(({ name, arguments: given }) => [name, given]),
  );
  expect(rejected.map(({ reason, start, end }) => [reason, start, end])).toEqual(
    whole.rejected.map(({ reason, start, end }) => [reason, start, end]),
  );
  expect(content).toBe(whole.content);
}

const fences = ["\n```\n", "\n~~~\n", "\n- ```\n", "\n> ```js\n", "\n`a`", "\n  - > ~~~\n", "```", "`", "\n$ ``a"];
const lines = [
  "- ```\n  > ~~~\n",
  "`a\n",
  `${"word ".repeat(90)}\`\`\`\n`,
  "<think>\n\n</think>\n",
  "<!-- a\n-->\n",
  "<pre>\n</pre> `\n",
  "<|im_end|>\n",
  '{"a": "`"}\n',
];

describe("text of a long stream that is asked for again is there", () => {
  test.each(fences)("%j after what is released", (fence) => {
    watchStores();
    for (let before = releasedChars - 8; before < releasedChars + 120; before += 3) {
      const text = `${"x".repeat(before)}${fence}${"y".repeat(300)}`;
      isAsWhole("hermes", text, 100);
    }
  });

  test.each(lines)("lines of %j", (line) => {
    watchStores();
    const text = line.repeat(Math.ceil(30_000 / line.length));
    for (const size of [50, 77, 300]) isAsWhole("qwen3_coder", text, size);
  });

  test.each(["README.md", "docs/errors.md", "docs/guarantees.md"])("%s", (file) => {
    watchStores();
    const text = readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
    for (const size of [63, 100, 333]) isAsWhole("hermes", text, size);
  });

  test("a call of each format after a long text", () => {
    watchStores();
    for (const { id, example, triggers } of formats) {
      const opener = triggers[0] ?? "";
      const text = `${"Some words. ".repeat(685)}\n\`\`\`\n${opener}\n\`\`\`\n${"\n- a ``b`` c".repeat(40)}\n${example}`;
      isAsWhole(id, text, 90);
    }
  });
});
