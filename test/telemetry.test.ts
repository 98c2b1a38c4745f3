/** One record per message, and the table that many of them make. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CliEngine } from "../src/cli/engine.ts";
import * as toolpeg from "../src/index.ts";
import { createParser, parse, shouldParseText, type TelemetryRecord } from "../src/index.ts";
import { runCommand } from "./support/run-command.ts";

const tools = [
  { name: "read_dial", parameters: { type: "object", properties: { dial: { type: "string" } }, required: ["dial"] } },
];
const good = '<tool_call>\n{"name": "read_dial", "arguments": {"dial": "north"}}\n</tool_call>';
const misfit = '<tool_call>\n{"name": "read_dial", "arguments": {"dial": 7}}\n</tool_call>';
const unknown = '<tool_call>\n{"name": "secret_name", "arguments": {"dial": "secret value"}}\n</tool_call>';
const hermes = { format: "hermes", tools };

function recordFor(text: string, options: Partial<Parameters<typeof parse>[1]> = {}): TelemetryRecord {
  return parse(text, { ...hermes, ...options }).telemetry.record();
}

describe("a record", () => {
  test("of a message with a call", () => {
    expect(recordFor(`Reading.\n${good}`)).toEqual({
      parse_mode: "primary",
      fallback_used: false,
      candidate_count: 1,
      schema_validation: "pass",
      tool_result_status: null,
      format: "hermes",
      variant: null,
      calls: 1,
      repairs: {},
      rejections: {},
      chars: `Reading.\n${good}`.length,
      truncated: false,
    });
  });

  test("of a message without any", () => {
    const record = recordFor("Nothing to do.");
    expect(record).toMatchObject({ parse_mode: "none", candidate_count: 0, schema_validation: null, format: null });
  });

  test("says why arguments did not fit, and what was rejected", () => {
    const record = recordFor(`${good}\n${misfit}\n${unknown}`);
    expect(record).toMatchObject({ candidate_count: 3, calls: 1, schema_validation: "fail" });
    expect(record.schema_failure).toMatch(/^(schema|type-mismatch)$/);
    expect(record.rejections).toEqual({ [record.schema_failure as string]: 1, "unknown-tool": 1 });
  });

  test.each([
    ["primary", "hermes", good],
    ["bracket", "bracket", '[read_dial(dial="north")]'],
    ["json", "strict_json", '{"tool": "read_dial", "arguments": {"dial": "north"}}'],
    ["none", null, "north"],
  ])("says %s when the call came through %s", (mode, format, text) => {
    const record = recordFor(text, { format: ["hermes", "bracket", "strict_json"], intent: true });
    const fallback_used = mode === "bracket" || mode === "json";
    expect(record).toMatchObject({ parse_mode: mode, format, fallback_used, calls: mode === "none" ? 0 : 1 });
  });

  test("counts repairs by kind", () => {
    expect(recordFor(good.replace("\n</tool_call>", "")).repairs).toEqual({ "missing-close-marker": 1 });
  });

  test("says when the message was cut", () => {
    expect(recordFor(good.slice(0, 40))).toMatchObject({ truncated: true, rejections: { truncated: 1 } });
  });

  test("holds no text of the model", () => {
    expect(JSON.stringify(recordFor(`Reading.\n${unknown}\n${misfit}`))).not.toMatch(/secret|Reading|north/);
  });

  test("takes what the tool gave, and is JSON as it stands", () => {
    const { telemetry } = parse(good, hermes);
    expect(telemetry.withToolResult("empty").record().tool_result_status).toBe("empty");
    const { parse_mode, fallback_used, candidate_count, schema_validation, tool_result_status, duration_ms } =
      telemetry.record();
    const { parseMode, fallbackUsed, candidateCount, schemaValidation, toolResultStatus, durationMs } = telemetry;
    expect([parseMode, fallbackUsed, candidateCount, schemaValidation, toolResultStatus, durationMs]).toEqual([
      parse_mode,
      fallback_used,
      candidate_count,
      schema_validation,
      tool_result_status,
      duration_ms,
    ]);
    expect(telemetry.record().tool_result_status).toBe(null);
    expect(JSON.parse(JSON.stringify(telemetry.withToolResult("ok")))).toEqual({
      ...telemetry.record(),
      tool_result_status: "ok",
    });
  });

  test("has a duration when there is a clock, and is the same otherwise", () => {
    let now = 100;
    const clock = () => {
      now += 5;
      return now;
    };
    const { duration_ms, ...rest } = recordFor(good, { clock });
    expect(duration_ms).toBe(5);
    expect(rest).toEqual(recordFor(good));
  });

  test("is handed to onTelemetry once, at the end, whole or streamed", () => {
    const seen: TelemetryRecord[] = [];
    const onTelemetry = (record: TelemetryRecord) => seen.push(record);
    const whole = parse(good, { ...hermes, onTelemetry });
    expect(seen).toEqual([whole.telemetry.record()]);
    const parser = createParser({ ...hermes, onTelemetry });
    for (const unit of good) parser.push(unit);
    expect(seen.length).toBe(1);
    parser.end();
    parser.end();
    expect(seen).toEqual([whole.telemetry.record(), whole.telemetry.record()]);
  });
});

describe("shouldParseText", () => {
  test.each([
    [{}, undefined, true],
    [{ tool_calls: [] }, {}, true],
    [{ tool_calls: null, function_call: null }, { response_format: null }, true],
    [{ tool_calls: [{ id: "1" }] }, undefined, false],
    [{ toolCalls: [{ id: "1" }] }, undefined, false],
    [{ function_call: { name: "f" } }, undefined, false],
    [{}, { response_format: { type: "json_object" } }, false],
    [{}, { response_format: { type: "json_schema", json_schema: {} } }, false],
    [{}, { responseFormat: { type: "json" } }, false],
    [{}, { response_format: { type: "text" } }, true],
    [{}, { response_format: "json" }, false],
  ])("%j with %j: %s", (reply, request, expected) => {
    expect(shouldParseText(reply, request)).toBe(expected);
  });
});

describe("toolpeg stats", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "toolpeg-stats-"));
    const lines = [
      { ...recordFor(good), model: "one", tool_result_status: "ok" },
      { ...recordFor(good.replace("\n</tool_call>", "")), model: "one" },
      { ...recordFor(misfit), model: "two" },
      { telemetry: recordFor(unknown), model: "two" },
      recordFor("Nothing."),
      recordFor('{"tool": "read_dial", "arguments": {"dial": "x"}}'),
      { ...recordFor(good), parse_mode: "json", fallback_used: true, format: "strict_json", model: "two\u001b[31m" },
    ];
    writeFileSync(join(folder, "t.jsonl"), `${lines.map((line) => JSON.stringify(line)).join("\n")}\n\n`);
    writeFileSync(join(folder, "bad.jsonl"), '{"text": "hello"}\n');
    writeFileSync(join(folder, "broken.jsonl"), "{\n");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function run(args: string[], stdin: string[] = []) {
    const line = ["stats", ...args.map((one) => one.replace("{}", folder))];
    return runCommand(line, toolpeg as unknown as CliEngine, { stdin });
  }

  test("prints what became of the messages, by format and by model", async () => {
    const { status, out } = await run(["{}/t.jsonl"]);
    expect(status).toBe(0);
    expect(out).toContain("messages    7\n");
    expect(out).toContain("with calls  3 (42.9%)\n");
    expect(out).toContain("parse mode  primary 4, none 2, json 1\n");
    expect(out).toContain("fallback    1 (20.0%) of the messages with candidates\n");
    expect(out).toMatch(/schema {6}3 pass, 1 fail \((schema|type-mismatch) 1\)\n/);
    expect(out).toContain("unknown-tool 1");
    expect(out).toContain("repairs     missing-close-marker 1\n");
    expect(out).toContain("results     ok 1\n");
    expect(out).toMatch(/hermes +4 +2 \(50\.0%\) +2 +0 \(0\.0%\) +1 +2 +0\n/);
    expect(out).toMatch(/strict_json +1 +1 \(100\.0%\)/);
    expect(out).toMatch(/two +2 +0 \(0\.0%\)/);
    expect(out).not.toContain("\u001b");
  });

  test("prints the same as JSON", async () => {
    const data = JSON.parse((await run(["--json", "{}/t.jsonl"])).out);
    expect(data).toMatchObject({ messages: 7, calls: 3, fallback: 1, schemaPass: 3, schemaFail: 1 });
    expect(data.byFormat.hermes).toMatchObject({ messages: 4, calls: 2 });
    expect(Object.keys(data.byModel)).toEqual(["one", "two", "two\u001b[31m"]);
  });

  test("reads standard input in any pieces, and says when there is nothing", async () => {
    const line = JSON.stringify(recordFor(good));
    const { out } = await run([], [line.slice(0, 9), `${line.slice(9)}\n${line}`]);
    expect(out).toContain("messages    2\n");
    expect(await run([], [""])).toMatchObject({ status: 1, out: "no records\n" });
  });

  test("names the line that is no record", async () => {
    expect(await run(["{}/bad.jsonl"])).toMatchObject({ status: 2 });
    expect((await run(["{}/bad.jsonl"])).err).toContain("bad.jsonl:1 is no telemetry record");
    expect((await run(["{}/broken.jsonl"])).err).toContain("broken.jsonl:1 is not JSON");
    expect((await run(["{}/none.jsonl"])).status).toBe(2);
  });
});
