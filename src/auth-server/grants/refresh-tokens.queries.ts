import { toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { APPROVER_COLUMNS, APPROVER_JOIN, type GrantedAccess } from './grants.queries.js';

/** How long after a refresh the token before it is still taken, in seconds: the reply may have been lost. */
const RETRY_SECONDS = 60;

/** The refresh token of a sign-in, locked until the transaction ends. */
export interface LockedRefreshToken extends GrantedAccess {
  /** ID of the API key that was issued last. */
  readonly keyId: string;
  /** Whether the token that was sent is the valid one, or the one before within {@link RETRY_SECONDS}. */
  readonly isValid: boolean;
  readonly isExpired: boolean;
  /** Whether the API key that was issued last was revoked. */
  readonly isKeyRevoked: boolean;
  readonly isApproverActive: boolean;
}

/**
 * Stores the hash of the refresh token of a sign-in. One that it has becomes the previous one.
 * @param ttlDays days until the token expires, but never after the approver's key
 */
export async function saveRefreshToken(
  tx: Tx,
  { id, clientId, name, scopes, approvedBy, approverExpiresAt }: GrantedAccess,
  { secretHash, keyId, ttlDays }: { readonly secretHash: Buffer; readonly keyId: string; readonly ttlDays: number },
): Promise<void> {
  await tx.query(
    `INSERT INTO oauth_refresh_tokens (workspace_id, id, secret_hash, client_id, name, scopes, approved_by, key_id,
       expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, least(now() + make_interval(days => $9), $10::timestamptz))
     ON CONFLICT (workspace_id, id) DO UPDATE SET previous_hash = oauth_refresh_tokens.secret_hash,
       secret_hash = excluded.secret_hash, key_id = excluded.key_id, issued_at = now(), expires_at = excluded.expires_at`,
    [
      tx.workspace,
      id,
      secretHash,
      clientId,
      name,
      scopes,
      JSON.stringify(approvedBy),
      keyId,
      ttlDays,
      approverExpiresAt === null ? null : toIso(approverExpiresAt),
    ],
  );
}

/** Finds and locks the refresh token of a sign-in, valid or not. Of two concurrent refreshes, the second one waits. */
export async function lockRefreshToken(
  tx: Tx,
  id: string,
  secretHash: Buffer,
): Promise<LockedRefreshToken | undefined> {
  const [row] = await tx.query<LockedRefreshToken>(
    `SELECT token.id, token.client_id AS "clientId", token.name, 'oauth' AS origin, token.scopes,
       token.approved_by AS "approvedBy", token.key_id AS "keyId", workspace.name AS "workspaceName",
       token.expires_at <= now() AS "isExpired",
       token.secret_hash = $3 OR (token.previous_hash = $3
         AND token.issued_at > now() - make_interval(secs => ${RETRY_SECONDS})) IS TRUE AS "isValid",
       EXISTS (SELECT FROM api_keys issued WHERE issued.workspace_id = token.workspace_id AND issued.id = token.key_id
         AND issued.revoked_at IS NOT NULL) AS "isKeyRevoked",
       ${APPROVER_COLUMNS}
     FROM oauth_refresh_tokens token JOIN workspaces workspace ON workspace.id = token.workspace_id
       ${APPROVER_JOIN}
     WHERE token.workspace_id = $1 AND token.id = $2 FOR UPDATE OF token`,
    [tx.workspace, id, secretHash],
  );
  return row;
}

/** Deletes the refresh token of a sign-in. @returns the ID of the API key that was issued last; undefined if there is none */
export async function deleteRefreshToken(tx: Tx, id: string): Promise<string | undefined> {
  const [row] = await tx.query<{ key_id: string }>(
    'DELETE FROM oauth_refresh_tokens WHERE workspace_id = $1 AND id = $2 RETURNING key_id',
    [tx.workspace, id],
  );
  return row?.key_id;
}
