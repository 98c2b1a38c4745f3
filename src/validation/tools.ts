import type { JsonSchema } from "../contract/types.ts";
import { type TextType, textTypeOf } from "../values/declared-type.ts";
import { rootAlternatives } from "../values/root-alternatives.ts";
import { schemaKeywords } from "../values/schema-keywords.ts";
import {
  isClosedObject,
  matchesPatternKey,
  namedKeys,
  ownMember,
  propertySchema,
  schemaObject,
} from "../values/schema-walk.ts";
import { typeNames } from "../values/type-names.ts";
import { readSchema } from "./check-schema.ts";
import type { StandardCheck } from "./standard-check.ts";

/**
 * A schema library's object: anything that can say itself as JSON Schema, through Standard JSON Schema
 * (`~standard.jsonSchema`), a `toJSONSchema` or `toJsonSchema` method, or a `jsonSchema` member.
 */
export interface SchemaSource {
  readonly "~standard"?: unknown;
  readonly toJSONSchema?: unknown;
  readonly toJsonSchema?: unknown;
  readonly jsonSchema?: unknown;
}

/** A tool in its plain form. `inputSchema` and `input_schema` are other names for `parameters`. */
export interface FunctionDefinition {
  /** What a call must name, exactly. */
  readonly name: string;
  /** For the model, in `format.instruction(tools)`. */
  readonly description?: string | undefined;
  /** JSON Schema of the arguments object, or a schema library's object. Default: any object. */
  readonly parameters?: JsonSchema | SchemaSource | undefined;
  readonly inputSchema?: JsonSchema | SchemaSource | undefined;
  readonly input_schema?: JsonSchema | SchemaSource | undefined;
}

/** A tool as the caller gives it: plain, or in the envelope of the OpenAI interface. */
export type ToolDefinition = FunctionDefinition | { readonly type: "function"; readonly function: FunctionDefinition };

/** A tool, checked. */
export interface Tool {
  readonly name: string;
  readonly description?: string;
  /** What the arguments must satisfy. */
  readonly schema: JsonSchema;
  /** What its schema library says besides: runs after the schema, and may give another value. */
  readonly check?: StandardCheck;
  /** The declared parameters, through `$ref`, `allOf` and all alternatives. */
  readonly keys: ReadonlySet<string>;
  /**
   * Whether a parameter is declared, by its name or by a pattern, or the schema says that others may come, or declares none.
   *
   * @param isCertain what names it can only be a parameter: a schema that says nothing of others takes it, too
   */
  takesKey(key: string, isCertain?: boolean): boolean;
  /** How a parameter that arrives as text becomes a value. Undeclared ones are inferred. */
  parameterType(key: string): TextType;
}

/** The tools of a message, by exact name. */
export interface ToolSet {
  readonly names: readonly string[];
  readonly list: readonly Tool[];
  has(name: string | undefined): boolean;
  get(name: string | undefined): Tool | undefined;
}

/** A tool that takes anything, because nothing was said of its parameters. */
const anyObject: JsonSchema = { type: "object" };

/** A host has a few sets of tools; one that makes them up per message starts again here. */
const keptMax = 32;

/** The sets that were asked for last, in a ring. */
const recent: Known[] = [];
let nextPlace = 0;

/** By their JSON; undefined: seen once, and prepared from what the caller gave. */
const byContent = new Map<string, ToolSet | undefined>();
/** A prepared set, and what it was made of. */
interface Known {
  readonly array: readonly ToolDefinition[];
  readonly seen: SeenTools;
  readonly tools: ToolSet;
}

/** What definitions were when they were read. */
export type SeenTools = readonly SeenTool[];
interface SeenTool {
  readonly definition: ToolDefinition & { readonly function?: unknown };
  readonly inner: Inner;
  readonly name: unknown;
  readonly description: unknown;
  readonly schema: unknown;
}

/**
 * Reads tool definitions once: per array (again when it or one of its tools has changed), else per names and schema objects,
 * else per content. What is inside a schema object is read once: a schema that changes has to be another object.
 *
 * @throws TypeError when a name is empty or given twice, when a schema is invalid, refers outside itself, or comes
 * from a library that cannot say it as JSON Schema. The message names the tool and what to do.
 */
