/**
 * Order decides nothing, and no format takes from another: each corpus case in lists and with `"auto"` against its own format
 * alone. A seeded sample; `npx tsx scripts/list-agreement.ts` tries all and writes the figures into docs/guarantees.md.
 */
import { expect, test } from "vitest";
import { compareList, formatCases, listsWith, noAgreement } from "./support/list-agreement.ts";

/** `TOOLPEG_DEEP=1`: all cases, ten lists of each size. */
const deep = process.env.TOOLPEG_DEEP !== undefined;

test("lists and auto make the calls of the format alone, or refuse them; the order decides nothing", () => {
  const found = noAgreement();
  for (const { id, cases } of formatCases()) {
    const lists = listsWith(id, deep ? 10 : 1);
    const some = (every: number, first = 0) => (deep ? cases : cases.filter((_, at) => at % every === first));
    lists.forEach((list, at) => {
      compareList(id, some(10 * lists.length, at), list, found);
    });
    compareList(id, some(53), "auto", found);
  }
  expect(found.wrong).toEqual([]);
  expect(found.same / found.readings).toBeGreaterThan(0.95);
}, 1_200_000);
