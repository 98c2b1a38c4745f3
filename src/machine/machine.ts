import { AwaitedLiteral } from "./awaited-literal.ts";
import { Bindings, boundUnitsMax, empty } from "./bindings.ts";
import {
  endsCodeBefore,
  type FencePlace,
  fenceIndentMax,
  fencePlace,
  isInPlace,
  LineBegins,
  leavesPlace,
  lineUnitsMax,
  mayBeginFence,
  plainPlace,
} from "./fence-containers.ts";
import { DeclaredKeys, type Hints } from "./hints.ts";
import { indentMax, isIndent } from "./indent.ts";
import { type JsonObject, readJsonObject } from "./json-object.ts";
import { latePattern } from "./late-pattern.ts";
import { LiteralSearch } from "./literal-search.ts";
import {
  hasUnit,
  keySlot,
  nameSlot,
  Operation,
  type PlaceSearch,
  type ReadyProgram,
  type ReadyWords,
} from "./program.ts";
import { repairRoleBase, variantShift, wholeObjectRole } from "./roles.ts";
import { roomForNumbers, roomForValues } from "./room.ts";
import { Searches } from "./searches.ts";
import { charCodeAt, standsAt } from "./string-units.ts";

/** What an operation comes to. `starves`: it needs text that is not there. */
const succeeds: number = 0;
const fails = 1;
const starves = 2;

/** Why {@link Machine.run} came back. */
export type Status = "starved" | "done" | "failed" | "paused" | "declined" | "object";

/** So much of what may be read again stays in the window. */
const keptMax = 64;
/** Text before the place where a reading begins, or goes on, that it may ask for again: the line of a fence is the longest. */
export const fetchedBefore = lineUnitsMax;
/** Every program begins with the call of its start rule, and the end after it. */
const endAddress = 2;
/** A log of this length is read before it grows, when all of it is certain: memory stays small whatever the text. */
const logEntriesMax = 2048;

/** Where a marker is missing, the reader may go back. */
const mayLeadBack = (code: number): boolean => (code & roleMask) >= repairRoleBase;
const roleMask = (1 << variantShift) - 1;
/** In less text than this a search costs more than looking at each character. */
const searchedCharsMin = 32;
/** Less of a literal is no sign of it. */
const cutCharsMin = 3;

/**
 * The parsing machine: runs a compiled grammar over text that arrives in chunks, and can stop and go on at every
 * UTF-16 unit. A return stack and a choice stack take the place of recursion, so depth costs memory, never the call
 * stack (after LPeg: R. Ierusalimschy, "A Text Pattern-Matching Tool based on Parsing Expression Grammars", 2009).
 *
 * What it finds goes to the capture log: pairs of a role code (shifted by one, the low bit set when the role closes)
 * and an offset. Entries below {@link safeLog} are final; text below {@link safePosition} is, too.
 */
export class Machine {
  readonly #program: ReadyProgram;
  readonly #hints: Hints;
  readonly #lines: LineBegins;
  /** Fetches text that has left the window; only needed when the machine backtracks before it. */
  readonly #fetch: (start: number) => string;

  #window = "";
  #base = 0;
  #position = 0;
  #address = 0;
  #final = false;
  /** More of it may have come than is in the window. */
  readonly #awaited = new AwaitedLiteral();

  // Plain arrays: for one short message, three typed arrays cost more than all the reading.
  readonly #returns = roomForNumbers();
  #returnTop = 0;
  /** Four numbers a record: address, position, height of the return stack, length of the log. */
  readonly #choices = roomForNumbers();
  #choiceTop = 0;
  /** Records below are dead: a cut has been passed since they were made. */
  #cut = 0;
  readonly log = roomForNumbers();
  logTop = 0;

  #guard = -1;
  #guardReturns = 0;
  #guardChoices = 0;

  readonly #search: LiteralSearch;
  /** In the window, after a unit that may have begun a literal of a scan. */
  #passed = -1;
  readonly #slotStarts = roomForNumbers();
  /** Where a word begins of which more may come, and how far it has been looked at: without hints any word is a name. */
  #nameStart = -1;
  #nameTo = 0;
  /** The outermost text that is being bound: its slot, where it begins (-1: none is), and the height of the choices. */
  #openSlot = 0;
  #openStart = -1;
  #openChoices = 0;
  readonly #bindings = new Bindings();
  /** What the fence or the code span that is being read stands in. */
  #fence: FencePlace = plainPlace;
  readonly #declaredKeys: DeclaredKeys;

