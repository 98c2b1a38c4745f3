import type { Format } from "../formats/format.ts";
import { parse } from "../toolpeg.ts";
import { sameJson } from "../values/same-json.ts";
import { markersIn } from "./markers.ts";
import { probeTools } from "./probes.ts";
import type { WrittenProbe } from "./write-turn.ts";

/** How a format reads a probe. */
export interface ProbeReading {
  /**
   * `read`: these calls, text and thoughts, without a repair. `refused`: not all of it. `wrong`: a call that was not made,
   * which is worse.
   */
  outcome: "read" | "refused" | "wrong";
  /** What is different, for people. Absent where it was read. */
  problem?: string;
  /** What the turn ends with and the format does not know: shown as text where the server does not cut it off. */
  end?: string;
}

/** Reads a probe with a format. */
export function readProbe(format: Format, written: WrittenProbe): ProbeReading {
  const { probe, text, prefill } = written;
  const result = parse(text, { format, tools: probeTools, prefill, intent: true });
  const wanted = probe.calls.map(({ name, arguments: args }) => ({ name, arguments: args }));
  const found = result.calls.map(({ name, arguments: args }) => ({ name, arguments: args }));
  for (const [index, call] of found.entries()) {
    if (!sameJson(call, wanted[index])) {
      return { outcome: "wrong", problem: `reads ${JSON.stringify(call)} for ${JSON.stringify(wanted[index])}` };
    }
  }
  const [rejection] = result.rejected;
  if (rejection !== undefined) return { outcome: "refused", problem: `${rejection.reason}: ${rejection.message}` };
  if (found.length < wanted.length) {
    return { outcome: "refused", problem: `finds ${found.length} of ${wanted.length} calls` };
  }
  const repair = result.calls.flatMap(({ repairs }) => repairs)[0];
  if (repair !== undefined) return { outcome: "refused", problem: `needs the repair ${repair.kind}` };
  const thoughts = written.hasReasoning ? (probe.reasoning ?? "") : "";
  if (result.reasoning.trim() !== thoughts) {
    return { outcome: "refused", problem: `takes ${JSON.stringify(result.reasoning)} for the reasoning` };
  }
  const said = written.hasText ? (probe.text ?? "") : "";
  const content = result.content.trim();
  if (content === said) return { outcome: "read" };
  const end = content.slice(said.length).trim();
  if (content.startsWith(said) && text.trimEnd().endsWith(end) && markersIn(end).join("") === end) {
    return { outcome: "read", end };
  }
  return { outcome: "refused", problem: `takes ${JSON.stringify(result.content)} for the text` };
}

/** Whether a format writes the calls of a probe as the template does, to the byte. */
export function writesSame(format: Format, { probe, text, ids }: WrittenProbe): boolean {
  try {
    const calls = probe.calls.map((call, index) => ({ ...call, id: ids[index] }));
    return text.includes(format.renderCalls(calls).trim());
  } catch {
    // A format that cannot carry a value says so by throwing.
    return false;
  }
}
