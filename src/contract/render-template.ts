/** A place of a template that a call fills. Everything else of a template stands as it is. */
// biome-ignore lint/style/noEnum: its members are numbers in the bundle, where an object would be read at every use
export enum slot {
  /** The name, as it is. */
  name = 0,
  /** The name as the inside of a string of the format's values. */
  quotedName = 1,
  /** The arguments as one value. */
  arguments = 2,
  /** The arguments one by one. */
  members = 3,
  /** Name and value of one argument. */
  key = 4,
  value = 5,
  /** The id of the call as the inside of a string; as it is. */
  quotedId = 6,
  id = 7,
  /** Which call of the message it is, counted from 0; from 1. */
  index = 8,
  number = 9,
}

/** Text that stands as it is, or a {@link slot}. */
export type Piece = string | number;

/** How the inside of a string is written: as it is, with the escapes of JSON, or with character references. */
export type Quoting = "raw" | "json" | "entity";

/** How values are written inside values. Numbers, braces and brackets are those of JSON everywhere. */
export interface ValueStyle {
  readonly string: readonly [open: string, close: string];
  readonly key: readonly [open: string, close: string];
  readonly quoting: Quoting;
  readonly colon: string;
  readonly comma: string;
  /** True, false and null. */
  readonly words: readonly [string, string, string];
}

/** The style of most formats: JSON as Python's own writer spaces it. */
export const jsonStyle: ValueStyle = {
  string: ['"', '"'],
  key: ['"', '"'],
  quoting: "json",
  colon: ": ",
  comma: ", ",
  words: ["true", "false", "null"],
};

/** How a format writes calls: derived from the grammar and the example of its header when it is compiled. */
export interface RenderTemplate {
  readonly open: string;
  /** Between two calls. Without it, a message carries one. */
  readonly between?: string;
  readonly close: string;
  readonly call: readonly Piece[];
  /** A call without arguments, where that is written in another way. */
  readonly bare?: readonly Piece[];
  /** Between two arguments given one by one. Without it, a call carries one. */
  readonly comma?: string;
  /** One argument, by the first character of its value as JSON (`0` for numbers, `.` for those with a fraction where they are written otherwise): the first that lists it. */
  readonly members?: readonly (readonly [kinds: string, ...pieces: Piece[]])[];
  /** How strings are written that are arguments given one by one. */
  readonly quoting?: Quoting;
  /** Default {@link jsonStyle}. */
  readonly style?: ValueStyle;
}
