import type { Format } from "../formats/format.ts";
import { markersIn } from "./markers.ts";
import { firstProbe, probesWith } from "./probes.ts";
import { readProbe } from "./read-probe.ts";
import { type Renderer, rendererOf } from "./render.ts";
import type { TemplateSource } from "./template-source.ts";
import { type Frame, frameOf, type Manner, manners, type WrittenProbe, writeProbe } from "./write-turn.ts";

/** What a template writes. */
export interface Inspection {
  /** Of the template that writes calls, where a source has several. */
  name: string | undefined;
  manner: Manner;
  frame: Frame;
  /** The markers of a call. */
  markers: string[];
  /** The probes that the template writes; the first is one plain call. */
  written: WrittenProbe[];
  /** Names of the probes that it does not write. */
  missing: string[];
  notes: string[];
}

/** Different texts of one probe that are looked at before the first is taken. */
const textsMax = 4;

/**
 * Renders the probes with the first template of a source that writes calls.
 *
 * @param formats Who decides which manner is the right one: the first whose text one of them reads.
 * @returns the notes alone where no template writes calls
 */
export async function inspectTemplate(
  source: TemplateSource,
  formats: readonly Format[],
): Promise<Inspection | { notes: string[] }> {
  const notes: string[] = [];
  const openers = [...new Set(formats.flatMap(({ reasoning }) => reasoning.map(({ open }) => open)))];
  for (const template of source.templates) {
    const label = template.name === undefined ? "the template" : `the template ${JSON.stringify(template.name)}`;
    const faults = new Set<string>();
    let render: Renderer;
    try {
      render = await rendererOf(template, source, faults);
    } catch (error) {
      if (!(error instanceof SyntaxError) && (error as Error).cause !== undefined) throw error;
      notes.push(`${label} is not understood: ${(error as Error).message}`);
      continue;
    }
    const chosen = chooseManner(render, formats, openers);
    if (chosen === undefined) {
      const said = [...faults].slice(0, 3).map((fault) => JSON.stringify(fault));
      notes.push(`${label} writes no calls${said.length === 0 ? "" : `; it says ${said.join(" and ")}`}`);
      continue;
    }
    const { manner, frame, first } = chosen;
    const markers = markersIn(first.text).slice(0, 6);
    const probes = probesWith(markers);
    const results = probes.map((probe) => ({ probe, written: writeProbe(render, probe, manner, frame) }));
    const written = results.flatMap((result) => (result.written === undefined ? [] : [result.written]));
    const missing = results.filter((result) => result.written === undefined).map(({ probe }) => probe.name);
    notes.push(...notesOf(manner, written, missing));
    return { name: template.name, manner, frame, markers, written, missing, notes };
  }
  return { notes };
}

function chooseManner(render: Renderer, formats: readonly Format[], openers: readonly string[]) {
  const seen = new Set<string>();
  let fallback: { manner: Manner; frame: Frame; first: WrittenProbe } | undefined;
  for (const manner of manners) {
    const frame = frameOf(render, manner, openers);
    const first = frame && writeProbe(render, firstProbe, manner, frame);
    if (frame === undefined || first === undefined || seen.has(first.text)) continue;
    seen.add(first.text);
    fallback ??= { manner, frame, first };
    if (formats.some((format) => readProbe(format, first).outcome === "read")) return { manner, frame, first };
    if (seen.size >= textsMax) break;
  }
  return fallback;
}

function notesOf(manner: Manner, written: readonly WrittenProbe[], missing: readonly string[]): string[] {
  const notes: string[] = [];
  if (manner.tools === "none") notes.push("calls are written only where no tools are given");
  if (manner.arguments === "text") notes.push("arguments have to be given as JSON text, not as an object");
  if (manner.content === "null") notes.push("calls are written only where `content` is null");
  if (manner.content === "absent") notes.push("calls are written only where `content` is absent");
  if (manner.ids === "named") notes.push("the name of a call is taken from its id, `functions.NAME:0`");
  if (manner.followed) notes.push("calls are written only where their results follow");
  if (manner.parts) notes.push("text has to be given as a list of parts");
  if (missing.length > 0) notes.push(`the template does not write: ${missing.join(", ")}`);
  for (const { probe, hasText, hasReasoning } of written) {
    if (probe.text !== undefined && !hasText) notes.push("text beside a call is left out");
    if (probe.reasoning !== undefined && !hasReasoning) notes.push("reasoning is left out");
  }
  return notes;
}
