/**
 * What ends a turn in one chat template or another. Servers that do not know the model leave it in the text, so behind
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
  "</s>",
];
