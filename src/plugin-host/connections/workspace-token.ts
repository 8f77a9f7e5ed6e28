import { createHash, randomBytes } from 'node:crypto';

/** Returns the SHA-256 by which a token of {@link generateWorkspaceToken} is looked up. */
export function hashWorkspaceToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Returns the workspace ID in a token; undefined if the token is malformed. The token is not verified. */
export function parseWorkspaceId(token: string): string | undefined {
  if (!/^[A-Za-z0-9_-]{54}$/.test(token)) return undefined;
  const hex = Buffer.from(token.slice(0, 22), 'base64url').toString('hex');
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  return token.startsWith(encodeWorkspaceId(id)) ? id : undefined;
}

/**
 * Generates a token for an address: 22 characters that encode the workspace ID, so that a request enters its tenant context
 * without a lookup across tenants, and 32 random ones (192 bits).
 */
export function generateWorkspaceToken(workspaceId: string): string {
  return encodeWorkspaceId(workspaceId) + randomBytes(24).toString('base64url');
}

function encodeWorkspaceId(workspaceId: string): string {
  return Buffer.from(workspaceId.replaceAll('-', ''), 'hex').toString('base64url');
}
