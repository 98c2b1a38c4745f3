/** The replies that ship in examples/replies, read by the command as the demo reads them. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../scripts/entries.ts";
import * as engine from "../src/index.ts";
import { runCommand } from "./support/run-command.ts";

const folder = "examples/replies";

/** What becomes of each reply: the tools that are called, the repairs made, and why the rest is refused. */
const expected: Record<string, { status: number; calls: string[]; repairs: string[]; refused: string[] }> = {
  "deepseek_v31.calls.txt": { status: 0, calls: ["list_sensors", "read_sensor"], repairs: [], refused: [] },
  "deepseek_v31.refused.txt": { status: 3, calls: ["open_vent"], repairs: [], refused: ["schema", "duplicate-key"] },
  "hermes.calls.txt": { status: 0, calls: ["read_sensor", "read_sensor"], repairs: [], refused: [] },
  "hermes.refused.txt": {
    status: 3,
    calls: ["list_sensors"],
    repairs: [],
    refused: ["quoted", "unknown-tool", "schema", "truncated"],
  },
  "hermes.repaired.txt": {
    status: 0,
    calls: ["open_vent", "write_log"],
    repairs: ["quote-style", "quote-style", "quote-style", "extra-comma", "raw-control-character"],
    refused: [],
  },
};

test("every reply is expected here", () => {
  const files = readdirSync(join(projectRoot, folder)).filter((file) => file.endsWith(".txt"));
  expect(files.sort()).toEqual(Object.keys(expected).sort());
});

test.each(Object.entries(expected))("%s", async (file, wanted) => {
  const at = join(projectRoot, folder);
  const args = ["parse", join(at, file), "--format", file.split(".")[0], "--tools", join(at, "tools.json"), "--json"];
  const { status, out } = await runCommand(args, engine);
  const record = JSON.parse(out) as {
    calls: { name: string; repairs: { kind: string }[] }[];
    rejected: { reason: string }[];
  };
  expect({
    status,
    calls: record.calls.map((call) => call.name),
    repairs: record.calls.flatMap((call) => call.repairs.map((repair) => repair.kind)),
    refused: record.rejected.map((rejection) => rejection.reason),
  }).toEqual(wanted);
});
