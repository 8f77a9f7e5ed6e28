/** A body that is JSON already: sent as it is. For answers so long that writing them at once would hold up others. */
export class JsonText {
  constructor(readonly bytes: Buffer) {}
}

/** Bytes that a UTF-16 code unit takes at most in UTF-8. */
const MAX_BYTES_PER_CODE_UNIT = 3;

/**
 * Puts texts behind each other as the UTF-8 that is sent. Each is short when it is written; one long text made of them
 * all would be copied twice more, at once.
 */
export class Utf8Writer {
  private buffer: Buffer;
  private length = 0;

  /** @param usual how many bytes it will be as a rule; it grows when there are more. */
  constructor(usual: number) {
    this.buffer = Buffer.allocUnsafe(usual);
  }

  /** Adds a text. */
  write(text: string): void {
    const needed = this.length + text.length * MAX_BYTES_PER_CODE_UNIT;
    if (needed > this.buffer.length) this.grow(needed);
    this.length += this.buffer.write(text, this.length);
  }

  /** Adds what is UTF-8 already. */
  append(bytes: Uint8Array): void {
    const needed = this.length + bytes.length;
    if (needed > this.buffer.length) this.grow(needed);
    this.buffer.set(bytes, this.length);
    this.length = needed;
  }

  /** All that was written. */
  bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  private grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.buffer.length));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}
