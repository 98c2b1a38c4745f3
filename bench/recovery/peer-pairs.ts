/**
 * What other repairers' own tests ask, and how many of these answers we give. Their tests are read where they were
 * fetched to, and are no part of this repository:
 * `npx tsx bench/recovery/peer-pairs.ts JSONREPAIR_CHECKOUT JSON_REPAIR_CHECKOUT [--fail]`
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { transformSync } from "esbuild";
import { repairJson } from "../../src/json-repair/index.ts";

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
if (ofJsonrepair !== undefined) peers.push(["jsonrepair", pairsOfJsonrepair(ofJsonrepair)]);
if (ofJsonRepair !== undefined) peers.push(["json_repair", pairsOfJsonRepair(ofJsonRepair)]);
for (const [name, pairs] of peers) {
  let right = 0;
  let silent = 0;
  for (const [text, value] of pairs) {
    const result = repairJson(text, { final: true, several: "array", bareText: true });
    if (result.ok && same(result.value, value)) {
      right++;
      continue;
    }
    if (result.ok && (result.level === "safe" || result.level === "none")) silent++;
    if (!process.argv.includes("--fail")) continue;
    const ours = result.ok ? `${result.level} ${JSON.stringify(result.value)}` : `refused: ${result.reason}`;
    console.log(`${JSON.stringify(text)}\n    theirs ${JSON.stringify(value)}\n    ours   ${ours}`);
  }
  const percent = ((100 * right) / pairs.length).toFixed(1);
  console.log(
    `${name}: ${right} of ${pairs.length} values are the same (${percent} %), ${silent} of the others have no flag`,
  );
}
