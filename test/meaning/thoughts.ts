import { quotingTags } from "../../src/contract/quoting-tags.ts";
import type { Question } from "./question.ts";
import { noteOf, read, type Subject, tools, wipe } from "./subjects.ts";

const common = [
  { open: "<think>", close: "</think>" },
  { open: "<thinking>", close: "</thinking>" },
];

/** Calls in thoughts that close, that do not, nested, crossed and prefilled. Rule: D3. */
export function* inThoughts(subject: Subject): Generator<Question> {
  const { format, write, isWhole } = subject;
  const [evil, real] = [write(wipe), write(read)];
  if (evil === undefined || real === undefined || format.starts !== undefined) return;
  const documented = [format.triggers, format.framing ?? []].flat();
  const pairs = [
    ...format.reasoning,
    ...common.filter(({ open }) => !format.reasoning.some((one) => one.open === open)),
  ]
    .filter(({ open, close }) => !documented.some((text) => open.startsWith(text) || close.startsWith(text)))
    // A closer that holds blanks or words more than the tag is a spelling of the same pair.
    .filter(({ close }, at, all) => !all.some((one, other) => other !== at && close.startsWith(one.close)));
  const holds = (text: string) => pairs.some(({ open, close }) => text.includes(open) || text.includes(close));
  if (holds(evil)) return;
  const none = { format, calls: [], isExact: true };
  const [begun, rest] = write(noteOf("words"))?.split("words") ?? [];
  const one = { format, calls: [read], isExact: true };
  for (const { open, close } of pairs) {
    const closed = `${open}A draft:\n${evil}\nNo.${close}`;
    yield { ...none, title: "in thoughts", text: `${closed}\nDone.` };
    yield { ...none, title: "in thoughts, at their end", text: `${open}A draft:\n${evil}${close}` };
    yield { ...none, title: "in thoughts, nothing else", text: `${open}${evil}${close}` };
    const [, name] = /^<([a-z_]+)>$/.exec(open) ?? ["", ""];
    for (const properties of name === "" ? [] : [{}, { text: { type: "string" } }]) {
      const offered = { tools: [...tools, { name, parameters: { type: "object", properties } }] };
      const title = `in what a tool and thoughts begin with, ${Object.keys(properties).length} parameters`;
      yield { ...none, title, text: `${open}\n${evil}\n${close}\nNo.`, options: offered };
      yield { ...none, title: `${title}, text in it`, text: `${open}\n${evil}\nNo.\n${close}`, options: offered };
    }
    yield { ...none, title: "in thoughts, twice", text: `${open}${evil}\n${evil}\n${close}\n` };
    yield {
      ...none,
      title: "in thoughts that hold a fence",
      text: `${open}So:\n\`\`\`\nls\n\`\`\`\n${evil}${close}Done.`,
    };
    yield { ...none, title: "in thoughts that nest", text: `${open}a ${open} b ${close}\n${evil}\n${close}Done.` };
    yield { ...none, title: "in nested thoughts", text: `${open}a ${open}\n${evil}\n${close} b ${close}Done.` };
    yield {
      ...none,
      title: "in prefilled thoughts",
      text: `A draft:\n${evil}\nNo.${close}\nDone.`,
      options: { prefill: open },
    };
    yield {
      ...none,
      title: "in prefilled thoughts that begin again",
      text: `${open}A draft:\n${evil}\nNo.${close}\nDone.`,
      options: { prefill: `${open}\n` },
    };
    yield {
      ...none,
      title: "in thoughts, ignored",
      text: `${open}So:\n${evil}`,
      options: { policy: { reasoning: "ignore" } },
    };
    yield { ...none, title: "in thoughts, cut", text: `${open}So:\n${evil}`, options: { finishReason: "length" } };
    yield {
      ...none,
      title: "in thoughts whose closer the end cuts",
      text: `${open}So:\n${evil}\n${close.trim().slice(0, -2)}`,
    };
    if (rest !== undefined)
      yield {
        ...none,
        title: "in a value of a call that breaks off in open thoughts",
        text: `${open}So:\n${begun}The page says:\n${evil}`,
      };
    for (const shown of ['{"a": "', '{"a": "b"}, [1, {"b": "see ', "{'a': 'see ", '{"a": "b", "c": "see ', '[f(a="']) {
      const title = `in thoughts that break off in a string, ${JSON.stringify(shown)}`;
      yield { ...none, title, text: `${open}It says ${shown}${evil}` };
    }
    // Models that are known to omit the closer say what comes next in text.
    if (!format.endsReasoning)
      yield { ...none, title: "in thoughts, text after it", text: `${open}So:\n${evil}\nOr not` };
    for (const text of ["We are in <thinking> mode", "```", "So `", "<pre>", "~~~\nx"]) {
      if (`${open}${evil}`.includes("<thinking>")) continue;
      const title = `in thoughts that end behind ${JSON.stringify(text)}`;
      yield { ...none, title, text: `${open}\n${evil}\n${text}\n${close}\nDone.` };
    }
    if (!evil.includes("`"))
      yield { ...none, title: "in code in open thoughts", text: `${open}So: \`${evil}\`, but no.` };
    for (const [tag, end] of quotingTags) {
      if ([open, evil, real].some((text) => text.includes(tag) || text.includes(end))) continue;
      yield { ...none, title: `in ${tag} in open thoughts`, text: `${open}So: ${tag}${evil}${end}, but no.` };
      for (const mark of ["<pre>", "<!-- x", "`", "<scratchpad> and <code>", "\n```\nls"]) {
        if ([evil, close].some((text) => text.includes("`") || text.includes(mark))) continue;
        const title = `in ${tag} that holds their closer, after thoughts that hold ${mark.trim()}`;
        yield { ...none, title, text: `${open}Use ${mark}\n${close}\nSo:\n${tag}\nA ${close} B\n${evil}\n${end}\n` };
      }
      // Nothing closes the pair: then it quotes nothing, and the thoughts are some.
      const lone = `The ${tag} tag.\n${open}\n`;
      const title = `in thoughts behind a lone ${tag}`;
      if (!format.endsReasoning) {
        yield { ...none, title: `${title}, text after it`, text: `${lone}So:\n${evil}\nOr not.` };
        yield {
          ...none,
          title: `${title} of the prompt, text after it`,
          text: `So:\n${evil}\nOr not.`,
          options: { prefill: lone },
        };
      }
      yield {
        ...none,
        title: `${title}, ignored`,
        text: `${lone}So:\n${evil}`,
        options: { policy: { reasoning: "ignore" } },
      };
      // A bracket may hold what looks like a line of its own.
      if (!isWhole && !tag.includes("["))
        yield { ...one, title: `at the end of ${title.slice(3)}`, text: `${lone}So:\n${real}` };
      yield { ...none, title: `in thoughts in ${tag}`, text: `${tag}${open}So:\n${evil}${close}\nDone.` };
      if (!isWhole)
        yield { ...one, title: `after thoughts in ${tag}`, text: `So ${tag} ${open} ${end} it is.\n${real}` };
    }
    if (!isWhole && !`${evil}${close}`.includes("`") && !format.endsReasoning) {
      const quoted = `${open}So \`${close}\` ends it.\n`;
      const title = "in thoughts that quote their closer";
      yield { ...none, title, text: `${quoted}${evil}\nNo.${close}\nDone.` };
      yield { ...one, title: `after ${title.slice(3)}`, text: `${quoted}${close}\n${real}` };
      const fenced = `${open}So:\n\`\`\`\n${close.trim()}\n\`\`\`\nends it.\n`;
      yield { ...none, title: `${title} in a fence`, text: `${fenced}${evil}\nNo.${close}\nDone.` };
      yield { ...one, title: `after ${title.slice(3)} in a fence`, text: `${fenced}${close}\n${real}` };
    }
    if (!isWhole) {
      for (const [tag, end] of quotingTags) {
        // It reads what follows an action itself, and no thoughts but its own.
        if (format.id === "react" || [open, evil, real].some((text) => text.includes(tag) || text.includes(end)))
          continue;
        const title = `in thoughts after an open ${tag}`;
        yield { ...one, title, text: `So ${tag} is:\n${real}\n${closed}` };
      }
      yield { ...one, title: "after thoughts that end in a fence", text: `${open}So:\n\`\`\`\nls\n${close}\n${real}` };
      yield { ...one, title: "a call after thoughts", text: `${closed}\n${real}` };
      yield {
        ...one,
        title: "a call after nested thoughts",
        text: `${open}a ${open} b ${close}\n${evil}\n${close}\n${real}`,
      };
      yield {
        ...one,
        title: "a call after prefilled thoughts",
        text: `A draft:\n${evil}\nNo.${close}\n${real}`,
        options: { prefill: open },
      };
      yield { ...one, title: "at the end of open thoughts", text: `${open}So:\n${real}` };
      yield { ...one, title: "at the end of open thoughts, a blank", text: `${open}So:\n${real}\n` };
      for (const shown of [JSON.stringify({ a: evil }), 'not "a", [b or {c: "d', '["a" and {"it\'s']) {
        const title = `at the end of open thoughts that hold ${shown === JSON.stringify({ a: evil }) ? "a result" : shown}`;
        yield { ...one, title, text: `${open}It says ${shown}.\nSo:\n${real}` };
      }
      const two = { ...one, calls: [read, read] };
      yield { ...two, title: "two at the end of open thoughts", text: `${open}So:\n${real}\n\n${real}` };
      if (!documented.includes("<|im_end|>")) {
        const turn = "<|im_end|>\n<|im_start|>user\nhi";
        yield { ...two, title: "two at the end of a turn in thoughts", text: `${open}So:\n${real}\n${real}\n${turn}` };
      }
      yield { ...one, title: "a lone closer changes nothing", text: `${real}\n${close}` };
      yield { ...one, title: "after a lone closer", text: `${close}\n${real}` };
    }
    for (const { open: otherOpen, close: otherClose } of pairs) {
      if (otherOpen === open || otherClose === close) continue;
      yield {
        ...none,
        title: "in crossed thoughts",
        text: `${open}a ${otherOpen} b\n${evil}\n${close} c ${otherClose}Done.`,
      };
      yield {
        ...none,
        title: "between crossed closers",
        text: `${open}a ${otherOpen} b ${close}\n${evil}\n${otherClose}Done.`,
      };
      yield {
        ...none,
        title: "in the outer of two",
        text: `${open}a ${otherOpen} b ${otherClose}\n${evil}\n${close}Done.`,
      };
      yield {
        ...none,
        title: "in the inner of two",
        text: `${open}a ${otherOpen}\n${evil}\n${otherClose} c ${close}Done.`,
      };
      yield {
        ...none,
        title: "in the inner of two, at the end",
        text: `${open}a ${otherOpen}\n${evil}\n${otherClose}\n`,
      };
      yield {
        ...none,
        title: "in thoughts whose closer stands in others",
        text: `${open}a ${open} b ${close}\n${evil}\nHm, ${otherOpen} no. ${close} Done.`,
      };
      yield {
        ...none,
        title: "in open thoughts whose closer stands in others",
        text: `${open}\n${evil}\n${otherOpen} b ${close} c ${otherClose} Done.`,
      };
      yield {
        ...none,
        title: "between crossed closers, before others",
        text: `${open}a ${otherOpen} b ${close}\n${evil}\n${open} c ${otherClose} Done.`,
      };
    }
  }
}
