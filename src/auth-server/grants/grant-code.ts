import { createHash, randomBytes } from 'node:crypto';
import { parse, stringify, validate } from 'uuid';

const ID_BYTES = 16;
const RANDOM_BYTES = 32;

/** Which grant a code is for. */
export interface GrantRef {
  readonly workspaceId: string;
  readonly grantId: string;
}

/** SHA-256 of a secret of 256 random bits: what the database knows it by. */
export function hashSecret(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** A new secret of 256 random bits, base64url. */
export function generateSecret(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}

/** A new authorization code. It says where its grant lies, so that no table has to be read across workspaces. */
export function generateGrantCode({ workspaceId, grantId }: GrantRef): string {
  return Buffer.concat([parse(workspaceId), parse(grantId), randomBytes(RANDOM_BYTES)]).toString('base64url');
}

/** Where a code says that its grant lies; undefined for what is no code of ours. */
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
