import { SoundCall } from "../blocks/sound-call.ts";
import type { RoleHandlers } from "../blocks/state.ts";
import { onceFor } from "../contract/once-for.ts";
import type { FormatData } from "../formats/format-data.ts";
import { Machine } from "../machine/machine.ts";
import { readyProgram } from "../machine/program.ts";
import { type BlockLog, type BlockReader, blockReaderOf } from "../machine/recognised-block.ts";
import { roleCodes as role } from "../machine/roles.ts";
import type { CandidateFacts } from "../validation/candidate-facts.ts";
import type { QuickValidate } from "../validation/policy.ts";
import type { ValueTexts } from "./delivery/held-tokens.ts";
import type { Alternative } from "./readings/alternative.ts";

export interface FoundCall extends CandidateFacts, ValueTexts {
  name: string;
  wireId: string | undefined;
  isIdBefore: boolean;
  start: number;
  end: number;
  variant: number;
  by: Alternative;
}

/**
 * In a longer text a value may be long: the machine searches for its end, recognisers go through it. And of several formats,
 * each may look at all of the text at each opener: the first way counts that.
 */
export const shortMax = 65_536;

/** What one format reads at its openers: blocks that are whole and sound. */
export class SoundBlocks {
  readonly #alternative: Alternative;
  /** Made when it has to read: most blocks need none. */
  #machine: Machine | undefined;
  /** Reads blocks in the machine's place, as far as it can. */
  readonly #reader: BlockReader | undefined;
  readonly #call: SoundCall;
  #text = "";
  /** The machine has the text. */
  #isInMachine = false;
  /** Where the block that was read last ends. */
  end = 0;

  constructor(alternative: Alternative) {
    const { format, validator } = alternative;
    const validate: QuickValidate | undefined = validator.policy.validate;
    this.#alternative = alternative;
    this.#reader = blockReaderOf(format, validator.hints);
    this.#call = new SoundCall({
      format,
      handlers: (format.handlers ?? {}) as RoleHandlers,
      hints: validator.hints,
      tools: validator,
      checksAll: validate?.plainCheckOf !== undefined,
    });
  }

  get isLoaded(): boolean {
    return this.#text !== "";
  }

  load(text: string): void {
    this.#text = text;
    this.#reader?.load(text);
    if (this.#isInMachine) this.#machine?.load("");
    this.#isInMachine = false;
  }

  #makeMachine(): Machine {
    const { format, validator } = this.#alternative;
    // What has left the window is never asked for: all of the text is in it.
    const machine = new Machine(readyProgram(format.program), validator.hints, 0, () => "");
    machine.isDriven = true;
    return machine;
  }

  /** The calls of the block that opens at an offset; "declined": the format has none there; undefined: it is not sound. */
  read(start: number): FoundCall[] | "declined" | undefined {
    if (this.#reader !== undefined && (this.#text.length <= shortMax || stopsAtTags(this.#alternative.format))) {
      this.end = this.#reader.read(start);
      if (this.end >= 0) return this.#calls(this.#reader, start);
    }
    this.#machine ??= this.#makeMachine();
    const machine = this.#machine;
    if (!this.#isInMachine) machine.load(this.#text);
    this.#isInMachine = true;
    machine.enterWhole(this.#alternative.format.program.entries.block, start);
    const status = machine.run(true);
    if (status === "declined") return "declined";
    if (status !== "done" || machine.safeLog !== machine.logTop) return undefined;
    this.end = machine.position;
    return this.#calls(machine, start);
  }

  /** The calls of a log. */
  #calls(block: BlockLog, start: number): FoundCall[] | undefined {
    const { logTop } = block;
    if (logTop === 0 || this.end <= start) return undefined;
    const call = this.#call;
    let calls: FoundCall[] | undefined;
    for (let at = 0; at < logTop; ) {
      // All that stands in a list is whole and sound, or nothing is made of it.
      if (isListEntry(block.log[at])) {
        at += 2;
        continue;
      }
      at = call.read(this.#text, block, at);
      if (at < 0 || call.end <= call.start) return undefined;
      const found = this.#found();
      if (calls === undefined) calls = [found];
      else calls.push(found);
    }
    return calls;
  }

  /** Whether the block that was read last is one call in one object that stands there. */
  isObject(calls: readonly FoundCall[], start: number, end: number): boolean {
    return calls.length === 1 && this.#call.objectStart === start && this.#call.objectEnd === end;
  }

  #found(): FoundCall {
    const { name, wireId, isIdBefore, json, value, members, depth, start, end, variant, strings, jsons } = this.#call;
    const by = this.#alternative;
    const chars = end - start;
    return {
      name: name as string,
      wireId,
      isIdBefore,
      argumentsText: json,
      value,
      members,
      depth,
      chars,
      repairs,
      start,
      end,
      variant,
      strings,
      jsons,
      by,
    };
  }
}

const repairs: readonly never[] = [];

const isListEntry = (entry: number) => entry >> 1 === role.List || entry >> 1 === role.Group;

/** Whether a value may end at a mark that begins any tag: the machine stops at each of them, too. */
const stopsAtTags = onceFor(({ program }: FormatData): boolean =>
  readyProgram(program).scans.some(({ groups }) => groups.some(({ literals }) => literals.some(isMark))),
);
const isMark = ({ text }: { readonly text: string }) => text.length === 1;
