import { rolesOfOthers } from "./roles-of-others.ts";

const capitalised = (word: string) => word[0].toUpperCase() + word.slice(1);
const otherSpellingsOf = (role: string) => [capitalised(role), role.toUpperCase()];

const otherSpellings = rolesOfOthers.flatMap(otherSpellingsOf);
const spelledRoles = [...rolesOfOthers, ...otherSpellings];

/**
 * What ends a turn in one chat template or another. Servers that do not know the model leave it in the text, so after
 * everything else it is framing in every format, beside the tokens that the header of the format names.
 */
export const endOfTurnTokens: readonly string[] = [
  "<|im_end|>",
  "<|eot_id|>",
  "<|eom_id|>",
  "<|end|>",
  "<|endoftext|>",
  "<|end_of_text|>",
  "<|END_OF_TURN_TOKEN|>",
  "<｜end▁of▁sentence｜>",
  "<end_of_turn>",
  "<|endofturn|>",
  "<eos>",
  "</s>",
];

/** Those of few models. Between calls they are known in every format, inside of damaged ones to their own alone. */
export const otherEndOfTurnTokens: readonly string[] = [
  "<|end_of_sentence|>",
  "<end_of_sentence>",
  "<|role_end|>",
  "<|EOT|>",
  "<|eot|>",
  "<|eom|>",
  "<|eos|>",
  "<_end>",
  "<turn|>",
  "<|return|>",
  "<|call|>",
  "<|calls|>",
  "<|flush|>",
  "<|stop|>",
  "<|assistant_end|>",
  "<|endofresponse|>",
  "<|end_of_msg|>",
  "<|message_sep|>",
  "<|content_model_end_sampling|>",
  "<|im:end|>",
  "<|ifm|im_end|>",
  "<|iquest_end|>",
  "<｜hy_eos:opensource｜>",
  "<seed:eos>",
  "<eoa>",
  "</longcat_s>",
  "<SPECIAL_12>",
  "[e~[",
  "[unused10]",
  "[UNUSED_TOKEN_145]",
  "[|endofturn|]",
  "<sep>",
];

/** Those of them behind which a model writes nothing: no further message of its own either, where it may write several. */
export const endOfSamplingTokens: readonly string[] = [
  "<|return|>",
  "<|eot|>",
  "<|content_model_end_sampling|>",
  "<|stop|>",
];

/** What opens each message of a reply, where that may be several. */
export const messageOpeners: readonly string[] = ["<|start|>", "<|channel|>", "<|message_model|>", "<|from|>"];

/** What opens a turn, before the role whose turn it is. */
const roleOpeners = [
  "<|role_start|>",
  "<|im_start|>",
  "<|im:start|>",
  "<|ifm|im_start|>",
  "<|start_header_id|>",
  "<|header_start|>",
  "<|start_of_role|>",
  "<|start_of_turn|>",
  "<start_of_turn>",
  "<|BOT|>",
  "<beginning_of_sentence>",
  '<|open|>message role="',
  "[UNUSED_TOKEN_146]",
];

/** What begins a text in one chat template or another: a reply that begins with it begins after it. */
export const textBeginnings: readonly string[] = [
  "<s>",
  "<bos>",
  "<|begin_of_text|>",
  "<|ifm|begin_of_text|>",
  "<|startoftext|>",
  "<|begin_of_sentence|>",
  "<｜begin▁of▁sentence｜>",
  "<BOS_TOKEN>",
  "[gMASK]<sop>",
];

/**
 * What opens the turn of the assistant in one chat template or another, as far as every turn of it begins so. Models
 * repeat it, and prompts end in it: a reply that begins with it begins after it.
 */
export const replyHeaders: readonly string[] = [
  "<|im_start|>assistant",
  "<|im:start|>assistant<|im:content|>",
  "<|ifm|im_start|>assistant",
  "<|start_header_id|>assistant<|end_header_id|>",
  "<|header_start|>assistant<|header_end|>",
  "<|start_of_role|>assistant<|end_of_role|>",
  "<start_of_turn>model",
  "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>",
  "<|CHATBOT_TOKEN|>",
  "<|start|>assistant",
  "<|assistant|>",
  "<｜Assistant｜>",
  "<|im_assistant|>assistant<|im_middle|>",
  "[/INST]",
  "]~b]ai",
  "<seed:bos>assistant",
  "<|turn>model",
  "<|BOT|>assistant",
  "<|assistant_start|>",
  "<|iquest_assistant|>",
  "<｜hy_Assistant｜>",
  "<｜hy_Assistant:opensource｜>",
  "<longcat_assistant>",
  "<_bot>",
  "<SPECIAL_11>Assistant",
  "<beginning_of_sentence>ai",
  "<role>ASSISTANT</role>",
  "assistant<|role_sep|>",
  "assistant<|plamo:msg|>",
  "<|plamo:tag|>assistant<|plamo:msg|>",
];

