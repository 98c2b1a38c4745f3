import { roleCodes as role } from "../machine/roles.ts";
import { isList, type TextType } from "../values/declared-type.ts";
import { isPlainText, jsonString } from "../values/json-text.ts";
import { pythonNumberToJson } from "../values/python-literal.ts";
import { choicesOf, type PlainValue, plainKindsOf, readJson, readPlain, typeText } from "../values/text-to-value.ts";
import { holdsBoundary, holdsCrossing } from "./misspelt-boundary.ts";
import { gapCharsMax } from "./misspelt-boundary-words.ts";
import { leavesParameterOpen } from "./parameter-debris.ts";
import { mayShow } from "./parameter-keys.ts";
import { holdsAttribute, mayBeOtherName, mayHoldBoundary } from "./parameter-signs.ts";
import { type ParameterTag, tagOfValue } from "./parameter-tag.ts";
import { mayComeAgain } from "./repeated-parameters.ts";
import type { Parameter, SoundCall, SoundText } from "./sound-call.ts";
import { endsWithMarks, holdsMember, lacksMark, marksStrings, memberAtEnd, typeOfText } from "./string-marks.ts";

/** The text of an entry of the log that holds no other. */
export function soundText(call: SoundCall, log: readonly number[], at: number): string | undefined {
  return log[at + 2] === (log[at] | 1) ? call.text.slice(log[at + 1], log[at + 3]) : undefined;
}

/** A key with its value: each a text of its own. */
export function soundParameter(call: SoundCall, log: readonly number[], at: number): number {
  const written = soundText(call, log, at);
  if (written === undefined || call.name === undefined) return -1;
  const { format } = call.source;
  const key = written.trim();
  const parameter = call.parameter(key);
  // After an unmarked text it has to be declared, and with a blank in it another one may be meant.
  if (!parameter.isDeclared && (marksStrings(format) || mayBeOtherName(format, key) || /\s/.test(key))) return -1;
  if (parameter.dependsOnOthers || holdsAttribute(format, written)) return -1;
  if (format.pythonValues) return soundPython(call, parameter, log, at + 4);
  const text = soundText(call, log, at + 4);
  if (text === undefined) return -1;
  const isPlain = isPlainText(text);
  if (!isPlain && mayHoldOther(call, key, text, log[at + 7])) return -1;
  const code = log[at + 4] >> 1;
  if (code === role.Verbatim)
    return !isList(parameter.type) && soundString(call, parameter, text, isPlain) ? at + 8 : -1;
  if (code === role.JsonText) return soundJson(call, parameter, text) ? at + 8 : -1;
  if (code !== role.Text && code !== role.StringText) return -1;
  if (!isPlain && code === role.Text && holdsMember(format, text)) return -1;
  parameter.texts[code] ??= soundTextType(call, parameter, code);
  const typed = parameter.texts[code];
  if (typed === undefined) return -1;
  const { type, plainKinds, choices } = typed;
  if (type.streams || choices.includes(text)) return soundString(call, parameter, text, isPlain) ? at + 8 : -1;
  const value = (plainKinds === 0 ? undefined : readPlain(text, plainKinds)) ?? soundValue(call, text, type);
  if (value === undefined) return -1;
  return (typed.isList ? call.memberAtEnd(parameter, value) : call.member(parameter, value)) ? at + 8 : -1;
}

/** A text that the wire says to be JSON stays as it is written. Where it is a string, none may be allowed. */
function soundJson(call: SoundCall, parameter: Parameter, text: string): boolean {
  const json = text.trim();
  const value = readJson(json);
  if (value === undefined || typeof value.value === "string") return false;
  const said = { ...value, json };
  const isLast = mayComeAgain(call.source.format, parameter.type);
  return isLast ? call.memberAtEnd(parameter, said) : call.member(parameter, said);
}

/** A text as a string. `isPlain`: see `isPlainText`. */
export const soundString = (call: SoundCall, parameter: Parameter, text: string, isPlain: boolean): boolean =>
  isPlain ? call.plainString(parameter, text) : call.string(parameter, text);

/** A literal of Python: a string without escapes, a number, a word, or a list of such. */
function soundPython(call: SoundCall, parameter: Parameter, log: readonly number[], at: number): number {
  const text = stringOfPython(call, log, at);
  if (text !== undefined) {
    const isPlain = isPlainText(text);
    if (!isPlain && mayHoldOther(call, parameter.key, text, log[at + 9])) return -1;
    return soundString(call, parameter, text, isPlain) ? at + stringEntries : -1;
  }
  const found = log[at] >> 1 === role.Array ? listOfPython(call, log, at) : scalarOfPython(call, log, at);
  return found !== undefined && call.member(parameter, found) ? found.at : -1;
}

