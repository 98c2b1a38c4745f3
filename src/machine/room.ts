// An engine compiles a loop for what it has seen in it. That an array grows, or holds its first text, happens once in a message: in
// the first long one the loop is compiled without having seen it, in the next one it is thrown away, and in every second process
// what takes its place is half as fast for good. So arrays begin with room, and as arrays of what they will hold.

const numbers: number[] = [];
while (numbers.length < 32) numbers.push(0);

/** An array for numbers that are set by their index. */
export const roomForNumbers = (): number[] => numbers.slice();

const values: unknown[] = [""];
values.pop();

/** An empty array for what are no numbers. */
export const roomForValues = <Value>(): Value[] => values.slice() as Value[];

const slots: undefined[] = [undefined];
while (slots.length < 8) slots.push(undefined);

/** What a grammar binds, by slot; most bind no more. */
export const emptySlots = (): (string | undefined)[] => slots.slice();
