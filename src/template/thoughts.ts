import type { Inspection } from "./inspect-template.ts";
import { markersIn } from "./markers.ts";
import type { WrittenProbe } from "./write-turn.ts";

/** What encloses thoughts. */
export interface ThoughtMarkers {
  open: string;
  close: string;
}

/** The markers of reasoning: those round the probe's thoughts, else those of a block that a plain call begins with. */
export function thoughtMarkersOf(
  { written }: Inspection,
  known: readonly ThoughtMarkers[],
): ThoughtMarkers | undefined {
  const thinking = written.find(({ hasReasoning }) => hasReasoning);
  if (thinking !== undefined) {
    const text = thinking.prefill + thinking.text;
    const thought = thinking.probe.reasoning as string;
    const at = text.indexOf(thought);
    const before = text.slice(0, at);
    const after = text.slice(at + thought.length);
    const last = markersIn(before).at(-1);
    // A word may belong to the opener, such as the name of a channel.
    const open = last === undefined ? "" : before.slice(before.lastIndexOf(last)).trim();
    const close = markersIn(after)[0];
    if (/^\S+$/.test(open) && close !== undefined && after.trimStart().startsWith(close)) return { open, close };
  }
  const text = (written[0].prefill + written[0].text).trimStart();
  return known.find(({ open, close }) => (text.startsWith(open) && text.includes(close)) || text.startsWith(close));
}

/** A reply without the thoughts that it begins with. */
export function withoutThoughts({ prefill, text }: WrittenProbe, thoughts: ThoughtMarkers | undefined): string {
  if (thoughts === undefined) return text.trim();
  const opened = prefill.includes(thoughts.open) || text.trimStart().startsWith(thoughts.open);
  const lone = text.trimStart().startsWith(thoughts.close);
  if (!opened && !lone) return text.trim();
  const at = text.indexOf(thoughts.close);
  return (at < 0 ? text : text.slice(at + thoughts.close.length)).trim();
}
