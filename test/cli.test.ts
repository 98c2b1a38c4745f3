import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CliEngine, FormatInfo } from "../src/cli/engine.ts";
import { clip, visible } from "../src/cli/visible-text.ts";
import type { HarnessEvent, HarnessParser, HarnessResult } from "../src/testing/engine.ts";
import { echoEngine } from "./support/echo-engine.ts";
import { runCommand } from "./support/run-command.ts";

const echo: FormatInfo = {
  id: "echo",
  aliases: ["repeat"],
  models: ["nobody/echo-1"],
  mode: "primary",
  triggers: ["!"],
  stop: ["\n\n"],
};

/** The harness's small engine, with the rest of what commands use. */
function fakeEngine(): CliEngine {
  const { parse, createParser } = echoEngine();
  const known = (options: { format: unknown }) => {
    if (options.format !== "echo") throw new Error(`no format is called ${options.format}: did you mean echo?`);
  };
  const asExtract = ({ calls, ...rest }: HarnessResult): HarnessResult => ({ ...rest, candidates: calls ?? [] });
  const asCandidate = (event: HarnessEvent): HarnessEvent =>
    event.type === "call-end"
      ? { type: "candidate-end", index: event.index, candidate: event.call }
      : ({ ...event, type: event.type.replace("call", "candidate") } as HarnessEvent);
  const get = (id: string): FormatInfo => {
    if (id !== "echo" && id !== "repeat") throw new Error(`no format is called ${id}`);
    return echo;
  };
  return {
    parse,
    extract: (text, options) => asExtract(parse(text, options)),
    createParser: (options) => {
      known(options);
      return createParser(options);
    },
    createExtractor: (options): HarnessParser => {
      known(options);
      const parser = createParser(options);
      return {
        push: (chunk) => parser.push(chunk).map(asCandidate),
        end: () => parser.end().map(asCandidate),
        result: () => asExtract(parser.result()),
      };
    },
    formats: Object.assign([echo], { get }),
  };
}

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toolpeg-cli-"));
  writeFileSync(join(folder, "tools.json"), '{"tools": [{"name": "read"}]}');
  writeFileSync(join(folder, "good.txt"), 'Now.\n!read {"dial": "north"}\nDone.\n');
  writeFileSync(join(folder, "bad.txt"), 'Now.\n!read {"dial": \n');
  writeFileSync(join(folder, "none.txt"), "\u001b[31mjust talk\u001b[0m");
  writeFileSync(join(folder, "many.jsonl"), '{"id": 7, "text": "!read {}"}\n\n{"text": "talk"}');
  writeFileSync(join(folder, "text-tools.jsonl"), '{"text": "talk", "tools": "[]"}\n');
  writeFileSync(join(folder, "no-format.jsonl"), '{"text": "talk", "tools": null, "format": 1}\n');
  writeFileSync(join(folder, "broken.jsonl"), '{"text": "talk"}\n{"reply": 1}\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command line in the folder of test files; `{}` in an argument stands for that folder. */
async function run(line: string, stdin: string[] = [], colour = false) {
  const args = line.split(" ").map((word) => word.replace("{}", folder));
  const setting = { stdin, colour, columns: 80, version: "1.2.3" };
  const { status, out, err } = await runCommand(args, fakeEngine(), setting);
  return { status, out: out.replaceAll(folder, "{}"), err: err.replaceAll(folder, "{}") };
}

describe("toolpeg parse", () => {
  test("prints a reply in the order of its text", async () => {
    const { status, out, err } = await run("parse {}/good.txt --format echo --tools {}/tools.json");
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(out).toMatchInlineSnapshot(`
      "{}/good.txt  echo  1 call

        says      Now.

        calls     read {"dial": "north"}

        says      Done.

      "
    `);
  });

  test("a byte order mark before a tools file or a line of replies is white space", async () => {
    writeFileSync(join(folder, "marked.json"), '\ufeff[{"name": "read"}]');
    writeFileSync(join(folder, "marked.jsonl"), '\ufeff{"text": "!read {}"}\r\n');
    const { status, err } = await run("parse {}/marked.jsonl --format echo --tools {}/marked.json --jsonl");
    expect({ status, err }).toEqual({ status: 0, err: "" });
  });

  test("prints a refusal with its line, and ends with 3", async () => {
    const { status, out } = await run("parse {}/bad.txt --format echo --tools {}/tools.json");
    expect(status).toBe(3);
    expect(out).toMatchInlineSnapshot(`
      "{}/bad.txt  echo  no call, 1 refused

        says      Now.

        refused   malformed: no object
                   --> {}/bad.txt:2:1 (echo, offset 5)
                    |
                  2 | !read {"dial":
                    | ^^^^^^^^^^^^^^^
                  help: the payload has no single reading; ask the model for the call again.

      "
    `);
  });

  test("ends with 1 when there is no call, and steers no terminal", async () => {
    const { status, out } = await run("parse {}/none.txt --format echo --tools {}/tools.json");
    expect(status).toBe(1);
    expect(out).not.toContain("\u001b");
    expect(out).toContain("\u241b[31mjust talk\u241b[0m");
  });

  test("without tools says that nothing was validated", async () => {
    const { out } = await run("parse --format echo", ['!read {"a": 1}']);
    expect(out).toContain("not validated");
    expect(out).toContain('would call read {"a": 1}');
    const json = await run("parse --format echo --json", ['!read {"a": 1}']);
    expect(JSON.parse(json.out)).toMatchObject({ source: "stdin", validated: false, candidates: [{ name: "read" }] });
    expect(json.err).toContain("not validated");
  });

  test("reads one reply per line of JSONL and writes one record each", async () => {
    const { status, out } = await run("parse {}/many.jsonl --format echo --tools {}/tools.json --jsonl");
    expect(status).toBe(0);
    const records = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records).toMatchObject([
      { source: "{}/many.jsonl:1", id: 7, validated: true, calls: [{ name: "read", arguments: {} }] },
      { source: "{}/many.jsonl:3", calls: [], content: "talk" },
    ]);
  });

  test("streams what comes in, event by event", async () => {
    const shown = await run("parse - --format echo --tools {}/tools.json --stream", ["Now.\n!re", "ad {}\n!read {"]);
    expect(shown.status).toBe(3);
    expect(shown.out).toMatchInlineSnapshot(`
      "Now.
      0 read {} run it
      truncated: no object
       --> stdin:3:1 (echo, offset 14)
        |
      3 | !read {
        | ^^^^^^^
      help: the reply stopped too early, and what is cut is never completed. Raise the token limit, or retry.
      "
    `);
    const events = await run("parse {}/good.txt --format echo --tools {}/tools.json --stream --jsonl --chunk 3");
    const types = events.out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).type);
    expect(types).toEqual(["text-delta", "call-start", "call-args-delta", "call-end"]);
  });

  test("colours only where they are wanted", async () => {
    const plain = await run("parse {}/good.txt --format echo --tools {}/tools.json");
    const coloured = await run("parse {}/good.txt --format echo --tools {}/tools.json", [], true);
    expect(plain.out).not.toContain("\u001b");
    expect(coloured.out.replace(/\u001b\[\d+m/g, "")).toBe(plain.out);
    expect(coloured.out).not.toBe(plain.out);
  });

  test.each([
    ["a file that is not there", "parse {}/gone.txt --format echo", "there is no file {}/gone.txt"],
    ["a folder", "parse {} --format echo", "name its files: {}/*"],
    ["chunks without a stream", "parse {}/good.txt --format echo --chunk 3", "--chunk is for --stream"],
    ["a format that is not there", "parse {}/good.txt --format ecko", "did you mean echo?"],
    ["a tools file that is none", "parse {}/good.txt --format echo --tools {}/good.txt", "{}/good.txt is not JSON"],
    ["a JSONL line without text", "parse {}/broken.jsonl --format echo", "{}/broken.jsonl:2 has no text"],
    ["tools of a line that are text", "parse {}/text-tools.jsonl --format echo", ":1: `tools` is no list"],
    ["a format of a line that is none", "parse {}/no-format.jsonl --format echo", ":1: `format` is no text"],
    ["a misspelt option", "parse {}/good.txt --fromat echo", "Did you mean --format?"],
    ["two outputs", "parse {}/good.txt --format echo --json --jsonl", "cannot be used with"],
    ["a chunk of nothing", "parse {}/good.txt --format echo --stream --chunk 0", "write --chunk 4"],
    ["a policy that is no JSON", "parse {}/good.txt --format echo --policy first", "--policy is not JSON"],
    ["a policy that is none", "parse {}/good.txt --format echo --policy []", "policy must be an object"],
    [
      "a key that no policy has",
      'parse {}/good.txt --format echo --policy {"cals":"first"}',
      'policy has no key "cals"',
    ],
    ["a misspelt command", "prase", "unknown command 'prase'"],
  ])("%s is misuse, with a message that helps", async (_, line, message) => {
    const { status, err } = await run(line);
    expect(status).toBe(2);
    expect(err).toContain(message);
  });
});

describe("toolpeg formats", () => {
  test("lists and describes", async () => {
    expect((await run("formats")).out).toContain("echo  !  echo-1");
    expect((await run("formats repeat")).out).toContain("aliases   repeat");
    expect(JSON.parse((await run("formats --json")).out)).toMatchObject([{ id: "echo", stop: ["\n\n"] }]);
    expect(await run("formats nothing")).toMatchObject({ status: 2, err: "toolpeg: no format is called nothing\n" });
  });
});

test("model text is shown, never obeyed, and clipped between characters", () => {
  expect(visible("a\u001b]0;x\u0007\u202eb\tc")).toBe("a\u241b]0;x\u2407\ufffdb  c");
  expect(clip("ab\u{1f600}", 3)).toBe("ab... (4 characters)");
});
