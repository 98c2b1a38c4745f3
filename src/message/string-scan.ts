const beforeString = "{[,:";
const afterString = ",:}]";

/**
 * Says of text in pieces whether a string of JSON is open at its end. Where one that begins as a value or key would has not
 * ended as one, nothing is known any more.
 */
export class StringScan {
  #isOpen = false;
  #isEscaped = false;
  /** The string began where JSON has one; until the text says more, it has ended as one. */
  #isJson = false;
  #hasJustEnded = false;
  #isBroken = false;
  /** What stood last outside of strings, blanks aside. */
  #last = "";

  get mayBeOpen(): boolean {
    return this.#isOpen || this.#isBroken;
  }

  read(text: string): void {
    for (const unit of text) {
      if (this.#isBroken) return;
      if (this.#isOpen) this.#readInside(unit);
      else if (unit.trim() !== "") this.#readOutside(unit);
    }
  }

  #readInside(unit: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (unit === "\\") this.#isEscaped = true;
    else if (unit === '"') {
      this.#isOpen = false;
      this.#hasJustEnded = this.#isJson;
    }
  }

  #readOutside(unit: string): void {
    if (this.#hasJustEnded && !afterString.includes(unit)) this.#isBroken = true;
    this.#hasJustEnded = false;
    if (unit === '"') {
      this.#isOpen = true;
      this.#isJson = this.#last !== "" && beforeString.includes(this.#last);
    }
    this.#last = unit;
  }
}
