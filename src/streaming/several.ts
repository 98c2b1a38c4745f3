import { several } from "../../generated/several.ts";
import type { Candidate } from "../normalise/candidate.ts";
import { endOfTurnTokens } from "../runtime/end-of-turn.ts";
import type { FormatData } from "../runtime/format.ts";
import { fetchedBefore } from "../runtime/machine.ts";
import { combinedProgram, type ReadyProgram } from "../runtime/program.ts";
import type { RejectionReason } from "../runtime/reasons.ts";
import { TextStore } from "../runtime/text-store.ts";
import { type Collector, type Held, isBareMessage, judgeHeld } from "./collector.ts";
import type { Judge } from "./judge.ts";
import { openersOf } from "./openers.ts";
import type { Recovery } from "./options.ts";
import { Reader } from "./reader.ts";
import type { ReaderOwner } from "./reader-owner.ts";

/** One format of a list, and who judges it. */
export interface Entrant {
  readonly format: FormatData;
  readonly judge: Judge;
}

export interface SeveralOptions {
  entrants: readonly Entrant[];
  collector: Collector;
  prefill: string;
  marker: string | undefined;
  recovery: Recovery | undefined;
}

/** For the prose between calls no format is in charge. */
const proseFormat: FormatData = {
  id: "",
  title: "",
  aliases: [],
  models: [],
  mode: "primary",
  triggers: [],
  stop: [],
  reasoning: [],
  keys: { name: [], arguments: [], id: [] },
  flags: [],
  example: "",
  source: [],
  program: several,
};

/** Programs by the ids of their formats; each is good for the formats that it was made of, and no others. */
const programs = new Map<string, { formats: readonly FormatData[]; program: ReadyProgram }>();

/**
 * Reads a text in which calls of several formats may stand. One reader looks for the places where any of them may
 * begin; there, those that may begin read on in step until one reading is left. So the text is read once, whatever the
 * number of formats, and what a place becomes does not depend on chunks.
 */
export class SeveralReader {
  readonly #options: SeveralOptions;
  readonly #store = new TextStore();
  readonly #prefillEnd: number;
  readonly #program: ReadyProgram;
  readonly #prose: Reader;
  #contest: Contest | undefined;
  /** The message has begun: a call without a marker can no longer come. */
  #isUnderWay = false;
  truncated = false;
  #steps = 0;
  /** How much text has been read in contests and then again, because it was not theirs. */
  #readTwice = 0;

  constructor(options: SeveralOptions) {
    this.#options = options;
    this.#prefillEnd = options.prefill.length;
    this.#program = proseProgram(options);
    this.#store.append(options.prefill);
    this.#prose = new Reader({
      format: proseFormat,
      program: this.#program,
      owner: new ProseOwner(options.collector),
      hints: options.entrants[0].judge.hints,
      shared: { store: this.#store, from: 0, prefillEnd: this.#prefillEnd, joined: false },
    });
    this.#advance(undefined);
  }

  get open(): Candidate | undefined {
    return this.#contest?.winner?.reader.open;
  }

  /** Characters looked at by all readers. */
  get steps(): number {
    return this.#steps + this.#prose.steps + (this.#contest?.steps ?? 0);
  }

  push(chunk: string): void {
    if (chunk === "") return;
    this.#store.append(chunk);
    if (this.#contest) this.#contest.push();
    else this.#prose.push(chunk);
    this.#advance(undefined);
    this.#store.release(this.#contest?.neededFrom ?? this.#prose.neededFrom);
  }

  end(whole: boolean): void {
    if (this.#contest) this.#contest.end(whole);
    else this.#prose.end(whole);
    this.#advance(whole);
  }

  /** Goes from prose to contest and back as far as the text allows. `whole`: no more text comes. */
  #advance(whole: boolean | undefined): void {
    for (;;) {
      if (!this.#contest) {
        const { trigger } = this.#prose;
        if (!trigger) return;
        this.#contest = this.#newContest(trigger);
        if (whole !== undefined) this.#contest.end(whole);
      }
      const { settledAt, winner } = this.#contest;
      if (settledAt === undefined) return;
      this.truncated ||= winner?.reader.truncated ?? false;
      this.#steps += this.#contest.steps;
      this.#readTwice += this.#contest.readTo - settledAt;
      this.#contest = undefined;
      this.#isUnderWay = true;
      // What nobody wants is text, and goes on with the text before it.
      this.#prose.goOnAt(settledAt, winner === undefined);
      if (whole !== undefined) this.#prose.end(whole);
    }
  }

  #newContest(trigger: { start: number; end: number }): Contest {
    const { entrants, marker } = this.#options;
    const trigged = this.#store.slice(trigger.start, trigger.end);
    // Blanks open nothing: what stands behind them may begin a message without a marker.
    const lead = trigged.trim() === "" ? this.#store.slice(trigger.end, trigger.end + 1) : undefined;
    const may = entrants.filter(({ format }) => {
      if (lead !== undefined) return !this.#isUnderWay && (format.leads ?? "").includes(lead);
      return openersOf(format, marker).some((opener) => trigged.startsWith(opener));
    });
    const patience = patienceMin + patiencePerChar * trigger.end - this.#readTwice;
    return new Contest(this.#options, may, trigger, this.#store, this.#prefillEnd, patience, () =>
      this.#prose.endText(),
    );
  }
}

