import type { RejectionReason } from "../contract/reasons.ts";
import { type Repair, readingRepairs } from "../contract/repairs.ts";
import { lastOf } from "../machine/last-of.ts";
import { halts, standsInText } from "../machine/role-properties.ts";
import { repairRoleBase, roleCodes as role, variantShift, wholeObjectRole } from "../machine/roles.ts";
import { isHighSurrogate } from "../machine/string-units.ts";
import { trimJson } from "../values/json-text.ts";
import { beginBlock, endBlock, takeWholeObject } from "./blocks.ts";
import { candidateAt, refuseAmbiguous, refuseHere } from "./candidates.ts";
import { endDamage } from "./refused-block.ts";
import { passSaid } from "./scanned-object.ts";
import type { OpenRole, ReaderState } from "./state.ts";
import { beginItem, enterContainer } from "./value-place.ts";

/** Takes what is certain from the log of the machine. */
export function drainLog(state: ReaderState): void {
  const { machine } = state;
  const safe = machine.safeLog;
  if (safe === 0) return;
  const { log } = machine;
  for (let at = 0; at < safe; at += 2) {
    const entry = log[at];
    if (state.said > 0) passSaid(state, entry, log[at + 1]);
    else if (entry & 1) closeRole(state, entry >> 1, log[at + 1]);
    else openRole(state, entry >> 1, log[at + 1]);
    // The block has ended before what else was found.
    if (state.endedAt >= 0) return;
  }
  machine.dropLog(safe);
}

/** Passes on what is certain of a text that is still open. */
export function passPartialText(state: ReaderState): void {
  const open = lastOf(state.roles);
  if (!open) return;
  const safe = state.machine.safePosition;
  // Half a surrogate pair waits for its partner.
  if (safe <= open.at) return;
  const half = isHighSurrogate(state.machine.unitBefore(safe) ?? state.slice(safe - 1, safe).charCodeAt(0));
  passText(state, open, half ? safe - 1 : safe);
}

/** Hands over the text of an open role up to an offset. */
function passText(state: ReaderState, open: OpenRole, end: number): void {
  const start = open.at;
  if (end <= start) return;
  open.at = end;
  switch (open.code) {
    case role.Content:
    case role.Quoted:
    case role.UnmatchedOpener:
      return state.run.add("content", start, end);
    case role.Reasoning:
      return state.run.add("reasoning", start, end);
    case role.String:
    case role.JsonKey:
      return state.sink?.escaped(state.slice(start, end));
    case role.Verbatim:
    case role.Text:
    case role.StringText:
    case role.Markup:
      return takeDecoded(state, open.code, state.slice(start, end));
    case role.OnlyText:
      return state.sink?.text(state.slice(start, end));
    case role.Tag:
    case role.Type:
    case role.Body:
    case role.Name:
    case role.Id:
    case role.Key:
    case role.JsonText:
    case role.Number:
    case role.PythonNumber:
      state.captured += state.slice(start, end);
      return;
  }
}

/** Decoded text of a value. */
export function takeDecoded(state: ReaderState, code: number, piece: string): void {
  const isValue = code === role.Verbatim || code === role.Text || code === role.StringText || code === role.Markup;
  if (isValue && state.streams) state.sink?.text(piece);
  else state.captured += piece;
}

/** Between tags, references and sections are read when it is known what is a tag. */
export const isReadLater = ({ streams }: ReaderState, code: number): boolean => code === role.Markup && !streams;

/** Why an opener is no call, by the role that it stands in. */
const draftReasons: Readonly<Record<number, readonly [RejectionReason, string]>> = {
  [role.Quoted]: ["quoted", "an opener in quoted text is no call"],
  [role.Reasoning]: ["in-reasoning", "an opener inside reasoning is no call"],
  [role.AfterTurn]: ["after-turn", "the turn has ended before this opener, so it is no call"],
};

/** What the grammar calls a shape, where it has a name for it. */
function variantOf(state: ReaderState, code: number): string | undefined {
  const variant = code >> variantShift;
  return variant ? state.program.source.variants[variant - 1] : undefined;
}

