import { fingerprintKey, type SecretKey } from './secret-keys.js';
import { parseKeyId, unseal, UnsealError, seal, type Sealed, type SecretContext } from './sealed-text.js';

/** Encrypts secrets for the database and decrypts them. */
export class SecretBox {
  readonly #keys: readonly [SecretKey, ...SecretKey[]];

  /** @param keys the first one encrypts, all of them decrypt. */
  constructor(keys: readonly SecretKey[]) {
    const [first, ...others] = keys;
    if (!first) throw new Error('a box needs a key');
    this.#keys = [first, ...others];
  }

  /** Returns the ID of the key that encrypts. */
  get currentKeyId(): string {
    return this.#keys[0].id;
  }

  /** Returns the fingerprints of all keys, the one that encrypts first. */
  get fingerprints(): string[] {
    return this.#keys.map(fingerprintKey);
  }

  /** Returns whether a sealed text can be opened. A key with the same ID but other bytes cannot open it. */
  canOpen(context: SecretContext, sealed: string): boolean {
    try {
      this.open(context, sealed);
      return true;
    } catch (error) {
      if (error instanceof UnsealError) return false;
      throw error;
    }
  }

  /** Encrypts a text for a context. The result differs each time. */
  seal(context: SecretContext, text: string): Sealed {
    return seal(this.#keys[0], context, text);
  }

  /**
   * Decrypts a text that was encrypted for the same context.
   * @throws UnsealError if the key is missing, or the text was changed or belongs to another context.
   */
  open(context: SecretContext, sealed: string): string {
    return unseal(this.#keys, context, sealed);
  }

  /** Returns whether a text was encrypted with the current key; otherwise it should be resealed. */
  isCurrent(sealed: string): boolean {
    return parseKeyId(sealed) === this.currentKeyId;
  }

  /**
   * Encrypts a sealed text again with the current key.
   * @throws UnsealError if it cannot be decrypted.
   */
  reseal(context: SecretContext, sealed: string): Sealed {
    return this.seal(context, this.open(context, sealed));
  }
}
