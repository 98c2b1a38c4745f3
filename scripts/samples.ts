/** Every registered format with what it writes by itself: see src/testing/samples.ts. */
import * as engine from "../src/index.ts";
import { factsOf, samplesOf } from "../src/testing/samples.ts";

export { isOwnReading, sampleCase, sampleTools, sampleWords } from "../src/testing/samples.ts";

/** Every registered format, with its facts and samples. */
export const sampledFormats = [...engine.formats].map((format) => ({
  id: format.id,
  format,
  facts: factsOf(format),
  samples: samplesOf(format, engine),
}));
