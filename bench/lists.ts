/** What a list of formats costs beside one: `npm run bench -- --lists`. Readers take turns, so that a loaded machine slows all alike. */
import type { Toolpeg } from "./participants.ts";
import { tools, workloadsOf } from "./workloads.ts";

const rounds = 40;
const warmUpRounds = 8;
/** A turn of a reader takes about so many microseconds. */
const turnMicroseconds = 4000;

const quarter = (list: number[]) => list.sort((left, right) => left - right)[list.length >> 2];

/** Times of one format, of twenty and of `"auto"` for the same replies, in microseconds, and how often the first the others take. */
export function printLists(toolpeg: Toolpeg): void {
  const twenty = ["hermes", ...toolpeg.formats.ids.filter((id) => id !== "hermes").slice(0, 19)];
  const readers = { hermes: "hermes", "20 formats": twenty, auto: "auto" } as const;
  const prepared = Object.entries(readers).map(
    ([name, format]) => [name, toolpeg.prepare({ format, tools } as Parameters<Toolpeg["prepare"]>[0])] as const,
  );
  const plain = "Nothing to see here, only words that go on for a while until the line ends at last.\n";
  const [small, calls, , prose] = workloadsOf("hermes");
  const texts = [small, calls, prose, { ...small, name: "1 MB plain prose", text: plain.repeat(12_000) + small.text }];
  for (const { name, text, calls: expected } of texts) {
    const times = prepared.map((): number[] => []);
    for (let round = 0; round < rounds; round++) {
      prepared.forEach(([reader, { parse }], at) => {
        if (parse(text).calls.length !== expected.length) throw new Error(`${reader} reads "${name}" wrongly`);
        const began = performance.now();
        let count = 0;
        do {
          parse(text);
          count++;
        } while ((performance.now() - began) * 1000 < turnMicroseconds);
        if (round >= warmUpRounds) times[at].push(((performance.now() - began) * 1000) / count);
      });
    }
    const [base, ...others] = times.map(quarter);
    const row = others.map((time, at) => `${prepared[at + 1][0]} ${time.toFixed(1)} us, ${(time / base).toFixed(2)}x`);
    console.log(`${name.padEnd(18)} hermes ${base.toFixed(1)} us; ${row.join("; ")}`);
  }
}
