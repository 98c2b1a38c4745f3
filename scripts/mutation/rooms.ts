/** What is mutated, and the quick tests that have to notice. */
export const mutatedRooms = {
  gate: {
    sources: ["src/gate/**/*.ts"],
    tests: ["test/gate", "test/schema-validator"],
  },
  normalise: {
    sources: ["src/normalise/**/*.ts"],
    tests: ["test/typing", "test/markup", "test/json-formats", "scripts/mutation/few-formats"],
  },
  recovery: {
    sources: ["src/recovery/**/*.ts"],
    tests: ["test/recovery-catalogue", "test/recovery-reader", "test/recovery-docs"],
  },
  machine: {
    sources: ["src/runtime/machine.ts"],
    tests: ["scripts/mutation/few-formats", "test/compile", "test/seeds", "test/several"],
  },
} as const;

export type MutatedRoom = keyof typeof mutatedRooms;

export function isMutatedRoom(name: string): name is MutatedRoom {
  return Object.hasOwn(mutatedRooms, name);
}
