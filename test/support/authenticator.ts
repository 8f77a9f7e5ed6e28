import { createHmac } from 'node:crypto';

const PERIOD_MS = 30_000;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * An authenticator app: shows the codes of a secret, six digits by RFC 6238 with SHA-1. A service accepts those of the next
 * period too, for clocks that differ, so a test gets two codes without waiting.
 */
export class Authenticator {
  private last = 0;

  /** @param uri address that the app reads as a QR code */
  constructor(private readonly uri: string) {}

  /** Returns a code that was not shown before. */
  next(): string {
    this.last = Math.max(this.last + 1, Math.floor(Date.now() / PERIOD_MS));
    return this.computeCode(this.last);
  }

  private computeCode(period: number): string {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(period));
    const digest = createHmac('sha1', decodeBase32(new URL(this.uri).searchParams.get('secret')!))
      .update(counter)
      .digest();
    const offset = digest.at(-1)! & 15;
    return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0');
  }
}

function decodeBase32(text: string): Buffer {
  const bits = [...text].map(letter => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map(byte => Number.parseInt(byte, 2)));
}
