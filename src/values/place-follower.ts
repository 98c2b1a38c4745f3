import type { Allowed } from "./allowed-values.ts";

/** Follows a value token by token, and says what may stand where it is. */
export class PlaceFollower {
  readonly #root: Allowed;
  readonly #stack: { readonly place: Allowed; readonly isObject: boolean; index: number }[] = [];
  #key = "";

  constructor(root: Allowed) {
    this.#root = root;
  }

  /** A value begins: what may stand there. */
  next(): Allowed {
    const top = this.#stack.at(-1);
    if (top === undefined) return this.#root;
    return top.isObject ? top.place.member(this.#key) : top.place.item(top.index++);
  }

  /** A container begins. */
  open(isObject: boolean): void {
    this.#stack.push({ place: this.next(), isObject, index: 0 });
  }

  close(): void {
    this.#stack.pop();
  }

  /** The key of the next value. */
  key(key: string): void {
    this.#key = key;
  }
}
