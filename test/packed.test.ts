/** The package as it is published: its exports, its examples, its command, its types, and a page in a browser. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BuildOptions, build, transformSync } from "esbuild";
import OpenAI from "openai";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { corpusIds, loadCorpus } from "../scripts/corpora.ts";
import { projectRoot } from "../scripts/entries.ts";
import { type PackedPackage, packProject } from "./support/packed.ts";

let packed: PackedPackage;
beforeAll(() => {
  packed = packProject();
}, 120_000);
afterAll(() => packed && rmSync(packed.folder, { recursive: true }));

describe("exports", () => {
  /** Sorted names by subpath. A name that goes is a breaking change; one that comes is a promise. */
  const pinned: Record<string, string[]> = {
    ".": [
      "RenderError",
      "cleanContent",
      "createExtractor",
      "createParser",
      "explain",
      "extract",
      "formatForModel",
      "formats",
      "parse",
      "parseAsync",
      "parseStream",
      "prepare",
      "rejectionReasons",
      "repairJson",
      "repairKinds",
      "shouldParseText",
      "toRejectedToolCall",
      "toolCallTransform",
    ],
    core: ["createExtractor", "createParser", "defineFormat", "extract", "parse", "parseAsync", "prepare"],
    "role-handlers": [
      "argumentsHandlers",
      "bodyHandlers",
      "listHandlers",
      "markupHandlers",
      "onlyTextHandlers",
      "parameterHandlers",
      "parameterTagListing",
      "payloadHandlers",
      "typescriptListing",
    ],
    recovery: [
      "JsonrepairError",
      "RepairReader",
      "ValueBuilder",
      "jsonrepair",
      "lookUpSchema",
      "recovery",
      "repairJson",
    ],
    openai: [
      "ChatStreamError",
      "fromChatCompletionChunk",
      "refusalText",
      "refusalsOf",
      "rewriteChatCompletionChunks",
      "toChatCompletionChoice",
      "toChatCompletionChunks",
      "toChatCompletionMessage",
      "toRejectedToolCall",
      "toResponseEvents",
      "toResponseItems",
      "toTextMessages",
      "uniqueCallIds",
    ],
    "ai-sdk": ["repairToolCall", "toRejectedToolCall", "toolCallMiddleware", "uniqueCallIds"],
    proxy: ["chatMlPrompt", "createProxy"],
    "proxy/node": ["serveProxy"],
    langchain: ["ToolCallChatModel", "ToolCallOutputParser", "toRejectedToolCall", "uniqueCallIds"],
    template: ["formatForTemplate", "formatOfTemplate", "grammarFromTemplate", "readGgufTemplate", "readTemplateFile"],
    plugin: ["esbuild", "rolldown", "rollup", "vite"],
    compiler: [
      "GrammarError",
      "checkGrammar",
      "checkStreaming",
      "compileGrammar",
      "draftGrammar",
      "familyOf",
      "formatGrammarError",
      "grammarFiles",
      "grammarWarnings",
      "headerFlags",
      "headerKeys",
      "identifierOf",
      "loadShippedGrammar",
      "placesOfRules",
      "readBy",
      "rulesOfFamily",
      "shippedFamilies",
      "shownText",
    ],
  };

  test("the names are the pinned ones", () => {
    const source = `
      const names = {};
      for (const path of ${JSON.stringify(Object.keys(pinned))}) {
        names[path] = Object.keys(await import(path === "." ? "toolpeg" : "toolpeg/" + path)).sort();
      }
      console.log(JSON.stringify(names));`;
    expect(JSON.parse(packed.run(process.execPath, ["--input-type=module", "-"], { input: source }))).toEqual(pinned);
  });

  test("every format has a subpath that exports it by name and as the default", () => {
    const source = `
      import { formats } from "toolpeg";
      for (const { id } of formats) {
        const module = await import("toolpeg/formats/" + id);
        const names = Object.keys(module).sort().join();
        if (module.default.id !== id || names !== ["default", id].sort().join()) console.log(id, names);
      }`;
    expect(packed.run(process.execPath, ["--input-type=module", "-"], { input: source })).toBe("");
  });
});

