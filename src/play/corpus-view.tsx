import { useEffect, useState } from "preact/hooks";
import * as engine from "../index.ts";
import { CaseFailure, checkCase } from "../testing/check-case.ts";
import { type CorpusCase, readCorpus } from "../testing/read-corpus.ts";
import { messageOf } from "./field.tsx";
import { fileAt } from "./shipped.ts";

interface CorpusViewProps {
  corpus: string;
  format: engine.Format | undefined;
}

interface Outcome {
  title: string;
  line: number;
  failure?: string;
}

/** Fewer cuts than the command makes: a page has to answer at once. */
const effort = { cutsMax: 24, randomPartitions: 1 };
/** So long it may be busy before it draws, in milliseconds. */
const sliceMilliseconds = 40;

/** The cases of a corpus, run on the edited grammar: green or red. */
export function CorpusView({ corpus, format }: CorpusViewProps) {
  const [outcomes, setOutcomes] = useState<Outcome[]>([]);
  const [total, setTotal] = useState(0);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    setOutcomes([]);
    setProblem(undefined);
    if (format === undefined) return undefined;
    let cases: CorpusCase[];
    try {
      cases = readCorpus(corpus, "own.corpus.txt", { toolSets: JSON.parse(fileAt("shared/tools.json") ?? "{}") });
    } catch (error) {
      setTotal(0);
      setProblem(messageOf(error));
      return undefined;
    }
    setTotal(cases.length);
    const done: Outcome[] = [];
    let timer = 0;
    const work = () => {
      const until = performance.now() + sliceMilliseconds;
      while (done.length < cases.length && performance.now() < until) done.push(run(cases[done.length], format));
      setOutcomes([...done]);
      if (done.length < cases.length) timer = window.setTimeout(work);
    };
    timer = window.setTimeout(work);
    return () => window.clearTimeout(timer);
  }, [corpus, format]);

  if (problem !== undefined) return <pre class="refusal json">{problem}</pre>;
  const failed = outcomes.filter(({ failure }) => failure !== undefined).length;
  return (
    <div>
      <p role="status" class={failed > 0 ? "corpus-status refusal" : "corpus-status accepted"}>
        {format === undefined
          ? "The grammar does not compile, so nothing is run."
          : `${outcomes.length - failed} of ${total} cases hold${failed > 0 ? `, ${failed} fail` : ""}${outcomes.length < total ? ", still running" : ""}`}
      </p>
      <ol class="cases">
        {[...outcomes]
          .sort((left, right) => Number(left.failure === undefined) - Number(right.failure === undefined))
          .map(({ title, line, failure }) => (
            <li key={line} class={failure === undefined ? "accepted" : "refusal"}>
              {failure === undefined ? (
                <>holds: {title}</>
              ) : (
                <details>
                  <summary>fails: {title}</summary>
                  <pre class="json">{failure}</pre>
                </details>
              )}
            </li>
          ))}
      </ol>
    </div>
  );
}

function run(example: CorpusCase, format: engine.Format): Outcome {
  const { title, line } = example;
  try {
    checkCase(example, engine, { format, ...effort });
    return { title, line };
  } catch (error) {
    if (!(error instanceof CaseFailure)) throw error;
    return { title, line, failure: error.message };
  }
}
