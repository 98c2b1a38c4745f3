import { markersIn } from "../markers.ts";
import { type Draft, type Imports, literal, marker, type Sample, type Skeleton } from "./skeleton.ts";

/** A call cut at its name, keys and values: `before NAME a KEY b VALUE c KEY b VALUE end`. */
interface Cuts {
  before: string;
  toKey: string;
  toValue: string;
  toNext: string;
  end: string;
}

function cutsOf({ one, probes }: Sample): Cuts | undefined {
  const [call] = probes.one.probe.calls;
  const entries = Object.entries(call.arguments) as [string, string][];
  // Templates may sort the keys; both orders are looked for.
  for (const order of [entries, [...entries].reverse()]) {
    const words = [call.name, ...order.flat()];
    const pieces: string[] = [];
    let at = 0;
    for (const word of words) {
      const found = one.indexOf(word, at);
      if (found < 0) break;
      pieces.push(one.slice(at, found));
      at = found + word.length;
    }
    const [before, toKey, toValue, toNext, again] = pieces;
    if (pieces.length === words.length && toValue === again) {
      return { before, toKey, toValue, toNext, end: one.slice(at) };
    }
  }
  return undefined;
}

/** `<function=NAME><parameter=KEY>VALUE</parameter></function>`. */
export const functionTags: Skeleton = (sample) => {
  const cuts = cutsOf(sample);
  const open = /^([\s\S]*?)<function=$/.exec(cuts?.before ?? "");
  const end = /^\s*<\/parameter>\s*<\/function>([\s\S]*)$/.exec(cuts?.end ?? "");
  if (cuts === undefined || open === null || end === null) return undefined;
  if (!/^>\s*<parameter=$/.test(cuts.toKey) || cuts.toValue.trim() !== ">") return undefined;
  const wrapper = [open[1].trim(), end[1].trim()];
  if (wrapper.includes("")) return undefined;
  return {
    kind: "functions and parameters as tags",
    family: "function-tags",
    rules: [marker("WRAPPER_OPEN", wrapper[0]), marker("WRAPPER_CLOSE", wrapper[1])],
  };
};

/** `<invoke name="NAME"><parameter name="KEY">VALUE</parameter></invoke>`, in a wrapper or not, with a prefix or without. */
export const invokeTags: Skeleton = (sample) => {
  const cuts = cutsOf(sample);
  const open = /^(?:<([^<>]+)>)?\s*<([^<>"\s]+)\s+name="$/.exec(cuts?.before.trim() ?? "");
  const parameter = /^">\s*<([^<>"\s]+)\s+name="$/.exec(cuts?.toKey ?? "");
  const flag = /^"( string="true")?>$/.exec(cuts?.toValue ?? "");
  if (cuts === undefined || open === null || parameter === null || flag === null) return undefined;
  const names = [open[2], parameter[1], ...(open[1] === undefined ? [] : [open[1]])];
  const prefix = sharedPrefix(names);
  const [invoke, inner, wrapper] = names.map((name) => name.slice(prefix.length));
  return {
    kind: "calls as tags with attributes",
    family: flag[1] === undefined ? "invoke-tags" : "flagged-invoke-tags",
    rules: [
      `prefix = ${literal(prefix)}`,
      "bind = prefix",
      `wrapperName = ${literal(wrapper ?? "function_calls")}`,
      ...(invoke === "invoke" ? [] : [`invokeName = ${literal(invoke)}`]),
      ...(inner === "parameter" ? [] : [`parameterName = ${literal(inner)}`]),
    ],
  };
};

/** What all of them begin with, up to a sign that is no letter. */
function sharedPrefix(names: readonly string[]): string {
  let length = 0;
  while (names.every((name) => name[length] !== undefined && name[length] === names[0][length])) length++;
  return /^[\s\S]*[^A-Za-z0-9_]/.exec(names[0].slice(0, length))?.[0] ?? "";
}