describe("what Node loads when it needs it", () => {
  const dialSchema = { type: "object", properties: { dial: { type: "string" } } };
  const module = (input: string) => packed.run(process.execPath, ["--input-type=module", "-"], { input });

  test("a sound message needs its recogniser, if that is long, and what checks more than types; a stream, the reader and the machine", () => {
    /** What is loaded after each of some steps. */
    const loadedBy = (...steps: string[]) =>
      JSON.parse(
        module(`
          import { createRequire } from "node:module";
          import { createParser, parse } from "toolpeg";
          const seen = [];
          const note = () => seen.push(Object.keys(createRequire(import.meta.url).cache).map((path) => path.split("/deferred/")[1]));
          const schema = ${JSON.stringify(dialSchema)};
          const optionsOf = (format, parameters) => ({ format, tools: [{ name: "read_dial", parameters }] });
          const hermes = '<tool_call>{"name": "read_dial", "arguments": {"dial": "north"}}</tool_call>';
          const glm = '<tool_call>read_dial\\n<arg_key>dial</arg_key>\\n<arg_value>north</arg_value>\\n</tool_call>';
          ${steps.map((step) => `${step}; note();`).join("\n")}
          console.log(JSON.stringify(seen));`),
      );
    const short = 'parse(hermes, optionsOf("hermes", schema))';
    const long = 'parse(glm, optionsOf("glm45", schema))';
    const strict = 'parse(hermes, optionsOf("hermes", { ...schema, minProperties: 1 }))';
    const stream = 'createParser(optionsOf("hermes", schema))';
    const recogniser = "recognisers/glm45.cjs";
    expect(loadedBy(short, long, stream)).toEqual([[], [recogniser], [recogniser, "reader.cjs", "machine.cjs"]]);
    expect(loadedBy(strict)).toEqual([["validation.cjs"]]);
  });

  test("it reads as what is loaded at once", () => {
    const cases = corpusIds().flatMap((format) =>
      loadCorpus(format)
        .cases.filter(({ tools }) => tools !== undefined)
        .slice(0, 2)
        .map(({ text, tools }) => ({ format, text, tools })),
    );
    writeFileSync(join(packed.folder, "cases.json"), JSON.stringify(cases));
    const source = `
      import { readFileSync } from "node:fs";
      import { isDeepStrictEqual } from "node:util";
      import * as deferred from "toolpeg";
      const atOnce = await import("./node_modules/toolpeg/dist/index-node.js");
      const read = ({ parse, createParser }, { text, ...options }) => {
        const { telemetry, ...result } = parse(text, options);
        const parser = createParser(options);
        const events = (text.match(/[^]{1,7}/g) ?? []).flatMap((chunk) => parser.push(chunk));
        return { result, record: telemetry.record(), events: [...events, ...parser.end()] };
      };
      const cases = JSON.parse(readFileSync("cases.json", "utf8"));
      const differ = cases.filter((one) => !isDeepStrictEqual(read(deferred, one), read(atOnce, one)));
      console.log(JSON.stringify({ differ, count: cases.length }));`;
    const { differ, count } = JSON.parse(module(source));
    expect(differ).toEqual([]);
    expect(count).toBeGreaterThan(150);
  });

  const program = `
    import { createParser, parse } from "toolpeg";
    const tools = [{ name: "read_dial", parameters: { type: "object", properties: { dial: { type: "string" } } } }];
    const sound = '<tool_call>{"name": "read_dial", "arguments": {"dial": "north"}}</tool_call>';
    const whole = parse(sound.replace('"north"', "'north'"), { format: "hermes", tools });
    const parser = createParser({ format: "qwen3_coder", tools });
    parser.push("<tool_call>\\n<function=read_dial>\\n<parameter=dial>\\nnorth\\n</parameter>\\n</function>\\n</tool_call>");
    parser.end();
    const yaml = parse("<read_dial>\\ndial: north\\n</read_dial>", { format: "yaml_xml", tools });
    console.log([whole, parser.result(), yaml].map(({ calls }) => calls[0]?.arguments.dial).join());`;
  /** A program that stands alone: nothing of the package is beside it. */
  const runAlone = (text: string) => {
    const folder = mkdtempSync(join(tmpdir(), "toolpeg-alone-"));
    try {
      writeFileSync(join(folder, "program.mjs"), text);
      return packed.run(process.execPath, [join(folder, "program.mjs")]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const bundled = async (options: BuildOptions) => {
    const stdin = { contents: program, resolveDir: packed.folder };
    const { outputFiles } = await build({
      stdin,
      bundle: true,
      platform: "node",
      format: "esm",
      write: false,
      ...options,
    });
    return (outputFiles as { text: string }[])[0].text;
  };

  test("a bundle holds all, whether or not its bundler says that it is one", async () => {
    const told = await bundled({});
    const untold = await bundled({ conditions: ["production"] });
    expect([told, untold].map((text) => text.includes("deferred/reader.cjs"))).toEqual([false, true]);
    expect([told, untold].map(runAlone)).toEqual(["north,north,north\n", "north,north,north\n"]);
  });

  test("so does one that Rolldown makes", async () => {
    const file = join(packed.folder, "program.js");
    writeFileSync(file, program);
    const { output } = await (await rolldown({ input: file, platform: "node" })).generate({ format: "esm" });
    expect(output[0].code).not.toContain("deferred/reader.cjs");
    expect(runAlone(output[0].code)).toBe("north,north,north\n");
  });
});

/** The comment at the foot of an example: what it prints. */
const footOf = (source: string) => /\n\/\* Prints\n([\s\S]*)\*\/\n$/.exec(source)?.[1];

describe("examples", () => {
  const folder = join(projectRoot, "examples");
  const programs = readdirSync(folder).filter((name) => /\.(ts|mjs)$/.test(name));
  const printing = programs.filter((name) => footOf(readFileSync(join(folder, name), "utf8")) !== undefined);

  test("all but the server say what they print", () => {
    expect(programs.filter((name) => !printing.includes(name))).toEqual(["openai-proxy.ts"]);
  });

  test.each(printing)("%s prints what its foot says", (name) => {
    const file = join("examples", name.replace(/\.ts$/, ".js"));
    expect(packed.run(process.execPath, [file])).toBe(footOf(readFileSync(join(folder, name), "utf8")));
  });

  test("own-format makes its modules in its build step, then runs", () => {
    const cwd = join(packed.folder, "examples/own-format");
    const built = packed.run("npm", ["run", "--silent", "build"], { cwd });
    expect(built).toContain("2 of 2 cases hold");
    expect(built).toContain("wrote: generated/bells.js");
    expect(packed.run(process.execPath, ["main.js"], { cwd })).toBe(footOf(readFileSync(join(cwd, "main.js"), "utf8")));
  });

  test("they compile against the packed types, strictly", () => {
    const config = {
      compilerOptions: {
        target: "ES2022",
        lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
        module: "NodeNext",
        strict: true,
        exactOptionalPropertyTypes: true,
        verbatimModuleSyntax: true,
        types: ["node"],
        skipLibCheck: true,
        noEmit: true,
      },
      include: ["examples/*.ts", "node_modules/toolpeg/dist/**/*.d.ts"],
    };
    writeFileSync(join(packed.folder, "tsconfig.json"), JSON.stringify(config));
    packed.run(join(projectRoot, "node_modules/.bin/tsc"), ["-p", "."]);
  });
});

describe("README and guides", () => {
  const pages = ["README.md", ...readdirSync(join(projectRoot, "docs")).map((name) => `docs/${name}`)].filter((page) =>
    page.endsWith(".md"),
  );
  /** `ts fragment`: completed by the shared prelude. `ts vitest`: for a test file, so it runs in the test below it. */
  const blocks = pages.flatMap((page) => {
    const text = readFileSync(join(projectRoot, page), "utf8");
    const found = text.matchAll(/```ts( fragment| vitest)?\n([\s\S]*?)```(?:\n+Prints\n+```\n([\s\S]*?)```)?/g);
    return [...found].map(([, kind = "", input, output]) => ({ page, kind: kind.trim(), input, output }));
  });
  const programs = blocks.filter(({ kind }) => kind !== "vitest");
  let printed: { text: string; error?: string }[];

  beforeAll(() => {
    const folder = join(packed.folder, "blocks");
    mkdirSync(folder);
    for (const [at, { input }] of programs.entries()) {
      const { code } = transformSync(input, { loader: "ts", target: "es2022" });
      writeFileSync(join(folder, `block-${at}.mjs`), code);
    }
    const prelude = readFileSync(join(projectRoot, "test/support/docs-prelude.mjs"), "utf8");
    writeFileSync(join(folder, "prelude.mjs"), prelude);
    // All in one process: to start one for each would take longer than to run them.
    const runner = `
      import { format } from "node:util";
      const kinds = ${JSON.stringify(programs.map(({ kind }) => kind))};
      const say = console.log;
      const printed = kinds.map(() => ({ text: "" }));
      const run = async (at) => {
        console.log = (...words) => { printed[at].text += format(...words) + "\\n"; };
        try { await import("./block-" + at + ".mjs"); } catch (error) { printed[at].error = String(error?.stack ?? error); }
      };
      for (const [at, kind] of kinds.entries()) if (kind === "") await run(at);
      await import("./prelude.mjs");
      for (const [at, kind] of kinds.entries()) if (kind !== "") await run(at);
      console.log = say;
      say(JSON.stringify(printed));
      process.exit(0);`;
    writeFileSync(join(folder, "run.mjs"), runner);
    printed = JSON.parse(packed.run(process.execPath, ["run.mjs"], { cwd: folder }));
  });

  test.each(programs.map((block, at) => ({ ...block, at })))(
    "block $at, of $page, runs as printed",
    ({ at, output }) => {
      expect(printed[at].error).toBeUndefined();
      if (output !== undefined) expect(printed[at].text).toBe(output);
    },
  );

  test("what is for a test file is one", () => {
    expect(blocks.filter(({ kind }) => kind === "vitest").map(({ page }) => page)).toEqual(["docs/own-formats.md"]);
  });

  test("every file that the README links is in the package", () => {
    const readme = readFileSync(join(projectRoot, "README.md"), "utf8");
    const links = [...readme.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path]) => path);
    expect(links.length).toBeGreaterThan(10);
    const missing = links.filter((path) => !existsSync(join(packed.folder, "node_modules/toolpeg", path)));
    expect(missing).toEqual([]);
  });
});

describe("the proxy", () => {
  const call = '<tool_call>\n{"name": "read_dial", "arguments": {"dial": "north"}}\n</tool_call>';
  const parameters = { type: "object", properties: { dial: { type: "string" } }, required: ["dial"] };
  const tools = [{ type: "function" as const, function: { name: "read_dial", parameters } }];
  const asked: { messages: { role: string; content: string }[]; tools?: unknown }[] = [];
  let upstream: Server;
  let proxy: ChildProcess;
  let client: OpenAI;

  beforeAll(async () => {
    // Stands for a server that only completes text.
    upstream = createServer(async (request, response) => {
      let body = "";
      for await (const piece of request) body += piece;
      const { stream, messages, ...rest } = JSON.parse(body);
      asked.push({ messages, ...rest });
      const text = messages.at(-1).content.includes("tool_response") ? "It stands at 3." : `Reading.\n${call}`;
      response.setHeader("content-type", stream ? "text/event-stream" : "application/json");
      const frame = { id: "up-1", created: 1, model: "small", object: "chat.completion" };
      if (!stream) {
        const choices = [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }];
        response.end(JSON.stringify({ ...frame, choices }));
        return;
      }
      for (let at = 0; at < text.length; at += 5) {
        const choices = [{ index: 0, delta: { content: text.slice(at, at + 5) }, finish_reason: null }];
        response.write(`data: ${JSON.stringify({ ...frame, choices })}\n\n`);
      }
      const choices = [{ index: 0, delta: {}, finish_reason: "stop" }];
      response.end(`data: ${JSON.stringify({ ...frame, choices })}\n\ndata: [DONE]\n\n`);
    });
    await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
    const { port } = upstream.address() as AddressInfo;
    const args = ["examples/openai-proxy.js", `http://127.0.0.1:${port}`, "hermes", "0"];
    proxy = spawn(process.execPath, args, { cwd: packed.folder, stdio: ["ignore", "pipe", "inherit"] });
    const listening = await new Promise<string>((resolve) =>
      proxy.stdout?.once("data", (data) => resolve(String(data))),
    );
    client = new OpenAI({
      apiKey: "none",
      baseURL: listening.trim().split(" ").at(-1) as string,
      maxRetries: 0,
    });
  });
  afterAll(() => {
    proxy.kill();
    upstream.close();
  });

  test("gives a client of the openai package its tool calls, and takes their results", async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "North?" }];
    const [{ message, finish_reason }] = (await client.chat.completions.create({ model: "small", messages, tools }))
      .choices;
    expect([message.content, finish_reason]).toEqual(["Reading.\n", "tool_calls"]);
    expect(message.tool_calls).toMatchObject([{ function: { name: "read_dial", arguments: '{"dial":"north"}' } }]);
    expect(asked[0].tools).toBeUndefined();
    expect(asked[0].messages[0].content).toContain("read_dial");
    messages.push(message, { role: "tool", tool_call_id: message.tool_calls?.[0].id ?? "", content: "3" });
    const answer = await client.chat.completions.create({ model: "small", messages, tools });
    expect(answer.choices[0].message.content).toBe("It stands at 3.");
    expect(asked[1].messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(asked[1].messages[2].content).toContain("<tool_call>");
  });

  test("streams", async () => {
    const request = { model: "small", messages: [{ role: "user" as const, content: "North?" }], tools };
    const { choices } = await client.chat.completions.stream(request).finalChatCompletion();
    expect(choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: {
        content: "Reading.\n",
        tool_calls: [{ function: { name: "read_dial", arguments: '{"dial":"north"}' } }],
      },
    });
  });

  test("passes on no tool that was not offered, and says what a request lacks", async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "North?" }];
    const { choices } = await client.chat.completions.create({ model: "small", messages });
    expect([choices[0].message.tool_calls, choices[0].finish_reason]).toEqual([undefined, "stop"]);
    const twice = client.chat.completions.create({ model: "small", messages, tools: [...tools, ...tools] });
    await expect(twice).rejects.toThrow("read_dial");
  });
});

