import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repairJson } from "../src/json-repair/index.ts";
import { damagedJsonFragment as fragment } from "./support/damaged-json.ts";

const soup = fc
  .tuple(fc.constantFrom("", '{"a":', '{"a":"x', '["a","', "{'a': '", "text "), fc.array(fragment, { maxLength: 30 }))
  .map(([head, rest]) => head + rest.join(""));

const oddStrings = fc.string({ unit: "binary", maxLength: 20 });
const document = fc.oneof(
  fc.jsonValue({ maxDepth: 4, stringUnit: "binary" }),
  fc.dictionary(oddStrings, fc.oneof(oddStrings, fc.array(oddStrings), fc.dictionary(oddStrings, oddStrings))),
  fc.dictionary(fc.constantFrom("a", "path", "__proto__", "toString", "a:1}", "", '"'), fc.jsonValue()),
);
const written = fc
  .tuple(document, fc.constantFrom(undefined, 1, "\t"))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

function isStrict(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Own members of an object, `__proto__` included. */
const member = (object: object, key: string): unknown => Object.getOwnPropertyDescriptor(object, key)?.value;

/** Is `part` what a cut text may show of `whole`: complete but for its last value, which is a prefix? */
function isPrefix(part: unknown, whole: unknown): boolean {
  if (typeof part === "string") return typeof whole === "string" && whole.startsWith(part);
  if (typeof part !== "object" || part === null) return part === whole;
  if (typeof whole !== "object" || whole === null || Array.isArray(part) !== Array.isArray(whole)) return false;
  const keys = Object.keys(part);
  return keys.every((key) => Object.hasOwn(whole, key) && isPrefix(member(part, key), member(whole, key)));
}

/** How much information a value holds: characters of its strings and keys, one for each other value. */
function weigh(value: unknown): number {
  if (typeof value === "string") return value.length + 1;
  if (typeof value !== "object" || value === null) return 1;
  return Object.keys(value).reduce((sum, key) => sum + key.length + weigh(member(value, key)), 1);
}

describe("promise 1: valid JSON is never touched", () => {
  it("gives the answer of JSON.parse on 2,000 documents, and no repair", () => {
    fc.assert(
      fc.property(written, (text) => {
        expect(repairJson(text)).toEqual({
          ok: true,
          value: JSON.parse(text),
          level: "none",
          repairs: [],
          complete: true,
        });
      }),
      { numRuns: 2000 },
    );
  });
});

describe("promise 2: a cut text gives a prefix", () => {
  it("invents nothing, at every position", () => {
    fc.assert(
      fc.property(written, (text) => {
        fc.pre(/^[[{]/.test(text) && text.length < 300);
        const whole = JSON.parse(text) as unknown;
        // A key such as `a:1}` cut after its brace looks like a member without its quote: reported as a guess, or refused.
        const looksDamaged = /"[\p{L}_$][\p{L}\p{N}_$-]*\s*:[^"]*[}\]]/u.test(text.replaceAll('\\"', ""));
        for (let cut = 1; cut < text.length; cut++) {
          const part = text.slice(0, cut);
          if (isStrict(part)) continue;
          const result = repairJson(part);
          if (!result.ok && looksDamaged) continue;
          if (!result.ok) throw new Error(`${result.reason} at ${cut}`);
          const flagged = result.level === "guess" && looksDamaged;
          if (!flagged && !isPrefix(result.value, whole)) throw new Error(`${part}\n${JSON.stringify(result.value)}`);
          if (!flagged && result.complete) throw new Error(`${part} is said to be complete`);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("keeps at least 99 per cent of what came", () => {
    let kept = 0;
    let came = 0;
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ maxLength: 8 }), fc.oneof(fc.lorem({ maxCount: 30 }), fc.array(fc.lorem())), {
          minKeys: 3,
        }),
        (value) => {
          const text = JSON.stringify(value);
          const full = weigh(value);
          // Half of what a text holds has come at half of its length, give or take its punctuation: measured at the end
          // of each string, where all of it must be there.
          for (let cut = text.indexOf('"', 1); cut >= 0 && cut < text.length - 1; cut = text.indexOf('"', cut + 1)) {
            const result = repairJson(text.slice(0, cut));
            const longer = repairJson(text.slice(0, cut + 1));
            if (!result.ok || !longer.ok) throw new Error("refused");
            kept += weigh(result.value);
            came += Math.min(full, weigh(longer.value));
          }
        },
      ),
      { numRuns: 50 },
    );
    expect(kept / came).toBeGreaterThan(0.99);
  });
});

describe("promise 3: no exception, no hang, no stack overflow", () => {
  it("answers on 10,000 soups of fragments", () => {
    fc.assert(
      fc.property(soup, fc.boolean(), (text, final) => {
        const result = repairJson(text, { final, keys: ["a", "b"] });
        if (result.ok) {
          JSON.stringify(result.value);
          return;
        }
        expect(result.at).toBeLessThanOrEqual(text.length);
        expect(["unreadable", ""]).not.toContain(result.reason);
      }),
      { numRuns: 10000 },
    );
  });

  it("answers on arbitrary strings", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => void repairJson(text)),
      { numRuns: 3000 },
    );
  });

  it("counts depth instead of using the call stack", () => {
    expect(repairJson("[".repeat(1e5))).toMatchObject({ ok: false, reason: "too-deep", at: 1000 });
    expect(repairJson('{"a":'.repeat(50), { maxDepth: 10 })).toMatchObject({ ok: false, reason: "too-deep" });
    expect(repairJson("[".repeat(1e5), { maxDepth: 2e5 })).toMatchObject({ ok: true, level: "truncated" });
    expect(repairJson("[".repeat(5000) + "]".repeat(5000))).toMatchObject({ ok: true, level: "none" });
  });
});

