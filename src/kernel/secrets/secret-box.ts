import type { SecretKey } from './secret-keys.js';
import { keyIdOf, open, seal, type Sealed, type SecretPlace } from './sealed.js';

/** Seals what may not stand in the database as it is, and opens it again. */
export class SecretBox {
  readonly #keys: readonly [SecretKey, ...SecretKey[]];

  /** @param keys the first one seals, all of them open. */
  constructor(keys: readonly SecretKey[]) {
    const [first, ...others] = keys;
    if (!first) throw new Error('a box needs a key');
    this.#keys = [first, ...others];
  }

  /** The id of the key that seals. */
  get currentKey(): string {
    return this.#keys[0].id;
  }

  /** Seals a text for a place. The same text gives another result each time. */
  seal(place: SecretPlace, text: string): Sealed {
    return seal(this.#keys[0], place, text);
  }

  /** Opens what was sealed for the same place. @throws CannotOpen */
  open(place: SecretPlace, sealed: string): string {
    return open(this.#keys, place, sealed);
  }

  /** Whether a text was sealed with the key that seals now; what was not should be sealed anew. */
  isCurrent(sealed: string): boolean {
    return keyIdOf(sealed) === this.currentKey;
  }

  /** The same secret under the current key. @throws CannotOpen */
  reseal(place: SecretPlace, sealed: string): Sealed {
    return this.seal(place, this.open(place, sealed));
  }
}
