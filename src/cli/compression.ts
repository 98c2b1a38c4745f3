import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import * as zlib from "node:zlib";
import { UsageError } from "./usage-error.ts";

/** How a file is compressed, which its name says. */
export type Compression = "none" | "gzip" | "zstd";

/** Big enough that the work per piece does not show, small enough that memory stays flat. */
const pieceBytes = 1 << 18;

/** Zstandard is in Node from 22.15 on. */
const nativeZstd = zlib as unknown as {
  createZstdDecompress?: (options: object) => NodeJS.ReadWriteStream;
  zstdCompressSync?: (bytes: Uint8Array) => Uint8Array;
};

export function compressionOf(name: string): Compression {
  if (/\.gz$/i.test(name)) return "gzip";
  return /\.zst$/i.test(name) ? "zstd" : "none";
}

/**
 * The bytes of a file, decompressed if its name says so.
 *
 * @param from so many bytes of the (decompressed) content are left out; a plain file is not read up to there
 * @param onRead gets how many bytes of the file were read, for progress
 */
export async function* bytesOf(name: string, from = 0, onRead?: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const compression = compressionOf(name);
  const start = compression === "none" ? from : 0;
  const file = createReadStream(name, { highWaterMark: pieceBytes, start });
  const pieces = counted(file, onRead);
  try {
    yield* skipped(compression === "none" ? pieces : decompressed(pieces, compression), from - start);
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${(error as Error).message}`, "is the file whole?");
  } finally {
    file.destroy();
  }
}

async function* counted(
  file: AsyncIterable<Uint8Array>,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  for await (const piece of file) {
    onRead(piece.length);
    yield piece;
  }
}

/** Leaves the first bytes out. */
export async function* skipped(pieces: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const piece of pieces) {
    if (left >= piece.length) left -= piece.length;
    else {
      yield left > 0 ? piece.subarray(left) : piece;
      left = 0;
    }
  }
}

function decompressed(pieces: AsyncIterable<Uint8Array>, compression: "gzip" | "zstd"): AsyncIterable<Uint8Array> {
  const options = { chunkSize: pieceBytes };
  const native =
    compression === "gzip" ? zlib.createGunzip(options) : nativeZstd.createZstdDecompress?.({ ...options });
  if (native === undefined) return zstdPieces(pieces);
  const file = Readable.from(pieces, { objectMode: false });
  file.on("error", (error) => (native as unknown as Readable).destroy(error));
  return file.pipe(native) as unknown as AsyncIterable<Uint8Array>;
}

/** For a Node without Zstandard. */
async function* zstdPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { Decompress } = await import("fzstd");
  const out: Uint8Array[] = [];
  let isEmpty = true;
  const stream = new Decompress((piece) => out.push(piece));
  for await (const piece of pieces) {
    isEmpty = false;
    stream.push(piece);
    yield* out.splice(0);
  }
  // The library takes nothing at all for a cut frame.
  if (!isEmpty) stream.push(new Uint8Array(0), true);
  yield* out.splice(0);
}

/** Compresses blocks of output, each to a whole member or frame: files of those can be joined and cut between them. */
export async function blockCompressor(compression: Compression): Promise<(bytes: Uint8Array) => Uint8Array> {
  if (compression === "none") return (bytes) => bytes;
  if (compression === "gzip") return (bytes) => zlib.gzipSync(bytes);
  const { zstdCompressSync } = nativeZstd;
  if (zstdCompressSync !== undefined) return (bytes) => zstdCompressSync(bytes);
  const { Zstd } = await import("@hpcc-js/wasm-zstd");
  const zstd = await Zstd.load();
  // What comes back is a view of memory that the next call writes again.
  return (bytes) => zstd.compress(bytes).slice();
}
