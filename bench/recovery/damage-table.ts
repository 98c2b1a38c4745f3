/**
 * Known documents, every kind of damage: what comes out right, what is wrong but flagged, what is wrong in silence.
 * `npx tsx bench/recovery/damage-table.ts [documents per kind] [seed] [--fail]`
 */
import { repairJson } from "../../src/json-repair/index.ts";
import { damages } from "./damage.ts";
import type { JsonObject } from "./documents.ts";
import { peers } from "./peers.ts";
import { Random } from "./random.ts";

const counts = process.argv
  .slice(2)
  .filter((argument) => /^\d+$/.test(argument))
  .map(Number);
const perKind = counts[0] ?? 40;
const seed = counts[1] ?? 20261121;
const showFailures = process.argv.includes("--fail");

type Outcome = "right" | "refused" | "flagged" | "silent";
type Answer = { value: unknown; flagged: boolean } | undefined;
type Reader = (text: string, keys: string[]) => Answer;

const peer =
  (read: (text: string) => unknown): Reader =>
  (text) => {
    try {
      return { value: read(text), flagged: false };
    } catch {
      return undefined;
    }
  };
const ours = (text: string, keys: string[] | undefined): Answer => {
  const result = repairJson(text, keys === undefined ? {} : { keys });
  return result.ok
    ? { value: result.value, flagged: result.level === "guess" || result.level === "truncated" }
    : undefined;
};

const readers: Record<string, Reader> = {
  toolpeg: (text) => ours(text, undefined),
  "toolpeg, keys": (text, keys) => ours(text, keys),
  ...Object.fromEntries(Object.entries(peers).map(([name, read]) => [name, peer(read)])),
};

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)))
      : inner === undefined || (typeof inner === "number" && !Number.isFinite(inner))
        ? `(${String(inner)})`
        : inner,
  );
}

const totals = Object.fromEntries(
  Object.keys(readers).map((name) => [name, { right: 0, refused: 0, flagged: 0, silent: 0 }]),
);
const rows: string[] = [];
let documents = 0;
for (const [index, damage] of damages.entries()) {
  const row = Object.fromEntries(
    Object.keys(readers).map((name) => [name, { right: 0, refused: 0, flagged: 0, silent: 0 }]),
  );
  const random = new Random(seed + index * 7919);
  for (let count = 0; count < perKind; count++) {
    const damaged = damage.make(random);
    documents++;
    const accepted = damaged.values.map(canonical);
    const keys = Object.keys((Array.isArray(damaged.values[0]) ? {} : damaged.values[0]) as JsonObject);
    for (const [name, read] of Object.entries(readers)) {
      const answer = read(damaged.text, keys.length === 0 ? [] : [...keys, "text", "unfinished"]);
      let outcome: Outcome;
      if (answer === undefined) outcome = damaged.mayRefuse === true ? "right" : "refused";
      else if (accepted.includes(canonical(answer.value))) outcome = "right";
      else outcome = answer.flagged ? "flagged" : "silent";
      row[name][outcome]++;
      totals[name][outcome]++;
      if (showFailures && outcome !== "right" && name.startsWith("toolpeg")) {
        console.log(
          `${name} | ${damage.name} | ${outcome}\n   ${JSON.stringify(damaged.text)}\n   ${JSON.stringify(answer?.value)}`,
        );
      }
    }
  }
  rows.push(
    `| ${damage.name} | ${Object.values(row)
      .map(({ right, silent }) => `${Math.round((100 * right) / perKind)}${silent > 0 ? ` (${silent} silent)` : ""}`)
      .join(" | ")} |`,
  );
}
const names = Object.keys(readers);
console.log(
  `${damages.length} kinds of damage, ${documents} documents, seed ${seed}. Per cent right; in brackets how many were wrong without a flag.\n`,
);
console.log(`| damage | ${names.join(" | ")} |\n| --- |${" ---: |".repeat(names.length)}\n${rows.join("\n")}`);
const percent = (value: number): string => `${((100 * value) / documents).toFixed(1)} %`;
for (const outcome of ["right", "refused", "flagged", "silent"] as const) {
  console.log(
    `| **${outcome === "silent" ? "silently wrong" : outcome}** | ${names.map((name) => percent(totals[name][outcome])).join(" | ")} |`,
  );
}
const bars = [
  ["right without keys >= 90 %", totals.toolpeg.right / documents >= 0.9],
  ["right with keys >= 95 %", totals["toolpeg, keys"].right / documents >= 0.95],
  ["silently wrong <= 0.5 %", Math.max(totals.toolpeg.silent, totals["toolpeg, keys"].silent) / documents <= 0.005],
] as const;
console.log("");
for (const [bar, met] of bars) console.log(`${met ? "met   " : "MISSED"} ${bar}`);
process.exitCode = bars.every(([, met]) => met) ? 0 : 1;
