import type { Block, ReaderState } from "./state.ts";

const fenceMark = /`{3,}|~{3,}/g;
/** What may stand before the marks that close a fence: blanks, and the marks of block quotes and list items. */
const lineLead = /^[\s>*+\-\d.)]*$/;

/**
 * Whether reading goes on inside of a fence that begins in what a damaged call has taken along: then the opener there is
 * quoted. After the call's own closer no fence of the call is open.
 */
export function endsInFence({ format, store }: ReaderState, block: Block, at: number): boolean {
  const text = store.slice(block.start, Math.min(at, store.end));
  if (!text.includes("```") && !text.includes("~~~")) return false;
  const before = text.trimEnd();
  if (format.closers?.some((closer) => before.endsWith(closer))) return false;
  let open: { mark: string; lineStart: number } | undefined;
  for (const { 0: mark, index } of text.matchAll(fenceMark)) {
    const lineStart = text.lastIndexOf("\n", index) + 1;
    if (open === undefined) {
      open = { mark, lineStart };
      continue;
    }
    const mayClose = lineStart === open.lineStart || lineLead.test(text.slice(lineStart, index));
    if (mayClose && mark[0] === open.mark[0] && mark.length >= open.mark.length) open = undefined;
  }
  return open !== undefined;
}
