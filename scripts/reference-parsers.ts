/**
 * Compares the machine with stock Peggy and Ohm on every grammar: `npm run reference-parsers [-- id ...] [--sentences 5000] [--seed 1]`. A
 * disagreement is printed with the seed that shows it again, and makes the run fail.
 */
import { parseArgs } from "node:util";
import { grammarIds, judgeGrammar, knownDifferences } from "../test/support/reference-parsers.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sentences: { type: "string", default: "5000" }, seed: { type: "string" } },
});
const sentences = Number(values.sentences);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const shownMax = 5;

console.log(`${sentences} sentences per format, seed ${seed}`);
for (const { rule, reason } of knownDifferences) console.log(`known difference: ${rule}: ${reason}`);
let failed = 0;
for (const id of positionals.length ? positionals : grammarIds) {
  const verdict = judgeGrammar(id, sentences, seed);
  const { mutated, accepted, readByOhm, cut, disagreements } = verdict;
  failed += disagreements.length;
  console.log(
    `${id.padEnd(18)} ${mutated} mutated, ${accepted} accepted, ${readByOhm} also read by Ohm, ` +
      `${cut} refused by a cut, ${disagreements.length} disagreements`,
  );
  for (const disagreement of disagreements.slice(0, shownMax)) console.log(`  ${disagreement}`);
}
if (failed > 0) {
  console.error(`${failed} disagreements; see them again with --sentences ${sentences} --seed ${seed}`);
  process.exitCode = 1;
}
