import type { FormatId } from "../../generated/all.ts";
import { onceFor } from "../contract/once-for.ts";
import type { Format } from "./format.ts";
import { offeredName } from "./format-data.ts";
import { knownRegistry } from "./known-registry.ts";
import type { FormatRegistry } from "./registry.ts";

/** The id of a format of this package; any other text is an alias, or an id in another spelling. */
export type FormatName = FormatId | (string & {});

/** A format by id, alias or value; a list; or `"auto"`. */
export type FormatChoice = "auto" | FormatName | Format | readonly (FormatName | Format)[];

/**
 * The formats that a choice means. `"auto"` is every format with a marker, and those without one where the message begins
 * as theirs do, but none whose calls are lines of prose; the fallbacks only when the model signalled that it needs a tool.
 *
 * @param registry Where ids are looked up. Default: the one of the root entry, where the program imports that.
 * @throws TypeError for an id where there is no registry, and for one that the registry does not know.
 */
export function chooseFormats(
  choice: FormatChoice,
  registry: FormatRegistry | undefined,
  intent: boolean,
): Format | readonly Format[] {
  if (choice === "auto") return automatic(registryFor("auto", registry))[intent ? "withIntent" : "withoutIntent"];
  const one = (chosen: string | Format): Format =>
    typeof chosen === "string" ? registryFor(chosen, registry).get(chosen) : chosen;
  const isList = typeof choice === "object" && choice !== null && Symbol.iterator in choice;
  return isList ? [...(choice as readonly (string | Format)[])].map(one) : one(choice as string | Format);
}

function registryFor(id: string, given: FormatRegistry | undefined): FormatRegistry {
  const registry = given ?? knownRegistry();
  if (registry !== undefined) return registry;
  const value = id === "auto" ? "" : `give its value (import { ${id} } from "toolpeg/formats/${id}"), or `;
  throw new TypeError(
    `format "${id}" is a name, and this entry point has no names: ${value}pass the registry as well: ` +
      'import { formats } from "toolpeg", then { format, formats }',
  );
}

interface Automatic {
  withIntent: readonly Format[];
  withoutIntent: readonly Format[];
}

/** Equal readings take the format that goes by the most names. */
const automatic = onceFor((registry: FormatRegistry): Automatic => {
  const withIntent = [...registry]
    .filter(({ triggers, leads }) => leads !== undefined || triggers.some((text) => !text.startsWith(offeredName)))
    .sort((left, right) => right.models.length + right.aliases.length - left.models.length - left.aliases.length);
  return { withIntent, withoutIntent: withIntent.filter(({ mode }) => mode === "primary") };
});
