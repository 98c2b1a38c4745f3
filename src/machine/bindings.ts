import { keySlot, nameSlot } from "./program.ts";
import { emptySlots, roomForValues } from "./room.ts";

/** Parameters of one call that are remembered as seen; each is compared with what comes, so there must be an end. */
export const seenMax = 1024;
/** What is bound is compared with the text again and again: no more than this of it, so that each time costs little. */
export const boundUnitsMax = 1024;

/**
 * The texts that a grammar has bound, and the keys of a call that it has seen. What an alternative has bound leaves no trace
 * where it fails: so each entry knows the height of the choice stack at which it was made.
 */
export class Bindings {
  /** By slot. */
  readonly texts = emptySlots();
  /** What slots held before: slot, text, height. */
  readonly replaced = roomForValues<[number, string | undefined, number]>();
  readonly seen = roomForValues<string>();
  readonly #seenAt: number[] = [];
  /** Something was bound or seen that a choice may still take back. */
  mayBeUndone = false;

  forget(): void {
    for (let slot = 0; slot < this.texts.length; slot++) this.texts[slot] = undefined;
    empty(this.seen);
    empty(this.#seenAt);
    this.mayBeUndone = false;
  }

  /** What has been bound is no longer taken back. */
  settle(): void {
    empty(this.replaced);
  }

  beginCall(): void {
    this.texts[nameSlot] = undefined;
    empty(this.seen);
    empty(this.#seenAt);
  }

  /** @param isUndecided some choice could still take the reading back */
  bind(slot: number, text: string, height: number, isUndecided: boolean): void {
    if (isUndecided) {
      this.replaced.push([slot, this.texts[slot], height]);
      this.mayBeUndone = true;
    } else empty(this.replaced);
    this.texts[slot] = text;
  }

  /** The key that is bound has been seen. */
  see(height: number): void {
    const key = this.texts[keySlot] ?? "";
    if (this.seen.length >= seenMax || this.seen.includes(key)) return;
    this.seen.push(key);
    this.#seenAt.push(height);
    this.mayBeUndone = true;
  }

  /** A choice has been decided: what was bound or seen inside it belongs to the choice around it. */
  keep(height: number, cut: number): void {
    for (let at = this.#seenAt.length - 1; at >= 0 && this.#seenAt[at] > height; at--) this.#seenAt[at] = height;
    for (let at = this.replaced.length - 1; at >= 0 && this.replaced[at][2] > height; at--)
      this.replaced[at][2] = height;
    if (height > cut) return;
    empty(this.replaced);
    this.mayBeUndone = this.#seenAt.some((one) => one > cut);
  }

  /** Takes back what was bound or seen since the choice that is gone back to was made. */
  undo(height: number): void {
    while (this.#seenAt.length && this.#seenAt[this.#seenAt.length - 1] > height) {
      this.#seenAt.pop();
      this.seen.pop();
    }
    for (let last = this.replaced.at(-1); last && last[2] > height; last = this.replaced.at(-1)) {
      this.texts[last[0]] = last[1];
      this.replaced.pop();
    }
  }
}

/** To set the length of an array takes as long as to take many of it away, and most are empty or short. */
export function empty(list: unknown[]): void {
  while (list.length > 0) list.pop();
}
