/**
 * What the rules of a grammar mean, by rule name: the one table that gives pure grammars their semantics.
 * A rule with none of these names captures nothing; text that no role covers is framing.
 */
// biome-ignore lint/style/noEnum: its members are numbers in the bundle, where an object would be read at every use
export enum roleCodes {
  // ----- the message -----
  /** Text a person should see. */
  Content = 1,
  /** Content in which nothing is a call: a fence or inline code. */
  Quoted = 2,
  /** An opener that did not become a call: content, and listed as `malformed`. */
  UnmatchedOpener = 3,
  /** The inside of a thinking block. */
  Reasoning = 4,
  /** A stretch of a thinking block in which calls count. */
  ParsedReasoning = Reasoning,
  /** An opener inside quoted text or reasoning: stays text, and is listed as `quoted` or `in-reasoning`. */
  QuotedOpener = 5,
  /** One call, or one block of calls in one payload. A suffix names a dialect: `CallUnmarked` is variant `unmarked`. */
  Call = 6,
  /** What is skipped after damage, up to where reading goes on. Made by the compiler from the rule `Sync`. */
  Damaged = 7,
  /** Calls that no marker opens, undecided up to its end: when none of them passes, all of it is content. */
  Unmarked = 8,
  /** What follows the end of the turn: framing, in which openers are listed. */
  AfterTurn = 9,
  /** Thoughts end here without their token: a call behind them counts as one in thoughts that are open does. */
  LeavesThoughts = 61,
  /** Calls in brackets: none of them is complete before the end of the list, damage or a cut refuses all. */
  List = 17,
  /** Calls one after the other: damage in one refuses all; what was complete before a cut stands. */
  Group = 18,
  // ----- where the reader of the message decides: only grammars/message.peggy has these -----
  /** What may open a block. */
  Opener = 16,
  /** At the start of the message, what may begin a form without an opener. */
  Lead = 48,
  /** At the start of a line, what may begin calls without a marker. */
  LineLead = 49,
  /** At the start of the message, what opens reasoning there alone. */
  Starter = 50,
  ThinkOpener = 51,
  ThinkCloser = 52,
  QuoteOpener = 53,
  QuoteCloser = 54,
  /** The end of a turn and the opening of the next. */
  TurnStart = 55,
  /** What frames visible text. */
  Framing = 56,
  /** A closer that closes nothing. */
  UnmatchedCloser = 57,
  /** A block without anything in it. */
  Empty = 58,
  /** What begins as calls do that are listed where they are none. */
  Begun = 60,
  // ----- inside a call -----
  /** The name of a parameter that is a tag: it may come again, and its value may hold tags. */
  Tag = 35,
  /** A JSON value whose envelope carries name and arguments under the header's `keys`. */
  Payload = 10,
  /** A value that is the arguments. */
  Arguments = 11,
  Name = 12,
  Id = 13,
  /** The name of a parameter or member, as raw text. */
  Key = 14,
  /** The name of a member, the inside of a JSON string. */
  JsonKey = 15,
  // ----- values -----
  Object = 20,
  Array = 21,
  /** The inside of a JSON string: already escaped. */
  String = 22,
  /** Text that is a string whatever the schema says. */
  Verbatim = 23,
  /** Raw text whose type the schema decides. */
  Text = 24,
  /** Raw text that must be JSON. */
  JsonText = 25,
  Number = 26,
  /** A Python number: underscores, other bases, a sign. */
  PythonNumber = 27,
  True = 28,
  False = 29,
  Null = 30,
  /** A word that says the type of the next text, where the schema leaves a choice. */
  Type = 36,
  /** Raw text that is the one parameter of its tool, a string; without a name, of a tool of the header's `unnamed`. */
  OnlyText = 34,
  /** Text between string marks: a string, unless the schema says that it is something else. */
  StringText = 31,
  /** Raw text that may hold tags; the schema decides whether they are text, members or items. */
  Markup = 32,
  /** All arguments, written in a language that the format's decoder reads. */
  Body = 33,
  // ----- inside text -----
  /** A JSON escape sequence. */
  Escape = 40,
  /** A Python escape sequence. */
  PythonEscape = 41,
  /** An XML character reference. */
  Entity = 42,
  /** Characters inside a text that are no part of it, such as the brackets of CDATA. */
  Ignored = 43,
  /** Two readings are left: the call is refused. */
  Ambiguous = 44,
  /** Behind a value, a key that the tool does not declare: ambiguous unless the tool says that it takes others. */
  Undeclared = 45,
  /** Inside a text, the key of what looks like another parameter: two readings are left where the tool may take it. */
  FurtherKey = 38,
  /** What a tag says besides the key: ambiguous where it is named as a parameter. */
  AttributeKey = 39,
  /** An expression stands where a value should: the call is refused, and no other. */
  Computed = 46,
  /** A shape that the grammar knows and refuses: this call, and no other. Its display name is the message. */
  Malformed = 59,
  /** Where the call ends is not known: it is ambiguous, and nothing after it runs. */
  UnprovenEnd = 47,
  /** Inside a text, the end of a whole call: if nothing closes the text, it was none of it. */
  ShownCall = 62,
}

/** A whole JSON object that the machine has read in one go; no rule has this role, the machine reports it by itself. */
export const wholeObjectRole = 19;

/**
 * Codes from here on are repairs: a rule named for a repair kind (`MissingCloseMarker`) records that repair, level
 * safe. Which kind a code means, the program says.
 */
export const repairRoleBase = 64;

/** Variants of `Call` are distinguished above this bit. */
export const variantShift = 8;
