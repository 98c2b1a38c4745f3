import type { JsonSchema } from "../contract/types.ts";
import { type Allowed, allowedBy } from "../values/allowed-values.ts";
import { parseJson } from "../values/json-text.ts";
import { declaredKeys, itemSchema, matchesPatternKey, ownMember, propertySchema } from "../values/schema-walk.ts";
import { kindOf } from "../values/value-kinds.ts";

/**
 * A key that no schema declares, and that is one of those not given but for blanks, case, signs and quotes, a type in parentheses behind it, one
 * character at its edge (which may be the first of its value: `timeout1=2`), or two neighbours that stand the other way round. Its value is one of
 * those that may stand there. So is one in which signs stand, and between them one that is declared.
 */
export function misspeltKey(value: object, root: JsonSchema): string | undefined {
  const work: Place[] = [{ holder: value, schema: root, allowed: allowedBy(root) }];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const { holder, schema, allowed } = next;
    const isList = Array.isArray(holder);
    const keys = Object.keys(holder);
    const declared = declaredKeys(schema, root);
    let missing: string[] | undefined;
    for (const [at, key] of keys.entries()) {
      const inner = ownMember(holder, key);
      if (!isList && !declared.has(key)) {
        missing ??= [...declared].filter((one) => !Object.hasOwn(holder, one));
        // What stands in quotes may be read out of them.
        const kinds = kindOf(inner) | (typeof inner === "string" ? kindOf(parseJson(inner) ?? inner) : 0);
        const fits = (one: string) => (allowed.member(one).kinds & kinds) !== 0;
        const isMeant = missing.some((one) => mayBe(key, one) && fits(one)) || holdsMember(key, declared);
        if (isMeant && !matchesPatternKey(schema, root, key)) return key;
      }
      if (typeof inner !== "object" || inner === null) continue;
      if (isList) work.push({ holder: inner, schema: itemSchema(schema, root, at), allowed: allowed.item(at) });
      else work.push({ holder: inner, schema: propertySchema(schema, root, key), allowed: allowed.member(key) });
    }
  }
  return undefined;
}

interface Place {
  holder: object;
  schema: JsonSchema | undefined;
  allowed: Allowed;
}

/** Signs stand in a key, and a key of its own between them: members whose signs are damaged. */
function holdsMember(key: string, declared: ReadonlySet<string>): boolean {
  const parts = key.split(memberSigns);
  return parts.length > 1 && parts.some((part) => declared.has(part.trim()));
}

/** Those that no name has; a wide colon is none that a name may have. */
const memberSigns = /[,=;{}[\]"“”＂，：＝；｛｝［］]/;

function mayBe(key: string, declared: string): boolean {
  if (folded(key) === folded(declared)) return true;
  const [shorter, longer] = key.length < declared.length ? [key, declared] : [declared, key];
  if (longer.length - shorter.length === 1) return longer.startsWith(shorter) || longer.endsWith(shorter);
  if (longer.length !== shorter.length) return false;
  let at = 0;
  while (key[at] === declared[at]) at++;
  return key[at] === declared[at + 1] && key[at + 1] === declared[at] && key.slice(at + 2) === declared.slice(at + 2);
}

/** Its letters and digits, without the type that may stand behind it in parentheses. */
const folded = (key: string): string =>
  key
    .normalize("NFKC")
    .replace(typeBehind, "")
    .replace(/[^\p{L}\p{M}\p{N}]/gu, "")
    .toLowerCase();

const typeBehind = /\s*\([\w, ]*\)\s*$/;