/** Those that to some formats are openers, and elsewhere words or tags. */
const otherReplyHeaders: readonly string[] = [
  "<|message_model|>",
  "<|begin|>assistant",
  "<|response|>",
  "[|assistant|]",
  "<reserved_107>",
  "<|from|>assistant",
  "[unused9]助手：",
  "<AI>",
  "<|ASSISTANT|>",
  "<|begin_assistant|>",
  "<|im_start|>model",
  "<extra_id_1>Assistant",
  "<|extra_0|>",
  '<|open|>message role="assistant"<|sep|>',
];

/** The same at the end of prompts alone. */
export const promptHeaders: readonly string[] = [
  ...otherReplyHeaders,
  // Behind what a tool has given, these templates write no header.
  "[/TOOL_RESULTS]",
  "<｜tool▁output▁end｜>",
  "<｜tool▁outputs▁end｜>",
  "<tool_response|>",
  "<end_function_response>",
];

/** Headers whose first token is lost: they open a turn at the beginning of a line, or behind what ends a message. Elsewhere the word is one of a text. */
export const lostTurnTokens: readonly string[] = ["user", "tool", "system"].flatMap((role) => [
  `${role}<|content_`,
  `${role}\n<|recipient|>`,
  `message role="${role}"<|sep|>`,
]);

/** What opens a turn in one chat template or another: after a token that ends one, the message is over. */
export const turnOpeners: readonly string[] = [
  ...roleOpeners,
  ...textBeginnings,
  "<|START_OF_TURN_TOKEN|>",
  "<|startofturn|>",
  "<|bom|>",
  "<|start|>user",
  "<|start|>system",
  "<|start|>developer",
  ...lostTurnTokens,
  // The token before the role is lost. Where none has ended the turn, the word may be a recipient, or one of a text.
  ...["<|message|>", "<|channel|>", " to=assistant"].flatMap((token) => spelledRoles.map((role) => role + token)),
  "[INST]",
  "[AVAILABLE_TOOLS]",
  "[TOOL_RESULTS]",
  "<|tool|>",
  "<|tool_response|>",
  "<|open|>message",
  "]~b]",
  "<seed:bos>",
  "<|turn>",
  "[Round ",
  "<SPECIAL_11>",
  "[unused9]",
  "<role>",
  ...["user", "human", "system", "tool", "observation", "assistant"].flatMap((role) =>
    [role, ...otherSpellingsOf(role)].map((word) => `${word}:`),
  ),
  // A reply may be several messages: they begin so.
  ...[...replyHeaders, ...otherReplyHeaders].filter(
    (header) => ![...roleOpeners, ...messageOpeners, "<|begin|>"].some((opener) => header.startsWith(opener)),
  ),
];

/** What opens a turn by itself: it ends the one before. */
export const turnTokens: readonly string[] = [
  "<|user|>",
  "<|begin|>user",
  "<|begin|>system",
  "<|begin|>tool",
  "<|observation|>",
  "<|system|>",
  "[TOOL_RESULTS]",
  "<|im_user|>",
  "<|im_system|>",
  "<｜User｜>",
  "<｜tool▁outputs▁begin｜>",
  "<｜tool▁output▁begin｜>",
  "<|START_TOOL_RESULT|>",
  "<|message_user|>",
  "<|message_tool|>",
  "<|turn>user",
  "<|turn>tool",
  "]~b]user",
  "]~b]tool",
  "<seed:bos>user",
  "<seed:bos>tool",
];

/** Openers that most templates have: behind them models spell roles as they like. */
const knownOpeners = [
  "<|im_start|>",
  "<|im:start|>",
  "<|start_header_id|>",
  "<|header_start|>",
  "<|start_of_role|>",
  "<start_of_turn>",
];

/** What stands round a role that is a token by itself, or one of few models: a further role of theirs is known as well. */
const roleFrames: readonly (readonly [before: string, after: string])[] = [
  ["<|", "|>"],
  ["<｜", "｜>"],
  ["<|iquest_", "|>"],
  ["<|begin_", "|>"],
  ["<|message_", "|>"],
  ["<longcat_", ">"],
  ["<_", ">"],
  ["[|", "|]"],
  ["<|startofturn|><|", "|>"],
  ["<|bom|><|", "|>"],
  // It ends a message, and opens the next.
  ["<|plamo:tag|>", ""],
];

/** Tokens that differ in the role alone. */
interface RoleTokens {
  readonly before: string;
  readonly roles: readonly string[];
  readonly after: string;
}

