// An engine looks a method up by the kind of string it has: flat, joined, a part of another, of one byte or of two. Where more
// kinds come by than it keeps apart, each look-up is slow from then on, and a process that has read several formats has seen them all.
// These are not looked up.

/** For loops that decide how long reading takes: `charCodeAt.call(text, at)`. A function round it would be called from long ones. */
export const charCodeAt = String.prototype.charCodeAt;
const { slice } = String.prototype;

/** Whether a literal stands in a text at an offset: to compare a piece takes half as long as `startsWith` where it is short and does. */
export const standsAt = (text: string, literal: string, at: number): boolean =>
  slice.call(text, at, at + literal.length) === literal;

/** Whether a unit is the first half of a surrogate pair. */
export const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