describe("promise 4: own data only", () => {
  it("stores sensitive names as members and leaves prototypes alone", () => {
    const result = repairJson('{__proto__: {polluted: 1}, \'constructor\': 2, "a": {"__proto__": [3],},}');
    if (!result.ok) throw new Error(result.reason);
    const value = result.value as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(["__proto__", "constructor", "a"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(member(value, "__proto__")).toEqual({ polluted: 1 });
    expect(member(value.a as object, "__proto__")).toEqual([3]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe("promise 5: every guess is reported", () => {
  it("flags every document whose reading is not the one that was meant", () => {
    // One character of a valid document is taken out or doubled; the reading is the document's, or it is flagged.
    const plain = fc.dictionary(
      fc.stringMatching(/^[a-z]{2,6}$/),
      fc.oneof(fc.lorem(), fc.boolean(), fc.array(fc.lorem({ maxCount: 2 }))),
      { minKeys: 2 },
    );
    let silent = 0;
    let damaged = 0;
    fc.assert(
      fc.property(plain, fc.nat(), fc.boolean(), (value, place, twice) => {
        const text = JSON.stringify(value);
        const structural = [...text.matchAll(/["{}[\],:]/g)].map((match) => match.index);
        const at = structural[place % structural.length];
        const broken = text.slice(0, at) + (twice ? text[at] + text[at] : "") + text.slice(at + 1);
        if (isStrict(broken)) return;
        damaged++;
        const result = repairJson(broken);
        if (result.ok && result.level === "safe" && JSON.stringify(result.value) !== text) silent++;
      }),
      { numRuns: 3000 },
    );
    expect(damaged).toBeGreaterThan(1000);
    expect(silent / damaged).toBeLessThan(0.005);
  });
});

describe("linear time in texts without a container, and in several documents", () => {
  const long = 100_000;
  it.each([
    ["a call and blanks", `f(1)${" ".repeat(long)}x`],
    ["parentheses", `f(${")".repeat(long)}x`],
    ["escaped quotes", '\\"'.repeat(long)],
    ["numbers", "1,".repeat(long / 10)],
    ["objects that never end", '{"a":["x]}\n'.repeat(long / 20)],
    ["strings that never end", `{"a":"${"]}".repeat(long)}`],
    ["comments", "/* x */ ".repeat(long / 10)],
  ])("%s", (_, text) => {
    const started = performance.now();
    for (const several of ["refuse", "array"] as const) repairJson(text, { final: true, several, bareText: true });
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
