/**
 * Runs a page of the docs step by step, as a reader would: its blocks are files, edits of files, cases, and commands with what
 * they print.
 *
 * - ` ```text NAME `, ` ```json NAME `, ` ```peggy NAME `: a file.
 * - ` ```peggy in NAME ` and ` ```peggy in NAME from OTHER `: rules and imports that replace those of the same name.
 * - ` ```corpus NAME `: a case. Its input is added to the corpus, and `check --write` has to make what is shown of it.
 * - ` ```console `: commands after `$ toolpeg`, each with what it prints.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { main } from "../../src/cli/main.ts";
import { runCommand } from "./run-command.ts";

type Engine = Parameters<typeof main>[1];

/** One block, and what it should hold by what the project does. */
export interface GuideStep {
  /** Line of the page, from 1. */
  line: number;
  info: string;
  shown: string;
  found: string;
}

const fence = /^```(\w+)(?: ([^\n]*))?\n([\s\S]*?)^```$/gm;
/** Time for the properties of one grammar, in seconds: the words that are printed do not say it. */
const checkSeconds = "4";

/** Runs a page in a folder; gives the steps that show something, in their order. */
export async function runGuide(page: string, folder: string, engine: Engine): Promise<GuideStep[]> {
  const steps: GuideStep[] = [];
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  for (const { 1: kind, 2: info = "", 3: shown, index } of page.matchAll(fence)) {
    const line = lineAt(page, index);
    const edit = /^in (\S+)(?: from (\S+))?$/.exec(info);
    if (kind === "console")
      steps.push({ line, info: "console", shown, found: await runCommands(shown, folder, engine) });
    else if (kind === "corpus") {
      const before = existsSync(join(folder, info)) ? `${read(info).trimEnd()}\n\n` : "";
      write(info, before + openCase(shown));
      const { all, status } = await run(["check", info.replace(/corpus\.txt$/, "peggy"), "--write", "--no-properties"]);
      const found = status === 0 ? `${read(info).slice(before.length).trimEnd()}\n` : all;
      steps.push({ line, info, shown, found });
    } else if (edit) write(edit[1], withRules(read(edit[2] ?? edit[1]), shown));
    else if (info !== "") write(info, shown);
  }
  return steps;

  function run(args: string[]) {
    return runIn(args, folder, engine);
  }
}

/** The same page with what was found in place of what it shows. */
export function withFound(page: string, steps: readonly GuideStep[]): string {
  return page.replace(fence, (block, _kind, _info, shown: string, index: number) => {
    const step = steps.find(({ line }) => line === lineAt(page, index));
    return step === undefined ? block : `${block.slice(0, -shown.length - 3)}${step.found}\`\`\``;
  });
}

const lineAt = (page: string, index: number) => page.slice(0, index).split("\n").length;

async function runCommands(block: string, folder: string, engine: Engine): Promise<string> {
  let found = "";
  // How much a check has time to try depends on the machine.
  for (const line of block.split("\n").filter((one) => one.startsWith("$ toolpeg "))) {
    const { all } = await runIn(wordsOf(line.slice("$ toolpeg ".length)), folder, engine);
    found += `${line}\n${all.replace(/; too little time to try all of .*/g, "")}`;
  }
  return found;
}

/** Paths lie in the folder, and are shown as if it were the current one. */
async function runIn(args: string[], folder: string, engine: Engine) {
  const isPath = (word: string, at: number) => at > 0 && /^[\w/.-]+\.(?:peggy|txt|json)$/.test(word);
  const inFolder = args.map((word, at) => (isPath(word, at) ? join(folder, word) : word));
  if (args[0] === "new") inFolder.push("-o", join(folder, "grammars"));
  if (args[0] === "check") inFolder.push("--time", checkSeconds);
  const { all, status } = await runCommand(inFolder, engine);
  return { all: all.replaceAll(`${folder}/`, ""), status };
}

/** The words of a command line, with quotes as a shell has them. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|[^\s"'])+/g)].map(([word]) =>
    word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_, double?: string, single?: string) =>
      double === undefined ? (single ?? "") : double.replace(/\\(.)/g, "$1"),
    ),
  );
}

/** A case without what it expects. */
function openCase(shown: string): string {
  return shown.replace(/^(?:\^|content:|reasoning:|calls?:).*\n/gm, "");
}

/** A grammar with some of its rules written anew; rules that it does not have come after the others. */
function withRules(grammar: string, edits: string): string {
  let text = grammar;
  for (const edit of edits.trimEnd().split("\n")) {
    const [, file] = /^import .* from "(.*)"$/.exec(edit) ?? [];
    const [, name] = /^([A-Za-z_]\w*)/.exec(edit) ?? [];
    const place =
      file === undefined ? new RegExp(`^${name} .*=.*$`, "m") : new RegExp(`^import .* from "${file}"$`, "m");
    if (place.test(text)) text = text.replace(place, () => edit);
    else text = `${text.trimEnd()}\n${edit}\n`;
  }
  return text;
}
