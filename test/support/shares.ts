import { formats } from "../../src/index.ts";

/** `TOOLPEG_DEEP=1`: every format is asked everything. */
const deep = process.env.TOOLPEG_DEEP !== undefined;
const ids = [...formats].map(({ id }) => id);

/**
 * Whether a format is asked a dear question by the test command: one in so many is. Those of a family stand side by side, so each is
 * asked of some of every family, and of every format some are asked.
 *
 * @param turn of the question: with another, the others are asked
 */
export const isAsked = (id: string, turn: number, oneIn = 2): boolean => deep || (ids.indexOf(id) + turn) % oneIn === 0;
