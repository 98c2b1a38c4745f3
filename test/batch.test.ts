/** Many replies: the command as it is installed, with its threads, its files and its kills. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { Zstd } from "@hpcc-js/wasm-zstd";
import { decompress } from "fzstd";
import { createColors } from "picocolors";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { projectRoot } from "../scripts/entries.ts";
import { compareCalls } from "../src/cli/batch/agreement.ts";
import { duration, runBatch } from "../src/cli/batch/run-batch.ts";
import type { CliEngine } from "../src/cli/engine.ts";
import { openInputs } from "../src/cli/read-replies.ts";
import type { Terminal } from "../src/cli/terminal.ts";
import * as library from "../src/index.ts";
import { parse } from "../src/index.ts";
import { builtProject } from "./support/built.ts";
import { runCommand } from "./support/run-command.ts";

const replies = 400;
const dials = ["north", "south", "east", "west"];
const tools = [{ name: "read_dial", parameters: { type: "object", properties: { dial: { type: "string" } } } }];

let folder = "";
let cli = "";
beforeAll(async () => {
  cli = join(builtProject().folder, "cli.js");
  folder = mkdtempSync(join(tmpdir(), "toolpeg-batch-"));
  writeFileSync(join(folder, "tools.json"), JSON.stringify(tools));
  writeFileSync(join(folder, "log.jsonl"), lines(replies));
  writeFileSync(join(folder, "log.jsonl.gz"), gzipSync(lines(replies)));
  const zstd = await Zstd.load();
  writeFileSync(join(folder, "log.jsonl.zst"), zstd.compress(Buffer.from(lines(replies))));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function lines(many: number): string {
  return Array.from({ length: many }, (_, id) => `${JSON.stringify(replyOf(id))}\n`).join("");
}

/** Fills a line: so many lines are more than one block, and little is to be read. No compression makes it shorter. */
const noteOf = (id: number) =>
  Array.from({ length: 6 }, (_, at) => createHash("sha512").update(`${id} ${at}`).digest("hex")).join("");

/** Plain calls, prose, one that is repaired, one of a tool that is not there. */
function replyOf(id: number): Record<string, unknown> {
  const dial = dials[id % 4];
  const expected = id % 5 === 1 ? [] : [{ name: "read_dial", arguments: { dial } }];
  const text = [
    `Reading ${id}.\n<tool_call>\n{"name": "read_dial", "arguments": {"dial": "${dial}"}}\n</tool_call>`,
    `The ${dial} dial is fine, says reply ${id}.`,
    `<tool_call>\n{'name': 'read_dial', 'arguments': {'dial': '${dial}'}}\n</tool_call>`,
    `<tool_call>{"name": "read_dial", "arguments": {"dial": "${dial}"}}</tool_call>`,
    `<tool_call>{"name": "read_dail", "arguments": {"dial": "${dial}"}}</tool_call>`,
  ][id % 5];
  return { id, model: `m${id % 2}`, note: noteOf(id), text, expected };
}

const placed = (args: readonly string[]) => args.map((arg) => arg.replace("{}", folder));

/** The command without its threads and its streams, in this process: to start one for each run would take longer than to read. */
const run = (...args: string[]) => runCommand(placed(args), library as unknown as CliEngine);

/** The command as it is installed. */
function start(...args: string[]) {
  const child = spawn(process.execPath, [cli, ...placed(args)]);
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (piece) => out.push(piece));
  child.stderr.on("data", (piece) => err.push(piece));
  const ended = new Promise<{ status: number | null; out: string; err: string }>((resolve) => {
    child.on("close", (status) => {
      resolve({ status, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() });
    });
  });
  return { child, ended };
}

const installed = (...args: string[]) => start(...args).ended;

