/** What is mutated, and the quick tests that have to notice. */
export const mutatedRooms = {
  gate: {
    sources: ["src/gate/**/*.ts"],
    tests: ["gate", "fits-schema"],
  },
  recovery: {
    sources: ["src/recovery/**/*.ts"],
    tests: ["recovery-catalogue", "recovery-reader", "recovery-docs"],
  },
  machine: {
    sources: ["src/runtime/machine.ts"],
    tests: ["compile", "seeds", "several", "streams"],
  },
} as const;

export type MutatedRoom = keyof typeof mutatedRooms;

export function isMutatedRoom(name: string): name is MutatedRoom {
  return Object.hasOwn(mutatedRooms, name);
}
