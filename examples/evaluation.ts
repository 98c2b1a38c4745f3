/** Counts how the replies of an evaluation were read, so that a brittle parser is not taken for a weak model. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { parse, type ToolDefinition } from "toolpeg";

const tools: ToolDefinition[] = [
  {
    name: "read_dial",
    parameters: { type: "object", properties: { dial: { type: "string" } }, required: ["dial"] },
  },
];
const lines = createInterface({ input: createReadStream(new URL("evaluation.jsonl", import.meta.url)) });

const tally = new Map<string, number>();
const count = (what: string) => tally.set(what, (tally.get(what) ?? 0) + 1);
for await (const line of lines) {
  const { text, expected } = JSON.parse(line);
  const result = parse(text, { format: ["hermes", "strict_json", "bracket"], tools, intent: true });
  const { parse_mode, repairs, rejections } = result.telemetry.record();
  count(`mode ${parse_mode}`);
  for (const kind of Object.keys(repairs)) count(`repair ${kind}`);
  for (const reason of Object.keys(rejections)) count(`refused ${reason}`);
  const made = result.calls.map((call) => ({ name: call.name, arguments: call.arguments }));
  count(JSON.stringify(made) === JSON.stringify(expected) ? "as expected" : "not as expected");
}
for (const [what, times] of [...tally].sort()) console.log(`${String(times).padStart(3)}  ${what}`);

/* Prints
  4  as expected
  1  mode json
  1  mode none
  3  mode primary
  1  not as expected
  1  refused truncated
  1  repair extra-comma
  1  repair quote-style
*/
