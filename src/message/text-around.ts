/** What readers of the text around blocks have in common. */

/** Less of an opener says nothing of closers behind it. */
export const openerCharsMin = 3;
/** What `blanks` of grammars/shared/json.peggy matches. */
export const blanks = /^[\s\x85\u180e\u200b-\u200f\u2060]+/;
