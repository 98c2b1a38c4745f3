import type { Rejection, ToolCall } from "../contract/types.ts";
import { mergeDeltas } from "../output/merge-deltas.ts";
import type { HarnessEvent, HarnessResult, Run } from "./engine.ts";
import { sameValue } from "./same-value.ts";
import { chunksOf } from "./splits.ts";

/** What one reading of a text gave: the result, and the events with neighbouring deltas joined. */
export interface Observation {
  result: HarnessResult;
  events: readonly HarnessEvent[];
}

/** The calls of a result, of extraction or validation. */
export function callsOf(result: HarnessResult): ToolCall[] {
  return result.calls ?? result.candidates ?? [];
}

/** Streams the text in the chunks that the cuts make. Throws what the engine throws. */
export function observe(run: Run, text: string, cuts: readonly number[], finishReason?: string): Observation {
  const parser = run.stream();
  const events: HarnessEvent[] = [];
  for (const chunk of chunksOf(text, cuts)) events.push(...parser.push(chunk));
  events.push(...parser.end(finishReason === undefined ? {} : { finishReason }));
  // Deltas are cut where chunks are cut: joined with their neighbours they say the same for every chunking.
  return { result: parser.result(), events: mergeDeltas(events) };
}

/** Names the first part in which two observations differ, with both values; `undefined` when they agree. */
export function difference(left: Observation, right: Observation): string | undefined {
  const parts = ["content", "reasoning", "rejected", "nodes", "truncated"] as const;
  if (!sameValue(callsOf(left.result), callsOf(right.result))) {
    return differs("calls", callsOf(left.result), callsOf(right.result));
  }
  for (const part of parts) {
    if (!sameValue(left.result[part], right.result[part])) return differs(part, left.result[part], right.result[part]);
  }
  if (!sameValue(left.events, right.events)) {
    const at = left.events.findIndex((event, index) => !sameValue(event, right.events[index]));
    const index = at < 0 ? left.events.length : at;
    return differs(`event ${index}`, left.events[index], right.events[index]);
  }
  return undefined;
}

function differs(part: string, left: unknown, right: unknown): string {
  return `${part}\n  expected ${show(left)}\n  got      ${show(right)}`;
}

/** A value on one line, clipped: a message is read by a person. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 600 ? text : `${text.slice(0, 600)}... (${text.length} characters)`;
}

/**
 * What must hold of one observation by itself, whatever the text: nodes tile it, deltas add up to the result, starts and
 * ends are paired, and the ends deliver exactly the calls. Returns the first thing that does not hold.
 */
export function inconsistency(observation: Observation, text: string): string | undefined {
  return tilingGap(observation.result, text) ?? eventGap(observation);
}

/** Nodes cover the text without gap and overlap, and content is the content nodes joined. */
export function tilingGap(result: HarnessResult, text: string): string | undefined {
  let at = 0;
  let content = "";
  for (const node of result.nodes) {
    if (node.start !== at || node.end < node.start) {
      return `nodes do not tile the text: expected one that starts at ${at}, got ${show(node)}`;
    }
    at = node.end;
    if (node.type === "content") content += text.slice(node.start, node.end);
  }
  if (at !== text.length) return `nodes do not tile the text: they end at ${at} of ${text.length}`;
  if (content !== result.content) {
    return `content is not what the content nodes cover\n  nodes   ${show(content)}\n  content ${show(result.content)}`;
  }
  for (const rejection of result.rejected) {
    if (rejection.raw !== text.slice(rejection.start, rejection.end)) {
      return `a rejection's raw text is not its span\n  span ${show(text.slice(rejection.start, rejection.end))}\n  raw  ${show(rejection.raw)}`;
    }
  }
  return undefined;
}

interface OpenCall {
  id: string;
  name: string;
  deltas: string;
  state: "open" | "ended" | "rejected";
}

function eventGap({ result, events }: Observation): string | undefined {
  const started = new Map<number, OpenCall>();
  const delivered: ToolCall[] = [];
  const rejected: Rejection[] = [];
  let content = "";
  let reasoning = "";
  let last = -1;
  for (const event of events) {
    switch (event.type) {
      case "text-delta":
        content += event.text;
        break;
      case "reasoning-delta":
        reasoning += event.text;
        break;
      case "call-start":
      case "candidate-start":
        if (event.index <= last) return `call ${event.index} starts after call ${last}: an index is never used again`;
        last = event.index;
        started.set(event.index, { id: event.id, name: event.name, deltas: "", state: "open" });
        break;
      case "call-args-delta":
      case "candidate-args-delta": {
        const open = started.get(event.index);
        if (open?.state !== "open") return `a delta for call ${event.index}, which is ${open?.state ?? "not started"}`;
        open.deltas += event.delta;
        break;
      }
      case "call-end":
      case "candidate-end": {
        const open = started.get(event.index);
        if (open?.state !== "open") return `an end for call ${event.index}, which is ${open?.state ?? "not started"}`;
        open.state = "ended";
        const call = event.type === "call-end" ? event.call : event.candidate;
        const wrong = callGap(call, event.index, open);
        if (wrong !== undefined) return `call ${event.index}: ${wrong}`;
        delivered.push(call);
        break;
      }
      case "call-rejected":
      case "candidate-rejected":
        rejected.push(event.rejection);
        if (event.index !== undefined) {
          const open = started.get(event.index);
          if (open?.state !== "open")
            return `call ${event.index} is rejected, but it is ${open?.state ?? "not started"}`;
          open.state = "rejected";
        }
        break;
    }
  }
  for (const [index, open] of started) {
    if (open.state === "open") return `call ${index} (${open.name}) is started and neither ended nor rejected`;
  }
  if (content !== result.content)
    return `text deltas are not the content\n  deltas  ${show(content)}\n  content ${show(result.content)}`;
  if (reasoning !== result.reasoning) {
    return `reasoning deltas are not the reasoning\n  deltas    ${show(reasoning)}\n  reasoning ${show(result.reasoning)}`;
  }
  if (!sameValue(delivered, callsOf(result))) {
    return `the ends do not deliver exactly the calls\n  ends  ${show(delivered)}\n  calls ${show(callsOf(result))}`;
  }
  const bySpan = (left: Rejection, right: Rejection) => left.start - right.start || left.end - right.end;
  if (!sameValue([...rejected].sort(bySpan), [...result.rejected].sort(bySpan))) {
    return `rejection events are not the rejections\n  events   ${show(rejected)}\n  rejected ${show(result.rejected)}`;
  }
  return undefined;
}

function callGap(call: ToolCall, index: number, open: OpenCall): string | undefined {
  if (call.index !== index || call.id !== open.id || call.name !== open.name) {
    return `start and end differ\n  start ${show({ index, id: open.id, name: open.name })}\n  end   ${show({ index: call.index, id: call.id, name: call.name })}`;
  }
  if (open.deltas !== call.argumentsText) {
    return `deltas are not argumentsText\n  deltas        ${show(open.deltas)}\n  argumentsText ${show(call.argumentsText)}`;
  }
  let value: unknown;
  try {
    value = JSON.parse(open.deltas);
  } catch {
    return `deltas are no JSON: ${show(open.deltas)}`;
  }
  return sameValue(value, call.arguments)
    ? undefined
    : `deltas parse to ${show(value)}, arguments are ${show(call.arguments)}`;
}
