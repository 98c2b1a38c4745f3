// A key that is given twice could mean either of its values, so the call is refused. JSON.parse keeps the last one: so members are
// counted as they are written. Keys of an envelope, of a mapping and of parameters are compared one by one; in damaged JSON the
// repair `duplicate-key` says the same. Refused in: validation/check-call.ts (members), payload-reader.ts (envelope),
// blocks/bodies/yaml.ts (mappings), blocks/parameters.ts (as `ambiguous`).

/** Whether members are missing that were written: a key among them was given twice. */
export const repeatsKey = (written: number, kept: number): boolean => written !== kept;

export const memberTwice = "a member of the arguments is given twice, and either could be meant; ask again";
export const mappingKeyTwice = "a key of the mapping is given twice, and either could be meant";
export const envelopeKeyTwice = (key: string): string => `the key "${key}" is given twice`;
export const parameterTwice = (key: string): string => `"${key}" is given twice, and either could be meant`;
