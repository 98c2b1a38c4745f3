import type { Violation } from "../../contract/types.ts";
import { integerDigits } from "../../values/number-text.ts";
import { pathText } from "./path-text.ts";
import { NoAnswerError, WorkBudget } from "./work-budget.ts";

/** So many violations are listed. */
const violationsMax = 8;

/** Violations of `enum` and `const`. */
export const wrongChoices = new WeakSet<Violation>();

/** A resource whose schemas are being tried: what `$dynamicRef` looks through. */
export interface Scope {
  readonly dynamicAnchors: ReadonlyMap<string, unknown>;
}

/** One check that is under way. Without `violations`, the first no ends it. */
export class CheckRun {
  violations: Violation[] | undefined;
  readonly path: (string | number)[] = [];
  readonly scopes: Scope[] = [];
  /** `format` is checked, not only read. */
  readonly asserts: boolean;
  readonly #inexact: InexactNumbers | undefined;
  readonly #work: WorkBudget;

  constructor(value: unknown, asserts: boolean, lostDigits: readonly string[] | undefined) {
    this.#work = new WorkBudget(value);
    this.asserts = asserts;
    if (lostDigits !== undefined) this.#inexact = inexactNumbersOf(lostDigits);
  }

  /**
   * The value is what the schema says, as far as a JavaScript number holds it.
   *
   * @throws NoAnswerError where what was written has more digits than that: then it is another value.
   */
  expectExact(value: unknown): void {
    if (this.#inexact !== undefined && holdsAny(value, this.#inexact)) throw this.#noAnswer();
  }

  /** The same where an integer is due. @throws NoAnswerError where what was written is none. */
  expectInteger(value: number): void {
    if (this.#inexact?.get(value) === "fraction") throw this.#noAnswer();
  }

  #noAnswer(): NoAnswerError {
    return new NoAnswerError(
      `${this.place}: a number with more digits than are kept, so that whether it is what the schema asks for is not known`,
    );
  }

  /** Counts what is about to be done. @throws NoAnswerError */
  spend(work: number): void {
    this.#work.spend(work);
  }

  /** The check need not go on after a no. */
  get mayStop(): boolean {
    return this.violations === undefined || this.violations.length >= violationsMax;
  }

  /** Says no. The words are made only when somebody reads them. */
  refuse(expected: () => string, found: () => string, key?: string | number): false {
    if (this.violations === undefined || this.violations.length >= violationsMax) return false;
    if (key !== undefined) this.path.push(key);
    this.violations.push({ path: this.place, expected: expected(), found: found() });
    if (key !== undefined) this.path.pop();
    return false;
  }

  /** The value is none of the choices: an alternative that asks for another choice is not the one that was meant. */
  refuseChoice(expected: () => string, found: () => string): false {
    this.refuse(expected, found);
    const last = this.violations?.at(-1);
    if (last !== undefined) wrongChoices.add(last);
    return false;
  }

  /** Where the value stands that is being looked at. */
  get place(): string {
    return pathText(this.path);
  }

  /** Asks without listing anything. */
  quietly<Answer>(ask: () => Answer): Answer {
    const { violations } = this;
    this.violations = undefined;
    const answer = ask();
    this.violations = violations;
    return answer;
  }

  /** Asks again, for what is wrong. */
  listed(ask: () => unknown): Violation[] {
    const { violations } = this;
    const found: Violation[] = [];
    this.violations = found;
    ask();
    this.violations = violations;
    return found;
  }
}

/** Numbers of which digits are lost, and what was written in their place. */
type InexactNumbers = ReadonlyMap<unknown, "fraction" | "integer">;

function inexactNumbersOf(lostDigits: readonly string[]): InexactNumbers {
  return new Map(
    lostDigits.map((text) => [Number(text), integerDigits(text) === undefined ? "fraction" : "integer"] as const),
  );
}

function holdsAny(value: unknown, numbers: InexactNumbers): boolean {
  const work: unknown[] = [value];
  while (work.length > 0) {
    const place = work.pop();
    if (typeof place === "object" && place !== null) for (const part of Object.values(place)) work.push(part);
    else if (numbers.has(place)) return true;
  }
  return false;
}
