import type { ParseResult } from "../output/result.ts";
import { callValidatorOf, openCallValidatorOf } from "./call-validator.ts";
import { Message } from "./message.ts";
import type { CoreExtractOptions, CoreParseOptions, MessageOptions, ReadSound } from "./options.ts";
import type { Alternative } from "./readings/alternative.ts";
import { alternativesOf, listFormats } from "./readings/format-list.ts";

/** What messages with the same formats, tools and policy have in common. */
export class PreparedMessages {
  readonly #options: CoreParseOptions;
  readonly #alternatives: readonly Alternative[];
  /** Undefined: not asked for yet; null: there is none. */
  #readSound: ReadSound | null | undefined;
  /** The same for messages whose intent is another. */
  #others: readonly Alternative[] | undefined;

  constructor(options: CoreParseOptions) {
    const { intent = false } = options;
    this.#options = options;
    this.#alternatives = this.#alternativesWith(intent);
  }

  #alternativesFor(intent: boolean): readonly Alternative[] {
    if (intent === this.#alternatives[0].intent) return this.#alternatives;
    this.#others ??= this.#alternativesWith(intent);
    return this.#others;
  }

  #alternativesWith(intent: boolean): readonly Alternative[] {
    const options = this.#options;
    return alternativesOf(listFormats(options.format), (format) => callValidatorOf(format, options), intent);
  }

  /** A whole message that is plain text and sound calls, read in one pass; undefined: {@link message} has to read it. */
  sound(text: string, own?: MessageOptions): ParseResult | undefined {
    if (this.#readSound === undefined)
      this.#readSound = this.#options.soundReader?.(this.#options, this.#alternatives) ?? null;
    return this.#readSound?.(text, own);
  }

  /** A message that is extracted and validated. `takesLater`: the caller takes verdicts that come later. */
  message(own: MessageOptions | undefined, emits: boolean, takesLater = false): Message {
    if (own === undefined) return new Message(this.#alternatives, this.#options, emits, takesLater);
    const options = { ...this.#options, ...own };
    return new Message(this.#alternativesFor(options.intent ?? false), options, emits, takesLater);
  }
}

/** A message that is extracted and validated. */
export function parseMessage(options: CoreParseOptions, emits: boolean): Message {
  return new PreparedMessages(options).message(undefined, emits);
}

/** A message that is extracted and not validated. */
export function extractMessage(options: CoreExtractOptions, emits: boolean): Message {
  const alternatives = alternativesOf(
    listFormats(options.format),
    (format) => openCallValidatorOf(format, options.names),
    true,
  );
  return new Message(alternatives, options, emits);
}
