import { idHelp, idShape } from "../compiler/parse/header-keys.ts";
import { checkOptionsOf, isText } from "../contract/option-values.ts";
import type { Format } from "../formats/format.ts";
import { formats as registry } from "../toolpeg.ts";
import { corpusText } from "./corpus-text.ts";
import { grammarText } from "./grammar-text.ts";
import { type Inspection, inspectTemplate } from "./inspect-template.ts";
import { readProbe } from "./read-probe.ts";
import { jsonEnvelope } from "./skeletons/json-envelope.ts";
import { nameBeforeJson } from "./skeletons/name-before-json.ts";
import { withPlainJson } from "./skeletons/pieces.ts";
import { delimitedMap, functionTags, invokeTags, keyValueTags, pythonCalls } from "./skeletons/raw-values.ts";
import type { Sample, Skeleton } from "./skeletons/skeleton.ts";
import { type TemplateSource, type TokenizerConfig, templateSourceOf } from "./template-source.ts";
import { thoughtMarkersOf, withoutThoughts } from "./thoughts.ts";
import type { WrittenProbe } from "./write-turn.ts";

/** The grammar of a template and its corpus, or the notes that say why there is none. */
export type TemplateGrammar = { grammar: string; corpus: string; notes: string[] } | { notes: string[] };

/** In the order in which they are tried. */
const skeletons: readonly Skeleton[] = [
  nameBeforeJson,
  jsonEnvelope,
  functionTags,
  invokeTags,
  keyValueTags,
  delimitedMap,
  pythonCalls,
];

/**
 * A grammar for what a model with this chat template writes: header, family, markers and corpus, for a template that no
 * format reads. It compiles, reads what the notes do not name, and its corpus holds. Needs Node.
 *
 * @param source The text of a template, or the object that `tokenizer_config.json` holds.
 * @param options `id`: of the format that is made.
 * @returns only notes where it is unknown how calls are written
 * @throws TypeError when the source holds no template, and for what can be no id; Error when `@huggingface/jinja` is not installed
 */
export async function grammarFromTemplate(
  source: string | TokenizerConfig,
  options: { id: string },
): Promise<TemplateGrammar> {
  checkOptionsOf("grammarFromTemplate", options, { id: isText("bells") });
  const { id } = options;
  if (id === undefined) throw new TypeError('grammarFromTemplate() needs options.id, such as { id: "bells" }');
  if (!idShape.test(id)) throw new TypeError(`options.id cannot be ${JSON.stringify(id)}: ${idHelp}`);
  const read = templateSourceOf(source);
  const inspection = await inspectTemplate(read, [...registry]);
  if (!("written" in inspection)) return { notes: inspection.notes };
  return grammarOf(read, inspection, id);
}

/** The same, for a template that was looked at already. */
export async function grammarOf(source: TemplateSource, inspection: Inspection, id: string): Promise<TemplateGrammar> {
  const { checkGrammar, compileGrammar, draftGrammar } = await import("../compiler/index.ts");
  const known = [...registry].flatMap(({ reasoning }) => reasoning);
  const thoughts = thoughtMarkersOf(inspection, known) ?? source.thoughts;
  const find = (name: string) => inspection.written.find(({ probe }) => probe.name === name);
  const one = inspection.written[0];
  const several = find("several calls");
  const text = withoutThoughts(one, thoughts);
  const severalText = several === undefined ? undefined : withoutThoughts(several, thoughts);
  const sample: Sample = {
    one: text,
    ...(severalText === undefined ? {} : { several: severalText }),
    probes: { one, ...(several === undefined ? {} : { several }) },
  };
  const problems: string[] = [];
  let best: { grammar: string; format: Format; read: WrittenProbe[]; unread: string[]; kind: string } | undefined;
  for (const skeleton of skeletons) {
    const draft = skeleton(sample);
    if (draft === undefined) continue;
    // An example has to be what the format would write itself; a template may write its JSON in another way.
    const grammars = [severalText, text]
      .flatMap((calls) => (calls === undefined ? [] : [calls, withPlainJson(calls)]))
      .map((example) => grammarText({ id, draft, source, inspection, thoughts, example }, draftGrammar));
    const grammar = grammars.find((one) => checkGrammar(one).length === 0);
    if (grammar === undefined) {
      const [error] = checkGrammar(grammars[0]);
      problems.push(`${draft.kind}: ${error.message}`);
      continue;
    }
    const format = compileGrammar(grammar);
    const readings = inspection.written.map((written) => ({ written, reading: readProbe(format, written) }));
    const unread = readings.flatMap(({ written: { probe }, reading: { problem } }) =>
      problem === undefined ? [] : [`"${probe.name}" is not read: ${problem}`],
    );
    const wrong = readings.some(({ reading }) => reading.outcome === "wrong");
    const plain = readings.every(
      ({ written: { probe }, reading }) => probe.kind !== "calls" || reading.outcome === "read",
    );
    if (wrong || !plain) {
      problems.push(`${draft.kind}: ${unread.join("; ")}`);
      continue;
    }
    const read = readings.filter(({ reading }) => reading.outcome === "read").map(({ written }) => written);
    if (best === undefined || read.length > best.read.length)
      best = { grammar, format, read, unread, kind: draft.kind };
  }
  const notes = [...inspection.notes];
  if (best === undefined) {
    notes.push(`no known way of writing calls fits ${JSON.stringify(text)}`, ...problems);
    return { notes };
  }
  try {
    const corpus = corpusText(best.format, best.read, text);
    return { grammar: best.grammar, corpus, notes: [`made as: ${best.kind}`, ...notes, ...best.unread] };
  } catch (error) {
    notes.push(`${best.kind}: a case of its corpus does not hold: ${(error as Error).message}`);
    return { notes };
  }
}
