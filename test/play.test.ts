/** The playground, by use, in headless Chromium. Without a browser (Debian: apt-get install chromium) it is skipped. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtProject } from "./support/built.ts";

const browserPath = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));
if (browserPath === undefined)
  console.warn("play: no Chromium here, so the page is not tried (apt-get install chromium)");

/** Screenshots are written for a look at them: PLAY_SCREENSHOTS=docs/play npx vitest run test/play.test.ts */
const screenshots = process.env.PLAY_SCREENSHOTS;

const tools = JSON.stringify([
  {
    name: "open_vent",
    parameters: {
      type: "object",
      properties: { vent: { type: "string" }, percent: { type: "integer", maximum: 100 } },
      required: ["vent"],
    },
  },
]);
const damaged = `<think>The vent is closed.</think>I open it.
<tool_call>
{'name': 'open_vent', 'arguments': {'vent': 'west', 'percent': 40}}
</tool_call>
As said: \`<tool_call>{"name": "open_vent", "arguments": {}}</tool_call>\`.
<tool_call>
{"name": "open_vent", "arguments": {"vent": "east", "percent": 140}}
</tool_call>`;

const corpus = `=== one call
from:  written here, for the page
tools: dials
|<tool_call>{"name": "read_dial", "arguments": {"dial": "north"}}</tool_call>
call: {"name": "read_dial", "arguments": {"dial": "north"}}

=== no call
from:  written here, for the page
tools: dials
|The dial is fine.
content: "The dial is fine."
calls: none
`;

