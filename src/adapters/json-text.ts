import { withoutBlanks } from "../values/json-text.ts";
import { randomWord } from "./call-ids.ts";

/** A member of an answer that is JSON already, and goes out as it is written: a number may have more digits than JavaScript keeps. */
export class JsonText {
  readonly #json: string;

  /** @param json is known to be JSON. */
  constructor(json: string) {
    this.#json = json;
  }

  /** On one line, and no half of a surrogate pair alone: bytes cannot say it. */
  toString(): string {
    return withoutBlanks(this.#json).replace(/\p{Surrogate}/gu, (unit) => JSON.stringify(unit).slice(1, -1));
  }
}

/** An answer as JSON. */
export function answerJson(answer: object): string {
  const texts: JsonText[] = [];
  // No answer holds it, so it stands for the texts until they are put in.
  const word = randomWord();
  const json = JSON.stringify(answer, (_key, value) =>
    value instanceof JsonText ? `${word}${texts.push(value) - 1}` : value,
  );
  return texts.length === 0 ? json : json.replace(new RegExp(`"${word}(\\d+)"`, "g"), (_text, at) => `${texts[at]}`);
}