/** A name, then pairs of key and value, each in tags of its own. */
export const keyValueTags: Skeleton = (sample) => {
  const cuts = cutsOf(sample);
  if (cuts === undefined) return undefined;
  const [callOpen, ...outer] = markersIn(cuts.before);
  const [keyOpen, ...more] = markersIn(cuts.toKey);
  const [keyClose, valueOpen] = markersIn(cuts.toValue);
  const [valueClose, callClose, ...rest] = markersIn(cuts.end);
  if (
    outer.length + more.length + rest.length > 0 ||
    [callOpen, keyOpen, keyClose, valueOpen, valueClose, callClose].includes(undefined as never)
  ) {
    return undefined;
  }
  if (cuts.toNext.replace(/\s/g, "") !== valueClose + keyOpen || callOpen !== cuts.before.trim()) return undefined;
  return {
    kind: "a name, then pairs of key and value as tags",
    family: "key-value-tags",
    rules: [
      `callOpen = ${literal(callOpen)}`,
      `callClose = ${literal(callClose)}`,
      `keyOpen = ${literal(keyOpen)}`,
      `keyClose = ${literal(keyClose)}`,
      `valueOpen = ${literal(valueOpen)}`,
      `valueClose = ${literal(valueClose)}`,
    ],
  };
};

/** `call:NAME{key:VALUE,...}` with strings between tokens of their own. */
export const delimitedMap: Skeleton = (sample) => {
  const cuts = cutsOf(sample);
  const open = /^([\s\S]+?)call:$/.exec(cuts?.before.trim() ?? "");
  const quote = /^:([\s\S]+)$/.exec(cuts?.toValue.trim() ?? "")?.[1];
  if (cuts === undefined || open === null || quote === undefined || cuts.toKey.trim() !== "{") return undefined;
  if (!cuts.end.startsWith(`${quote}}`)) return undefined;
  const close = markersIn(cuts.end.slice(quote.length + 1))[0];
  if (close === undefined) return undefined;
  return {
    kind: "a name and a map without quotes",
    family: "delimited-map",
    rules: [
      marker("OPEN", open[1].trim()),
      marker("CLOSE", close),
      marker("QUOTE", quote),
      "quotedText = Verbatim",
      "Verbatim = (!QUOTE .)*",
    ],
  };
};

/** Calls as Python writes them. */
export const pythonCalls: Skeleton = (sample) => {
  const cuts = cutsOf(sample);
  if (cuts === undefined || cuts.toKey.trim() !== "(" || !/^=["']$/.test(cuts.toValue.trim())) return undefined;
  const end = /^["']\s*\)\s*(\]?)([\s\S]*)$/.exec(cuts.end);
  if (end === null) return undefined;
  const listed = end[1] === "]" && cuts.before.trimEnd().endsWith("[");
  const outer = listed ? cuts.before.trimEnd().slice(0, -1) : cuts.before;
  const fenced = /```[a-z]*\s*$/.test(outer);
  const open = outer.replace(/```[a-z]*\s*$/, "").trim();
  const close = (fenced ? end[2].replace(/^\s*```/, "") : end[2]).trim();
  if (open === "") {
    if (!listed || close !== "" || fenced) return undefined;
    return {
      kind: "a list of Python calls as the whole message",
      family: "whole-message",
      imports: [["calls", "list"]],
      rules: ["Whole = list"],
    };
  }
  if (close === "") return undefined;
  const rules = [marker("OPEN", open), marker("CLOSE", close)];
  if (listed && !fenced) return draft(rules, []);
  const group = listed ? "List" : "Group";
  return draft(
    [
      ...rules,
      `begins = ${fenced ? "fence " : ""}${listed ? '"[" ws ' : ""}callAhead`,
      `body = ${fenced ? "fence " : ""}${group}${fenced ? ' ("```" ws)?' : ""}`,
      ...(fenced ? ['fence = "```" [a-z]* ws'] : []),
      ...(listed ? [] : [`groupEnd = ${fenced ? '"```" / ' : ""}CLOSE`]),
    ],
    [
      ["calls", `callAhead, ${group}`],
      ["json", "ws"],
    ],
  );
};

const draft = (rules: string[], imports: Imports): Draft => ({
  kind: "Python calls between markers",
  family: "calls-in-markers",
  imports,
  rules,
});
