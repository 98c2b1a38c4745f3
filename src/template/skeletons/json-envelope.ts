import { sameJson } from "../../values/same-json.ts";
import { findJson, nestingOf, withoutFenceClose, withoutFenceOpen } from "./pieces.ts";
import { type Imports, literal, marker, type Skeleton } from "./skeleton.ts";

/** Objects that hold name and arguments, in markers or not. */
export const jsonEnvelope: Skeleton = ({ one, several, probes }) => {
  const found = findJson(one);
  if (found === undefined) return undefined;
  const [call] = probes.one.probe.calls;
  const item = Array.isArray(found.value) ? found.value[0] : found.value;
  const keys = keysOf(item, call.name, call.arguments, probes.one.ids[0]);
  if (keys === undefined) return undefined;
  const opened = withoutFenceOpen(one.slice(0, found.start));
  const after = opened.fenced ? withoutFenceClose(one.slice(found.end)) : one.slice(found.end);
  const between = betweenTwo(several, opened.fenced);
  const nesting = nestingOf(opened.text, between, after);
  const { innerOpen, innerClose, outerOpen, outerClose, separator } = nesting;
  const header: [string, string][] = [["keys", keys]];
  const fenced: Imports = opened.fenced ? [["payload-fence", "fence, fenceEnd"]] : [];
  const body = opened.fenced ? ["body = fence &payload Cut Payload blanks fenceEnd"] : [];
  const commit: Imports = [["primitives", "Cut"]];
  const blanks: Imports = [["json", "blanks"]];
  if (innerOpen === "" && outerOpen === "") {
    if (outerClose !== "" || innerClose !== "" || opened.fenced) return undefined;
    const between = separator === "" ? "blanks" : `blanks ${literal(separator)}? blanks`;
    return {
      kind: "JSON as the whole message",
      family: "whole-message",
      header,
      imports: [["json", "Array, Object, blanks"]],
      rules: [
        "Whole   = Call (separator Call)*",
        `separator = ${between} &"{"`,
        "Call    = Payload",
        "Payload = Object / Array",
      ],
    };
  }
  if (outerOpen === "" && separator === "") {
    if (innerClose === "") {
      const call = opened.fenced ? ["Call = OPEN blanks body"] : [];
      return {
        header,
        kind: "JSON after a marker",
        family: "json-after-marker",
        imports: opened.fenced ? [...commit, ...fenced, ...blanks] : [],
        rules: [marker("OPEN", innerOpen), ...call, ...body],
      };
    }
    return {
      header,
      kind: "JSON between markers",
      family: "json-in-tags",
      imports: opened.fenced ? [...commit, ...fenced, ...blanks] : [],
      rules: [marker("OPEN", innerOpen), marker("CLOSE", innerClose), ...body],
    };
  }
  if (innerOpen === "" && separator === "" && innerClose === "" && outerClose !== "" && /\n/.test(between ?? "")) {
    return {
      header,
      kind: "JSON lines between markers",
      family: "json-lines-in-tags",
      rules: [marker("OPEN", outerOpen), marker("CLOSE", outerClose)],
    };
  }
  const callOpen = innerOpen === "" ? [] : [marker("CALL_OPEN", innerOpen)];
  const callClose = innerClose === "" ? [] : [marker("CALL_CLOSE", innerClose)];
  const ahead = innerOpen === "" ? "payload" : "CALL_OPEN";
  const next = separator === "" ? "blanks" : `blanks (${literal(separator)} blanks)?`;
  const groupEnd = outerClose === "" ? "" : " CLOSE?";
  return {
    header,
    kind: "JSON objects in a group",
    family: "json-in-tags",
    imports: [...commit, ...fenced, ["json", "Array, Object, blanks, goesOn"]],
    rules: [
      marker("OPEN", outerOpen),
      ...(outerClose === "" ? [] : [marker("CLOSE", outerClose)]),
      ...callOpen,
      ...callClose,
      "Block = Section",
      `Section = OPEN blanks &${ahead} Cut (Call ${next})+${groupEnd}`,
      `Call = ${innerOpen === "" ? "" : "CALL_OPEN blanks "}body${innerClose === "" ? "" : " blanks CALL_CLOSE"}`,
      ...body,
      `Sync = ${[...(callClose.length > 0 ? ["CALL_CLOSE"] : []), ...(callOpen.length > 0 ? ["&CALL_OPEN"] : []), ...(outerClose === "" ? [] : ["&CLOSE"]), "&OPEN", "&STOP"].join(" / ")}`,
    ],
  };
};

/** What stands between two objects; undefined where they stand in one list, or there are no two. */
function betweenTwo(several: string | undefined, fenced: boolean): string | undefined {
  const first = several === undefined ? undefined : findJson(several);
  if (several === undefined || first === undefined || Array.isArray(first.value)) return undefined;
  const second = findJson(several, first.end);
  if (second === undefined) return undefined;
  const between = several.slice(first.end, second.start);
  return fenced ? withoutFenceOpen(withoutFenceClose(between)).text : between;
}

/** The header's `keys`: where in an object name, arguments and id stand. */
function keysOf(item: unknown, name: string, args: Record<string, unknown>, id: string): string | undefined {
  const paths = [...pathsOf(item)];
  const argumentPath = paths.find(({ value }) => sameJson(value, args))?.path;
  if (argumentPath === undefined) return undefined;
  if (argumentPath === name) return "name = *";
  const namePath = paths.find(({ value }) => value === name)?.path;
  if (namePath === undefined) return undefined;
  const idPath = paths.find(
    ({ value, path }) => value === id || (/(^|[._])id$/.test(path) && typeof value === "string"),
  )?.path;
  return `name = ${namePath}; arguments = ${argumentPath}${idPath === undefined ? "" : `; id = ${idPath}`}`;
}

function* pathsOf(value: unknown, path = ""): Generator<{ path: string; value: unknown }> {
  if (path !== "") yield { path, value };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  for (const [key, member] of Object.entries(value)) yield* pathsOf(member, path === "" ? key : `${path}.${key}`);
}
