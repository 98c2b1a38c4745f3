/**
 * Runs the official JSON Schema Test Suite against the built-in validator:
 *
 *   git clone https://github.com/json-schema-org/JSON-Schema-Test-Suite suite
 *   npm run schema-suite -- suite
 *
 * Schemas that refer to other documents are passed over and counted: this library fetches nothing.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonSchema } from "../src/index.ts";
import { readSchema } from "../src/validation/check-schema.ts";
import { validateSchema } from "../src/validation/validate-schema.ts";

interface Group {
  description: string;
  schema: JsonSchema;
  tests: { description: string; data: unknown; valid: boolean }[];
}

const drafts: readonly (readonly [folder: string, schema: string])[] = [
  ["draft7", "http://json-schema.org/draft-07/schema#"],
  ["draft2020-12", "https://json-schema.org/draft/2020-12/schema"],
];

/** Of the optional tests, these ask what the library promises. */
const optional: readonly string[] = [
  "anchor.json",
  "bignum.json",
  "dependencies-compatibility.json",
  "dynamicRef.json",
  "ecmascript-regex.json",
  "float-overflow.json",
  "id.json",
  "non-bmp-regex.json",
  "refOfUnknownKeyword.json",
  "unknownKeyword.json",
];
const asserted: readonly string[] = ["date-time", "date", "time", "email", "uri", "uuid", "ipv4", "ipv6"];

const [suite, ...flags] = process.argv.slice(2);
if (suite === undefined) throw new Error("usage: npm run schema-suite -- FOLDER [--all]");

let failures = 0;
for (const [folder, draft] of drafts) {
  const root = join(suite, "tests", folder);
  const files = readdirSync(root).filter((name) => name.endsWith(".json"));
  const others = readdirSync(join(root, "optional")).filter((name) => optional.includes(name));
  const formats = readdirSync(join(root, "optional", "format")).filter((name) => asserted.includes(name.slice(0, -5)));
  const counts = { passed: 0, failed: 0, remote: 0 };
  for (const name of files) run(join(root, name), draft, false, counts);
  for (const name of others) run(join(root, "optional", name), draft, false, counts);
  for (const name of formats) run(join(root, "optional", "format", name), draft, true, counts);
  console.log(
    `${folder}: ${counts.passed} passed, ${counts.failed} failed, ${counts.remote} passed over (other documents)`,
  );
  failures += counts.failed;
}
process.exitCode = failures > 0 ? 1 : 0;

function run(
  file: string,
  draft: string,
  asserts: boolean,
  counts: Record<"passed" | "failed" | "remote", number>,
): void {
  for (const group of JSON.parse(readFileSync(file, "utf8")) as Group[]) {
    if (hasOwnVocabulary(group.schema)) {
      counts.remote += group.tests.length;
      continue;
    }
    const schema =
      typeof group.schema === "object" && group.schema.$schema === undefined
        ? { $schema: draft, ...group.schema }
        : group.schema;
    for (const { description, data, valid } of group.tests) {
      const title = `${file}: ${group.description}: ${description}`;
      let answer: unknown;
      try {
        answer = validateSchema(readSchema(schema, "t"), data, { formats: asserts ? "assert" : "annotate" });
      } catch (error) {
        const message = (error as Error).message;
        if (message.includes("outside the schema")) {
          counts.remote++;
          if (flags.includes("--all")) console.log(`  passed over  ${title}: ${message}`);
          continue;
        }
        // A schema that allows nothing by mistake is refused before any value is.
        answer = message;
      }
      if ((answer === true) === valid) counts.passed++;
      else {
        counts.failed++;
        console.log(`  failed       ${title}: ${JSON.stringify(answer)}`);
      }
    }
  }
}

/** What the keywords mean is said by another document. */
function hasOwnVocabulary(schema: JsonSchema): boolean {
  const name = typeof schema === "object" ? schema.$schema : undefined;
  return typeof name === "string" && !name.includes("json-schema.org");
}
