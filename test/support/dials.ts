/** Two tools, and their calls as a model of the format hermes writes them. */
export const dialSchema = {
  type: "object",
  properties: { dial: { type: "string" } },
  required: ["dial"],
  additionalProperties: false,
} as const;
export const ventSchema = {
  type: "object",
  properties: { vent: { type: "string" }, degrees: { type: "integer" } },
  required: ["vent", "degrees"],
  additionalProperties: false,
} as const;

export const chatTools = [
  { type: "function" as const, function: { name: "read_dial", description: "Reads a dial.", parameters: dialSchema } },
  { type: "function" as const, function: { name: "open_vent", description: "Opens a vent.", parameters: ventSchema } },
];

export function hermesCall(name: string, given: object): string {
  return `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>\n`;
}

export const northCall = hermesCall("read_dial", { dial: "north" });
export const ventCall = hermesCall("open_vent", { vent: "roof", degrees: 30 });
/** A name that is not on offer. */
export const wrongName = hermesCall("read_dail", { dial: "north" });
/** A type that the schema does not allow. */
export const wrongType = hermesCall("open_vent", { vent: "roof", degrees: "far" });
