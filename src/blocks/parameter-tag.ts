import { onceFor } from "../contract/once-for.ts";
import { type RenderTemplate, slot } from "../contract/render-template.ts";

/** How a format opens a parameter. */
export interface ParameterTag {
  /** What stands directly before a key, from the beginning of its tag, and the first character after the key. */
  readonly opener: string;
  /** As much of that as JSON writes in a string as it stands. */
  readonly openerInJson: string;
  readonly afterKey: string;
  /** The tag that stands before a value and nowhere else; empty: there is none. */
  readonly valueOpener: string;
  /** The tag that closes the parameter; empty where it bears the key as well. */
  readonly closeTag: string;
  /** What closes the parameter bears its key as well. */
  readonly isClosedByName: boolean;
}

/** The tag by which a format opens a parameter; null: it has none. */
export const parameterTagOf = (template: RenderTemplate | undefined): ParameterTag | null =>
  template === undefined ? null : tagOf(template);

/** The tag in which a value stands: where its key closes it, tags are names, whatever the format writes itself. */
export function tagOfValue(template: RenderTemplate | undefined, key: string, after: string): ParameterTag | null {
  const tag = parameterTagOf(template);
  const closer = `</${key}>`;
  const isNamed = tag !== null && tag.closeTag !== closer && after.trimStart().startsWith(closer);
  return isNamed ? namedTag : tag;
}

const namedTag: ParameterTag = {
  closeTag: "",
  opener: "<",
  openerInJson: "<",
  valueOpener: "",
  afterKey: ">",
  isClosedByName: true,
};

const tagOf = onceFor(({ members = [], comma = "", call }: RenderTemplate): ParameterTag | null => {
  const [, ...pieces] = members[0] ?? [""];
  const at = pieces.indexOf(slot.key);
  if (at < 0) return null;
  const after = pieces.slice(pieces.indexOf(slot.value) + 1);
  const written = [...after, comma, ...pieces.slice(0, at)].join("");
  const begin = written.lastIndexOf("<");
  if (begin < 0) return null;
  const [valueOpener = ""] = /<(?!\/)[^<>]*>$/.exec(String(pieces[at + 1]).trimEnd()) ?? [];
  const isClosedByName = after.includes(slot.key);
  const opener = written.slice(begin);
  return {
    closeTag: isClosedByName ? "" : (/<[^<>]*>/.exec([...after, comma].join(""))?.[0] ?? ""),
    opener,
    openerInJson: opener.split(/["\\\s]/, 1)[0],
    valueOpener: [comma, ...call].some((piece) => String(piece).includes(valueOpener)) ? "" : valueOpener,
    afterKey: String(pieces[at + 1])[0],
    isClosedByName,
  };
});
