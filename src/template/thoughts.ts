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
    const open = markersIn(text.slice(0, at)).at(-1);
    const close = markersIn(text.slice(at + thought.length))[0];
    const touches =
      open !== undefined &&
      close !== undefined &&
      text.slice(0, at).trimEnd().endsWith(open) &&
      text
        .slice(at + thought.length)
        .trimStart()
        .startsWith(close);
    if (touches) return { open, close };
  }
  const text = (written[0].prefill + written[0].text).trimStart();
  return known.find(({ open, close }) => text.startsWith(open) && text.includes(close));
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
