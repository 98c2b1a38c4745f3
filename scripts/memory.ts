/**
 * What a parser keeps when it is to keep calls only (`retain: "calls"`): `tsx scripts/memory.ts`. Each message is
 * read by a process of its own whose heap is small; a process that runs out of it fails here.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createParser } from "../src/index.ts";

const mebi = 2 ** 20;
const chunkChars = 4096;
const tools = [
  { name: "list_dials" },
  { name: "write_note", parameters: { type: "object", properties: { text: { type: "string" } } } },
];
const prose = "Nothing to call here, only words; a < b, and `code`.\n".repeat(80).slice(0, chunkChars);
const letters = "The dial stands in the north of the hall. ".repeat(100).slice(0, chunkChars);

interface Workload {
  heap: number;
  format: string | string[];
  /** What stands before, what over and over for so many characters, and after. */
  before: string;
  flood: string;
  chars: number;
  after: string;
  calls: number;
}

const hermesCall = '<tool_call>\n{"name": "list_dials", "arguments": {}}\n</tool_call>\n';
const workloads: Readonly<Record<string, Workload>> = {
  "100 MB of prose, a call at its end": {
    ...{ heap: 24, format: "hermes", before: "", flood: prose, chars: 100 * mebi, after: hermesCall, calls: 1 },
  },
  "100 MB of reasoning, a call at its end": {
    ...{ heap: 24, format: "hermes", before: "<think>", flood: letters, chars: 100 * mebi },
    ...{ after: `</think>${hermesCall}`, calls: 1 },
  },
  "100 MB of prose, read in three formats": {
    ...{ heap: 24, format: ["hermes", "qwen3_coder", "deepseek_v31"], before: "", flood: prose, chars: 100 * mebi },
    ...{ after: hermesCall, calls: 1 },
  },
  "100 MB of prose in a fence": {
    ...{
      heap: 24,
      format: "hermes",
      before: "```text\n",
      flood: letters,
      chars: 100 * mebi,
      after: `\n\`\`\`\n${hermesCall}`,
      calls: 1,
    },
  },
  "one argument of 50 MB, JSON": {
    ...{
      heap: 400,
      format: "hermes",
      before: '<tool_call>{"name": "write_note", "arguments": {"text": "',
      flood: letters,
    },
    ...{ chars: 50 * mebi, after: '"}}</tool_call>', calls: 1 },
  },
  "one argument of 50 MB, tags": {
    ...{
      heap: 400,
      format: "qwen3_coder",
      before: "<tool_call>\n<function=write_note>\n<parameter=text>\n",
      flood: letters,
    },
    ...{ chars: 50 * mebi, after: "\n</parameter>\n</function>\n</tool_call>", calls: 1 },
  },
};

function read(name: string): void {
  const { format, before, flood, chars, after, calls } = workloads[name];
  const policy = { maxPayloadChars: 64 * mebi };
  const parser = createParser({ format, tools, retain: "calls", policy });
  let peak = 0;
  let count = 0;
  const note = (events: readonly object[]) => (count += events.length);
  note(parser.push(before));
  for (let at = 0, turn = 0; at < chars; at += flood.length, turn++) {
    note(parser.push(flood));
    if (turn % 512 === 0) peak = Math.max(peak, process.memoryUsage().heapUsed);
  }
  note(parser.push(after));
  note(parser.end());
  peak = Math.max(peak, process.memoryUsage().heapUsed);
  const found = parser.result().calls.length;
  if (found !== calls) throw new Error(`${found} calls instead of ${calls}: ${parser.result().rejected[0]?.message}`);
  console.log(
    `${Math.round(peak / mebi)} MB at most, ${Math.round(process.resourceUsage().maxRSS / 1024)} MB resident, ${count} events`,
  );
}

const [name] = process.argv.slice(2);
if (name !== undefined) read(name);
else {
  for (const [label, { heap }] of Object.entries(workloads)) {
    const self = fileURLToPath(import.meta.url);
    const args = [`--max-old-space-size=${heap}`, "--import", "tsx", self, label];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
    console.log(`${label}: heap of ${heap} MB: ${status === 0 ? stdout.trim() : `failed\n${stderr.slice(0, 600)}`}`);
    if (status !== 0) process.exitCode = 1;
  }
}
