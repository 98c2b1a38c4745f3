import { readYamlBody } from "../../blocks/bodies/yaml.ts";
import { allTurnTokens, endOfTurnTokens } from "../../contract/turn-tokens.ts";
import { type BodyLanguage, type FormatData, offeredName, type ReadBody } from "../../formats/format-data.ts";
import { Operation, operandCount, type Program } from "../../machine/program.ts";
import { roleCodes } from "../../machine/roles.ts";
import {
  argumentsHandlers,
  bodyHandlers,
  listHandlers,
  markupHandlers,
  onlyTextHandlers,
  parameterHandlers,
  parameterTagListing,
  payloadHandlers,
  typescriptListing,
} from "../../role-handlers.ts";
import { Analysis } from "../analyse/analyse.ts";
import { checkGrammar } from "../analyse/check-grammar.ts";
import { roleCodeOf } from "../analyse/role-of.ts";
import { isNever, type LinkedGrammar, walkExpression } from "../parse/linked-grammar.ts";
import { deriveTemplate } from "../template/derive-template.ts";
import { readSample } from "../template/read-sample.ts";
import { assemble } from "./assemble.ts";
import { closerName, spellingsOf } from "./spellings.ts";

/** The languages a call may hold: who reads them, and a shipped format that does. */
const bodyReaders: Readonly<Record<BodyLanguage, { name: string; read: ReadBody; format: string }>> = {
  yaml: { name: "readYamlBody", read: readYamlBody, format: "yaml_xml" },
};

const allHandlers = {
  argumentsHandlers,
  bodyHandlers,
  listHandlers,
  markupHandlers,
  onlyTextHandlers,
  parameterHandlers,
  payloadHandlers,
};

/** Which of `toolpeg/role-handlers` a program needs: those for a role that it opens. What they do for repairs is about these. */
function handlersNeeded(program: Program): (keyof typeof allHandlers)[] {
  const needed = new Set<string>();
  for (const [operation, role] of operationsOf(program)) {
    if (operation === Operation.Open) needed.add(String(role));
  }
  const names = Object.keys(allHandlers) as (keyof typeof allHandlers)[];
  return names.filter((name) => Object.keys(allHandlers[name]).some((key) => needed.has(key)));
}

/** The steps as a table, where there are any. */
function handlersOf(program: Program): Pick<FormatData, "handlers"> {
  const names = handlersNeeded(program);
  return names.length === 0 ? {} : { handlers: Object.assign({}, ...names.map((name) => allHandlers[name])) };
}

/** Ways to list tools that only the module of a format brings whose prompt has them, by the names of what lists so. */
const allListings = {
  typescript: { name: "typescriptListing", list: typescriptListing },
  "parameter-tags": { name: "parameterTagListing", list: parameterTagListing },
};

const listingsNeeded = (prompt = "") =>
  (Object.keys(allListings) as (keyof typeof allListings)[]).filter((listing) =>
    prompt.includes(`{{tools ${listing}}}`),
  );

function listingsOf(prompt: string | undefined): Pick<FormatData, "listings"> {
  const listings = listingsNeeded(prompt);
  if (listings.length === 0) return {};
  return { listings: Object.fromEntries(listings.map((listing) => [listing, allListings[listing].list])) };
}

