import type { Engine, HarnessEvent, HarnessResult } from "../../src/testing/engine.ts";

/** Ways in which the small engine below can be made wrong, one per thing the harness must see. */
export type Fault = "forgets-at-chunk-border" | "calls-in-fence" | "completes-cut-call" | "loses-text" | "throws";

/**
 * An engine for testing the harness: a line `!name {json}` is a call, a fence quotes, everything else is content.
 * It reads the whole text at the end, so it is right for every split, unless a fault is asked for.
 */
export function echoEngine(fault?: Fault): Engine {
  const read = (text: string): HarnessResult => readLines(text, fault);
  return {
    parse: (text) => read(text),
    createParser: () => {
      let text = "";
      return {
        push(chunk) {
          if (fault === "throws" && chunk.length === 1) throw new RangeError("one unit is not enough");
          text += fault === "forgets-at-chunk-border" && chunk.startsWith("r") ? chunk.slice(1) : chunk;
          return [];
        },
        end: () => eventsOf(read(text)),
        result: () => read(text),
      };
    },
  };
}

function readLines(text: string, fault: Fault | undefined): HarnessResult {
  const result = { calls: [], content: "", reasoning: "", rejected: [], nodes: [], truncated: false } as HarnessResult;
  let at = 0;
  let fenced = false;
  for (const line of text.split(/(?<=\n)/)) {
    const end = at + line.length;
    const body = line.trimEnd();
    if (body.startsWith("```") || body.startsWith("~~~")) fenced = !fenced;
    const [, name, json] = /^!(\w+) (.*)$/.exec(body) ?? [];
    const quoted = (fenced && fault !== "calls-in-fence") || name === undefined || json === undefined;
    const args = quoted ? undefined : parseObject(json, fault);
    if (quoted) {
      if (fault !== "loses-text" || line !== "lost\n") result.nodes.push({ type: "content", start: at, end });
      result.content += line;
    } else if (args === undefined) {
      // A line that nothing ends is cut.
      const reason = end === text.length && !/[}\n]$/.test(line) ? "truncated" : "malformed";
      result.nodes.push({ type: "rejected", start: at, end, reason });
      result.rejected.push({ reason, message: `${reason}: no object`, name, start: at, end, raw: line });
    } else {
      const index = result.calls!.length;
      const shared = { argumentsText: JSON.stringify(args), format: "echo", repairs: [], start: at, end };
      result.calls!.push({ id: `call_${index}`, index, name, arguments: args, ...shared });
      result.nodes.push({ type: "call", start: at, end, index });
    }
    at = end;
  }
  return result;
}

function parseObject(json: string, fault: Fault | undefined): Record<string, unknown> | undefined {
  try {
    return JSON.parse(json);
  } catch {
    return fault === "completes-cut-call" ? {} : undefined;
  }
}

function eventsOf(result: HarnessResult): HarnessEvent[] {
  const events: HarnessEvent[] = [];
  if (result.content) events.push({ type: "text-delta", text: result.content });
  for (const call of result.calls ?? []) {
    events.push({ type: "call-start", index: call.index, id: call.id, name: call.name });
    events.push({ type: "call-args-delta", index: call.index, delta: call.argumentsText });
    events.push({ type: "call-end", index: call.index, call });
  }
  for (const rejection of result.rejected) events.push({ type: "call-rejected", rejection });
  return events;
}
