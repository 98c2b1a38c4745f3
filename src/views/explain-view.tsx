import type { ComponentChildren } from "preact";
import type { ExplainedCandidate, Explanation } from "../explain.ts";
import { lineAndColumn } from "./reading-blocks.ts";
import { visible } from "./reading-view.tsx";

/** How a reply was read, as a tree that opens. */
export function ExplainView({ text, explanation }: { text: string; explanation: Explanation }) {
  const { formats, candidates, result } = explanation;
  const list =
    formats.length > 12 ? `${formats.slice(0, 12).join(", ")} and ${formats.length - 12} more` : formats.join(", ");
  return (
    <div class="tree">
      <Branch title={`read as ${formats.length === 1 ? formats[0] : `${formats.length} formats`}`} isOpen>
        {formats.length > 1 ? <p class="dim">{list}</p> : null}
        {result.truncated ? <p class="refusal">The text was cut.</p> : null}
        <Branch title={`${result.nodes.length} nodes`}>
          <ol>
            {result.nodes.map((node) => (
              <li key={node.start}>
                <span class={`n-${node.type}`}>{node.type}</span>{" "}
                <small class="dim">
                  {node.start}-{node.end}
                </small>{" "}
                <code class="cut">{visible(text.slice(node.start, Math.min(node.end, node.start + 60)))}</code>
              </li>
            ))}
          </ol>
        </Branch>
        {candidates.length === 0 ? <p>No candidate: nothing looks like a call of these formats.</p> : null}
        {candidates.map((candidate, number) => (
          <Candidate key={`${candidate.start} ${candidate.end} ${candidate.reason}`} {...{ candidate, number, text }} />
        ))}
      </Branch>
    </div>
  );
}

function Candidate({ candidate, number, text }: { candidate: ExplainedCandidate; number: number; text: string }) {
  const { name, format, variant, start, end, outcome, refusedBy, reason, message = "", stopped, repairs } = candidate;
  const isCall = outcome === "call";
  const title = `${number + 1}. ${name ?? "without a name"}: ${isCall ? "a call" : `refused, ${reason}`}`;
  return (
    <Branch title={title} isOpen kind={isCall ? "accepted" : "refusal"}>
      <ul>
        <li>
          candidate of {format}
          {variant === undefined ? "" : `, ${variant}`}, at {lineAndColumn(text, start)}, offsets {start}-{end}
          <pre class="json">{visible(text.slice(start, Math.min(end, start + 400)))}</pre>
        </li>
        {stopped ? (
          <li>
            the grammar stopped at {lineAndColumn(text, stopped.at)} (offset {stopped.at}): {visible(stopped.expected)}
            {stopped.rules.length > 0 ? (
              <Branch
                title={
                  stopped.rules.length === 1
                    ? "1 rule was tried there"
                    : `${stopped.rules.length} rules were tried there`
                }
              >
                <p>
                  <code>{stopped.rules.join(", ")}</code>
                </p>
              </Branch>
            ) : null}
          </li>
        ) : refusedBy === "context" ? null : (
          <li>the grammar read it to its end</li>
        )}
        {repairs.map((repair) => (
          <li key={`${repair.kind} ${repair.start}`}>
            recovery: <code>{repair.kind}</code> ({repair.level}) at {repair.start}-{repair.end}{" "}
            <code class="cut">{visible(text.slice(repair.start, Math.min(repair.end, repair.start + 40)))}</code>
          </li>
        ))}
        <li class={isCall ? "accepted" : "refusal"}>
          {isCall ? "every check passed: a call" : `${refusedBy} refused it: ${reason}: ${visible(message)}`}
        </li>
      </ul>
    </Branch>
  );
}

interface BranchProps {
  title: string;
  isOpen?: boolean;
  kind?: string;
  children: ComponentChildren;
}

function Branch({ title, isOpen = false, kind = "", children }: BranchProps) {
  return (
    <details open={isOpen}>
      <summary class={kind}>{visible(title)}</summary>
      {children}
    </details>
  );
}
