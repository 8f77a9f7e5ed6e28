import pg from 'pg';
import type { Instant } from '#domain/time/instant.js';

const { UUID, TIMESTAMPTZ } = pg.types.builtins;

const UUID_BYTES = 16;
const UUID_LENGTH = 36;
const TIMESTAMPTZ_BYTES = 8;

/** Dimensions, whether one is NULL, the type, how many there are, and the place of the first. */
const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

/** PostgreSQL counts from the year 2000, in microseconds. */
const EPOCH = 946_684_800_000_000;
const LOWER_HALF = 2 ** 32;

const DASH = 45;
const DASHES = [8, 13, 18, 23] as const;
/** Where in the text each byte stands. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
/** The value of a hexadecimal digit by its character; -1 for any other. */
const DIGITS = new Int8Array(2 ** 16).fill(-1);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  DIGITS[digit.charCodeAt(0)] = value;
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value;
}

/**
 * Ids as PostgreSQL keeps an array of them, for a parameter of the type `uuid[]`; nothing becomes NULL. The server reads
 * one in a tenth of the time that it takes for a text.
 * @throws TypeError for a text that is no UUID.
 */
export function uuidList(ids: readonly (string | null | undefined)[]): Buffer {
  return binaryList(UUID, UUID_BYTES, ids, writeUuid);
}

/** Instants likewise, for a parameter of the type `timestamptz[]`: a fifth of the time, and nothing is made of them here. */
export function instantList(instants: readonly (Instant | null | undefined)[]): Buffer {
  return binaryList(TIMESTAMPTZ, TIMESTAMPTZ_BYTES, instants, writeInstant);
}

function binaryList<Item>(
  type: number,
  size: number,
  items: readonly (Item | null | undefined)[],
  write: (item: Item, bytes: Buffer, at: number) => void,
): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + items.length * (LENGTH_BYTES + size));
  let end = HEAD_BYTES;
  let hasNull = 0;
  for (const item of items) {
    if (item === null || item === undefined) {
      hasNull = 1;
      end = bytes.writeInt32BE(NULL_LENGTH, end);
    } else {
      end = bytes.writeInt32BE(size, end);
      write(item, bytes, end);
      end += size;
    }
  }
  [1, hasNull, type, items.length, 1].forEach((field, i) => bytes.writeInt32BE(field, i * LENGTH_BYTES));
  return bytes.subarray(0, end);
}

function writeUuid(id: string, bytes: Buffer, at: number): void {
  let wrong = id.length - UUID_LENGTH;
  for (const place of DASHES) wrong |= id.charCodeAt(place) - DASH;
  for (let i = 0; i < UUID_BYTES; i++) {
    const place = PLACES[i]!;
    const byte = (DIGITS[id.charCodeAt(place)]! << 4) | DIGITS[id.charCodeAt(place + 1)]!;
    wrong |= byte & ~0xff;
    bytes[at + i] = byte;
  }
  if (wrong !== 0) throw new TypeError('a list of UUIDs holds something else');
}

function writeInstant(instant: Instant, bytes: Buffer, at: number): void {
  const micros = instant - EPOCH;
  const high = Math.floor(micros / LOWER_HALF);
  bytes.writeInt32BE(high, at);
  bytes.writeUInt32BE(micros - high * LOWER_HALF, at + 4);
}
