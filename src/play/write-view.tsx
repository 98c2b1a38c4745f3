import { useState } from "preact/hooks";
import { exportConstraint } from "../export/index.ts";
import type { Format, ParseOptions, ToolCall } from "../index.ts";
import { messageOf } from "./field.tsx";

interface WriteViewProps {
  format: Format | undefined;
  tools: ParseOptions["tools"];
  calls: readonly ToolCall[];
}

/** What the format would write: the calls again, the instruction for the model, a constraint for its decoding. */
export function WriteView({ format, tools, calls }: WriteViewProps) {
  const [kind, setKind] = useState<"gbnf" | "structuralTag">("gbnf");
  if (format === undefined) return <p class="dim">Choose a format: no call was found that shows which one it is.</p>;
  return (
    <div class="writes">
      <h3>The calls, as {format.id} writes them</h3>
      <pre class="json">{calls.length === 0 ? "No calls." : attempt(() => format.renderCalls(calls))}</pre>
      <h3>Its instruction</h3>
      <pre class="json">{tools.length === 0 ? "No tools are given." : attempt(() => format.instruction(tools))}</pre>
      <h3>Its constraint</h3>
      <div class="row">
        {(["gbnf", "structuralTag"] as const).map((one) => (
          <label key={one}>
            <input type="radio" name="constraint" checked={kind === one} onChange={() => setKind(one)} />{" "}
            {one === "gbnf" ? "GBNF (llama.cpp)" : "structural tag (XGrammar)"}
          </label>
        ))}
      </div>
      <pre class="json constraint">
        {tools.length === 0 ? "No tools are given." : attempt(() => constraintOf(format, tools, kind))}
      </pre>
    </div>
  );
}

function constraintOf(format: Format, tools: ParseOptions["tools"], kind: "gbnf" | "structuralTag"): string {
  const constraint = exportConstraint(format, { tools });
  return kind === "gbnf" ? constraint.gbnf().grammar : JSON.stringify(constraint.structuralTag(), null, 2);
}

function attempt(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return messageOf(error);
  }
}
