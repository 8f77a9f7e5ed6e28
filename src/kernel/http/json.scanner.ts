import { truncate } from '#domain/observation/summary.js';

/** Limits of a {@link JsonScanner}. */
export interface ScanLimits {
  readonly maxDepth: number;
  readonly maxNames: number;
  /** Maximum number of members of one object. */
  readonly maxMembers: number;
  readonly maxValues: number;
}

/** The limit that a text exceeds; `path` is that of the value that is too deep, such as `a.b[2]`. */
export type ScanExcess =
  | { readonly bound: 'depth'; readonly path: string }
  | { readonly bound: 'names' | 'members' | 'values'; readonly path?: undefined };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LETTER_U = 0x75;
const LETTER_E = 0x65;
const LOWER_CASE = 0x20;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
/** Digits of the largest number that a double holds. */
const MIN_INFINITE_DIGITS = 309;
/** Bounds the names in a path. */
const MAX_NAME_BYTES = 480;
const RESERVED_NAMES = [Buffer.from('__proto__'), Buffer.from('constructor')];

/**
 * Counts depth, names and values of a JSON text in its bytes, before anything is built from them: one pass, no
 * allocation per value. A text may be scanned in slices. Invalid JSON is counted too; the parser that follows rejects
 * it.
 */
export class JsonScanner {
  /** Whether a name may reach a prototype: `__proto__`, `constructor`, or a name with escapes. */
  mayHoldReservedName = false;
  /** Whether a text contains an escape that may stand for a NUL or a lone surrogate. */
  mayHoldUnstorableText = false;

  /** Whether a number may be larger than JSON numbers can hold: only one with an exponent or hundreds of digits is. */
  mayHoldInfinity = false;

  private readonly isList: Uint8Array;
  /** By depth: the index in the array, or the byte range of the last name of the object. */
  private readonly positions: Int32Array;
  private readonly nameStarts: Int32Array;
  private readonly nameEnds: Int32Array;
  private depth = 0;
  private names = 0;
  private values = 1;
  private digits = 0;
  private inText = false;
  private isEscaped = false;
  private textHasEscape = false;
  private textStart = 0;
  private textEnd = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly limits: ScanLimits,
  ) {
    const levels = limits.maxDepth + 1;
    this.isList = new Uint8Array(levels);
    this.positions = new Int32Array(levels);
    this.nameStarts = new Int32Array(levels);
    this.nameEnds = new Int32Array(levels);
  }

  /** Scans `[from, to)`; slices must be consecutive. Returns the first limit that is exceeded. */
  scan(from: number, to: number): ScanExcess | undefined {
    const { bytes } = this;
    for (let at = from; at < to; at++) {
      const byte = bytes[at]!;
      if (this.inText) {
        at = this.skipText(at, to);
        continue;
      }
      if (byte === QUOTE) {
        this.inText = true;
        this.textHasEscape = false;
        this.textStart = at + 1;
      } else if (byte === COMMA) {
        this.positions[this.depth]!++;
        if (++this.values > this.limits.maxValues) return { bound: 'values' };
      } else if (byte === COLON) {
        this.endName();
        if (this.names > this.limits.maxNames) return { bound: 'names' };
        if (this.positions[this.depth]! >= this.limits.maxMembers) return { bound: 'members' };
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        if (this.depth === this.limits.maxDepth) return { bound: 'depth', path: this.path() };
        if (++this.values > this.limits.maxValues) return { bound: 'values' };
        this.depth++;
        this.isList[this.depth] = byte === OPEN_LIST ? 1 : 0;
        this.positions[this.depth] = 0;
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        if (this.depth > 0) this.depth--;
      } else if (byte >= DIGIT_0 && byte <= DIGIT_9) {
        if (++this.digits >= MIN_INFINITE_DIGITS) this.mayHoldInfinity = true;
        continue;
      } else if ((byte | LOWER_CASE) === LETTER_E && this.digits > 0) this.mayHoldInfinity = true;
      this.digits = 0;
    }
    return undefined;
  }

  /** Continues inside a string and returns the position of its closing quote, or `to` if it goes on. */
  private skipText(from: number, to: number): number {
    const { bytes } = this;
    let at = from;
    for (; at < to; at++) {
      const byte = bytes[at]!;
      if (this.isEscaped) {
        this.isEscaped = false;
        if (byte === LETTER_U && isOddEscape(bytes, at + 1)) this.mayHoldUnstorableText = true;
      } else if (byte === BACKSLASH) {
        this.isEscaped = true;
        this.textHasEscape = true;
      } else if (byte === QUOTE) {
        this.inText = false;
        this.textEnd = at;
        return at;
      }
    }
    return at;
  }

  private endName(): void {
    this.names++;
    this.nameStarts[this.depth] = this.textStart;
    this.nameEnds[this.depth] = this.textEnd;
    if (this.textHasEscape || this.isReserved()) this.mayHoldReservedName = true;
  }

  private isReserved(): boolean {
    const length = this.textEnd - this.textStart;
    return RESERVED_NAMES.some(
      name => name.length === length && name.every((byte, i) => byte === this.bytes[this.textStart + i]),
    );
  }

  private path(): string {
    let path = '';
    for (let level = 1; level <= this.depth; level++) {
      const separator = path === '' ? '' : '.';
      path += this.isList[level] ? `[${this.positions[level]}]` : `${separator}${this.nameAt(level)}`;
    }
    return path;
  }

  private nameAt(level: number): string {
    const start = this.nameStarts[level]!;
    const text = Buffer.from(
      this.bytes.subarray(start, Math.min(this.nameEnds[level]!, start + MAX_NAME_BYTES)),
    ).toString('utf8');
    try {
      return truncate(String(JSON.parse(`"${text}"`)));
    } catch {
      return truncate(text);
    }
  }
}

/** Returns whether the four digits of an escape stand for a NUL or a surrogate: `0000`, or a prefix of `d8` to `df`. */
function isOddEscape(bytes: Uint8Array, at: number): boolean {
  if ((bytes[at]! | 0x20) === 0x64) return bytes[at + 1]! >= 0x38;
  return bytes[at] === 0x30 && bytes[at + 1] === 0x30 && bytes[at + 2] === 0x30 && bytes[at + 3] === 0x30;
}