function proseProgram({ entrants, marker }: SeveralOptions): ReadyProgram {
  const formats = entrants.map(({ format }) => format);
  const ids = formats.map(({ id }) => id).join();
  const known = marker === undefined ? programs.get(ids) : undefined;
  if (known?.formats.every((format, at) => format === formats[at])) return known.program;
  const openers = formats.flatMap((format) => openersOf(format, marker));
  const thinkCloses = formats.flatMap(({ reasoning }) => reasoning.map(({ close }) => close));
  const stops = [...formats.flatMap(({ stop }) => stop), ...endOfTurnTokens];
  // What only frames text in one format may open a call in another.
  const framing = [...formats.flatMap((format) => format.framing ?? []), ...thinkCloses].filter(
    (one) => !openers.includes(one),
  );
  const others = [...openers, ...thinkCloses, ...stops, ...framing];
  const program = combinedProgram(
    several,
    {
      Open: openers,
      Framing: framing,
      // Where it begins as something else does, it says nothing.
      Leftover: formats
        .flatMap(({ leftovers }) => leftovers ?? [])
        .filter((one) => !others.some((other) => other.startsWith(one))),
      Ending: formats.filter(({ endsReasoning }) => endsReasoning).flatMap((format) => openersOf(format, marker)),
      Lead: [...new Set(formats.flatMap(({ leads }) => [...(leads ?? "")]))],
      ThinkOpen: formats.flatMap(({ reasoning }) => reasoning.map(({ open }) => open)),
      ThinkClose: thinkCloses,
      Stop: stops,
    },
    formats.flatMap(({ reasoning }) => reasoning.map(({ open, close }) => [open, close] as const)),
  );
  if (marker === undefined) programs.set(ids, { formats, program });
  return program;
}

/**
 * How often it is asked who has won, by the distance from the opener: most openers that are none are told by the next
 * character, and what is not decided soon is asked seldom.
 */
const strideAt = (distance: number) => (distance < 256 ? Math.min(8, Math.max(1, distance)) : farStride);
const farStride = 64;

/**
 * How far a contest may read what others may have to read again: as far as any sensible message needs, and in all so
 * often the length of the text. Else a text of nothing but openers would be read as often as it holds some.
 */
const patienceMin = 65_536;
const patiencePerChar = 8;

/** A text that is read up to a place, whatever of it is there. */
class TextUpTo extends TextStore {
  readonly #store: TextStore;
  limit: number;

  constructor(store: TextStore, limit: number) {
    super();
    this.#store = store;
    this.limit = limit;
  }

  override get end(): number {
    return this.limit;
  }

  override slice(start: number, end: number): string {
    return this.#store.slice(start, end);
  }
}

/** Formats that may begin at one place, reading in step. */
class Contest {
  readonly #collector: Collector;
  readonly #readings: Reading[] = [];
  readonly #trigger: { start: number; end: number };
  readonly #store: TextStore;
  readonly #text: TextUpTo;
  readonly #patience: number;
  readonly #onWin: () => void;
  #ended = false;
  winner: Reading | undefined;
  /** Where prose goes on; undefined: not yet known. */
  settledAt: number | undefined;

