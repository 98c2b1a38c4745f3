/**
 * No markup reaches a reader: every literal of every format's grammar and header is shown where it does not belong. What
 * a person reads holds no special token of the format, and nothing else is missing from it.
 *
 * Openers are the one exception: a lone opener is text, and listed, and what closes it is text with it.
 */

import { describe, expect, test } from "vitest";
import { sampledFormats, sampleTools } from "../scripts/samples.ts";
import { allTurnTokens, turnOpeners } from "../src/contract/turn-tokens.ts";
import { offeredName } from "../src/formats/format-data.ts";
import { createParser, type Format, type ParseResult, parse } from "../src/index.ts";
import { seededRandom, seedOf } from "../src/testing/splits.ts";
import { literalsOf } from "./support/grammar-literals.ts";
import { isAsked } from "./support/shares.ts";

const names = sampleTools.map(({ name }) => name);
const withNames = (text: string) =>
  text.includes(offeredName) ? names.map((name) => text.replace(offeredName, () => name)) : [text];
const longestFirst = (texts: readonly string[]) =>
  [...new Set(texts)].sort((left, right) => right.length - left.length);

/** What must never be read by a person, unless it is quoted: the header says so, or the compiler has found it. */
function hiddenOf({ closers = [], framing = [], innerTokens = [], stop, reasoning }: Format): string[] {
  const ends = reasoning.map(({ close }) => close);
  return longestFirst([...closers.flatMap(withNames), ...framing, ...innerTokens, ...stop, ...ends]);
}

