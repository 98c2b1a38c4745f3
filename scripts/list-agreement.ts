/**
 * Reads every corpus case in lists and with `"auto"`, and writes the figures into docs/guarantees.md:
 * `npx tsx scripts/list-agreement.ts [--lists 4]`. Takes a minute or two; what must not be is printed, and makes the run fail.
 */
import { parseArgs } from "node:util";
import { compareList, formatCases, listsWith, noAgreement } from "../test/support/list-agreement.ts";
import { updatePart } from "./made-files.ts";

const { values } = parseArgs({ options: { lists: { type: "string", default: "4" } } });
const perSize = Number(values.lists);
const [inLists, inAuto] = [noAgreement(), noAgreement()];
let count = 0;
for (const { id, cases } of formatCases()) {
  count += cases.length;
  for (const list of listsWith(id, perSize)) compareList(id, cases, list, inLists);
  compareList(id, cases, "auto", inAuto);
}
const wrong = [...inLists.wrong, ...inAuto.wrong];
for (const line of wrong) console.log(line);

const number = (count: number) => count.toLocaleString("en-US");
const row = (title: string, { readings, same, refused, more }: typeof inAuto) =>
  `| ${[title, ...[readings, same, refused, more].map(number)].join(" | ")} |`;
const table = [
  "| read in | readings | the same calls | refused in the place of a call | a call of another format beside |",
  "|---|---:|---:|---:|---:|",
  row(`${2 * perSize} lists of 2, of 3 and of 8 formats for each format`, inLists),
  row('`"auto"`', inAuto),
].join("\n");
console.log(`${number(count)} cases, ${number(wrong.length)} wrong\n${table}`);

const lines = ["<!-- made by scripts/list-agreement.ts -->", "<!-- end -->"] as const;
updatePart("docs/guarantees.md", lines, `\n${table}\n`, "npx tsx scripts/list-agreement.ts");
process.exitCode = wrong.length > 0 ? 1 : 0;
