import type { Candidate } from "../../values/candidate.ts";
import { folded } from "../../values/envelope-keys.ts";
import { parseJson } from "../../values/json-text.ts";
import type { CallValidator } from "../readings/alternative.ts";
import { isEmpty } from "../readings/call-end.ts";

/** What is known of the tools on offer; the same in all formats of a list. */
export type Tools = Pick<CallValidator, "hints" | "schemaOf">;

/** The parameters of calls. */
export interface ParameterNames {
  /** Some tool declares it: the call may be text of another one. */
  isOne(key: string): boolean;
  /**
   * The call may be without it: its tool declares it, and the call was refused, has no arguments, or lacks one that its tool
   * requires. Where nothing stands between them, it is enough that it has not given this one.
   */
  mayLack(key: string, isDirect: boolean): boolean;
  /** Its tool takes an argument of that name, by its schema or because that says nothing at all; case, `_` and `-` aside. */
  mayTake(key: string): boolean;
  /** A tool has that name. */
  isTool(name: string): boolean;
}

export function parametersOf(tools: Tools, candidate: Candidate): ParameterNames {
  const { name, writer } = candidate;
  const keys = tools.hints.keysOf(name);
  const schema = tools.schemaOf(name);
  const isOne = (key: string) => isParameter(tools, key);
  const mayLack = (key: string, isDirect: boolean): boolean => {
    if (!(keys?.has(key) ?? isOne(key))) return false;
    const given = Object(writer.value ?? parseJson(writer.jsonText));
    if (candidate.problem || Object.keys(given).length === 0) return true;
    if (Object.hasOwn(given, key)) return false;
    return isDirect || listOf(Object(schema).required).some((one) => !Object.hasOwn(given, one));
  };
  const mayTake = (key: string): boolean => {
    const like = folded(key);
    for (const one of keys ?? []) if (folded(one) === like) return true;
    const takesNone = keys?.size === 0 && Object(schema).properties !== undefined;
    return !takesNone && tools.hints.takesKey?.(name, key, false) === true;
  };
  const isTool = (key: string): boolean => tools.hints.names?.includes(key) === true;
  return { isOne, mayLack, mayTake, isTool };
}

/** Whether the tool of that name declares a parameter. */
export const declares = ({ hints }: Tools, name: string | undefined, key: string): boolean =>
  hints.keysOf(name)?.has(key) === true;

/** Whether some tool declares a parameter of that name. */
export const isParameter = (tools: Tools, key: string): boolean =>
  tools.hints.names?.some((name) => declares(tools, name, key)) ?? false;

/** The parameters that the tool of a call declares; empty where it requires some. */
export function optionalOf(tools: Tools, name: string | undefined): ReadonlySet<string> {
  const keys = tools.hints.keysOf(name);
  return keys === undefined || listOf(Object(tools.schemaOf(name)).required).length > 0 ? noKeys : keys;
}

/** Those of a call without arguments whose tool takes some, and requires none: else they are known to be missing. */
export function lackingOf(tools: Tools, candidate: Candidate): ReadonlySet<string> | undefined {
  const optional = isEmpty(candidate) ? optionalOf(tools, candidate.name) : noKeys;
  return optional.size > 0 ? optional : undefined;
}

const noKeys: ReadonlySet<string> = new Set();

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value : []);
