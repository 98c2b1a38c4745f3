import {
  Choice,
  Diagram,
  Group,
  NonTerminal,
  OneOrMore,
  Optional,
  type Part,
  Sequence,
  Skip,
  Stack,
  Terminal,
  ZeroOrMore,
} from "@prantlf/railroad-diagrams/lib/index.mjs";
import { useEffect, useRef } from "preact/hooks";
import type { Expression, LinkedRule } from "../compiler/parse/linked-grammar.ts";

/** Wider sequences go on in a second line. */
const lineWidthMax = 620;

/** The railroad diagram of a rule. */
export function RuleDiagram({ rule, known }: { rule: LinkedRule; known: ReadonlySet<string> }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Elements, never markup: a grammar may come from a link.
    const svg = new Diagram(partOf(rule.expression, known)).format().toSVG();
    const { width } = svg.viewBox.baseVal;
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `Railroad diagram of ${rule.name}`);
    svg.style.width = `${width}px`;
    place.current?.replaceChildren(svg);
  }, [rule, known]);
  return <div class="diagram" ref={place} />;
}

/** Where a rule's diagram stands on the page. */
export function anchorOf(name: string): string {
  return `rule-${name}`;
}

function partOf(expression: Expression, known: ReadonlySet<string>): Part {
  const part = (inner: Expression) => partOf(inner, known);
  switch (expression.type) {
    case "any":
      return new NonTerminal("any character");
    case "literal":
      return expression.value === "" ? new Skip() : new Terminal(JSON.stringify(expression.value));
    case "class":
      return new Terminal(classText(expression.parts, expression.inverted));
    case "rule_ref":
      return new NonTerminal(expression.name, known.has(expression.name) ? `#${anchorOf(expression.name)}` : undefined);
    case "sequence":
      return sequenceOf(expression.elements.map(part));
    case "choice": {
      const parts = expression.alternatives.map(part);
      return new Choice(0, ...parts);
    }
    case "optional":
      return new Optional(part(expression.expression));
    case "zero_or_more":
      return new ZeroOrMore(part(expression.expression));
    case "one_or_more":
      return new OneOrMore(part(expression.expression));
    case "simple_and":
      return new Group(part(expression.expression), "only if this follows");
    case "simple_not":
      return new Group(part(expression.expression), "only if this does not follow");
  }
}

function sequenceOf(parts: Part[]): Part {
  const lines: Part[][] = [[]];
  let width = 0;
  for (const part of parts) {
    if (width > 0 && width + part.width > lineWidthMax) {
      lines.push([]);
      width = 0;
    }
    lines[lines.length - 1].push(part);
    width += part.width;
  }
  return lines.length === 1 ? new Sequence(...parts) : new Stack(...lines.map((line) => new Sequence(...line)));
}

function classText(parts: readonly (string | [string, string])[], inverted: boolean): string {
  const one = (unit: string) => JSON.stringify(unit).slice(1, -1);
  const text = parts.map((part) => (typeof part === "string" ? one(part) : `${one(part[0])}-${one(part[1])}`)).join("");
  return `[${inverted ? "^" : ""}${text}]`;
}
