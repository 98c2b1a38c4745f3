/**
 * The other readers of damaged JSON. Each gives a value or throws; none says how sure it is.
 */
import { execFileSync } from "node:child_process";
import { parsePartialJson } from "ai7";
import * as bestEffort from "best-effort-json-parser";
import JSON5 from "json5";
import { jsonrepair } from "jsonrepair";
import * as partialJson from "partial-json";
import { quiet } from "./quiet.ts";

bestEffort.disableErrorLogging();

/** Readers that answer at once. */
export const peers: Readonly<Record<string, (text: string) => unknown>> = {
  jsonrepair: (text) => JSON.parse(jsonrepair(text)) as unknown,
  "partial-json": (text) => quiet(() => partialJson.parse(text) as unknown),
  "best-effort": (text) => bestEffort.parse(text) as unknown,
  json5: (text) => JSON5.parse(text) as unknown,
};

/** The reader of the AI SDK, which answers later. */
export async function readWithAiSdk(text: string): Promise<unknown> {
  const { value, state } = await parsePartialJson(text);
  if (state === "failed-parse" || state === "undefined-input") throw new Error(state);
  return value;
}

const python = `
import json, sys
from json_repair import repair_json
for line in sys.stdin:
    try: print(json.dumps({"value": repair_json(json.loads(line), return_objects=True)}))
    except Exception as error: print(json.dumps({"error": str(error)}))
`;

/**
 * What json_repair, a library for Python, makes of each text.
 *
 * @param checkout - A checkout of it, since no registry in reach has it.
 */
export function readWithJsonRepair(checkout: string, texts: readonly string[]): { value?: unknown; error?: string }[] {
  const output = execFileSync("python3", ["-c", python], {
    encoding: "utf8",
    env: { ...process.env, PYTHONPATH: `${checkout}/src` },
    input: texts.map((text) => `${JSON.stringify(text)}\n`).join(""),
    maxBuffer: 1 << 30,
  });
  const lines = output.split("\n").filter((line) => line !== "");
  // Python writes NaN and Infinity, which are no JSON.
  return lines.map((line) => JSON.parse(line.replace(/\b-?(?:NaN|Infinity)\b/g, "null")) as { value?: unknown });
}

/** The word after a flag of the command line. */
export function flagValue(flag: string): string | undefined {
  const at = process.argv.indexOf(flag);
  return at < 0 ? undefined : process.argv[at + 1];
}
