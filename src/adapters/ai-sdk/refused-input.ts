const begins = "not run: ";

/** The input of a refused call: a sentence, and no JSON nor the beginning of any, so that no schema lets it through. */
export function refusedInput(error: string): string {
  return `${begins}${error}`;
}

export function isRefusedInput(input: string): boolean {
  return input.startsWith(begins);
}
