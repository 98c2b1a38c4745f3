import type { Alternative } from "./alternative.ts";

/**
 * What stands before and after the one JSON object of a block, where several formats have read it alike. They look at nothing
 * after it, and take the object as it is: so they read any other object alike in the same frame, and one of them is enough.
 */
export interface Frame {
  readonly before: string;
  readonly after: string;
  /** Who reads it. */
  readonly reader: Alternative;
}

/** So many are remembered for the same formats, and none that is longer. */
const framesMax = 8;
const frameCharsMax = 64;
/** What is longer with its frame is read by each format. */
export const framedCharsMax = 4096;

export class Frames {
  readonly #known = new WeakMap<readonly Alternative[], Frame[]>();
  readonly #asked = new WeakMap<readonly Alternative[], number>();

  of(alternatives: readonly Alternative[]): readonly Frame[] {
    return this.#known.get(alternatives) ?? noFrames;
  }

  /** Whether a block that some formats read alike is to be read for its frame: it is asked about as often as one is remembered. */
  takeProof(alternatives: readonly Alternative[]): boolean {
    const count = this.#asked.get(alternatives) ?? 0;
    if (count >= framesMax) return false;
    this.#asked.set(alternatives, count + 1);
    return true;
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

/** Where a frame stands in a text, and the object in it. */
export interface FramePlace {
  readonly frame: Frame;
  readonly objectStart: number;
  readonly objectEnd: number;
  readonly end: number;
}

/** The first of some frames that stands at an offset, as far as it can be seen without reading the object. */
export function frameAt(frames: readonly Frame[], text: string, start: number): FramePlace | undefined {
  for (const frame of frames) {
    const { before, after } = frame;
    const objectStart = start + before.length;
    if (text[objectStart] !== "{" || !text.startsWith(before, start)) continue;
    const objectEnd = text.indexOf(after, objectStart);
    if (objectEnd < 0 || objectEnd + after.length - start > framedCharsMax) continue;
    // Another opener in the object may be one.
    if (text.lastIndexOf(before[0], objectEnd - 1) > objectStart) continue;
    return { frame, objectStart, objectEnd, end: objectEnd + after.length };
  }
  return undefined;
}

const noFrames: readonly Frame[] = [];
