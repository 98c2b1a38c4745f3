/**
 * What Python's Jinja has, real templates use, and `@huggingface/jinja` has not. Its filters and methods cannot be added to,
 * but functions can be given to a template: so such a filter or method becomes a call of a function, in the parsed tree.
 */

interface Node {
  type: string;
  [key: string]: unknown;
}

/** A value of the interpreter: of lists and objects, the members are such values too. */
interface Wrapped {
  value: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

const filters = new Set(["format", "min", "max", "string"]);
const methods = new Set(["append", "pop"]);
const functionName = (name: string) => `toolpeg_${name}`;

/** Rewrites a parsed template in place. */
export function completeTree(tree: unknown): void {
  const nodes = [...nodesOf(tree)];
  for (const node of nodes) rewrite(node);
  for (const node of nodes) printAsPython(node);
  // Keys of objects are strings here, so what was a number is compared as one.
  const numbered = nodes.some((node) => node.type === "ObjectLiteral" && nameNumbers(node));
  if (!numbered) return;
  for (const node of nodes) {
    if (
      node.type === "BinaryExpression" &&
      ["<", "<=", ">", ">="].includes((node.operator as Wrapped).value as string)
    ) {
      const operator = { type: "StringLiteral", value: (node.operator as Wrapped).value };
      become(node, "compare", [node.left, operator, node.right]);
    }
  }
}

function* nodesOf(tree: unknown): Generator<Node> {
  const open: unknown[] = [tree];
  while (open.length > 0) {
    const value = open.pop();
    if (value instanceof Map) {
      for (const [key, member] of value) open.push(key, member);
    } else if (Array.isArray(value)) {
      open.push(...value);
    } else if (isNode(value)) {
      yield value;
      open.push(...Object.values(value));
    }
  }
}

const bodies = ["body", "alternate", "defaultBlock"];
const expressions = /^(Identifier|Ternary|SelectExpression|\w+Literal)$|Expression$/;

/** What a template prints is printed as the reference engine does: `True`, `None`, lists and objects as Python has them. */
function printAsPython(node: Node): void {
  for (const key of bodies) {
    const body = node[key];
    if (!Array.isArray(body)) continue;
    node[key] = body.map((child: Node) => {
      if (!expressions.test(child.type) || child.type === "StringLiteral") return child;
      const printed = callOf("print", [child]);
      // A function is given the same for nothing and for what is not defined, so the template has to ask.
      return plainNames.has(child.type)
        ? ifIs("none", child, { type: "StringLiteral", value: "None" }, printed)
        : printed;
    });
  }
}

const plainNames = new Set(["Identifier", "MemberExpression"]);

/** Makes strings of the numbers among the keys; says whether there were any. */
function nameNumbers(node: Node): boolean {
  const numbers = [...(node.value as Map<Node, unknown>).keys()].filter(({ type }) => type === "IntegerLiteral");
  for (const key of numbers) Object.assign(key, { type: "StringLiteral", value: String(key.value) });
  return numbers.length > 0;
}

function rewrite(node: Node): void {
  if (node.type === "BinaryExpression" && (node.operator as Wrapped).value === "~") {
    become(node, "join", [node.left, node.right]);
  } else if (node.type === "FilterExpression") {
    const filter = node.filter as Node;
    const isCall = filter.type === "CallExpression";
    const name = ((isCall ? filter.callee : filter) as Node).value as string;
    if (filters.has(name)) become(node, name, [node.operand, ...(isCall ? (filter.args as unknown[]) : [])]);
  } else if (node.type === "CallExpression") {
    const callee = node.callee as Node;
    if (callee.type !== "MemberExpression" || callee.computed === true) return;
    const name = (callee.property as Node).value as string;
    // In a list of its own, what is appended arrives as the interpreter holds it.
    if (methods.has(name)) become(node, name, [callee.object, { type: "ArrayLiteral", value: node.args }]);
  } else if (node.type === "For" && (node.iterable as Node).type !== "SelectExpression") {
    // A loop over a text is one over its characters; templates run it to look for parts that are no text.
    const iterable = node.iterable as Node;
    node.iterable = ifIs("string", iterable, callOf("characters", [iterable]), iterable);
  }
}

function callOf(name: string, args: readonly unknown[]): Node {
  return { type: "CallExpression", callee: { type: "Identifier", value: functionName(name) }, args: [...args] };
}

/** `trueExpr if operand is test else falseExpr`. */
function ifIs(test: string, operand: Node, trueExpr: Node, falseExpr: Node): Node {
  const condition = { type: "TestExpression", operand, negate: false, test: { type: "Identifier", value: test } };
  return { type: "Ternary", condition, trueExpr, falseExpr };
}

const become = (node: Node, name: string, args: readonly unknown[]) => void Object.assign(node, callOf(name, args));

/** The value that the interpreter holds, as plain data. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, member]) => [key, plainMember(member)]));
  return Array.isArray(value) ? value.map(plainMember) : value;
}

const plainMember = (member: Wrapped) => plain(member.value);

/** What Python's `str` makes of a value; strings inside of others are in quotes. */
function pythonText(value: unknown, inside = false): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map((item) => pythonText(item, true)).join(", ")}]`;
  if (typeof value === "object") {
    return `{${Object.entries(value)
      .map(([key, member]) => `${pythonText(key, true)}: ${pythonText(member, true)}`)
      .join(", ")}}`;
  }
  if (typeof value !== "string" || !inside) return String(value);
  const escaped = value.replace(/[\\\n\r\t]/g, (sign) => JSON.stringify(sign).slice(1, -1));
  return value.includes("'") && !value.includes('"') ? `"${escaped}"` : `'${escaped.replaceAll("'", "\\'")}'`;
}

const compare = (left: unknown, right: unknown) => ((left as number) < (right as number) ? -1 : 1);

/** The functions that rewritten templates call, and those that Python's templates are given. */
export const completingFunctions: Readonly<Record<string, (...args: unknown[]) => unknown>> = {
  [functionName("format")]: (text, ...values) => {
    let at = 0;
    return String(text).replace(/%([sdr%])/g, (_all, kind: string) =>
      kind === "%" ? "%" : kind === "r" ? JSON.stringify(plain(values[at++])) : String(plain(values[at++])),
    );
  },
  [functionName("characters")]: (text) => [...String(text)],
  [functionName("print")]: (value) => (value === undefined ? "" : pythonText(plain(value))),
  [functionName("join")]: (...values) =>
    values.map((value) => (value === undefined ? "" : pythonText(plain(value)))).join(""),
  [functionName("string")]: (value) => pythonText(plain(value)),
  [functionName("compare")]: (left, operator, right) => {
    const difference = Number(left) - Number(right);
    if (difference === 0) return String(operator).endsWith("=");
    return String(operator).startsWith(difference < 0 ? "<" : ">");
  },
  [functionName("min")]: (items) => (plain(items) as unknown[]).sort(compare)[0],
  [functionName("max")]: (items) => (plain(items) as unknown[]).sort(compare).at(-1),
  [functionName("append")]: (items, added) => void (items as unknown[]).push(...(added as unknown[])),
  [functionName("pop")]: (items, place) => {
    const [index] = place as Wrapped[];
    const from = index === undefined ? -1 : Number(index.value);
    const [taken] = (items as Wrapped[]).splice(from, 1);
    return taken === undefined ? undefined : plainMember(taken);
  },
  dict: (...members) => plain(members[0] ?? new Map()),
};
