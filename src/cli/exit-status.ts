/** What scripts can rely on. A refusal outweighs a call: a reply with both needs a look. */
export const exitStatus = { calls: 0, none: 1, misuse: 2, refused: 3, bad: 4, disagrees: 5 } as const;

export type ExitStatus = (typeof exitStatus)[keyof typeof exitStatus];

export interface Tally {
  replies: number;
  calls: number;
  refused: number;
}

/** The status of a run over any number of replies. */
export function statusOf(tally: Tally): ExitStatus {
  if (tally.refused > 0) return exitStatus.refused;
  return tally.calls > 0 ? exitStatus.calls : exitStatus.none;
}

/** For `--help`. */
export const exitStatusHelp = `Exit status:
  0  calls were found, nothing was refused
  1  no call was found, nothing was refused
  2  the command or an input is not as it should be; a message says what to do
  3  something that looked like a call was refused`;

/** The status of a batch is about the run, not of the replies: engines that start batches try again what fails. */
export function batchStatusOf({ bad, disagree }: { bad: number; disagree: number }): ExitStatus {
  if (bad > 0) return exitStatus.bad;
  return disagree > 0 ? exitStatus.disagrees : exitStatus.calls;
}

/** For `--help`. */
export const batchStatusHelp = `Exit status with --jsonl when every input is JSONL (a batch):
  0  every line was read, whatever was found in it
  2  as above; with --output, --resume goes on after the last second that was written
  4  with --skip-bad: lines were left out
  5  with --expected: a reply disagrees`;