export function prepareTools(tools: readonly ToolDefinition[]): ToolSet {
  if (!Array.isArray(tools)) throw new TypeError("tools must be an array of definitions such as { name, parameters }");
  for (const known of recent) {
    if (known.array === tools && areUnchanged(known.seen, tools)) return known.tools;
  }
  for (const one of shapes) if (isSameData(one.definitions, tools)) return one.tools;
  const known = recent.find(
    ({ seen }) => seen.length === tools.length && seen.every((one, at) => isSame(tools[at], one)),
  );
  const set = known?.tools ?? toolsByContent(tools);
  recent[nextPlace] = { array: tools, seen: seeTools(tools), tools: set };
  nextPlace = (nextPlace + 1) % keptMax;
  return set;
}

/** Sets that were prepared from their JSON, the newest first: fresh but equal definitions are compared with them. */
const shapes: { readonly definitions: readonly ToolDefinition[]; readonly tools: ToolSet }[] = [];
/** Each costs a comparison, which most often ends at the first name. */
const shapesMax = 8;
const comparedDepthMax = 64;

/** Whether a value is plain data with the same JSON as data that was read from JSON. */
function isSameData(known: unknown, value: unknown, depth = 0): boolean {
  // What nests deeper is compared as text.
  if (depth > comparedDepthMax) return false;
  if (typeof known !== "object" || known === null) return known === value;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(known)) {
    if (!Array.isArray(value) || value.length !== known.length) return false;
    for (let at = 0; at < known.length; at++) if (!isSameData(known[at], value[at], depth + 1)) return false;
    return true;
  }
  // What has a prototype of its own may say something else as JSON.
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  const keys = Object.keys(known);
  let at = 0;
  for (const key in value) {
    if (keys[at] !== key) return false;
    at++;
    const [left, right] = [(known as Record<string, unknown>)[key], (value as Record<string, unknown>)[key]];
    if (!isSameData(left, right, depth + 1)) return false;
  }
  return at === keys.length;
}

/** Takes down what definitions are now. */
export function seeTools(tools: readonly ToolDefinition[]): SeenTools {
  return tools.map((definition) => {
    const inner = innerOf(definition) ?? {};
    return { definition, inner, name: inner.name, description: inner.description, schema: schemaOf(inner) };
  });
}

/** Whether these are the definitions that were seen, with the same names and schema objects as then. */
export function areUnchanged(seen: SeenTools, tools: readonly ToolDefinition[]): boolean {
  if (!Array.isArray(tools) || tools.length !== seen.length) return false;
  for (let at = 0; at < seen.length; at++) {
    const { definition, inner } = seen[at];
    const isThere = tools[at] === definition && (inner === definition || definition.function === inner);
    if (!isThere || !says(inner, seen[at])) return false;
  }
  return true;
}

/** Whether a definition says the same as one that was seen: then the two are one tool. */
const says = (inner: Inner, { name, description, schema }: SeenTool) =>
  inner.name === name && inner.description === description && schemaOf(inner) === schema;

/** Without a schema it must be the same object: another may have one where it does not belong. */
const isSame = (definition: ToolDefinition, seen: SeenTool) =>
  seen.schema === noSchema ? definition === seen.definition : says(innerOf(definition) ?? noTool, seen);

const schemaOf = (inner: Inner) => givenSchema(inner) ?? noSchema;
const noSchema = {};
const noTool: Inner = {};

/** What names a tool, without the envelope of the OpenAI interface. */
interface Inner {
  readonly [key: string]: unknown;
}

function innerOf(definition: unknown): Inner | undefined {
  const outer = schemaObject(definition);
  return schemaObject(ownMember(outer, "function")) ?? outer;
}

function givenSchema(inner: Inner): unknown {
  return inner.parameters ?? inner.inputSchema ?? inner.input_schema;
}

/** Fresh but equal definitions cost a text of them. What they are prepared from then is not shared. */
function toolsByContent(tools: readonly ToolDefinition[]): ToolSet {
  if (!tools.every(isPlainData)) return readTools(tools);
  const key = contentOf(tools);
  if (key === undefined) return readTools(tools);
  let set = byContent.get(key);
  if (set === undefined) {
    const isSecond = byContent.has(key);
    const definitions = isSecond ? (JSON.parse(key) as ToolDefinition[]) : tools;
    set = readTools(definitions);
    if (isSecond) {
      shapes.unshift({ definitions, tools: set });
      if (shapes.length > shapesMax) shapes.pop();
    }
    if (byContent.size >= keptMax && !isSecond) byContent.delete(byContent.keys().next().value as string);
    byContent.set(key, isSecond ? set : undefined);
  }
  return set;
}

