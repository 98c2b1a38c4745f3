import type { RenderResult } from "../past-messages.ts";
import type { ReadingOptions } from "../reading-options.ts";

/** How the text of a model is read, and its past calls are shown to it. */
export interface ToolCallMiddlewareOptions extends ReadingOptions {
  /**
   * `"text"` (default): tools, past calls and results are written as text, and the model's server gets no tools.
   * `"native"`: the prompt stays as it is; for a server whose chat template writes the tools but that reads no calls.
   */
  prompt?: "text" | "native" | undefined;
  /** How a result is written for the model. Default: JSON in `<tool_response>` tags. */
  renderResult?: RenderResult | undefined;
}
