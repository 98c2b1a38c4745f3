import type { RenderTemplate } from "../contract/render-template.ts";
import type { Source } from "./misspelt-boundary-words.ts";
import { type ParameterTag, parameterTagOf } from "./parameter-tag.ts";

/**
 * A format with its tags as a call writes them: where each may bear a prefix or a suffix, the tag before a value says which. The format
 * itself where they bear none.
 *
 * @param before what stands before the value
 */
export function asWritten<Format extends Source>(format: Format, before: string): Format {
  const tag = parameterTagOf(format.template);
  const [, name] = tagAtEnd.exec(before) ?? [];
  const due = tag && nameOf(tag);
  if (!format.template || !due || name === undefined || name === due || !name.includes(due)) return format;
  const last = lastWritten.get(format);
  if (last?.name === name) return last.format as Format;
  const [prefix, suffix] = name.split(due, 2);
  const dress = <Piece>(piece: Piece) =>
    typeof piece === "string" ? piece.replace(tagName, (_, mark, own) => mark + prefix + own + suffix) : piece;
  const { open, close, call, comma = "", members = [] } = format.template;
  const template: RenderTemplate = {
    ...format.template,
    open: dress(open),
    close: dress(close),
    call: call.map(dress),
    comma: dress(comma),
    members: members.map(([kinds, ...pieces]) => [kinds, ...pieces.map(dress)]),
  };
  const { closers = [], triggers } = format;
  const written = { ...format, template, closers: closers.map(dress), triggers: triggers.map(dress) };
  lastWritten.set(format, { name, format: written });
  return written;
}

/** A message has one prefix or suffix, and what is derived of a template is kept for as long as the template is. */
const lastWritten = new WeakMap<Source, { readonly name: string; readonly format: Source }>();

const nameOf = ({ valueOpener, opener }: ParameterTag): string | undefined =>
  /^<([^<>\s"'=]+)/.exec(valueOpener || opener)?.[1];
const tagAtEnd = /<([^<>\s/"'=]+)[^<>]*>\s*$/;
const tagName = /(<\/?)([^<>\s/"'=]+)/g;
