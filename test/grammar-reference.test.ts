/** The reference of authors says what the compiler has, and all of it. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { grammarReference, grammarReferencePath } from "../scripts/grammar-reference.ts";
import { roleNames } from "../src/compiler/analyse/role-of.ts";
import { headerFlags, headerKeys } from "../src/compiler/index.ts";
import { primitiveNames, primitiveOf } from "../src/compiler/parse/primitives.ts";
import { specialNames } from "../src/compiler/parse/special-rules.ts";
import {
  flagMeanings,
  headerMeanings,
  placeMeanings,
  primitiveMeanings,
  roleMeanings,
} from "../src/compiler/reference.ts";
import { repairKinds } from "../src/contract/repairs.ts";
import { halts } from "../src/machine/role-properties.ts";
import { roleCodes } from "../src/machine/roles.ts";

test("docs/grammar-reference.md is what the tables say (npm run docs)", () => {
  expect(readFileSync(grammarReferencePath, "utf8")).toBe(grammarReference());
});

test("every header key, flag, role, known rule and primitive has its meaning, and nothing else has", () => {
  expect(Object.keys(headerMeanings).sort()).toEqual([...headerKeys].sort());
  expect(Object.keys(flagMeanings).sort()).toEqual([...headerFlags].sort());
  const roles = Object.values(roleMeanings).flatMap((group) => Object.keys(group));
  // The message grammar has these for itself.
  const ofMessage = (name: string) =>
    halts((roleCodes as unknown as Record<string, number>)[name]) ||
    ["Damaged", "AfterTurn", "ParsedReasoning"].includes(name);
  const known = roleNames.slice(0, -repairKinds.length).filter((name) => !ofMessage(name));
  expect(roles.sort()).toEqual([...known].sort());
  const places = Object.keys(placeMeanings);
  expect(places).toEqual(expect.arrayContaining([...specialNames]));
  const primitives = Object.keys(primitiveMeanings).flatMap((names) => names.split(", "));
  expect(primitives).toEqual(expect.arrayContaining(primitiveNames.filter((name) => name !== "Halt")));
  for (const name of primitives) expect(primitiveOf(name), name).toBeDefined();
});
