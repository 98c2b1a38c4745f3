import * as ohm from "ohm-js";
import { writeOhm } from "../compiler/emit/write-ohm.ts";
import { linkGrammar } from "../compiler/parse/link-grammar.ts";
import { shippedRoot } from "../compiler/parse/resolve-path.ts";
import { loadShippedGrammar } from "../compiler/parse/shipped-grammars.ts";
import { type GrammarText, loadGrammar } from "./grammar-files.ts";
import { visible } from "./visible-text.ts";

/** A trace has a line for every rule at every place; a long one is cut. */
const tracedCharsMax = 400;
const linesMax = 300;

/**
 * How Ohm reads a text by the grammar of a format, rule by rule. Not in the run-time path.
 *
 * @param format an id of the package, or a grammar of one's own
 */
export function ohmTrace(format: string | GrammarText, text: string): string[] {
  const path = typeof format === "string" ? `${shippedRoot}/${format}.peggy` : format.path;
  const source = typeof format === "string" ? loadShippedGrammar(path) : format.text;
  if (source === undefined) return [`no grammar of ${format} was found beside the program`];
  const load = typeof format === "string" ? loadShippedGrammar : loadGrammar;
  const written = writeOhm(linkGrammar({ path, text: source }, load));
  const trace = ohm.grammar(written.text).trace(text.slice(0, tracedCharsMax), written.start);
  const lines = trace.toString().trimEnd().split("\n").map(visible);
  const cut = lines.length - linesMax;
  return cut > 0 ? [...lines.slice(0, linesMax), `... ${cut} more lines`] : lines;
}
