import { defineFormat } from "../../formats/define-format.ts";
import type { FormatData } from "../../formats/format-data.ts";
import { roleCodes as role } from "../../machine/roles.ts";
import { asWritable } from "../../rendering/render-calls.ts";
import { writeCalls } from "../../rendering/write-calls.ts";
import { roleCodeOf } from "../analyse/role-of.ts";
import { type GrammarError, grammarError, rangeAt, type SourceRange } from "../parse/grammar-error.ts";
import { type LinkedGrammar, rulePlaces } from "../parse/linked-grammar.ts";
import { readSample, whyNoSample } from "./read-sample.ts";

/**
 * What the header shows is what the format reads and writes: the example is calls, nothing but calls, and what the format
 * writes in its place is the same text, byte for byte.
 */
export function checkSamples(grammar: LinkedGrammar, data: FormatData): GrammarError[] {
  const { example } = grammar.header;
  if (example === undefined) {
    return [said(grammar, "the header shows no call", `write \`example:\` and, indented below it, ${whole}`)];
  }
  const read = readSample(data, example);
  if (read === undefined) {
    const why = whyNoSample(data, example, rulePlaces(grammar));
    const help = "try `toolpeg explain` with this text: it shows where the grammar stops";
    return [said(grammar, `the example in the header is not read as a call: ${why}`, help)];
  }
  if (data.template === undefined) {
    return [said(grammar, "the example shows no arguments", `show ${whole}: docs/rendering.md`)];
  }
  const { text, given } = read;
  const written = writeCalls(data.template, given.map(asWritable));
  if (text.endsWith(written)) return [];
  const differs = `written ${clipped(written, text.slice(read.start))}, shown ${clipped(text.slice(read.start), written)}`;
  const help = `show ${whole}, spaced as the template of the model spaces it: docs/rendering.md`;
  return [said(grammar, `the example is not what the format writes: ${differs}`, help)];
}

/** What a format reads and cannot write, since its example does not show how: that is no reason to refuse it. */
export function checkShown(grammar: LinkedGrammar, data: FormatData): GrammarError[] {
  const read = readSample(data, grammar.header.example ?? "");
  if (read === undefined) return [];
  const errors: GrammarError[] = [];
  const lack = lackOf(grammar, data, read.calls[0].name);
  if (lack !== undefined) {
    const help = `add to the example ${lack.add}: docs/rendering.md`;
    errors.push(said(grammar, `the example does not show how ${lack.what} written`, help));
  }
  const shown = read.text.slice(read.start);
  const readsTwo = ["", "\n"].some((between) => readSample(data, shown + between + shown)?.calls.length === 2);
  if (read.calls.length === 1 && readsTwo) {
    const help = "where models write several, add a second call to the example, as it stands after the first";
    errors.push(said(grammar, "the example shows one call, so the format writes one a message", help));
  }
  return errors;
}

const whole = "a message of two calls as models write it, one with arguments and one without any";

function said({ files, header }: LinkedGrammar, message: string, help: string): GrammarError {
  const span = header.spans.example ?? rangeAt(files[0], 0, 0);
  return grammarError(files, span as SourceRange, message, { help });
}

/** Values that an argument may have, with the roles that read them where no raw text does. */
const values: readonly (readonly [what: string, value: unknown, roles: readonly number[]])[] = [
  ["a text", "plain", [role.String, role.Verbatim]],
  ["a number", 7, [role.Number, role.PythonNumber]],
  ["true", true, [role.True]],
  ["null", null, [role.Null]],
  ["a list", [1], [role.Array]],
  ["an object", { depth: 1 }, [role.Object]],
];

/** What cannot be written by what the example shows of arguments that stand one by one. */
function lackOf(grammar: LinkedGrammar, data: FormatData, name: string): { what: string; add: string } | undefined {
  const { template } = data;
  if (template?.members === undefined) return undefined;
  const format = defineFormat(data);
  const carries = (given: Record<string, unknown>) => {
    try {
      return format.renderCall({ name, arguments: given }) !== "";
    } catch {
      return false;
    }
  };
  if (template.comma === undefined) {
    return { what: "two arguments of a call are", add: "a second argument of its first call, a number" };
  }
  if (!carries({})) return { what: "a call without arguments is", add: "such a call" };
  const roles = new Set([...grammar.rules.values()].map(({ declared }) => roleCodeOf(declared)));
  const isRaw = roles.has(role.Text) || roles.has(role.JsonText);
  const lacked = values.find(
    ([, value, by]) => (isRaw || by.some((one) => roles.has(one))) && !carries({ given: value }),
  );
  return (
    lacked && {
      what: `${lacked[0]} is`,
      add: `an argument that is ${lacked[0]}, and not the last of its call`,
    }
  );
}

const shownCharsMax = 24;

/** A piece of a text round the first place where it differs from another. */
function clipped(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  return JSON.stringify(text.slice(Math.max(0, at - shownCharsMax), at + shownCharsMax));
}
