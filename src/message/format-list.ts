import type { FormatData } from "../formats/format-data.ts";
import type { Alternative } from "./alternative.ts";
import { type CallValidator, callValidatorOf } from "./call-validator.ts";
import { type MessageSets, messageSets } from "./message-sets.ts";
import { openersOf } from "./openers.ts";
import type { CoreParseOptions } from "./options.ts";

/** The formats that a message is read in, and what is known of them before any text is there. */
export class FormatList {
  readonly alternatives: readonly Alternative[];
  readonly marker: string | undefined;
  readonly sets: MessageSets;
  /** Openers by their first unit, each with the formats that it may begin a block of. */
  readonly #openers = new Map<string, [string, Alternative[]][]>();
  readonly #openedBy = new Map<string, readonly Alternative[]>();

  constructor(alternatives: readonly Alternative[], marker: string | undefined) {
    const [{ validator }] = alternatives;
    this.alternatives = alternatives;
    this.marker = marker;
    const formats = alternatives.map(({ format }) => format);
    this.sets = messageSets(formats, marker, validator.policy.quoted, validator.hints.names);
    for (const alternative of alternatives) {
      for (const opener of openersOf(alternative.format, marker, validator.hints.names)) this.#add(opener, alternative);
    }
  }

  #add(opener: string, alternative: Alternative): void {
    let alike = this.#openers.get(opener[0]);
    if (alike === undefined) this.#openers.set(opener[0], (alike = []));
    const known = alike.find(([text]) => text === opener);
    if (known) known[1].push(alternative);
    else alike.push([opener, [alternative]]);
  }

  /** The formats with an opener that a text begins with, in the order of the list. */
  opening(text: string): readonly Alternative[] {
    const alike = this.#openers.get(text[0]) ?? [];
    const found = alike.filter(([opener]) => text.startsWith(opener));
    if (found.length <= 1) return found[0]?.[1] ?? [];
    const all = new Set(found.flatMap(([, alternatives]) => alternatives));
    return this.alternatives.filter((alternative) => all.has(alternative));
  }

  /** The same for what a message has been stopped at: one of few literals. */
  openedBy(opener: string): readonly Alternative[] {
    if (this.alternatives.length === 1) return this.alternatives;
    let found = this.#openedBy.get(opener);
    if (found === undefined) this.#openedBy.set(opener, (found = this.opening(opener)));
    return found;
  }
}

/** By what validates the calls of the first format: that is made once for the same format, tools and policy. */
const knownAlternatives = new WeakMap<CallValidator, (readonly Alternative[])[]>();
const knownLists = new WeakMap<CallValidator, FormatList[]>();

/** So many lists are remembered for each first format: nobody uses more at a time. */
const listsMax = 16;

/** What is known under a key that suits, or is made and known from now on. */
function remembered<Known>(
  byValidator: WeakMap<CallValidator, Known[]>,
  validator: CallValidator,
  suits: (known: Known) => boolean,
  make: () => Known,
): Known {
  let known = byValidator.get(validator);
  if (known === undefined) byValidator.set(validator, (known = []));
  const found = known.find(suits);
  if (found !== undefined) return found;
  if (known.length >= listsMax) known.length = 0;
  const made = make();
  known.push(made);
  return made;
}

/** Formats, each with what validates its calls; made once for the same formats, tools and policy. */
export function alternativesOf(
  formats: readonly FormatData[],
  options: Pick<CoreParseOptions, "tools" | "policy">,
  intent: boolean,
): readonly Alternative[] {
  const [first] = formats;
  const isSame = (known: readonly Alternative[]) =>
    known.length === formats.length && known.every((one, at) => one.format === formats[at] && one.intent === intent);
  const make = () => formats.map((format) => ({ format, validator: callValidatorOf(format, options), intent }));
  return remembered(knownAlternatives, callValidatorOf(first, options), isSame, make);
}

/** The list of some formats; made once for each. */
export function formatList(alternatives: readonly Alternative[], marker: string | undefined): FormatList {
  const isSame = (list: FormatList) => list.marker === marker && list.alternatives === alternatives;
  const make = () => new FormatList(alternatives, marker);
  return remembered(knownLists, alternatives[0].validator, isSame, make);
}
