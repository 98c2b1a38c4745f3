/**
 * Order decides nothing, and no format takes from another: each corpus case in lists and with `"auto"` against its own format
 * alone. A seeded sample; `npx tsx scripts/list-agreement.ts` tries all and writes the figures into docs/guarantees.md.
 */
import { expect, test } from "vitest";
import { compareLists, formatCases, listSizes, listsWith, noAgreement } from "./support/list-agreement.ts";

/** `TOOLPEG_DEEP=1`: all cases, ten lists of each size. */
const deep = process.env.TOOLPEG_DEEP !== undefined;

test("lists and auto make the calls of the format alone, or refuse them; the order decides nothing", () => {
  const found = noAgreement();
  for (const [at, { id, example }] of formatCases().entries()) {
    if (!deep && at % 2 > 0) continue;
    const seed = `${id}: ${example.title}`;
    const lists = deep ? listsWith(id, seed, 10) : listsWith(id, seed, 1, [listSizes[(at >> 1) % listSizes.length]]);
    compareLists(id, example, deep || at % 8 === 0 ? [...lists, "auto"] : lists, found);
  }
  expect(found.wrong).toEqual([]);
  expect(found.same / found.readings).toBeGreaterThan(0.95);
}, 1_200_000);
