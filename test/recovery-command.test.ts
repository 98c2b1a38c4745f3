import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CliEngine } from "../src/cli/engine.ts";
import { JsonrepairError, jsonrepair } from "../src/json-repair/index.ts";
import { runCommand } from "./support/run-command.ts";

const engine = {} as CliEngine;
const repair = (stdin: string[], ...args: string[]) => runCommand(["repair", ...args], engine, { stdin });

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toolpeg-repair-"));
  writeFileSync(join(folder, "schema.json"), '{"type": "object", "properties": {"zip": {"type": "integer"}}}');
  writeFileSync(join(folder, "broken.json"), "{'zip': 012}");
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("toolpeg repair", () => {
  test("prints what is sound as it is", async () => {
    expect(await repair(['{"id": 12345678901234567890}'])).toMatchObject({
      status: 0,
      out: '{"id": 12345678901234567890}',
      err: "",
    });
  });

  test("prints mended JSON, and how sure it is to the terminal", async () => {
    expect(await repair(["{'a': 1,}"])).toMatchObject({
      status: 0,
      out: '{\n  "a": 1\n}\n',
      err: "safe (one reading): quote-style, extra-comma\n",
    });
  });

  test("says by its status that text was cut, guessed, or no JSON at all", async () => {
    expect((await repair(['{"a": [1'])).status).toBe(3);
    expect((await repair(['{"a": undefined}'])).status).toBe(4);
    const none = await repair(["no\nvalue"]);
    expect(none).toMatchObject({ status: 1, out: "" });
    expect(none.err).toContain("refused: the text holds no JSON value");
  });

  test("lists each repair with its place", async () => {
    const { err } = await repair(['{"a": 1,\n "b": None}'], "--explain");
    expect(err).toBe("safe (one reading): literal-spelling\n  2:7  safe  literal-spelling  None\n");
  });

  test("asks a schema, reads a file, and refuses what is none", async () => {
    const file = join(folder, "broken.json");
    expect((await repair([], file)).out).toBe('{\n  "zip": "012"\n}\n');
    expect((await repair([], file, "--schema", join(folder, "schema.json"))).out).toBe('{\n  "zip": 12\n}\n');
    expect((await repair([], file, "--schema", join(folder, "none.json"))).status).toBe(2);
  });

  test("writes to a file, which may be the one that was read, and not where there is no JSON", async () => {
    const file = join(folder, "mended.json");
    writeFileSync(file, "{'a': 1}");
    expect(await repair([], file, "-o", file)).toMatchObject({ status: 0, out: "" });
    expect(readFileSync(file, "utf8")).toBe('{\n  "a": 1\n}\n');
    expect((await repair(["no value"], "--output", file)).status).toBe(1);
    expect(readFileSync(file, "utf8")).toBe('{\n  "a": 1\n}\n');
    expect((await repair(["[1]"], "-o", file, "--stream")).status).toBe(2);
    expect(await repair(["[1]"], "-o", folder)).toMatchObject({
      status: 2,
      err: expect.stringContaining("cannot be written"),
    });
  });

  test("takes several documents where it is said which", async () => {
    const lines = ['{"a": 1}\n{"a": 2}\n'];
    expect((await repair(lines)).status).toBe(1);
    for (const [which, value] of [
      ["first", { a: 1 }],
      ["last", { a: 2 }],
      ["array", [{ a: 1 }, { a: 2 }]],
    ] as const) {
      const { status, out } = await repair(lines, "--several", which);
      expect([status, JSON.parse(out)]).toEqual([4, value]);
    }
  });

  test("writes the JSON while the text comes", async () => {
    const { status, out, err } = await repair(["{'a': [1, ", "2,], b", ": 'x'}"], "--stream");
    expect([status, JSON.parse(out)]).toEqual([0, { a: [1, 2], b: "x" }]);
    expect(err).toContain("safe");
    expect((await repair(['{"a": 1} and more'], "--stream")).status).toBe(4);
    for (const args of [[], ["--several", "refuse"]]) {
      const several = await repair(['{"a": 1}', '{"b": 2}'], "--stream", ...args);
      expect(several).toMatchObject({ status: 1, out: '{"a":1}\n' });
      expect(several.err).toContain("refused: the text holds more than one document, at 1:9");
    }
    expect((await repair(["[1]"], "--stream", "--several", "last")).status).toBe(2);
  });
});

describe("jsonrepair", () => {
  test("returns JSON, and what is JSON as it is", () => {
    expect(jsonrepair("{a: 1,}")).toBe('{"a":1}');
    expect(jsonrepair(' {"a":  1} ')).toBe(' {"a":  1} ');
    expect(jsonrepair('{"a": [1, 2')).toBe('{"a":[1,2]}');
  });

  test("throws on what it would have to guess, with the place, unless that is allowed", () => {
    expect(() => jsonrepair("[1, NaN]")).toThrow(JsonrepairError);
    expect(() => jsonrepair("[1, NaN]")).toThrow("position 4");
    expect(jsonrepair("[1, NaN]", { allow: "guess" })).toBe("[1,null]");
    expect(jsonrepair("1\n2", { allow: "guess" })).toBe("[1,2]");
    expect(() => jsonrepair("[1", { allow: "safe" })).toThrow("missing-closer");
    for (const text of ["", "}", " ) ;"]) {
      expect(() => jsonrepair(text, { allow: "guess" })).toThrow(JsonrepairError);
    }
  });
});
