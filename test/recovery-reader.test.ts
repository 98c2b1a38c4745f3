import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RepairReader, type RepairReaderOptions, ValueBuilder } from "../src/json-repair/index.ts";
import type { ValueSink } from "../src/machine/value-sink.ts";
import { damagedJsonFragment as fragment } from "./support/damaged-json.ts";

/** Writes down what a sink gets, the pieces of a string joined. */
class Recorder implements ValueSink {
  readonly events: string[] = [];
  #string = "";

  #add(event: string): void {
    if (this.#string !== "") this.events.push(`text ${JSON.stringify(this.#string)}`);
    this.#string = "";
    this.events.push(event);
  }
  beginObject(at: number): void {
    this.#add(`{ ${at}`);
  }
  endObject(at: number): void {
    this.#add(`} ${at}`);
  }
  beginArray(at: number): void {
    this.#add(`[ ${at}`);
  }
  endArray(at: number): void {
    this.#add(`] ${at}`);
  }
  beginString(at: number, key: boolean): void {
    this.#add(`${key ? "key" : "string"} ${at}`);
  }
  text(piece: string): void {
    this.#string += piece;
  }
  escaped(piece: string): void {
    this.#string += JSON.parse(`"${piece}"`) as string;
  }
  endString(at: number): void {
    this.#add(`end ${at}`);
  }
  literal(json: string, start: number, end: number): void {
    this.#add(`${json} ${start} ${end}`);
  }
  /** What has been sent so far, an open string included. */
  get soFar(): string {
    return [...this.events, this.#string].join("\n");
  }
}

interface Run {
  recorder: Recorder;
  reader: RepairReader;
}

function read(text: string, options: RepairReaderOptions = {}, cuts: readonly number[] = [], final = false): Run {
  const recorder = new Recorder();
  const reader = new RepairReader(recorder, options);
  let from = 0;
  for (const cut of cuts) {
    reader.push(text.slice(from, cut));
    from = cut;
  }
  reader.push(text.slice(from));
  reader.finish(final);
  return { recorder, reader };
}

function outcome({ recorder, reader }: Run): string {
  const { state, end, endedBy, closersMissing, repairs, failure, contradicts } = reader;
  return JSON.stringify([recorder.soFar, state, end, endedBy, closersMissing, repairs, failure, contradicts]);
}

const damaged = fc
  .tuple(
    fc.constantFrom("", '{"a":', '{"a":"x', '["a","', "{'a': '", '{"a":{"b":"'),
    fc.array(fragment, { maxLength: 25 }),
  )
  .map(([head, rest]) => head + rest.join(""));

describe("chunking", () => {
  it("makes no difference to events, repairs, end or failure", () => {
    const options: RepairReaderOptions = {
      ends: ["</t>"],
      allowedKeys: (path) => (path.length === 0 ? new Set(["a", "k"]) : undefined),
    };
    fc.assert(
      fc.property(damaged, fc.array(fc.nat(60)), fc.boolean(), (text, places, final) => {
        const cuts = [...new Set(places)].filter((cut) => cut < text.length).sort((left, right) => left - right);
        const whole = outcome(read(text, options, [], final));
        expect(outcome(read(text, options, cuts, final))).toBe(whole);
        expect(
          outcome(
            read(
              text,
              options,
              Array.from({ length: text.length }, (_, at) => at),
              final,
            ),
          ),
        ).toBe(whole);
      }),
      { numRuns: 3000 },
    );
  });

  it("never takes back what was sent: events so far are the first events of the whole", () => {
    fc.assert(
      fc.property(damaged, fc.nat(), (text, place) => {
        const recorder = new Recorder();
        const reader = new RepairReader(recorder);
        reader.push(text.slice(0, place % (text.length + 1)));
        const before = recorder.soFar;
        reader.push(text.slice(place % (text.length + 1)));
        reader.finish(false);
        const all = recorder.soFar.replaceAll(/^text (".*")$/gm, (_, json: string) => JSON.parse(json) as string);
        expect(
          all.startsWith(before.replaceAll(/^text (".*")$/gm, (_, json: string) => JSON.parse(json) as string)),
        ).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("sends strings as they come, and holds back only what a rule may still want", () => {
    const recorder = new Recorder();
    const reader = new RepairReader(recorder);
    const sent = (chunk: string): string => {
      const before = recorder.soFar.length;
      reader.push(chunk);
      return recorder.soFar.slice(before);
    };
    expect(sent('{"t":"so')).toContain("so");
    expect(sent(" far")).toBe(" far");
    expect(sent(",")).toBe("");
    expect(sent(" ")).toBe("");
    expect(sent("on")).toBe(", on");
    expect(sent("\\u00")).toBe("");
    expect(sent("e9")).toBe("é");
    expect(sent("\\ud83d")).toBe("");
    expect(sent("\\ude00")).toBe("\u{1f600}");
    expect(sent('"')).toBe("");
    expect(sent("}")).not.toContain('"}');
    reader.finish(true);
    expect(reader.state).toBe("done");
    expect(reader.repairs).toEqual([]);
  });
});

describe("strict JSON", () => {
  it("is read as it is, without a repair", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const builder = new ValueBuilder();
        const reader = new RepairReader(builder);
        reader.push(text);
        reader.finish(true);
        expect([reader.state, reader.repairs, reader.end]).toEqual(["done", [], text.length]);
        expect(JSON.stringify(builder.value)).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 300 },
    );
  });
});

describe("strict parts of a whole text", () => {
  it("are read natively to the same value and repairs", () => {
    const strict = fc
      .oneof(fc.jsonValue({ maxDepth: 3 }), fc.bigInt(), fc.constant("1e999"))
      .map((value) => (typeof value === "bigint" || value === "1e999" ? String(value) : JSON.stringify(value)));
    const piece = fc.oneof(
      fragment,
      strict.map((text) => `[${text}]`),
      strict.map((text) => `,"k":{"a":${text},"a":1}`),
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => `{x:[${pieces.join("")}`);
    const readWith = (input: string, native: boolean): string => {
      const builder = new ValueBuilder();
      const reader = new RepairReader(builder, native ? { onStrictPart: (value) => builder.add(value) } : {});
      reader.push(input);
      reader.finish(false);
      return JSON.stringify([reader.state, reader.end, reader.repairs, reader.failure, builder.value]);
    };
    fc.assert(
      fc.property(text, (input) => {
        expect(readWith(input, true)).toBe(readWith(input, false));
      }),
      { numRuns: 3000 },
    );
  });
});

describe("numbers", () => {
  it("are sent as JSON writes them, however they came", () => {
    const { recorder } = read("[+.5,-8.,1.e5,-.5,.5,+8,8.,-0,+1_000]", { typeAt: () => "number" });
    const sent = recorder.events.filter((event) => /^[-\d]/.test(event)).map((event) => event.split(" ")[0]);
    expect(sent).toEqual(["0.5", "-8", "1e5", "-0.5", "0.5", "8", "8", "-0", "1000"]);
  });
});

describe("the end of the value", () => {
  it("is reported once what follows cannot belong to it; the rest is the caller's", () => {
    const { reader } = read('{"a":1,}  and more', { base: 100 });
    expect([reader.state, reader.end, reader.endedBy]).toEqual(["done", 108, "value"]);
    expect(reader.repairs).toEqual([{ kind: "extra-comma", level: "safe", start: 106, end: 107 }]);
  });

  it("counts the containers that an end marker leaves open", () => {
    const { reader, recorder } = read('{"name":"f","arguments":{"t":1}\n</tool_call>', { ends: ["</tool_call>"] });
    expect([reader.state, reader.endedBy, reader.closersMissing, reader.end]).toEqual(["done", "marker", 1, 32]);
    expect(recorder.events.at(-1)).toBe("} 32");
  });

  it("ends a string before a marker, but never looks for one inside it", () => {
    const { reader, recorder } = read('{"t":"a </t> b"</t>', { ends: ["</t>"] });
    expect([reader.endedBy, reader.closersMissing]).toEqual(["marker", 1]);
    expect(recorder.soFar).toContain("a </t> b");
  });

  it("drops surplus closers before a marker", () => {
    const { reader } = read('{"a":1}}</t>', { ends: ["</t>"] });
    expect([reader.state, reader.end, reader.repairs[0].kind]).toEqual(["done", 8, "surplus-closer"]);
  });

  it("says when the text ended first", () => {
    const { reader } = read('{"a":[1,{"b":"c');
    expect([reader.endedBy, reader.closersMissing]).toEqual(["end-of-text", 3]);
  });

  it("fails on what cannot be read, with a place", () => {
    expect(read('{"a":[1] x}').reader.failure).toMatchObject({ reason: "unexpected-character", at: 9 });
    expect(read('{"a":1}, {"b":2}').reader.failure).toMatchObject({ reason: "several-documents" });
    expect(read("{\\x").reader.state).toBe("failed");
    expect(read("[1,: 2]").reader.failure).toMatchObject({ reason: "unexpected-character", at: 3 });
  });
});

describe("backslashes that turn out to be data", () => {
  it("contradict what was sent, and a second reading with the plan does not", () => {
    const text = '{"p":"R:\\new\\opt"}';
    const first = read(text);
    expect(first.reader.contradicts).toBe(true);
    expect([...first.reader.plans]).toEqual([[5, "literal"]]);
    expect(first.reader.repairs.some((repair) => repair.level === "guess")).toBe(true);
    const second = read(text, { escapePlans: first.reader.plans });
    expect(second.reader.contradicts).toBe(false);
    expect(second.recorder.soFar).toContain(JSON.stringify("R:\\new\\opt"));
  });
});

describe("schema", () => {
  it("asks for keys and types by path", () => {
    const asked: string[] = [];
    const { recorder } = read('{"list":[{"zip":00123,"t":"a", "b": c"}]}', {
      allowedKeys: (path) => (path.join("/") === "list/0" ? new Set(["zip", "t"]) : undefined),
      typeAt: (path) => {
        asked.push(path.join("/"));
        return "integer";
      },
    });
    expect(asked).toEqual(["list/0/zip"]);
    expect(recorder.soFar).toContain("123 16 21");
    expect(recorder.soFar).toContain(JSON.stringify('a", "b": c'));
  });
});
