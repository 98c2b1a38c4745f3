import { checkOptionsOf, isObjectWith } from "../contract/option-values.ts";
import type { Format } from "../formats/format.ts";
import { formats as registry } from "../toolpeg.ts";
import { type Inspection, inspectTemplate } from "./inspect-template.ts";
import { markersIn } from "./markers.ts";
import { type ProbeReading, readProbe, writesSame } from "./read-probe.ts";
import { type TokenizerConfig, templateSourceOf } from "./template-source.ts";

/** How a format reads what a template writes. */
export interface TemplateFormat {
  /** The format's id. */
  id: string;
  /** How many probes it reads: the calls, the text and the thoughts, without a repair. */
  read: number;
  /** How many probes the template writes. */
  of: number;
  /** The format writes the same bytes. */
  exact: boolean;
  /** Names of the probes that it does not read, each with what is different. */
  unread: { probe: string; problem: string }[];
}

/** What a template writes, and who reads it. */
export interface TemplateMatch {
  /** The id of the best format, where it reads every plain call that the template writes. Absent: none does. */
  format?: string;
  /** The formats that read something of it, best first. Empty: none does, or the template writes no calls. */
  formats: TemplateFormat[];
  /** What the prompt has opened when a reply begins: the option of `parse`. Absent: nothing. */
  prefill?: string;
  /** What is peculiar about the template, and what no format reads, a sentence each. */
  notes: string[];
  /** What the template wrote, each as `parse` would be given it. Empty: it writes no calls. */
  probes: TemplateProbe[];
}

/** A probe as the template writes it. */
export interface TemplateProbe {
  name: string;
  text: string;
  prefill?: string;
  calls: readonly { name: string; arguments: Record<string, unknown> }[];
}

/** Options of {@link formatForTemplate}. */
export interface TemplateOptions {
  /** Who may read it. Default: every format of the package. */
  formats?: Iterable<Format> | undefined;
}

/**
 * Which format reads what a model with this chat template writes. Known calls are rendered with the template and read
 * back with every format; no table of names is asked.
 *
 * @param source The text of a template, or the object that `tokenizer_config.json` holds.
 * @throws TypeError when the source holds no template; Error when `@huggingface/jinja` is not installed
 */
export async function formatForTemplate(
  source: string | TokenizerConfig,
  options: TemplateOptions = {},
): Promise<TemplateMatch> {
  checkOptionsOf("formatForTemplate", options, { formats: isObjectWith("a list of formats", Symbol.iterator) });
  const formats = [...(options.formats ?? registry)];
  const inspection = await inspectTemplate(templateSourceOf(source), formats);
  if (!("written" in inspection)) return { formats: [], notes: inspection.notes, probes: [] };
  const { readBy: _, ...match } = matchFormats(inspection, formats);
  return match;
}

interface Ranked extends TemplateFormat {
  wrong: number;
  rank: number;
  ends: Set<string>;
}

/** A match, and everyone who could be taken in place of the best. */
export interface RankedMatch extends TemplateMatch {
  /** Ids of the formats that read every plain call and none wrongly, best first. */
  readBy: string[];
}

/** The formats that read what was inspected. */
export function matchFormats(inspection: Inspection, formats: readonly Format[]): RankedMatch {
  const ranked = formats.flatMap((format) => rank(format, inspection)).sort(byWorth);
  const notes = [...inspection.notes];
  const [best] = ranked;
  if (best === undefined) notes.push("no format reads a call of it");
  for (const { probe, problem } of best?.unread ?? []) notes.push(`${best.id} does not read "${probe}": ${problem}`);
  for (const end of best?.ends ?? [])
    notes.push(`turns end with ${end}, which ${best.id} takes for text: have the server stop there`);
  const prefill = prefillOf(inspection);
  const plain = (name: string) => inspection.written.some(({ probe }) => probe.name === name && probe.kind === "calls");
  const fits = ({ wrong, unread }: Ranked) => wrong === 0 && !unread.some(({ probe }) => plain(probe));
  return {
    ...(best !== undefined && fits(best) ? { format: best.id } : {}),
    readBy: ranked.filter(fits).map(({ id }) => id),
    formats: ranked.map(({ id, read, of, exact, unread }) => ({ id, read, of, exact, unread })),
    ...(prefill === "" ? {} : { prefill }),
    notes,
    probes: inspection.written.map(({ probe, text, prefill }) => ({
      name: probe.name,
      text,
      ...(prefill === "" ? {} : { prefill }),
      calls: probe.calls,
    })),
  };
}

function rank(format: Format, { written }: Inspection): Ranked[] {
  const first = readProbe(format, written[0]);
  // Who reads no plain call reads others by chance.
  if (first.outcome !== "read") return [];
  const readings: ProbeReading[] = [first, ...written.slice(1).map((one) => readProbe(format, one))];
  const unread = readings.flatMap(({ problem }, index) =>
    problem === undefined ? [] : [{ probe: written[index].probe.name, problem }],
  );
  const read = readings.filter(({ outcome }) => outcome === "read").length;
  return [
    {
      id: format.id,
      read,
      of: written.length,
      exact: written.every((one, index) => readings[index].outcome !== "read" || writesSame(format, one)),
      unread,
      wrong: readings.filter(({ outcome }) => outcome === "wrong").length,
      rank: (format.mode === "primary" ? 1000 : 0) + format.models.length + format.aliases.length,
      ends: new Set(readings.flatMap(({ end }) => (end === undefined ? [] : [end]))),
    },
  ];
}

function byWorth(left: Ranked, right: Ranked): number {
  return (
    left.wrong - right.wrong ||
    right.read - left.read ||
    Number(right.exact) - Number(left.exact) ||
    right.rank - left.rank
  );
}

/** What the generation prompt leaves open: a block that it opens and closes again is none. */
function prefillOf({ frame, written }: Inspection): string {
  const used = written.find(({ prefill }) => prefill !== "")?.prefill;
  if (used !== undefined && isOpen(used)) return used;
  return isOpen(frame.opened) ? frame.opened : "";
}

/** A closer without its opener closes what an older turn had opened. */
function isOpen(opened: string): boolean {
  const last = markersIn(opened).at(-1);
  return last !== undefined && !/^<[|｜]?\/|^\[\/|[|｜]?(end|END)[|｜_]|^<\w+[|｜]>$/.test(last);
}
