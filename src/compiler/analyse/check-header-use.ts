import { roleCodes } from "../../machine/roles.ts";
import { type GrammarError, grammarError, rangeAt, type SourceRange } from "../parse/grammar-error.ts";
import type { HeaderFlag, HeaderKey } from "../parse/header-keys.ts";
import type { LinkedGrammar } from "../parse/linked-grammar.ts";
import { roleCodeOf } from "./role-of.ts";

/**
 * What the header of a format says and nothing reads: a key that means something only together with a role or another key.
 */
export function checkHeaderUse(grammar: LinkedGrammar): GrammarError[] {
  const { header, files, rules } = grammar;
  const [own] = files;
  const has = (role: number) => [...rules.values()].some(({ declared }) => roleCodeOf(declared) === role);
  const errors: GrammarError[] = [];
  const unread = (key: HeaderKey, isRead: () => boolean, needs: string): void => {
    const span = header.spans[key];
    if (span?.source !== own.path || isRead()) return;
    errors.push(
      grammarError(files, span as SourceRange, `nothing reads the header key "${key}"`, {
        help: `it needs ${needs}: add that, or remove the key`,
      }),
    );
  };
  const payload = () => has(roleCodes.Payload);
  unread("keys", payload, "a rule `Payload`, whose envelope holds name and arguments");
  unread("unnamed", () => has(roleCodes.OnlyText), "a rule `OnlyText`, the text of a call without a name");
  unread("body", () => has(roleCodes.Body), "a rule `Body`, the text in that language");
  unread("starts", () => header.starts !== "reasoning" || header.reasoning.length > 0, "the header key `reasoning`");
  unread("ends-reasoning", () => header.reasoning.length > 0, "the header key `reasoning`");
  unread("marker", () => rules.has("MARKER"), "a rule `MARKER`, the literal that may be replaced");
  const needsOf: Partial<Record<HeaderFlag, [isRead: () => boolean, needs: string]>> = {
    "arguments-required": [payload, "a rule `Payload`"],
    "all-or-none": [() => has(roleCodes.Unmarked), "calls that no marker opens: a rule `Unmarked`"],
  };
  for (const [flag, [isRead, needs]] of Object.entries(needsOf)) {
    if (header.flags.includes(flag as HeaderFlag)) unread("flags", isRead, `for \`${flag}\` ${needs}`);
  }
  if (has(roleCodes.Body) && header.body === undefined) {
    errors.push(
      grammarError(
        files,
        rangeAt(own, 0, 0),
        "a rule `Body` is there, but no header key says in which language it is",
        {
          help: "write `body: yaml` into the header",
        },
      ),
    );
  }
  return errors;
}
