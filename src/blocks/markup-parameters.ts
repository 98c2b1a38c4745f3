import { roleCodes as role } from "../machine/roles.ts";
import type { Candidate } from "../values/candidate.ts";
import { inferredType } from "../values/declared-type.ts";
import { isPlainText } from "../values/json-text.ts";
import { type MarkupStyle, type MarkupValue, mayRepeat, readMarkup } from "../values/markup.ts";
import { propertySchema } from "../values/schema-walk.ts";
import { type PlainValue, readJson, readPlain } from "../values/text-to-value.ts";
import { candidateAt, refuseAmbiguous } from "./candidates.ts";
import { holdsCrossing } from "./misspelt-boundary.ts";
import { leavesParameterOpen } from "./parameter-debris.ts";
import { checkCloser } from "./parameter-ends.ts";
import { checkExpected, mayShow, noteShown } from "./parameter-keys.ts";
import { parameterTagOf } from "./parameter-tag.ts";
import { beginMembers, checkReferences, collect, endParameters, noteValue } from "./parameters.ts";
import type { ToolFacts } from "./reader-owner.ts";
import { checkRepeated, keepText, noteForShape, shapesHere, waitsForShape } from "./repeated-parameters.ts";
import type { SoundCall } from "./sound-call.ts";
import { makeSoundText, soundString, soundText } from "./sound-parameter.ts";
import type { GivenText, ReaderState, RoleHandlers } from "./state.ts";
import { repaired, typeHere, writeKey } from "./typed-parameter.ts";

/** The value of a parameter that may hold tags of its own. */
function beginMarkup(state: ReaderState, _code: number, at: number): void {
  state.captured = "";
  state.holdsEscaped = false;
  state.type = typeHere(state);
  state.streams = state.type?.streams ?? false;
  if (!state.streams) return;
  writeKey(state, state.key, at, at);
  state.sink?.beginString(at, false);
}

function endMarkup(state: ReaderState, start: number, at: number): void {
  noteValue(state, start, at);
  noteShown(state, parameterTagOf(state.format.template), state.slice(start, at));
  checkCloser(state, start, at);
  noteForShape(state, state.streams ? state.slice(state.valueStart, at) : state.captured);
  if (state.streams) {
    state.sink?.endString(at);
    const { prefix } = markupOf(state);
    const text = state.slice(state.valueStart, at);
    checkReferences(state, state.valueStart, at);
    if (holdsOpenElement(state, state.block?.candidate?.name, state.key, text)) refuseAmbiguous(state);
    if (prefix === "" || !text.includes(prefix)) return;
    state.block?.candidate?.refuse("type-mismatch", `the value of "${state.key}" is a string, and holds tags`);
  } else if (waitsForShape(state, state.captured, state.type) || mayRepeat(state.type)) {
    keepText(state, writeMarkup);
  } else writeMarkup(state, candidateAt(state, at), state.key, [{ text: state.captured, isSaid: false }]);
}

/** Whether a string holds the tag of a parameter or a call that nothing in it closes. */
const holdsOpenElement = (
  { format, hints }: Pick<ReaderState, "format" | "hints">,
  name: string | undefined,
  key: string,
  text: string,
): boolean => {
  if (!text.includes("<")) return false;
  const keys = hints.keysOf(name) ?? [];
  return (
    leavesParameterOpen(parameterTagOf(format.template), text, key, keys) ||
    holdsCrossing(format, text, keys, hints.names)
  );
};

/** The compiler says it of each grammar that has the role. */
const markupOf = ({ format }: Pick<ReaderState, "format">) => format.markup as MarkupStyle;

/** What they mean in the shapes that the arguments may have, where these agree. */
function readByShape(state: ReaderState, key: string, texts: readonly string[]): MarkupValue | undefined {
  const root = state.owner.tools.schemaOf(state.block?.candidate?.name) ?? true;
  const shapes = state.shapeTexts.has(key) ? shapesHere(state) : [];
  const values = shapes.map((shape) => readMarkup(texts, propertySchema(shape, root, key), root, markupOf(state)));
  const [first] = values;
  const isOne =
    values.length > 0 && values.every((value) => "json" in value && "json" in first && value.json === first.json);
  return isOne ? first : undefined;
}

/** What the texts of one parameter mean, by its schema. */
function readAs(
  source: Pick<ReaderState, "format">,
  tools: ToolFacts,
  name: string | undefined,
  key: string,
  texts: readonly string[],
): MarkupValue {
  const root = tools.schemaOf(name) ?? true;
  return readMarkup(texts, propertySchema(root, root, key), root, markupOf(source));
}

