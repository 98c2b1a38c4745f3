/**
 * What an author of grammars may write, as data: header keys, flags, roles, places and primitives, each with what it means.
 * `docs/grammar-reference.md` is made of it, and the compiler's tables have to agree with it.
 */
import type { roleCodes } from "../machine/roles.ts";
import type { HeaderFlag, HeaderKey } from "./parse/header-keys.ts";
import type { SpecialRule } from "./parse/special-rules.ts";

/** The keys of a header, in the order in which a header gives them. */
export const headerMeanings: Readonly<Record<HeaderKey, string>> = {
  format:
    "the id, one lower-case word. A grammar without it is a family or a shared part: its keys are defaults for what extends it; the nearest definition wins as a whole",
  aliases: "other ids that name this format, separated by commas",
  models: "models that write it, by their names on the hub, separated by commas",
  mode: "`primary` (default), `json` or `bracket`: what telemetry calls it. The last two are the fallbacks",
  extends: "the family or format whose rules and header this one takes over: `toolpeg/family/json-in-tags`",
  asks: "in a family: opens an indented block with the rules that it leaves to the format, one a line, each with a body that can stand there",
  overrides: "the inherited rules that this file writes anew, separated by commas",
  keys: "which keys of the payload hold name, arguments and id, first spelling first: `name = tool | name; arguments = input; id = id`. A point leads into an object: `function.name`. `name = *`: the single key is the name, its value the arguments. Default `name = name; arguments = arguments`",
  reasoning: "opener and closer of thoughts, `<think> </think>`; several pairs separated by ` ; `; or `none` (default)",
  starts:
    "how a message begins: `content` (default), `reasoning` (the prompt has opened it), or a literal that opens reasoning there and nowhere else",
  "ends-reasoning": "`call`: the opener of a call ends thoughts that only the prompt has opened",
  stop: "tokens that end a message, separated by blanks; or `none` (default). Those that end a turn in some template, such as `<|im_end|>`, are known",
  turns:
    "what begins another turn by itself, separated by blanks, where models have no tokens for turns: `\\n\\nUser:`; or `none` (default)",
  answers:
    "openers that begin the answer, separated by blanks: among several formats that is text, and no call of this one follows. Or `none` (default)",
  framing: "tokens round visible text that are no part of it, separated by blanks; or `none` (default)",
  marker: "`configurable`: the caller may replace the opener (the rule `MARKER`)",
  flags: "words of the table below, separated by commas",
  body: "the language of the rule `Body`: `yaml`",
  unnamed: "the tools that a call without a name may mean, separated by commas: the first that is offered",
  "max-payload": "the longest payload in characters, where the document of the format sets a limit",
  source: "who documents the format; may be given several times",
  example:
    "opens an indented block: a message of two calls, as models write it, that shows how calls are written ([rendering.md](rendering.md)). It has to be read, and written, byte for byte",
  prompt:
    "opens an indented block: how tools are described to models. `{{tools STYLE}}` stands for the tools, `{{example}}` for a call of one of them ([rendering.md](rendering.md))",
};

/** The words of `flags`. */
export const flagMeanings: Readonly<Record<HeaderFlag, string>> = {
  "arguments-required": "a payload without arguments is no call; otherwise it has none",
  "all-or-none": "of calls that no marker opens, one that is refused refuses the others",
  unrepaired: "nothing is repaired in this format, whatever the policy says",
  "special-tags": "tags are tokens that no text holds, so a parameter that no tool declares is one",
  "framing-openers": "an opener that opens nothing is framing, and listed; elsewhere it is text",
  "marked-strings":
    "strings stand between marks of their own, so a bare text is JSON, if it can be, where the schema says no type",
};

/** Roles of the text round calls: a block of a format has them seldom, or never. */
type MessageRole =
  | (
      | "ParsedReasoning"
      | "Damaged"
      | "AfterTurn"
      | "Opener"
      | "Lead"
      | "LineLead"
      | "Starter"
      | "ThinkOpener"
      | "ThinkCloser"
    )
  | ("QuoteOpener" | "QuoteCloser" | "TurnStart" | "Framing" | "UnmatchedCloser" | "Empty" | "Begun" | "Halt");