  constructor(
    options: SeveralOptions,
    entrants: readonly Entrant[],
    trigger: { start: number; end: number },
    store: TextStore,
    prefillEnd: number,
    patience: number,
    onWin: () => void,
  ) {
    this.#collector = options.collector;
    this.#trigger = trigger;
    this.#store = store;
    this.#text = new TextUpTo(store, trigger.end);
    this.#patience = patience;
    this.#onWin = onWin;
    for (const entrant of entrants) {
      this.#readings.push(new Reading(entrant, options, this.#text, trigger.start, prefillEnd));
    }
    this.#decide();
    this.#readOn();
  }

  /**
   * Reads what there is. Who wins is asked at places of the text, not at the ends of chunks, so that what the winner has
   * sent by then does not depend on chunks. The winner is not given all at once: what it reads behind its call is read
   * again by others.
   */
  #readOn(): void {
    while (this.settledAt === undefined) {
      const from = this.#text.limit;
      const distance = from - this.#trigger.end;
      const next = this.winner
        ? Math.min(this.#store.end, from + Math.max(farStride, distance))
        : from + strideAt(distance);
      if (next > this.#store.end || next === from) return;
      this.#readUpTo(next);
    }
  }

  #readUpTo(end: number): void {
    const from = this.#text.limit;
    this.#text.limit = end;
    const piece = this.#store.slice(from, end);
    for (const reading of this.#active()) reading.reader.push(piece);
    this.#decide();
    if (this.winner || this.settledAt !== undefined || end - this.#trigger.end <= this.#patience) return;
    if (this.#readAhead > this.#patience) this.#giveUp();
  }

  /** How much has been read behind the opener, or behind what one reading takes for the whole call. */
  get #readAhead(): number {
    const ends = this.#active().flatMap(({ settledAt }) => settledAt ?? []);
    return this.#text.limit - Math.min(this.#text.limit, ...(ends.length ? ends : [this.#trigger.end]));
  }

  /** Too much would be read twice: a call that another reading still wants is refused, and nobody else may begin one. */
  #giveUp(): void {
    const alive = this.#active();
    const whole = alive.find(({ settledAt }) => settledAt !== undefined);
    if (whole) {
      whole.makeAmbiguous(alive.map(({ id }) => id));
      this.#choose(whole);
      return;
    }
    for (const reading of alive) if (reading.state === "open") reading.state = "declined";
    this.#decide();
  }

  /** Up to where the text has been read. */
  get readTo(): number {
    return this.#text.limit;
  }

  get steps(): number {
    return this.#readings.reduce((sum, { reader }) => sum + reader.steps, 0);
  }

  get neededFrom(): number {
    return this.winner ? this.winner.reader.neededFrom : this.#trigger.start - fetchedBefore;
  }

  /** The text has grown. */
  push(): void {
    this.#readOn();
  }

  end(whole: boolean): void {
    if (this.settledAt === undefined && this.#store.end > this.#text.limit) this.#readUpTo(this.#store.end);
    if (this.settledAt !== undefined) return;
    for (const reading of this.#active()) reading.finish(whole);
    this.#ended = true;
    this.#decide();
  }

  #active(): Reading[] {
    return this.winner ? [this.winner] : this.#readings.filter((reading) => reading.state !== "declined");
  }

  #decide(): void {
    if (this.winner) {
      this.#settle(this.winner);
      return;
    }
    const alive = this.#active();
    if (alive.length === 0) return this.#decline();
    if (alive.length === 1 && alive[0].state !== "open") return this.#choose(alive[0]);
    // A reading that is damaged gives way to one that is whole, or that finds more before the damage.
    const sound = alive.filter(({ isFinished, isSound }) => isFinished && isSound);
    if (alive.some(({ isFinished, isHopeless }) => !isFinished && !(sound.length && isHopeless))) return;
    const most = Math.max(...alive.map(({ soundCount }) => soundCount));
    const best = sound.length ? sound : alive.filter(({ soundCount }) => soundCount === most);
    const [first, ...others] = best;
    if (most > 0 && others.some((other) => other.summary !== first.summary))
      first.makeAmbiguous(best.map(({ id }) => id));
    this.#choose(first);
  }

  #choose(reading: Reading): void {
    this.winner = reading;
    this.#onWin();
    reading.goLive();
    this.#settle(reading);
  }

