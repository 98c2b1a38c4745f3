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

/** What opens a turn in one chat template or another: after a token that ends one, the message is over. */
export const turnOpeners: readonly string[] = [
  "<|im_start|>",
  "<|start_header_id|>",
  "<|header_start|>",
  "<|start_of_role|>",
  "<|start_of_turn|>",
  "<start_of_turn>",
  "<|START_OF_TURN_TOKEN|>",
  "<|start|>user",
  "<|start|>system",
  "<|start|>developer",
  "<|begin_of_text|>",
  "<｜Assistant｜>",
  "<|User|>",
  "[INST]",
  "[TOOL_RESULTS]",
  "Observation:",
  "<s>",
  "<bos>",
  "<｜begin▁of▁sentence｜>",
  "<|im_assistant|>",
  "<|open|>message",
  "]~b]",
  "<seed:bos>",
  "<|turn>",
  // A format may document the bare opener: what a user, a tool or the system says is another turn all the same.
  "<|im_start|>user",
  "<|im_start|>tool",
  "<|im_start|>system",
];

/** What opens a turn by itself: it ends the one before. */
export const turnTokens: readonly string[] = [
  "<|user|>",
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
