import type { SecretKey } from './secret-keys.js';
import { parseKeyId, unseal, seal, type Sealed, type SecretContext } from './sealed-text.js';

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
  get currentKeyId(): string {
    return this.#keys[0].id;
  }

  /** Seals a text for a place. The same text gives another result each time. */
  seal(context: SecretContext, text: string): Sealed {
    return seal(this.#keys[0], context, text);
  }

  /** Opens what was sealed for the same place. @throws CannotOpen */
  open(context: SecretContext, sealed: string): string {
    return unseal(this.#keys, context, sealed);
  }

  /** Whether a text was sealed with the key that seals now; what was not should be sealed anew. */
  isCurrent(sealed: string): boolean {
    return parseKeyId(sealed) === this.currentKeyId;
  }

  /** The same secret under the current key. @throws CannotOpen */
  reseal(context: SecretContext, sealed: string): Sealed {
    return this.seal(context, this.open(context, sealed));
  }
}
