import type { Alternative } from "./alternative.ts";

/**
 * What stands before and after the one JSON object of a block, where several formats have read it alike. They look at nothing
 * behind it, and take the object as it is: so they read any other object alike in the same frame, and one of them is enough.
 */
export interface Frame {
  readonly before: string;
  readonly after: string;
  /** Who reads it. */
  readonly reader: Alternative;
  /** All that make the same call of it. The others name no tool. */
  readonly equals: readonly Alternative[];
}

/** So many are remembered for the same formats, and none that is longer. */
const framesMax = 8;
const frameCharsMax = 64;
/** An object that is longer is read by each format. */
export const framedCharsMax = 4096;

export class Frames {
  readonly #known = new WeakMap<readonly Alternative[], Frame[]>();

  of(alternatives: readonly Alternative[]): readonly Frame[] {
    return this.#known.get(alternatives) ?? noFrames;
  }

  add(alternatives: readonly Alternative[], frame: Frame): void {
    const { before, after } = frame;
    if (after === "" || before.length > frameCharsMax || after.length > frameCharsMax) return;
    const known = this.#known.get(alternatives);
    if (known === undefined) this.#known.set(alternatives, [frame]);
    else if (known.length < framesMax && !known.some((one) => one.before === before && one.after === after))
      known.push(frame);
  }
}

const noFrames: readonly Frame[] = [];