const roleTokens: readonly RoleTokens[] = [
  ...roleOpeners.map((before) => ({ before, roles: rolesOfOthers, after: "" })),
  ...knownOpeners.flatMap((opener) => [
    { before: opener, roles: otherSpellings, after: "" },
    // Behind a blank it may be a word of a sentence, unless its line or the header ends with it.
    { before: `${opener} `, roles: spelledRoles, after: "\n" },
  ]),
  { before: "<|start_header_id|> ", roles: spelledRoles, after: " <|end_header_id|>" },
  ...roleFrames.map(([before, after]) => ({ before, roles: rolesOfOthers, after })),
  { before: "<|", roles: otherSpellings, after: "|>" },
  { before: "<｜", roles: otherSpellings, after: "｜>" },
];

const written = ({ before, roles, after }: RoleTokens): readonly string[] => roles.map((role) => before + role + after);

const singleTokens = [
  // A word before a token: of the last letters of a text, each with which one begins has to wait.
  ...[
    "user",
    "user memory",
    "system",
    "developer system",
    "function result",
    "function descriptions",
    "available functions",
  ].map((role) => `${role}<|role_sep|>`),
  ...["user", "tool", "system"].map((role) => `${role}<|plamo:msg|>`),
  "<｜latest_reminder｜>",
  "<|tool_results|>",
  "<|begin_tool_result|>",
  "<|begin_content|>",
  "<|start|>user<|message|>",
  "<|start|>system<|message|>",
  "<|start|>developer<|message|>",
  "<|start|>tool<|message|>",
  "<|start|>functions.",
  "<|begin|>user<|content|>",
  "<|begin|>tool<|content|>",
  "<|begin|>system<|content|>",
  "<|START_OF_TURN_TOKEN|><|USER_TOKEN|>",
  "<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>",
  "<|USER_TOKEN|>",
  "<|SYSTEM_TOKEN|>",
  "[INST]",
  "[/TOOL_RESULTS]",
  "<|tool_response>",
  "<start_function_response>",
  "<|plamo:begin_tool_result:plamo|>",
  "<|plamo:begin_tool_results:plamo|>",
  "<|user_start|>",
  "<|system_start|>",
  "<|developer_start|>",
  "<|userprompt|>",
  "<|hy_User|>",
  "<｜hy_User｜>",
  "<｜hy_User:opensource｜>",
  "<|prompter|>",
  "<|from|>user",
  "<｜tool_outputs_begin｜>",
  "<｜tool_output_begin｜>",
  "<SPECIAL_10>System",
  "<SPECIAL_11>User",
  "<extra_id_0>System",
  "<extra_id_1>User",
  "<extra_id_1>Tool",
  "<|tool_result|>",
  "<|BOT|>input",
  "<|BOT|>function_output",
  "[SYSTEM_PROMPT]",
  "[AVAILABLE_TOOLS]",
  "<reserved_106>",
  "<用户>",
  "<role>HUMAN</role>",
  "<role>SYSTEM</role>",
  "<role>OBSERVATION</role>",
  "[unused9]用户",
  "[unused9]系统",
  "[unused9]工具",
];

let allTokens: readonly string[] | undefined;

/** What opens a turn by itself: {@link turnTokens}, and, known as {@link otherEndOfTurnTokens} are, those of few models, a role as a token, and one after an opener. */
export const allTurnTokens = (): readonly string[] =>
  (allTokens ??= [...turnTokens, ...roleTokens.flatMap(written), ...singleTokens]);

/** What ends a turn, and what opens one by itself. */
export const turnBoundaries = (): readonly string[] => [
  ...endOfTurnTokens,
  ...otherEndOfTurnTokens,
  ...allTurnTokens(),
];

const roleTokensLike = (text: string) =>
  roleTokens.filter(({ before }) => text.startsWith(before) || before.startsWith(text)).flatMap(written);

/** Of these and {@link turnTokens}, at least all that a text begins with, or that begin with it: a text begins as few of hundreds do. */
export const turnTokensLike = (text: string): readonly string[] => [
  ...turnTokens,
  ...singleTokens,
  ...lostTurnTokens,
  ...roleTokensLike(text),
];

let fixedTokens: ReadonlySet<string> | undefined;

/** What a text begins with, and goes on after it, that opens a turn anywhere, or after a token that ends one. */
export function turnsBegun(text: string): readonly string[] {
  fixedTokens ??= new Set([...turnOpeners, ...turnTokens, ...singleTokens]);
  const found = roleTokensLike(text).filter((token) => token.length < text.length && text.startsWith(token));
  for (let end = 1; end < text.length; end++) {
    const begin = text.slice(0, end);
    if (fixedTokens.has(begin)) found.push(begin);
  }
  return found;
}

/** What they begin with, each as far as it says what stands there, if so many units do. */
export const turnBeginnings = (units: number): readonly string[] => [
  ...turnTokens,
  ...singleTokens,
  ...lostTurnTokens,
  ...roleTokens.flatMap((tokens) => (tokens.before.length < units ? written(tokens) : tokens.before)),
];