/** The text between the marks of a string that holds nothing else. */
function stringOfPython(call: SoundCall, log: readonly number[], at: number): string | undefined {
  const start = log[at + 5];
  const end = log[at + 7];
  const isPlain =
    log[at] >> 1 === role.Verbatim &&
    log[at + 2] === role.Ignored << 1 &&
    log[at + 6] === role.Ignored << 1 &&
    log[at + 10] === (log[at] | 1) &&
    start === log[at + 1] + 1 &&
    log[at + 9] === end + 1 &&
    log[at + 11] === log[at + 9];
  return isPlain ? call.text.slice(start, end) : undefined;
}

/** Six, each with its place. */
const stringEntries = 12;

/** A value of Python, and the entry after it. */
type PythonValue = PlainValue & { readonly at: number };

/** A number or a word. */
function scalarOfPython(call: SoundCall, log: readonly number[], at: number): PythonValue | undefined {
  const text = soundText(call, log, at);
  if (text === undefined) return undefined;
  const code = log[at] >> 1;
  const json = code === role.PythonNumber ? pythonNumberToJson(text) : words.get(code);
  return json === undefined ? undefined : { json, value: JSON.parse(json), members: 0, depth: 0, at: at + 4 };
}

/** A list of strings, numbers and words: lists in lists are rare. */
function listOfPython(call: SoundCall, log: readonly number[], at: number): PythonValue | undefined {
  const items: unknown[] = [];
  const jsons: string[] = [];
  let next = at + 2;
  while (log[next] !== (log[at] | 1)) {
    const string = stringOfPython(call, log, next);
    if (string !== undefined) {
      items.push(string);
      jsons.push(jsonString(string));
      next += stringEntries;
      continue;
    }
    const item = scalarOfPython(call, log, next);
    if (item === undefined) return undefined;
    items.push(item.value);
    jsons.push(item.json);
    next = item.at;
  }
  return { json: `[${jsons.join(",")}]`, value: items, members: 0, depth: 1, at: next + 2 };
}

const words: ReadonlyMap<number, string> = new Map([
  [role.True, "true"],
  [role.False, "false"],
  [role.Null, "null"],
]);

/** How a text is typed, whatever it is. */
export const makeSoundText = (type: TextType, isList: boolean): SoundText => ({
  type,
  plainKinds: plainKindsOf(type),
  choices: choicesOf(type),
  isList,
});

/** Whether a text may hold what belongs to another parameter, or more than one. */
function mayHoldOther(call: SoundCall, key: string, text: string, end: number): boolean {
  const { format } = call.source;
  const tag = tagOfValue(format.template, key, call.text.slice(end, end + key.length + gapCharsMax));
  return (
    (text.includes("<") && mayShow(call, tag, key, text)) ||
    (text.includes(",") && endsWithMarks(format) && memberAtEnd(text.slice(-gapCharsMax)) !== undefined) ||
    (mayHoldBoundary(text) && holdsOther(call, tag, key, text))
  );
}

function holdsOther(
  { name, source: { format, hints } }: SoundCall,
  tag: ParameterTag | null,
  key: string,
  text: string,
): boolean {
  if (format.rawValues === undefined) return false;
  const keys = hints.keysOf(name as string) ?? [];
  return (
    leavesParameterOpen(tag, text, key, keys) ||
    holdsBoundary(format, text, key, keys) ||
    holdsCrossing(format, text, keys, hints.names)
  );
}

function soundTextType(call: SoundCall, { type: declared }: Parameter, code: number): SoundText | undefined {
  const type = typeOfText(call.source.format, code, declared, "");
  return type && makeSoundText(type, !type.inferred && !marksStrings(call.source.format) && isList(declared));
}

/** What a text is by its type; undefined: it fits none, or not without a repair. */
function soundValue({ source }: SoundCall, text: string, type: TextType): PlainValue | undefined {
  const typed = typeText(text, type, marksStrings(source.format));
  if (type.inferred && "json" in typed && lacksMark(source.format, text, typed.json)) return undefined;
  return "json" in typed && (typed.repairs?.length ?? 0) === 0 ? readJson(typed.json) : undefined;
}
