/**
 * What other repairers' own tests ask, and how many of these answers we give. Each other answer needs its reason
 * (`differences.ts`). Their tests are read where they were fetched to, and are no part of this repository:
 * `npx tsx bench/recovery/peer-pairs.ts JSONREPAIR_CHECKOUT JSON_REPAIR_CHECKOUT [--fail]`
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { transformSync } from "esbuild";
import { repairJson } from "../../src/json-repair/index.ts";
import { differences } from "./differences.ts";

/** What is asked for at least, in per cent. */
const bars: Readonly<Record<string, number>> = { jsonrepair: 92, json_repair: 80 };

type Pair = [text: string, value: unknown];

/** Runs the tests of jsonrepair with an `expect` that takes notes. */
function pairsOfJsonrepair(directory: string): Pair[] {
  const pairs: Pair[] = [];
  const source = readFileSync(`${directory}/src/index.test.ts`, "utf8").replace(/^import .*$/gm, "");
  const take = (text: unknown, expected: unknown): void => {
    if (typeof text !== "string" || typeof expected !== "string") return;
    try {
      pairs.push([text, JSON.parse(expected)]);
    } catch {
      // Their answer is no JSON: there is no value to compare.
    }
  };
  const expectation = (asked: { text?: string } | undefined) => ({
    toBe: (expected: unknown) => take(asked?.text, expected),
    toEqual: (expected: unknown) => take(asked?.text, expected),
    toThrow: () => undefined,
  });
  const run = (_: unknown, body: () => void): void => {
    try {
      body();
    } catch {
      // A test that does more with the answer than to compare it.
    }
  };
  const describe = Object.assign(run, {
    each: () => (_: string, body: (given: { jsonrepair: (text: string) => object }) => void) =>
      body({ jsonrepair: (text) => ({ text }) }),
  });
  const implementations = { jsonRepairRegular: undefined, jsonrepairCore: undefined, JSONRepairError: Error };
  const context = createContext({
    ...implementations,
    describe,
    test: run,
    it: run,
    expect: expectation,
    JSON,
    Number,
    RegExp,
    String,
  });
  runInContext(transformSync(source, { loader: "ts" }).code, context);
  return pairs;
}

/** Prints the pairs of the Python tests: `repair_json(text, ...) == value` with one text and no other input. */
const pythonPairs = `
import ast, json, sys, glob
for path in sorted(glob.glob(sys.argv[1] + "/tests/test_*.py")):
    if any(word in path for word in ("schema", "cli", "file", "strict", "docs", "performance", "inference")): continue
    for node in ast.walk(ast.parse(open(path).read())):
        if not (isinstance(node, ast.Assert) and isinstance(node.test, ast.Compare)): continue
        if len(node.test.ops) != 1 or not isinstance(node.test.ops[0], ast.Eq): continue
        call, right = node.test.left, node.test.comparators[0]
        if not (isinstance(call, ast.Call) and getattr(call.func, "id", "") in ("repair_json", "loads")): continue
        try:
            text, expected = ast.literal_eval(call.args[0]), ast.literal_eval(right)
            if any(k.arg in ("stream_stable", "strict", "schema") for k in call.keywords): continue
            objects = call.func.id == "loads" or any(k.arg == "return_objects" for k in call.keywords)
            if not objects:
                if expected == "": continue
                expected = json.loads(expected)
            print(json.dumps([text, expected]))
        except Exception: pass
`;

function pairsOfJsonRepair(directory: string): Pair[] {
  const lines = execFileSync("python3", ["-c", pythonPairs, directory], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Pair);
}

function same(left: unknown, right: unknown): boolean {
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return left === right;
  const keys = Object.keys(left);
  if (Array.isArray(left) !== Array.isArray(right) || keys.length !== Object.keys(right).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(right, key) &&
      same((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
  );
}

const [ofJsonrepair, ofJsonRepair] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const peers: [string, Pair[]][] = [];
const rowOf = new Map(Object.entries(differences).flatMap(([row, texts]) => texts.map((text) => [text, row] as const)));
if (ofJsonrepair !== undefined) peers.push(["jsonrepair", pairsOfJsonrepair(ofJsonrepair)]);
if (ofJsonRepair !== undefined) peers.push(["json_repair", pairsOfJsonRepair(ofJsonRepair)]);
for (const [name, pairs] of peers) {
  let right = 0;
  let silent = 0;
  const rows = new Map<string, number>();
  const unexplained: string[] = [];
  for (const [text, value] of pairs) {
    const result = repairJson(text, { final: true, several: "array", bareText: true });
    if (result.ok && same(result.value, value)) {
      right++;
      continue;
    }
    const digest = createHash("sha256").update(text).digest("hex").slice(0, 8);
    const row = rowOf.get(digest);
    if (row === undefined) unexplained.push(`${digest} ${JSON.stringify(text)}`);
    else rows.set(row, (rows.get(row) ?? 0) + 1);
    if (result.ok && (result.level === "safe" || result.level === "none")) silent++;
    if (!process.argv.includes("--fail")) continue;
    const ours = result.ok ? `${result.level} ${JSON.stringify(result.value)}` : `refused: ${result.reason}`;
    console.log(
      `${row ?? "no reason"}: ${JSON.stringify(text)}\n    theirs ${JSON.stringify(value)}\n    ours   ${ours}`,
    );
  }
  const percent = ((100 * right) / pairs.length).toFixed(1);
  console.log(
    `${name}: ${right} of ${pairs.length} values are the same (${percent} %), ${silent} of the others have no flag`,
  );
  console.log(`    ${[...rows].map(([row, count]) => `${row} ${count}`).join(", ")}`);
  for (const text of unexplained) console.log(`    without a reason: ${text}`);
  if (100 * right < bars[name] * pairs.length || unexplained.length > 0) process.exitCode = 1;
}
