import { type RepairKind, repairKinds } from "../../contract/repairs.ts";
import { keySlot, nameSlot } from "../../machine/program.ts";
import { namesParameter } from "../../machine/role-properties.ts";
import { roleCodes } from "../../machine/roles.ts";

const pascal = (kebab: string) => kebab.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
const repairRoles = new Map<string, RepairKind>(repairKinds.map((kind) => [pascal(kind), kind]));

/** The names of all roles, and of the repairs that a rule may record. */
export const roleNames: readonly string[] = [
  ...Object.keys(roleCodes).filter((name) => !/^\d/.test(name)),
  ...repairRoles.keys(),
];

/** What a rule means: a role, the variant that a dialect of `Call` has, or a repair. */
export type Role = { code: number; variant?: string } | { repair: RepairKind };

/**
 * What a declared rule name means; undefined when the rule captures nothing. What follows an underscore
 * distinguishes rules of one role: `Verbatim_single`.
 */
export function roleOf(declared: string): Role | undefined {
  const rule = declared.split("_", 1)[0];
  const repair = repairRoles.get(rule);
  if (repair !== undefined) return { repair };
  const code = (roleCodes as unknown as Record<string, unknown>)[rule];
  if (typeof code === "number") return { code };
  const variant = /^Call([A-Z]\w*)$/.exec(rule);
  if (!variant) return undefined;
  return { code: roleCodes.Call, variant: variant[1].replace(/(?!^)([A-Z])/g, "-$1").toLowerCase() };
}

/** The code of a role; undefined for rules without one, and for repairs. */
export function roleCodeOf(declared: string): number | undefined {
  const role = roleOf(declared);
  return role && "code" in role ? role.code : undefined;
}

/** Where the text of a role is bound, for what asks of the parameters of a tool; undefined: nowhere. */
export function boundSlotOf(code: number): number | undefined {
  if (code === roleCodes.Name) return nameSlot;
  return namesParameter(code) ? keySlot : undefined;
}