function contentOf(tools: readonly ToolDefinition[]): string | undefined {
  try {
    return JSON.stringify(tools);
  } catch {
    return undefined;
  }
}

/** Whether JSON says all of a definition: a schema library's object has more to it. */
function isPlainData(definition: unknown): boolean {
  const inner = innerOf(definition);
  if (inner === undefined) return false;
  const given = givenSchema(inner);
  if (typeof given === "function") return false;
  const source = schemaObject(given);
  return source === undefined || isPlain(source);
}

const isPlain = (source: object) =>
  Object.getPrototypeOf(source) === Object.prototype && !libraryKeys.some((key) => key in source);

const libraryKeys = ["~standard", "toJSONSchema", "toJsonSchema", "jsonSchema"];

function readTools(tools: readonly ToolDefinition[]): ToolSet {
  const byName = new Map<string, Tool>();
  for (const [index, definition] of tools.entries()) {
    const tool = readTool(definition, index);
    if (byName.has(tool.name)) {
      throw new TypeError(`two tools are called ${JSON.stringify(tool.name)}. Names decide what runs: rename one`);
    }
    byName.set(tool.name, tool);
  }
  return {
    names: [...byName.keys()],
    list: [...byName.values()],
    has: (name) => byName.has(name as string),
    get: (name) => byName.get(name as string),
  };
}

function readTool(definition: unknown, index: number): Tool {
  const outer = schemaObject(definition);
  if (outer === undefined) {
    throw new TypeError(`tools[${index}] must be an object such as { name, parameters }`);
  }
  const inner = schemaObject(ownMember(outer, "function")) ?? outer;
  const name = inner.name;
  if (typeof name !== "string" || name === "") {
    const keyed = name === undefined ? " Tools kept as an object by name go in as [{ name, ...tool }]" : "";
    throw new TypeError(`tools[${index}] has no name: \`name\` must be text that is not empty.${keyed}`);
  }
  if (inner.description !== undefined && typeof inner.description !== "string") {
    throw new TypeError(`tool ${JSON.stringify(name)}: description must be text`);
  }
  const given = givenSchema(inner);
  if (given === undefined) refuseSchemaElsewhere(name, inner, outer);
  else refuseShape(name, given);
  const schema = given === undefined ? anyObject : readSchema(toJsonSchema(given, name), name);
  checkRoot(schema, name);
  return makeTool(name, inner.description, schema, standardCheck(given));
}

/** A tool without a schema takes anything, so one whose schema stands under another key is a slip. */
function refuseSchemaElsewhere(name: string, ...places: readonly Inner[]): void {
  for (const place of places) {
    const key = Object.keys(place).find(
      (one) => !/^(?:function$|output|result|return|respon)/i.test(one) && isSchema(place[one]),
    );
    if (key === undefined) continue;
    throw new TypeError(
      `tool ${JSON.stringify(name)} has a schema under ${JSON.stringify(key)}: give it as \`parameters\`, beside the name`,
    );
  }
}

/** And so is an object without a keyword that holds schemas: they are those of the parameters, or one in an envelope. */
function refuseShape(name: string, given: unknown): void {
  const source = schemaObject(given);
  if (source === undefined || !isPlain(source) || Object.keys(source).some((key) => schemaKeywords.has(key))) return;
  const key = Object.keys(source).find((one) => isSchema(source[one]));
  if (key === undefined) return;
  throw new TypeError(
    `the parameters of tool ${JSON.stringify(name)} are no schema, but hold one under ${JSON.stringify(key)}: give one of the whole object, such as { type: "object", properties: { ... } } or z.object({ ... })`,
  );
}

/** Whether a value can only be a schema. */
function isSchema(value: unknown): boolean {
  const source = schemaObject(value) ?? (typeof value === "function" ? (value as object) : undefined);
  if (source === undefined) return false;
  // `_def`: what older versions of Zod have.
  if ("_def" in source || libraryKeys.some((key) => key in source)) return true;
  const { type, properties, $ref } = source as Inner;
  const isChoice = ["oneOf", "anyOf", "allOf", "enum"].some((key) => Array.isArray((source as Inner)[key]));
  return (
    isChoice || typeof $ref === "string" || schemaObject(properties) !== undefined || typeNames.includes(String(type))
  );
}

