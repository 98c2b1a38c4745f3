import { Problem } from "./problem.ts";

const tooLarge = "too_large";
const packedBody = "packed_body";

/** Whether a request with such a problem was not read to its end. */
export const isUnread = (code: string | undefined): boolean => code === tooLarge || code === packedBody;

/** No request nests as deep, and what follows it may go down level by level. */
export const bodyDepthMax = 1000;

/** Whether JSON nests deeper than `depthMax`: looked at before it is parsed, in one pass. */
export function nestsDeeper(json: string, depthMax: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (inString) {
      if (code === backslash) at++;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === openBrace || code === openBracket) {
      if (++depth > depthMax) return true;
    } else if (code === closeBrace || code === closeBracket) depth--;
  }
  return false;
}

const [quote, backslash] = [0x22, 0x5c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Reads the body of a request, whether it says its length or comes in chunks.
 *
 * @returns undefined where there is none
 * @throws Problem when it is longer than allowed
 */
export async function readBody(
  { headers, body }: Request,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (body === null || body === undefined) return undefined;
  const packed = headers.get("content-encoding") ?? "identity";
  if (packed !== "identity") {
    const message = `the body is packed (content-encoding: ${packed.slice(0, 40)}); send it as it is`;
    throw new Problem({ status: 415, message, type: "invalid_request_error", code: packedBody });
  }
  if (Number(headers.get("content-length") ?? 0) > bytesMax) throw tooLong(bytesMax);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > bytesMax) {
      await reader.cancel().catch(() => {});
      throw tooLong(bytesMax);
    }
    pieces.push(value as Uint8Array<ArrayBuffer>);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

function tooLong(bytesMax: number): Problem {
  const message = `the body is longer than ${bytesMax} bytes; the proxy can be started with a higher limit`;
  return new Problem({ status: 413, message, type: "invalid_request_error", code: tooLarge });
}
