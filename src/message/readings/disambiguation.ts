import type { TextSource } from "../../machine/text-store.ts";
import type { Alternative } from "./alternative.ts";
import type { AlternativeReading, Place } from "./alternative-reading.ts";
import { type Frame, frameAt, framedCharsMax } from "./frames.ts";
import type { LimitedText } from "./limited-text.ts";
import type { MessageOwner } from "./message-owner.ts";
import { beginsInThoughts } from "./message-sets.ts";

/**
 * How often it is asked which reading is right, by the distance from the opener: most openers that are none are distinguished by
 * the next character, and what is not decided soon is asked seldom.
 */
const strideAt = (distance: number) => (distance < 256 ? Math.min(8, Math.max(1, distance)) : farStride);
const farStride = 64;

const none: readonly Alternative[] = [];

export interface DisambiguationOptions {
  readings: readonly AlternativeReading[];
  place: Place;
  /** Where the opener has ended. */
  openerEnd: number;
  store: TextSource;
  /** What the readings see of it. */
  text: LimitedText;
  /** Whose the findings are, by the formats that make calls there when one of them is chosen. */
  ownerFor: (alternatives: readonly Alternative[]) => MessageOwner;
  /** How far may be read that others may have to read again. */
  lookaheadBudget: number;
  /** Asked once that has been read: whether the place may be read to its end. */
  mayGoOn: () => boolean;
  /** Findings are recorded even where one reading is left, until the caller has {@link Disambiguation.commit}. */
  isTentative: boolean;
  /** A single format does not read at once, either: whose its findings are is not known before. */
  isRecorded: boolean;
  /** Another format has an opener directly after this one: what is damaged there is none of its calls, but frames that of the other. */
  framesOther: boolean;
  /** What these formats have read alike before; empty: that is not to be tried. */
  frames: readonly Frame[];
  /** These have read a block alike, the best of them first. */
  onAlike: (readings: readonly AlternativeReading[]) => void;
  /** A frame was tried in vain. */
  onVain: () => void;
}

/**
 * The place where formats meet: those that may begin there read on in step, recorded, until one reading is left, or
 * equal ones. A single format reads at once.
 */
export class Disambiguation {
  readonly #options: DisambiguationOptions;
  /** Only one format may begin here, and nothing is recorded. */
  readonly #alone: AlternativeReading | undefined;
  #ended = false;
  selected: AlternativeReading | undefined;
  /** Where the message goes on; undefined: not yet known. */
  settledAt: number | undefined;
  /** No format reads a block here. */
  isDeclined = false;

  constructor(options: DisambiguationOptions) {
    this.#options = options;
    const { readings, place, openerEnd, store, text, ownerFor, isTentative, isRecorded, framesOther } = options;
    if (readings.length === 1 && !isTentative && !isRecorded && !framesOther) {
      const [alone] = readings;
      this.#alone = alone;
      text.limit = Number.POSITIVE_INFINITY;
      alone.begin(place, ownerFor([alone.alternative]));
      this.#follow(alone);
      return;
    }
    if (this.#readFrame()) return;
    text.limit = Math.min(openerEnd, store.end);
    for (const reading of readings) reading.begin(place, undefined);
    this.#decide();
    this.#readOn();
  }

  /** One format is enough for what all have read alike before. */
  #readFrame(): boolean {
    const { frames, readings, store, text, place, ownerFor, onVain } = this.#options;
    if (frames.length === 0) return false;
    const { start } = place;
    const framed = frameAt(frames, store.slice(start, Math.min(store.end, start + framedCharsMax)), 0);
    if (framed === undefined) return false;
    const { reader } = framed.frame;
    const reading = readings.find(({ alternative }) => alternative === reader) as AlternativeReading;
    text.limit = start + framed.end;
    reading.begin(place, undefined);
    const object = reading.onlyObject;
    const isFramed = object?.start === start + framed.objectStart && object.end === start + framed.objectEnd;
    if (!isFramed || reading.settledAt !== text.limit) {
      onVain();
      return false;
    }
    this.selected = reading;
    this.reading = this.alternatives;
    reading.commit(ownerFor(this.reading), this.reading);
    this.settledAt = reading.settledAt;
    return true;
  }

  get isSettled(): boolean {
    return this.settledAt !== undefined || this.isDeclined;
  }

  /** No format reads a block here, but with more text one might have. */
  get isCut(): boolean {
    return this.isDeclined && this.#ended && !this.#isFrame;
  }

  /** The formats that were tried. */
  get alternatives(): readonly Alternative[] {
    return this.#options.readings.map(({ alternative }) => alternative);
  }

