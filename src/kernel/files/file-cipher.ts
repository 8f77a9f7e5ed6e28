import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

/** Bytes of a file in one chunk; the last one may be shorter. Reading from any offset decrypts at most one chunk too much. */
export const CHUNK_BYTES = 256 * 1024;
/** Bytes that encryption adds to a chunk: its authentication tag. */
export const CHUNK_OVERHEAD_BYTES = 16;

const KEY_BYTES = 32;
const IV_BYTES = 12;

/** Thrown if a stored chunk was changed, moved or cut off. */
export class CorruptFileError extends Error {}

/**
 * Encrypts the chunks of one file with AES-256-GCM. Each file has a random key of its own and each chunk of it is
 * encrypted once, so the position of the chunk serves as its IV. Position and file are authenticated: a chunk that is
 * moved or copied to another file cannot be decrypted.
 */
export class FileCipher {
  private readonly key: KeyObject;

  constructor(
    private readonly fileId: string,
    key: Buffer,
  ) {
    this.key = createSecretKey(key);
  }

  /** Returns a random key for a new file. */
  static generateKey(): Buffer {
    return randomBytes(KEY_BYTES);
  }

  /** Encrypts the chunk at a position, counted from 0. */
  encrypt(position: number, bytes: Uint8Array): Buffer {
    const cipher = createCipheriv('aes-256-gcm', this.key, toIv(position)).setAAD(this.toAdditionalData(position));
    return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }

  /** Decrypts the chunk at a position. @throws CorruptFileError */
  decrypt(position: number, sealed: Buffer): Buffer {
    const end = sealed.length - CHUNK_OVERHEAD_BYTES;
    if (end < 0) throw new CorruptFileError(`Chunk ${position} of the file ${this.fileId} is cut off.`);
    const decipher = createDecipheriv('aes-256-gcm', this.key, toIv(position), { authTagLength: CHUNK_OVERHEAD_BYTES })
      .setAAD(this.toAdditionalData(position))
      .setAuthTag(sealed.subarray(end));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
    } catch {
      throw new CorruptFileError(`Chunk ${position} of the file ${this.fileId} was changed.`);
    }
  }

  private toAdditionalData(position: number): Buffer {
    return Buffer.from(`${this.fileId} ${position}`);
  }
}

function toIv(position: number): Buffer {
  const iv = Buffer.alloc(IV_BYTES);
  iv.writeUIntBE(position, IV_BYTES - 6, 6);
  return iv;
}

/** Cuts a stream into chunks of {@link CHUNK_BYTES}; the last one may be shorter. Holds one chunk in memory. */
export async function* cutIntoChunks(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of content) {
    for (let rest = part; rest.length > 0;) {
      const taken = rest.subarray(0, CHUNK_BYTES - size);
      parts.push(taken);
      size += taken.length;
      rest = rest.subarray(taken.length);
      if (size < CHUNK_BYTES) continue;
      yield Buffer.concat(parts, size);
      parts = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(parts, size);
}
