/** There is no answer, or it would take too long: no `not` or `anyOf` around it may turn that into a yes. */
export class NoAnswerError extends Error {}

/**
 * Work of one check, counted in schemas that were tried, to begin with and for each place in the value: recursive
 * alternatives can double per level of nesting.
 */
const workMax = 200_000;
const workPerPlaceMax = 64;

/** Counts the work of one check. */
export class WorkBudget {
  readonly #value: unknown;
  #work = 0;
  #limit = workMax;

  constructor(value: unknown) {
    this.#value = value;
  }

  /** @throws NoAnswerError where that is too much */
  spend(work: number): void {
    this.#work += work;
    if (this.#work <= this.#limit) return;
    // A large value may take much work; what takes much for each of its places is a schema that multiplies.
    this.#limit = workMax + workPerPlaceMax * countPlaces(this.#value);
    if (this.#work > this.#limit) {
      throw new NoAnswerError("arguments: too many combinations to check; nest less, or give policy.validate");
    }
  }
}

function countPlaces(value: unknown): number {
  let places = 0;
  const work: unknown[] = [value];
  while (work.length > 0) {
    const place = work.pop();
    places++;
    if (typeof place === "object" && place !== null) for (const part of Object.values(place)) work.push(part);
  }
  return places;
}
