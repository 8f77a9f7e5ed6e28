const INITIAL_SLOTS = 1_024;
const MAX_LOAD = 0.6;

/**
 * A set of texts by their 52-bit hashes, in 8 to 16 bytes each, so that a file of five million rows fits into memory.
 * Two texts are taken for one with a chance of one in a thousand for five million of them.
 */
export class KeySet {
  private slots = new Float64Array(INITIAL_SLOTS);
  private count = 0;

  /** Adds a text. @returns whether it was new */
  add(text: string): boolean {
    if (this.count >= this.slots.length * MAX_LOAD) this.grow();
    const isNew = place(this.slots, hash(text));
    if (isNew) this.count += 1;
    return isNew;
  }

  /** Returns whether a text was added. */
  has(text: string): boolean {
    const wanted = hash(text);
    for (let at = wanted % this.slots.length; this.slots[at] !== 0; at = (at + 1) % this.slots.length) {
      if (this.slots[at] === wanted) return true;
    }
    return false;
  }

  private grow(): void {
    const larger = new Float64Array(this.slots.length * 2);
    for (const each of this.slots) if (each !== 0) place(larger, each);
    this.slots = larger;
  }
}

function place(slots: Float64Array, wanted: number): boolean {
  let at = wanted % slots.length;
  for (; slots[at] !== 0; at = (at + 1) % slots.length) if (slots[at] === wanted) return false;
  slots[at] = wanted;
  return true;
}

/** Two multiplicative hashes of 32 bits, joined to an integer from 1 to 2^52. */
function hash(text: string): number {
  let [low, high] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 2_654_435_761);
    high = Math.imul(high ^ code, 1_597_334_677);
  }
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  return (high >>> 12) * 2 ** 32 + (low >>> 0) + 1;
}
