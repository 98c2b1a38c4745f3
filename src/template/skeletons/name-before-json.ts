import { sameJson } from "../../values/same-json.ts";
import { findJson, nestingOf, withoutFenceClose, withoutFenceOpen } from "./pieces.ts";
import { type Imports, literal, marker, type Skeleton } from "./skeleton.ts";

/** A name, then its arguments as JSON. */
export const nameBeforeJson: Skeleton = ({ one, several, probes }) => {
  const [call] = probes.one.probe.calls;
  const id = probes.one.ids[0];
  const found = findJson(one);
  if (found === undefined || !sameJson(found.value, call.arguments)) return undefined;
  const head = withoutFenceOpen(one.slice(0, found.start));
  const at = head.text.lastIndexOf(call.name);
  if (at < 0) return undefined;
  const before = head.text.slice(0, at);
  const behindName = head.text.slice(at + call.name.length);
  const after = head.fenced ? withoutFenceClose(one.slice(found.end)) : one.slice(found.end);
  const second = secondCall(several, probes.several?.probe.calls[1].name, head.fenced);
  const { outerOpen, innerOpen, innerClose, outerClose, separator } = nestingOf(before, second?.between, after);
  if (innerOpen === "" || separator !== "") return undefined;
  const parting = separatorRule(behindName, second?.behindName, id);
  const fence: Imports = head.fenced ? [["payload-fence", "fence, fenceEnd"]] : [];
  const value = head.fenced ? "fence Arguments blanks fenceEnd blanks" : "Arguments blanks";
  const grouped = outerOpen !== "";
  const callEnd = innerClose === "" ? ` ${noSecond}` : ` (CLOSE / ${noSecond} MissingCloseMarker)`;
  const sectionEnd = outerClose === "" ? "" : " SECTION_CLOSE?";
  const resumes = [
    ...(innerClose === "" ? [] : ["CLOSE"]),
    ...(grouped ? ["&CALL_OPEN"] : []),
    ...(outerClose === "" ? [] : ["&SECTION_CLOSE"]),
    "&OPEN",
    "&STOP",
  ];
  const opener = grouped ? "CALL_OPEN Cut" : "OPEN";
  return {
    kind: grouped ? "a group of calls, each a name and JSON" : "a name and JSON",
    family: "json-after-marker",
    imports: [["primitives", "Cut"], ...fence, ["json", "Json, blanks, goesOn"]],
    rules: [
      marker("OPEN", grouped ? outerOpen : innerOpen),
      ...(grouped ? [marker("CALL_OPEN", innerOpen)] : []),
      ...(innerClose === "" ? [] : [marker("CLOSE", innerClose)]),
      ...(outerClose === "" ? [] : [marker("SECTION_CLOSE", outerClose)]),
      ...(grouped ? ["Block = Section", `Section = OPEN blanks &CALL_OPEN Cut (Call blanks)+${sectionEnd}`] : []),
      `Call = ${opener} blanks Name ${parting} blanks${grouped ? "" : " &begins Cut"} ${value}${callEnd}`,
      ...(grouped ? [] : ['begins = [{[] / "```"']),
      `Name = ${nameClass(behindName)}`,
      ...idRules(parting),
      "Arguments = Json !(blanks goesOn)",
      `Sync = ${resumes.join(" / ")}`,
    ],
  };
};

/** A second value after the first is not text: which of the two was meant is not known. A marker may begin as a list does. */
const noSecond = `!("{" / "[" blanks [{["])`;

interface SecondCall {
  between: string;
  behindName: string;
}

function secondCall(several: string | undefined, name: string | undefined, fenced: boolean): SecondCall | undefined {
  const first = several === undefined || name === undefined ? undefined : findJson(several);
  if (several === undefined || name === undefined || first === undefined) return undefined;
  const second = findJson(several, first.end);
  const at = several.indexOf(name, first.end);
  if (second === undefined || at < 0 || at > second.start) return undefined;
  const between = several.slice(first.end, at);
  return {
    between: fenced ? withoutFenceClose(between) : between,
    behindName: fenced
      ? withoutFenceOpen(several.slice(at + name.length, second.start)).text
      : several.slice(at + name.length, second.start),
  };
}

/** What parts name and arguments: markers, an id, a count. White space alone is a line end or a blank. */
function separatorRule(text: string, next: string | undefined, id: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return text.includes("\n") ? '[ \\t]* "\\n"' : "[ \\t]+";
  const at = trimmed.indexOf(id);
  if (at >= 0) {
    const parts = [trimmed.slice(0, at), trimmed.slice(at + id.length)].map((part) => part.trim());
    return [literal(parts[0]), "Id", literal(parts[1])].filter((part) => part !== '""').join(" blanks ");
  }
  const counted = /^(\D*?)0(\D[\s\S]*)?$/.exec(trimmed);
  if (counted !== null && next !== undefined && next.trim() === `${counted[1]}1${counted[2] ?? ""}`) {
    return [literal(counted[1]), "[0-9]+", literal(counted[2] ?? "")].filter((part) => part !== '""').join(" ");
  }
  return `blanks ${literal(trimmed)}`;
}

const idRules = (parting: string) => (/\bId\b/.test(parting) ? ["Id = [A-Za-z0-9_-]+"] : []);

/** Characters that no tool name has, and those that what follows begins with. */
function nameClass(after: string): string {
  const sign = after.trim()[0] ?? "";
  const extra = /[:=|,;]/.test(sign) ? sign : "";
  return `[^<>{}()\\[\\]"'\`${extra} \\t\\r\\n]+`;
}