  #settle(reading: Reading): void {
    if (reading.settledAt !== undefined) this.settledAt = reading.settledAt;
    else if (this.#ended) this.settledAt = this.#store.end;
  }

  /** Nobody wants it: the trigger is text. */
  #decline(): void {
    for (const list of this.#readings[0]?.listings ?? []) list(this.#collector);
    this.#readings.find(({ listBare }) => listBare !== undefined)?.listBare?.();
    this.settledAt = this.#trigger.end;
  }
}

/** A trigger of fewer characters is a character like others: where it is quoted is not worth telling. */
const toldCharsMin = 3;

/** What prose may do: it holds no calls. */
class ProseOwner implements ReaderOwner {
  readonly #collector: Collector;

  constructor(collector: Collector) {
    this.#collector = collector;
  }

  text(kind: "content" | "reasoning", piece: string): void {
    this.#collector.text(kind, piece);
  }

  textEnd(kind: "content" | "reasoning", start: number, end: number): void {
    this.#collector.textEnd(kind, start, end);
  }

  listed(reason: RejectionReason, message: string, span: { start: number; end: number; raw: string }): void {
    if (span.raw.length >= toldCharsMin) this.#collector.listed(reason, message, span);
  }

  leftover(): void {
    this.#collector.leftover();
  }

  mayStart = () => false;
  start = () => {};
  delta = () => {};
  end = () => {};
  refused = () => {};
  beginBare = () => {};
  endBare = () => false;
  parameterType = () => undefined;
  schemaOf = () => undefined;
}

/** One format's reading of a place: recorded while others may still win, passed on when it has. */
class Reading implements ReaderOwner {
  readonly id: string;
  readonly reader: Reader;
  readonly #entrant: Entrant;
  readonly #collector: Collector;
  readonly #start: number;
  #record: ((owner: ReaderOwner) => void)[] = [];
  #isLive = false;
  #held: Held[] | undefined;
  #candidates: Candidate[] = [];
  readonly listings: ((owner: ReaderOwner) => void)[] = [];
  listBare: (() => void) | undefined;
  state: "open" | "claimed" | "declined" = "open";
  settledAt: number | undefined;
  #ended = false;

  constructor(entrant: Entrant, options: SeveralOptions, store: TextStore, from: number, prefillEnd: number) {
    this.id = entrant.format.id;
    this.#entrant = entrant;
    this.#collector = options.collector;
    this.#start = Math.max(0, from - prefillEnd);
    this.reader = new Reader({
      format: entrant.format,
      owner: this,
      hints: entrant.judge.hints,
      marker: options.marker,
      recovery: options.recovery,
      shared: { store, from, prefillEnd, joined: true },
    });
  }

  get isFinished(): boolean {
    return this.settledAt !== undefined || this.#ended;
  }

  get soundCount(): number {
    return this.#candidates.filter((candidate) => this.#isSoundCall(candidate)).length;
  }

  get isSound(): boolean {
    return this.#candidates.length > 0 && this.#candidates.every((candidate) => this.#isSoundCall(candidate));
  }

  /** Whatever follows, it will not be sound. */
  get isHopeless(): boolean {
    const { open } = this.reader;
    return [...this.#candidates, ...(open?.name === undefined ? [] : [open])].some((one) => !this.#isSoundCall(one));
  }

  /** What names no tool on offer is no reading of a call that another format finds. */
  #isSoundCall({ problem, name }: Candidate): boolean {
    return problem === undefined && this.#entrant.judge.offers(name ?? "");
  }

  /** What two readings are compared by. */
  get summary(): string {
    const calls = this.#candidates.filter((candidate) => this.#isSoundCall(candidate));
    return JSON.stringify(calls.map(({ name, writer }) => [name, writer.jsonText]));
  }

  finish(whole: boolean): void {
    this.reader.end(whole);
    this.#ended = true;
  }

