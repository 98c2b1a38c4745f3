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
  "<|message_user|>",
  "<｜User｜>",
  "<｜Assistant｜>",
  "<|User|>",
  "<|turn>user",
  "[INST]",
  "[TOOL_RESULTS]",
  "Observation:",
];

/** What opens a turn by itself: it ends the one before. */
export const turnTokens: readonly string[] = ["<|user|>", "<|observation|>", "<|system|>", "[TOOL_RESULTS]"];
