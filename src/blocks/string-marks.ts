import type { FormatData } from "../formats/format-data.ts";
import { latePattern } from "../machine/late-pattern.ts";
import { roleCodes as role } from "../machine/roles.ts";
import { inferredType, narrowedType, type TextType } from "../values/declared-type.ts";
import { isDamagedContainer } from "../values/text-to-value.ts";
import { everyKind } from "../values/value-kinds.ts";

/** A format writes marks round strings: what bears none is none. */
export const marksStrings = ({ flags }: Pick<FormatData, "flags">): boolean => flags.includes("marked-strings");

/** Where it does, text without marks that holds another member. */
export const holdsMember = (format: Pick<FormatData, "flags">, text: string): boolean =>
  marksStrings(format) && text.includes(":") && wordAndColon().test(text);
/** But no scheme. */
const wordAndColon = latePattern("[\\p{L}_][\\p{L}\\p{N}_-]*[\"']?[ \\t]*:(?!//)");

/** Marks, or quotes, say where its strings end: they may have been moved over a member that is none. */
export const endsWithMarks = (format: Pick<FormatData, "flags" | "pythonValues">): boolean =>
  format.pythonValues === true || marksStrings(format);

/** The key of the member, with a number or a word for its value, that a text ends in. */
export const memberAtEnd = (text: string): string | undefined => endsInMember.exec(text)?.[1];

/** Quotes of its own may stand behind it. */
const endsInMember = /,\s*([A-Za-z_]\w*)\s*[:=]\s*(?:-?\d[\d.]*|[Tt]rue|[Ff]alse|None|null)["']*$/;

/** Whether a text of which no schema speaks may be a value that has lost a mark. @param json what is made of it */
export const lacksMark = (format: Pick<FormatData, "flags">, text: string, json: string): boolean =>
  isDamagedContainer(text, json, everyKind) || (marksStrings(format) && scalars.test(text));

/** Several with nothing but blanks between them: where strings are marked, they are no text. */
const scalars = /^\s*(?:-?\d[\d.]*|true|false|null)(?:\s+(?:-?\d[\d.]*|true|false|null))+\s*$/;

/** How a text is typed. What the notation calls a string, or no string, is that where no schema says otherwise. */
export function typeOfText(
  format: Pick<FormatData, "flags">,
  code: number,
  declared: TextType | undefined,
  said: string,
): TextType | undefined {
  if (code === role.StringText) return narrowedType(declared, "string");
  return narrowedType(declared?.untyped && marksStrings(format) ? inferredType : declared, said);
}
