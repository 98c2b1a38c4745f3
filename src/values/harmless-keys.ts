/** What interfaces write beside name and arguments, and what is never meant as a parameter: a closed list. */
export const harmlessKeys: readonly string[] = ["type", "id", "call_id", "index"];

/** What interfaces write as the `type` of a call. */
export const typeOfCalls = "function";

/** And as that of what a tool has returned. */
export const typeOfResults = /(?:result|response|output)s?$/i;

/** Harmless only next to arguments: without them the object describes a tool. */
export const harmlessBesideArguments = "description";