/** The names that an author may give to a rule, with what its text then is. */
export type AuthorRole = Exclude<keyof typeof roleCodes, MessageRole>;

/** Roles, by what they are about. */
export const roleMeanings: Readonly<Record<string, Partial<Readonly<Record<AuthorRole, string>>>>> = {
  Calls: {
    Call: 'one call, or the calls of one payload. A suffix in capitals names a dialect: `CallUnmarked` shows as `variant: "unmarked"`. What `CallLoose` reads may belong to the call before, which it refuses',
    Name: "the tool",
    Id: "the id that the wire gives the call",
    Payload:
      "a JSON value whose envelope holds name and arguments under the header's `keys`: an object, or a list of them",
    Arguments: "a value that is the arguments; the name stands in `Name`",
    Body: "all arguments, in the language of the header's `body`",
    List: "calls in brackets that stand or fall together: none counts before the end of the list",
    Group: "calls one after the other of which damage refuses all; what was complete before a cut stands",
    Unmarked: "calls that no marker opens: where validation passes none of them, all of it is content",
  },
  Parameters: {
    Key: "the name of a parameter, raw",
    JsonKey: "the name of a parameter or member, the inside of a JSON string",
    Tag: "the name of a parameter that is a tag: it may come again, and its value may hold tags",
    Text: "raw text that the tool's schema types: it streams where the schema says string, and waits for its end elsewhere",
    Type: "a word that says the type of the next `Text` of the same parameter: it counts where the schema leaves a choice (a type that it does not allow says at least whether the value is a string), or where no schema speaks. JSON Schema's names and those of other languages (`int`, `list`) are known; another word changes nothing",
    Verbatim: "raw text that is a string, whatever the schema says",
    JsonText: "raw text that has to be JSON",
    StringText: "text that the wire calls a string: one, unless the schema says that it is something else",
    Markup: "raw text that may hold tags: text, members or items, as the schema says",
    OnlyText:
      "raw text that is the one parameter of its tool, a string; without a `Name`, of a tool of the header's `unnamed`",
  },
  "JSON and Python": {
    Object: "an object: its members are `JsonKey` or `Key`, and a value",
    Array: "a list",
    String: "the inside of a JSON string",
    Number: "a number of JSON",
    PythonNumber: "a number of Python",
    True: "true",
    False: "false",
    Null: "null",
    Escape: "in a text: an escape of JSON, decoded",
    PythonEscape: "in a text: an escape of Python, decoded",
    Entity: "in a text: a character reference of XML, decoded",
    Ignored: "in a text: left out of it. Outside of one: framing on purpose",
  },
  "What is refused": {
    Malformed:
      'a shape that the grammar reads and refuses: this call, no other. Its display name is the message: `Malformed "a ring without its times" = ...`',
    Ambiguous:
      "two readings are left: the call is refused. Before a payload it refuses the calls in it, after one the last. Its display name is the message",
    Undeclared:
      "after a value: a key that the tool does not declare. Ambiguous too, unless the tool takes others, or `flags: special-tags` stands in the header",
    FurtherKey:
      "in a text: the key of what looks like another parameter, empty where it may be lost. Ambiguous where the tool may take it",
    AttributeKey:
      "in the tag of a parameter: what stands there besides its key. Ambiguous where the schema says something of a parameter of that name",
    Computed: "an expression stands where a value should: the call is refused, and no other",
    ShownCall: "in a text: a whole call has ended. If nothing closes the text, it is no part of it",
    UnprovenEnd: "where the call ends is not known: it is refused, and nothing after it runs",
    UnmatchedOpener: "an opener that became no call: stays text, and is listed as `malformed`",
    QuotedOpener: "an opener in a quotation or in thoughts: stays text, and is listed as `quoted` or `in-reasoning`",
  },
  "Text in a block": {
    Content: "text that a person should see",
    Quoted: "text that a person should see, and in which nothing is a call",
    Reasoning: "thoughts",
    LeavesThoughts:
      "after thoughts that end without their token: what follows stands in them until text is shown, as `policy.reasoning` and the end of the message say",
  },
};

type HeaderRules = "STOP" | "ANY_STOP" | "TURN, TURN_ALONE" | "THINK_OPEN, THINK_CLOSE, FRAMING";

