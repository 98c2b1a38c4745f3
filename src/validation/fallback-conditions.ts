import type { CandidateFacts } from "./candidate-facts.ts";
import { type CallVerdict, checkCall } from "./check-call.ts";
import type { Policy } from "./policy.ts";
import type { CallRefusal } from "./refusal.ts";
import type { ToolSet } from "./tools.ts";

// A fallback format has no marker that says "this is a call": any JSON object or bracket would do. So a message in
// such a format must meet five conditions, all of them:
//
//   1. intent       the model signalled that it needs a tool (a value beside the text)
//   2. small        the snippet is at most policy.maxPayloadChars, 2,048 for these formats
//   3. allowlist    the name is one of the tools, whatever policy.unknownTool says
//   4. schema       the arguments satisfy the schema as they stand: no coercion, no guess, nothing cut
//   5. single       exactly one candidate; with several, none runs, and the model is asked to use the primary format
//
// policy.fallback drops 1 and 5. Condition 4 is dropped only where the caller switched the schema off by name.

/** What surrounds the candidates of a message. */
export interface FallbackContext {
  intent: boolean;
  tools: ToolSet;
  policy: Policy;
}

/** Decides on all candidates of a message in a fallback format, one verdict for each, in their order. */
export function checkFallback(candidates: readonly CandidateFacts[], context: FallbackContext): CallVerdict[] {
  const { fallback } = context.policy;
  if (fallback.requireIntent && !context.intent) return candidates.map(noIntent);
  if (fallback.single && candidates.length > 1) return candidates.map(() => severalCandidates(candidates.length));
  const policy = strictPolicy(context.policy);
  return candidates.map((facts) => checkCall(facts, context.tools, policy));
}

function strictPolicy(policy: Policy): Policy {
  return {
    ...policy,
    unknownTool: "reject",
    schema: policy.schema === "coerce" ? "reject" : policy.schema,
    repairs: policy.repairs === "guess" ? "safe" : policy.repairs,
    truncated: "reject",
  };
}

function noIntent(): CallRefusal {
  return {
    ok: false,
    reason: "no-intent",
    message:
      "this looks like a call in a format without markers, and nothing says the model meant one; pass intent: true " +
      "when it signalled that it needs a tool",
  };
}

function severalCandidates(count: number): CallRefusal {
  return {
    ok: false,
    reason: "several-candidates",
    message: `${count} candidates in a format without markers, so none runs; ask for the call again in the primary format`,
  };
}