/** The check that a schema library's object brings. */
export function standardCheck(given: unknown): StandardCheck | undefined {
  if ((typeof given !== "object" && typeof given !== "function") || given === null) return undefined;
  const standard = (given as SchemaSource)["~standard"] as { validate?: unknown } | undefined;
  const validate = standard?.validate;
  return typeof validate === "function" ? (value) => validate.call(standard, value) : undefined;
}

function makeTool(
  name: string,
  description: string | undefined,
  schema: JsonSchema,
  check: StandardCheck | undefined,
): Tool {
  const types = new Map<string, TextType>();
  // Of many tools one is called: what only its calls ask for is known when they do.
  let keys: ReadonlySet<string> | undefined;
  let isClosed: boolean | undefined;
  const tool: Tool = {
    name,
    ...(description === undefined ? {} : { description }),
    schema,
    ...(check === undefined ? {} : { check }),
    get keys() {
      return (keys ??= namedKeys(schema, schema));
    },
    takesKey(key, isCertain) {
      if (tool.keys.has(key) || matchesPatternKey(schema, schema, key)) return true;
      isClosed ??= isClosedObject(schema, schema);
      return !isClosed && (isCertain === true || tool.keys.size === 0 || saysFurther(schema));
    },
    parameterType(key) {
      let type = types.get(key);
      if (type === undefined) {
        type = textTypeOf(propertySchema(schema, schema, key), schema);
        // What a text is in one of the shapes that arguments may have is known when they are.
        const ofShapes = type.streams
          ? rootAlternatives(schema).map((shape) => propertySchema(shape, schema, key))
          : [];
        const isOther = ({ streams, untyped }: TextType) => !streams || untyped === true;
        if (!type.untyped && ofShapes.some((one) => one !== undefined && isOther(textTypeOf(one, schema))))
          type = { ...type, streams: false };
        if (tool.keys.has(key)) types.set(key, type);
      }
      return type;
    },
  };
  return tool;
}

function saysFurther(schema: JsonSchema): boolean {
  const object = schemaObject(schema);
  if (object === undefined) return false;
  return ["additionalProperties", "patternProperties", "unevaluatedProperties"].some(
    (keyword) => ownMember(object, keyword) !== undefined,
  );
}

/** Arguments are always an object, so a schema that asks for anything else could never be met. */
function checkRoot(schema: JsonSchema, name: string): void {
  const type = ownMember(schema, "type");
  const names = Array.isArray(type) ? type : [type];
  if (schema !== false && (type === undefined || names.includes("object"))) return;
  throw new TypeError(
    `tool ${JSON.stringify(name)}: the arguments of a call are an object, so its schema must allow "type": "object"`,
  );
}

/** Says a schema of any kind as JSON Schema, seen from the side of who writes the arguments. */
function toJsonSchema(given: unknown, tool: string): unknown {
  if (typeof given === "boolean") return given;
  // A schema library's object may be a function.
  if ((typeof given !== "object" && typeof given !== "function") || given === null) return given;
  const source = given as SchemaSource;
  const standard = source["~standard"] as { jsonSchema?: { input?: unknown } } | undefined;
  try {
    const convert = standard?.jsonSchema?.input;
    if (typeof convert === "function") return convert.call(standard?.jsonSchema, { target: "draft-2020-12" });
    const method = source.toJSONSchema ?? source.toJsonSchema;
    if (typeof method === "function") return method.call(source, { io: "input" });
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new TypeError(
      `tool ${JSON.stringify(tool)}: its schema cannot be said as JSON Schema (${cause}). Change that part, or give ` +
        "JSON Schema in `parameters`",
      { cause: error },
    );
  }
  if (standard === undefined && isWrapped(source)) return source.jsonSchema;
  if (standard === undefined && typeof given === "object") return given;
  throw new TypeError(
    `tool ${JSON.stringify(tool)}: its schema library does not offer JSON Schema here. Convert it first (for example ` +
      "with z.toJSONSchema or @valibot/to-json-schema) and give the result",
  );
}

/** A wrapper around a JSON Schema, as the AI SDK makes them: no keyword of JSON Schema is called `jsonSchema`. */
function isWrapped(source: SchemaSource): boolean {
  const inner = source.jsonSchema;
  if (schemaObject(inner) === undefined) return false;
  if (typeof (inner as { then?: unknown }).then === "function") {
    throw new TypeError("a tool's schema is a promise. Await it, then give the result in `parameters`");
  }
  return true;
}
