/**
 * Cases that every format should have, written in its own wire: what it writes by itself, and what becomes of that in a
 * sentence, in a fence, after a cut, and where the tools are others.
 */
import type { Format } from "../formats/format.ts";
import { runOf } from "./check-case.ts";
import type { Engine, HarnessResult } from "./engine.ts";
import { callsOf, show } from "./observe.ts";
import { readCorpus } from "./read-corpus.ts";
import { sameValue } from "./same-value.ts";
import { fillOpenCases, openCaseText } from "./write-expectation.ts";

interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

/** What a case claims. What is left out is not claimed. */
interface Claim {
  calls: readonly Call[];
  /** All of the content; `contains`: some of it. */
  content?: string;
  contains?: string;
  /** One of these is the reason of a refusal. */
  rejected?: readonly string[];
}

interface StockCase {
  title: string;
  /** A set of `tools.json` that ships with the package. */
  tools: string;
  text: string;
  claim: Claim;
}

/** What a case is made from. */
interface Wire {
  /** Calls as the format writes them; throws for what it cannot carry. */
  write(...calls: readonly Call[]): string;
  format: Format;
}

const read: Call = { name: "read_dial", arguments: { dial: "north" } };
const set: Call = { name: "set_dial", arguments: { dial: "south", position: 3 } };
const list: Call = { name: "list_dials", arguments: {} };
const mix: Call = { name: "mix_paint", arguments: { label: "sky", tins: 3, litres: 2.5, glossy: true } };
const pack: Call = {
  name: "pack_crate",
  arguments: { items: ["cups", "plates"], weights: [1, 2.5], address: { street: "Mill Lane", number: 7 } },
};
const file = (text: string): Call => ({ name: "put_file", arguments: { path: "notes/a.txt", text } });

/** Each gives one case, or nothing where the format has no such thing. The title is what is claimed. */
const recipes: Readonly<Record<string, (wire: Wire) => Omit<StockCase, "title" | "tools"> & { tools?: string }>> = {
  "one call": ({ write }) => ({ text: write(read), claim: { calls: [read], content: "" } }),
  "prose, then a call": ({ write }) => ({
    text: `Reading it now.\n${write(read)}`,
    claim: { calls: [read], content: "Reading it now.\n" },
  }),
  "a call, then prose": ({ write }) => ({
    text: `${write(read)}\n\nThat is the dial you meant.`,
    claim: { calls: [read], contains: "That is the dial you meant." },
  }),
  "several calls in one reply": ({ write }) => ({
    text: write(read, set, list),
    claim: { calls: [read, set, list], content: "" },
  }),
  "a call without arguments": ({ write }) => ({ text: write(list), claim: { calls: [list], content: "" } }),
  "every plain type of value": ({ write }) => ({ tools: "numbers", text: write(mix), claim: { calls: [mix] } }),
  "lists and objects as values": ({ write }) => ({ tools: "nested", text: write(pack), claim: { calls: [pack] } }),
  "digits in a text stay text": ({ write }) => {
    const call = { name: "read_dial", arguments: { dial: "42" } };
    return { text: write(call), claim: { calls: [call] } };
  },
  "quotes, backslashes and line breaks are part of a text": ({ write }) => {
    const call = file("She said \"no\", he said 'yes'.\nC:\\temp\\new\n\tindented");
    return { tools: "files", text: write(call), claim: { calls: [call] } };
  },
  "other scripts and signs are part of a text": ({ write }) => {
    const call = file("Grüße aus 北京, 100 % 🎐");
    return { tools: "files", text: write(call), claim: { calls: [call] } };
  },
  "markup and braces are part of a text": ({ write }) => {
    const call = file("<b>bold</b> & <br/> {a: [1]}");
    return { tools: "files", text: write(call), claim: { calls: [call] } };
  },
  "a call that stands in a text of a call is text": ({ write }) => {
    const call = file(`Write it like this: ${write(read)} and wait.`);
    return { tools: "files", text: write(call), claim: { calls: [call] } };
  },
  "a tool that is not offered is no call": ({ write }) => ({
    text: write({ name: "burn_house", arguments: { dial: "north" } }),
    claim: { calls: [] },
  }),
  "a value of another type is refused": ({ write }) => ({
    text: write({ name: "set_dial", arguments: { dial: "south", position: "seven" } }),
    claim: { calls: [], rejected: ["schema", "type-mismatch"] },
  }),
  "a missing argument is refused": ({ write }) => ({
    text: write({ name: "set_dial", arguments: { dial: "south" } }),
    claim: { calls: [], rejected: ["schema"] },
  }),
  "an opener in a sentence is text": ({ format }) => {
    const text = `Calls begin with ${opener(format)} in this format.`;
    return { text, claim: { calls: [], content: text } };
  },
  "a call in a fence is quoted": ({ write }) => {
    const text = `For example:\n\`\`\`\n${write(read)}\n\`\`\`\n`;
    return { text, claim: { calls: [], content: text } };
  },
  "a call in thoughts that end is a draft": ({ write, format }) => {
    const [pair] = format.reasoning;
    if (pair === undefined) throw new NoSuchThing();
    const text = `${pair.open}I could write ${write(read)} here.${pair.close}Better not.`;
    return { text, claim: { calls: [], content: "Better not." } };
  },
  "a reply cut inside a value yields no call": ({ write }) => {
    const text = write(read);
    return { text: text.slice(0, text.indexOf("north") + 3), claim: { calls: [], rejected: ["truncated"] } };
  },
  "what was complete before a cut stands": ({ write }) => {
    const text = write(read, set);
    return { text: text.slice(0, text.indexOf("south") + 3), claim: { calls: [read], rejected: ["truncated"] } };
  },
  "a call in the next turn is none": ({ write }) => ({
    text: `${write(read)}<|im_end|>\n<|im_start|>user\n${write(set)}`,
    claim: { calls: [read], rejected: ["after-turn"] },
  }),
};

