import type { Program } from "../../machine/program.ts";
import {
  type PackedWords,
  packedBase,
  packedFirst,
  packedLong,
  packedMinus,
  packedShort,
} from "../../machine/unpack-program.ts";

/**
 * A program as one text: its numbers in printable characters, its words as JSON, the names of its rules, each from the next
 * by a line break. It is what the package
 * ships, so that importing a format builds no lists of numbers before it is used; `unpackProgram` reads it.
 */
export function packProgram(program: Program): string {
  const { code, scans, tables, syncPoints, ends, markers, ...rest } = program;
  const numbers = [
    lists(code, ([, ...numbers]) => list(numbers)),
    lists(scans, list),
    lists(tables, list),
    lists(syncPoints, (point) => point.map(number).join("")),
    list(ends),
    list(markers),
  ];
  const words: PackedWords = rest;
  const names = code.map(([name]) => name);
  const broken = names.find((name) => name.includes("\n"));
  if (broken !== undefined) throw new RangeError(`the name of a rule holds a line break: ${JSON.stringify(broken)}`);
  return [numbers.join(""), JSON.stringify(words), ...names].join("\n");
}

const digits = (values: readonly number[]) => String.fromCharCode(...values.map((value) => packedFirst + value));

function number(value: number): string {
  if (value < 0) return digits([packedMinus]) + number(-value);
  if (value < packedShort) return digits([value]);
  const more = value - packedShort;
  const lead = packedShort + Math.floor(more / packedBase);
  if (lead < packedLong) return digits([lead, more % packedBase]);
  if (value >= packedBase ** 3) throw new RangeError(`a program holds the number ${value}: too large to be packed`);
  const [high, middle] = [packedBase ** 2, packedBase];
  return digits([packedLong, Math.floor(value / high), Math.floor(value / middle) % packedBase, value % packedBase]);
}

const list = (values: readonly number[]): string => number(values.length) + values.map(number).join("");

const lists = <Item>(items: readonly Item[], write: (item: Item) => string): string =>
  number(items.length) + items.map((item) => write(item)).join("");
