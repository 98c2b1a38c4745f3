import { notBlank } from "./line-start.ts";

/** Whether text may begin with such a value, or with what may stand before one. */
export function mayBeginValue(text: string): boolean {
  // Most text begins with a letter, or is a line break between two calls.
  const first = text.search(notBlank);
  if (first < 0 || letter.test(text[first])) return false;
  const [lead] = leads.exec(text) as RegExpExecArray;
  return lead.trim() !== "" || bracketUnits.includes(text[lead.length] ?? " ");
}

/** Whether a line begins as a call that no marker opens does, whatever tool that names. */
export const looksLikeCall = (text: string): boolean => beginsCall.test(text);

const beginsCall =
  /^\s*(?:(?:\[\s*)?\{\s*["'“](?:name|function|tool|tool_name|type)["'”]\s*:|\[\s*[\w.-]+\(\s*[\w.-]+\s*=)/;

/** What may stand before the first value, and, in parentheses, scalars and what stands between them. */
export const leads =
  /^(?:[\s\p{Cc}\p{Cf}]|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/|<s>|<bos>|<sop>|\[gMASK\]|<[|｜](?:startoftext|begin[_▁]of[_▁](?:text|sentence))[|｜]>)*((?:(?:"(?:[^"\\\r\n]|\\.)*"|(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?=[\s,;:}\]]))(?:[\s,;:}\]]|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*)*)/u;

/** A bracket begins a value, or is left of one. */
export const bracketUnits = "([{}])";
/** None that begins a word of JSON. */
const letter = /[A-Za-eg-mo-su-z]/;
