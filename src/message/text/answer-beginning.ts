/**
 * Does a text begin as an answer in JSON does, or the fence around one? A list of prose begins with a number or a dash, too: a
 * number or a word of JSON is an answer where no prose follows it on its line. Undefined: more text says.
 */
export function beginsAnswer(given: string): boolean | undefined {
  const text = given.trimStart();
  if (begins.test(text)) return true;
  return text === "" || (text.length < answerBeginningMax && mayBegin.test(text)) ? undefined : false;
}

const begins =
  /^(?:`{3,}[ \t]*\w*\s*)?(?:[{"]|\[\s*(?:[[{"\]\d-]|(?:true|false|null)\s*[,\]])|(?:-?\d[\d.eE+-]*|true|false|null)(?:[ \t]*[\r\n<[\]{|]|>))/;
const mayBegin =
  /^(?:`{1,2}$|`{3,}[ \t]*\w*\s*$|(?:`{3,}[ \t]*\w*\s*)?(?:\[\s*(?:t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?)?\s*|(?:-|-?\d[\d.eE+-]*|t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?)[ \t]*)$)/;

/** What has not begun then does not begin as an answer. */
export const answerBeginningMax = 512;