let folder = "";
let url = "";
let html = "";
let cli = "";
beforeAll(() => {
  const built = builtProject().folder;
  cli = join(built, "cli.js");
  html = readFileSync(join(built, "play.html"), "utf8");
  folder = mkdtempSync(join(tmpdir(), "toolpeg-play-"));
  writeFileSync(join(folder, "play.html"), html);
  url = pathToFileURL(join(folder, "play.html")).href;
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the page is one file under 920 KB gzip, and its policy forbids the network", () => {
  expect(gzipSync(html, { level: 9 }).length).toBeLessThan(920_000);
  expect(html).toContain("default-src 'none'");
  expect(html.slice(0, html.indexOf("<script"))).not.toMatch(/(?:src|href)="(?!data:)/);
});

describe.skipIf(browserPath === undefined)("in a browser, from a file", () => {
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: browserPath as string, args: ["--no-sandbox"] });
    page = await open();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
  });

  async function open(hash = "", options: Parameters<Browser["newPage"]>[0] = {}): Promise<Page> {
    const opened = await browser.newPage({ viewport: { width: 1400, height: 900 }, ...options });
    opened.setDefaultTimeout(30_000);
    opened.on("pageerror", (error) => problems.push(error.message));
    opened.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await opened.goto(url + hash);
    await opened.getByRole("tab", { name: "Reply" }).waitFor();
    return opened;
  }

  async function fill(label: RegExp, text: string, on = page): Promise<void> {
    const editor = on.getByRole("textbox", { name: label });
    await editor.fill(text);
  }

  async function shoot(name: string, on = page): Promise<void> {
    if (screenshots !== undefined) await on.screenshot({ path: join(screenshots, `${name}.png`) });
  }

  test("a damaged reply is pasted: call, repairs and refusals stand beside their places, with what to do", async () => {
    await fill(/^Tools/, tools);
    await fill(/^Reply/, damaged);
    const call = page.getByRole("article", { name: "Call of open_vent" });
    await call.waitFor();
    expect(await call.innerText()).toMatch(/"vent": "west"[\s\S]*repaired quote-style/);
    const schema = page.getByRole("article", { name: "Refused: schema" });
    expect(await schema.innerText()).toMatch(/arguments\.percent[\s\S]*140[\s\S]*help:/);
    expect(await page.getByRole("article", { name: "Refused: quoted" }).count()).toBe(1);
    expect(await page.getByRole("status").filter({ hasText: "1 call," }).innerText()).toMatch(/repairs?, 2 refused/);
    // The text is coloured by what it is, in the editor as well.
    for (const kind of ["reasoning", "framing", "call", "rejected", "quoted"]) {
      expect(await page.locator(`.blocks [data-kind="${kind}"]`).count(), kind).toBeGreaterThan(0);
      expect(await page.locator(`.cm-content .n-${kind}`).count(), kind).toBeGreaterThan(0);
    }
    // The place of the call is in the same row as its arguments.
    const row = page.getByRole("listitem").filter({ has: call });
    const seen = await row.locator("pre.text").evaluate((element) => {
      for (const hidden of element.querySelectorAll(".sr")) hidden.remove();
      return element.textContent;
    });
    expect(seen).toContain("{'name': 'open_vent', 'arguments'");
    expect(await page.locator(".tree").innerText()).toMatch(/schema refused it: schema/);
    await shoot("reply");
  }, 120_000);

  test("over a sample: the page says whose tools those are, and reads without them", async () => {
    const fresh = await open();
    const note = fresh.getByText("the tools of the samples");
    await fresh
      .getByRole("article", { name: /^Call of/ })
      .first()
      .waitFor();
    expect(await note.count()).toBe(0);
    await fill(/^Reply/, damaged.replaceAll("open_vent", "shut_door"), fresh);
    await note.waitFor();
    await fresh.getByRole("article", { name: "Refused: unknown-tool" }).first().waitFor();
    await fresh.getByRole("button", { name: "Read without tools" }).click();
    await fresh.getByRole("article", { name: "Candidate of shut_door" }).first().waitFor();
    expect(await note.count()).toBe(0);
    expect(await fresh.getByRole("status").filter({ hasText: "2 candidates" }).count()).toBe(1);
    await fresh.close();
  }, 60_000);

  test("a reply comes from a file, by the button and by a drop, and from the samples", async () => {
    const fresh = await open();
    const reply = fresh.getByRole("textbox", { name: /^Reply/ });
    const file = (text: string) => ({ name: "reply.txt", mimeType: "text/plain", buffer: Buffer.from(text) });
    await fresh.getByLabel("Open a file").setInputFiles(file("Opened from the disk."));
    await fresh.waitForFunction(() => document.querySelector(".blocks")?.textContent?.includes("from the disk"));
    const dropped = await fresh.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(["Dropped on the page."], "reply.txt"));
      return transfer;
    });
    await reply.dispatchEvent("drop", { dataTransfer: dropped });
    await fresh.waitForFunction(() => document.querySelector(".blocks")?.textContent?.includes("Dropped on"));
    const samples = fresh.getByLabel("Try a sample");
    const names = await samples.locator("option").allInnerTexts();
    await samples.selectOption(names.at(-1) as string);
    await fresh
      .getByRole("article", { name: /^Call of/ })
      .first()
      .waitFor();
    expect(await fresh.getByLabel("Format").inputValue()).toBe(names.at(-1)?.split(",")[0]);
    await fresh.close();
  }, 60_000);

  test("each argument bears the same number beside the call and at its place in the text", async () => {
    const call = page.getByRole("article", { name: "Call of open_vent" });
    const row = page.getByRole("listitem").filter({ has: call });
    const places = await row
      .locator("pre.text [data-begins]")
      .evaluateAll((elements) =>
        elements.map((element) => [element.getAttribute("data-begins"), element.lastChild?.textContent]),
      );
    expect(places).toEqual([
      ["1", "west"],
      ["2", "40"],
    ]);
    expect(await call.locator("[data-begins]").allTextContents()).toEqual(['"vent": "west"', '"percent": 40']);
    const place = row.locator('pre.text [data-argument="2"]');
    const before = await place.evaluate((element) => getComputedStyle(element).backgroundColor);
    await call.locator('[data-argument="2"]').hover();
    expect(await place.evaluate((element) => getComputedStyle(element).backgroundColor)).not.toBe(before);
  }, 60_000);

  test.each([
    ["a small laptop", { width: 1280, height: 720 }],
    ["a phone", { width: 390, height: 844 }],
  ])(
    "on %s a new user sees why a call was refused, without a click and without scrolling",
    async (_what, viewport) => {
      const fresh = await open("", { viewport });
      await fill(/^Tools/, tools, fresh);
      // The refused call stands far below quoted ones and calls that passed.
      const call = '<tool_call>{"name": "open_vent", "arguments": {"vent": "west"}}</tool_call>';
      const passing = `\`${call}\`\n`.repeat(6) + `${call}\n`.repeat(30);
      const began = Date.now();
      await fill(/^Reply/, passing + damaged, fresh);
      const why = fresh.getByRole("list", { name: "What was refused, and why" });
      const reason = why.getByText(/arguments\.percent.*at most 100, found 140/);
      await reason.waitFor();
      expect(Date.now() - began).toBeLessThan(60_000);
      const seen = await reason.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
      expect(seen).toBe(true);
      await why.getByRole("button").first().click();
      const card = fresh.getByRole("article", { name: "Refused: schema" });
      await expect.poll(() => card.evaluate((element) => element.getBoundingClientRect().top < innerHeight)).toBe(true);
      await fresh.close();
    },
    60_000,
  );

  test("the slider feeds chunks, and shows events and partial arguments", async () => {
    await page.getByLabel("Format").selectOption("hermes");
    await page.getByText("In chunks, as a stream brings it").click();
    const slider = page.getByRole("slider");
    const at = Math.ceil((damaged.indexOf("'percent'") + 2) / 8);
    await slider.fill(String(at));
    await page.locator(".partial").first().waitFor();
    expect(await page.locator(".partial").innerText()).toContain("west");
    expect(await page.locator(".events").innerText()).toMatch(/call-start 0 open_vent[\s\S]*reasoning-delta/);
    expect(await page.locator(".events").innerText()).not.toContain("call-end");
    await page.locator(".streaming").scrollIntoViewIfNeeded();
    await shoot("stream");
    await slider.press("End");
    await page.locator(".events").getByText("call-end").waitFor();
    expect(await page.locator(".events").innerText()).toMatch(/call-rejected schema/);
  }, 120_000);

  test("what the format writes: calls, instruction, constraint", async () => {
    await page.getByText("What the format writes").click();
    const writes = page.locator(".writes");
    await writes.waitFor();
    expect(await writes.innerText()).toMatch(
      /as hermes writes them[\s\S]*<tool_call>[\s\S]*Its instruction[\s\S]*open_vent/,
    );
    expect(await page.locator(".constraint").innerText()).toContain("root ::=");
    await page.getByLabel("structural tag (XGrammar)").check();
    expect(JSON.parse(await page.locator(".constraint").innerText())).toHaveProperty("type");
  }, 120_000);

  test("a wrong tools field is reported, and no tools mean that nothing is checked", async () => {
    await fill(/^Tools/, "[{");
    expect(await page.getByRole("alert").innerText()).toContain("the tools field is not JSON");
    await fill(/^Tools/, "");
    await page.getByText("Not validated").waitFor();
    expect(await page.getByRole("article", { name: "Candidate of open_vent" }).count()).toBeGreaterThan(0);
    await fill(/^Tools/, tools);
    await page.getByRole("article", { name: "Call of open_vent" }).waitFor();
  }, 120_000);

  test("a link holds the whole state", async () => {
    await page.getByLabel("Format").selectOption("hermes");
    await page.getByRole("button", { name: "Copy a link" }).click();
    await page.getByText(/The link is/).waitFor();
    const other = await open(new URL(page.url()).hash);
    await other.getByRole("article", { name: "Call of open_vent" }).waitFor();
    expect(await other.getByLabel("Format").inputValue()).toBe("hermes");
    expect(await other.getByRole("slider").inputValue()).toBe(await page.getByRole("slider").inputValue());
    await other.close();
    const cut = await open("#broken");
    expect(await cut.getByRole("article").count()).toBeGreaterThan(0);
    await cut.close();
  }, 120_000);

  test("a grammar is edited: checked at the line, drawn, its corpus run green and red, and used", async () => {
    await page.getByRole("tab", { name: "Reply" }).press("ArrowRight");
    await page.getByText(/^It compiles: \d+ rules/).waitFor();
    expect(await page.locator(".diagram svg").count()).toBeGreaterThan(5);
    const status = page.locator(".corpus-status");
    // The whole corpus of the grammar is run, and each case is shown.
    await expect.poll(() => status.innerText(), { timeout: 90_000 }).not.toContain("running");
    expect(await page.locator(".cases > li").count()).toBeGreaterThan(50);
    await fill(/^Corpus/, corpus);
    await expect.poll(() => status.innerText(), { timeout: 90_000 }).toBe("2 of 2 cases hold");
    await shoot("grammar");
    const grammar = readFileSync(new URL("../grammars/hermes.peggy", import.meta.url), "utf8");
    await fill(/^Grammar/, `${grammar}\nPayload = Jsn\n`);
    await page.locator(".grammar-status .refusal").waitFor();
    expect(await page.locator(".grammar-status").innerText()).toMatch(/Jsn[\s\S]*help:/i);
    expect(await page.locator(".cm-lintRange-error, .cm-lintPoint-error").count()).toBeGreaterThan(0);
    await fill(/^Grammar/, grammar.replaceAll("tool_call>", "tool_kall>"));
    await expect.poll(() => status.innerText(), { timeout: 90_000 }).toBe("1 of 2 cases hold, 1 fail");
    expect(await page.locator(".cases .refusal").first().innerText()).toBe("fails: one call");
    await fill(/^Grammar/, grammar);
    await page.getByText(/^It compiles/).waitFor();
    await page.getByRole("button", { name: "Read the reply with it" }).click();
    await page.getByRole("article", { name: "Call of open_vent" }).waitFor();
    expect(await page.getByLabel("Format").inputValue()).toBe("own");
  }, 240_000);

  test("keyboard, dark, narrow", async () => {
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
    // The link follows the page a moment later.
    await page.waitForTimeout(1500);
    const narrow = await open(new URL(page.url()).hash, { viewport: { width: 380, height: 800 }, colorScheme: "dark" });
    await narrow.getByRole("article", { name: "Call of open_vent" }).waitFor();
    const { page: wide, screen } = await narrow.evaluate(() => ({
      page: document.documentElement.scrollWidth,
      screen: window.innerWidth,
    }));
    expect(wide).toBeLessThanOrEqual(screen);
    const background = () => narrow.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await background()).toBe("rgb(15, 19, 24)");
    await narrow.locator(".summary").scrollIntoViewIfNeeded();
    await shoot("narrow-dark", narrow);
    await narrow.getByRole("button", { name: "Light or dark" }).click();
    expect(await background()).toBe("rgb(255, 255, 255)");
    // Every control has a name.
    const nameless = await narrow.evaluate(() =>
      [...document.querySelectorAll("button, select, input, [role=textbox]")]
        .filter((one) => {
          const labels = [...((one as HTMLInputElement).labels ?? [])].map((label) => label.textContent);
          return ![one.getAttribute("aria-label"), one.textContent, ...labels].some((name) => name?.trim());
        })
        .map((one) => one.outerHTML),
    );
    expect(nameless).toEqual([]);
    await narrow.close();
  }, 120_000);

  test("a grammar of a link is text and nothing else", async () => {
    const state = {
      tab: "grammar",
      base: "hermes",
      corpus: "",
      grammar: '// <img src=x onerror="document.title=1">\nBlock = "<img src=x onerror=1>"\n',
    };
    const hash = await page.evaluate(async (given) => {
      const stream = new Blob([JSON.stringify(given)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
      const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
      return btoa(String.fromCharCode(...bytes))
        .replaceAll("+", "-")
        .replaceAll("/", "_")
        .replaceAll("=", "");
    }, state);
    const other = await open(`#${hash}`);
    await other.locator(".grammar-status").waitFor();
    expect(await other.locator("img").count()).toBe(0);
    await other.close();
  }, 60_000);

  test("nothing went wrong on the way", () => {
    expect(problems).toEqual([]);
  });
});

describe("toolpeg play", () => {
  const start = (...args: string[]) => spawn(process.execPath, [cli, "play", ...args]);
  const ended = (child: ReturnType<typeof start>) =>
    new Promise<number | null>((resolve) => child.on("close", (status) => resolve(status)));

  test("serves the page on this machine until it is stopped, and says where", async () => {
    const child = start("--port", "0");
    const end = ended(child);
    const [said] = (await once(child.stderr, "data")) as [Buffer];
    const address = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(said.toString());
    const served = await fetch(address?.[0] as string);
    expect(await served.text()).toBe(html);
    expect((await fetch(`${address?.[0]}package.json`)).status).toBe(404);
    const second = start("--port", address?.[1] as string);
    expect(await ended(second)).toBe(2);
    child.kill("SIGTERM");
    expect(await end).toBe(0);
  }, 60_000);

  test("writes the page to a file", async () => {
    expect(await ended(start("-o", join(folder, "written.html")))).toBe(0);
    expect(readFileSync(join(folder, "written.html"), "utf8")).toBe(html);
    expect(await ended(start("-o", folder))).toBe(2);
  }, 60_000);
});
