/** The command was used wrongly: what is wrong, and what to do instead. Ends with {@link exitStatus.misuse}. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly help: string;

  constructor(what: string, help: string) {
    super(what);
    this.help = help;
  }
}
