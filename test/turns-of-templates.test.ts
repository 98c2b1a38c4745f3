/**
 * The turns of the models that the headers of the formats name, as their chat templates write them: what ends a turn, the
 * openers of every other turn behind it, and what a tool has given where a pair of tokens stands round that. A call
 * behind such a boundary is in another turn, no token of it reaches a reader, and such a pair quotes.
 */
import { expect, test } from "vitest";
import { parse } from "../src/index.ts";
import { read, type Subject, subjects, tools, wipe } from "./meaning/subjects.ts";

interface Template {
  /** Formats of its models. */
  formats: string;
  /** What ends a turn of the assistant, with what the template writes behind it. */
  end: string;
  /** Openers of turns, the assistant's among them. */
  openers: readonly string[];
  /** What stands round what a tool has given. */
  results?: readonly (readonly [open: string, close: string])[];
}

const rolesOf = (before: string, roles: string, after: string) =>
  roles.split(" ").map((role) => before + role.replaceAll("_", " ") + after);

const jsonTags = [["<tool_response>\n", "\n</tool_response>"]] as const;

const templates: readonly Template[] = [
  {
    formats:
      "hermes qwen25_coder qwen3_coder trinity olmo3 ui_tars xlam tool_calls_object json_array lfm2 minicpm3 minicpm5 internlm mirothinker telechat4 react",
    end: "<|im_end|>\n",
    openers: rolesOf("<|im_start|>", "user system tool assistant environment", "\n"),
    results: jsonTags,
  },
  { formats: "hyperclovax_14b", end: "\n", openers: rolesOf("<|im_start|>", "user system tool", "\n") },
  { formats: "functionary_v2", end: "\n", openers: ["<|from|>user\n<|recipient|>all\n<|content|>"] },
  {
    formats: "llama3_json nemotron xlam functionary_v31 functionary_v32 cwm pythonic phi4mini hermes json_array",
    end: "<|eot_id|>",
    openers: rolesOf("<|start_header_id|>", "user system tool ipython assistant", "<|end_header_id|>\n\n"),
    results: [["<TOOL_RESPONSE>[", "]</TOOL_RESPONSE>"]],
  },
  {
    formats: "llama4_pythonic",
    end: "<|eot|>",
    openers: rolesOf("<|header_start|>", "user system ipython assistant", "<|header_end|>\n\n"),
  },
  {
    formats: "apertus",
    end: "<|assistant_end|>",
    openers: rolesOf("<|", "user system developer assistant", "_start|>"),
  },
  {
    formats: "apriel",
    end: "\n<|end|>\n",
    openers: ["<|user|>\n", "<|system|>\n", "<|tool_result|>\n", "<|assistant|>\n"],
  },
  {
    formats: "apriel",
    end: "\n<|end|>\n",
    openers: rolesOf("<|begin_", "user system assistant content", "|>\n").concat("<|begin_tool_result|>\n"),
  },
  {
    formats: "cohere command_r",
    end: "<|END_OF_TURN_TOKEN|>",
    openers: rolesOf("<|START_OF_TURN_TOKEN|><|", "USER SYSTEM CHATBOT", "_TOKEN|>"),
  },
  {
    formats: "deepseek_v3 deepseek_v31 dsml_v32 dsml_v4 dsml_v41 step3",
    end: "<｜end▁of▁sentence｜>",
    openers: [...rolesOf("<｜", "User System Assistant", "｜>"), "<｜latest_reminder｜>"],
    results: [["<tool_result>", "</tool_result>"]],
  },
  { formats: "deepseek_v3", end: "", openers: ["<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>"] },
  { formats: "dots_json dots", end: "<|endofresponse|>", openers: ["<|userprompt|>", "<|system|>", "<|response|>"] },
  {
    formats: "ernie45",
    end: "<|im_end|>\n\n",
    openers: rolesOf("<|im_start|>", "user system tool assistant", "\n"),
    results: [["<tool_output>", "</tool_output>"]],
  },
  {
    formats: "ernie45 granite_20b_fc",
    end: "</s>",
    openers: ["User: ", "Assistant: ", "USER: ", "ASSISTANT: ", "SYSTEM: "],
  },
  {
    formats: "functiongemma pythonic",
    end: "<end_of_turn>\n",
    openers: rolesOf("<start_of_turn>", "user developer tool model", "\n"),
  },
  { formats: "gemma4", end: "<turn|>\n", openers: rolesOf("<|turn>", "user system tool model", "\n") },
  {
    formats: "gigachat3 gigachat35",
    end: "<|message_sep|>\n\n",
    openers: rolesOf(
      "",
      "user system developer_system function_result function_descriptions available_functions user_memory assistant",
      "<|role_sep|>\n",
    ),
  },
  { formats: "glm45 glm47", end: "", openers: ["<|user|>\n", "<|system|>\n", "<|observation|>\n"], results: jsonTags },
  {
    formats: "glm45",
    end: "<|role_end|>",
    openers: rolesOf("<role>", "HUMAN SYSTEM OBSERVATION ASSISTANT", "</role>"),
    results: jsonTags,
  },
  {
    formats: "glm47",
    end: "</assistant>\n",
    openers: ["<user>\n", "<system>\n", "<tool_response>\n", "<assistant>\n"],
    results: jsonTags,
  },
  {
    formats: "granite3 granite_pythonic hermes qwen3_coder",
    end: "<|end_of_text|>\n",
    openers: rolesOf("<|start_of_role|>", "user system tool assistant", "<|end_of_role|>"),
  },
  {
    formats: "harmony",
    end: "<|return|>",
    openers: ["<|start|>user<|message|>", "<|start|>developer<|message|>", "<|start|>functions.read_dial to=assistant"],
  },
  {
    formats: "hermes",
    end: "\n\n<sep>",
    openers: ["human: ", "assistant:", "human: <tool_response>\n"],
    results: jsonTags,
  },
  { formats: "hermes", end: " <sep> ", openers: ["human: ", "assistant: "] },
  { formats: "hermes", end: "[|endofturn|]\n", openers: rolesOf("[|", "user system tool assistant", "|]\n") },
  {
    formats: "hermes qwen3_coder",
    end: "<|endofturn|>\n",
    openers: rolesOf("<|", "user system tool assistant", "|>\n"),
  },
  {
    formats: "hermes",
    end: "<|endofturn|>",
    openers: rolesOf("<|startofturn|><|", "user system tool assistant", "|>"),
  },
  { formats: "tool_calls", end: "<|eom|>", openers: rolesOf("<|bom|><|", "user system tool assistant", "|> ") },
  {
    formats: "tool_calls",
    end: "<|eos|>",
    openers: ["<|startoftext|>"],
    results: [
      ["<tool_response>", "</tool_response>"],
      ["<tool_responses>", "</tool_responses>"],
    ],
  },
  {
    formats: "hy_v3 hy_v4 hunyuan",
    end: "<｜hy_eos:opensource｜>",
    openers: ["<｜hy_User:opensource｜>", "<｜hy_Assistant:opensource｜>", "<｜hy_User｜>", "<｜hy_Assistant｜>"],
    results: [
      [
        "<tool_responses:opensource>\n<tool_response:opensource>",
        "</tool_response:opensource>\n</tool_responses:opensource>",
      ],
    ],
  },
  {
    formats: "hunyuan_dense",
    end: "<｜hy_place▁holder▁no▁2｜>",
    openers: ["<｜hy_User｜>", "<｜hy_Assistant｜>"],
  },
  {
    formats: "inkling",
    end: "<|content_model_end_sampling|>",
    openers: rolesOf("<|message_", "user system tool model", "|>"),
  },
  {
    formats: "internlm",
    end: "[UNUSED_TOKEN_145]\n",
    openers: rolesOf("[UNUSED_TOKEN_146]", "user system environment assistant", "\n"),
  },
  {
    formats: "iquest_q1",
    end: "<|iquest_end|>",
    openers: rolesOf("<|iquest_", "user system developer tool assistant", "|>"),
    results: jsonTags,
  },
  {
    formats: "k2_horizon k2_horizon_json",
    end: "<|ifm|im_end|>",
    openers: rolesOf("<|ifm|im_start|>", "user system tool assistant", "\n"),
    results: [["<ifm|tool_response>", "</ifm|tool_response>"]],
  },
  {
    formats: "kimi_k2",
    end: "<|im_end|>",
    openers: [
      "<|im_user|>user<|im_middle|>",
      "<|im_system|>tool<|im_middle|>",
      "<|im_assistant|>assistant<|im_middle|>",
    ],
  },
  {
    formats: "kimi_k3",
    end: "<|end_of_msg|>",
    openers: rolesOf('<|open|>message role="', "user system tool assistant", '"<|sep|>'),
    results: [["<|open|>tool_result<|sep|>", "<|close|>tool_result<|sep|>"]],
  },
  {
    formats: "lfm2",
    end: "<|im_end|>\n",
    openers: ["<|im_start|>tool\n"],
    results: [["<|tool_response_start|>", "<|tool_response_end|>"]],
  },
  {
    formats: "longcat",
    end: "</longcat_s>",
    openers: [
      ...rolesOf("<longcat_", "user system assistant", ">"),
      " [Round 1] USER:",
      " TOOL:",
      " SYSTEM:",
      " ASSISTANT:",
    ],
    results: [["<longcat_tool_response>", "</longcat_tool_response>"]],
  },
  {
    formats: "minimax_m1",
    end: "<end_of_sentence>\n",
    openers: rolesOf("<beginning_of_sentence>", "user system tool ai", " name=x\n"),
  },
  { formats: "minimax_m2 minimax_m3", end: "[e~[\n", openers: rolesOf("]~b]", "user system tool ai developer", "\n") },
  {
    formats: "mistral mistral_array mistral_compact",
    end: "</s>",
    openers: ["[INST]", "[TOOL_RESULTS]", "[AVAILABLE_TOOLS]", "[SYSTEM_PROMPT]"],
  },
  { formats: "muse_glimmer", end: "<|eot|>", openers: rolesOf("<|start|>", "user system tool", "<|message|>") },
  {
    formats: "nemotron",
    end: "\n<SPECIAL_12>\n",
    openers: ["<SPECIAL_10>System\n", "<SPECIAL_11>User\n", "<SPECIAL_11>Assistant\n"],
  },
  { formats: "pangu", end: "[unused10]", openers: rolesOf("[unused9]", "用户 系统 工具 助手", "：") },
  {
    formats: "phi4mini",
    end: "<|end|>",
    openers: [...rolesOf("<|", "user system assistant", "|>"), "<|tool_response|>"],
    results: [["<|tool_response|>", "<|/tool_response|>"]],
  },
  { formats: "glm4_0414", end: "", openers: rolesOf("<|", "user system observation", "|>\n") },
  { formats: "gorilla", end: "<|EOT|>\n", openers: ["User: "] },
  {
    formats: "megrez",
    end: "<|turn_end|>",
    openers: rolesOf("<|role_start|>", "user system function", "<|role_end|>"),
  },
  { formats: "plamo3", end: "", openers: rolesOf("<|plamo:tag|>", "user system tool", "<|plamo:msg|>") },
  { formats: "rwkv", end: "\n\n", openers: ["User: ", "System: "] },
  { formats: "react", end: "<eoa>\n", openers: rolesOf("<|", "User System", "|>:") },
  { formats: "react", end: "\n", openers: ["Observation: "] },
  { formats: "sarashina", end: "</s>", openers: [...rolesOf("<|", "user system assistant", "|>"), "<|tool_results|>"] },
  { formats: "seed_oss", end: "<seed:eos>", openers: rolesOf("<seed:bos>", "user system tool assistant", "\n") },
  {
    formats: "solar_open",
    end: "<|calls|>",
    openers: rolesOf("<|begin|>", "user system tool", "<|content|>"),
    results: [["<|tool_response:begin|>", "<|tool_response:end|>"]],
  },
  {
    formats: "solar_open2",
    end: "<|im:end|>",
    openers: rolesOf("<|im:start|>", "user system tool assistant", "<|im:content|>"),
    results: [["<|tool_response:start|>", "<|tool_response:end|>"]],
  },
  {
    formats: "step3 step_audio_2",
    end: "<|EOT|>",
    openers: [...rolesOf("<|BOT|>", "user system human assistant", "\n"), "<|BOT|>function_output\n"],
  },
  { formats: "telechat4", end: "<_end>", openers: rolesOf("<_", "user system observation bot", ">") },
];

