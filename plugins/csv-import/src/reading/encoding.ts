import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** Encodings that are detected, or can be named. All others are refused. */
export const ENCODINGS = [
  'utf-8',
  'windows-1252',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1257',
] as const;

/** An encoding of a file. */
export type Encoding = (typeof ENCODINGS)[number];

/** The encoding of a file, and how it was found. */
export interface DetectedEncoding {
  readonly encoding: Encoding;
  /** Why, as a sentence for people. */
  readonly reason: string;
  /** Length of the byte order mark. */
  readonly bomBytes: number;
  /** First physical line whose bytes have another meaning in another encoding; null if there is none. */
  readonly doubtfulLine: number | null;
}

/** A file whose encoding cannot be read without damage. */
export interface UnreadableEncoding {
  readonly error: string;
  readonly line: number;
}

/** Byte order marks. */
export const BYTE_ORDER_MARKS: readonly { readonly bytes: readonly number[]; readonly encoding: Encoding }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
];
const HEAD_BYTES = 4_096;
/** Share of zero bytes at even or odd positions from which text counts as UTF-16. */
const MIN_ZERO_SHARE = 0.3;
const LF = 0x0a;
/** Bytes that mean nothing in windows-1252. */
const UNDEFINED_1252 = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

/**
 * Finds the encoding of a file while its bytes pass: a byte order mark, zero bytes of UTF-16, valid UTF-8, else
 * windows-1252. A file of UTF-8 with damaged bytes, and bytes that mean nothing in windows-1252, are refused with their
 * line, because they would be read wrongly.
 */
export class EncodingDetector {
  /** The first bytes of the file. */
  head = Buffer.alloc(0);
  private carry = Buffer.alloc(0);
  private lines = 1;
  private multibyte = 0;
  private invalid = 0;
  private firstInvalidLine = 0;
  private undefinedLine = 0;

  /** Takes the next bytes of the file. */
  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.head.length < HEAD_BYTES) {
      this.head = Buffer.concat([this.head, bytes.subarray(0, HEAD_BYTES - this.head.length)]);
    }
    const all = this.carry.length === 0 ? bytes : Buffer.concat([this.carry, bytes]);
    const complete = findCompleteEnd(all);
    this.carry = Buffer.from(all.subarray(complete));
    this.check(all.subarray(0, complete));
  }

  /** Returns the encoding after the last bytes. */
  detect(): DetectedEncoding | UnreadableEncoding {
    this.check(this.carry);
    this.carry = Buffer.alloc(0);
    const bom = BYTE_ORDER_MARKS.find(({ bytes }) => bytes.every((byte, index) => this.head[index] === byte));
    if (bom && bom.encoding !== 'utf-8') return this.create(bom.encoding, 'The file begins with a byte order mark.', 2);
    const wide = bom ? undefined : guessUtf16(this.head);
    if (wide) return this.create(wide, 'Every other byte of the beginning is zero, as in UTF-16.', 0);
    if (this.invalid === 0) {
      const reason = bom
        ? 'The file begins with a byte order mark.'
        : this.multibyte > 0
          ? 'All bytes are valid UTF-8.'
          : 'The file has ASCII characters only.';
      return this.create('utf-8', reason, bom ? 3 : 0);
    }
    if (bom || this.multibyte > this.invalid) {
      return {
        error:
          `Line ${this.firstInvalidLine} has bytes that are not UTF-8, while the rest of the file is. ` +
          'Save the file as UTF-8 again, or send its encoding, such as encoding=windows-1252.',
        line: this.firstInvalidLine,
      };
    }
    if (this.undefinedLine > 0) {
      return {
        error:
          `Line ${this.undefinedLine} has bytes that mean nothing in UTF-8 and windows-1252. ` +
          `Save the file as UTF-8, or send its encoding: ${ENCODINGS.join(', ')}.`,
        line: this.undefinedLine,
      };
    }
    const reason = `Line ${this.firstInvalidLine} is not valid UTF-8, so the file is read as windows-1252.`;
    return { encoding: 'windows-1252', reason, bomBytes: 0, doubtfulLine: this.firstInvalidLine };
  }

  private create(encoding: Encoding, reason: string, bomBytes: number): DetectedEncoding {
    return { encoding, reason, bomBytes, doubtfulLine: null };
  }

  private check(bytes: Buffer): void {
    if (isAscii(bytes)) this.lines += countLineFeeds(bytes);
    else if (isUtf8(bytes)) {
      this.lines += countLineFeeds(bytes);
      for (const byte of bytes) if (byte >= 0xc0) this.multibyte += 1;
    } else this.locateInvalid(bytes);
  }

  private locateInvalid(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      const byte = bytes[at]!;
      if (byte === LF) this.lines += 1;
      const length = byte < 0x80 ? 1 : sequenceLength(byte);
      const end = at + length;
      if (byte < 0x80 || (length > 1 && end <= bytes.length && isUtf8(bytes.subarray(at, end)))) {
        if (length > 1) this.multibyte += 1;
        at = end;
        continue;
      }
      this.invalid += 1;
      if (this.firstInvalidLine === 0) this.firstInvalidLine = this.lines;
      if (this.undefinedLine === 0 && UNDEFINED_1252.has(byte)) this.undefinedLine = this.lines;
      at += 1;
    }
  }
}

/** Decodes the bytes of a file to text, chunk by chunk. */
export class TextReader {
  private readonly decoder: TextDecoder | undefined;

  constructor(encoding: Encoding) {
    this.decoder = encoding === 'windows-1252' ? undefined : new TextDecoder(encoding, { ignoreBOM: true });
  }

  /** Returns the text of the next bytes. @param isLast whether the file ends here */
  read(bytes: Uint8Array, isLast = false): string {
    if (this.decoder) return this.decoder.decode(bytes, { stream: !isLast });
    return decode1252(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }
}

/** Returns the number of bytes that a text has in the file. */
export function countBytes(text: string, encoding: Encoding): number {
  if (encoding === 'utf-8') return Buffer.byteLength(text);
  return encoding.startsWith('utf-16') ? text.length * 2 : text.length;
}

/** Characters of the bytes 0x80 to 0x9F. Node 20 decodes them as control characters, so they are listed. */
const HIGH_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function decode1252(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  return isAscii(bytes) ? text : text.replace(/[\u0080-\u009f]/g, char => HIGH_1252[char.charCodeAt(0) - 0x80]!);
}

/** Returns the length without a UTF-8 sequence that the end cuts in two. */
function findCompleteEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  if (lead >= 0xe0) return lead < 0xf0 ? 3 : 1;
  return lead >= 0xc2 ? 2 : 1;
}

function countLineFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count += 1;
  return count;
}

function guessUtf16(head: Buffer): Encoding | undefined {
  let [even, odd] = [0, 0];
  head.forEach((byte, index) => {
    if (byte === 0 && index % 2 === 0) even += 1;
    else if (byte === 0) odd += 1;
  });
  const half = head.length / 2;
  if (half < 2) return undefined;
  if (odd / half > MIN_ZERO_SHARE && even === 0) return 'utf-16le';
  return even / half > MIN_ZERO_SHARE && odd === 0 ? 'utf-16be' : undefined;
}