const usual = ["-f", "hermes", "-t", "{}/tools.json", "--jsonl"];
const read = (name: string) => readFileSync(join(folder, name));
const records = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("toolpeg parse --jsonl", () => {
  test("one thread and three write the same bytes, in the order of the input, and what parse() finds", async () => {
    const one = await installed("parse", "{}/log.jsonl", ...usual);
    const three = await installed("parse", "{}/log.jsonl", ...usual, "--jobs", "3");
    expect(one).toMatchObject({ status: 0, err: "" });
    expect(three.out === one.out).toBe(true);
    const all = records(one.out);
    expect(all.map(({ id }) => id)).toEqual(Array.from({ length: replies }, (_, id) => id));
    for (const id of [0, 1, 2, 3, 4, replies - 1]) {
      const { text, ...fields } = replyOf(id);
      const result = parse(text as string, { format: "hermes", tools });
      const { calls, content, rejected, telemetry } = JSON.parse(JSON.stringify(result));
      expect(all[id]).toMatchObject({ ...fields, source: `${folder}/log.jsonl:${id + 1}`, calls, content, rejected });
      expect(all[id].telemetry).toEqual(telemetry);
    }
  });

  test("reads and writes .gz and .zst", async () => {
    const whole = await run("parse", "{}/log.jsonl", ...usual, "--compact");
    const wanted = records(whole.out).map(({ source: _, ...rest }) => rest);
    for (const [input, output] of [
      ["log.jsonl.gz", "out.jsonl.zst"],
      ["log.jsonl.zst", "out.jsonl.gz"],
    ]) {
      const { status } = await installed(
        "parse",
        `{}/${input}`,
        ...usual,
        "--compact",
        "-j",
        "2",
        "-o",
        `{}/${output}`,
      );
      expect(status).toBe(0);
      const bytes = read(output);
      // Each block is a frame of its own.
      const text = output.endsWith(".gz") ? gunzipSync(bytes).toString() : Buffer.from(decompress(bytes)).toString();
      expect(records(text).map(({ source: _, ...rest }) => rest)).toEqual(wanted);
      const back = await run("stats", `{}/${output}`);
      expect(back.err).toContain("is no telemetry record");
    }
    const again = await run("parse", "{}/log.jsonl.zst", ...usual, "--telemetry-only", "-o", "{}/t.jsonl.zst");
    expect(again.status).toBe(0);
    const stats = await run("stats", "{}/t.jsonl.zst", "--json");
    expect(JSON.parse(stats.out)).toMatchObject({ messages: replies, rejections: { "unknown-tool": replies / 5 } });
  });

  test("a file that is cut is misuse, not a short result", async () => {
    for (const name of ["log.jsonl.gz", "log.jsonl.zst"]) {
      const bytes = read(name);
      writeFileSync(join(folder, `cut-${name}`), bytes.subarray(0, Math.floor(bytes.length / 2)));
      const { status, err } = await run("parse", `{}/cut-${name}`, ...usual, "--compact");
      expect({ name, status }).toEqual({ name, status: 2 });
      expect(err).toContain(`cut-${name} cannot be read`);
    }
  });

  test("where nothing can be written, a message says so", async () => {
    if (!existsSync("/dev/full")) return;
    const command = `"${process.execPath}" "${cli}" parse "${folder}/log.jsonl" -f hermes --jsonl > /dev/full`;
    const { status, stderr } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
    expect(status).toBe(2);
    expect(stderr).toContain("standard output cannot be written");
    expect(stderr).not.toContain("    at ");
  });

  test("standard input is one reply unless told, and says so where it holds lines", async () => {
    const given = (...args: string[]) =>
      spawnSync(process.execPath, [cli, "parse", "--jsonl", "-f", "hermes", ...args], {
        encoding: "utf8",
        input: lines(3),
      });
    const one = given();
    expect([records(one.stdout).length, one.stderr.includes("--input jsonl")]).toEqual([1, true]);
    const three = given("--input", "jsonl");
    expect([records(three.stdout).length, three.stderr.includes("--input jsonl")]).toEqual([3, false]);
  });

  test("a killed run goes on without loss and without doubles", async () => {
    const many = 2_400;
    writeFileSync(join(folder, "long.jsonl"), lines(many));
    const args = ["parse", "{}/long.jsonl", ...usual, "--compact", "-j", "2", "-o", "{}/long.out.jsonl"];
    const wanted = (await run(...args.slice(0, -2))).out;
    const { child, ended } = start(...args);
    await untilSome(() => sizeOf("long.out.jsonl") > 0);
    child.kill("SIGKILL");
    await ended;
    // As if the kill had come in the middle of a write: that part is cut off.
    writeFileSync(join(folder, "long.out.jsonl"), '{"half": ', { flag: "a" });
    expect(sizeOf("long.out.jsonl")).toBeLessThan(wanted.length);
    expect(await run(...args)).toMatchObject({ status: 2, err: expect.stringContaining("--resume goes on with it") });
    const other = await run(...args.map((arg) => (arg === "hermes" ? "auto" : arg)), "--resume");
    expect(other).toMatchObject({ status: 2, err: expect.stringContaining("other inputs or options") });
    expect((await installed(...args, "--resume")).status).toBe(0);
    expect(read("long.out.jsonl").toString() === wanted).toBe(true);
    const third = await run(...args, "--resume");
    expect(third).toMatchObject({ status: 0, err: expect.stringContaining("is complete") });
    expect(read("long.out.jsonl").length).toBe(wanted.length);
  }, 120_000);

  test("goes on in the middle of a compressed input", async () => {
    const output = "{}/some.jsonl.gz";
    const args = ["parse", "{}/log.jsonl.gz", ...usual, "--compact", "-o", output];
    expect((await run(...args)).status).toBe(0);
    const wanted = gunzipSync(read("some.jsonl.gz"));
    // The first block alone, as a kill leaves it.
    const path = join(folder, "some.jsonl.gz.progress.json");
    const progress = JSON.parse(readFileSync(path, "utf8"));
    const input = lines(replies);
    const end = Buffer.from(input).lastIndexOf(10, 300_000) + 1;
    const done = Buffer.from(input).subarray(0, end).toString().trimEnd().split("\n").length;
    const first = gzipSync(
      Buffer.concat(
        wanted
          .toString()
          .split("\n")
          .slice(0, done)
          .map((line) => Buffer.from(`${line}\n`)),
      ),
    );
    progress.done = false;
    progress.bytes = first.length;
    progress.state.place = { line: done, bytes: end };
    writeFileSync(join(folder, "some.jsonl.gz"), Buffer.concat([first, Buffer.from("half")]));
    writeFileSync(path, JSON.stringify(progress));
    expect((await run(...args, "--resume")).status).toBe(0);
    expect(gunzipSync(read("some.jsonl.gz")).equals(wanted)).toBe(true);
  });

  test("lines that are no replies stop a run, or are left out and counted", async () => {
    writeFileSync(
      join(folder, "bad.jsonl"),
      `${JSON.stringify(replyOf(0))}\n{"text":\n{"reply": 1}\n{"text": "a", "format": "hermse"}\n${JSON.stringify(replyOf(3))}\n`,
    );
    for (const [jobs, read] of [
      ["1", run],
      ["2", installed],
    ] as const) {
      const stopped = await read("parse", "{}/bad.jsonl", ...usual, "-j", jobs);
      expect(stopped.status).toBe(2);
      expect(stopped.err).toContain(`${folder}/bad.jsonl:2 is not JSON`);
      expect(stopped.err).toContain("--skip-bad");
      const skipped = await read("parse", "{}/bad.jsonl", ...usual, "-j", jobs, "--skip-bad");
      expect(skipped.status).toBe(4);
      expect(records(skipped.out).map(({ id }) => id)).toEqual([0, 3]);
      expect(skipped.err).toContain("bad.jsonl:4: ");
      expect(skipped.err).toContain("left out: 3 lines");
    }
  });

  test("a line's own format, tools, finish reason and prefill win, and what else it holds is passed through", async () => {
    const own = [
      { id: "a", text: '[TOOL_CALLS][{"name": "x", "arguments": {}}]', format: "mistral", tools: [{ name: "x" }] },
      {
        id: "b",
        text: '{"dial": "north"}}\n</tool_call>',
        prefill: '<tool_call>\n{"name": "read_dial", "arguments": ',
      },
      { id: "c", text: "The dial is", finish_reason: "length" },
      { id: "d", text: "The dial is", finishReason: "length", calls: 7, nested: { deep: [1] } },
    ];
    writeFileSync(join(folder, "own.jsonl"), own.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const { out } = await run("parse", "{}/own.jsonl", ...usual);
    const [a, b, c, d] = records(out);
    expect(a).toMatchObject({ id: "a", calls: [{ name: "x", arguments: {} }] });
    expect(b).toMatchObject({ id: "b", calls: [{ name: "read_dial", arguments: { dial: "north" } }] });
    expect(c.telemetry.truncated).toBe(true);
    expect(d).toMatchObject({ calls: [], nested: { deep: [1] }, input: { calls: 7 } });
  });

  test("--compact writes the fields of the input as they are, whatever they are called and hold", async () => {
    const fields = '"2":"b","calls":[1],"input":{"a":1},"__proto__":{"x":1},"m":-0,"e":1e21,"n":1e999,"s":"\\ud800 ü"';
    const call = replyOf(0).text as string;
    const odd = [
      `{${fields},"text":"hi"}`,
      `  {"text":${JSON.stringify(call.replace("north", "ü"))},"z":null}\r`,
      "",
      '\ufeff"just text"',
      `{"text":${JSON.stringify(call.replace("read_dial", "read_dail"))},"agreement":"mine"}`,
    ].join("\n");
    const input = Buffer.concat([Buffer.from(`${odd}\n{"text":"cut `), Buffer.from([0xe2, 0x82]), Buffer.from('"}')]);
    writeFileSync(join(folder, "odd.jsonl"), input);
    const compact = await run("parse", "{}/odd.jsonl", ...usual, "--compact");
    const full = await run("parse", "{}/odd.jsonl", ...usual);
    const source = `${folder}/odd.jsonl`;
    expect(compact.out.split("\n")[0]).toBe(
      `{"2":"b","__proto__":{"x":1},"m":0,"e":1e+21,"n":null,"s":"\\ud800 ü","source":"${source}:1","calls":[],` +
        '"input":{"calls":[1],"input":{"a":1}}}',
    );
    const wanted = records(full.out).map(({ validated: _, content, reasoning, telemetry, truncated, ...rest }) => ({
      ...rest,
      calls: rest.calls.map((one: Record<string, unknown>) => ({ name: one.name, arguments: one.arguments })),
      rejected: rest.rejected.map(({ reason, name }: Record<string, unknown>) => ({ reason, name })),
    }));
    expect(records(compact.out).map((one) => ({ rejected: [], ...one }))).toEqual(wanted);
    expect(wanted.map((one) => one.source)).toEqual([1, 2, 4, 5, 6].map((line) => `${source}:${line}`));
    expect(records(full.out).at(-1).content).toBe("cut \ufffd");
  });

  test("--telemetry-only writes no text of the model, and nothing of the input but id and model", async () => {
    const { out } = await run("parse", "{}/log.jsonl", ...usual, "--telemetry-only");
    expect(out).not.toMatch(/north|read_d|expected|Reading/);
    expect(records(out)[2]).toMatchObject({
      id: 2,
      model: "m0",
      calls: 1,
      repairs: { "quote-style": expect.any(Number) },
    });
  });

  test("--expected compares, prints by format and by reason, and ends with 5", async () => {
    const { status, out, err } = await run("parse", "{}/log.jsonl", ...usual, "--compact", "--expected", "expected");
    expect(status).toBe(5);
    expect(records(out)[4]).toMatchObject({ agreement: "missing" });
    expect(err).toMatch(/hermes +400 +320 \(80\.0%\) +80 +0 +0 +0/);
    expect(err).toMatch(/unknown-tool +80 +80 +0 +0 +0/);
    const slip = await run("parse", "{}/log.jsonl", ...usual, "--expected", "expcted");
    expect(slip).toMatchObject({ status: 2, err: expect.stringContaining("has no field expcted") });
  });

  test.each([
    [["--resume"], "--resume needs --output"],
    [["--jobs", "0"], "whole number from 1"],
    [["--compact", "--telemetry-only"], "cannot be used with"],
    [["-o", "{}/log.jsonl"], "is an input too"],
  ])("%j is misuse", async (flags, message) => {
    const { status, err } = await run("parse", "{}/log.jsonl", ...usual, ...flags);
    expect(status).toBe(2);
    expect(err).toContain(message);
  });
});

/** So much of GNU parallel as the recipe asks for, one shard after the other, where it is not installed. */
const parallelStandIn = `#!/usr/bin/env bash
while [[ "$1" == --* ]]; do shift 2; done
while [ "$1" != ::: ]; do command+=("$1"); shift; done
for shard in "\${@:2}"; do "\${command[@]/"{}"/$shard}" || exit; done
`;

const hasParallel =
  spawnSync("parallel", ["--version"], { encoding: "utf8" }).stdout?.includes("GNU parallel") === true;

test("GNU parallel runs the recipe over shards, and toolpeg stats merges them", () => {
  const script = join(projectRoot, "examples", "at-scale", "gnu-parallel.sh");
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "toolpeg"), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`, { mode: 0o755 });
  if (!hasParallel) writeFileSync(join(bin, "parallel"), parallelStandIn, { mode: 0o755 });
  for (const [number, from] of [0, 100, 200, 300].entries()) {
    const shard = lines(replies)
      .split("\n")
      .slice(from, from + 100)
      .join("\n");
    writeFileSync(join(folder, `shard-${number}.jsonl`), `${shard}\n`);
  }
  const shards = [0, 1, 2, 3].map((number) => join(folder, `shard-${number}.jsonl`));
  const out = join(folder, "parallel-out");
  const text = execFileSync("bash", [script, join(folder, "tools.json"), "hermes", out, ...shards], {
    encoding: "utf8",
    env: {
      ...process.env,
      PATH: `${bin}:${process.env.PATH}`,
      PARALLEL_HOME: join(folder, "parallel-home"),
      SHARD_JOBS: "1",
    },
  });
  expect(text).toMatch(/messages +400/);
  expect(text).toMatch(/rejections +unknown-tool 80/);
  expect(existsSync(join(out, "shard-3.jsonl.gz"))).toBe(true);
  const ids = [0, 1, 2, 3].flatMap((number) =>
    records(gunzipSync(readFileSync(join(out, `shard-${number}.jsonl.gz`))).toString()).map(({ id }) => id),
  );
  expect(ids).toEqual(Array.from({ length: replies }, (_, id) => id));
}, 60_000);

test("the script of a Slurm task reads its shard, and the function of Ray Data its batch", async () => {
  const out = join(folder, "slurm-out");
  const bin = join(folder, "bin2");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "toolpeg"), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`, { mode: 0o755 });
  writeFileSync(join(folder, "shards.txt"), `${folder}/none.jsonl\n${folder}/log.jsonl.zst\n`);
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const task = [join(projectRoot, "examples/at-scale/slurm-array.sh"), join(folder, "shards.txt")];
  execFileSync("bash", [...task, join(folder, "tools.json"), "hermes", out], {
    env: { ...env, SLURM_ARRAY_TASK_ID: "2" },
  });
  expect(records(gunzipSync(readFileSync(join(out, "log.telemetry.jsonl.gz"))).toString())).toHaveLength(replies);
  const python = `
import json, sys
sys.path.insert(0, ${JSON.stringify(join(projectRoot, "examples/at-scale"))})
sys.dont_write_bytecode = True
from ray_data import read_batch
texts = json.load(sys.stdin)
print(json.dumps(read_batch({"text": texts, "n": [7, 8, 9]}, ${JSON.stringify(join(folder, "tools.json"))}, "hermes")))
`;
  const texts = [replyOf(0).text, "\u2028 no line end", replyOf(3).text];
  const batch = JSON.parse(
    execFileSync("python3", ["-c", python], { encoding: "utf8", env, input: JSON.stringify(texts) }),
  );
  expect(batch.n).toEqual([7, 8, 9]);
  expect(batch.read.map((one: string) => JSON.parse(one).calls.length)).toEqual([1, 0, 1]);
});

