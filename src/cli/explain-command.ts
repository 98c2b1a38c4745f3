import { Command, Option } from "commander";
import { loadShippedGrammar, placesOfRules } from "../compiler/index.ts";
import { countText } from "../contract/count-text.ts";
import type { ExplainedCandidate, Explanation } from "../explain.ts";
import { drawNodes } from "./draw-nodes.ts";
import type { CliEngine } from "./engine.ts";
import { excerpt, placeOf } from "./excerpt.ts";
import { exitStatusHelp, statusOf } from "./exit-status.ts";
import { compiledGrammar, type FormatChoice, formatChoice, formatChoiceHelp } from "./format-choice.ts";
import { loadGrammar } from "./grammar-files.ts";
import { chunksOf, openInputs } from "./read-replies.ts";
import { readTools } from "./read-tools.ts";
import type { Terminal } from "./terminal.ts";
import { orMisuse, policyFrom, UsageError } from "./usage-error.ts";
import { visible } from "./visible-text.ts";

interface ExplainFlags {
  format: string;
  tools?: string;
  prefill?: string;
  intent?: boolean;
  finishReason?: string;
  marker?: string;
  policy?: string;
  names?: string;
  json?: boolean;
  html?: boolean;
  trace?: boolean;
}

const examples = `
Examples:
  toolpeg explain reply.txt --format hermes --tools tools.json
  toolpeg explain reply.txt --format hermes --trace
  toolpeg explain reply.txt --format grammars/mine.peggy
  toolpeg explain reply.txt --tools tools.json --html > reply.html

${exitStatusHelp}`;

/** `toolpeg explain`: how a reply was read, for people who look for a cause. */
export function explainCommand(engine: CliEngine, terminal: Terminal, finish: (status: number) => void): Command {
  return new Command("explain")
    .description("show how one reply is read: nodes, candidates, where the grammar stopped, who said no")
    .argument("[file]", "the reply; `-` or nothing reads standard input")
    .option("-f, --format <ids>", formatChoiceHelp, "auto")
    .option("-t, --tools <file>", "JSON file with the offered tools; without it nothing is validated")
    .option("--prefill <text>", "what the prompt had already opened; \\n is a line break")
    .option("--intent", "the model signalled that it needs a tool (fallback formats need it)")
    .option("--finish-reason <reason>", "why the model stopped; `length` means it was cut")
    .option("--marker <text>", "the opener, for formats where it can be chosen")
    .option("--names <names>", "tool names, for formats whose tags are tool names, when no tools are given")
    .option("--policy <json>", 'policy as JSON, such as {"calls": "first"}')
    .addOption(new Option("--json", "print JSON").conflicts("html"))
    .addOption(new Option("--html", "print a page").conflicts("trace"))
    .option("--trace", "also how Ohm reads the candidates: every rule it tries (cuts and primitives are left out)")
    .addHelpText("after", examples)
    .action(async (file: string | undefined, flags: ExplainFlags) => {
      const [input] = await openInputs(file === undefined ? [] : [file], false);
      let text = "";
      for await (const chunk of chunksOf(input, terminal)) text += chunk;
      const choice = await formatChoice(flags.format, terminal);
      const options = await optionsOf(flags, choice);
      if (engine.explain === undefined) throw new UsageError("this engine cannot explain");
      const explanation = orMisuse(() => engine.explain?.(text, options as never) as Explanation);
      const trace = flags.trace ? await tracesOf(text, explanation, choice) : [];
      if (flags.html) {
        // Only this needs the library that writes pages.
        const { explainPage } = await import("./html-reports.tsx");
        terminal.out(explainPage(input.label, text, explanation, flags.tools !== undefined));
      } else if (flags.json)
        terminal.out(`${JSON.stringify({ ...explanation, ...(flags.trace ? { trace } : {}) }, null, 2)}\n`);
      else {
        const passed = flags.tools === undefined ? notChecked : "it passed every check: a call";
        terminal.out(`${[...report(text, explanation, choice, terminal, passed), ...trace].join("\n")}\n`);
      }
      const { calls, rejected } = explanation.result;
      finish(statusOf({ replies: 1, calls: calls.length, refused: rejected.length }));
    });
}

