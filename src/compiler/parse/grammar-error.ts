/** A point of a source text: line and column from 1, offset in UTF-16 units from 0. */
export interface SourcePoint {
  offset: number;
  line: number;
  column: number;
}

/** A stretch of one grammar file, in the form Peggy gives its locations. `source` is the path of the file. */
export interface SourceRange {
  source: string;
  start: SourcePoint;
  end: SourcePoint;
}

/** A grammar file as it was read. */
export interface GrammarFile {
  path: string;
  text: string;
}

/** A second place that explains an error. */
export interface GrammarNote {
  message: string;
  file: string;
  line: number;
  column: number;
  endColumn: number;
  sourceLine: string;
}

/** What a refusal may say besides its message. */
export interface GrammarErrorDetails {
  /** What could have stood there, ready to print. */
  expected?: string[];
  /** What to do about it. */
  help: string;
  notes?: GrammarNote[];
}

/** A grammar was refused. Columns count from 1; `endColumn` is the first column after the place, on the same line. */
export class GrammarError extends Error {
  /** Path of the grammar, as it was given or imported. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
  /** The line that is quoted. */
  readonly sourceLine: string;
  /** What could have stood there, ready to print. */
  readonly expected?: string[];
  /** What to do about it. */
  readonly help: string;
  /** Other places that explain it. */
  readonly notes: GrammarNote[];

  constructor(message: string, place: Omit<GrammarNote, "message">, details: GrammarErrorDetails) {
    super(message);
    this.name = "GrammarError";
    this.file = place.file;
    this.line = place.line;
    this.column = place.column;
    this.endColumn = place.endColumn;
    this.sourceLine = place.sourceLine;
    if (details.expected !== undefined) this.expected = details.expected;
    this.help = details.help;
    this.notes = details.notes ?? [];
  }
}

/** The lines of a text, ended by LF, CRLF or CR. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/);
}

function placeOf(files: Iterable<GrammarFile>, range: SourceRange): Omit<GrammarNote, "message"> {
  let sourceLine = "";
  for (const file of files) {
    if (file.path === range.source) sourceLine = linesOf(file.text)[range.start.line - 1] ?? "";
  }
  const { line, column } = range.start;
  // A place that goes on over the end of its line is underlined to that end.
  const endColumn = range.end.line === line ? range.end.column : sourceLine.length + 1;
  return { file: range.source, line, column, endColumn: Math.max(endColumn, column + 1), sourceLine };
}

/**
 * Makes the refusal of a place in one of `files`. Every refusal of the compiler is made here.
 *
 * @param files the files read so far; the line that is quoted comes from the one `range` names
 */
export function grammarError(
  files: Iterable<GrammarFile>,
  range: SourceRange,
  message: string,
  details: GrammarErrorDetails,
): GrammarError {
  return new GrammarError(message, placeOf(files, range), details);
}

/** Makes a note on a second place, for {@link grammarError}. */
export function grammarNote(files: Iterable<GrammarFile>, range: SourceRange, message: string): GrammarNote {
  return { message, ...placeOf(files, range) };
}

/** The range of `text` between two offsets. */
export function rangeAt(file: GrammarFile, start: number, end: number): SourceRange {
  const point = (offset: number): SourcePoint => {
    const before = linesOf(file.text.slice(0, offset));
    return { offset, line: before.length, column: before[before.length - 1].length + 1 };
  };
  return { source: file.path, start: point(start), end: point(end) };
}

function quote(place: Omit<GrammarNote, "message">, width: number): string[] {
  const blank = " ".repeat(width);
  // Tabs are kept, so that the carets stand under their place at any tab width.
  const indent = place.sourceLine.slice(0, place.column - 1).replace(/[^\t]/g, " ");
  return [
    `${blank}--> ${place.file}:${place.line}:${place.column}`,
    `${blank} |`,
    `${String(place.line).padStart(width)} | ${place.sourceLine}`,
    `${blank} | ${indent}${"^".repeat(place.endColumn - place.column)}`,
  ];
}

/** The error as text: message, place with the line quoted, notes, help. No trailing newline. */
export function formatGrammarError(error: GrammarError): string {
  const width = Math.max(...[error, ...error.notes].map((place) => String(place.line).length));
  const lines = [error.message, ...quote(error, width)];
  for (const note of error.notes) lines.push(`note: ${note.message}`, ...quote(note, width));
  if (error.expected !== undefined && error.expected.length > 0) {
    lines.push(`expected: ${error.expected.join(", ")}`);
  }
  lines.push(`help: ${error.help}`);
  return lines.join("\n");
}