function openRole(state: ReaderState, code: number, at: number): void {
  const parent = lastOf(state.roles);
  // What stands before: inside a text, what an escape covers is not passed on as it stands.
  if (parent) passText(state, parent, at);
  state.roles.push({ code, start: at, at });
  if (halts(code)) {
    state.haltRole = code;
    state.haltAt = at;
    return;
  }
  switch (code & 0xff) {
    case role.Call:
      beginBlock(state, code, at);
      return;
    case role.Unmarked:
      return state.owner.beginUnmarked();
    case role.Object:
      enterContainer(state, "");
      return state.sink?.beginObject(at);
    case role.Array:
      enterContainer(state, -1);
      return state.sink?.beginArray(at);
    case role.JsonKey:
      return state.sink?.beginString(at, true);
    case role.String:
      beginItem(state);
      return state.sink?.beginString(at, false);
    case role.Name:
    case role.Id:
    case role.Number:
      state.captured = "";
      return;
    default:
      return state.handlers[code]?.open?.(state, code, at);
  }
}

function closeRole(state: ReaderState, code: number, at: number): void {
  const open = state.roles.pop() as OpenRole;
  if (!standsInText(code & 0xff)) passText(state, open, at);
  const parent = lastOf(state.roles) as OpenRole;
  switch (code & 0xff) {
    case role.QuotedOpener: {
      const [reason, message] = draftReasons[parent?.code ?? role.AfterTurn] ?? draftReasons[role.Reasoning];
      state.listText(reason, message, open.start, at);
      return;
    }
    case role.UnmatchedOpener:
      state.listText("malformed", "an opener without a call behind it is text", open.start, at);
      return;
    case role.Call:
      return endBlock(state, at);
    case role.Unmarked:
      return state.owner.endUnmarked();
    case role.Damaged:
      return endDamage(state, at);
    case role.ShownCall:
      if (parent.code !== role.Damaged) state.shownIn = parent.code === role.Call ? state.valueEnd : parent.start;
      return;
    case wholeObjectRole:
      return takeWholeObject(state, open.start);
    case role.Object:
      state.path.pop();
      return state.sink?.endObject(at);
    case role.Array:
      state.path.pop();
      return state.sink?.endArray(at);
    case role.JsonKey:
    case role.String:
      return state.sink?.endString(at);
    case role.Name:
      // The blanks of a template are framing; any other blank is part of the name, and then it is another's.
      candidateAt(state, open.start).name ??= trimJson(state.captured);
      return;
    case role.Id:
      // A name may stand inside, and has then been captured by itself.
      candidateAt(state, open.start).wireId ??= state.slice(open.start, at).trim();
      return;
    case role.Number:
      return state.sink?.literal(state.captured, open.start, at);
    case role.True:
      return state.sink?.literal("true", open.start, at);
    case role.False:
      return state.sink?.literal("false", open.start, at);
    case role.Null:
      return state.sink?.literal("null", open.start, at);
    case role.Escape:
      parent.at = at;
      if (parent.code === role.String || parent.code === role.JsonKey) state.sink?.escaped(state.slice(open.start, at));
      else takeDecoded(state, parent.code, JSON.parse(`"${state.slice(open.start, at)}"`) as string);
      return;
    case role.Ignored:
      state.holdsEscaped = true;
      // Outside of a text it is framing as it stands.
      if (parent && !isReadLater(state, parent.code)) parent.at = at;
      return;
    case role.Ambiguous: {
      const message = variantOf(state, code);
      return message === undefined ? refuseAmbiguous(state) : refuseHere(state, "ambiguous", message);
    }
    case role.Malformed:
      return refuseHere(state, "malformed", variantOf(state, code) ?? "this is no form of a call");
    case role.Content:
    case role.Quoted:
    case role.Reasoning:
      return;
    case role.AfterTurn:
      state.endsTurn = true;
      return;
    case role.LeavesThoughts:
      state.leavesThoughts = true;
      return;
  }
  if (code < repairRoleBase) {
    const steps = state.handlers[code];
    // Part of the call would be left out in silence.
    if (!steps && state.block) candidateAt(state, at).refuse("malformed", "the format brings no reader for all of it");
    return steps?.close?.(state, open.start, at);
  }
  const kind = state.program.source.repairs[code - repairRoleBase];
  const candidate = state.block?.candidate ?? state.block?.pending;
  const level = readingRepairs.has(kind) ? "guess" : "safe";
  const repair: Repair = { kind, level, ...state.span(open.start, at) };
  if (candidate) candidate.repair(repair);
  // Behind the calls of a list it is said of all that stand or fall with it.
  else for (const listed of state.pendingUntilListEnd?.candidates ?? []) listed.repair(repair);
  state.handlers[kind]?.close?.(state, open.start, at);
}
