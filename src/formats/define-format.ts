import { correctionOf } from "../rendering/correction.ts";
import { instructionOf } from "../rendering/instruction.ts";
import { renderCalls } from "../rendering/render-calls.ts";
import type { Format } from "./format.ts";
import type { FormatData } from "./format-data.ts";

/** Makes the value of a format from what its grammar was compiled to. Called by generated modules. */
export function defineFormat(data: FormatData): Format {
  return {
    ...data,
    renderCall: (call) => renderCalls(data, [call]),
    renderCalls: (calls) => renderCalls(data, calls),
    instruction: (tools) => instructionOf(data, tools),
    correction: (rejection) => correctionOf(data, rejection),
  };
}