test("the recipe for Spark, as Spark calls it: a command per partition, without an environment", () => {
  const place = join(folder, "spark");
  const bin = join(place, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "toolpeg"), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`, { mode: 0o755 });
  // What `--files` does: the file lies where the executors work.
  writeFileSync(join(place, "tools.json"), read("tools.json"));
  const all = lines(100).split("\n");
  writeFileSync(join(place, "log-0.jsonl"), `${all.slice(0, 60).join("\n")}\n`);
  writeFileSync(join(place, "log-1.jsonl"), "");
  writeFileSync(join(place, "log-2.jsonl"), `${[...all.slice(60, 100), "no reply", "{}"].join("\n")}\n`);
  const script = join(projectRoot, "examples/at-scale/spark_pipe.py");
  const python = (format: string, target: string) =>
    execFileSync("python3", [script, join(place, "log-*.jsonl"), join(place, target), format], {
      cwd: place,
      encoding: "utf8",
      stdio: "pipe",
      env: {
        PATH: `${bin}:${process.env.PATH}`,
        PYTHONPATH: join(projectRoot, "test/support/spark-stand-in"),
        PYTHONDONTWRITEBYTECODE: "1",
      },
    });
  const said = python("hermes", "read");
  expect(said).toMatch(/^read 100 of 102$/m);
  expect(said).toMatch(/^refused \{'unknown-tool': 20\}$/m);
  const written = ["part-00000.gz", "part-00001.gz", "part-00002.gz"].flatMap((name) => {
    const text = gunzipSync(readFileSync(join(place, "read", name))).toString();
    return text === "" ? [] : records(text);
  });
  expect(written.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, id) => id));
  // What is wrong with the command fails the task, and nothing is written.
  expect(() => python("no_such_format", "wrong")).toThrow(/the command ended with/);
});

test("calls are compared in order, as plain objects or as the OpenAI interface writes them", () => {
  const calls = [{ name: "a", arguments: { x: [1, { y: 2 }] } }];
  const compare = (expected: unknown) => compareCalls(calls, expected, "line 1");
  expect(compare([{ name: "a", arguments: { x: [1, { y: 2 }] } }])).toBe("agree");
  expect(compare([{ type: "function", function: { name: "a", arguments: '{"x":[1,{"y":2}]}' } }])).toBe("agree");
  expect(compare([{ name: "a", arguments: { x: [1, { y: 3 }] } }])).toBe("arguments");
  expect(compare([{ name: "b", arguments: { x: [1, { y: 2 }] } }])).toBe("name");
  expect(compare([])).toBe("extra");
  expect(compare(null)).toBe("extra");
  expect(compare([{ name: "a" }, { name: "a" }])).toBe("missing");
  expect(() => compare("a")).toThrow("line 1 is no list of calls");
});

test("progress over the file: share, rate and time left, on standard error alone", async () => {
  let milliseconds = 0;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => (milliseconds += 200));
  let [out, err] = ["", ""];
  const colours = createColors(false);
  const terminal: Terminal = {
    stdin: (async function* () {})(),
    out: (text) => (out += text),
    err: (text) => (err += text),
    errIsTerminal: true,
    columns: 80,
    colours,
    errColours: colours,
  };
  const big = join(folder, "big.jsonl");
  const wide = `${JSON.stringify({ text: "The dial is fine.", note: "x".repeat(20_000) })}\n`;
  writeFileSync(big, wide.repeat(200));
  try {
    const setup = { format: "hermes", tools, record: "compact", skipBad: false } as const;
    const options = { setup: { ...setup, tools: [...tools] }, jobs: 1, resume: false };
    await runBatch(await openInputs([big], true), options, library as unknown as CliEngine, terminal);
  } finally {
    clock.mockRestore();
  }
  const drawn = err.split("\r\u001b[2K").filter((line) => line !== "");
  expect(drawn.length).toBeGreaterThan(3);
  for (const line of drawn) expect(line).toMatch(/^\d+%, [\d,]+ replies, [\d,]+\/s, \d+ s left$/);
  expect(drawn.map((line) => Number.parseInt(line, 10))).toEqual(
    [...drawn.map((line) => Number.parseInt(line, 10))].sort((a, b) => a - b),
  );
  expect(out.split("\n")).toHaveLength(201);
});

test("time left is given in the unit that people use for it", () => {
  expect([12, 89, 150, 7500].map(duration)).toEqual(["12 s", "89 s", "3 min", "2 h 5 min"]);
});

function sizeOf(name: string): number {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path).length : 0;
}

async function untilSome(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
