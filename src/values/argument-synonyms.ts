/**
 * Under which keys models give the arguments, whatever the format documents: a closed list, read without regard to case,
 * `_` and `-`. Under a key that the header does not list they are read with the repair `argument-key`.
 */
export const argumentSynonyms: readonly string[] = ["arguments", "args", "parameters", "params", "input", "kwargs"];