/** Closing tags and special tokens of what a format writes, whatever its grammar and header say; not those of tools and keys. */
function writtenOf(texts: readonly string[]): string[] {
  const tags = texts.flatMap((text) => text.match(/(?<!\[)<\/[^<>\s]+>|<[^<>\s/]*[|\uff5c][^<>\s]*>/g) ?? []);
  return tags.filter((tag) => !words.some((word) => tag.includes(word)));
}

/** Closing tags of a format that are those of any document, too: its corpus says that they stay where a text holds them. */
const tagsOfDocuments: Readonly<Record<string, readonly string[]>> = { tool_use: ["</name>", "</arguments>"] };

const words = [...names, "dial", "site", "level", "locked", "marks", "item", "times"];

/** A text without any of some literals. */
function without(literals: readonly string[], text: string): string {
  let rest = "";
  for (let at = 0; at < text.length; ) {
    const literal = literals.find((one) => text.startsWith(one, at));
    if (literal === undefined) rest += text[at++];
    else at += literal.length;
  }
  return rest;
}

/** What of a text can be read, or is listed: all but framing and calls. */
const readable = ({ nodes }: ParseResult, text: string) =>
  nodes
    .filter(({ type }) => type !== "framing" && type !== "call")
    .map(({ start, end }) => text.slice(start, end))
    .join("");

/** What opens a turn, in whole or by its first token, and what quotes: what follows is no text of the reply. */
const turnMarkers = [...allTurnTokens(), ...turnOpeners, "<|start|>", "`", "~~~"];
/** So does a string of JSON that begins the message and is left open. */
const opensString = /^\s*[[{]\s*"$/;
const changesWhatFollows = (text: string, { turns = [] }: Format) =>
  opensString.test(text) || [...turnMarkers, ...turns].some((marker) => text.includes(marker));

/** Formats whose message is one call or one list: theirs cannot stand among other text. */
const wholeMessageFormats = ["bracket", "granite3", "json_array", "llama3", "pythonic", "strict_json", "xlam"];

describe.each(sampledFormats)("$id", ({ id, format, samples }) => {
  const openers = format.triggers.flatMap(withNames).filter((opener) => opener.length > 1);
  const isOpener = (text: string) => openers.some((opener) => text.startsWith(opener) || opener.startsWith(text));
  const kept = tagsOfDocuments[id] ?? [];
  const written = writtenOf(samples.map(({ text }) => text)).filter((text) => !isOpener(text) && !kept.includes(text));
  const hidden = longestFirst([...hiddenOf(format), ...written]);
  /** Framing and the word that makes an opener of it: alone, that is text. */
  const isCompound = (text: string) => (format.framing ?? []).some((token) => text !== token && text.startsWith(token));
  const markers = longestFirst([...hidden, ...openers.filter((opener) => !isCompound(opener))]);
  const literals = longestFirst([...literalsOf(id), ...markers]).filter((literal) => literal.length > 1);
  // A text of a format that begins in thoughts leaves them first.
  const before = format.starts === "reasoning" ? format.reasoning[0].close : "";
  const options = { format, tools: sampleTools, intent: true };

  const read = (text: string): ParseResult => {
    const result = parse(text, options);
    const random = seededRandom(seedOf(text));
    if (random() < 0.05) {
      const parser = createParser(options);
      for (const unit of text) parser.push(unit);
      parser.end();
      expect(parser.result(), text).toEqual(result);
    }
    expect(result.content, text).toBe(
      result.nodes.flatMap(({ type, start, end }) => (type === "content" ? text.slice(start, end) : [])).join(""),
    );
    return result;
  };

  /** Nothing that must not be read is, and nothing else is missing. `piece`: a literal, twice one, or its beginning. */
  const check = (text: string, piece: string) => {
    const result = read(before + text);
    const shown = hidden.filter((one) => result.content.includes(one));
    expect(shown, text).toEqual([]);
    expect(result.calls, text).toEqual([]);
    const isWhole = (literal: string) => piece === literal || piece === literal + literal;
    const whole = literals.filter((literal) => isWhole(literal) && !isCompound(literal));
    const rest = (one: string) => without([...whole, ...markers], one).trim();
    const end = text.endsWith(piece) ? cutEnd(piece) : "";
    const found = rest(readable(result, before + text));
    if (found === rest(text.slice(0, text.length - end.length))) return;
    expect(found, text).toBe(rest(text));
  };

  /** What is left of a literal that a limit has cut: the end of the text is the beginning of something hidden. */
  const cutEnd = (text: string) => {
    for (let at = 0; at <= text.length - 3; at++) {
      const rest = text.slice(at);
      if (hidden.some((one) => one.length > rest.length && one.startsWith(rest))) return rest;
    }
    return "";
  };

  test.runIf(isAsked(id, 0))("a literal, or the beginning of one, anywhere in prose", () => {
    const shown = new Set<string>();
    for (const literal of literals) {
      for (let length = 1; length <= literal.length; length++) shown.add(literal.slice(0, length));
      shown.add(literal + literal);
    }
    const opens = format.reasoning.map(({ open }) => open);
    for (const piece of shown) {
      if (changesWhatFollows(piece, format) || opens.some((open) => piece.includes(open))) continue;
      check(`Alpha one. ${piece} Omega two.`, piece);
      check(`Alpha one.${piece}Omega two.`, piece);
      check(`${piece}Omega two.`, piece);
      check(`Alpha one.${piece}`, piece);
    }
  });

  test("a literal in quoted text is text", () => {
    for (const literal of literals) {
      if (/[`~\n\r]/.test(literal)) continue;
      for (const text of [`Type \`${literal}\` there.`, `So:\n\`\`\`text\n${literal}\n\`\`\`\nDone.`]) {
        expect(read(before + text).content, text).toBe(text);
      }
    }
  });

  test.runIf(isAsked(id, 1))("a literal before, between and behind calls", () => {
    const [one, two] = [": one call", ": no arguments"].map(
      (end) => samples.find(({ title }) => title.endsWith(end))?.text,
    );
    if (one === undefined || two === undefined || wholeMessageFormats.includes(id)) return;
    for (const literal of literals) {
      if (changesWhatFollows(literal, format)) continue;
      const texts = [
        [`${one}${literal}${two}`],
        [`${one}\n${literal}\n${two}`],
        [`${literal}\n${one}`],
        [`${one}${literal}`],
        [`Alpha.\n${one}\nBeta ${literal} gamma.\n${two}\nOmega.`, "Alpha.", "Beta", "gamma.", "Omega."],
        [`${one}${literal}\nOmega.`, "Omega."],
      ];
      for (const [text, ...words] of texts) {
        const result = read(before + text);
        expect(
          hidden.filter((marker) => result.content.includes(marker)),
          text,
        ).toEqual([]);
        const rest = readable(result, before + text);
        expect(
          words.filter((word) => !rest.includes(word)),
          text,
        ).toEqual([]);
        if (result.calls.length < text.split(/(?:read|list)_dials?/).length - 1) continue;
        // A word behind marks on a line of their own makes them open a fence.
        if (/\n```\w/.test(text.replaceAll(/```(?:json|python)\b/g, ""))) continue;
        expect(without([...words, literal, ...markers], result.content).trim(), text).toBe("");
      }
    }
  });
});
