import { roleCodes as role } from "./roles.ts";

// What roles have in common, beside what each means.

/** Whether a role is one of some; asked for each role that is read, so it is looked up. */
function oneOf(...codes: readonly role[]): (code: number) => boolean {
  const table: boolean[] = [];
  for (const code of codes) table[code] = true;
  return (code) => table[code] === true;
}

/** Where reading stops, for the reader of the message to decide. */
export const halts = /* @__PURE__ */ oneOf(
  role.Opener,
  role.Lead,
  role.LineLead,
  role.Starter,
  role.ThinkOpener,
  role.ThinkCloser,
  role.QuoteOpener,
  role.QuoteCloser,
  role.TurnStart,
  role.Framing,
  role.UnmatchedCloser,
  role.Empty,
  role.Begun,
);

/** Stands in a text, and covers some of it. */
const inText = [
  role.Escape,
  role.PythonEscape,
  role.Entity,
  role.Ignored,
  role.Ambiguous,
  role.Undeclared,
  role.Computed,
  role.UnprovenEnd,
  role.ShownCall,
] as const;
export const standsInText = /* @__PURE__ */ oneOf(...inText);

/** Says why a call is none: by its display name. */
export const isRefusal = /* @__PURE__ */ oneOf(role.Malformed, role.Ambiguous);

/** Takes its text when it closes, rather than piece by piece. */
export const collects = /* @__PURE__ */ oneOf(
  role.Name,
  role.Id,
  role.Key,
  role.JsonKey,
  role.Tag,
  role.Type,
  role.Text,
  role.JsonText,
  role.StringText,
  role.Markup,
  role.Body,
  role.Number,
  role.PythonNumber,
  ...inText,
);

/** What fails there recovery may read. */
export const isRecoverable = /* @__PURE__ */ oneOf(role.Payload, role.Arguments);
/** Names a parameter, so that it has been seen from there on. */
export const namesParameter = /* @__PURE__ */ oneOf(role.Key, role.Tag);
/** Calls that are refused together: after damage in one there is no going on with the next. */
export const isJoint = /* @__PURE__ */ oneOf(role.List, role.Group);
