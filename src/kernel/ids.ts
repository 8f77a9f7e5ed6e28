import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const BYTES_PER_ID = 16;
const block = new Uint8Array(BYTES_PER_ID * 256);
let used = block.length;
let last = 0;
let count = 0;

/**
 * A new UUIDv7: ids of one process are in the order in which they were made. Random bytes are drawn for 256 ids at a
 * time; asking for those of each by itself is an eighth of what recording costs this process.
 */
export function newId(): string {
  const random = nextBytes();
  const now = Date.now();
  if (now > last) {
    last = now;
    // The highest bit stays free, so that the count does not overflow within a millisecond.
    count = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1;
  } else count++;
  return v7({ random, msecs: last, seq: count });
}

function nextBytes(): Uint8Array {
  if (used === block.length) {
    randomFillSync(block);
    used = 0;
  }
  used += BYTES_PER_ID;
  return block.subarray(used - BYTES_PER_ID, used);
}
