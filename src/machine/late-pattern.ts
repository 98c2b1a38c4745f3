/**
 * A pattern with classes of Unicode that is made when it is first asked for. A literal is checked when its file is loaded, wherever
 * it stands, and each such class takes as long as some kilobytes of code. `source` and `flags` are literals, never a text.
 */
/* @__NO_SIDE_EFFECTS__ */
export function latePattern(source: string, flags = "u"): () => RegExp {
  let made: RegExp | undefined;
  return () => (made ??= new RegExp(source, flags));
}
