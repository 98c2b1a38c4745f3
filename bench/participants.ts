/** Who is measured. Each is asked for the calls first: what reads a workload wrongly, or not at all, is not timed. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { hermesProtocol, morphXmlProtocol, qwen3CoderProtocol, type TCMProtocol } from "@ai-sdk-tool/parser";
import peggy from "peggy";
import { bundle } from "../scripts/bundle.ts";
import { listEntries } from "../scripts/entries.ts";
import { roleCodeOf } from "../src/compiler/analyse/role-of.ts";
import { linkGrammar } from "../src/compiler/parse/link-grammar.ts";
import { roleCodes } from "../src/machine/roles.ts";
import { primitiveHooks } from "../test/support/primitive-hooks.ts";
import { type CaptureNode, writePeggy } from "../test/support/write-peggy.ts";
import { floors } from "./floor.ts";
import { scanners } from "./scanner.ts";
import { type Call, type FormatId, formatIds, tools } from "./workloads.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Where the library is built to before it is measured: as it ships. */
export const bundleFolder = `${root}node_modules/.cache/toolpeg-bench/`;

export type Toolpeg = typeof import("../src/index.ts");

/** The run-time entries, as the package has them. */
export async function bundleToolpeg(): Promise<Toolpeg> {
  rmSync(bundleFolder, { recursive: true, force: true });
  const entries = listEntries().filter(({ runtime }) => runtime);
  await bundle(entries, { folder: bundleFolder });
  writeFileSync(`${bundleFolder}package.json`, JSON.stringify({ type: "module", sideEffects: false }));
  return (await import(`file://${bundleFolder}node/index.js`)) as Toolpeg;
}

/** Reads a whole text. */
export interface WholeReader {
  name: string;
  read: (text: string) => unknown;
  /** The calls of one reading; undefined: it finds only how many there are. */
  callsOf: (text: string) => Call[] | number;
}

export function wholeReaders(toolpeg: Toolpeg, format: FormatId): WholeReader[] {
  const options = { format, tools };
  const bare = ({ name, arguments: given }: Call) => ({ name, arguments: given });
  const peer = peers[format]?.();
  const readPeggy = peggyReader(format);
  return [
    { name: "floor", read: (text) => floors[format](text), callsOf: (text) => floors[format](text).calls },
    {
      name: "toolpeg parse",
      read: (text) => toolpeg.parse(text, options),
      callsOf: (text) => (toolpeg.parse(text, options).calls as Call[]).map(bare),
    },
    {
      name: "toolpeg extract",
      read: (text) => toolpeg.extract(text, { format }),
      // Without a schema raw text is typed by what it looks like, so only the names can be compared.
      callsOf: (text) => toolpeg.extract(text, { format }).candidates.length,
    },
    { name: "stock Peggy", read: readPeggy, callsOf: (text) => countCalls(readPeggy(text)) },
    ...(peer
      ? [
          {
            name: "@ai-sdk-tool/parser",
            read: (text: string) => peer.parseGeneratedText({ text, tools: peerTools, options: {} }),
            callsOf: (text: string) => peerCalls(peer.parseGeneratedText({ text, tools: peerTools, options: {} })),
          },
        ]
      : []),
  ];
}

/** Reads chunks; resolves with the calls. */
export interface ChunkReader {
  name: string;
  read: (chunks: readonly string[]) => Call[] | Promise<Call[]>;
}

export function chunkReaders(toolpeg: Toolpeg, format: FormatId): ChunkReader[] {
  const makeScanner = scanners[format];
  const peer = peers[format]?.();
  return [
    {
      name: "toolpeg",
      read(chunks) {
        const parser = toolpeg.createParser({ format, tools });
        for (const chunk of chunks) parser.push(chunk);
        parser.end();
        return (parser.result().calls as Call[]).map(({ name, arguments: given }) => ({ name, arguments: given }));
      },
    },
    ...(makeScanner
      ? [
          {
            name: "hand-written scanner",
            read(chunks: readonly string[]) {
              const scanner = makeScanner();
              const calls: Call[] = [];
              for (const chunk of chunks)
                for (const event of scanner.push(chunk)) if (event.type === "end") calls.push(event.call);
              scanner.end();
              return calls;
            },
          },
        ]
      : []),
    ...(peer ? [{ name: "@ai-sdk-tool/parser", read: (chunks: readonly string[]) => streamPeer(peer, chunks) }] : []),
  ];
}

const peers: Partial<Record<FormatId, () => TCMProtocol>> = {
  hermes: () => hermesProtocol(),
  qwen3_coder: () => qwen3CoderProtocol(),
  morph_xml: () => morphXmlProtocol(),
};

type PeerTools = Parameters<TCMProtocol["parseGeneratedText"]>[0]["tools"];

const peerTools = tools.map(({ name, description, parameters }) => ({
  type: "function",
  name,
  description,
  inputSchema: parameters,
})) as unknown as PeerTools;

type PeerPart = { type: string; toolName?: string; input?: string };

function peerCalls(parts: readonly unknown[]): Call[] {
  return (parts as PeerPart[]).flatMap(({ type, toolName, input }) =>
    type === "tool-call" ? [{ name: toolName as string, arguments: JSON.parse(input as string) }] : [],
  );
}

async function streamPeer(peer: TCMProtocol, chunks: readonly string[]): Promise<Call[]> {
  const stream = peer.createStreamParser({ tools: peerTools, options: {} });
  const writer = stream.writable.getWriter();
  const parts: unknown[] = [];
  const reading = (async () => {
    for await (const part of stream.readable) if ((part as PeerPart).type === "tool-call") parts.push(part);
  })();
  await writer.write({ type: "text-start", id: "1" });
  for (const delta of chunks) await writer.write({ type: "text-delta", id: "1", delta });
  await writer.write({ type: "text-end", id: "1" });
  await writer.close();
  await reading;
  return peerCalls(parts);
}

function peggyReader(format: FormatId): (text: string) => readonly CaptureNode[] {
  const load = (path: string) => (existsSync(root + path) ? readFileSync(root + path, "utf8") : undefined);
  const path = `grammars/${format}.peggy`;
  const grammar = linkGrammar({ path, text: load(path) as string }, load);
  const { text, start } = writePeggy(grammar, { roleOf: ({ declared }) => roleCodeOf(declared)?.toString() });
  const parser = peggy.generate(text, { allowedStartRules: [start] });
  const keys = new Map(tools.map(({ name, parameters }) => [name, Object.keys(parameters.properties)]));
  const primitives = primitiveHooks({ names: [...keys.keys()], keysOf: (name) => keys.get(name) });
  return (input) => parser.parse(input, { primitives });
}

function countCalls(nodes: readonly CaptureNode[]): number {
  let calls = 0;
  const work = [...nodes];
  for (let node = work.pop(); node; node = work.pop()) {
    if (node.role === String(roleCodes.Call)) calls++;
    else work.push(...node.children);
  }
  return calls;
}

export { formatIds };
