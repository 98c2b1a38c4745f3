import { leavesOpen } from "../json-repair/open-string.ts";
import { memberFacts as fact } from "../machine/json-object.ts";
import { roleCodes as role } from "../machine/roles.ts";
import { Candidate } from "../values/candidate.ts";
import { envelopeOf } from "../values/envelope-keys.ts";
import { withoutBlanks } from "../values/json-text.ts";
import { type PayloadOwner, PayloadReader } from "../values/payload-reader.ts";
import { confirmPending, deliver, waitForVerdict } from "./blocks.ts";
import { refusedWith, startIfReady, unquoteArguments } from "./candidates.ts";
import { rawCharacterHandlers } from "./raw-characters.ts";
import { holdsWholeObject, type SoundCall } from "./sound-call.ts";
import type { Block, ReaderState, RoleHandlers } from "./state.ts";

/** Name and arguments come as one value. */
function beginPayload(state: ReaderState, _code: number, at: number): void {
  const block = state.block as Block;
  block.kind = "payload";
  block.valueStart = at;
  state.payload = newPayload(state, block, 0);
  state.sink = state.payload;
}

/** `done`: what begins before has been delivered already, and is passed over. */
export function newPayload(state: ReaderState, block: Block, done: number): PayloadReader {
  state.payloadBlock = block;
  state.payloadDone = done;
  const { keys, flags } = state.format;
  return new PayloadReader(keys, payloadOwner(state), flags.includes("arguments-required"));
}

function payloadOwner(state: ReaderState): PayloadOwner {
  state.payloadOwner ??= {
    beginItem: (at, listed) => {
      const block = state.payloadBlock as Block;
      block.listed = listed;
      if (at < state.payloadDone) return undefined;
      // Read again: the same candidate goes on, so that what has been sent stays true.
      // Where something else stands first now, only what has been sent binds: the candidate would cover that, too.
      const again = state.rereading?.started || state.pendingUntilVerdict.length === 0 ? state.rereading : undefined;
      state.rereading = undefined;
      const isFirst = !listed && block.takenEnd === block.start;
      const candidate = again ?? refusedWith(block, new Candidate(isFirst ? block.start : at, block.variant));
      if (!listed && !again) candidate.outerName = block.candidate?.name;
      if (listed) candidate.textStart = Math.max(block.takenEnd, block.valueStart);
      block.candidate = candidate;
      return candidate;
    },
    ready: (candidate) => {
      unquoteArguments(state, candidate);
      startIfReady(state, candidate);
    },
    endItem: (candidate, at) => {
      const block = state.payloadBlock as Block;
      candidate.end = at;
      block.candidate = undefined;
      block.pending = candidate;
    },
    confirmItem: (at) => {
      const block = state.payloadBlock as Block;
      // Without its brace it may be a member of the call before, which a brace too many has ended.
      if (state.recovery && block.listed && state.slice(at, at + 1) !== "{") refuseListed(state, block, memberInList);
      if (block.pending) block.pending.isFollowed = block.listed;
      confirmPending(state, block);
    },
    span: (start, end) => state.span(start, end),
    strayItem: (start, end) => {
      const block = state.payloadBlock as Block;
      // Quotes in a list may be those of a string that has ended in a call before.
      if (block.listed && state.slice(start, start + 1) === '"') refuseListed(state, block, textInList);
      confirmPending(state, block);
      if (start < state.payloadDone || (!block.listed && (block.candidate ?? block.pending))) return;
      const stray = new Candidate(start, block.variant);
      stray.end = end;
      stray.isStray = true;
      stray.refuse("malformed", "an element of the list is no object, so it is no call");
      if (state.recovery) waitForVerdict(state, block, stray);
      else deliver(state, block, stray);
    },
  };
  return state.payloadOwner;
}

/** The calls of a list that have not been delivered yet. */
function refuseListed(state: ReaderState, block: Block, message: string): void {
  for (const one of [...state.pendingUntilVerdict, block.pending]) one?.refuse("ambiguous", message);
}

const memberInList =
  "a member stands in the list after the call, so the call may have ended too early; ask for it again";
const textInList =
  "a text stands in the list after the call, so a string of the call may have ended too early; ask for it again";

/** The payload is complete. The last call of its list is when its block is: what stands before the closer is said of it. */
function endPayload(state: ReaderState): void {
  state.sink = undefined;
  (state.block as Block).isRead = true;
}

/** An object with a name, arguments and perhaps an id, and nothing else, as the header has them: the payload, or an element of its list. */
function soundPayload(call: SoundCall, log: readonly number[], at: number): number {
  const { format } = call.source;
  const isElement = log[at] === role.Object << 1;
  if (call.name !== undefined || format.keys.name === "*" || !(isElement || holdsWholeObject(log, at))) return -1;
  const object = isElement ? call.readObject(log[at + 1]) : call.takeObject(log[at + 3]);
  if (object === undefined) return -1;
  const { text, value, facts } = object;
  const { slots } = envelopeOf(format.keys);
  // In the order of the text; one that is given twice is there once.
  const keys = Object.keys(value);
  if (facts.length !== keys.length * fact.size) return -1;
  let given = -1;
  for (let index = 0; index < keys.length; index++) {
    const slot = slots.get(keys[index]);
    const one = value[keys[index]];
    if (slot === "arguments" && given < 0 && call.name !== undefined) given = index;
    else if (typeof one !== "string") return -1;
    else if (slot === "id" && call.wireId === undefined) {
      call.wireId = one;
      call.isIdBefore = given < 0;
    } else if (slot !== "name" || call.name !== undefined || !call.names(one)) return -1;
  }
  const of = given * fact.size;
  const start = facts[of + fact.start];
  if (given < 0 || text.charCodeAt(start) !== 0x7b) return -1;
  const json = text.slice(start, facts[of + fact.end]);
  const isWhole = call.whole(
    facts[of + fact.blanks] === 1 ? withoutBlanks(json) : json,
    value[keys[given]] as Record<string, unknown>,
    facts[of + fact.members],
    facts[of + fact.depth],
  );
  return isWhole ? at + (isElement ? 2 : 8) : -1;
}

/**
 * Closers too many are noise, unless one before may have come too early: then a member that follows it stands in the wrong
 * object, or a string has lost a bracket. The recovery asks the same of what it reads (`json-repair/read-tail.ts`).
 */
function checkSurplus(state: ReaderState, start: number, at: number): void {
  const block = state.block as Block;
  const candidate = block.pending ?? block.candidate;
  if (candidate === undefined) return;
  const payload = state.slice(candidate.start, start);
  const text = payload.replace(jsonString, '"');
  const isInDoubt =
    leavesOpen(lastString.exec(payload)?.[0] ?? "") ||
    memberAfterObject.test(text) ||
    (state.slice(start, at).includes("]") && memberAfterArray.test(text));
  if (isInDoubt) candidate.refuse("needs-guess", surplusInDoubt);
}

const jsonString = /"(?:[^"\\]|\\.)*"/g;
/** Nothing but closers follows it. */
const lastString = /"(?:[^"\\]|\\.)*"(?=[\s\]}]*$)/;
const memberAfterObject = /\}\s*,\s*"\s*:/;
const memberAfterArray = /\]\s*,\s*"\s*:/;
const surplusInDoubt =
  "a closer too many may have come too early, before a member that follows, or belong to the text before it; ask for the call again";

/** Name and arguments in one JSON value. */
export const payloadHandlers: RoleHandlers = {
  ...rawCharacterHandlers,
  "surplus-closer": { close: checkSurplus },
  [role.Payload]: { open: beginPayload, close: endPayload, sound: soundPayload },
};
