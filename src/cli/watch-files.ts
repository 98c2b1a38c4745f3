import { type Stats, unwatchFile, watchFile } from "node:fs";

/** How often a file is looked at, in milliseconds. */
const lookInterval = 300;

/**
 * Runs a step now and whenever a file changes that it was about. A file that is not there yet counts: it may come.
 *
 * @param run the step; gives the files that it was about, which may be others each time
 * @returns a function that ends the watch
 */
export function watchFiles(run: () => Iterable<string>, interval = lookInterval): () => void {
  let watched = new Set<string>();
  // Node says at once that a file is not there; that is no change.
  const look = (now: Stats, before: Stats) => {
    if (now.mtimeMs !== before.mtimeMs) again();
  };
  const again = () => {
    const files = new Set(run());
    for (const file of watched) if (!files.has(file)) unwatchFile(file, look);
    for (const file of files) if (!watched.has(file)) watchFile(file, { interval }, look);
    watched = files;
  };
  again();
  return () => {
    for (const file of watched) unwatchFile(file, look);
  };
}
