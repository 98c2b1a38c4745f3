import { show } from "../../contract/option-values.ts";
import type { Candidate } from "../../values/candidate.ts";
import { defaultId } from "./tool-call.ts";

/** The ids of the calls of a message: none is given twice. */
export class CallIds {
  readonly #make: ((n: number) => string) | undefined;
  readonly #given = new Set<string>();

  /** @param make the host's; without it, an id is what the model wrote, or else `call_<n>` */
  constructor(make: ((n: number) => string) | undefined) {
    this.#make = make;
  }

  /** What the host's `id` makes; without one, the wire id if it stood before the arguments and is new in this message. */
  give({ idAtStart = "", index }: Pick<Candidate, "idAtStart" | "index">): string {
    const make = this.#make ?? defaultId;
    const isWritten = this.#make === undefined && idAtStart !== "" && !this.#given.has(idAtStart);
    let id = isWritten ? idAtStart : textOf(make(index));
    for (let n = index; this.#given.has(id) && n < index + idTriesMax; ) id = textOf(make(++n));
    if (this.#given.has(id))
      throw new TypeError(`options.id gave "${id}" for two calls: what it gives must differ with n`);
    this.#given.add(id);
    return id;
  }
}

/** So often another id is asked for when the one given is taken, by the wire or by an earlier call. */
const idTriesMax = 1000;

/** What the host's `id` gave. */
function textOf(id: unknown): string {
  if (typeof id === "string" && id !== "") return id;
  throw new TypeError(`options.id must return a string that is not empty, not ${show(id)}`);
}
