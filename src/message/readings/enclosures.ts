import { lastOf } from "../../machine/last-of.ts";

/** Something that the text has opened, and whose closer says that what stood in it is no call. */
export interface Enclosure {
  readonly kind: EnclosureKind;
  readonly closers: readonly string[];
  /** Those of them that end it; after the others it goes on. Absent: all do. */
  readonly lastClosers?: readonly string[];
  /** Of damage, and of what follows a quoted opener: the openers that open no call. */
  readonly openers?: ReadonlySet<string>;
  /** Up to where its opener goes. */
  readonly from: number;
  /** Thoughts that a frame of the message has left open: calls in them count only at its end. */
  readonly isFrame?: boolean;
  /** Thoughts that begin in a pair of tags: if nothing closes that, they are those that they look like. */
  readonly isInPair?: boolean;
}

/**
 * `damaged`: an opener that opens no call; where its closer follows, what stands between may be a damaged one.
 * `quoted-thoughts`: what opens thoughts in a pair of tags that has ended before their closer; a word, unless that follows.
 * `unknown-call`: a call of a tool that is not on offer, with calls in it.
 * `unopened`: thoughts, for some format of the list, in which the message has begun.
 */
export type EnclosureKind = "reasoning" | "unopened" | "quoted" | "quoted-thoughts" | "unknown-call" | "damaged";

/** Enclosures that are open, outermost first. What a closer closes is known without a search, however many are open. */
export class Enclosures {
  readonly #open: Enclosure[] = [];
  /** Where enclosures stand that a closer closes, by the closer. */
  readonly #places = new Map<string, number[]>();
  readonly #counts = new Map<EnclosureKind, number>();

  get length(): number {
    return this.#open.length;
  }

  get last(): Enclosure | undefined {
    return lastOf(this.#open);
  }

  /** Different closers of what is open. */
  get closers(): Iterable<string> {
    return this.#places.keys();
  }

  /** Something may close one of them. */
  get areClosed(): boolean {
    return this.#places.size > 0;
  }

  has(kind: EnclosureKind): boolean {
    return (this.#counts.get(kind) ?? 0) > 0;
  }

  at(index: number): Enclosure {
    return this.#open[index];
  }

  push(enclosure: Enclosure): void {
    for (const closer of enclosure.closers) {
      const places = this.#places.get(closer);
      if (places) places.push(this.#open.length);
      else this.#places.set(closer, [this.#open.length]);
    }
    this.#open.push(enclosure);
    this.#count(enclosure.kind, 1);
  }

  #count(kind: EnclosureKind, change: 1 | -1): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + change);
  }

  /** The innermost that a closer closes, or the outermost that so many of it do; -1: none is. */
  closedBy(closer: string, times = 1): number {
    const places = this.#places.get(closer);
    return places?.at(-times) ?? places?.[0] ?? -1;
  }

  /** The outermost that a closer closes. */
  outermostClosedBy(closer: string): Enclosure | undefined {
    const at = this.#places.get(closer)?.[0];
    return at === undefined ? undefined : this.#open[at];
  }

  /** The outermost of which something holds. */
  find(holds: (one: Enclosure) => boolean): Enclosure | undefined {
    return this.#open.find(holds);
  }

  /** Takes away the innermost of a kind. */
  takeKind(kind: EnclosureKind): void {
    const at = this.#open.findLastIndex((one) => one.kind === kind);
    if (at < 0) return;
    const [, ...inner] = this.takeFrom(at);
    for (const one of inner) this.push(one);
  }

  /** Takes away those that were opened from an offset on. */
  takeBegunSince(offset: number): Enclosure[] {
    let at = this.#open.length;
    while (at > 0 && this.#open[at - 1].from >= offset) at--;
    return this.takeFrom(at);
  }

  takeLast(): void {
    this.takeFrom(this.#open.length - 1);
  }

  /** Takes away all from an index on. */
  takeFrom(index: number): Enclosure[] {
    const taken = this.#open.splice(index);
    for (let at = taken.length - 1; at >= 0; at--) {
      this.#count(taken[at].kind, -1);
      for (const closer of taken[at].closers) {
        const places = this.#places.get(closer) as number[];
        places.pop();
        if (places.length === 0) this.#places.delete(closer);
      }
    }
    return taken;
  }
}
