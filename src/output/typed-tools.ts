import type { ParseEvent, Provisional, ToolCall } from "../contract/types.ts";
import type { ToolDefinition } from "../validation/tools.ts";
import type { ParseResult } from "./result.ts";

/*
 * Types alone: what validation has checked, said to the compiler. A call of tools that are written out (`as const`, or in
 * place) or that carry a schema library's object has the name and arguments of its tool; of tools without types that
 * the compiler can see, it is a plain `ToolCall`. What a schema says beyond TypeScript widens to `unknown`, never
 * to something narrower than what validation lets through.
 */

type Simplify<T> = { [Key in keyof T]: T[Key] };

/** The member of a type, undefined where it has none. */
type Get<T, Key extends string> = Key extends keyof T ? T[Key] : undefined;

interface TypeNames {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
}

type FromTypeName<Name, Schema> = Name extends keyof TypeNames
  ? TypeNames[Name]
  : Name extends "array"
    ? FromItems<Get<Schema, "items">>
    : Name extends "object"
      ? FromProperties<Get<Schema, "properties">, RequiredKeys<Schema>>
      : unknown;

type FromItems<Items> = Items extends object ? FromSchema<Items>[] : unknown[];

type RequiredKeys<Schema> =
  Get<Schema, "required"> extends readonly (infer Key)[] ? (string extends Key ? never : Key) : never;

type FromProperties<Properties, Required> = Properties extends object
  ? string extends keyof Properties
    ? Record<string, unknown>
    : Simplify<
        { -readonly [Key in keyof Properties as Key extends Required ? Key : never]: FromSchema<Properties[Key]> } & {
          -readonly [Key in keyof Properties as Key extends Required ? never : Key]?: FromSchema<Properties[Key]>;
        }
      >
  : Record<string, unknown>;

/** The values that a JSON Schema lets through, as far as TypeScript can say it. `nullable` (OpenAPI) goes before all other keywords. */
export type FromSchema<Schema> = FromKeywords<Schema> | (true extends Get<Schema, "nullable"> ? null : never);

type FromKeywords<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly type: readonly (infer Name)[] }
      ? string extends Name
        ? unknown
        : FromTypeName<Name, Schema>
      : Schema extends { readonly type: infer Name }
        ? string extends Name
          ? unknown
          : FromTypeName<Name, Schema>
        : Schema extends { readonly anyOf: readonly (infer Branch)[] }
          ? FromSchema<Branch>
          : Schema extends { readonly oneOf: readonly (infer Branch)[] }
            ? FromSchema<Branch>
            : unknown;

/** What a schema library's object gives: its own check runs last, and what that makes of the arguments is what runs. */
type FromStandard<Schema> = Schema extends { readonly "~standard": { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : unknown
  : unknown;

type FromParameters<Parameters> = Parameters extends { readonly "~standard": unknown }
  ? FromStandard<Parameters>
  : FromSchema<Parameters>;

type ParametersOf<Definition> = Definition extends { readonly parameters: infer Parameters }
  ? Parameters
  : Definition extends { readonly inputSchema: infer Parameters }
    ? Parameters
    : Definition extends { readonly input_schema: infer Parameters }
      ? Parameters
      : undefined;

type ObjectOr<T, Otherwise> = unknown extends T ? Otherwise : T extends object ? T : Otherwise;

type FunctionOf<Tool> = Tool extends { readonly function: infer Definition } ? Definition : Tool;

type CallOfFunction<Definition> = Definition extends { readonly name: infer Name extends string }
  ? string extends Name
    ? ToolCall
    : ToolCall<Name, ObjectOr<FromParameters<ParametersOf<Definition>>, Record<string, unknown>>>
  : ToolCall;

type CallOfTool<Tool> = Tool extends unknown ? CallOfFunction<FunctionOf<Tool>> : never;

/** Whether everything that gets through has been checked against its tool. */
type IsChecked<Policy> =
  "pass" extends Get<Policy, "unknownTool"> ? false : "off" extends Get<Policy, "schema"> ? false : true;

/** A call of one of these tools: a union that `name` discriminates. */
export type CallOf<Tools extends readonly ToolDefinition[], Policy = undefined> =
  IsChecked<Policy> extends true ? CallOfTool<Tools[number]> : ToolCall;

/** The options of a parser, with its tools and policy as the compiler sees them. */
export type TypedOptions<Options, Tools, Policy> = Omit<Options, "tools" | "policy"> & {
  tools: Tools;
  policy?: Policy | undefined;
};

/** A result whose calls are known by the tools. */
export type TypedResult<Call> = Omit<ParseResult, "calls"> & { calls: Call[] };

/** An event whose call is known by the tools. */
export type TypedEvent<Call> =
  | Exclude<ParseEvent, { type: "call-end" }>
  | { type: "call-end"; index: number; call: Call };

/** A parser whose calls are known by the tools. */
export interface TypedParser<Call> {
  /**
   * Reads the next chunk; it may be cut anywhere, also inside a surrogate pair.
   * @returns what happened, in order; never throws on model text
   */
  push(chunk: string): TypedEvent<Call>[];
  /** The message has ended. Later calls return nothing. */
  end(info?: { finishReason?: string }): TypedEvent<Call>[];
  /** The same as `parse` of the joined chunks. Throws before `end()`. */
  result(): TypedResult<Call>;
  /** What is known of an open call's arguments: for display, never to be run. */
  partial(index: number): Provisional<unknown> | undefined;
}