const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path),
);

test.skipIf(chromium === undefined)(
  `a page in a browser reads a stream${chromium === undefined ? " (skipped: install Debian's chromium to run it)" : ""}`,
  async () => {
    const page = `
      import { parseStream, toolCallTransform } from "toolpeg";
      const tools = [{ name: "read_dial", parameters: { type: "object", properties: { dial: { type: "string" } } } }];
      const text = 'Hi 😀 <tool_call>{"name": "read_dial", "arguments": {"dial": "north"}}</tool_call>';
      const source = () => new ReadableStream({
        start(controller) { for (const unit of text.split("")) controller.enqueue(unit); controller.close(); },
      });
      const stream = parseStream(source(), { format: "hermes", tools });
      let seen = "";
      for await (const event of stream) if (event.type === "text-delta") seen += event.text;
      const reader = source().pipeThrough(toolCallTransform({ format: "auto", tools })).getReader();
      let calls = 0;
      for (let next = await reader.read(); !next.done; next = await reader.read()) calls += next.value.type === "call-end";
      document.title = JSON.stringify([seen, stream.result().calls[0].arguments, calls]);
      document.body.textContent = document.title;`;
    const bundle = await build({
      stdin: { contents: page, resolveDir: packed.folder, loader: "js" },
      bundle: true,
      format: "esm",
      platform: "browser",
      write: false,
    });
    const file = join(packed.folder, "page.html");
    const code = bundle.outputFiles[0].text.replaceAll("</script", "<\\/script");
    writeFileSync(file, `<!doctype html><meta charset="utf-8"><body></body><script type="module">${code}</script>`);
    const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000", "--dump-dom"];
    const dom = packed.run(chromium as string, [
      ...flags,
      `--user-data-dir=${packed.folder}/browser`,
      `file://${file}`,
    ]);
    expect(dom).toContain('<body>["Hi 😀 ",{"dial":"north"},1]</body>');
  },
);
