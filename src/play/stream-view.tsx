import { createParser, type ParseEvent, type ParseOptions } from "../index.ts";
import { Field, messageOf } from "./field.tsx";

interface StreamViewProps {
  text: string;
  options: ParseOptions;
  chunk: number;
  fed: number;
  onChange(change: { chunk?: number; fed?: number }): void;
}

interface Step {
  label: string;
  events: ParseEvent[];
  /** What is known of calls that are not finished. */
  partial: [index: number, value: unknown][];
}

/** More are not listed: the newest are what the slider is for. */
const stepsShownMax = 40;

/** The reply in chunks: a slider feeds it, and shows events and partial arguments as they come. */
export function StreamView({ text, options, chunk, fed, onChange }: StreamViewProps) {
  const chunks = Math.ceil(text.length / chunk);
  const at = Math.min(fed, chunks + 1);
  const { steps, problem } = feed(text, options, chunk, at);
  const last = steps.at(-1);
  const shown = steps.filter(({ events }) => events.length > 0).slice(-stepsShownMax);
  const done = at > chunks ? "all, and ended" : `${at} of ${chunks} chunks`;
  return (
    <div class="stream">
      <div class="row">
        <Field label="Characters per chunk">
          <input
            type="number"
            min="1"
            value={chunk}
            onInput={(event) => onChange({ chunk: Math.max(1, Number(event.currentTarget.value) || 1), fed: 0 })}
          />
        </Field>
        <Field label={`Fed: ${done}`}>
          <input
            type="range"
            min="0"
            max={chunks + 1}
            value={at}
            aria-valuetext={done}
            onInput={(event) => onChange({ fed: Number(event.currentTarget.value) })}
          />
        </Field>
      </div>
      {problem === undefined ? null : <p class="refusal">{problem}</p>}
      <pre class="text fed">
        {text.slice(0, at * chunk)}
        <span class="dim">{text.slice(at * chunk, at * chunk + 200)}</span>
      </pre>
      {(last?.partial ?? []).map(([index, value]) => (
        <div class="card" key={index}>
          <h4>Partial arguments of call {index} (for display only)</h4>
          <pre class="json partial">{JSON.stringify(value, null, 2)}</pre>
        </div>
      ))}
      <ol class="events" aria-label="Events, the newest first" aria-live="polite">
        {shown.reverse().map(({ label, events }) => (
          <li key={label}>
            <b>{label}</b>
            {events.map((event) => (
              <EventLine key={JSON.stringify(event)} event={event} />
            ))}
          </li>
        ))}
      </ol>
      {shown.length === 0 ? <p class="dim">No event yet: move the slider.</p> : null}
    </div>
  );
}

function EventLine({ event }: { event: ParseEvent }) {
  const refused = event.type === "call-rejected";
  return (
    <div class={refused ? "refusal" : event.type === "call-end" ? "accepted" : ""}>
      <code>{event.type}</code> <span class="cut">{detailOf(event)}</span>
    </div>
  );
}

function detailOf(event: ParseEvent): string {
  switch (event.type) {
    case "text-delta":
    case "reasoning-delta":
      return JSON.stringify(event.text);
    case "call-start":
      return `${event.index} ${event.name}`;
    case "call-args-delta":
      return `${event.index} ${JSON.stringify(event.delta)}`;
    case "call-end":
      return `${event.index} ${event.call.name} ${JSON.stringify(event.call.arguments)}`;
    case "call-rejected":
      return `${event.rejection.reason}: ${event.rejection.message}`;
  }
}

function feed(text: string, options: ParseOptions, chunk: number, fed: number): { steps: Step[]; problem?: string } {
  const steps: Step[] = [];
  try {
    const parser = createParser(options);
    const open = new Set<number>();
    const add = (label: string, events: ParseEvent[]) => {
      for (const event of events) {
        if (event.type === "call-start") open.add(event.index);
        if (event.type === "call-end" || event.type === "call-rejected") open.delete(event.index ?? -1);
      }
      const isLast = steps.length + 1 === fed;
      const partial = isLast ? [...open].map((index): [number, unknown] => [index, parser.partial(index)]) : [];
      steps.push({ label, events, partial: partial.filter(([, value]) => value !== undefined) });
    };
    const chunks = Math.ceil(text.length / chunk);
    for (let number = 0; number < Math.min(fed, chunks); number++) {
      const piece = text.slice(number * chunk, (number + 1) * chunk);
      add(`chunk ${number + 1}: ${JSON.stringify(piece.slice(0, 40))}`, parser.push(piece) as ParseEvent[]);
    }
    if (fed > chunks) add("end", parser.end() as ParseEvent[]);
    return { steps };
  } catch (error) {
    return { steps, problem: messageOf(error) };
  }
}