  /** Up to where text has been looked at that others have to read, whatever the chunks. */
  get readTo(): number {
    if (this.#alone && this.settledAt !== undefined) return this.settledAt;
    return Math.max(
      this.settledAt ?? 0,
      this.#disputedTo,
      ...this.#options.readings.map(({ reader }) => reader.readTo),
    );
  }

  /** So far all of them have been given the text: recovery looks at more of it than the machine does. */
  #disputedTo = 0;

  get neededFrom(): number {
    const { start } = this.#options.place;
    const alone = this.#alone;
    // Until a block is certain its opener may turn out to be text.
    if (alone) return Math.min(alone.reader.neededFrom, alone.isClaimed ? Number.POSITIVE_INFINITY : start);
    return this.selected && !this.#options.isTentative ? this.selected.reader.neededFrom : start;
  }

  /** The text has grown by a chunk. @returns whether the place goes on after it */
  push(chunk: string): boolean {
    const alone = this.#alone;
    if (alone === undefined) this.#readOn();
    else if (alone.goOn(chunk)) return true;
    else this.#follow(alone);
    return !this.isSettled;
  }

  end(whole: boolean): void {
    const { store, text } = this.#options;
    const alone = this.#alone;
    if (alone) {
      this.#ended = !alone.isDeclined;
      alone.finish(whole);
      this.#follow(alone);
      return;
    }
    if (!this.isSettled && store.end > text.limit) this.#readUpTo(store.end);
    if (this.isSettled) return;
    for (const reading of this.#active()) reading.finish(whole);
    this.#ended = true;
    this.#decide();
  }

  /**
   * What the selected reading has found happens, and what follows happens at once.
   *
   * @param owner default: whom the calls belong to for all that read the place
   */
  commit(owner?: MessageOwner): void {
    this.selected?.commit(owner ?? this.#options.ownerFor(this.#calling), this.#alike, this.reading.length === 1);
  }

  #follow(reading: AlternativeReading): void {
    this.selected = reading;
    this.reading = this.alternatives;
    this.isDeclined = reading.isDeclined;
    this.settledAt = reading.settledAt;
  }

  /**
   * Which reading is right is asked at places of the text, not at the ends of chunks, so that what has been sent by then
   * does not depend on chunks. The selected reading is not given all at once: what it reads after its block is read
   * again by others.
   */
  #readOn(): void {
    const { store, text, openerEnd } = this.#options;
    while (!this.isSettled) {
      const from = text.limit;
      const distance = from - openerEnd;
      const next = this.selected
        ? Math.min(store.end, from + Math.max(farStride, distance))
        : from + strideAt(distance);
      if (next > store.end || next === from) return;
      this.#readUpTo(next);
    }
  }

  #readUpTo(end: number): void {
    const { store, text, openerEnd, lookaheadBudget } = this.#options;
    const from = text.limit;
    text.limit = end;
    const piece = store.slice(from, end);
    for (const reading of this.#active()) reading.push(piece);
    if (!this.selected) this.#disputedTo = end;
    this.#decide();
    if (this.selected || this.isSettled || this.#goesOn || end - openerEnd <= lookaheadBudget) return;
    if (this.#readAhead <= lookaheadBudget) return;
    this.#goesOn = this.#options.mayGoOn();
    if (!this.#goesOn) this.#giveUp();
  }

  /** How much has been read after the opener, or after what one reading takes for the whole block. */
  get #readAhead(): number {
    const { text, openerEnd } = this.#options;
    const ends = this.#active().flatMap(({ settledAt }) => settledAt ?? []);
    return text.limit - Math.min(text.limit, ...(ends.length ? ends : [openerEnd]));
  }

  /** Too much would be read twice: a block that another reading goes on with is refused, and none other may begin here. */
  #giveUp(): void {
    this.#isGivenUp = true;
    const alive = this.#active();
    const [whole] = alive.filter(({ settledAt }) => settledAt !== undefined).sort(byMerit);
    if (whole !== undefined) {
      whole.makeAmbiguous(alive.map(({ id }) => id));
      this.#select(whole);
      return;
    }
    this.#dropped = new Set(alive.filter(({ isClaimed }) => !isClaimed));
    this.#decide();
  }

  /** So much has been read already. */
  #isGivenUp = false;
  /** The opener frames that of another format. */
  #isFrame = false;
  /** It is read to its end, however much that is. */
  #goesOn = false;
  #dropped: ReadonlySet<AlternativeReading> | undefined;
  /** The formats whose readings of the place are one. */
  #alike: readonly Alternative[] = none;
  /** Those that make calls of the place, or may still do so. */
  #calling: readonly Alternative[] = none;
  /** Those that read a block there, whatever they find in it. */
  reading: readonly Alternative[] = none;

  #active(): AlternativeReading[] {
    if (this.selected) return [this.selected];
    return this.#options.readings.filter((reading) => !reading.isDeclined && !this.#dropped?.has(reading));
  }

  #decide(): void {
    if (this.selected) {
      this.settledAt = this.selected.settledAt;
      return;
    }
    const alive = this.#active();
    const framesOther = this.#options.framesOther && !this.#isGivenUp;
    this.#isFrame = framesOther && alive.length > 0 && alive.every(({ isUnnamed }) => isUnnamed);
    if (alive.length === 0 || this.#isFrame) {
      this.isDeclined = true;
      return;
    }
    if (framesOther && !alive.some(({ isNamed }) => isNamed)) return;
    if (alive.length === 1 && alive[0].isClaimed) return this.#select(alive[0]);
    // A reading that is damaged gives way to one that is whole, or that finds more before the damage.
    const sound = alive.filter(({ isFinished, isSound }) => isFinished && isSound);
    if (alive.some(({ isFinished, isHopeless }) => !isFinished && !(sound.length && isHopeless))) return;
    const most = Math.max(...alive.map(({ soundCount }) => soundCount));
    const best = (sound.length ? sound : alive.filter(({ soundCount }) => soundCount === most)).sort(byMerit);
    if (most === 0 || best.some(({ found }) => found !== best[0].found)) best.sort(byContent);
    const [first, ...others] = best;
    // A reading that finds two readings by itself is none that gives way.
    const doubting = sound.length ? alive.filter(({ isAmbiguous }) => isAmbiguous) : [];
    if (doubting.length || (most > 0 && others.some((other) => other.summary !== first.summary))) {
      // All that one of them would have called is refused.
      const [widest] = best.sort((left, right) => reach(right) - reach(left));
      widest.makeAmbiguous([...best, ...doubting].map(({ id }) => id));
      this.#select(widest);
      return;
    }
    const equals = most === 0 ? others.filter((other) => isEquallyDamaged(first, other)) : [];
    if (equals.some((other) => other.settledAt !== first.settledAt || other.endIsUnproven !== first.endIsUnproven))
      first.nameOthers(equals.map(({ id }) => id));
    if (sound.length > 0 && others.every((other) => isAlike(first, other))) this.#options.onAlike(best);
    this.#select(first);
  }

