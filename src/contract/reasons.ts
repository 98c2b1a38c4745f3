/**
 * Why something that looked like a call is none. A closed list: `docs/errors.md` has a section for each member, and a
 * test produces each.
 */
export const rejectionReasons = [
  "unknown-tool",
  "schema",
  "type-mismatch",
  "malformed",
  "truncated",
  "needs-guess",
  "ambiguous",
  "duplicate-key",
  "sensitive-key",
  "in-reasoning",
  "quoted",
  "no-intent",
  "several-candidates",
  "too-large",
  "too-deep",
  "too-many",
  "not-first",
  "no-name",
  "contradicts-sent",
  "validator-error",
  "behind-damage",
  "after-turn",
  "not-alone",
  "other-format",
] as const;

/** One member of the closed list {@link rejectionReasons}. */
export type RejectionReason = (typeof rejectionReasons)[number];
