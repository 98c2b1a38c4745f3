import { defineFormat } from "../../formats/define-format.ts";
import type { FormatData } from "../../formats/format-data.ts";
import { type GrammarError, grammarError, rangeAt, type SourceRange } from "../parse/grammar-error.ts";
import { type LinkedGrammar, rulePlaces } from "../parse/linked-grammar.ts";
import { readSample, type Sample, whyNoSample } from "./read-sample.ts";

/**
 * What the header shows is what the format reads and writes: the example and `render:` are calls, nothing but calls, and
 * what the format writes in their place is the same text, byte for byte.
 */
export function checkSamples(grammar: LinkedGrammar, data: FormatData): GrammarError[] {
  const { files, header } = grammar;
  const [own] = files;
  const refuse = (key: "example" | "render", message: string, help: string): GrammarError[] => {
    const span = header.spans[key] ?? rangeAt(own, 0, 0);
    return [grammarError(files, span as SourceRange, message, { help })];
  };
  const shown = { example: header.example, render: header.render } as const;
  for (const key of ["example", "render"] as const) {
    const sample = shown[key];
    if (sample === undefined) continue;
    const read = readSample(data, sample);
    if (read === undefined) {
      const help = "try `toolpeg explain` with this text: it shows where the grammar stops";
      const why = whyNoSample(data, sample, rulePlaces(grammar));
      return refuse(key, `the ${key} in the header is not read as a call: ${why}`, help);
    }
  }
  if (header.example === undefined) {
    return refuse(
      "example",
      "the header shows no call",
      "write `example:` and, indented below it, a call as models write it",
    );
  }
  if (data.template === undefined) {
    const help =
      "add `render:` with a message of two calls, several arguments, and a call without any: docs/rendering.md";
    return refuse(header.render === undefined ? "example" : "render", "nothing shows how calls are written", help);
  }
  const key = header.render === undefined ? "example" : "render";
  const sample = shown[key] as string;
  const { text, given } = readSample(data, sample) as Sample;
  let written: string;
  try {
    written = defineFormat(data).renderCalls(given);
  } catch (error) {
    return refuse(
      key,
      `the calls of the ${key} cannot be written: ${(error as Error).message}`,
      "see docs/rendering.md",
    );
  }
  // What is said or thought before the calls is none of theirs.
  if (text.endsWith(written) && sample.endsWith(written)) return [];
  const differs = `written ${clipped(written, text)}, shown ${clipped(text, written)}`;
  return refuse(
    key,
    `the ${key} is not what the format writes: ${differs}`,
    "show in `render:` a message of two calls or more, spaced as the template of the model spaces it: docs/rendering.md",
  );
}

const shownCharsMax = 24;

/** A piece of a text round the first place where it differs from another. */
function clipped(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  return JSON.stringify(text.slice(Math.max(0, at - shownCharsMax), at + shownCharsMax));
}
