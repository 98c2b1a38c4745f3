import type { JsonSchema } from "../contract/types.ts";
import { roleCodes as role } from "../machine/roles.ts";
import type { Candidate } from "../values/candidate.ts";
import { isList, type TextType, textTypeOf } from "../values/declared-type.ts";
import { parseJson } from "../values/json-text.ts";
import { rootAlternatives, shapesOf, typingsOf } from "../values/root-alternatives.ts";
import { itemSchema, propertySchema } from "../values/schema-walk.ts";
import { isString, typeText } from "../values/text-to-value.ts";
import type { GivenText, ReaderState, RepeatedTexts } from "./state.ts";
import { marksStrings, typeOfText } from "./string-marks.ts";
import { plainOf, repaired, typeHere, writeKey, writeTyped, writeValue } from "./typed-parameter.ts";

/** The text of a parameter that may be given again waits for the end of its call. */
export function keepText(
  state: ReaderState,
  write: RepeatedTexts["write"],
  given: GivenText = { text: state.captured, isSaid: false, typeWord: state.typeWord },
): void {
  const { key, valueStart: start, valueEnd: end } = state;
  const texts = state.repeated.get(key)?.texts ?? [];
  texts.push(given);
  state.repeated.set(key, { texts, start, end, write });
}

/** Parameters that may have been given several times are written now. */
export function writeRepeated(state: ReaderState): void {
  if (state.repeated.size === 0) return;
  const candidate = state.block?.candidate as Candidate;
  for (const [key, { texts, start, end, write }] of state.repeated) {
    state.valueStart = start;
    state.valueEnd = end;
    write(state, candidate, key, texts);
  }
  state.repeated.clear();
}

/** One text is the list, several are its items, whatever the wire says of some of them. */
export function writeList(state: ReaderState, candidate: Candidate, key: string, texts: readonly GivenText[]): void {
  const type = state.owner.tools.parameterType(candidate.name, key) as TextType;
  const [{ text, isSaid }] = texts;
  state.key = key;
  writeKey(state, key, state.valueStart, state.valueEnd);
  if (texts.length > 1) return writeItems(state, candidate, key, texts, type);
  if (isSaid) return writeValue(state, text);
  writeTyped(state, key, repaired(state, text, type, plainOf(text, type) ?? typeText(text, type)), state.valueEnd);
}

function writeItems(
  state: ReaderState,
  candidate: Candidate,
  key: string,
  texts: readonly GivenText[],
  type: TextType,
): void {
  const root = state.owner.tools.schemaOf(candidate.name) as JsonSchema;
  const schema = propertySchema(root, root, key);
  const items = texts.map(({ text, isSaid }, at) =>
    isSaid ? { json: text } : typeText(text, textTypeOf(itemSchema(schema, root, at), root)),
  );
  if (texts.some((given) => "json" in typeText(writtenText(given), type)))
    candidate.refuse("ambiguous", listTwice(key, texts.length));
  checkRepeated(state, candidate, key, texts);
  const misfit = items.find((item) => "mismatch" in item);
  const json = `[${items.map((item) => ("json" in item ? item.json : "")).join(",")}]`;
  writeTyped(state, key, misfit ?? { json }, state.valueEnd);
}

/** A parameter that is given several times is a list in each shape that the arguments may have. */
export function checkRepeated(
  state: ReaderState,
  candidate: Candidate,
  key: string,
  texts: readonly GivenText[],
): void {
  const root = schemaHere(state) as JsonSchema;
  const takesList = (shape: JsonSchema) => isList(textTypeOf(propertySchema(shape, root, key), root));
  if (texts.length < 2) return;
  // An item is not the list.
  state.shapeTexts.delete(key);
  if (shapesHere(state).every(takesList)) return;
  candidate.refuse(
    "ambiguous",
    `"${key}" is given ${texts.length} times, and is no list in all shapes that the arguments may have`,
  );
}

/** What stands in a string that the wire has marked, else the text as it is. */
const writtenText = ({ text, isSaid }: GivenText): string =>
  isSaid && isString(text) ? (parseJson(text) as string) : text;

const listTwice = (key: string, times: number) => `"${key}" is given ${times} times, and one of them is a whole list`;

/** What a text is may say which shape arguments have, where these may have several. */
export function noteForShape(state: ReaderState, text: string): void {
  if (shapesToChoose(state).length > 0 && text.length <= shapeCharsMax) state.shapeTexts.set(state.key, text);
}

const shapesToChoose = (state: ReaderState): readonly JsonSchema[] =>
  state.path.length > 0 ? [] : rootAlternatives(schemaHere(state));

/** Whether a text is one thing in some of the shapes that arguments may have, and another, or none, in others. */
export function waitsForShape(state: ReaderState, text: string, type: TextType | undefined): boolean {
  if (type !== typeHere(state) || !state.shapeTexts.has(state.key) || state.repeated.has(state.key)) return false;
  const root = schemaHere(state) as JsonSchema;
  const typings = typingsOf(shapesToChoose(state), root, state.key, text, typeForWire(state, state.typeWord));
  const fitting = typings.filter((one) => "json" in one).length;
  return fitting > 1 || (fitting === 1 && "mismatch" in typeText(text, type as TextType));
}

/** Where no schema says what a text is, the wire may: by a word, or by marks that strings have. */
const typeForWire =
  ({ format }: ReaderState, typeWord = "") =>
  (type: TextType): TextType =>
    typeOfText(format, role.Text, type, typeWord) ?? type;

const schemaHere = (state: ReaderState) => state.owner.tools.schemaOf(state.block?.candidate?.name);

/** What tells shapes apart is short. */
const shapeCharsMax = 4096;

/** All parameters are known: where they have one shape, or shapes that agree, the text is what it is there. */
export function writeByShape(state: ReaderState, candidate: Candidate, key: string, texts: readonly GivenText[]): void {
  const root = schemaHere(state) as JsonSchema;
  const type = state.owner.tools.parameterType(candidate.name, key) as TextType;
  const [{ text, typeWord }] = texts;
  const typings = typingsOf(shapesHere(state), root, key, text, typeForWire(state, typeWord));
  const typed = typings.length === 1 ? typings[0] : typeText(text, type, marksStrings(state.format));
  writeKey(state, key, state.valueStart, state.valueEnd);
  writeTyped(state, key, typed, state.valueEnd);
}

/** The shapes that what is given may have; where no text waits for them none. */
export function shapesHere({ owner, block, shapeTexts, givenKeys }: ReaderState): readonly JsonSchema[] {
  const root = owner.tools.schemaOf(block?.candidate?.name);
  return root === undefined || shapeTexts.size === 0
    ? []
    : shapesOf(rootAlternatives(root), root, shapeTexts, givenKeys);
}

/** A value of which the wire says what it is. One that may be given again waits for the end of its call. */
export function writeSaid(state: ReaderState, json: string): void {
  if (!mayRepeat(state)) return writeValue(state, json);
  state.block?.candidate?.writer.dropKey();
  keepText(state, writeList, { text: json, isSaid: true });
}

export const mayRepeat = (state: ReaderState) => state.path.length === 0 && mayComeAgain(state.format, typeHere(state));

/** A list may be given text by text, where what is given are texts: keys of a map come once. */
export const mayComeAgain = (format: ReaderState["format"], type: TextType | undefined): boolean =>
  format.rawValues !== undefined && !marksStrings(format) && isList(type);
