import type { Candidate } from "../values/candidate.ts";
import { isList } from "../values/declared-type.ts";
import { parameterTwice } from "../values/duplicate-key-messages.ts";
import { declaredKeys, propertySchema, schemaAt, schemaObject } from "../values/schema-walk.ts";
import { lineCharsMax } from "./misspelt-boundary-words.ts";
import { endsInCloser, holdsItemEnd, keysAtEnds } from "./parameter-debris.ts";
import { holdsAttribute, mayBeOtherName } from "./parameter-signs.ts";
import type { ParameterTag } from "./parameter-tag.ts";
import { mayRepeat } from "./repeated-parameters.ts";
import type { SoundCall } from "./sound-call.ts";
import type { ReaderState } from "./state.ts";
import { typeHere } from "./typed-parameter.ts";

/** Text that bears no mark ends at a comma, which may as well be text of it: so what follows has to be declared there. */
export function checkAfterUnmarked(state: ReaderState, key: string, start: number): void {
  const { unmarkedEnd, path } = state;
  const candidate = state.block?.candidate;
  state.unmarkedEnd = -1;
  if (unmarkedEnd < 0 || !/^[\s,"']*$/.test(state.slice(unmarkedEnd, start))) return;
  const root = state.owner.tools.schemaOf(candidate?.name);
  if (root === undefined || declaredKeys(schemaAt(root, [state.key, ...path].slice(0, path.length)), root).has(key))
    return;
  refuseUndeclared(candidate, key);
}

/** After a value stands a key that may as well be text of it, unless the tool takes it there. */
export function checkExpected(state: ReaderState, key: string): void {
  if (!state.isUnexpected) return;
  state.isUnexpected = false;
  const candidate = state.block?.candidate;
  const name = candidate?.name;
  if (state.hints.keysOf(name)?.has(key)) {
    if (state.givenKeys.has(key) && !mayRepeat(state)) candidate?.refuse("ambiguous", parameterTwice(key));
    return;
  }
  if (state.hints.takesKey?.(name, key, false) || tagsAreTokens(state)) return;
  refuseUndeclared(candidate, key);
}

/** Text holds no tag of the format. */
const tagsAreTokens = (state: ReaderState) => state.format.flags.includes("special-tags");

function refuseUndeclared(candidate: Candidate | undefined, key: string): void {
  // Whichever it is, the values before it are values.
  if (candidate !== undefined && candidate.problem === undefined) candidate.hasKnownValues = true;
  candidate?.refuse("ambiguous", `"${candidate.name}" has no parameter "${key}": it may be text of the one before`);
}

/**
 * In a value stands what would be another parameter if the closer before it were there, or a closer, before which the opener of
 * another may be lost. Declared ones that open in the value the grammar knows, unless they may be given again.
 */
export function checkFurther(state: ReaderState, start: number, end: number): void {
  const key = state.slice(start, end).trim();
  const candidate = state.block?.candidate;
  const name = candidate?.name;
  if (state.block?.kind === "arguments") {
    candidate?.refuse(
      "ambiguous",
      `"${key}" stands beside an object that is to hold all arguments; ask for one of the two`,
    );
    return;
  }
  if (key === "") {
    // Words are behind it, or the end of its line: there it is no text but on a line of its own.
    const endsLine = end === start;
    if (endsLine && !beginsLine(state, start)) candidate?.refuse("ambiguous", mayBeEnd(state.key));
    state.loneCloser = { key: state.key, endsLine: endsLine || state.loneCloser?.endsLine === true };
    return;
  }
  const isDeclared = state.hints.keysOf(name)?.has(key);
  const isTaken = isDeclared ? isListOf(state, name, key) : state.hints.takesKey?.(name, key, tagsAreTokens(state));
  if (isTaken) candidate?.refuse("ambiguous", `"${key}" may be a parameter, or text of the one before`);
}

/** Whether an offset of a value begins a line, after text: elsewhere a closer may have been doubled, or moved there. */
function beginsLine(state: ReaderState, at: number): boolean {
  const { start } = state.roles[state.roles.length - 1];
  return /\S[\s\S]*[\r\n][ \t]*$/.test(state.slice(Math.max(start, at - lineCharsMax), at));
}

/** Whether a tool may take one more parameter. @param orUndeclared one that its schema does not name counts, too */
function mayTakeFurther(state: ReaderState, name: string | undefined, orUndeclared: boolean): boolean {
  const keys = state.hints.keysOf(name);
  if (keys === undefined || (orUndeclared && state.hints.takesKey?.(name, "", tagsAreTokens(state)))) return true;
  return [...keys].some((key) => !state.givenKeys.has(key) || isListOf(state, name, key));
}

const isListOf = (state: ReaderState, name: string | undefined, key: string): boolean =>
  name !== undefined && isList(state.owner.tools.parameterType(name, key));

/** In a tag that has lost a quotation mark, what it says of its parameter stands in the key. */
export function checkKey(state: ReaderState, key: string): void {
  const candidate = state.block?.candidate;
  const declared = state.hints.keysOf(candidate?.name);
  if (declared?.has(key)) return;
  if (holdsAttribute(state.format, key))
    candidate?.refuse("malformed", `"${key}" is no name: a quotation mark of its tag may be missing`);
  const [word] = key.split(/\s/, 1);
  if (word !== key && state.format.rawValues !== undefined && declared?.has(word))
    candidate?.refuse("ambiguous", `"${key}" is no parameter, and "${word}" is: it may be meant`);
  const known = mayBeOtherName(state.format, key) ? key.normalize("NFKC") : key;
  if (declared?.has(known)) candidate?.refuse("ambiguous", `"${key}" is "${known}" to Python`);
}

/** What a tag says of its parameter is framing, but under the name of a parameter that is not given it is one, written elsewhere. */
export function noteAttribute(state: ReaderState, key: string): void {
  if (key !== "type") state.attributed = state.key;
  const candidate = state.block?.candidate;
  const name = candidate?.name;
  // So it says the value twice.
  if (key.toLowerCase() === "value" && key !== state.key)
    candidate?.refuse("ambiguous", `"${key}" is an attribute of the tag of "${state.key}", and may be its value`);
  const root = state.owner.tools.schemaOf(name) ?? true;
  const said = propertySchema(root, root, key);
  const isNamed = state.hints.keysOf(name)?.has(key) || Object.keys(schemaObject(said) ?? {}).length > 0;
  if (isNamed) state.namedElsewhere.set(key, "an attribute of a tag");
}

/** All parameters are known. */
export function checkNamedElsewhere({ namedElsewhere, givenKeys, block }: ReaderState): void {
  if (namedElsewhere.size === 0) return;
  for (const [key, what] of namedElsewhere) {
    if (givenKeys.has(key)) continue;
    block?.candidate?.refuse("ambiguous", `"${key}" is ${what}, and is named as a parameter`);
  }
  namedElsewhere.clear();
}

const mayBeShown = "may be a parameter, or text of the one in which it stands";

/** Where tags are names, a value may hold other parameters at its ends, and an item of a list the end of one. */
export function noteShown(state: ReaderState, tag: ParameterTag | null, value: string): void {
  const { hints, block, key, namedElsewhere } = state;
  const name = block?.candidate?.name;
  const type = typeHere(state);
  if (isList(type) && holdsItemEnd(tag, value, key))
    block?.candidate?.refuse("ambiguous", `an item of "${key}" holds what may be its end, or the beginning of another`);
  // The elements of what is no text are its own.
  if (type?.anyString !== true) return;
  for (const one of keysAtEnds(tag, value, key, hints.keysOf(name) ?? noKeys)) {
    if (isListOf(state, name, one)) block?.candidate?.refuse("ambiguous", `"${one}" ${mayBeShown}`);
    else namedElsewhere.set(one, "shown in the text of another one");
  }
}

const noKeys: ReadonlySet<string> = new Set();

/** Whether a value with `<` may say something of other parameters, or hold a part of its closer. */
export const mayShow = (
  { source: { format, hints }, name }: SoundCall,
  tag: ParameterTag | null,
  key: string,
  value: string,
): boolean =>
  holdsItemEnd(tag, value, key) ||
  keysAtEnds(tag, value, key, hints.keysOf(name) ?? noKeys).length > 0 ||
  endsInCloser(format, value, key);

/** What opens the parameter behind a closer that stands alone may be lost, or have been moved away from there. */
export function checkLone(state: ReaderState): void {
  const { loneCloser, loneOpener } = state;
  const candidate = state.block?.candidate;
  if (loneCloser === undefined) return;
  const { key, endsLine } = loneCloser;
  if (mayTakeFurther(state, candidate?.name, endsLine)) candidate?.refuse("ambiguous", mayBeEnd(key));
  else if (loneOpener !== undefined) {
    const what = `a closer in "${key}" and what opens a parameter in "${loneOpener}" may belong together`;
    candidate?.refuse("ambiguous", what);
  }
}

const mayBeEnd = (key: string) => `the closer in "${key}" may be its end, if what opens the next parameter is lost`;