/** What a linked grammar compiles to: the data of its format. */
export function compileLinked(grammar: LinkedGrammar): FormatData {
  const [error] = checkGrammar(grammar);
  if (error) throw error;
  const { header } = grammar;
  const program = assemble(grammar);
  const data: FormatData = {
    id: header.format as string,
    title: header.title ?? (header.format as string),
    aliases: header.aliases,
    models: header.models,
    mode: header.mode,
    triggers: triggersOf(grammar),
    ...leadsOf(grammar),
    ...begunOf(grammar),
    ...closersOf(grammar, triggersOf(grammar)),
    ...innerTokensOf(grammar, triggersOf(grammar)),
    ...(header.starts === "content" ? {} : { starts: header.starts }),
    stop: header.stop,
    reasoning: header.reasoning,
    ...(header.turns?.length ? { turns: header.turns } : {}),
    ...(header.answers?.length ? { answers: header.answers } : {}),
    ...(header.framing?.length ? { framing: header.framing } : {}),
    ...trailingClosersOf(grammar),
    ...(header.endsReasoning === undefined ? {} : { endsReasoning: true }),
    keys: header.keys,
    flags: header.flags,
    ...(header.unnamed === undefined ? {} : { unnamed: header.unnamed }),
    ...markupOf(grammar),
    ...(hasRole(grammar, roleCodes.PythonNumber) ? { pythonValues: true } : {}),
    ...rawValuesOf(grammar),
    ...(header.body === undefined ? {} : { body: header.body, readBody: bodyReaders[header.body].read }),
    ...handlersOf(program),
    ...(header.maxPayload === undefined ? {} : { maxPayload: header.maxPayload }),
    ...(header.marker === "configurable" ? { configurable: true } : {}),
    ...(operationsOf(program).some(([one]) => one === Operation.ToolName) ? { needsNames: true } : {}),
    example: header.example ?? "",
    ...(header.prompt === undefined ? {} : { prompt: header.prompt }),
    ...listingsOf(header.prompt),
    source: header.source,
    program,
  };
  return { ...data, ...templateOf(data) };
}

/** How the format writes calls, and of the example the first call alone. */
function templateOf(data: FormatData): Pick<FormatData, "template" | "example"> | undefined {
  const sample = readSample(data, data.example);
  const template = sample && deriveTemplate(data, sample);
  return template && { template, example: sample.text.slice(0, sample.calls[0].end) + template.close };
}

/** Each operation with its operands. */
function operationsOf({ code }: Program): number[][] {
  return code.flatMap(([, ...numbers]) => {
    const operations: number[][] = [];
    for (let at = 0; at < numbers.length; at += operations.at(-1)?.length as number) {
      operations.push(numbers.slice(at, at + 1 + operandCount(numbers[at])));
    }
    return operations;
  });
}

/** What is written as it is, without the quotes and escapes of a language. */
const rawRoles = [
  roleCodes.Text,
  roleCodes.StringText,
  roleCodes.Markup,
  roleCodes.OnlyText,
  roleCodes.JsonText,
  roleCodes.Body,
];

function rawValuesOf(grammar: LinkedGrammar): Pick<FormatData, "rawValues"> {
  if (!rawRoles.some((role) => hasRole(grammar, role))) return {};
  return { rawValues: grammar.rules.has("Skip") ? "skipped" : "bare" };
}

function hasRole(grammar: LinkedGrammar, role: number): boolean {
  return [...grammar.rules.values()].some((rule) => roleCodeOf(rule.declared) === role);
}

/** How values that hold tags are written: what stands before each tag, and whether character references are decoded. */
function markupOf(grammar: LinkedGrammar): Pick<FormatData, "markup"> {
  if (!hasRole(grammar, roleCodes.Markup)) return {};
  const prefix = grammar.rules.get("TAG")?.expression;
  return {
    markup: { prefix: prefix?.type === "literal" ? prefix.value : "", entities: hasRole(grammar, roleCodes.Entity) },
  };
}

/** The literals with which the rule `OPEN` begins: what may open a call in this format. */
function triggersOf(grammar: LinkedGrammar): string[] {
  const open = grammar.rules.get("OPEN");
  if (!open) return [];
  const found = new Analysis(grammar).prefixes(open.expression);
  if (found !== undefined) return found;
  // The names of the tools come from the caller.
  return spellingsOf(grammar, open.expression).filter((text) => text.startsWith(offeredName));
}

