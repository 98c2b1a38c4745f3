/** Whether a stretch of text may begin with a value of JSON, or calls in brackets, or with what may stand before them. */
export function mayBeginValue(text: string, start: number, end: number): boolean {
  // Most text begins with a letter.
  const unit = text.charCodeAt(start) | 0x20;
  if (unit >= 0x61 && unit <= 0x7a && !wordsBegin.includes(text[start])) return false;
  const piece = text.slice(start, end);
  const [lead] = leads.exec(piece) as RegExpExecArray;
  return lead.trim() !== "" || bracketUnits.includes(piece[lead.length] ?? " ");
}

/** Whether a line begins as a call that no marker opens does, whatever tool that names. */
export const looksLikeCall = (text: string): boolean => beginsCall.test(text);

const beginsCall =
  /^\s*(?:(?:\[\s*)?\{\s*["'“](?:name|function|tool|tool_name|type)["'”]\s*:|\[\s*[\w.-]+\(\s*[\w.-]+\s*=)/;

/** What may stand before the first value, and, in parentheses, scalars and what stands between them. */
export const leads =
  /^(?:[\s\p{Cc}\p{Cf}]|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/|<\/?s>|<(?:bos|sop|eos|eod|pad|end_of_turn)>|\[gMASK\]|<[|｜][^<>|｜\s]{1,64}[|｜]>)*((?:(?:"(?:[^"\\\r\n]|\\.)*"|(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?=[\s,;:}\]]))(?:[\s,;:}\]]|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*)*)/u;

/** A bracket begins a value, or is left of one. */
export const bracketUnits = "([{}])";
/** Of the words of JSON. */
const wordsBegin = "fnt";
