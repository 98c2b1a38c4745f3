import type { WrittenProbe } from "../write-turn.ts";

/** What a skeleton looks at: what the template wrote, without role, end of turn and thoughts. */
export interface Sample {
  /** One call whose arguments are two strings. */
  one: string;
  /** Calls of different tools. Absent: the template writes only one. */
  several?: string;
  /** The probe of `one` and of `several`, for names and values. */
  probes: { one: WrittenProbe; several?: WrittenProbe };
}

/** Names of rules that come from a part: `shared/json` to `ws, blanks`. */
export type Imports = [part: string, names: string][];

/** What a skeleton makes of it: the part of a grammar that is not said by the header of every format. */
export interface Draft {
  /** What kind of format it is, for people. */
  kind: string;
  /** The family that the grammar extends, by its path in the package. */
  family: string;
  /** Lines of the header, key and value. */
  header?: [key: string, value: string][];
  imports?: Imports;
  /** Rules, a line each. */
  rules: string[];
}

/** Recognises one way of writing calls. Undefined: this is none. */
export type Skeleton = (sample: Sample) => Draft | undefined;

/** A literal of a grammar. */
export const literal = (text: string): string => JSON.stringify(text);

/** A literal rule with the display name that messages show. */
export const marker = (name: string, text: string): string => `${name} ${literal(text)} = ${literal(text)}`;