/** The same for the rule `begun`. */
function begunOf(grammar: LinkedGrammar): Pick<FormatData, "begun"> {
  const rule = grammar.rules.get(grammar.entries.begun ?? "");
  if (!rule || isNever(rule.expression)) return {};
  const { expression } = rule;
  const begun = (expression.type === "choice" ? expression.alternatives : [expression]).flatMap((one) => {
    const found = new Analysis(grammar).prefixes(one) ?? [];
    // What says little is searched for with the names of the tools, if there is a spelling with them.
    const isLittle = found.every((text) => text.length < closerCharsMin);
    const spelt = isLittle ? spellingsOf(grammar, one) : [];
    return spelt.length > 0 ? spelt : found;
  });
  return begun.length === 0 ? {} : { begun: [...new Set(begun)] };
}

/** What the rule `trailing` matches, as it is written where no prefix is bound. */
function trailingClosersOf(grammar: LinkedGrammar): Pick<FormatData, "trailingClosers"> {
  const rule = grammar.rules.get("trailing");
  if (!rule || rule.origin === "header") return {};
  return { trailingClosers: [...new Set(spellingsOf(grammar, rule.expression))] };
}

/** Shorter texts stand everywhere. */
const closerCharsMin = 3;

function closersOf(grammar: LinkedGrammar, openers: readonly string[]): Pick<FormatData, "closers"> {
  const rules = [...grammar.rules.values()].filter(({ declared }) => closerName.test(declared));
  const texts = rules.flatMap(({ expression }) => spellingsOf(grammar, expression));
  const isCloser = (text: string) =>
    text.length >= closerCharsMin &&
    !text.startsWith(offeredName) &&
    /\w/.test(text) &&
    !/^[\w\s`"']*$/.test(text) &&
    !openers.some((opener) => opener.startsWith(text));
  const closers = [...new Set([...texts, ...(trailingClosersOf(grammar).trailingClosers ?? [])])].filter(isCloser);
  return closers.length === 0 ? {} : { closers };
}

/** A special token: a tag with a bar in it, which no person writes. */
const specialToken = /<[^<>\s/]*[|\uff5c][^<>\s]*>/g;

/** The special tokens that stand inside calls; those that the header names are known from there. */
function innerTokensOf(grammar: LinkedGrammar, openers: readonly string[]): Pick<FormatData, "innerTokens"> {
  const rules = [...grammar.rules.values()].filter(({ origin }) => origin !== "header");
  const texts = rules.flatMap(({ expression }) => spellingsOf(grammar, expression));
  for (const { expression } of rules) {
    walkExpression(expression, (inner) => {
      if (inner.type === "literal") texts.push(inner.value);
    });
  }
  const turns = allTurnTokens();
  const tokens = new Set(texts.flatMap((text) => (turns.includes(text) ? [] : (text.match(specialToken) ?? []))));
  const { stop, framing } = grammar.header;
  const named = [...stop, ...framing, ...endOfTurnTokens, ...(closersOf(grammar, openers).closers ?? [])];
  const isOpener = (token: string) => openers.some((opener) => token.startsWith(opener) || opener.startsWith(token));
  const innerTokens = [...tokens].filter((token) => !named.includes(token) && !isOpener(token));
  return innerTokens.length === 0 ? {} : { innerTokens };
}

/** More characters than these say nothing. */
const leadsMax = 64;

/** What a message begins with that only its start may hold: a call without a marker (`Whole`), or another form. */
function leadsOf(grammar: LinkedGrammar): Pick<FormatData, "leads" | "unmarkedLeads"> {
  const start = grammar.entries.start;
  if (start === undefined) return {};
  const analysis = new Analysis(grammar);
  const whole = grammar.rules.get("Whole");
  const firstOf = (rule: string) => {
    const { set, nullable } = analysis.firstOfRule(rule);
    if (nullable) return "";
    let leads = "";
    for (let at = 0; at < set.length; at += 2) {
      for (let unit = set[at]; unit <= Math.min(set[at + 1], 0x7e); unit++) leads += String.fromCharCode(unit);
    }
    return leads.length > leadsMax ? "" : leads.replace(/\s/g, "");
  };
  const unmarked = whole === undefined ? "" : firstOf(whole.name);
  // A fence is a quotation wherever it does not stand round the whole message.
  return { leads: firstOf(start), ...(unmarked === "" ? {} : { unmarkedLeads: unmarked.replaceAll("`", "") }) };
}

/** An id as a name in JavaScript: `my-format.2` becomes `my_format_2`. */
export function identifierOf(id: string): string {
  const name = id.replace(/[^A-Za-z0-9_$]/g, "_");
  if (reservedWords.has(name)) return `${name}_`;
  return /^[0-9]/.test(name) ? `_${name}` : name;
}

/** Words that cannot name a constant of a module and that an id might be. */
const reservedWords = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected " +
    "public return static super switch this throw true try typeof var void while with yield defineFormat"
  ).split(" "),
);

