/**
 * `toolpeg/testing`: the corpus reader and the standing properties, for the grammars of other people too.
 *
 * @module
 */
export { CaseFailure, type CheckOptions, checkCase, type FoundMark, marksOf, unexpected } from "./check-case.ts";
export { CorpusError } from "./corpus-error.ts";
export type { CorpusLine } from "./corpus-line.ts";
export type { Engine, HarnessEvent, HarnessParser, HarnessResult } from "./engine.ts";
export { printCase } from "./print-case.ts";
export {
  checkConservation,
  checkIsolation,
  checkPrefixes,
  checkQuoting,
  checkSplitInvariance,
  type FormatFacts,
  isValidCase,
  PropertyFailure,
  type PropertyOptions,
  type QuotingContext,
  quotingContexts,
} from "./properties.ts";
export {
  type CorpusCall,
  type CorpusCase,
  type CorpusMark,
  type CorpusOptions,
  readCorpus,
} from "./read-corpus.ts";
export {
  checkStanding,
  type StandingFailure,
  type StandingOptions,
  type StandingReport,
  standingProperties,
} from "./standing-properties.ts";
export { testCorpus, testProperties } from "./test-corpus.ts";
