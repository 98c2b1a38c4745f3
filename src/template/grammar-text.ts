import type { FormatDraft } from "../compiler/parse/draft-grammar.ts";
import type { Inspection } from "./inspect-template.ts";
import { markersIn } from "./markers.ts";
import type { Draft } from "./skeletons/skeleton.ts";
import type { TemplateSource } from "./template-source.ts";
import type { ThoughtMarkers } from "./thoughts.ts";

/** What a grammar is written from. */
export interface GrammarParts {
  id: string;
  draft: Draft;
  source: TemplateSource;
  inspection: Inspection;
  thoughts: ThoughtMarkers | undefined;
  /** Calls as the template writes them. */
  example: string;
}

/** The text of a grammar, as people write one. */
export function grammarText(parts: GrammarParts, write: (draft: FormatDraft) => string): string {
  const { id, draft, source, inspection, thoughts, example } = parts;
  const model = source.model !== undefined && /^[\w.-]+\/[\w.-]+$/.test(source.model) ? source.model : undefined;
  const stop = stopsOf(source, inspection);
  return write({
    id,
    family: draft.family,
    remark: `Made from a chat template by \`toolpeg new\`: ${draft.kind}.`,
    header: [
      ...(model === undefined ? [] : ([["models", model]] as [string, string][])),
      ...(draft.header ?? []),
      ["reasoning", thoughts === undefined ? "none" : `${token(thoughts.open)} ${token(thoughts.close)}`],
      ["stop", stop.length === 0 ? "none" : stop.map(token).join(" ")],
      ["source", model === undefined ? "the model's chat template" : `the chat template of ${model}`],
    ],
    example,
    imports: (draft.imports ?? []).map(([part, names]) => `import { ${names} } from "toolpeg/shared/${part}.peggy"`),
    rules: draft.rules,
  });
}

/** What ends a turn. The role of the next turn may follow it, so only the first marker is one. */
function stopsOf(source: TemplateSource, { frame }: Inspection): string[] {
  const [first] = markersIn(frame.end);
  const ends = [first, source.eosToken].filter((text): text is string => text !== undefined && text.trim() !== "");
  return [...new Set(ends.map((text) => text.trim()))];
}

/** A token as headers write it, without white space and without what parts two of them. */
function token(text: string): string {
  const escapes: Record<string, string> = {
    "\\": "\\\\",
    ";": "\\;",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    " ": "\\s",
  };
  return text
    .trim()
    .replace(/[\\;\s]/g, (sign) => escapes[sign] ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
