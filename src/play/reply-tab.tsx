import { json } from "@codemirror/lang-json";
import type { Diagnostic } from "@codemirror/lint";
import { useMemo } from "preact/hooks";
import { samples, sampleTools } from "toolpeg-play";
import { countText } from "../contract/count-text.ts";
import type { RejectionReason } from "../contract/reasons.ts";
import { type Format, formats } from "../index.ts";
import { ExplainView } from "../views/explain-view.tsx";
import { lineAndColumn, piecesOf, type ShownResult } from "../views/reading-blocks.ts";
import { ReadingView, visible } from "../views/reading-view.tsx";
import { rejectionText } from "../views/rejection-help.ts";
import { repairHelp } from "../views/repair-help.ts";
import { CodeEditor, type Mark } from "./code-editor.tsx";
import { Field } from "./field.tsx";
import { readReply, writableFormat } from "./read-reply.ts";
import { ownFormat, type PlayState } from "./state.ts";
import { StreamView } from "./stream-view.tsx";
import { WriteView } from "./write-view.tsx";

interface ReplyTabProps {
  state: PlayState;
  own: Format | undefined;
  onChange(change: Partial<PlayState>): void;
}

const ids = [...formats].map(({ id }) => id).sort();
const noMarks: Mark[] = [];
const noDiagnostics: Diagnostic[] = [];
const jsonLanguage = json();

/** A reply, and all that is made of it. */
export function ReplyTab({ state, own, onChange }: ReplyTabProps) {
  const { text, tools, format, prefill, finishReason, policy, intent } = state;
  const reading = useMemo(
    () => readReply(state, own),
    [text, tools, format, prefill, finishReason, policy, intent, format === ownFormat ? own : undefined],
  );
  const { explanation, options, validated, problem } = reading;
  const result = explanation?.result;
  const marks = useMemo(() => (result === undefined ? noMarks : marksOf(text, result)), [result]);
  const diagnostics = useMemo(() => (result === undefined ? noDiagnostics : diagnosticsOf(result)), [result]);

  const load = async (file: File | undefined) => {
    if (file !== undefined) onChange({ text: await file.text() });
  };
  return (
    <div class="two">
      <section aria-label="What is read">
        <div class="reply">
          <div class="row">
            <h2>Reply</h2>
            <select
              aria-label="Try a sample"
              value=""
              onChange={(event) => {
                const sample = samples.find(({ name }) => name === event.currentTarget.value);
                if (sample) onChange({ text: sample.text, format: sample.format, tools: sampleTools, fed: 0 });
              }}
            >
              <option value="">Try a sample…</option>
              {samples.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
            <label class="button">
              Open a file
              <input type="file" class="sr" onChange={(event) => void load(event.currentTarget.files?.[0])} />
            </label>
          </div>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: a file can be opened by the button as well */}
          <div
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              const file = event.dataTransfer?.files[0];
              if (file === undefined) return;
              event.preventDefault();
              event.stopPropagation();
              void load(file);
            }}
          >
            <CodeEditor
              label="Reply: what the model wrote. Paste it here, or drop a file"
              value={text}
              onChange={(value) => onChange({ text: value })}
              marks={marks}
              diagnostics={diagnostics}
            />
          </div>
        </div>
        <div class="settings">
          <div class="row">
            <Field label="Format">
              <select value={format} onChange={(event) => onChange({ format: event.currentTarget.value })}>
                <option value="auto">detect it</option>
                <option value={ownFormat}>your grammar (other tab)</option>
                {ids.map((id) => (
                  <option key={id}>{id}</option>
                ))}
              </select>
            </Field>
            <Field label="Why the model stopped">
              <select value={finishReason} onChange={(event) => onChange({ finishReason: event.currentTarget.value })}>
                <option value="">not said</option>
                <option>stop</option>
                <option value="length">length (it was cut)</option>
              </select>
            </Field>
            <Field label="Prefill">
              <input
                value={prefill}
                placeholder="<think>\n"
                onInput={(event) => onChange({ prefill: event.currentTarget.value })}
              />
            </Field>
            <Field label="Policy (JSON)">
              <input
                value={policy}
                placeholder='{"calls": "first"}'
                onInput={(event) => onChange({ policy: event.currentTarget.value })}
              />
            </Field>
            <label class="check">
              <input
                type="checkbox"
                checked={intent}
                onChange={(event) => onChange({ intent: event.currentTarget.checked })}
              />{" "}
              a tool is wanted (intent)
            </label>
          </div>
          <h2>Tools</h2>
          <CodeEditor
            label="Tools, as JSON"
            value={tools}
            onChange={(value) => onChange({ tools: value })}
            extensions={jsonLanguage}
          />
        </div>
      </section>
      <section aria-label="What was found">
        <div class="outcome">
          {problem === undefined ? null : (
            <p class="warn" role="alert">
              {problem}
            </p>
          )}
          {result === undefined ? null : (
            <>
              <p class="summary" role="status">
                {summaryOf(result, validated)}
                {format === "auto" ? detected(result) : ""}
              </p>
              {tools === sampleTools && !isSample(text) ? (
                <p>
                  These are still the tools of the samples: a call of any other tool is refused.{" "}
                  <button type="button" onClick={() => onChange({ tools: "" })}>
                    Read without tools
                  </button>
                </p>
              ) : null}
              <Refusals text={text} rejected={result.rejected} />
            </>
          )}
        </div>
        {explanation === undefined || options === undefined ? null : (
          <div class="found-parts">
            <ReadingView text={text} result={explanation.result} validated={validated} />
            <details open>
              <summary>How it was read</summary>
              <ExplainView text={text} explanation={explanation} />
            </details>
            <details class="streaming" open={state.fed > 0}>
              <summary>In chunks, as a stream brings it</summary>
              <StreamView text={text} options={options} chunk={state.chunk} fed={state.fed} onChange={onChange} />
            </details>
            <details class="writing">
              <summary>What the format writes: calls, instruction, constraint</summary>
              <WriteView
                format={writableFormat(state, reading, own)}
                tools={options.tools}
                calls={explanation.result.calls}
              />
            </details>
          </div>
        )}
      </section>
    </div>
  );
}

