/** A body that is serialized already and sent as it is. For responses that are too long to serialize at once. */
export class JsonText {
  constructor(readonly bytes: Buffer) {}
}

/** Maximum number of UTF-8 bytes for one UTF-16 code unit. */
const MAX_BYTES_PER_CODE_UNIT = 3;

/**
 * Appends texts to one UTF-8 buffer. Each text is short when it is encoded; concatenating them first would copy the
 * whole text twice more, without yielding.
 */
export class Utf8Writer {
  private buffer: Buffer;
  private length = 0;

  /** @param usual expected number of bytes; the buffer grows if there are more. */
  constructor(usual: number) {
    this.buffer = Buffer.allocUnsafe(usual);
  }

  /** Appends a text. */
  write(text: string): void {
    const needed = this.length + text.length * MAX_BYTES_PER_CODE_UNIT;
    if (needed > this.buffer.length) this.grow(needed);
    this.length += this.buffer.write(text, this.length);
  }

  /** Appends UTF-8 bytes. */
  append(bytes: Uint8Array): void {
    const needed = this.length + bytes.length;
    if (needed > this.buffer.length) this.grow(needed);
    this.buffer.set(bytes, this.length);
    this.length = needed;
  }

  /** Returns everything written so far. */
  bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  private grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.buffer.length));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}
