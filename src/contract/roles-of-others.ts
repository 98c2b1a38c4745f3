/** Whose turn it is, where it is not the model's, as chat templates write it after what opens a turn. */
export const rolesOfOthers = [
  "user",
  "human",
  "tool",
  "function",
  "ipython",
  "environment",
  "observation",
  "system",
  "developer",
];