/** Whether the page brought the text itself, or there is none. */
function isSample(text: string): boolean {
  return text.trim() === "" || samples.some((sample) => sample.text === text);
}

/** Why something was refused, before anything has to be looked for; each leads to its place. */
function Refusals({ text, rejected }: { text: string; rejected: ShownResult["rejected"] }) {
  if (rejected.length === 0) return null;
  // What was not meant as a call is looked for last.
  const [meant, drafts] = [false, true].map((isDraft) =>
    rejected.filter(({ reason }) => draftReasons.includes(reason) === isDraft),
  );
  return (
    <ul class="refusals" aria-label="What was refused, and why">
      {[...meant, ...drafts].slice(0, refusalsMax).map(({ reason, message, start }, index) => (
        <li key={index}>
          <button type="button" class="jump" onClick={() => showPart(start)}>
            {lineAndColumn(text, start)}
          </button>{" "}
          {visible(`${reason}: ${rejectionText({ reason, message }).what}`)}
        </li>
      ))}
      {rejected.length > refusalsMax ? <li class="dim">and {rejected.length - refusalsMax} more below</li> : null}
    </ul>
  );
}

const refusalsMax = 4;
const draftReasons: readonly string[] = ["quoted", "in-reasoning"] satisfies RejectionReason[];

/** The part of the reply that a place stands in: the last that begins before it. */
function showPart(start: number): void {
  const parts = [...document.querySelectorAll<HTMLElement>(".blocks .text")];
  const part = parts.findLast(({ id }) => Number(id.slice("part-".length)) <= start);
  part?.closest("li")?.scrollIntoView({ block: "center" });
}

function summaryOf({ calls, rejected }: ShownResult, validated: boolean): string {
  const repairs = calls.reduce((sum, call) => sum + call.repairs.length, 0);
  const parts = [countText(calls.length, validated ? "call" : "candidate")];
  if (repairs > 0) parts.push(countText(repairs, "repair"));
  parts.push(`${rejected.length} refused`);
  return parts.join(", ");
}

/** Which formats the calls are written in, where none was named. */
function detected({ calls }: ShownResult): string {
  const found = [...new Set(calls.map((call) => call.format))];
  return found.length === 0 ? "" : `; detected: ${found.join(", ")}`;
}

function marksOf(text: string, result: ShownResult): Mark[] {
  return piecesOf(text, result)
    .filter(({ kind, repair }) => kind !== "content" || repair !== undefined)
    .map(({ kind, start, end, repair }) => ({
      start,
      end,
      class: repair === undefined ? `n-${kind}` : `n-${kind} repaired`,
    }));
}

function diagnosticsOf({ calls, rejected }: ShownResult): Diagnostic[] {
  return [
    ...calls.flatMap(({ repairs }) =>
      repairs.map(({ kind, level, start, end }): Diagnostic => {
        return { from: start, to: end, severity: "info", message: `repaired: ${kind} (${level}): ${repairHelp[kind]}` };
      }),
    ),
    ...rejected.map(({ start, end, reason, message }): Diagnostic => {
      const { what, help } = rejectionText({ reason, message });
      return { from: start, to: end, severity: "error", message: `${reason}: ${what}\nhelp: ${help}` };
    }),
  ];
}
