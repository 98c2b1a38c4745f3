/**
 * Which listed model a name means. Hubs, servers and people write one model in many ways: other owners
 * (`bartowski/Qwen_Qwen3-8B-GGUF`), other packaging (`-FP8`, `-AWQ`), other spelling (`qwen3:8b`), a fine-tune's own
 * words after or before. A listed name is taken apart into what names its family (`qwen 3 coder`: must stand in the
 * wanted name, in order) and what only gives its size or date (`30b`, `2507`: breaks ties).
 */

interface ModelName {
  /** Words and version numbers that name the family: `llama`, `3.1`. */
  readonly family: readonly string[];
  /** All of them, sizes and dates too. */
  readonly all: readonly string[];
}

/** How a model was packed, which changes nothing of what it writes. */
const packaging =
  /^(fp\d+|int\d+|w\d+a\d+|[0-9]bits?|gguf|ggml|awq|gptq|bnb|mlx|exl\d|onnx|nvfp4|mxfp4|[ib]?q\d\w*|bf16|hf|k|m|s)$/;
/** `8b`, `a3b`, `1.2b`, `16e`, `2507`, `20250904`, `08` of `08-2024`. */
const sizeOrDate = /^(a?\d+(\.\d+)?[bmt]|\d+e|0\d|1[0-2]|\d{4}|\d{6}|\d{8})$/;
/** Makers that some names begin with and others leave out. */
const maker = /^(meta|nvidia|c4ai)$/;
/**
 * Words of another kind of model within a line, which calls no tools or calls them in its own way: it is of a listed
 * name's family only where that has the word as well.
 */
const otherKind =
  /^(embed(ding|qa)?|rerank(er)?|colbert|asr|tts|speech|audio|ocr|parse|guard(ian)?|safety|reward|mt|translate|vl|vision|minitron|xcomposer)$/;
/** Words that say nothing of a family: a model and its instruct version write calls alike. */
const common = /^(instruct|instruction|chat|it|inst|base|preview|latest|official|free)$/;

function takeApart(model: string): ModelName {
  const family: string[] = [];
  const all: string[] = [];
  const name = (model.trim().split("/").at(-1) as string).toLowerCase();
  // `Llama-3_3` is 3.3; `qwen3:8b@q4` has words too.
  for (const word of name.replace(/(?<![\d.])(\d)_(\d)(?!\d)/g, "$1.$2").split(/[^a-z0-9.]+/)) {
    if (word === "" || packaging.test(word) || maker.test(word)) continue;
    if (sizeOrDate.test(word) || common.test(word)) {
      all.push(word);
      continue;
    }
    for (const part of word.match(/[a-z]+|\d+(?:\.\d+)*/g) ?? []) {
      all.push(part);
      // `dots.llm1.inst`
      if (!common.test(part)) family.push(part);
    }
  }
  return { family, all };
}

/** How well a wanted name fits a listed one; the first number that differs decides. Undefined: not that family. */
function closeness(wanted: ModelName, listed: ModelName): readonly number[] | undefined {
  if (wanted.family.some((part) => otherKind.test(part) && !listed.family.includes(part))) return undefined;
  const start = wanted.family.findIndex((_, at) => familyStandsAt(at, wanted.family, listed.family));
  if (start < 0) return undefined;
  const have = new Set(wanted.all);
  const shared = listed.all.filter((part) => have.has(part)).length;
  // A word alone names a maker's models of all generations: the size decides which one.
  const sizes = listed.family.length > 1 ? [] : listed.all.filter((part) => sizeOrDate.test(part));
  if (sizes.length > 0 && !sizes.some((size) => have.has(size))) return undefined;
  return [listed.family.length, -start, shared, shared - listed.all.length];
}

function familyStandsAt(start: number, wanted: readonly string[], listed: readonly string[]): boolean {
  if (wanted[start] !== listed[0]) return false;
  let at = start;
  for (const part of listed) {
    // A version stands where the listed one has it: `llama-2-x-3` is no Llama 3.
    const found = isNumber(part) ? (wanted[at] === part ? at : -1) : wanted.indexOf(part, at);
    if (found < 0) return false;
    at = found + 1;
  }
  // A version where the listed model has none is another generation.
  return listed.some(isNumber) || at >= wanted.length || !isNumber(wanted[at]);
}

const isNumber = (part: string) => part >= "0" && part < ":";

/**
 * The owner of the listed model that fits best; the earlier one when two fit alike. Undefined when none is of the
 * family: a near miss (another version, another line) is no answer, since a wrong format loses every call.
 */
export function findByModel<Owner extends { readonly models: readonly string[] }>(
  owners: Iterable<Owner>,
  model: string,
): Owner | undefined {
  const wanted = takeApart(model);
  let best: Owner | undefined;
  let most: readonly number[] = [];
  for (const owner of owners) {
    for (const listed of owner.models) {
      const fits = closeness(wanted, takeApart(listed));
      if (fits === undefined || (best !== undefined && !isBetter(fits, most))) continue;
      best = owner;
      most = fits;
    }
  }
  return best;
}

function isBetter(left: readonly number[], right: readonly number[]): boolean {
  const at = left.findIndex((value, index) => value !== right[index]);
  return at >= 0 && left[at] > right[at];
}
