import { onceFor } from "../contract/once-for.ts";
import type { JsonSchema, Violation } from "../contract/types.ts";
import type { QuickValidate, ValidateOptions } from "./policy.ts";
import { CheckRun } from "./schema/check-run.ts";
import { compileSchema } from "./schema/compile-schema.ts";
import { plainCheckOf } from "./schema/plain-check.ts";
import { NoAnswerError } from "./schema/work-budget.ts";

const testOf = onceFor((schema: Exclude<JsonSchema, boolean>) => compileSchema(schema));

function check(schema: JsonSchema, value: unknown, options?: ValidateOptions): true | string | readonly Violation[] {
  if (schema === true) return true;
  if (schema === false) return "arguments: the schema of this tool (false) allows nothing";
  const test = testOf(schema);
  const run = new CheckRun(value, options?.formats === "assert", options?.lostDigits);
  try {
    if (test(value, run, undefined)) return true;
    const again = new CheckRun(value, run.asserts, options?.lostDigits);
    const violations = again.listed(() => test(value, again, undefined));
    return violations.length > 0 ? violations : "arguments: do not fit the schema";
  } catch (error) {
    if (error instanceof NoAnswerError) return error.message;
    // Tests call each other level by level, and so deep a nesting fits no stack.
    if (error instanceof RangeError) return "arguments: too deep to be checked";
    throw error;
  }
}

/**
 * Checks a value against a JSON Schema (drafts 4 to 2020-12; `nullable` is understood). References must stay inside
 * the schema.
 *
 * @returns true; or what is wrong, at most eight places of it; or one sentence where a limit ended the check.
 * @throws when the schema itself cannot be used. What a schema was compiled to is kept per schema object.
 */
export const validateSchema: QuickValidate = /* @__PURE__ */ Object.assign(check, { plainCheckOf });
