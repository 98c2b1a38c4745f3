/** A mistake in a corpus file: says where, shows the line, and says what to do. */
export class CorpusError extends Error {
  override readonly name = "CorpusError";
  readonly file: string;
  readonly line: number;
  readonly column: number;

  /** `line` and `column` count from 1; `width` is how many characters the carets cover. */
  constructor(
    where: { file: string; line: number; column: number; width: number; text: string },
    what: string,
    help: string,
  ) {
    const gutter = " ".repeat(String(where.line).length);
    super(
      [
        what,
        `${gutter}--> ${where.file}:${where.line}:${where.column}`,
        `${gutter} |`,
        `${where.line} | ${where.text}`,
        `${gutter} | ${" ".repeat(where.column - 1)}${"^".repeat(Math.max(1, where.width))}`,
        `help: ${help}`,
      ].join("\n"),
    );
    this.file = where.file;
    this.line = where.line;
    this.column = where.column;
  }
}
