/** What says how a format writes its calls. */
export interface Written {
  example?: string;
  triggers?: readonly string[];
  leads?: string;
}

/** Whether a call, as the format writes it, counts only where it is the whole message: nothing opens it, and no text may stand beside it. */
export const standsAlone = ({ example = "", triggers = [], leads }: Written): boolean =>
  leads !== undefined && !triggers.some((trigger) => example.trimStart().startsWith(trigger));
