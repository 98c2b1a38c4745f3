/**
 * What a program pays before its first call: `npm run bench -- --cold [--runs 41]`. Each figure is the median of fresh
 * processes, in which nothing has been compiled; processes of each kind take turns, so that other work on the machine
 * falls on all alike. An empty module, imported the same way, is the floor.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { tools, workloadsOf } from "./workloads.ts";

/** What one process measured, in milliseconds: on the clock, and of the processor. */
interface Sample {
  import: number;
  importWork: number;
  parse: number;
  parseWork: number;
}

export interface ColdRow {
  name: string;
  /** Medians, the floor subtracted from those of the import. */
  import: number;
  importWork: number;
  parse: number | undefined;
  parseWork: number | undefined;
}

const [{ text }] = workloadsOf("hermes");

/** Runs in the fresh process. */
function program(load: string, calls: string): string {
  return `
    const work = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
    const text = ${JSON.stringify(text)}, tools = ${JSON.stringify(tools)};
    const began = [performance.now(), work()];
    const [entry, { hermes }] = await Promise.all([${load}]);
    const imported = [performance.now(), work()];
    const calls = ${calls};
    const parsed = [performance.now(), work()];
    if (calls !== 1) throw new Error("read " + calls + " calls");
    console.log(JSON.stringify({
      import: imported[0] - began[0], importWork: imported[1] - began[1],
      parse: parsed[0] - imported[0], parseWork: parsed[1] - imported[1],
    }));`;
}

const median = (values: number[]) => values.sort((left, right) => left - right)[values.length >> 1];

/**
 * Measures fresh processes.
 *
 * @param folder holds the built entries
 * @param runs of each kind
 */
export function coldRows(folder: string, runs: number): { floor: ColdRow; rows: ColdRow[] } {
  const importOf = (file: string) => `import(${JSON.stringify(pathToFileURL(`${folder}${file}`).href)})`;
  writeFileSync(`${folder}empty.js`, "export {};\n");
  const parseAll = 'entry.parse(text, { format: "hermes", tools }).calls.length';
  const kinds = [
    { name: "an empty module", code: program(`${importOf("empty.js")}, {}`, "1"), parses: false },
    {
      name: "toolpeg, all formats",
      code: program(`${importOf("node/index.js")}, {}`, parseAll),
      parses: true,
    },
    {
      name: "toolpeg/core with one format",
      code: program(
        `${importOf("node/core.js")}, ${importOf("node/formats/hermes.js")}`,
        'entry.parse(text, { format: hermes, tools, policy: { schema: "off" } }).calls.length',
      ),
      parses: true,
    },
  ];
  const samples = kinds.map((): Sample[] => []);
  for (let run = 0; run < runs; run++) {
    for (const [index, { code }] of kinds.entries()) {
      const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(stderr);
      samples[index].push(JSON.parse(stdout));
    }
  }
  const [floor, ...rows] = kinds.map(({ name, parses }, index): ColdRow => {
    const of = (key: keyof Sample) => median(samples[index].map((sample) => sample[key]));
    const none = parses ? of : () => undefined;
    return {
      name,
      import: of("import"),
      importWork: of("importWork"),
      parse: none("parse"),
      parseWork: none("parseWork"),
    };
  });
  for (const row of rows) {
    row.import -= floor.import;
    row.importWork -= floor.importWork;
  }
  return { floor, rows };
}

/** One line for each kind; work is the time of the processor, which other programs on the machine do not add to. */
export function printCold({ floor, rows }: ReturnType<typeof coldRows>): void {
  const pair = (time: number, work: number) => `${time.toFixed(1)} ms (work ${work.toFixed(1)} ms)`;
  console.log(`${floor.name.padEnd(30)} import ${pair(floor.import, floor.importWork)}: the floor, subtracted below`);
  for (const { name, import: time, importWork, parse = 0, parseWork = 0 } of rows)
    console.log(`${name.padEnd(30)} import ${pair(time, importWork)}, first parse ${pair(parse, parseWork)}`);
}
