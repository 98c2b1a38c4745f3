import { onceFor } from "../contract/once-for.ts";
import type { FormatData } from "../formats/format-data.ts";
import { DeclaredKeys } from "../machine/hints.ts";
import { checkCall, mayRepair } from "../validation/check-call.ts";
import { checkFallback } from "../validation/fallback-conditions.ts";
import { type Policy, type PolicyInput, requireValidator, resolvePolicy } from "../validation/policy.ts";
import { prepareTools, type ToolSet } from "../validation/tools.ts";
import { allowedBy } from "../values/allowed-values.ts";
import type { Candidate } from "../values/candidate.ts";
import type { QuotedKind, Unquoting } from "../values/quoted-values.ts";
import type { CoreExtractOptions, CoreParseOptions } from "./options.ts";
import type { CallValidator } from "./readings/alternative.ts";

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
  return asFormatAllows(resolvePolicy(given, format.mode, format.maxPayload), format);
}

/** Some formats allow no repairs. */
function asFormatAllows(policy: Policy, { flags }: FormatData): Policy {
  return flags.includes("unrepaired") ? { ...policy, repairs: "none" } : policy;
}

/** The quotes that may be taken off. A policy that coerces, or looks at no schema, has its own way with them. */
function quotedKindsOf(policy: Policy): readonly QuotedKind[] {
  const kinds: readonly QuotedKind[] = ["quoted-scalar", "quoted-container"];
  return policy.schema === "reject" ? kinds.filter((kind) => mayRepair({ kind, level: "safe" }, policy)) : [];
}

const validatorsOf = onceFor((tools: ToolSet) =>
  onceFor((policy: Policy) =>
    onceFor((format: FormatData) => makeCallValidator(tools, asFormatAllows(policy, format))),
  ),
);

/** Allowlist, schema, limits. Made once for the same tools, policy and format. */
export function callValidatorOf(
  format: FormatData,
  options: Pick<CoreParseOptions, "tools" | "policy">,
): CallValidator {
  const tools = prepareTools(options.tools);
  const policy = resolvePolicy(options.policy, format.mode, format.maxPayload);
  return validatorsOf(tools)(policy)(format);
}

function makeCallValidator(tools: ToolSet, policy: Policy): CallValidator {
  requireValidator(policy);
  const quotedKinds = quotedKindsOf(policy);
  const unquotings = new Map<string | undefined, Unquoting>();
  const keysOf = (name: string | undefined) => tools.get(name)?.keys;
  return {
    policy,
    asksLibraries: tools.list.some(({ check }) => check !== undefined),
    hints: {
      names: tools.names,
      keysOf,
      keys: new DeclaredKeys(keysOf),
      takesKey: (name, key, isCertain) => tools.get(name)?.takesKey(key, isCertain) === true,
      readsCut: policy.truncated === "deliver-complete-members",
    },
    offers: (name) => tools.has(name) || policy.unknownTool === "pass",
    verdict: (candidate, chars) => checkCall(facts(candidate, chars), tools, policy),
    verdictOn: (given) => checkCall(given, tools, policy),
    fallbackVerdicts: (pending, intent) =>
      checkFallback(
        pending.map(({ candidate, chars }) => facts(candidate, chars)),
        { intent, tools, policy },
      ),
    parameterType: (name, key) => tools.get(name)?.parameterType(key),
    unquotingOf: (name) => {
      let unquoting = unquotings.get(name);
      if (unquoting !== undefined) return unquoting;
      const tool = tools.get(name);
      if (tool === undefined || quotedKinds.length === 0) return undefined;
      unquoting = { allowed: allowedBy(tool.schema), kinds: quotedKinds };
      unquotings.set(name, unquoting);
      return unquoting;
    },
    schemaOf: (name) => tools.get(name)?.schema,
  };
}

let openTools: ToolSet | undefined;

const openValidatorOf = onceFor((format: FormatData) => makeOpenCallValidator(format, undefined));

/** Extraction alone: whatever can be read without a guess is a candidate. Made once where no names are known. */
export function openCallValidatorOf(format: FormatData, names: CoreExtractOptions["names"]): CallValidator {
  return names === undefined ? openValidatorOf(format) : makeOpenCallValidator(format, names);
}

function makeOpenCallValidator(format: FormatData, names: CoreExtractOptions["names"]): CallValidator {
  const policy = policyOf(format, { unknownTool: "pass", schema: "off" });
  openTools ??= prepareTools([]);
  const validator = makeCallValidator(openTools, policy);
  return {
    ...validator,
    hints: { names, keysOf: () => undefined, takesKey: () => true },
    offers: Boolean,
    fallbackVerdicts: (pending) => pending.map(({ candidate, chars }) => validator.verdict(candidate, chars)),
  };
}
