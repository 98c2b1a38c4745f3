type Delta = { type: string; index?: number; text?: string; delta?: string };

/** Neighbouring deltas of the same kind as one: handing over an event costs a stream more than reading it. */
export function mergeDeltas<Event>(events: readonly Event[]): readonly Event[] {
  if (events.length < 2) return events;
  const merged: Delta[] = [];
  for (const event of events as readonly Delta[]) {
    const last = merged.at(-1);
    if (last === undefined || last.type !== event.type || last.index !== event.index) merged.push(event);
    else if (event.text !== undefined) merged[merged.length - 1] = { ...last, text: last.text + event.text };
    else if (event.delta !== undefined) merged[merged.length - 1] = { ...last, delta: last.delta + event.delta };
    else merged.push(event);
  }
  return merged as unknown as readonly Event[];
}
