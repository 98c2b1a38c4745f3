/**
 * One line of a case's input, and how its columns map to code units. Columns count characters as an editor shows them
 * (an astral character is one column and two units); in a line written as a JSON string an escape such as `\n` takes
 * several columns and gives one unit.
 */
export interface CorpusLine {
  /** The line as it stands in the file, with its marker. */
  source: string;
  /** The decoded text, without the LF that joins it to the next line. */
  text: string;
  /** `units[column]`: offset in `text` of what stands in that column, the marker's column 0 left out. One entry more than columns. */
  units: number[];
}

/** Reads a line that begins with `|`. */
export function verbatimLine(source: string): CorpusLine {
  const text = source.slice(1);
  const units: number[] = [];
  let at = 0;
  for (const character of text) {
    units.push(at);
    at += character.length;
  }
  units.push(at);
  return { source, text, units };
}

/** Reads a line that is a JSON string, quotes included. `undefined` when it is none. */
export function jsonLine(source: string): CorpusLine | undefined {
  let text: unknown;
  try {
    text = JSON.parse(source);
  } catch {
    return undefined;
  }
  if (typeof text !== "string") return undefined;
  const units: number[] = [];
  let at = 0;
  // The quotes have no unit: the opening one is column 0, the closing one stands where the text ends.
  for (let index = 1; index < source.trimEnd().length - 1; ) {
    const escaped = source[index] === "\\";
    const width = escaped ? (source[index + 1] === "u" ? 6 : 2) : source.codePointAt(index)! > 0xffff ? 2 : 1;
    for (let column = 0; column < (escaped ? width : 1); column++) units.push(at);
    at += escaped ? 1 : width;
    index += width;
  }
  units.push(at);
  return { source, text, units };
}

/** The column (from 1, the marker being column 0) where the unit at `offset` of the line is shown. */
export function columnOf(line: CorpusLine, offset: number): number {
  let column = 0;
  while (column < line.units.length - 1 && line.units[column + 1] <= offset) column++;
  // Every column of an escape has the same offset: the first is the one to mark.
  while (column > 0 && line.units[column - 1] === line.units[column]) column--;
  return column + 1;
}
