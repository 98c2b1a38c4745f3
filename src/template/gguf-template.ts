import type { NamedTemplate, TokenizerConfig } from "./template-source.ts";

/** Sizes of the values of fixed length, by their type in the file. */
const sizes: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };
const uint32Type = 4;
const stringType = 8;
const arrayType = 9;
/** How much is read at once; tokens of a model take some megabytes, and are passed over. */
const chunkBytes = 1 << 20;
/** A name or template that is longer is none: the file is damaged. */
const stringBytesMax = 1 << 24;
const keysMax = 100_000;

const templateKey = "tokenizer.chat_template";

/**
 * The chat template of a GGUF file, with the tokens that begin and end a text. Only the header of the file is read, and
 * of that what stands before the weights.
 *
 * @param file Its path. Needs Node.
 * @returns what `formatForTemplate` takes; `chat_template` is absent where the model has none
 * @throws Error for a file that is no GGUF file, or whose header is damaged
 */
export async function readGgufTemplate(file: string): Promise<TokenizerConfig> {
  const { open } = await import("node:fs/promises");
  const handle = await open(file, "r");
  try {
    return await readHeader(new Reader(handle, file));
  } finally {
    await handle.close();
  }
}

async function readHeader(reader: Reader): Promise<TokenizerConfig> {
  if ((await reader.take(4)).toString("latin1") !== "GGUF") throw new Error(`${reader.file} is no GGUF file`);
  const version = (await reader.take(4)).readUInt32LE();
  if (version !== 2 && version !== 3) {
    throw new Error(`${reader.file}: version ${version} of GGUF is not read, only 2 and 3 in little-endian order`);
  }
  await reader.take(8);
  const keys = await reader.length();
  if (keys > keysMax) throw reader.damaged();
  const texts = new Map<string, string>();
  const numbers = new Map<string, number>();
  let tokensAt: number | undefined;
  for (let index = 0; index < keys; index++) {
    const key = await reader.string();
    const type = (await reader.take(4)).readUInt32LE();
    if (type === stringType) texts.set(key, await reader.string());
    else if (type === uint32Type) numbers.set(key, (await reader.take(4)).readUInt32LE());
    else if (type === arrayType) {
      if (key === "tokenizer.ggml.tokens") tokensAt = reader.position;
      await reader.skipArray();
    } else reader.skip(sizeOf(type, reader));
  }
  const named: NamedTemplate[] = [...texts]
    .filter(([key]) => key.startsWith(`${templateKey}.`))
    .map(([key, template]) => ({ name: key.slice(templateKey.length + 1), template }));
  const main = texts.get(templateKey);
  const token = (kind: string) => reader.stringAt(tokensAt, numbers.get(`tokenizer.ggml.${kind}_token_id`));
  return {
    ...(main === undefined && named.length === 0
      ? {}
      : { chat_template: named.length === 0 ? main : [{ name: "default", template: main ?? "" }, ...named] }),
    bos_token: await token("bos"),
    eos_token: await token("eos"),
    name_or_path: texts.get("general.name"),
  };
}

function sizeOf(type: number, reader: Reader): number {
  const size = sizes[type];
  if (size === undefined) throw reader.damaged();
  return size;
}

interface FileHandle {
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
}

/** Reads a file from front to back, a chunk at a time. */
class Reader {
  readonly file: string;
  position = 0;
  readonly #handle: FileHandle;
  #chunk: Buffer = Buffer.alloc(0);
  #chunkStart = 0;

  constructor(handle: FileHandle, file: string) {
    this.#handle = handle;
    this.file = file;
  }

  damaged(): Error {
    return new Error(`${this.file}: the header of the GGUF file is damaged at byte ${this.position}`);
  }

  async take(length: number): Promise<Buffer> {
    const from = this.position - this.#chunkStart;
    if (from < 0 || from + length > this.#chunk.length) {
      const chunk = Buffer.alloc(Math.max(length, chunkBytes));
      const { bytesRead } = await this.#handle.read(chunk, 0, chunk.length, this.position);
      if (bytesRead < length) throw this.damaged();
      this.#chunk = chunk.subarray(0, bytesRead);
      this.#chunkStart = this.position;
    }
    const start = this.position - this.#chunkStart;
    this.position += length;
    return this.#chunk.subarray(start, start + length);
  }

  skip(length: number): void {
    this.position += length;
  }

  async length(): Promise<number> {
    const length = (await this.take(8)).readBigUInt64LE();
    if (length > BigInt(Number.MAX_SAFE_INTEGER)) throw this.damaged();
    return Number(length);
  }

  async string(): Promise<string> {
    const length = await this.length();
    if (length > stringBytesMax) throw this.damaged();
    return (await this.take(length)).toString("utf8");
  }

  async skipArray(): Promise<void> {
    const type = (await this.take(4)).readUInt32LE();
    const count = await this.length();
    if (type === arrayType) throw this.damaged();
    if (type !== stringType) return this.skip(count * sizeOf(type, this));
    for (let index = 0; index < count; index++) this.skip(await this.length());
  }

  /** One string of an array that begins at a place. */
  async stringAt(array: number | undefined, index: number | undefined): Promise<string | undefined> {
    if (array === undefined || index === undefined) return undefined;
    this.position = array;
    const type = (await this.take(4)).readUInt32LE();
    const count = await this.length();
    if (type !== stringType || index >= count) return undefined;
    for (let before = 0; before < index; before++) this.skip(await this.length());
    return this.string();
  }
}
