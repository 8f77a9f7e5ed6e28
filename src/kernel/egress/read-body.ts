import { EgressFailedError } from './egress-errors.js';

/** A stream from which a body can be read. */
type ReadableBody = AsyncIterable<Uint8Array> & {
  on(event: 'error', listener: () => void): unknown;
  destroy(): unknown;
};

/**
 * Reads a body and aborts as soon as it is larger than `maxBytes`, whatever its announced length.
 * @throws EgressFailedError `too_large`
 */
export async function readBody(
  body: ReadableBody,
  announced: string | string[] | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (Number(announced) > maxBytes) throw abortTooLarge(body, maxBytes);
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw abortTooLarge(body, maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function abortTooLarge(body: ReadableBody, maxBytes: number): EgressFailedError {
  body.on('error', () => undefined);
  body.destroy();
  return new EgressFailedError('too_large', `The response is larger than ${maxBytes} bytes.`);
}
