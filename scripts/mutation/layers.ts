/** What is mutated, and the quick tests that have to notice. */
export const mutatedLayers = {
  validation: {
    sources: ["src/validation/**/*.ts"],
    tests: ["test/validation", "test/schema-validator"],
  },
  values: {
    sources: ["src/values/**/*.ts"],
    tests: ["test/typing", "test/markup", "test/json-formats", "scripts/mutation/few-formats"],
  },
  "json-repair": {
    sources: ["src/json-repair/**/*.ts"],
    tests: ["test/recovery-catalogue", "test/recovery-reader", "test/recovery-docs"],
  },
  machine: {
    sources: ["src/machine/machine.ts"],
    tests: ["scripts/mutation/few-formats", "test/compile", "test/seeds", "test/several"],
  },
} as const;

export type MutatedLayer = keyof typeof mutatedLayers;

export function isMutatedLayer(name: string): name is MutatedLayer {
  return Object.hasOwn(mutatedLayers, name);
}
