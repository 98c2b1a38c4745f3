import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { grammarFromTemplate } from "../template/index.ts";
import type { CliEngine } from "./engine.ts";
import { exitStatus } from "./exit-status.ts";
import { readTemplate } from "./template-format.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

const idShape = /^[a-z][a-z0-9_.-]*$/;

/** `toolpeg new ID`: a grammar to begin with, and a corpus that says what it reads. */
export function newCommand(engine: CliEngine, terminal: Terminal, finish: (status: number) => void): Command {
  return new Command("new")
    .description("begin a grammar of your own, with a corpus beside it")
    .argument("<id>", "the id of the format")
    .option("-o, --output <dir>", "the folder of the grammars", "grammars")
    .option("--template <file>", "make them from a model's chat template: a file or folder as `toolpeg detect` takes")
    .addHelpText("after", help)
    .action(async (id: string, { output, template }: { output: string; template?: string }) => {
      checkId(id, engine);
      const paths = [join(output, `${id}.peggy`), join(output, `${id}.corpus.txt`)];
      for (const path of paths) {
        if (existsSync(path)) throw new UsageError(`${path} is there already`, "choose another id, or remove the file");
      }
      const texts = template === undefined ? [grammarOf(id), corpusOf(id)] : await fromTemplate(template, id, terminal);
      if (texts === undefined) return finish(exitStatus.refused);
      const files = paths.map((path, index): [path: string, text: string] => [path, texts[index]]);
      mkdirSync(output, { recursive: true });
      for (const [path, text] of files) {
        writeFileSync(path, text);
        terminal.out(`wrote: ${path}\n`);
      }
      const next = template === undefined ? "change the markers" : "read both";
      terminal.out(`next: ${next}, then  toolpeg check ${files[0][0]}\n`);
      finish(exitStatus.calls);
    });
}

const help = `
Examples:
  toolpeg new my_model && toolpeg check grammars/my_model.peggy
  toolpeg new my_model --template models/my-model

Exit status:
  0  both files are written
  2  the command is not as it should be; a message says what to do
  3  no grammar could be made from the template; the notes say what is not known`;

/** Grammar and corpus of a template. Undefined: none could be made, and the notes are told. */
async function fromTemplate(path: string, id: string, { err, errColours }: Terminal): Promise<string[] | undefined> {
  const source = await readTemplate(path);
  const made = await grammarFromTemplate(source, { id }).catch((error: Error) => {
    throw new UsageError(`${path}: ${error.message}`);
  });
  for (const note of made.notes) err(`${errColours.yellow("note")}: ${note}\n`);
  return "grammar" in made ? [made.grammar, made.corpus] : undefined;
}

function checkId(id: string, engine: CliEngine): void {
  if (!idShape.test(id)) {
    throw new UsageError(`${JSON.stringify(id)} cannot be an id`, "one lower-case word such as my_model");
  }
  let known: string | undefined;
  try {
    known = engine.formats.get(id).id;
  } catch {
    return;
  }
  throw new UsageError(`the format ${known} ships with toolpeg and goes by that name`, "choose another id");
}

const markerOf = (id: string) => id.replace(/[^a-z0-9]/g, "_");

function grammarOf(id: string): string {
  const marker = markerOf(id);
  return `// ${id}
//
// format:    ${id}
// extends:   toolpeg/family/json-in-tags
// keys:      name = name; arguments = arguments
// reasoning: <think> </think>
// stop:      none
// source:    say who documents the format
//
// example:
//   <${marker}_call>
//   {"name": "read_dial", "arguments": {"dial": "north"}}
//   </${marker}_call>

// The family does the rest: JSON between two markers. Rules written here win over its own.
OPEN  "<${marker}_call>"  = "<${marker}_call>"
CLOSE "</${marker}_call>" = "</${marker}_call>"
`;
}

function corpusOf(id: string): string {
  const marker = markerOf(id);
  const dial = '{"type": "object", "properties": {"dial": {"type": "string"}}, "required": ["dial"]}';
  const tools = `tools: [{"name": "read_dial", "parameters": ${dial}}]`;
  const call = 'call: {"name": "read_dial", "arguments": {"dial": "north"}}';
  const cut = `<${marker}_call>{"name": "read_dial", "arguments": {"dial": "no`;
  return `=== prose, then one call
from:  written here, to begin with
${tools}
|Reading it now.
|<${marker}_call>
|{"name": "read_dial", "arguments": {"dial": "north"}}
|</${marker}_call>
content: "Reading it now.\\n"
${call}

=== the opener in a sentence is text
from:  written here, to begin with
${tools}
|A call begins with <${marker}_call> here.
^                   ${"^".repeat(`<${marker}_call>`.length)} rejected malformed
content: "A call begins with <${marker}_call> here."
calls: none

=== a reply cut inside a value yields no call
from:  written here, to begin with
${tools}
|${cut}
^${"^".repeat(cut.length)} rejected truncated
calls: none
`;
}