function writeMarkup(state: ReaderState, candidate: Candidate, key: string, given: readonly GivenText[]): void {
  const texts = given.map(({ text }) => text);
  const read = readByShape(state, key, texts) ?? readAs(state, state.owner.tools, candidate.name, key, texts);
  state.key = key;
  checkRepeated(state, candidate, key, given);
  const type = state.owner.tools.parameterType(candidate.name, key);
  // What is no JSON because of what a reference stands for is none without reading it either.
  const mayRepair = texts.length === 1 && !(markupOf(state).entities && texts[0].includes("&"));
  const value = mayRepair ? repaired(state, texts[0], type, read) : read;
  if ("mismatch" in value)
    candidate.refuse(value.reason ?? "type-mismatch", `the value of "${key}": ${value.mismatch}`);
  for (const one of parametersIn(read, state, candidate.name)) state.namedElsewhere.set(one, `a tag in "${key}"`);
  const { valueStart, valueEnd } = state;
  for (const kind of ("repairs" in value && value.repairs) || [])
    candidate.repair({ kind, level: "safe", ...state.span(valueStart, valueEnd) });
  state.sink = candidate.writer;
  writeKey(state, key, valueStart, valueEnd);
  candidate.writer.json("json" in value ? value.json : "null");
}

/** Tags of a value that are named as parameters, and that its schema does not have: they may have stood outside of it. */
function parametersIn(
  value: MarkupValue,
  { hints }: Pick<ReaderState, "hints">,
  name: string | undefined,
): readonly string[] {
  const keys = hints.keysOf(name);
  return "ownNames" in value && keys ? [...(value.ownNames ?? [])].filter((one) => keys.has(one)) : [];
}

/** A tag with its value, which holds neither references nor parts that are left out. */
function soundTag(call: SoundCall, log: readonly number[], at: number): number {
  const key = soundText(call, log, at);
  const text = soundText(call, log, at + 4);
  const { name } = call;
  if (key === undefined || text === undefined || name === undefined || log[at + 4] !== role.Markup << 1) return -1;
  const parameter = call.parameter(key);
  const { type } = parameter;
  if (parameter.dependsOnOthers) return -1;
  const isPlain = isPlainText(text);
  if (!isPlain && text.includes("<") && mayShow(call, parameterTagOf(call.source.format.template), key, text))
    return -1;
  const { prefix } = markupOf(call.source);
  const holdsPrefix = !isPlain && prefix !== "" && text.includes(prefix);
  if (type?.streams) {
    if (!isPlain && (holdsPrefix || holdsOpenElement(call.source, name, key, text))) return -1;
    return soundString(call, parameter, text, isPlain) ? at + 8 : -1;
  }
  parameter.texts[role.Markup] ??= makeSoundText(type ?? inferredType, mayRepeat(type));
  const { plainKinds, choices, isList } = parameter.texts[role.Markup];
  // What holds no tag and no reference is typed as any text.
  const isFlat = isPlain || (!text.includes("<") && !text.includes("&") && !holdsPrefix);
  if (isFlat && choices.includes(text)) return soundString(call, parameter, text, isPlain) ? at + 8 : -1;
  const value =
    (isFlat && plainKinds !== 0 ? readPlain(text, plainKinds) : undefined) ?? soundValue(call, name, key, text);
  if (value === undefined) return -1;
  return (isList ? call.memberAtEnd(parameter, value) : call.member(parameter, value)) ? at + 8 : -1;
}

function soundValue(call: SoundCall, name: string, key: string, text: string): PlainValue | undefined {
  const value = readAs(call.source, call.source.tools, name, key, [text]);
  if (parametersIn(value, call.source, name).length > 0) return undefined;
  return "json" in value && value.repairs === undefined ? readJson(value.json) : undefined;
}

/** Arguments that come one by one, in tags whose values may hold tags of their own. */
export const markupHandlers: RoleHandlers = {
  [role.Tag]: {
    open: collect,
    close(state, start) {
      beginMembers(state, candidateAt(state, start));
      state.key = state.captured;
      checkExpected(state, state.key);
      state.givenKeys.add(state.key);
    },
    sound: soundTag,
  },
  [role.Markup]: { open: beginMarkup, close: endMarkup },
  end: { close: endParameters },
};