  /** A driver reads the log: {@link run} may come back as `paused`, and objects be read in one go. */
  isDriven = false;
  /** Objects read in one go, whose log entries have not been read yet. */
  readonly #objects = roomForValues<JsonObject | undefined>();
  /** How many of them have been taken: to take the first out of a long array moves the others. */
  #taken = 0;
  /** How much of the window has been looked at for objects that are none. */
  #inVain = 0;
  readonly #searches = new Searches();
  readonly #places: PlaceSearch | undefined;
  /** Characters looked at, look-ahead included: the measure of linearity. */
  steps = 0;
  /** The rightmost offset at which something failed since the last damage. */
  furthest = 0;
  /** Whether the last failure was for want of text. */
  ranOut = false;
  /** Offset at which {@link noted} collects what was expected; -1: nowhere. */
  watch = -1;
  /** Addresses of the operations that failed at {@link watch}. */
  readonly noted: number[] = [];

  constructor(program: ReadyProgram, hints: Hints, replyBegin: number, fetch: (start: number) => string) {
    this.#program = program;
    this.#hints = hints;
    this.#declaredKeys = hints.keys ?? new DeclaredKeys(hints.keysOf);
    this.#lines = new LineBegins(replyBegin);
    this.#search = new LiteralSearch(program.scanCount);
    this.#places = program.places?.search();
    this.#fetch = fetch;
  }

  /** Offset of the next unit to read. */
  get position(): number {
    return this.#base + this.#position;
  }

  /** Whether some choice could still take the reading back. */
  get undecided(): boolean {
    return this.#choiceTop > this.#cut;
  }

  /** Text before this offset will not be read in another way. */
  get safePosition(): number {
    return this.undecided ? this.#choices[4 * this.#cut + 1] : this.position;
  }

  /** Text before this offset will not be fetched again. */
  get neededFrom(): number {
    const from = this.#openStart < 0 ? this.safePosition : Math.min(this.#openStart, this.safePosition);
    return from - fetchedBefore;
  }

  /** Log entries before this index are final. */
  get safeLog(): number {
    return this.undecided ? this.#choices[4 * this.#cut + 3] : this.logTop;
  }

  /** Whether the machine stands inside a payload that recovery may read instead. */
  get guarded(): boolean {
    return this.#guard >= 0;
  }

