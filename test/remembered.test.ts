/** What is remembered depends on everything it was made of, and has a bound. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Format } from "toolpeg";
import { hermes } from "toolpeg/formats/hermes";
import { expect, test } from "vitest";
import { headerFlags } from "../src/compiler/index.ts";
import { readyProgram } from "../src/machine/program.ts";
import { constraintOf } from "../src/proxy/constrain.ts";
import type { ProxySettings } from "../src/proxy/options.ts";

test("a format that bears the name of another has constraints of its own", () => {
  const tools = [{ type: "function" as const, function: { name: "read_dial", parameters: { type: "object" } } }];
  const request = { model: "", messages: [], tools, toolChoice: "auto", parallel: true, stream: false } as never;
  const settings = { constrain: "gbnf" } as ProxySettings;
  const template = hermes.template;
  if (template === undefined) throw new Error("hermes is written by a template");
  const other: Format = {
    ...hermes,
    triggers: ["<call>"],
    template: { ...template, call: ["<call>", ...template.call.slice(1)] },
  };
  const grammarOf = (format: Format) => constraintOf(format, request, tools as never, settings)?.body.grammar;
  const first = grammarOf(hermes);
  expect(grammarOf(other)).toContain("<call>");
  expect(grammarOf(hermes)).toBe(first);
});

test("programs for a marker are made once, and those of too many markers are forgotten", () => {
  const { program } = hermes;
  const first = readyProgram(program, "<a>");
  expect(readyProgram(program, "<a>")).toBe(first);
  for (let count = 0; count < 100; count++) readyProgram(program, `<${count}>`);
  expect(readyProgram(program, "<a>")).not.toBe(first);
});

test("every flag of a header is read where texts are read or written", () => {
  const sources = ["blocks", "message", "rendering", "values", "export"].flatMap((folder) => {
    const path = join(import.meta.dirname, "../src", folder);
    return readdirSync(path, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(path, name), "utf8"));
  });
  const isRead = (flag: string) => sources.some((text) => text.includes(`includes("${flag}")`));
  expect(headerFlags.filter((flag) => !isRead(flag))).toEqual([]);
});
