/**
 * Under which keys a second name may stand: a closed list, read without regard to case, `_` and `-`. No name is read from
 * there; one that differs from the call's own makes two readings.
 */
export const nameSynonyms: readonly string[] = ["name", "tool", "tool_name", "function", "function_name"];
