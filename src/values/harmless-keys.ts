/** What interfaces write beside name and arguments, and nobody means a parameter by: a closed list. */
export const harmlessKeys: readonly string[] = ["type", "id", "call_id", "index"];

/** Harmless only next to arguments: without them the object describes a tool. */
export const harmlessBesideArguments = "description";
