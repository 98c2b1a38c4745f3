import { isObject } from "../contract/is-object.ts";
import type { Violation } from "../contract/types.ts";
import { clip, quote } from "./refusal.ts";
import { valueText } from "./schema/describe-value.ts";
import { pathText } from "./schema/path-text.ts";

// A tool that is given as a schema library's object brings the library's own check. It runs after the JSON Schema has said
// yes, and what it gives is what the host gets: defaults, transformations, what no JSON Schema can say.

/** What `~standard.validate` answers, at once or later. */
export type StandardCheck = (value: unknown) => unknown;

/** A step of an issue's path: a key, or an object that holds one. */
type Step = PropertyKey | { readonly key: PropertyKey };

interface Issue {
  readonly message: string;
  readonly path?: readonly Step[] | undefined;
}

/** The answer of such a check, read. */
export type StandardAnswer =
  | { readonly value: unknown }
  | { readonly violations: readonly Violation[]; readonly message: string }
  /** It threw, or answered something that is no answer. */
  | { readonly problem: string };

/** So many issues are listed. */
const issuesMax = 8;

/** Runs the check. @returns a promise where the check takes its time. */
export function runStandardCheck(check: StandardCheck, value: unknown): StandardAnswer | Promise<StandardAnswer> {
  try {
    const answer = check(value);
    if (!isPromise(answer)) return readAnswer(answer, value);
    return Promise.resolve(answer).then((later) => readAnswer(later, value), readProblem);
  } catch (error) {
    return readProblem(error);
  }
}

function isPromise(answer: unknown): answer is PromiseLike<unknown> {
  return typeof (answer as { then?: unknown } | null | undefined)?.then === "function";
}

function readProblem(error: unknown): StandardAnswer {
  const cause = error instanceof Error ? error.message : String(error);
  return { problem: `threw: ${clip(cause.split("\n", 1)[0] ?? "")}` };
}

function readAnswer(answer: unknown, value: unknown): StandardAnswer {
  if (typeof answer !== "object" || answer === null) return { problem: "answered neither a value nor issues" };
  const { issues } = answer as { issues?: unknown };
  if (issues === undefined) {
    if (!("value" in answer)) return { problem: "answered neither a value nor issues" };
    return isObject(answer.value) ? { value: answer.value } : { problem: "answered a value that is no object" };
  }
  const listed = (Array.isArray(issues) ? (issues as Issue[]) : []).slice(0, issuesMax);
  const violations = listed.map(({ message, path = [] }) => {
    const steps = path.map((step) => (typeof step === "object" ? step.key : step)).map(asStep);
    return { path: pathText(steps), expected: String(message), found: foundAt(value, steps) };
  });
  const sentences = violations.map(({ path, expected }) => `${path}: ${expected}`);
  return { violations, message: sentences.length > 0 ? sentences.join("; ") : "arguments: refused without an issue" };
}

function asStep(step: PropertyKey): string | number {
  return typeof step === "number" ? step : String(step);
}

function foundAt(value: unknown, steps: readonly (string | number)[]): string {
  let place = value;
  for (const step of steps) {
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, step)) return "nothing";
    place = (place as Record<string | number, unknown>)[step];
  }
  return valueText(place);
}

/** Why a call is refused whose check could not be waited for. */
export function mustNotWait(tool: string): string {
  return (
    `the check of ${quote(tool)} answers later, so the call is refused here: read the message with parseAsync or ` +
    "parseStream, which wait for it"
  );
}
