/**
 * The mechanisms a grammar cannot write down, by rule name. A grammar defines them as ordinary rules with a stand-in
 * body (see `grammars/shared/primitives.peggy`), so that every PEG tool can read it; our machine, and the writers for
 * other tools, put the mechanism in place of the body.
 *
 * - `cut`: the cut. Older choices are dead once it is passed. Other tools see an empty match.
 * - `halt`: reading stops here; another reader goes on. Only for combining formats.
 * - `line-start`: zero-width; at the start of the text or right after a newline or after framing, up to three blanks between.
 * - `fence-start`: zero-width; as `line-start`, after any indentation and the marks of block quotes and list items.
 * - `tools-known`: zero-width; the names of the tools are known, as they are wherever calls are validated.
 * - `unnamed-offered`: zero-width; a tool of the header's `unnamed` is on offer, or the names are not known.
 * - `fence-begin`: zero-width; remembers what block quotes and list items stand before a fence or a code span.
 * - `fence-leave`: zero-width; this line stands outside of them, which ends the fence.
 * - `fence-inside`: zero-width; before this place stands on its line what may stand before the marks that close the fence.
 * - `code-leave`: zero-width; on this line what the code span stands in has ended.
 * - `pair-close`: zero-width; what stands here closes a pair of tags that is open in the message.
 * - `vain`: zero-width; a search of this name, for the key that is bound, was in vain from here or from an earlier place.
 * - `found`: zero-width; one that began here or earlier has found what it looked for here or later. Where it matches nothing,
 *   a search begins.
 * - `searched`: zero-width; the search ends: here, or in vain where it began.
 * - `plain-text`: takes text in which nothing begins that the message grammar looks for: as much or as little as is known.
 * - `tool-name`: one of the offered names.
 * - `declared-key`: a declared key of the current tool that has not been seen in this call.
 * - `seen-key`: a key that has been seen in this call.
 * - `one-of`: the longest literal of a set that is only known when formats are combined.
 * - `cut-of`: what is left of one at the end of the text, cut inside it.
 * - `bind`: matches its body and binds the text to the slot.
 * - `same`: matches the text bound to the slot again; nothing while none is bound.
 */
export type Primitive =
  | {
      kind:
        | "cut"
        | "halt"
        | "line-start"
        | "fence-start"
        | "tools-known"
        | "unnamed-offered"
        | "fence-begin"
        | "fence-leave"
        | "fence-inside"
        | "code-leave"
        | "pair-close"
        | "plain-text"
        | "tool-name"
        | "declared-key"
        | "seen-key";
    }
  | { kind: "bind" | "same" | "one-of" | "cut-of" | "vain" | "found" | "searched"; slot: string };

const plainPrimitives: Readonly<Record<string, Primitive>> = {
  Cut: { kind: "cut" },
  Halt: { kind: "halt" },
  lineStart: { kind: "line-start" },
  fenceStart: { kind: "fence-start" },
  toolsKnown: { kind: "tools-known" },
  unnamedOffered: { kind: "unnamed-offered" },
  fenceBegins: { kind: "fence-begin" },
  leavesFence: { kind: "fence-leave" },
  insideFence: { kind: "fence-inside" },
  leavesCode: { kind: "code-leave" },
  closesPair: { kind: "pair-close" },
  plainText: { kind: "plain-text" },
  toolName: { kind: "tool-name" },
  declaredKey: { kind: "declared-key" },
  seenKey: { kind: "seen-key" },
};

const slottedKinds = {
  Bind: "bind",
  same: "same",
  oneOf: "one-of",
  cutOf: "cut-of",
  vain: "vain",
  found: "found",
  searched: "searched",
} as const;

/** The names of the primitives that have a name of their own, for messages. */
export const primitiveNames: readonly string[] = Object.keys(plainPrimitives);

/** What a rule of this declared name stands for, if it stands for a primitive. */
export function primitiveOf(declared: string): Primitive | undefined {
  if (Object.hasOwn(plainPrimitives, declared)) return plainPrimitives[declared];
  const slotted = /^(Bind|same|oneOf|cutOf|vain|found|searched)([A-Z][A-Za-z0-9]*)$/.exec(declared);
  if (slotted === null) return undefined;
  return { kind: slottedKinds[slotted[1] as keyof typeof slottedKinds], slot: slotted[2] };
}
