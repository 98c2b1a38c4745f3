/** A format of your own: `npm run build` makes generated/ of grammars/, `npm start` runs this. */
import { createParser } from "toolpeg/core";
import { bells } from "./generated/bells.js";

// The core brings no validator; the arguments of this tool are checked by hand below.
const parser = createParser({ format: bells, tools: [{ name: "ring" }], policy: { schema: "off" } });
for (const chunk of ["Ding. @ca", 'll {"tool": "ring", "wi', 'th": {"times": 2}} @end']) {
  for (const event of parser.push(chunk)) {
    if (event.type === "text-delta") console.log(event.text.trim());
    if (event.type === "call-end" && Number.isInteger(event.call.arguments.times)) {
      console.log(event.call.name, event.call.arguments);
    }
  }
}
parser.end();

/* Prints
Ding.
ring { times: 2 }
*/