  #select(reading: AlternativeReading): void {
    const active = this.#active();
    this.#calling = active
      .filter(({ isFinished, isSound }) => !isFinished || isSound)
      .map(({ alternative }) => alternative);
    const alike = active.filter(
      (one) => one === reading || (one.isFinished && (one.isSound || readsSame(one, reading))),
    );
    this.#alike = alike.map(({ alternative }) => alternative);
    this.reading = active.map(({ alternative }) => alternative);
    this.selected = reading;
    if (!this.#options.isTentative) this.commit();
    this.settledAt = reading.settledAt;
  }
}

/** Where the message goes on after a block that has ended. */
const reach = ({ settledAt }: AlternativeReading) => settledAt as number;

/** Where its first call begins. */
const begin = ({ candidates }: AlternativeReading) => candidates[0]?.placed.start ?? 0;

const isAlike = (left: AlternativeReading, right: AlternativeReading) =>
  left.settledAt === right.settledAt && left.summary === right.summary;

const readsSame = (left: AlternativeReading, right: AlternativeReading) =>
  isAlike(left, right) && left.found === right.found;

const isEquallyDamaged = (left: AlternativeReading, right: AlternativeReading) =>
  left.namesOffered === right.namesOffered && left.isWhole === right.isWhole;

/**
 * Which of several readings is better, whatever the order of the list: one that names a tool on offer, then one without
 * damage, then one with fewer guesses. Among equals one whose end is in doubt, for what follows may contradict it; then the one
 * that leaves least to others: what stands in a call of one is no call of another; one whose calls hold their markers; and one whose messages do not begin in thoughts, for these would be in them.
 */
function byMerit(left: AlternativeReading, right: AlternativeReading): number {
  return (
    Number(right.namesOffered) - Number(left.namesOffered) ||
    Number(right.isWhole) - Number(left.isWhole) ||
    left.guessedCount - right.guessedCount ||
    Number(right.endIsUnproven) - Number(left.endIsUnproven) ||
    Number(right.endIsRepaired) - Number(left.endIsRepaired) ||
    reach(right) - reach(left) ||
    begin(left) - begin(right) ||
    Number(beginsInThoughts(left.alternative.format)) - Number(beginsInThoughts(right.alternative.format))
  );
}

/** The same for readings that are not equal, where merit says nothing: they go by what they read. */
const byContent = (left: AlternativeReading, right: AlternativeReading) =>
  byMerit(left, right) || (left.found < right.found ? -1 : left.found > right.found ? 1 : 0);
