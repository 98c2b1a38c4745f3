/**
 * Structure-aware fuzzing: `npm run fuzz -- --minutes 5 --seed 1`. Prints each finding, made as small as it gets, as a
 * corpus case; `--seed N --count 1` has one again.
 */
import { parseArgs } from "node:util";
import { fuzz, printFinding } from "./fuzzing.ts";

const { values } = parseArgs({
  options: { minutes: { type: "string" }, seed: { type: "string" }, count: { type: "string" } },
});
const seed = Number(values.seed ?? Date.now() % 1e9);
const minutes = Number(values.minutes ?? (values.count === undefined ? 1 : Number.POSITIVE_INFINITY));
const count = Number(values.count ?? Number.POSITIVE_INFINITY);
if (Number.isNaN(seed + minutes + count)) throw new TypeError("--minutes, --seed and --count take a number");

console.log(`seed ${seed}`);
const end = Date.now() + minutes * 60_000;
const seen = new Set<string>();
let tried = 0;
while (tried < count && Date.now() < end) {
  const round = fuzz(seed + tried, Math.min(200, count - tried), () => Date.now() < end);
  tried += round.tried;
  for (const finding of round.findings) {
    const kind = `${finding.formats}${finding.what.slice(0, 40)}`;
    if (seen.has(kind)) continue;
    seen.add(kind);
    console.log(printFinding(finding));
  }
}
console.log(`${tried} texts tried, ${seen.size} findings`);
process.exitCode = seen.size === 0 ? 0 : 1;
