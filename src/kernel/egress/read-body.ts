import { EgressFailed } from './egress-errors.js';

/** What a body can be read from. */
type Readable = AsyncIterable<Uint8Array> & {
  on(event: 'error', listener: () => void): unknown;
  destroy(): unknown;
};

/** Reads a body and hangs up as soon as it is larger than `maxBytes`, announced or not. @throws EgressFailed */
export async function readBody(
  body: Readable,
  announced: string | string[] | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (Number(announced) > maxBytes) throw giveUp(body, maxBytes);
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw giveUp(body, maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function giveUp(body: Readable, maxBytes: number): EgressFailed {
  body.on('error', () => undefined);
  body.destroy();
  return new EgressFailed('too_large', `The answer is larger than ${maxBytes} bytes.`);
}