async function optionsOf(flags: ExplainFlags, { format, prefill }: FormatChoice): Promise<Record<string, unknown>> {
  if (flags.policy !== undefined && flags.tools === undefined) {
    throw new UsageError("--policy says how calls are checked, and without --tools none is", "add --tools");
  }
  const names = flags.names?.split(",").map((name) => name.trim());
  return {
    format,
    ...(prefill === undefined ? {} : { prefill }),
    ...(flags.tools === undefined ? {} : { tools: await readTools(flags.tools) }),
    ...(flags.tools === undefined && names !== undefined ? { names } : {}),
    ...(flags.policy === undefined ? {} : { policy: policyFrom(flags.policy) }),
    ...(flags.prefill === undefined ? {} : { prefill: flags.prefill.replaceAll("\\n", "\n") }),
    ...(flags.intent ? { intent: true } : {}),
    ...(flags.finishReason === undefined ? {} : { finishReason: flags.finishReason }),
    ...(flags.marker === undefined ? {} : { marker: flags.marker }),
  };
}

function report(
  text: string,
  { formats, candidates, result }: Explanation,
  choice: FormatChoice,
  terminal: Terminal,
  passed: string,
): string[] {
  const { colours } = terminal;
  const lines = [...drawNodes(text, result.nodes, colours), ""];
  const read = formats.length > 3 ? `${formats.length} formats` : formats.join(", ");
  lines.push(
    `${candidates.length === 0 ? "no candidate" : countText(candidates.length, "candidate")}, read as ${read}`,
  );
  if (result.truncated) lines.push(colours.red("the text was cut"));
  for (const [number, candidate] of candidates.entries())
    lines.push("", ...describe(text, candidate, number, rulesTried(candidate, choice), terminal, passed));
  return lines;
}

/** The rules that were tried where the grammar stopped, each with where it stands. */
function rulesTried({ format, stopped }: ExplainedCandidate, { grammars }: FormatChoice): string[] {
  if (stopped === undefined || stopped.rules.length === 0) return [];
  const own = grammars.find((grammar) => compiledGrammar(grammar).id === format);
  const path = own?.path ?? `toolpeg/${format}.peggy`;
  const text = own?.text ?? loadShippedGrammar(path);
  const places = text === undefined ? undefined : placesOfRules(text, { path, load: loadGrammar });
  return stopped.rules.map((rule) => (places?.has(rule) ? `${rule} (${places.get(rule)})` : rule));
}

function describe(
  text: string,
  candidate: ExplainedCandidate,
  number: number,
  rules: readonly string[],
  { colours }: Terminal,
  passed: string,
): string[] {
  const { start, end, name, format, variant, outcome, refusedBy, reason, message = "", stopped, repairs } = candidate;
  const { line, column } = placeOf(text, start);
  const kind = variant === undefined ? format : `${format}, ${variant}`;
  const what = `${number + 1}. ${name === undefined ? "without a name" : visible(name)}`;
  const lines = [
    `${colours.bold(what)} ${colours.dim(`(${kind}, ${line}:${column}, offsets ${start}-${end})`)}`,
    ...excerpt(text, start, end, outcome === "call" ? colours.green : colours.red).map((one) => `   ${one}`),
  ];
  if (stopped) {
    const place = placeOf(text, stopped.at);
    lines.push(
      `   the grammar stopped at ${place.line}:${place.column} (offset ${stopped.at}): ${visible(stopped.expected)}`,
    );
    if (rules.length > 0) lines.push(`   rules tried there: ${rules.map(visible).join(", ")}`);
  } else if (refusedBy !== "context") lines.push("   the grammar read it to its end");
  for (const repair of repairs) {
    const cut = visible(JSON.stringify(text.slice(repair.start, Math.min(repair.end, repair.start + 40))));
    lines.push(`   recovery: ${repair.kind} (${repair.level}) at ${repair.start}-${repair.end} ${colours.dim(cut)}`);
  }
  if (outcome === "call") lines.push(colours.green(`   ${passed}`));
  else lines.push(`   ${colours.red(`${refusedBy} said no`)}: ${reason}: ${visible(message)}`);
  return lines;
}

const notChecked = "it was read: a candidate, not checked, since no tools were given";

async function tracesOf(text: string, { candidates }: Explanation, { grammars }: FormatChoice): Promise<string[]> {
  // Only this needs Ohm, which is a quarter of what the command would load.
  const { ohmTrace } = await import("./ohm-trace.ts");
  const own = new Map(grammars.map((grammar) => [compiledGrammar(grammar).id, grammar]));
  return candidates.flatMap(({ format, start, end }, number) => [
    "",
    `${number + 1}. as Ohm reads it`,
    ...ohmTrace(own.get(format) ?? format, text.slice(start, end)),
  ]);
}
