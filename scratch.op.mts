import { formats } from "./src/index.ts";
import { openersOf } from "./src/message/readings/openers.ts";
for (const f of formats) console.log((f as any).id, JSON.stringify(openersOf((f as any).data ?? (f as any), undefined, ["NAME"])));
