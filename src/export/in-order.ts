import { all, any, isNever, never, nothing, type Part, rule } from "./parts.ts";

/** One member of an object or a call. */
export interface Member {
  readonly part: Part;
  readonly required: boolean;
}

/** With more members every set of those that have been written would be a rule; that is said in the declared order. */
export const anyOrderMax = 7;

/**
 * Members, each at most once and the required ones surely.
 *
 * @param order `any`: which have been written is a rule of its own for each set of them
 * @param name gives a name to each rule
 * @returns what may be written, one member at least, and whether none is legal too
 */
export function inOrder(
  members: readonly Member[],
  between: Part,
  order: "any" | "declared",
  rules: Map<string, Part>,
  name: (kind: string) => string,
): { some: Part; mayBeNone: boolean } {
  const usable = members.filter(({ part }) => !isNever(part));
  const mayBeNone = members.every(({ required }) => !required);
  if (members.some(({ part, required }) => required && isNever(part))) return { some: never, mayBeNone: false };
  if (usable.length < 2) return { some: usable[0]?.part ?? never, mayBeNone };
  const parts = usable.map(({ part }) => {
    if (part.type === "text" || part.type === "rule") return part;
    const own = name("member");
    rules.set(own, part);
    return rule(own);
  });
  const isRequired = usable.map(({ required }) => required);
  const everyBit = 2 ** usable.length - 1;
  const after = new Map<number, Part>();
  /** Which may come, after a state: a set of members; in the declared order, those up to the last that was written. */
  const following = (state: number): number[] => {
    const free = parts.map((_, at) => at).filter((at) => (state & (2 ** at)) === 0);
    if (order === "any") return free;
    const required = free.findIndex((at) => isRequired[at]);
    return required < 0 ? free : free.slice(0, required + 1);
  };
  const taking = (state: number, at: number) => (order === "any" ? state | (2 ** at) : 2 ** (at + 1) - 1);
  const isDone = (state: number) => isRequired.every((required, at) => !required || (state & (2 ** at)) !== 0);
  const rest = (state: number): Part => {
    if (state === everyBit) return nothing;
    const known = after.get(state);
    if (known !== undefined) return known;
    const own = name("after");
    after.set(state, rule(own));
    const ways = following(state).map((at) => all(between, parts[at], rest(taking(state, at))));
    rules.set(own, any(...ways, ...(isDone(state) ? [nothing] : [])));
    return rule(own);
  };
  const some = any(...following(0).map((at) => all(parts[at], rest(taking(0, at)))));
  return { some, mayBeNone };
}
