/** A body that is JSON already: sent as it is. For answers so long that writing them at once would hold up others. */
export class JsonText {
  constructor(readonly bytes: Buffer) {}
}

/** Bytes that a UTF-16 code unit takes at most in UTF-8. */
const MOST_BYTES = 3;

/**
 * Puts texts behind each other as the UTF-8 that is sent. Each is short when it is written; one long text made of them
 * all would be copied twice more, at once.
 */
export class TextWriter {
  private room: Buffer;
  private used = 0;

  /** @param usual how many bytes it will be as a rule; it grows when there are more. */
  constructor(usual: number) {
    this.room = Buffer.allocUnsafe(usual);
  }

  /** Adds a text. */
  write(text: string): void {
    const needed = this.used + text.length * MOST_BYTES;
    if (needed > this.room.length) this.grow(needed);
    this.used += this.room.write(text, this.used);
  }

  /** Adds what is UTF-8 already. */
  append(bytes: Uint8Array): void {
    const needed = this.used + bytes.length;
    if (needed > this.room.length) this.grow(needed);
    this.room.set(bytes, this.used);
    this.used = needed;
  }

  /** All that was written. */
  bytes(): Buffer {
    return this.room.subarray(0, this.used);
  }

  private grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.room.length));
    this.room.copy(larger, 0, 0, this.used);
    this.room = larger;
  }
}