/** The format has nothing that the case is about. */
class NoSuchThing extends Error {}

/** The first opener that is more than a single character. */
function opener({ triggers }: Format): string {
  const found = triggers.find((trigger) => trigger.length > 1) ?? triggers[0];
  if (found === undefined) throw new NoSuchThing();
  return found;
}

/** A corpus to begin with. */
export interface StockCorpus {
  /** Its text; every case in it is what its title claims. */
  text: string;
  /** How many cases it has. */
  size: number;
  /** Claims that do not hold of this format, each with what was found instead. */
  left: { title: string; why: string }[];
}

/**
 * Writes the cases that every format should have in the wire of this one, with what it makes of them. A case that is not
 * what its title claims is left out and said: either the format is meant so, or something is missing in its grammar.
 *
 * @param toolSets the named sets that ship with the package
 */
export function stockCorpus(format: Format, engine: Engine, toolSets: Readonly<Record<string, unknown>>): StockCorpus {
  const kept: string[] = [];
  const left: StockCorpus["left"] = [];
  const write = (...calls: readonly Call[]) => format.renderCalls(calls);
  const from = "written by `toolpeg new`";
  for (const [title, recipe] of Object.entries(recipes)) {
    try {
      const { tools = "dials", text, claim } = recipe({ write, format });
      const open = openCaseText({ title, from, tools, text });
      const [example] = readCorpus(open, "the corpus", { toolSets, unfinished: true });
      const why = unlike(claim, runOf(example, engine, format).whole(text));
      if (why === undefined) kept.push(open);
      else left.push({ title, why });
    } catch (error) {
      if (error instanceof NoSuchThing) continue;
      left.push({ title, why: (error as Error).message });
    }
  }
  const { text } = fillOpenCases(kept.join("\n"), "the corpus", format, engine, { toolSets });
  return { text: `${text.trimEnd()}\n`, size: kept.length, left };
}

/** What is not as claimed; undefined when all is. */
function unlike({ calls, content, contains, rejected }: Claim, result: HarnessResult): string | undefined {
  const found = callsOf(result).map(({ name, arguments: given }) => ({ name, arguments: given }));
  const reasons = result.rejected.map(({ reason }) => reason as string);
  const shown = `${found.length === 0 ? "no call" : show(found)}${reasons.length > 0 ? `, ${reasons.join(", ")}` : ""}`;
  if (!sameValue(found, calls)) return shown;
  if (rejected !== undefined && !rejected.some((reason) => reasons.includes(reason))) return shown;
  if (content !== undefined && result.content !== content) return `the content is ${show(result.content)}`;
  if (contains !== undefined && !result.content.includes(contains)) return `the content is ${show(result.content)}`;
  return undefined;
}