/** Rules with a meaning by their name that have no role. */
export const placeMeanings: Readonly<Record<SpecialRule | HeaderRules, string>> = {
  OPEN: "what may open a block: reading stops there in the text of a message, and tries `Block`",
  Block:
    "one block, from its opener to its closer: a call, or a section of calls. It is tried where `OPEN` stands; what does not match is text",
  Section: "a block that holds several calls: a name by habit, which means nothing by itself",
  CLOSE:
    'a literal whose rule is called `CLOSE`, `..._CLOSE` or `...Close` is a closer: where it closes nothing it is framing, and so is what a token limit has left of it at the end of the text. Where it never matches (`!""`), nothing closes a call, and no closer of it is missing. A special token inside calls (a tag with a bar in it, `<|sep|>`) is found without a name: outside of a call it is framing, and listed as `malformed`',
  Sync: "where reading goes on after damage: at the first place where it matches, after what it has matched",
  Skip: "what is skipped as one on the way there, so that an opener in it opens nothing: a string, the parameter of a damaged call",
  trailing:
    "a closer that, after a call, says that the call ended inside a value: what is not delivered yet is refused",
  Start:
    "what only the beginning of a message may hold: a call without a marker. `unmarked.peggy` brings it to a format that defines `Whole`",
  Line: "what lines of their own may hold without a marker; `policy.bare` says whether that counts",
  begun:
    "how a call of an offered tool begins that is listed where it is none, though nothing opens it: in text, in thoughts, in a quotation, after the turn",
  Whole: "what a message that is nothing but calls looks like, for `unmarked.peggy` and the family `whole-message`",
  MARKER: "the opener that the caller may replace (header `marker: configurable`)",
  TAG: "a literal that stands before the name of each tag, in values that hold tags",
  STOP: "made from the header's `stop`, with the tokens that end a turn in most templates",
  ANY_STOP: "the same, with those of few templates: for a grammar that reads text around its calls itself",
  "TURN, TURN_ALONE":
    "what begins another turn after a token that ends one, and what does by itself, one of the header's `turns` too",
  "THINK_OPEN, THINK_CLOSE, FRAMING": "made from the header too",
};

/** Primitives: what a grammar cannot write down. */
export const primitiveMeanings: Readonly<Record<string, string>> = {
  Cut: "the cut: what led here is no longer taken back. From here values stream, and damage is damage",
  lineStart:
    "matches nothing, at the start of the text, or after a newline or what frames text, and at most three blanks",
  fenceStart: "the same after any indentation and the marks of block quotes and list items",
  "fenceBegins, insideFence, leavesFence, leavesCode":
    "match nothing; for grammars that read text around calls. Where a fence begins, what block quotes and list items it stands in is remembered; what stands before this on its line may stand before the marks that close it; this line stands outside of them; a code span that begins there ends before this line",
  closesPair:
    "matches nothing, where what stands here closes a pair of tags that is open; `grammars/message.peggy` alone uses it",
  toolsKnown:
    "matches nothing, where the names of the tools are known: always but in `extract` without `names`. For a grammar that may be strict about names only there",
  unnamedOffered:
    "matches nothing, where a tool of the header's `unnamed` is on offer, or the names are not known: what begins a call without a name is text elsewhere",
  "vainX, foundX, searchedX":
    'match nothing. For a search that many damaged calls would repeat to the end of the text: `vainX` matches where it is known to find nothing for the parameter that is being read, `foundX` where it is known to find something; `searchedX` notes it, at what was found or, in vain, where the search began. Those of `shared/searches.peggy` serve a value between tags. Write `end = (vainX / (foundX / &(search searchedX)) Found / searchedX)`, and `vainX = !""`, `foundX = !""`, `searchedX = ""`',
  plainText: "as much text as is plain for certain, which may be none; `grammars/message.peggy` alone uses it",
  toolName: "the longest offered name that stands here. Where no names are known, any word",
  declaredKey: "a declared parameter of the current tool that has not been seen in this call",
  seenKey: "a parameter that has been seen in this call",
  "BindX, sameX":
    'a back-reference: `sameX` matches the text that `BindX` matched last (its first 1024 units), and nothing before that. A failed alternative leaves no trace, and a look-ahead none either. Write `sameX = ""`',
};
