/**
 * Rules that reading comes to by their names: where it may begin (with the name of the entry), where it goes on after damage, what
 * the compiler looks at. `src/compiler/reference.ts` says what each means.
 */
const specialRules = {
  Block: { entry: "block" },
  Start: { entry: "start" },
  Line: { entry: "line" },
  OPEN: { entry: "opener" },
  begun: { entry: "begun" },
  Sync: { isUnreferred: true },
  Skip: { isUnreferred: true },
  trailing: { isUnreferred: true },
  Section: {},
  Whole: {},
  CLOSE: {},
  MARKER: {},
  TAG: {},
} satisfies Record<string, { readonly entry?: string; readonly isUnreferred?: true }>;

export type SpecialRule = keyof typeof specialRules;

export const specialNames = Object.keys(specialRules) as SpecialRule[];

const facts = Object.entries(specialRules) as [SpecialRule, { entry?: string; isUnreferred?: true }][];

/** Where reading of a format may begin: with a block at an opener, with what may begin a message, with an opener alone. */
export const formatEntries: Readonly<Record<string, string>> = Object.fromEntries(
  facts.flatMap(([name, { entry }]) => (entry === undefined ? [] : [[entry, name]])),
);

/** Rules that no rule refers to: the machine goes to the first two after damage, the last says what may be left over. */
export const unreferredRules: readonly string[] = facts.flatMap(([name, { isUnreferred }]) =>
  isUnreferred ? [name] : [],
);
