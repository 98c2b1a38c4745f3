import { otherCommentClose, quotingTags, rawQuoteClosers } from "../../src/contract/quoting-tags.ts";
import type { Question, Some } from "./question.ts";
import { noteOf, read, type Subject, wipe } from "./subjects.ts";

/** A text with each of its lines behind a prefix. */
const lines = (prefix: string, text: string, first = prefix) =>
  text
    .split("\n")
    .map((line, at) => (at === 0 ? first : prefix) + line)
    .join("\n");

/** Those of the caller. */
const ownPairs: [string, string][] = [
  ["<sample>", "</sample>"],
  ["[quote]", "[/quote]"],
  ["{% raw %}", "{% endraw %}"],
];

/** Places that quote, as CommonMark has them, and those of `policy.quoted`. */
export function* quotations(call: string): Generator<[title: string, text: string]> {
  for (const mark of ["`", "~"]) {
    for (const length of [3, 4, 7]) {
      const fence = mark.repeat(length);
      if (call.split("\n").some((line) => line.trim().startsWith(fence))) continue;
      yield [`a fence of ${length} ${mark}`, `${fence}\n${call}\n${fence}`];
      yield [`a fence of ${length} ${mark} with a language`, `${fence}xml\n${call}\n${fence}`];
      yield [`a fence of ${length} ${mark}, closed by more`, `${fence}text title="a"\n${call}\n${fence}${mark}`];
      yield [`a fence of ${length} ${mark} that holds a blank line`, `${fence}\n\n${call}\n\nmore\n${fence}`];
      yield [`an indented fence of ${length} ${mark}`, lines("   ", `${fence}\n${call}\n${fence}`)];
      yield [`a deeply indented fence of ${length} ${mark}`, lines("      ", `${fence}\n${call}\n${fence}`)];
      yield [`a fence of ${length} ${mark} in a list`, lines("  ", `${fence}\n${call}\n${fence}`, "- ")];
      yield [`a fence of ${length} ${mark} in a numbered list`, lines("   ", `${fence}\n${call}\n${fence}`, "1. ")];
      yield [
        `a fence of ${length} ${mark} in a list with stars`,
        `* so:\n\n${lines("  ", `${fence}\n${call}\n${fence}`)}`,
      ];
      yield [`a fence of ${length} ${mark} in a block quote`, lines("> ", `${fence}\n${call}\n${fence}`)];
      yield [`a fence of ${length} ${mark} in a quote in a list`, lines("  > ", `${fence}\n${call}\n${fence}`, "- > ")];
      if (mark === "`") {
        const about = `Begin with ${fence}json and write:\n${fence}json\n${call}\n${fence}`;
        yield [`a fence of ${length} ${mark} after as many in the line before`, about];
        yield [`a fence of ${length} ${mark} that begins within a line`, `So: ${fence}json\n${call}\n${fence}`];
      }
      if (length > 3) {
        const inner = mark.repeat(3);
        yield [
          `a fence of ${length} ${mark} round a shorter one`,
          `${fence}\n${inner}\n${call}\n${inner}\n${call}\n${fence}`,
        ];
      }
      const otherMark = mark === "`" ? "~~~" : "```";
      if (!call.includes(otherMark)) {
        yield [`a fence of ${length} ${mark} round another kind`, `${fence}\n${otherMark}\n${call}\n${fence}`];
      }
    }
  }
  for (const ticks of ["`", "``", "```"]) {
    if (call.includes(ticks) || (ticks.length > 1 && call.includes("`")) || /\n[ \t]*\n/.test(call)) continue;
    yield [`inline code of ${ticks.length}`, `Write ${ticks}${call}${ticks} so.`];
    yield [`inline code of ${ticks.length} with blanks`, `Write ${ticks} ${call} ${ticks}, so.`];
    // A mark before it that is not closed in its own block opens nothing; three of them on a line of their own are a fence.
    if (ticks.length > 2) continue;
    const code = `${ticks}${call}${ticks}`;
    yield [`inline code of ${ticks.length} after a heading`, `# a ${ticks} b\n${code}`];
    yield [`inline code of ${ticks.length} after a rule`, `a ${ticks} b\n***\n${code}`];
    yield [`inline code of ${ticks.length} after an underlined heading`, `a ${ticks} b\n---\n${code}`];
    yield [`inline code of ${ticks.length} after other marks`, `- a ${ticks}\`\n${code}`];
    yield [`inline code of ${ticks.length} over a line with a number`, `a ${ticks}\n2) ${call} ${ticks}`];
    yield [`inline code of ${ticks.length} in a block quote`, `a ${ticks}\n> ${code}`];
    yield [`inline code of ${ticks.length} in the next paragraph of a block quote`, `> a ${ticks}\n>\n> ${code}`];
    yield [`inline code of ${ticks.length} in a table`, `| ${ticks} |\n|---|\n| ${code} |`];
  }
  for (const [open, close] of [...quotingTags, ...ownPairs]) {
    yield [`${open}`, `So:\n${open}${call}${close}`];
    yield [`${open} on lines`, `So:\n${open}\n${call}\nand\n${call}\n${close}\nYes.`];
    if (rawQuoteClosers.includes(close))
      yield [`a second ${open} in the first`, `So:\n${open} ${call}\n${open} note ${close}\nYes.`];
  }
  yield ["a pair that begins in another", `So:\n<example> <pre> </example>\n${call}\n</pre>\nYes.`];
  yield ["a pair whose closer stands in a comment in it", `So:\n<pre> <!-- </pre> -->\n${call}\n</pre>\nYes.`];
  yield ["a comment with the other closer of HTML", `So:\n<!-- ${call}\n${otherCommentClose}\nYes.`];
}

