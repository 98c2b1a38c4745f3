/**
 * Documents cut at every position: what a reader makes of the beginning.
 * `npx tsx bench/recovery/truncation.ts [documents] [seed] [--json-repair CHECKOUT] [--fail]`
 *
 * Right: every value that is complete is there, an open string as far as it came, and nothing is made up. Less: nothing
 * is made up, but something that is complete is missing. Made up: a value, a key or digits that the document does not
 * hold, such as `12` where the document goes on with `128`, or `null` for what has not come.
 */
import { repairJson } from "../../src/json-repair/index.ts";
import { type Json, makeDocument, write } from "./documents.ts";
import { flagValue, peers, readWithAiSdk, readWithJsonRepair } from "./peers.ts";
import { Random } from "./random.ts";

const counts = process.argv
  .slice(2)
  .filter((argument) => /^\d+$/.test(argument))
  .map(Number);
const documents = counts[0] ?? 40;
const random = new Random(counts[1] ?? 20261121);
const checkout = flagValue("--json-repair");

/** A value of the document, with the part of the text that it takes. */
interface Place {
  value: Json;
  start: number;
  end: number;
  inside: Map<string | number, Place>;
}

/** Finds the places of a document in its text, which is strict JSON. */
function locate(text: string): Place {
  let at = 0;
  const skip = (): void => {
    while (/[\s,:]/.test(text[at])) at++;
  };
  const readString = (): string => {
    const start = at++;
    while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    return JSON.parse(text.slice(start, ++at)) as string;
  };
  const read = (): Place => {
    skip();
    const start = at;
    const inside = new Map<string | number, Place>();
    if (text[at] === "{" || text[at] === "[") {
      const isObject = text[at++] === "{";
      for (skip(); text[at] !== "}" && text[at] !== "]"; skip()) {
        const key = isObject ? readString() : inside.size;
        inside.set(key, read());
      }
      at++;
    } else if (text[at] === '"') readString();
    else while (at < text.length && /[^\s,\]}]/.test(text[at])) at++;
    return { value: JSON.parse(text.slice(start, at)) as Json, start, end: at, inside };
  };
  return read();
}

type Outcome = "right" | "less" | "made up" | "refused";

/** What a reader's value says of the beginning of the document that ends at `cut`. */
function outcomeOf(found: unknown, place: Place, cut: number): Exclude<Outcome, "refused"> {
  const { value } = place;
  if (place.start >= cut) return "made up";
  if (typeof value === "object" && value !== null) {
    if (typeof found !== "object" || found === null || Array.isArray(found) !== Array.isArray(value)) return "made up";
    let outcome: Exclude<Outcome, "refused"> = "right";
    const members: [string | number, unknown][] = Array.isArray(found)
      ? found.map((item, index) => [index, item])
      : Object.entries(found);
    for (const [key, member] of members) {
      const inner = place.inside.get(key);
      const answer = inner === undefined ? "made up" : outcomeOf(member, inner, cut);
      if (answer === "made up") return "made up";
      if (answer === "less") outcome = "less";
    }
    const names = new Set(members.map(([key]) => key));
    for (const [key, inner] of place.inside) {
      // A number that ends where the text does may go on: it need not be there.
      const complete = typeof inner.value === "number" ? inner.end < cut : inner.end <= cut;
      if (complete && !names.has(key)) outcome = "less";
    }
    return outcome;
  }
  if (typeof value === "string") {
    if (typeof found !== "string" || !value.startsWith(found)) return "made up";
    return place.end <= cut && found !== value ? "less" : "right";
  }
  return found === value ? "right" : "made up";
}

const cases: { text: string; cut: number; place: Place }[] = [];
for (let count = 0; count < documents; count++) {
  const document = makeDocument(random);
  const whole = write(document, count % 2 === 0 ? {} : { indent: "  " });
  const place = locate(whole);
  for (let cut = 1; cut < whole.length; cut++) cases.push({ text: whole.slice(0, cut), cut, place });
}

type Answer = { value: unknown; flagged: boolean } | undefined;
const columns: [name: string, answers: Answer[]][] = [];
columns.push([
  "toolpeg",
  cases.map(({ text }) => {
    const read = repairJson(text);
    return read.ok ? { value: read.value, flagged: read.level === "truncated" || read.level === "guess" } : undefined;
  }),
]);
for (const [name, read] of Object.entries(peers)) {
  const answer = (text: string): Answer => {
    try {
      return { value: read(text), flagged: false };
    } catch {
      return undefined;
    }
  };
  columns.push([name, cases.map(({ text }) => answer(text))]);
}
const later: Answer[] = [];
for (const { text } of cases) {
  later.push(
    await readWithAiSdk(text).then(
      (value) => ({ value, flagged: false }),
      () => undefined,
    ),
  );
}
columns.push(["ai", later]);
if (checkout !== undefined) {
  const texts = cases.map(({ text }) => text);
  const answers = readWithJsonRepair(checkout, texts);
  columns.push([
    "json_repair",
    answers.map((one) => ("value" in one ? { value: one.value, flagged: false } : undefined)),
  ]);
}

console.log(`${documents} documents, ${cases.length} cuts.\n`);
console.log(
  "| reader | right | less | refused | made up | of these, not flagged |\n| --- | ---: | ---: | ---: | ---: | ---: |",
);
let met = true;
for (const [name, answers] of columns) {
  const total: Record<Outcome, number> = { right: 0, less: 0, refused: 0, "made up": 0 };
  let silent = 0;
  for (const [index, { text, cut, place }] of cases.entries()) {
    const answer = answers[index];
    const outcome = answer === undefined ? "refused" : outcomeOf(answer.value, place, cut);
    total[outcome]++;
    if (outcome === "made up" && answer?.flagged === false) silent++;
    if (process.argv.includes("--fail") && name === "toolpeg" && outcome !== "right") {
      console.log(`${outcome}: ${JSON.stringify(text)}\n    ${JSON.stringify(answer?.value)}`);
    }
  }
  const percent = (count: number): string => `${((100 * count) / cases.length).toFixed(1)} %`;
  console.log(
    `| ${name} | ${percent(total.right)} | ${percent(total.less)} | ${percent(total.refused)} | ${percent(total["made up"])} | ${percent(silent)} |`,
  );
  if (name === "toolpeg") met = total.right === cases.length;
}
console.log(`\n${met ? "met   " : "MISSED"} toolpeg is right at every cut`);
process.exitCode = met ? 0 : 1;
