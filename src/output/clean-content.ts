const blankLine = /^[ \t\r]*$/;
const fenceLine = /^[ \t]{0,3}(`{3,}|~{3,})/;

/**
 * Tidies visible text for display: where calls were taken out, runs of blank lines remain. Several blank lines become
 * one, white space goes from both ends. Lines inside a fenced block stay as they are, blank ones included.
 *
 * `result.content` itself is byte for byte what the model wrote: keep that one for transcripts.
 *
 * @param text such as `result.content`
 */
export function cleanContent(text: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  let isBlank = false;
  for (const line of text.split("\n")) {
    const mark = fenceLine.exec(line)?.[1];
    const inFence = fence !== undefined;
    if (fence === undefined) fence = mark;
    else if (mark?.[0] === fence[0] && mark.length >= fence.length && line.trim() === mark) fence = undefined;
    const wasBlank = isBlank;
    isBlank = !inFence && blankLine.test(line);
    if (!isBlank) kept.push(line);
    else if (!wasBlank) kept.push(line.endsWith("\r") ? "\r" : "");
  }
  return kept.join("\n").trim();
}
