import { readPythonCall } from "./read-python.ts";
import { beginRecovery, endRecovery } from "./read-recovered.ts";
import { readPartial, readPayload, readValue } from "./recovery-steps.ts";
import type { Recovery } from "./recovery-types.ts";

/** What the driver needs of recovery: it knows the envelope, and the schema of the tool that is called. */
export const recovery: Recovery = {
  read: readPayload,
  begin: beginRecovery,
  end: endRecovery,
  readValue,
  readPythonCall,
  readPartial,
};