/** Formats whose block holds such a mark begin there by their own rule. */
const owns = (subject: Subject, text: string) => /`|~~~/.test(subject.write(read) as string) && /`{3}|~{3}/.test(text);

/** A fence in the call that nothing closes quotes all that follows; `<!-->` is a comment by itself. */
const spoilsQuotation = (title: string, call: string) =>
  /^(?:a second )?[<[{]/.test(title) && (/`{3}|~{3}/.test(call) || (title === "<!--" && call.startsWith(">")));

/** A quoted call, and a real one after it. Rule: D2. */
export function* inQuotations(subject: Subject, other: Subject, some: Some): Generator<Question> {
  const { format, lead, write, isWhole } = subject;
  const [evil, real] = [other.write(wipe), write(read)];
  if (evil === undefined || real === undefined) return;
  const options = { policy: { quoted: ownPairs } };
  for (const [title, quoted] of some(quotations(evil))) {
    if (owns(subject, quoted) || spoilsQuotation(title, evil)) continue;
    // It reads what follows an action itself: docs/guarantees.md.
    if (format.id === "react" && /^[[{]|within a line$|^a second|^a pair|HTML$/.test(title)) continue;
    // Brackets of two openers and one closer are open code to it.
    if (format.id === "granite_pythonic" && title.startsWith("a second <![CDATA[")) continue;
    const common = { format, options };
    const alone = `So:\n\n${quoted}\n\nThat is all.`;
    yield { ...common, title, text: lead + alone, calls: [], isExact: true, content: alone };
    const isOwn = format.leads?.includes("`") && /^\s*`/.test(quoted);
    const guessing = { policy: { ...options.policy, repairs: "guess" } } as const;
    yield {
      ...common,
      title: `${title}, with guesses`,
      text: lead + alone,
      options: guessing,
      calls: [],
      isExact: true,
    };
    // Round a whole message the fence may be the format's.
    if (lead === "" && !isOwn)
      yield { ...common, title: `${title}, first`, text: `${quoted}\n`, calls: [], isExact: true };
    if (isWhole) continue;
    const text = `${lead}So:\n\n${quoted}\n\n${real}`;
    yield { ...common, title: `${title}, a call after it`, text, calls: [read], isExact: true };
    const direct = `${lead}So:\n\n${quoted}${real}`;
    if (/^<!/.test(title))
      yield { ...common, title: `${title}, a call directly after it`, text: direct, calls: [read], isExact: false };
    const before = `${lead}${real}\n\n${quoted}\n\n${real}\n`;
    yield { ...common, title: `${title}, between calls`, text: before, calls: [read, read], isExact: true };
    // What is open before it leaves calls in doubt until the end, each for itself.
    if (format.id === "react" || [real, quoted].some((one) => /<\/?pre>/.test(one))) continue;
    const open = `${lead}So <pre> is:\n${real}\n\n${quoted}`;
    yield { ...common, title: `${title}, after an open <pre>`, text: open, calls: [read], isExact: true };
  }
}

/** A fence or a code span after a tag that nothing closes holds the closer of another pair, which closes nothing. Rule: D2. */
export function* afterOpenTags(subject: Subject): Generator<Question> {
  const { format, lead, write, isWhole } = subject;
  const [evil, real] = [write(wipe), write(read)];
  if (evil === undefined || real === undefined || /`{3}|~{3}/.test(evil)) return;
  const options = { policy: { quoted: ownPairs } };
  const pairs = [...quotingTags, ...ownPairs];
  for (const [at, [open]] of pairs.entries()) {
    const [, close] = pairs[(at + 1) % pairs.length];
    const common = { format, options };
    for (const mark of ["```", "~~~~"]) {
      const fence = `${mark}xml\n${close}\n${evil}\n${mark}\n`;
      const text = `${lead}Put it in ${open}:\n\n${fence}`;
      yield { ...common, title: `${close} in a fence after an open ${open}`, text, calls: [], isExact: true };
      if (isWhole) continue;
      const after = `${lead}Put it in ${open}:\n\n${fence}\n${real}`;
      // Brackets that nothing closes are open code to it.
      const isExact = format.id !== "granite_pythonic";
      yield { ...common, title: `a call after that`, text: after, calls: [read], isExact };
    }
    if (/`|\n/.test(evil)) continue;
    const span = `${lead}Put it in ${open} and \`${close} ${evil} \`.`;
    yield { ...common, title: `${close} in a code span after an open ${open}`, text: span, calls: [], isExact: true };
  }
}

/** A transcript in a pair of tags: what ends the turn in it does not end the quotation. Rules: D1, D2. */
export function* inTranscripts({ format, write }: Subject): Generator<Question> {
  if (format.id !== "react") return;
  const [evil, real] = [write(wipe), write(read)] as [string, string];
  const options = { policy: { quoted: ownPairs } };
  for (const [open, close] of [...quotingTags, ...ownPairs]) {
    const none = { format, options, calls: [], isExact: true };
    const seen = `${evil}\nObservation: done\n`;
    yield { ...none, title: `a transcript in ${open}`, text: `So:\n${open}\n${seen}${close}\nYes.` };
    yield {
      ...none,
      title: `one of two steps in ${open}`,
      text: `So:\n${open}\n${seen}${evil}\nThought: so\n${close}`,
    };
    yield { ...none, title: `a call before thoughts in ${open}`, text: `${open}\n${evil}<think>so${close}` };
    const one = { format, options, calls: [read], isExact: true };
    yield { ...one, title: `a transcript after an open ${open}`, text: `So ${open} it is.\n${real}\nObservation: 1` };
    if (!open.startsWith("<") || rawQuoteClosers.includes(close)) continue;
    const result = `Observation: ${open}1${close}\nThought: so`;
    yield { ...one, title: `a result in ${open} after an open one`, text: `So ${open} it is.\n${real}\n${result}` };
  }
}

/** A quoted call with what closes the thoughts that the message begins in. Rules: D2, D3. */
export function* inFirstThoughts({ format, lead, write }: Subject): Generator<Question> {
  const evil = write(wipe);
  if (evil === undefined || lead === "") return;
  const common = { format, calls: [], isExact: true };
  for (const [open, close] of [...quotingTags, ["```\n", "\n```"], ["~~~~ text\n", "\n~~~~"]]) {
    yield { ...common, title: `in ${open.trim()} in the first thoughts`, text: `So:\n${open}${evil}${close}\nNo.` };
    const text = `So:\n${open}${lead}${evil}${close}\nNo.`;
    yield { ...common, title: `in ${open.trim()} with the end of the thoughts`, text };
  }
}

/** A call of several lines in a fence that ends after the first of them: the others belong to it. Rule: D2. */
export function* afterQuotations(subject: Subject): Generator<Question> {
  const { format, lead, write, isWhole } = subject;
  const [evil, real] = [write(wipe), write(read)];
  if (evil === undefined || real === undefined || isWhole || lead !== "" || owns(subject, evil)) return;
  for (const [title, before] of [
    ["a block quote", "> ```\n> "],
    ["a list item", "- ```\n  "],
  ]) {
    if (!/^[^ ].*\n/.test(evil) || format.id === "granite_pythonic") continue;
    const quoted = before + evil;
    yield { title: `the first line in ${title}`, text: quoted, format, calls: [], isExact: true };
    const text = `${quoted}\n\n${real}`;
    yield { title: `the first line in ${title}, a call after it`, text, format, calls: [read], isExact: false };
  }
}

/** To these, what begins within a line, or what no marker opens, is none of their calls; in the last a comment may open nothing. */
const noHalves = ["functionary_v32", "granite_pythonic", "hyperclovax_14b"];

/** Half a call in a pair of tags, and a real one after it. What closes the rest of that half would say that it goes on. Rules: C1, D2. */
export function* afterHalves(subject: Subject, _other: Subject, some: Some): Generator<Question> {
  const { format, lead, write, isWhole } = subject;
  const [evil, real] = [write(wipe), write(read)];
  if (evil === undefined || real === undefined || isWhole || noHalves.includes(format.id)) return;
  for (const [open, close] of some([...quotingTags, ['<PRE class="x">', "</PRE>"]] as const)) {
    // What closes the others may be brackets of the call, or part of its first word.
    if (!/^<\w/.test(open)) continue;
    for (const share of [0.3, 0.5, 0.7, 0.9]) {
      const half = evil.slice(0, evil.length * share);
      // A fence in it quotes as well.
      if (/`{3}|~{3}/.test(half) || half.endsWith("<")) continue;
      const title = `${share} of a call in ${open}`;
      const text = `${lead}So: ${open}${half}${close}\nNow for real:\n${real}`;
      yield { title, text, format, calls: [read], isExact: true };
    }
    const note = write(noteOf(`see ${close} VALUE so`));
    if (note === undefined || !note.includes("VALUE")) continue;
    const cut = note.slice(0, note.indexOf("VALUE")) + evil;
    yield {
      title: `in a string that holds ${close}, where the message was cut`,
      text: `${lead}The ${open} tag:\n${cut}`,
      format,
      calls: [],
      isExact: true,
      options: { finishReason: "length" },
    };
    const damaged = note.replace("hillside", 'hill"side').replace("VALUE", () => evil);
    const text = `${lead}The ${open} tag:\n${damaged}`;
    yield {
      title: `in a string that holds ${close}`,
      text,
      format,
      calls: [],
      isExact: false,
      isOwn: ({ name }) => name === "note",
    };
  }
}

/** A whole call before half of one in the same pair, or in thoughts: the half takes along what closes these. Rules: C1, D2, D3. */
export function* beforeHalves(subject: Subject, _other: Subject, some: Some): Generator<Question> {
  const { format, lead, write, isWhole } = subject;
  const [evil, real] = [write(wipe), write(read)];
  if (evil === undefined || real === undefined || /`{3}|~{3}/.test(real)) return;
  const common = { format, options: { policy: { quoted: ownPairs } } };
  const thoughts = lead !== "" || format.framing?.includes("<think>") ? [] : [["<think>", "</think>"]];
  for (const [open, close] of some([...quotingTags, ...ownPairs, ...thoughts])) {
    if ([evil, real].some((text) => text.includes(open) || text.includes(close))) continue;
    for (const share of [0.2, 0.3, 0.5, 0.7, 0.9]) {
      const half = real.slice(0, real.length * share);
      const where = `before ${share} of a call in ${open}`;
      const text = `${open}\nSo:\n${evil}\n${half}\n${close}\nDone.\n`;
      yield { ...common, title: where, text: lead + text, calls: [], isExact: true };
      yield {
        ...common,
        title: `${where} in another`,
        text: `${lead}<example>${text}</example>`,
        calls: [],
        isExact: true,
      };
      const nested = `${lead}<example>\n${evil}\n${open}\n${half}\n${close}\n</example>\nDone.\n`;
      yield { ...common, title: `before ${open} with ${share} of a call`, text: nested, calls: [], isExact: true };
      if (isWhole) continue;
      yield { ...common, title: `${where}, a call after it`, text: lead + text + real, calls: [read], isExact: false };
    }
  }
}

/** A document in a fence that shows calls beside fences of its own, with as many marks. Rules: A1, D2. */
export function* inDocuments(subject: Subject): Generator<Question> {
  const { format, lead, write, isWhole } = subject;
  const [evil, real] = [write(wipe), write(read)];
  if (evil === undefined || real === undefined || isWhole) return;
  for (const mark of ["```", "~~~~"]) {
    const shell = `${mark}sh\nnpm i\n${mark}`;
    const plain = `${mark}\nnpm i\n${mark}`;
    const fenced = `${mark}\n${evil}\n${mark}`;
    for (const [what, document] of [
      ["beside a fence with a word", `${mark}\n# Use\n\n${shell}\n\n${evil}\n\nso.\n${mark}`],
      ["in its second fence", `${mark}markdown\n# Use\n\n${plain}\n\nSo:\n\n${fenced}\n\nso.\n${mark}`],
      ["in its only fence", `${mark}md\n${fenced}\n${mark}`],
      ["beside two fences with words", `${mark}text\n${shell}\n${shell}\n${evil}\n${mark}`],
      ["before closing marks with words behind them", `${mark}md\n${shell}\n${evil}\n${mark} as you see.`],
      ["that nothing closes, beside a fence with a word", `${mark}md\n${shell}\n\n${evil}\n`],
    ]) {
      const common = { format, calls: [], isExact: true };
      yield {
        ...common,
        title: `${what} of a document in ${mark}`,
        text: `${lead}So:\n\n${document}\n\nShall I save it?`,
      };
      const text = `${lead}So:\n\n${document}\n\n${real}`;
      yield { title: `a call after that, ${mark}`, format, text, calls: [read], isExact: false };
    }
    const document = `${mark}markdown\n# Use\n\nnpm i\n${mark}`;
    const common = { format, calls: [read], isExact: true };
    yield { ...common, title: `a document in ${mark} before it`, text: `${lead}So:\n\n${document}\n\n${real}` };
    const between = `${lead}So:\n\n${document}\n\n${real}\n\n${shell}\n`;
    yield { ...common, title: `a call between a document and a fence, ${mark}`, text: between };
  }
}

/** What is no quotation: there a call is a call. Rule: D2. */
export function* inPlainText(subject: Subject): Generator<Question> {
  const { format, lead, write, isWhole } = subject;
  const real = write(read);
  if (real === undefined) return;
  const common = { format, calls: [read], isExact: true };
  for (const blank of ["\ufeff", "\u00a0", "\u200b", "\f"]) {
    const named = `U+${blank.charCodeAt(0).toString(16)}`;
    if (lead === "") yield { ...common, title: `${named} before it`, text: blank + real };
    yield { ...common, title: `${named} after it`, text: lead + real + blank };
  }
  if (isWhole) return;
  for (const [open] of quotingTags) {
    yield { ...common, title: `${open} that nothing closes`, text: `${lead}So ${open} is:\n${real}` };
  }
  yield { ...common, title: "a backtick that nothing closes", text: `${lead}So \` is:\n\n${real}` };
  yield { ...common, title: "text before it", text: `${lead}Reading it now.\n\n${real}` };
  yield { ...common, title: "text around it", text: `${lead}Reading it now.\n\n${real}\n\nThat is all.` };
  yield { ...common, title: "a fence before it", text: `${lead}So:\n\`\`\`\nls\n\`\`\`\n${real}` };
  if (real.includes("\n")) return;
  // A format whose opener begins a line says so itself: there it is text.
  yield { ...common, isExact: false, title: "indented code", text: `${lead}So:\n\n    ${real}\n` };
  yield { ...common, isExact: false, title: "a block quote", text: `${lead}So:\n\n> ${real}\n` };
  yield { ...common, isExact: false, title: "a list", text: `${lead}So:\n\n- ${real}\n` };
  yield { ...common, isExact: false, title: "quotation marks", text: `${lead}So: "${real}"\n` };
}
