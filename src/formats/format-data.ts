import type { RejectionReason } from "../contract/reasons.ts";
import type { RenderTemplate } from "../contract/render-template.ts";
import type { RepairKind, RepairLevel } from "../contract/repairs.ts";
import type { ToolListings } from "../contract/tool-listings.ts";
import type { JsonSchema } from "../contract/types.ts";
import type { Program } from "../machine/program.ts";

/**
 * Which keys of a payload hold what. `name: "*"`: the single key of the object is the name, its value the arguments. A point
 * leads into an object: `function.name`.
 */
export interface PayloadKeys {
  /** Of the tool, in any of these spellings. */
  readonly name: readonly string[] | "*";
  /** Of the arguments, in any of these spellings. */
  readonly arguments: readonly string[];
  /** Of the call's id; empty: the format has none. */
  readonly id: readonly string[];
}

/** Languages that a decoder reads, in place of the grammar. */
export const bodyLanguages = ["yaml"] as const;

/** A language that a call's arguments may be written in beside what grammars read. */
export type BodyLanguage = (typeof bodyLanguages)[number];

/**
 * Reads a body into the arguments as JSON text.
 *
 * @param text What stands in the call.
 * @param schema The schema of the tool's arguments; undefined: unknown.
 * @returns `problem`: a sentence that says why the body is none; `reason`: why it is refused, `malformed` by default;
 * `level`: how sure the repairs are, `safe` by default; `isOpen`: a string of it may not have ended with the body.
 */
export type ReadBody = (
  text: string,
  schema: JsonSchema | undefined,
) =>
  | { json: string; repairs?: readonly RepairKind[]; level?: RepairLevel }
  | { problem: string; reason?: RejectionReason; isOpen?: boolean };

/** What becomes of a role that not every grammar has. `reader` is the driver's, and so is its shape. */
export interface RoleHandler {
  /** The role opens at an offset. */
  open?(reader: never, code: number, at: number): void;
  /** The role that opened at `start` closes. */
  close?(reader: never, start: number, at: number): void;
  /** The same for a call that is whole and sound, from an entry of the log; the entry after it, or -1. */
  sound?(call: never, log: readonly number[], at: number): number;
}

/** Handlers by the code of the role, by the kind of a repair that a rule records, and `end`: what is due when a call ends. */
export type RoleHandlerTable = Readonly<Record<number | string, RoleHandler>>;

/** Stands for the name of an offered tool at the beginning of an opener. */
export const offeredName = "\0name";

/** What a compiled grammar says of its format: the header as data, and the program. */
export interface FormatData {
  /** Its name in options and results. */
  readonly id: string;
  /** What the format is called in prose. */
  readonly title: string;
  /** Other names it goes by, in any spelling of case, `-`, `_` and `.`. */
  readonly aliases: readonly string[];
  /** Models that are known to write it, by the names of their publishers. */
  readonly models: readonly string[];
  /** `primary`, or which of the two fallbacks it is. */
  readonly mode: "primary" | "json" | "bracket";
  /** Literals one of which begins every call; empty for formats without a marker. */
  readonly triggers: readonly string[];
  /**
   * Characters one of which begins, after blanks, what only the start of a message may hold: the rule `Start`. Empty:
   * any. Absent where there is no such form.
   */
  readonly leads?: string;
  /** Those of them that begin calls without a marker. */
  readonly unmarkedLeads?: string;
  /** Literals that calls begin with which are listed where they are none, though nothing opens them: the rule `begun`. */
  readonly begun?: readonly string[];
  /** Tokens that end a message; where they trail they are framing. */
  readonly stop: readonly string[];
  /** What begins another turn where models have no tokens for turns: in visible text it ends the message. */
  readonly turns?: readonly string[];
  /** Openers that begin an answer, after which the format makes no call: among several formats that is text. */
  readonly answers?: readonly string[];
  /** What encloses thoughts. Empty: the format has no thinking block. */
  readonly reasoning: readonly { readonly open: string; readonly close: string }[];
  /** Markers that frame visible text and are no part of it. */
  readonly framing?: readonly string[];
  /** What closes calls and their parts; where it closes nothing it is framing. */
  readonly closers?: readonly string[];
  /** Special tokens that stand inside calls and close nothing; anywhere else they are framing, and listed. */
  readonly innerTokens?: readonly string[];
  /** How a message begins: `reasoning`, or what opens reasoning there and nowhere else. Absent: with content. */
  readonly starts?: string;
  /** Closers which, left over after a call, say that it ended inside a value: so a call waits for what follows it. */
  readonly trailingClosers?: readonly string[];
  /** An opener ends a thinking block that only the prefill opened. */
  readonly endsReasoning?: boolean;
  /** Under which keys of a payload name, arguments and id stand. */
  readonly keys: PayloadKeys;
  /** Peculiarities of reading, from the closed list `headerFlags` of `toolpeg/compiler`. */
  readonly flags: readonly string[];
  /** Tools one of which a call without a name means. */
  readonly unnamed?: readonly string[];
  /** Values are Python literals. */
  readonly pythonValues?: boolean;
  /**
   * Some values are raw text: it has no strings that say where a damaged call ends. `skipped`: the rule `Skip` says what
   * stands in one after damage. `bare`: nothing does, so that no end of damage is proven.
   */
  readonly rawValues?: "skipped" | "bare";
  /** How values that hold tags are written. */
  readonly markup?: { readonly prefix: string; readonly entities: boolean };
  /** The language that arguments are written in, where it is one that the grammar does not read. */
  readonly body?: BodyLanguage;
  /** Reads arguments in that language: all of a call at once. */
  readonly readBody?: ReadBody;
  /** What reads the roles that this grammar has and not every other: see `toolpeg/role-handlers`. */
  readonly handlers?: RoleHandlerTable;
  /** The longest payload in characters, where the document of the format sets a limit. */
  readonly maxPayload?: number;
  /** Whether the opener may be replaced by the `marker` option. */
  readonly configurable?: boolean;
  /** Whether tags are tool names, so that extraction needs to know them. */
  readonly needsNames?: boolean;
  /** How one call looks, written out. */
  readonly example: string;
  /** How tools are described to its models, with places for them and for an example. Absent: by shared text. */
  readonly prompt?: string;
  /** How that text lists tools, where it is not as JSON: see `toolpeg/role-handlers`. */
  readonly listings?: ToolListings;
  /** Where the format is described. */
  readonly source: readonly string[];
  /** How calls are written. Absent where no way could be derived. */
  readonly template?: RenderTemplate;
  /** What the grammar was compiled to: for the machine. */
  readonly program: Program;
}
