import { type CallVerdict, checkCall, mayRepair } from "../gate/check-call.ts";
import { checkFallback } from "../gate/fallback-gates.ts";
import { type Policy, type PolicyInput, requireValidator, resolvePolicy } from "../gate/policy.ts";
import { prepareTools, type ToolSet } from "../gate/tools.ts";
import { allowedBy } from "../normalise/allowed-values.ts";
import type { Candidate } from "../normalise/candidate.ts";
import type { QuotedKind, Unquoting } from "../normalise/quoted-values.ts";
import type { TextType } from "../normalise/text-type.ts";
import type { FormatData } from "../runtime/format.ts";
import type { Hints } from "../runtime/machine.ts";
import type { JsonSchema } from "../runtime/types.ts";
import type { CoreExtractOptions, CoreParseOptions } from "./options.ts";

/** What phase two says; phase one alone has a judge that lets everything readable pass. */
export interface Judge {
  readonly hints: Hints;
  readonly policy: Policy;
  /** Whether a name may be announced. */
  offers(name: string): boolean;
  verdict(candidate: Candidate, chars: number): CallVerdict;
  /** The verdicts on all candidates of a message in a fallback format, in their order. */
  fallbackVerdicts(candidates: readonly { candidate: Candidate; chars: number }[]): CallVerdict[];
  parameterType(name: string, key: string): TextType | undefined;
  /** What may be read out of quotes in the arguments of a tool. */
  unquotingOf(name: string): Unquoting | undefined;
  schemaOf(name: string): JsonSchema | undefined;
}

function facts(candidate: Candidate, chars: number) {
  const { writer } = candidate;
  const { start, end } = candidate.placed;
  return {
    name: candidate.name,
    argumentsText: writer.jsonText,
    value: writer.value,
    members: writer.members,
    depth: writer.maxDepth,
    chars,
    repairs: candidate.repairs,
    beside: candidate.beside,
    argumentsMissing: candidate.argumentsMissing,
    start,
    end,
  };
}

function policyOf(format: FormatData, given: PolicyInput | undefined): Policy {
  const policy = resolvePolicy(given, format.mode, format.maxPayload);
  return format.flags.includes("unrepaired") ? { ...policy, repairs: "none" } : policy;
}

/** The quotes that may be taken off. A policy that coerces, or looks at no schema, has its own way with them. */
function quotedKindsOf(policy: Policy): readonly QuotedKind[] {
  const kinds: readonly QuotedKind[] = ["quoted-scalar", "quoted-container"];
  return policy.schema === "reject" ? kinds.filter((kind) => mayRepair({ kind, level: "safe" }, policy)) : [];
}

/** Phase two: allowlist, schema, limits. */
export function judgeOf(format: FormatData, options: CoreParseOptions): Judge {
  const tools: ToolSet = prepareTools(options.tools);
  const policy = policyOf(format, options.policy);
  requireValidator(policy);
  const quotedKinds = quotedKindsOf(policy);
  return {
    policy,
    hints: {
      names: tools.names,
      keysOf: (name) => tools.get(name)?.keys,
      takesFurther: (name) => tools.get(name)?.takesFurther === true,
      readsCut: policy.truncated === "deliver-complete-members",
    },
    offers: (name) => tools.has(name) || policy.unknownTool === "pass",
    verdict: (candidate, chars) => checkCall(facts(candidate, chars), tools, policy),
    fallbackVerdicts: (held) =>
      checkFallback(
        held.map(({ candidate, chars }) => facts(candidate, chars)),
        { intent: options.intent ?? false, tools, policy },
      ),
    parameterType: (name, key) => tools.get(name)?.parameterType(key),
    unquotingOf: (name) => {
      const tool = tools.get(name);
      return tool === undefined || quotedKinds.length === 0
        ? undefined
        : { allowed: allowedBy(tool.schema), kinds: quotedKinds };
    },
    schemaOf: (name) => tools.get(name)?.schema,
  };
}

const openTools = prepareTools([]);

/** Phase one alone: whatever can be read without a guess is a candidate. */
export function openJudge(format: FormatData, options: CoreExtractOptions): Judge {
  const policy = policyOf(format, { unknownTool: "pass", schema: "off" });
  return {
    policy,
    hints: { names: options.names, keysOf: () => undefined, takesFurther: () => true },
    offers: (name) => name !== "",
    verdict: (candidate, chars) => checkCall(facts(candidate, chars), openTools, policy),
    fallbackVerdicts: (held) =>
      held.map(({ candidate, chars }) => checkCall(facts(candidate, chars), openTools, policy)),
    parameterType: () => undefined,
    unquotingOf: () => undefined,
    schemaOf: () => undefined,
  };
}
