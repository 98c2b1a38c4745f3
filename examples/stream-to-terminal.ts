/** Text as it comes, calls when they are whole: what a chat in a terminal does. */
import { parseStream } from "toolpeg";

const tools = [
  {
    name: "write_log",
    parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  },
] as const;

/** Stands for a model: pieces that are cut anywhere. */
async function* modelOutput() {
  const reply =
    "<think>They want a note.</think>Noted 👍\n" +
    '<tool_call>\n{"name": "write_log", "arguments": {"text": "dial 3 is stuck"}}\n</tool_call>';
  for (let at = 0; at < reply.length; at += 7) yield reply.slice(at, at + 7);
}

for await (const event of parseStream(modelOutput(), { format: "hermes", tools })) {
  switch (event.type) {
    case "reasoning-delta":
      break; // thoughts are not for the terminal
    case "text-delta":
      process.stdout.write(event.text);
      break;
    case "call-start":
      process.stdout.write(`... ${event.name}`);
      break;
    case "call-args-delta":
      process.stdout.write("."); // a sign of life; what is shown here has not been checked
      break;
    case "call-end":
      console.log(`\nrun ${event.call.name}: ${event.call.arguments.text}`);
      break;
    case "call-rejected":
      console.log(`\nrefused: ${event.rejection.message}`);
  }
}

/* Prints
Noted 👍
... write_log.....
run write_log: dial 3 is stuck
*/
