import { setOwn } from "../../contract/set-own.ts";
import { sameValue } from "../../testing/same-value.ts";
import { drawTable } from "../draw-table.ts";
import type { Colours } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { visible } from "../visible-text.ts";

/** How the calls of a reply compare with the expected ones. */
const agreements = ["agree", "missing", "extra", "name", "arguments"] as const;

/** `missing`: fewer calls than expected; `extra`: more; `name`, `arguments`: as many, but one of another name or with others. */
export type Agreement = (typeof agreements)[number];

/** Replies by how they compare: by format, and those that disagree by the reason of their first refusal. */
export interface AgreementTally {
  byFormat: Record<string, Partial<Record<Agreement, number>>>;
  byReason: Record<string, Partial<Record<Agreement, number>>>;
}

interface PlainCall {
  name: string;
  arguments: unknown;
}

/**
 * Compares calls in their order.
 *
 * @param expected calls as `{"name", "arguments"}` or as the OpenAI interface writes them; null and [] expect none
 * @param what names the field in the error
 * @throws UsageError when `expected` is no list of calls
 */
export function compareCalls(calls: readonly PlainCall[], expected: unknown, what: string): Agreement {
  const wanted = expectedCalls(expected, what);
  if (calls.length < wanted.length) return "missing";
  if (calls.length > wanted.length) return "extra";
  if (wanted.some(({ name }, index) => name !== calls[index].name)) return "name";
  return wanted.every((call, index) => sameValue(call.arguments, calls[index].arguments)) ? "agree" : "arguments";
}

function expectedCalls(expected: unknown, what: string): PlainCall[] {
  if (expected === null) return [];
  const refuse = () =>
    new UsageError(
      `${what} is no list of calls`,
      'write [{"name": "read_dial", "arguments": {"dial": "north"}}], or [] where no call is expected',
    );
  if (!Array.isArray(expected)) throw refuse();
  return expected.map((given) => {
    const { name, arguments: written } = (given?.function ?? given ?? {}) as Partial<PlainCall>;
    if (typeof name !== "string") throw refuse();
    if (typeof written !== "string") return { name, arguments: written ?? {} };
    try {
      return { name, arguments: JSON.parse(written) };
    } catch {
      throw refuse();
    }
  });
}

export function emptyAgreement(): AgreementTally {
  return { byFormat: {}, byReason: {} };
}

/** Counts one reply. */
export function addAgreement(tally: AgreementTally, agreement: Agreement, format: string, reason: string): void {
  countIn(tally.byFormat, format, agreement);
  if (agreement !== "agree") countIn(tally.byReason, reason, agreement);
}

function countIn(groups: Record<string, Partial<Record<Agreement, number>>>, key: string, agreement: Agreement): void {
  if (!Object.hasOwn(groups, key)) setOwn(groups, key, {});
  groups[key][agreement] = (groups[key][agreement] ?? 0) + 1;
}

/** Replies that disagree. */
export function disagreements({ byReason }: AgreementTally): number {
  return Object.values(byReason)
    .flatMap((group) => Object.values(group))
    .reduce((sum, number) => sum + number, 0);
}

/** Two tables: by format, and by the reason of the first refusal. Empty when nothing was compared. */
export function printAgreement(tally: AgreementTally, colours: Colours): string {
  const { byFormat, byReason } = tally;
  if (Object.keys(byFormat).length === 0) return "";
  const head = ["replies", ...agreements];
  const tables = [table(["format", ...head], byFormat, agreements, colours)];
  if (Object.keys(byReason).length > 0) {
    const others = agreements.filter((one) => one !== "agree");
    tables.push(table(["first refusal", "replies", ...others], byReason, others, colours));
  }
  return tables.join("\n");
}

function table(
  head: readonly string[],
  groups: AgreementTally["byFormat"],
  columns: readonly Agreement[],
  colours: Colours,
): string {
  const total = (group: AgreementTally["byFormat"][string]) =>
    Object.values(group).reduce((sum, number) => sum + number, 0);
  const body = Object.entries(groups)
    .sort(([left, few], [right, many]) => total(many) - total(few) || (left < right ? -1 : 1))
    .map(([key, group]) => {
      const all = total(group);
      const cells = columns.map((one) =>
        one === "agree"
          ? `${group[one] ?? 0} (${((100 * (group[one] ?? 0)) / all).toFixed(1)}%)`
          : `${group[one] ?? 0}`,
      );
      return [visible(key).replaceAll("\n", " "), `${all}`, ...cells];
    });
  return drawTable(head, body, colours);
}
