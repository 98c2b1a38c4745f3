/** What `run` returns; nothing it writes to the console is shown: some peers log every text they refuse. */
export const quiet = <T>(run: () => T): T => {
  const { error, warn, log } = console;
  Object.assign(console, { error() {}, warn() {}, log() {} });
  try {
    return run();
  } finally {
    Object.assign(console, { error, warn, log });
  }
};
