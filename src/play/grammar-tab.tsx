import type { Diagnostic } from "@codemirror/lint";
import { useMemo } from "preact/hooks";
import { grammarFiles } from "toolpeg-play";
import { formatGrammarError, type GrammarError } from "../compiler/parse/grammar-error.ts";
import { CodeEditor } from "./code-editor.tsx";
import { type Compiled, ownPath } from "./compile-own.ts";
import { CorpusView } from "./corpus-view.tsx";
import { anchorOf, RuleDiagram } from "./diagram.tsx";
import { Field } from "./field.tsx";
import { grammarLanguage } from "./grammar-language.ts";
import { fileAt } from "./shipped.ts";
import { ownFormat, type PlayState } from "./state.ts";

interface GrammarTabProps {
  state: PlayState;
  compiled: Compiled;
  onChange(change: Partial<PlayState>): void;
}

const bases = Object.keys(grammarFiles)
  .filter((path) => path.endsWith(".peggy") && !path.includes("/"))
  .filter((path) => /^\/\/ format:/m.test(grammarFiles[path]))
  .map((path) => path.slice(0, -".peggy".length))
  .sort();

/** What an edited grammar begins as. */
export function grammarOf(base: string): { base: string; grammar: string; corpus: string } {
  return { base, grammar: fileAt(`${base}.peggy`) ?? "", corpus: fileAt(`${base}.corpus.txt`) ?? "" };
}

/** A grammar that is edited, checked, drawn and tried on its corpus as one types. */
export function GrammarTab({ state, compiled, onChange }: GrammarTabProps) {
  const { grammar, corpus, base } = state;
  const { errors, warnings, rules, format } = compiled;
  const diagnostics = useMemo(
    () => [
      ...errors.map((error) => diagnosticOf(grammar, error, "error")),
      ...warnings.map((error) => diagnosticOf(grammar, error, "warning")),
    ],
    [compiled],
  );
  const known = useMemo(() => new Set(rules.map(({ name }) => name)), [rules]);
  return (
    <div class="two">
      <section aria-label="The grammar">
        <div class="row">
          <h2>Grammar</h2>
          <Field label="Begin with">
            <select value={base} onChange={(event) => onChange(grammarOf(event.currentTarget.value))}>
              {bases.map((id) => (
                <option key={id}>{id}</option>
              ))}
            </select>
          </Field>
          <button
            type="button"
            disabled={format === undefined}
            onClick={() => onChange({ tab: "reply", format: ownFormat })}
          >
            Read the reply with it
          </button>
        </div>
        <CodeEditor
          label="Grammar, in Peggy's language"
          value={grammar}
          onChange={(value) => onChange({ grammar: value })}
          diagnostics={diagnostics}
          extensions={grammarLanguage}
        />
        <div class="grammar-status" role="status">
          {errors.length === 0 ? (
            <p class="accepted">
              It compiles: {rules.length} rules{warnings.length > 0 ? `, ${warnings.length} remarks` : ""}.
            </p>
          ) : null}
          {[...errors, ...warnings].map((error) => (
            <pre class={errors.includes(error) ? "json refusal" : "json"} key={`${error.line} ${error.message}`}>
              {formatGrammarError(error)}
            </pre>
          ))}
        </div>
        <h2>Corpus</h2>
        <CodeEditor
          label="Corpus: cases of the grammar"
          value={corpus}
          onChange={(value) => onChange({ corpus: value })}
        />
      </section>
      <section aria-label="What it is">
        <details open>
          <summary>Corpus run</summary>
          <CorpusView corpus={corpus} format={format} />
        </details>
        <details open>
          <summary>Railroad diagrams</summary>
          {rules.length === 0 ? <p class="dim">Nothing to draw: the grammar does not compile.</p> : null}
          {rules.map((rule) => (
            <section class="rule" id={anchorOf(rule.name)} key={rule.name}>
              <h3>
                {rule.name}{" "}
                <small class="dim">{rule.file === ownPath ? "" : rule.file.replace("grammars/", "from ")}</small>
              </h3>
              <RuleDiagram rule={rule} known={known} />
            </section>
          ))}
        </details>
      </section>
    </div>
  );
}

/** A message at its place; one of another file stands at the first line. */
function diagnosticOf(text: string, error: GrammarError, severity: "error" | "warning"): Diagnostic {
  const message = formatGrammarError(error);
  if (error.file !== ownPath) return { from: 0, to: 0, severity, message };
  const lines = text.split("\n").slice(0, error.line - 1);
  const start = lines.reduce((sum, line) => sum + line.length + 1, 0);
  return { from: start + error.column - 1, to: start + error.endColumn - 1, severity, message };
}
