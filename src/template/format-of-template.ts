import type { Format } from "../formats/format.ts";
import { formats as registry } from "../toolpeg.ts";
import { matchFormats } from "./format-for-template.ts";
import { grammarOf } from "./grammar-from-template.ts";
import { inspectTemplate } from "./inspect-template.ts";
import { type TokenizerConfig, templateSourceOf } from "./template-source.ts";

/** The format to read a model's replies with. */
export interface FormatOfTemplate {
  /** A format of the package, or one that was made from the template. */
  format: Format;
  /** What the prompt has opened when a reply begins. Absent: nothing. */
  prefill?: string;
  /** Ids of the formats of the package that read every plain call, the best first. Empty: `format` was made. */
  readBy: string[];
  /** The text of the format's grammar, where it was made from the template. It has read nothing but the probes. */
  grammar?: string;
  /** What is peculiar about the template, a sentence each. */
  notes: string[];
}

/**
 * The format to read a model's replies with, as a value: the one of the package that reads every plain call, else one that
 * is made from the template. Needs Node where one is made.
 *
 * @param source The text of a template, or the object that `tokenizer_config.json` holds.
 * @throws TypeError when the source holds no template; Error when it writes no calls, or none that can be read, with the
 *   reasons
 */
export async function formatOfTemplate(source: string | TokenizerConfig): Promise<FormatOfTemplate> {
  const read = templateSourceOf(source);
  const formats = [...registry];
  const inspection = await inspectTemplate(read, formats);
  if (!("written" in inspection)) throw new Error(inspection.notes.join("; "));
  const match = matchFormats(inspection, formats);
  const prefill = match.prefill === undefined ? {} : { prefill: match.prefill };
  if (match.format !== undefined) {
    return { format: registry.get(match.format), readBy: match.readBy, ...prefill, notes: match.notes };
  }
  const made = await grammarOf(read, inspection, "from_template");
  if (!("grammar" in made)) throw new Error([...match.notes, ...made.notes].join("; "));
  const { compileGrammar } = await import("../compiler/index.ts");
  return { format: compileGrammar(made.grammar), readBy: [], grammar: made.grammar, ...prefill, notes: made.notes };
}
