/** Full-width forms of ASCII, quotes of printed text, arrows, and blanks of no width. */
const oddSigns = /[\uff01-\uff5e‘-‟«»「-』\u2190-\u21ff\u27f0-\u27ff\u180e\u200b-\u200f\u2060\ufeff]/g;

/** A text with the signs that keyboards have in place of such that look alike, unit for unit. */
export const plainSigns = (text: string): string => text.replace(oddSigns, plainSign);

function plainSign(unit: string): string {
  const code = unit.charCodeAt(0);
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  if (blank.test(unit)) return " ";
  return code >= 0x2190 && code < 0x3000 ? ">" : '"';
}

const blank = /[\u180e\u200b-\u200f\u2060\ufeff]/;