/**
 * The module of a format: what `generated/` holds. The same grammar gives the same bytes.
 *
 * @param definition where the module gets `defineFormat` from
 * @param command what brings the module up to date
 */
export function writeModule(
  data: FormatData,
  path: string,
  sha256: string,
  definition: string,
  command = "npm run generate",
): string {
  const fields = Object.entries(data).map(([key, value]) => {
    if (key === "program") return `  program: {\n${writeProgram(data.program)}  },\n`;
    if (key === "handlers") {
      const names = handlersNeeded(data.program);
      return `  handlers: ${names.length === 1 ? names[0] : `{ ...${names.join(", ...")} }`},\n`;
    }
    if (key === "listings") {
      const listings = listingsNeeded(data.prompt).map((one) => `${JSON.stringify(one)}: ${allListings[one].name}`);
      return `  listings: { ${listings.join(", ")} },\n`;
    }
    if (key === "readBody") return `  readBody: ${bodyReaders[data.body as BodyLanguage].name},\n`;
    return `  ${key}: ${JSON.stringify(value)},\n`;
  });
  return [
    `// @generated by toolpeg from ${path} - edit that, then: ${command}\n`,
    `// grammar-sha256: ${sha256}\n\n`,
    data.body === undefined ? "" : importOfBody(data.body, definition),
    `import { defineFormat } from ${JSON.stringify(definition)};\n`,
    importOfHandlers(data, definition),
    "\n",
    `/** ${data.title}: a compiled format. */\n`,
    `export const ${identifierOf(data.id)} = defineFormat({\n${fields.join("")}});\n\n`,
    `export default ${identifierOf(data.id)};\n`,
  ].join("");
}

function importOfHandlers({ program, prompt }: FormatData, definition: string): string {
  const names = [...handlersNeeded(program), ...listingsNeeded(prompt).map((listing) => allListings[listing].name)];
  if (names.length === 0) return "";
  const handlers = definition.startsWith(".")
    ? definition.replace("formats/define-format.ts", "role-handlers.ts")
    : "toolpeg/role-handlers";
  return `import { ${names.join(", ")} } from ${JSON.stringify(handlers)};\n`;
}

/** Only the module of a format whose calls hold another language brings the reader of that language. */
function importOfBody(body: BodyLanguage, definition: string): string {
  const { name, format } = bodyReaders[body];
  if (definition.startsWith(".")) {
    return `import { ${name} } from ${JSON.stringify(definition.replace("formats/define-format.ts", `blocks/bodies/${body}.ts`))};\n`;
  }
  return `import { ${format} } from "toolpeg/formats/${format}";\n\nconst ${name} = ${format}.readBody;\n`;
}

/** A module that holds a program and nothing else, made when it is asked for. */
export function writeProgramModule(program: Program, name: string, path: string): string {
  return [
    `// @generated by toolpeg from ${path} - edit that, then: npm run generate\n\n`,
    'import type { Program } from "../src/machine/program.ts";\n\n',
    `export const ${name} = (): Program => ({\n${writeProgram(program)}});\n`,
  ].join("");
}

function writeProgram(program: Program): string {
  const code = program.code.map((rule) => `      ${JSON.stringify(rule)},\n`);
  const rest = (Object.keys(program) as (keyof Program)[])
    .filter((key) => key !== "code")
    .map((key) => `    ${key}: ${JSON.stringify(program[key])},\n`);
  return `    code: [\n${code.join("")}    ],\n${rest.join("")}`;
}
