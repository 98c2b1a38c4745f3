/** One run of the command line against a terminal that only remembers. */
import pc from "picocolors";
import { main } from "../../src/cli/main.ts";

interface Setting {
  /** What stands on standard input, in the pieces it comes in; none unless given. */
  stdin?: string[];
  columns?: number;
  colour?: boolean;
  version?: string;
}

/** The exit status, what went to standard output and to standard error, and both as a person sees them. */
export async function runCommand(
  args: string[],
  engine: Parameters<typeof main>[1],
  { stdin = [], columns = 100, colour = false, version = "test" }: Setting = {},
) {
  let out = "";
  let err = "";
  let all = "";
  const colours = pc.createColors(colour);
  const terminal = {
    stdin: (async function* () {
      yield* stdin;
    })(),
    out: (text: string) => {
      out += text;
      all += text;
    },
    err: (text: string) => {
      err += text;
      all += text;
    },
    errIsTerminal: false,
    columns,
    colours,
    errColours: colours,
  };
  const status = await main(args, engine, terminal, version);
  return { status, out, err, all };
}
