import {
  type CheckValue,
  isAnything,
  isEither,
  isFlag,
  isFunction,
  isNumber,
  isText,
} from "../../contract/option-values.ts";

type Checks = Readonly<Record<string, CheckValue>>;

/** A finish reason is the server's own word: text, null, an object; or a function that gives it. */
const finishReason = isAnything;

const replyValues = { id: isText("chatcmpl-1"), model: isText("qwen3"), created: isNumber } satisfies Checks;

/** What the options of rewritten chunks take, and of those that are written from events. */
export const rewriteValues: Checks = { ...replyValues, reasoning: isFlag, provisional: isFlag };
export const chunkValues: Checks = { ...rewriteValues, finishReason };

/** What the options of a message take. */
export const messageValues: Checks = { reasoning: isFlag };
export const choiceValues: Checks = { ...messageValues, finishReason };

/** What the options of a response take. */
export const itemValues: Checks = { id: isText("1") };
export const responseValues: Checks = {
  ...replyValues,
  finishReason,
  usage: isEither("counts of tokens, or a function that gives them", "object", "function"),
};

/** What the options of a conversation take; the format looks at itself. */
export const conversationValues: Checks = {
  format: isAnything,
  formats: isAnything,
  tools: isAnything,
  toolChoice: isAnything,
  parallel: isFlag,
  renderResult: isFunction("(result) => string"),
  instruction: isEither("a string, or a function that makes one", "string", "function"),
};
