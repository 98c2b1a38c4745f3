/** Which members and items of one value some schema has spoken of: what `unevaluated...` asks. */
export class Evaluated {
  readonly keys = new Set<string>();
  readonly items = new Set<number>();
  /** Items before this one have all been looked at. */
  itemsTo = 0;

  /** A schema that fits has spoken of these. */
  add(other: Evaluated): void {
    for (const key of other.keys) this.keys.add(key);
    for (const item of other.items) this.items.add(item);
    this.itemsTo = Math.max(this.itemsTo, other.itemsTo);
  }

  has(item: number): boolean {
    return item < this.itemsTo || this.items.has(item);
  }
}