  /** Adds text. Costs the chunk, plus what is still undecided at the end of the last one. */
  feed(chunk: string): void {
    const text = this.#awaited.after(this.#window.length - this.#position) + chunk;
    this.#awaited.end();
    // To join strings costs more than to read a few characters: what has been read is fetched again where it is asked for.
    const kept = this.undecided ? Math.min(this.position - this.safePosition, keptMax) : 0;
    const from = Math.max(0, this.#position - kept);
    this.#window = from === this.#window.length ? text : this.#window.slice(from) + text;
    this.#base += from;
    this.#position -= from;
    this.#search.forget();
    this.#inVain = 0;
  }

  /** Whether a chunk only goes on with the literal inside which the text ended. */
  keeps(chunk: string): boolean {
    return this.#awaited.keeps(chunk);
  }

  /** The object that the log says was read in one go at an offset; once only. */
  takeObject(start: number): JsonObject {
    // Readings that were given up may have left some behind.
    for (;;) {
      const object = this.#objects[this.#taken] as JsonObject;
      this.#objects[this.#taken++] = undefined;
      if (this.#taken === this.#objects.length) this.#forgetObjects();
      if (object.start === start) return object;
    }
  }

  /** Goes on after the object that {@link run} has stopped at, and that another has read. `rest`: the text after it. */
  passObject(end: number, rest: string): void {
    this.#address = this.#program.code[this.#address + 1];
    this.steps += end - this.position;
    this.#take(rest, end);
  }

  /** Reads that object by its rule. */
  readObject(): void {
    this.#address += 2;
    this.#take(this.#fetch(this.position), this.position);
  }

  #take(text: string, position: number): void {
    this.#window = text;
    this.#base = position;
    this.#position = 0;
    this.#search.forget();
  }

  /** Text that still stands in the window; undefined when some of it has left. */
  windowSlice(start: number, end: number): string | undefined {
    const isHere = start >= this.#base && end <= this.#base + this.#window.length;
    return isHere ? this.#window.slice(start - this.#base, end - this.#base) : undefined;
  }

  /** The unit before an offset, where that still stands in the window. */
  unitBefore(offset: number): number | undefined {
    const at = offset - 1 - this.#base;
    return at >= 0 && at < this.#window.length ? this.#window.charCodeAt(at) : undefined;
  }

  /** Forgets log entries that have been read; only legal up to {@link safeLog}. */
  dropLog(count: number): void {
    const { log } = this;
    this.logTop -= count;
    // What is left is short.
    for (let at = 0; at < this.logTop; at++) log[at] = log[at + count];
    for (let at = this.#cut; at < this.#choiceTop; at++) this.#choices[4 * at + 3] -= count;
  }

  /** Goes on after a payload that recovery has read up to `end`. */
  resumeBehindPayload(end: number): void {
    this.#address = this.#guard;
    this.#returnTop = this.#guardReturns;
    this.#choiceTop = this.#guardChoices;
    this.#cut = this.#choiceTop;
    this.#moveTo(end);
  }

  /** Goes on after damage: to the nearest loop that can read another call. False when there is none. */
  resumeAfterDamage(position: number): boolean {
    const { syncPoints } = this.#program;
    for (let at = this.#returnTop - 1; at >= 0; at--) {
      const syncPoint = syncPoints.get(this.#returns[at]);
      if (!syncPoint) continue;
      let records = 0;
      while (records < this.#choiceTop && this.#choices[4 * records + 2] < at) records++;
      this.#choiceTop = Math.min(this.#choiceTop, records + syncPoint[2]);
      this.#cut = this.#choiceTop;
      this.#returnTop = at;
      this.#address = syncPoint[1];
      this.#moveTo(position);
      return true;
    }
    return false;
  }

  /**
   * Begins anew at an entry of the program. What searches have found still stands; all else is forgotten.
   *
   * @param lineBegin a place that counts as the beginning of a line: what framing ends there begins one
   */
  enter(entry: number, position: number, lineBegin = -1): void {
    this.#forget(entry, lineBegin);
    this.#moveTo(position);
  }

  /** Takes a whole text, for {@link enterWhole}. */
  load(text: string): void {
    this.#window = text;
    this.#base = this.#inVain = 0;
    this.#search.forget();
    this.#searches.forget();
  }

  /** The same as {@link enter} where all of the text has been taken. */
  enterWhole(entry: number, position: number): void {
    this.#forget(entry, -1);
    this.#beginAt(position);
  }

  #forget(entry: number, lineBegin: number): void {
    this.#awaited.end();
    this.#address = entry;
    this.#returnTop = this.#choiceTop = this.#cut = this.logTop = 0;
    this.#bindings.forget();
    this.#forgetObjects();
    this.#lines.entered = lineBegin;
  }

  #forgetObjects(): void {
    empty(this.#objects);
    this.#taken = 0;
  }

  /** The same with a rule, for explanations: what it would go back to is the end. */
  enterRule(address: number, position: number): void {
    this.enter(address, position);
    this.#returns[0] = endAddress;
    this.#returnTop = 1;
  }

  #moveTo(position: number): void {
    this.#rewind(position);
    this.#beginAt(position);
  }

  #beginAt(position: number): void {
    this.#position = position - this.#base;
    this.#guard = this.#openStart = this.#nameStart = -1;
    this.furthest = position;
    this.ranOut = false;
    // What led here is no longer taken back, what it has bound neither.
    this.#bindings.settle();
  }

  /**
   * Reads on as far as the text goes.
   * @param final no more text will come: its end may be matched.
   * @returns `starved` at the end of the text, `done` when the start rule has matched, `failed` when no reading is left,
   * `paused` when much has been found: read the log, then run on; `object` where a JSON object begins whose end is not there
   * yet: then {@link passObject} or {@link readObject}.
   */
  run(final: boolean): Status {
    if (this.#awaited.isOpen) this.feed("");
    this.#final = final;
    const { code, strings, sets, scans, tables, literals } = this.#program;
    const places = this.#places;
    const search = this.#search;
    const bindings = this.#bindings;
    let window = this.#window;
    let end = window.length;
    let p = this.#position;
    let pc = this.#address;
    let steps = 0;
    let status: Status | undefined;

    for (;;) {
      let outcome = succeeds;
      switch (code[pc]) {
        case Operation.Char:
          if (p < end) {
            steps++;
            if (charCodeAt.call(window, p) === code[pc + 1]) {
              p++;
              pc += 2;
            } else outcome = fails;
            break;
          }
          outcome = starves;
          break;
        case Operation.Literal: {
          const literal = strings[code[pc + 1]];
          const length = literal.length;
          if (p + length <= end) {
            // Most markers that are none differ in their second unit.
            if (length > 1 && charCodeAt.call(window, p + 1) !== charCodeAt.call(literal, 1)) {
              steps += 2;
              outcome = fails;
              break;
            }
            steps += length;
            if (standsAt(window, literal, p)) {
              p += length;
              pc += 2;
            } else outcome = fails;
            break;
          }
          let at = p;
          while (at < end && charCodeAt.call(window, at) === charCodeAt.call(literal, at - p)) at++;
          steps += at - p + 1;
          outcome = fails;
          if (at < end) break;
          // Where no more comes, it is none.
          if (!final) this.#awaited.begin(literal, end - p);
          outcome = starves;
          break;
        }
        case Operation.Any:
          if (p < end) {
            steps++;
            p++;
            pc++;
            break;
          }
          outcome = starves;
          break;
        case Operation.Set:
          if (p < end) {
            steps++;
            if (hasUnit(sets[code[pc + 1]], charCodeAt.call(window, p))) {
              p++;
              pc += 2;
            } else outcome = fails;
            break;
          }
          outcome = starves;
          break;
        case Operation.Span: {
          const set = sets[code[pc + 1]];
          const from = p;
          const near = Math.min(end, p + 16);
          while (p < near && hasUnit(set, charCodeAt.call(window, p))) p++;
          if (p === near && p < end) {
            const { run } = set;
            run.lastIndex = p;
            run.test(window);
            p = run.lastIndex;
          }
          steps += p - from + 1;
          if (p === end && !final) {
            outcome = starves;
            break;
          }
          pc += 2;
          break;
        }
        case Operation.Skip: {
          const scan = scans[code[pc + 1]];
          const from = p;
          if (end - p > searchedCharsMin) {
            // Most values are short. After a unit that began nothing, more of them may come: then it pays to search.
            if (p !== this.#passed) {
              const near = p + searchedCharsMin;
              while (p < near && !hasUnit(scan.firsts, charCodeAt.call(window, p))) p++;
              steps += p - from + 1;
              if (p < near) {
                this.#passed = p + 1;
                pc += 2;
                break;
              }
            }
            const nearest = search.nearest(window, scan, p);
            steps += search.examined;
            const last = end - scan.longest;
            if (nearest <= last) {
              p = nearest;
              pc += 2;
              break;
            }
            // None that is whole stands further ahead; at the end of the window a longer one may begin before it.
            p = Math.max(p, last + 1);
          }
          const { firsts } = scan;
          while (p < end && !hasUnit(firsts, charCodeAt.call(window, p))) p++;
          steps += p - from + 1;
          if (p === end && !final) {
            outcome = starves;
            break;
          }
          pc += 2;
          break;
        }
        case Operation.PlainText: {
          const from = p;
          // Where the message begins, a line does: no text before it says so.
          if (places !== undefined && this.#base + p > this.#lines.replyBegin + indentMax) p = places.from(window, p);
          steps += p - from + 1;
          if (p === end && !final) {
            outcome = starves;
            break;
          }
          pc++;
          break;
        }
        case Operation.SkipSet: {
          const set = sets[code[pc + 1]];
          const from = p;
          while (p < end && !hasUnit(set, charCodeAt.call(window, p))) p++;
          steps += p - from + 1;
          if (p === end && !final) {
            outcome = starves;
            break;
          }
          pc += 2;
          break;
        }
        case Operation.TestChar:
          if (p < end) {
            steps++;
            pc = charCodeAt.call(window, p) === code[pc + 1] ? pc + 3 : code[pc + 2];
            break;
          }
          if (!final) {
            outcome = starves;
            break;
          }
          this.ranOut = true;
          pc = code[pc + 2];
          break;
        case Operation.TestSet:
          if (p < end) {
            steps++;
            pc = hasUnit(sets[code[pc + 1]], charCodeAt.call(window, p)) ? pc + 3 : code[pc + 2];
            break;
          }
          if (!final) {
            outcome = starves;
            break;
          }
          this.ranOut = true;
          pc = code[pc + 2];
          break;
        case Operation.TestEnd:
          if (p < end) pc += 2;
          else if (final) pc = code[pc + 1];
          else outcome = starves;
          break;
        case Operation.Switch:
          if (p < end) {
            steps++;
            const unit = charCodeAt.call(window, p);
            pc = tables[code[pc + 1]][unit < 128 ? unit : 128];
            break;
          }
          outcome = starves;
          break;
        case Operation.Choice: {
          const at = 4 * this.#choiceTop++;
          const choices = this.#choices;
          choices[at] = code[pc + 1];
          choices[at + 1] = this.#base + p;
          choices[at + 2] = this.#returnTop;
          choices[at + 3] = this.logTop;
          pc += 2;
          break;
        }
        case Operation.Commit:
          this.#choiceTop--;
          if (this.#cut > this.#choiceTop) this.#cut = this.#choiceTop;
          if (bindings.mayBeUndone) bindings.keep(this.#choiceTop, this.#cut);
          pc = code[pc + 1];
          break;
        case Operation.BackCommit: {
          const at = 4 * --this.#choiceTop;
          if (this.#cut > this.#choiceTop) this.#cut = this.#choiceTop;
          // A look-ahead binds nothing.
          if (bindings.mayBeUndone) bindings.undo(this.#choiceTop);
          this.logTop = this.#choices[at + 3];
          const position = this.#choices[at + 1];
          if (position < this.#base) {
            this.#rewind(position);
            window = this.#window;
            end = window.length;
          }
          p = position - this.#base;
          pc = code[pc + 1];
          break;
        }
        case Operation.FailTwice: {
          // What must not stand here has matched: the failure is where the look-ahead began.
          const position = this.#choices[4 * --this.#choiceTop + 1];
          if (this.#cut > this.#choiceTop) this.#cut = this.#choiceTop;
          if (position < this.#base) {
            this.#rewind(position);
            window = this.#window;
            end = window.length;
          }
          p = position - this.#base;
          outcome = fails;
          break;
        }
        case Operation.Fail:
          outcome = fails;
          break;
        case Operation.Call:
          this.#returns[this.#returnTop++] = pc + 2;
          pc = code[pc + 1];
          break;
        case Operation.Return:
          pc = this.#returns[--this.#returnTop];
          break;
        case Operation.Jump:
          pc = code[pc + 1];
          break;
        case Operation.Open:
          this.#capture(code[pc + 1] << 1, this.#base + p);
          pc += 2;
          break;
        case Operation.Close:
          this.#capture((code[pc + 1] << 1) | 1, this.#base + p);
          pc += 2;
          if ((this.logTop >= logEntriesMax || mayLeadBack(code[pc - 1])) && this.isDriven && !this.undecided)
            status = "paused";
          break;
        case Operation.Cut:
          this.#cut = this.#choiceTop;
          // What a look-ahead before the cut has run into says nothing of what comes after it.
          this.ranOut = false;
          pc++;
          break;
        case Operation.NotSet:
          if (p < end) {
            steps++;
            if (hasUnit(sets[code[pc + 1]], charCodeAt.call(window, p))) outcome = fails;
            else pc += 2;
            break;
          }
          if (!final) {
            outcome = starves;
            break;
          }
          pc += 2;
          break;
        case Operation.AtSet:
          if (p < end) {
            steps++;
            if (hasUnit(sets[code[pc + 1]], charCodeAt.call(window, p))) pc += 2;
            else outcome = fails;
            break;
          }
          outcome = starves;
          break;
        case Operation.NotLiteral:
        case Operation.AtLiteral: {
          const literal = strings[code[pc + 1]];
          const whole = p + literal.length <= end;
          steps += Math.min(literal.length, end - p);
          const matches = standsAt(window, literal, p);
          if (!whole && literal.startsWith(window.slice(p))) {
            if (!final) {
              outcome = starves;
              break;
            }
            this.ranOut = true;
          }
          if (matches === (code[pc] === Operation.AtLiteral)) pc += 2;
          else outcome = fails;
          break;
        }
        case Operation.AtEnd:
          if (p < end) {
            steps++;
            outcome = fails;
          } else if (final) pc++;
          else outcome = starves;
          break;
        case Operation.LineStart: {
          const before = this.#textBefore(p, indentMax + 1);
          let at = before.length;
          while (at > 0 && before.length - at < indentMax && isIndent(before.charCodeAt(at - 1))) at--;
          steps += before.length - at + 1;
          const begin = this.#base + p - before.length + at;
          if (this.#lines.isAt(begin, before[at - 1])) pc++;
          else outcome = fails;
          break;
        }
        case Operation.ToolsKnown:
          if (this.#hints.names !== undefined) pc++;
          else outcome = fails;
          break;
        case Operation.UnnamedOffered: {
          const { names } = this.#hints;
          const isOffered =
            names === undefined || strings[code[pc + 1]].split(" ").some((name) => names.includes(name));
          if (isOffered) pc += 2;
          else outcome = fails;
          break;
        }
        case Operation.FenceStart:
          if (mayBeginFence(this.#beforeFence(p))) pc++;
          else outcome = fails;
          break;
        case Operation.FenceBegin: {
          this.#fence = fencePlace(this.#lines.lineTo(this.#textBefore(p, lineUnitsMax), this.#base + p));
          pc++;
          break;
        }
        case Operation.CodeLeave:
        case Operation.FenceLeave: {
          const ends = code[pc] === Operation.CodeLeave ? endsCodeBefore : leavesPlace;
          const leaves = ends(this.#fence, window, p, final);
          steps++;
          if (leaves === undefined) outcome = starves;
          else if (leaves) pc++;
          else outcome = fails;
          break;
        }
        case Operation.FenceInside: {
          const before = this.#beforeFence(p);
          steps += (before?.length ?? 0) + 1;
          if (before !== undefined && isInPlace(this.#fence, before)) pc++;
          else outcome = fails;
          break;
        }
        case Operation.PairClose:
          if (this.#hints.closesPair?.(this.#base + p) ?? true) pc++;
          else outcome = fails;
          break;
        case Operation.Vain:
          if (this.#searches.isVain(code[pc + 1], this.#searchKey(), this.#base + p)) pc += 2;
          else outcome = fails;
          break;
        case Operation.Found:
          if (this.#searches.isFound(code[pc + 1], this.#searchKey(), this.#base + p)) pc += 2;
          else outcome = fails;
          break;
        case Operation.Searched:
          this.#searches.end(code[pc + 1], this.#searchKey(), this.#base + p);
          pc += 2;
          break;
        case Operation.Decline:
          status = "declined";
          break;
        case Operation.BindBegin:
          this.#slotStarts[code[pc + 1]] = this.#base + p;
          if (this.#openStart < 0) {
            this.#openSlot = code[pc + 1];
            this.#openStart = this.#base + p;
            this.#openChoices = this.#choiceTop;
          }
          pc += 2;
          break;
        case Operation.BindEnd:
          bindings.bind(
            code[pc + 1],
            this.#boundText(this.#slotStarts[code[pc + 1]], this.#base + p),
            this.#choiceTop,
            this.undecided,
          );
          if (code[pc + 1] === this.#openSlot) this.#openStart = -1;
          pc += 2;
          break;
        case Operation.Same: {
          const bound = bindings.texts[code[pc + 1]];
          if (bound === undefined) {
            outcome = fails;
            break;
          }
          const whole = p + bound.length <= end;
          steps += Math.min(bound.length, end - p) + 1;
          if (whole && standsAt(window, bound, p)) {
            p += bound.length;
            pc += 2;
            break;
          }
          outcome = !whole && bound.startsWith(window.slice(p)) ? starves : fails;
          break;
        }
        case Operation.OneOf: {
          const { all, byUnit, bySecond, anyCase } = literals.get(code[pc + 1]) as ReadyWords;
          let words: readonly string[] | undefined = all;
          if (p < end) {
            const unit = Math.min(charCodeAt.call(window, p), 128);
            words = byUnit[unit];
            const seconds = p + 1 < end ? bySecond[unit] : undefined;
            if (seconds !== undefined) words = seconds.get(charCodeAt.call(window, p + 1)) ?? seconds.get(-1);
            if (words === undefined) {
              steps++;
              outcome = fails;
              break;
            }
          }
          const matched = anyCase
            ? this.#matchWord(window.slice(p, p + words[0]?.length).toLowerCase(), 0, words, false)
            : this.#matchWord(window, p, words, false);
          if (matched < 0) {
            outcome = starves;
            break;
          }
          steps += matched + 1;
          if (matched === 0) outcome = fails;
          else {
            p += matched;
            pc += 2;
          }
          break;
        }
        case Operation.CutOf:
        case Operation.ToolName:
        case Operation.DeclaredKey:
        case Operation.SeenKey: {
          const isCut = code[pc] === Operation.CutOf;
          const matched = isCut
            ? this.#matchCut(window, p, (literals.get(code[pc + 1]) as ReadyWords).all)
            : this.#matchWord(window, p, this.#wordsAt(code[pc]), code[pc] === Operation.DeclaredKey);
          if (matched < 0) {
            outcome = starves;
            break;
          }
          steps += matched + 1;
          if (matched === 0) outcome = fails;
          else {
            p += matched;
            pc += isCut ? 2 : 1;
          }
          break;
        }
        case Operation.RecoverableRegion:
          this.#guard = code[pc + 1];
          this.#guardReturns = this.#returnTop;
          this.#guardChoices = this.#choiceTop;
          pc += 2;
          break;
        case Operation.Unguard:
          this.#guard = -1;
          pc++;
          break;
        case Operation.BeginCall:
          bindings.beginCall();
          pc++;
          break;
        case Operation.SeeKey:
          bindings.see(this.#choiceTop);
          pc++;
          break;
        case Operation.WholeObject: {
          if (p === end && !final) {
            outcome = starves;
            break;
          }
          if (!this.isDriven || p === end || charCodeAt.call(window, p) !== 0x7b || this.#inVain > end) {
            pc += 2;
            break;
          }
          const object = readJsonObject(window, p, this.#base);
          if (typeof object === "number") {
            // What is broken often must not be searched often: so much is looked at in vain, and no more.
            this.#inVain += object;
            steps += object;
            if (object === end - p && !final && !this.undecided) status = "object";
            else pc += 2;
            break;
          }
          const { length } = object.text;
          this.#capture(wholeObjectRole << 1, this.#base + p);
          this.#objects.push(object);
          p += length;
          steps += 2 * length;
          this.#capture((wholeObjectRole << 1) | 1, this.#base + p);
          pc = code[pc + 1];
          break;
        }
        case Operation.End:
          status = "done";
          break;
        default:
          throw new Error(
            `toolpeg: the program holds an unknown operation ${code[pc]} at ${pc}; compile the grammar again.`,
          );
      }
      if (status !== undefined) break;
      if (outcome === succeeds) continue;
      // What needs more text fails where none will come.
      if (outcome === starves) {
        if (!final) {
          status = "starved";
          break;
        }
        this.ranOut = true;
      }

      const at = this.#base + p;
      if (at > this.furthest) this.furthest = at;
      if (at === this.watch) this.noted.push(pc);
      if (this.#choiceTop <= this.#cut) {
        status = "failed";
        break;
      }
      const record = 4 * --this.#choiceTop;
      const choices = this.#choices;
      pc = choices[record];
      const position = choices[record + 1];
      this.#returnTop = choices[record + 2];
      this.logTop = choices[record + 3];
      if (this.#choiceTop < this.#guardChoices) this.#guard = -1;
      if (this.#choiceTop < this.#openChoices) this.#openStart = -1;
      if (bindings.seen.length || bindings.replaced.length) bindings.undo(this.#choiceTop);
      if (position < this.#base) {
        this.#rewind(position);
        window = this.#window;
        end = window.length;
      }
      p = position - this.#base;
    }

    this.#position = p;
    this.#address = pc;
    this.steps += steps;
    return status as Status;
  }

  /**
   * What a search depends on: in a block the parameter that is read, in text around blocks all that is bound, and what the
   * code span stands in.
   */
  #searchKey(): string | undefined {
    const { texts } = this.#bindings;
    if (this.#places === undefined) return texts[keySlot];
    const { containers, line } = this.#fence;
    return `${texts.map(String).join()} ${containers.join()} ${line}`;
  }

  /** What stands before a place on its line, if it is nothing but what may stand before a fence. */
  #beforeFence(p: number): string | undefined {
    return this.#lines.beforeFence(this.#textBefore(p, fenceIndentMax + 1), this.#base + p);
  }

  /** So many units before a place, or all there are. */
  #textBefore(p: number, units: number): string {
    if (p >= units || this.#base === 0) return this.#window.slice(Math.max(0, p - units), p);
    const start = Math.max(0, this.#base + p - units);
    return this.#fetch(start).slice(0, this.#base + p - start);
  }

  #capture(entry: number, position: number): void {
    this.log[this.logTop] = entry;
    this.log[this.logTop + 1] = position;
    this.logTop += 2;
  }

  #boundText(start: number, end: number): string {
    const length = Math.min(end - start, boundUnitsMax);
    return this.windowSlice(start, start + length) ?? this.#fetch(start).slice(0, length);
  }

  #rewind(position: number): void {
    const before = this.#base;
    const end = before + this.#window.length;
    this.#window = this.#fetch(position);
    this.#base = position;
    // What has been found in the same text still stands there; else each damage would search the rest of it again.
    if (position + this.#window.length === end) this.#search.shift(before - position);
    else this.#search.forget();
  }

  /** Length of the longest of the words that stands here; 0: none; -1: more text is needed. */
  #matchWord(window: string, p: number, words: readonly string[] | undefined, unseen: boolean): number {
    if (words === undefined) {
      const start = this.#base + p;
      const length = anyName(window, p, this.#nameStart === start ? this.#nameTo - this.#base : p, this.#final);
      this.#nameStart = length < 0 ? start : -1;
      this.#nameTo = this.#base + window.length;
      return length;
    }
    const rest = window.length - p;
    // A unit that is not there is not asked for: an engine throws away what it has compiled of a loop that has not seen that.
    const first = rest > 0 ? charCodeAt.call(window, p) : -1;
    // Most tokens begin alike, and differ in their third unit.
    const third = rest > 2 ? charCodeAt.call(window, p + 2) : -1;
    let longest = 0;
    for (let at = 0; at < words.length; at++) {
      const word = words[at];
      if (rest > 0 && charCodeAt.call(word, 0) !== first) continue;
      if (rest > 2 && word.length > 2 && charCodeAt.call(word, 2) !== third) continue;
      if (word.length > rest ? !word.startsWith(window.slice(p)) : !standsAt(window, word, p)) continue;
      if (unseen && this.#bindings.seen.includes(word)) continue;
      if (word.length > rest) {
        if (!this.#final) return -1;
        // The text ends inside the word.
        this.ranOut = true;
        continue;
      }
      if (word.length > longest) longest = word.length;
    }
    return longest;
  }

  /** Length of what is left of the text, where one of the words is cut there; 0: none is; -1: more text is needed. */
  #matchCut(window: string, p: number, words: readonly string[]): number {
    const rest = window.length - p;
    // The longest stands first.
    if (words.length === 0 || rest >= words[0].length) return 0;
    const text = window.slice(p);
    if (!words.some((word) => word.length > rest && word.startsWith(text))) return 0;
    if (!this.#final) return -1;
    return rest < cutCharsMin ? 0 : rest;
  }

  /** The words that an operation may match; undefined: any. */
  #wordsAt(operation: number): readonly string[] | undefined {
    if (operation === Operation.SeenKey) return this.#bindings.seen;
    if (operation === Operation.ToolName) return this.#hints.names;
    const name = this.#bindings.texts[nameSlot];
    return name === undefined ? undefined : this.#declaredKeys.of(name);
  }
}

const nameUnits = latePattern("[\\p{L}\\p{N}_.:-]");

/** Without hints any word is a name. */
function anyName(window: string, p: number, from: number, final: boolean): number {
  const nameUnit = nameUnits();
  let at = from;
  while (at < window.length && nameUnit.test(window[at])) at++;
  return at === window.length && !final ? -1 : at - p;
}