const cases = templates.flatMap((template) => template.formats.split(" ").map((id) => ({ ...template, id })));

test.each(cases)("$id: $end", ({ id, end, openers, results = [] }) => {
  const { format, lead, write, isWhole } = subjects.find((subject) => subject.id === id) as Subject;
  const [real, evil] = [write(read) as string, write(wipe) as string];
  const wrong: string[] = [];
  const expectRead = (text: string, names: string, content?: string, reason?: string) => {
    const result = parse(lead + text, { format, tools, intent: true });
    const found = result.calls.map(({ name }) => name).join(" ");
    const isListed = reason === undefined || result.rejected.some((one) => one.reason === reason);
    const isShown = content === undefined || result.content.trim() === content;
    if (found === names && isListed && isShown) return;
    wrong.push(`${JSON.stringify(text)}: calls ${found}, content ${JSON.stringify(result.content)}`);
  };
  for (const opener of openers) {
    expectRead(`${real}${end}${opener}${evil}`, read.name, "");
    expectRead(`${real}${end}${opener}Go.\n${evil}`, read.name, "", "after-turn");
    // In others a message is calls and nothing else.
    if (!isWhole) expectRead(`Hi.${end}${opener}\n${evil}`, "", "Hi.", "after-turn");
  }
  if (isWhole) return;
  expectRead(`Hi.${end}`, "", "Hi.");
  for (const [open, close] of results) expectRead(`${real}\n${open}${evil}${close}\n`, read.name);
});

test("every format that names models has a template", () => {
  const known = new Set(cases.map(({ id }) => id));
  const missing = subjects.filter(({ id, format }) => format.models.length > 0 && !known.has(id));
  expect(missing.map(({ id }) => id)).toEqual([]);
});
