/** The two promises of a constraint, asked of one format. */

import { slot } from "../../src/contract/render-template.ts";
import { type Constraint, type ConstraintOptions, exportConstraint } from "../../src/export/index.ts";
import { type Format, parse, RenderError } from "../../src/index.ts";
import { accepts, sampler } from "./parts.ts";
import { type randomTools, randomValue } from "./random-tools.ts";

type Tools = ReturnType<typeof randomTools>;

export interface ConstraintCheck {
  /** Sentences of the constraint that were read. */
  sampled: number;
  /** Rendered messages that were tried. */
  rendered: number;
  /** What went wrong, a sentence each. */
  failures: string[];
}

/** The choices of the model's freedom that every format is asked about. */
export function toolChoicesOf(tools: Tools): NonNullable<ConstraintOptions["toolChoice"]>[] {
  return ["auto", "required", "none", { name: tools[0].name }];
}

/** How many calls a sentence was written with: openers with a name after them, which stand nowhere else. */
function callsIn(text: string, format: Format, tools: Tools): number | undefined {
  const pieces = format.template?.call ?? [];
  const before = pieces[pieces.findIndex((piece) => piece === slot.name || piece === slot.quotedName) - 1];
  if (typeof before !== "string" || before.length < 3) return undefined;
  return tools.reduce((sum, { name }) => {
    const longer = tools.some((other) => other.name !== name && other.name.startsWith(name));
    return longer ? Number.NaN : sum + text.split(before + name).length - 1;
  }, 0);
}

/** Writes sentences of a constraint, and says of each that is not read as it was written why. */
export function readSamples(
  format: Format,
  tools: Tools,
  options: Omit<ConstraintOptions, "tools">,
  count: number,
  random: () => number,
  also: (sentence: string) => void = () => {},
): ConstraintCheck {
  const constraint = exportConstraint(format, { tools, ...options });
  const next = sampler(constraint.parts, random);
  const failures: string[] = [];
  const wantsCall = options.toolChoice === "required" || typeof options.toolChoice === "object";
  for (let at = 0; at < count; at++) {
    const text = next();
    also(text);
    const say = (what: string) =>
      failures.push(`${format.id} ${JSON.stringify(options)}: ${what}: ${JSON.stringify(text)}`);
    if (!accepts(constraint.parts, text)) say("sampled and not accepted");
    const read = parse(text, { format, tools, ...constraint.parseOptions });
    // That a text does not look like the boundary of two arguments cannot be said, and a note says so.
    const isBoundary = (message: string) => message.includes("what may be its end and the beginning of another");
    const isNoted = constraint.notes.some(({ code }) => code === "boundary");
    if (isNoted && read.rejected.some(({ message }) => isBoundary(message))) continue;
    const [rejection] = read.rejected;
    if (rejection !== undefined) say(`rejected as ${rejection.reason} (${rejection.message})`);
    const repairs = read.calls.flatMap((call) => call.repairs.map(({ kind }) => kind));
    if (repairs.length > 0) say(`repaired (${repairs.join(", ")})`);
    if (wantsCall && read.calls.length === 0) say("no call");
    if (options.toolChoice === "none" && read.calls.length > 0) say("a call");
    const written = callsIn(text, format, tools);
    if (written !== undefined && !Number.isNaN(written) && written !== read.calls.length) {
      say(`${written} calls written, ${read.calls.length} read`);
    }
  }
  return { sampled: count, rendered: 0, failures };
}

/** A message of random calls as the format writes it; undefined, when it cannot carry them. */
export function renderSome(format: Format, tools: Tools, random: () => number, parallel: boolean): string | undefined {
  const count = parallel && format.template?.between !== undefined ? 1 + Math.floor(random() * 2) : 1;
  const calls = Array.from({ length: count }, (_, at) => {
    const { name, parameters } = tools[Math.floor(random() * tools.length)];
    return { name, arguments: randomValue(parameters, random) as Record<string, unknown>, id: `call_${at}` };
  });
  try {
    return format.renderCalls(calls);
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    throw error;
  }
}

/** Renders messages, and says of each that the constraint does not accept which it was. */
export function acceptRendered(
  format: Format,
  tools: Tools,
  constraint: Constraint,
  count: number,
  random: () => number,
): ConstraintCheck {
  const failures: string[] = [];
  let rendered = 0;
  for (let at = 0; at < count; at++) {
    const text = renderSome(format, tools, random, true);
    if (text === undefined) continue;
    rendered++;
    if (!accepts(constraint.parts, text))
      failures.push(`${format.id}: rendered and not accepted: ${JSON.stringify(text)}`);
  }
  return { sampled: 0, rendered, failures };
}

/** A text with one character less, more or other. */
export function mutate(text: string, random: () => number): string {
  const characters = [...text];
  const at = Math.floor(random() * characters.length);
  const other = ["<", '"', "x", "}", "\n", ",", "</", "]", ")"][Math.floor(random() * 9)];
  characters.splice(at, random() < 0.6 ? 1 : 0, ...(random() < 0.4 ? [] : [other]));
  return characters.join("");
}
