import { samples, sampleTools } from "toolpeg-play";

/** Everything a page shows: what its link holds. Plain texts, so that a link can do no more than fill in fields. */
export interface PlayState {
  tab: "reply" | "grammar";
  text: string;
  tools: string;
  /** An id, `auto`, or `own`: the grammar of the other tab. */
  format: string;
  prefill: string;
  finishReason: string;
  policy: string;
  intent: boolean;
  chunk: number;
  /** How many chunks have been fed. */
  fed: number;
  /** Which shipped grammar the edited one began as. */
  base: string;
  grammar: string;
  corpus: string;
}

export const ownFormat = "own";

export function firstState(): PlayState {
  const sample = samples.find(({ name }) => name.includes("repaired")) ?? samples[0];
  return {
    tab: "reply",
    text: sample.text,
    tools: sampleTools,
    format: "auto",
    prefill: "",
    finishReason: "",
    policy: "",
    intent: false,
    chunk: 8,
    fed: 0,
    base: "",
    grammar: "",
    corpus: "",
  };
}

/** The state as the part of a link after `#`: what differs from the first one, compressed. */
export async function encodeState(state: PlayState): Promise<string> {
  const first: Record<string, unknown> = { ...firstState() };
  const changed = Object.fromEntries(Object.entries(state).filter(([key, value]) => value !== first[key]));
  const bytes = await through(new TextEncoder().encode(JSON.stringify(changed)), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Reads such a part. What is no state, or a field of another type, changes nothing. */
export async function decodeState(hash: string): Promise<PlayState> {
  const state = firstState();
  const written = hash.replace(/^#/, "");
  if (written === "") return state;
  try {
    const binary = atob(written.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (unit) => unit.charCodeAt(0));
    const text = new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
    const given = JSON.parse(text) as Record<string, unknown>;
    for (const key of Object.keys(state) as (keyof PlayState)[]) {
      if (Object.hasOwn(given, key) && typeof given[key] === typeof state[key]) {
        Object.assign(state, { [key]: given[key] });
      }
    }
    if (state.tab !== "grammar") state.tab = "reply";
    state.chunk = Math.max(1, Math.floor(state.chunk) || 1);
  } catch {
    // A link that was cut in a mail: the page still works.
  }
  return state;
}

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const readable = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(readable).arrayBuffer());
}