  /** It has won: what was recorded happens, and what follows happens at once. */
  goLive(): void {
    this.#isLive = true;
    this.#collector.use(this.#entrant.format, this.#entrant.judge);
    for (const happen of this.#record) happen(this.#collector);
    this.#record = [];
    if (!this.isFinished) this.reader.retryStart();
  }

  /** Several formats read the same place, and differently: nothing of it may run. */
  makeAmbiguous(ids: readonly string[]): void {
    const message = `${ids.join(" and ")} read this place differently; name the format that the model speaks`;
    for (const candidate of this.#candidates) candidate.refuse("ambiguous", message);
  }

  #do(happen: (owner: ReaderOwner) => void): void {
    // What comes behind the place where prose goes on is read again, as prose.
    if (this.settledAt !== undefined) return;
    if (this.#isLive) happen(this.#collector);
    else this.#record.push(happen);
  }

  blockBegins(): void {
    if (this.state === "open") this.state = "claimed";
    this.#do((owner) => owner.blockBegins?.());
  }

  leftover(): void {
    this.#do((owner) => owner.leftover?.());
  }

  settled(position: number): void {
    if (this.settledAt !== undefined || this.state !== "claimed") return;
    // Text of this format, such as what stands between its calls, ends here too.
    this.reader.endText();
    this.settledAt = position;
  }

  text(kind: "content" | "reasoning", piece: string, start: number): void {
    // The trigger itself is text: this format has nothing here.
    if (this.state === "open") this.state = kind === "content" && start === this.#start ? "declined" : "claimed";
    this.#do((owner) => owner.text(kind, piece, start));
  }

  textEnd(kind: "content" | "reasoning", start: number, end: number): void {
    this.#do((owner) => owner.textEnd(kind, start, end));
  }

  mayStart(candidate: Candidate): boolean {
    return this.#isLive && this.settledAt === undefined && this.#collector.mayStart(candidate);
  }

  start(candidate: Candidate): void {
    this.#do((owner) => owner.start(candidate));
  }

  delta(candidate: Candidate, text: string): void {
    this.#do((owner) => owner.delta(candidate, text));
  }

  end(candidate: Candidate, chars: number): void {
    if (this.settledAt === undefined) this.#candidates.push(candidate);
    this.#held?.push({ candidate, chars });
    this.#do((owner) => owner.end(candidate, chars));
  }

  refused(candidate: Candidate): void {
    if (this.settledAt === undefined) this.#candidates.push(candidate);
    this.#held?.push({ candidate, chars: 0 });
    this.#do((owner) => owner.refused(candidate));
  }

  beginBare(): void {
    this.#held = [];
    this.#do((owner) => owner.beginBare());
  }

  endBare(): boolean {
    const held = this.#held ?? [];
    this.#held = undefined;
    const { format, judge } = this.#entrant;
    const isMessage = isBareMessage(judgeHeld(held, format, judge), format);
    this.#do((owner) => owner.endBare());
    if (!isMessage) {
      this.state = "declined";
      // Data is not a call gone wrong: one that names no tool leaves the listing to another format.
      if (held.some(({ candidate }) => candidate.name !== undefined)) this.listBare = () => this.#listBare(held);
    }
    return isMessage;
  }

  /** What was a message of calls but for the gate is listed as it is where this format is read alone. */
  #listBare(held: readonly Held[]): void {
    const collector = this.#collector;
    collector.use(this.#entrant.format, this.#entrant.judge);
    collector.beginBare();
    for (const { candidate, chars } of held) {
      if (candidate.problem) collector.refused(candidate);
      else collector.end(candidate, chars);
    }
    collector.endBare();
  }

  listed(reason: RejectionReason, message: string, span: { start: number; end: number; raw: string }): void {
    const list = (owner: ReaderOwner) => owner.listed(reason, message, span);
    if (this.state === "open" && span.start === this.#start) this.listings.push(list);
    this.#do(list);
  }

  parameterType(name: string, key: string) {
    return this.#entrant.judge.parameterType(name, key);
  }

  unquotingOf(name: string) {
    return this.#entrant.judge.unquotingOf(name);
  }

  schemaOf(name: string) {
    return this.#entrant.judge.schemaOf(name);
  }
}
