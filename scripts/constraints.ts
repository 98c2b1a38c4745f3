/**
 * Asks every format, or those named, whether its constraints keep their promises: `npm run constraints -- [--samples N]
 * [--engine] [FORMAT...]`. For random tools, sentences of the constraint are read by `parse`, and what `renderCalls`
 * writes is accepted; with `--engine` also by xgrammar, which must agree on damaged sentences too.
 */
import { exportConstraint } from "../src/export/index.ts";
import { formats } from "../src/index.ts";
import { acceptRendered, mutate, readSamples, renderSome, toolChoicesOf } from "../test/support/constraint-checks.ts";
import { accepts, sampler, seededRandom } from "../test/support/parts.ts";
import { randomTools } from "../test/support/random-tools.ts";
import { loadXGrammar } from "../test/support/xgrammar.ts";

const args = process.argv.slice(2);
const samples = args.includes("--samples") ? Number(args[args.indexOf("--samples") + 1]) : 200;
const ids = args.filter((arg, at) => !arg.startsWith("--") && args[at - 1] !== "--samples");
const engine = args.includes("--engine") ? loadXGrammar() : undefined;
const shownMax = 3;
/** Sentences for each set of tools. */
const batch = 20;

const total = { sampled: 0, rendered: 0, byEngine: 0, damaged: 0, refused: 0, failures: 0 };
for (const format of ids.length > 0 ? ids.map((id) => formats.get(id)) : formats) {
  const random = seededRandom([...format.id].reduce((sum, char) => sum * 31 + char.charCodeAt(0), 7));
  const failures: string[] = [];
  for (let done = 0; done < samples; done += batch) {
    const tools = randomTools(random, 3);
    for (const toolChoice of toolChoicesOf(tools)) {
      const reasoning = (["closed", "prefilled", "may"] as const)[Math.floor(random() * 3)];
      const guard = random() < 0.5 ? "markers" : "closer";
      const order = random() < 0.5 ? "any" : "declared";
      const count = Math.min(batch, samples - done);
      const read = readSamples(format, tools, { toolChoice, reasoning, guard, order }, count, random);
      failures.push(...read.failures);
      total.sampled += read.sampled;
    }
    const constraint = exportConstraint(format, { tools, toolChoice: "required" });
    const written = acceptRendered(format, tools, constraint, batch, random);
    failures.push(...written.failures);
    total.rendered += written.rendered;
    if (engine !== undefined && done < 2 * batch) failures.push(...(await byEngine(constraint, tools, format, random)));
  }
  total.failures += failures.length;
  console.log(`${format.id}: ${failures.length === 0 ? "kept" : `${failures.length} failures`}`);
  for (const failure of failures.slice(0, shownMax)) console.log(`  ${failure}`);
}
console.log(total);
process.exitCode = total.failures > 0 ? 1 : 0;

async function byEngine(
  constraint: ReturnType<typeof exportConstraint>,
  tools: ReturnType<typeof randomTools>,
  format: Parameters<typeof exportConstraint>[0],
  random: () => number,
): Promise<string[]> {
  if (engine === undefined) return [];
  const failures: string[] = [];
  const { grammar } = constraint.gbnf();
  // xgrammar 0.1.27 cuts the characters of a set to one byte, so it says nothing of markers that are not ASCII.
  const isAscii = !/\[[^\]^][^\]]*\\[uU](?!00[0-7])/.test(grammar);
  const grammars = [await engine.fromGbnf(grammar), await engine.fromStructuralTag(constraint.structuralTag())];
  const next = sampler(constraint.parts, random);
  for (let at = 0; at < batch; at++) {
    const sentence = next();
    const texts = [sentence, renderSome(format, tools, random, true), mutate(sentence, random)];
    for (const text of texts) {
      if (text === undefined || (!isAscii && text !== texts[1])) continue;
      const ours = accepts(constraint.parts, text);
      if (!ours) total.refused++;
      if (text === texts[2]) total.damaged++;
      for (const [which, one] of grammars.entries()) {
        total.byEngine++;
        if (one.accepts(text) === ours) continue;
        failures.push(`${format.id} ${which === 0 ? "gbnf" : "tag"}: we say ${ours}: ${JSON.stringify(text)}`);
      }
    }
  }
  for (const one of grammars) one.dispose();
  return failures;
}
