import { createHash, randomBytes, randomInt } from 'node:crypto';
import { parse, stringify, validate } from 'uuid';

const ID_BYTES = 16;
const RANDOM_BYTES = 32;

/** Identifies the grant of a code. */
export interface GrantRef {
  readonly workspaceId: string;
  readonly grantId: string;
}

/** Returns the SHA-256 under which a secret of 256 random bits is stored. */
export function hashSecret(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Generates a secret of 256 random bits, in base64url. */
export function generateSecret(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}

/**
 * Generates an authorization code. It contains the IDs of its workspace and grant, so no lookup across workspaces is
 * needed.
 */
export function generateGrantCode({ workspaceId, grantId }: GrantRef): string {
  return Buffer.concat([parse(workspaceId), parse(grantId), randomBytes(RANDOM_BYTES)]).toString('base64url');
}

/** Parses the IDs in an authorization code; returns undefined if it is malformed. The code is not verified. */
export function parseGrantCode(code: string): GrantRef | undefined {
  const bytes = Buffer.from(code, 'base64url');
  if (bytes.length !== 2 * ID_BYTES + RANDOM_BYTES || bytes.toString('base64url') !== code) return undefined;
  const workspaceId = tryStringifyUuid(bytes.subarray(0, ID_BYTES));
  const grantId = tryStringifyUuid(bytes.subarray(ID_BYTES, 2 * ID_BYTES));
  return workspaceId && grantId ? { workspaceId, grantId } : undefined;
}

function tryStringifyUuid(bytes: Uint8Array): string | undefined {
  try {
    const id = stringify(bytes);
    return validate(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Consonants only, so that codes are not misread and do not form words (RFC 8628, section 6.1). */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const CODE_LENGTH = 8;

/** Generates a code for people to type, such as `WDJB-MJHT`: one of 20⁸. */
export function generateUserCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Normalizes a typed code, ignoring case, spaces and dashes; returns undefined if it cannot be a code. */
export function parseUserCode(typed: string): string | undefined {
  const letters = typed
    .slice(0, 60)
    .toUpperCase()
    .replace(/[^A-Z]/g, '');
  const isCode = letters.length === CODE_LENGTH && [...letters].every(letter => ALPHABET.includes(letter));
  return isCode ? `${letters.slice(0, 4)}-${letters.slice(4)}` : undefined;
}
