import type { Actor } from '#domain/actor/actor.js';
import type { Instant } from '#domain/time/instant.js';
import type { Scope } from '#kernel/auth/caller.js';
import type { Tx } from '#kernel/db/transaction.js';
import { GrantEntity } from '../oauth.entities.js';

/** A consent that waits to be exchanged for an API key. */
export interface Grant {
  readonly id: string;
  /** SHA-256 of the authorization code or device code. */
  readonly secretHash: Buffer;
  readonly clientId: string;
  /** Name of the future API key. */
  readonly name: string;
  readonly origin: 'oauth' | 'cli';
  readonly scopes: readonly Scope[];
  /** Null for a device, like `codeChallenge`. */
  readonly redirectUri: string | null;
  readonly codeChallenge: string | null;
  /** The admin who approved. */
  readonly approvedBy: Actor;
}

/** Access that an admin has granted to a program. */
export interface GrantedAccess extends Pick<Grant, 'id' | 'clientId' | 'name' | 'origin' | 'scopes' | 'approvedBy'> {
  /** Time at which the approver's key expires; null if it does not. */
  readonly approverExpiresAt: Instant | null;
  readonly workspaceName: string;
}

/** A grant that is locked for the exchange. */
export interface LockedGrant extends Grant, GrantedAccess {
  /** ID of the issued API key; null until one is issued. */
  readonly keyId: string | null;
  readonly isExpired: boolean;
  /** Whether the approver's key is neither revoked nor expired, or the approving person still may approve. */
  readonly isApproverActive: boolean;
}

/** Joins the key of who approved. The row that was approved is called `token`. */
export const APPROVER_JOIN = `LEFT JOIN api_keys approver
  ON approver.workspace_id = token.workspace_id AND approver.id = (token.approved_by->>'id')::uuid`;

/** Tells whether who approved still may do so, and until when. Needs {@link APPROVER_JOIN}. */
export const APPROVER_COLUMNS = `approver.expires_at AS "approverExpiresAt",
  approver.id IS NOT NULL AND approver.revoked_at IS NULL AND (approver.expires_at > now()) IS NOT FALSE
    OR token.approved_by->>'kind' = 'person' AND EXISTS (
      SELECT FROM memberships member WHERE member.workspace_id = token.workspace_id
        AND member.user_id = (token.approved_by->>'id')::uuid AND member.role IN ('owner', 'admin')) AS "isApproverActive"`;

/**
 * Saves a grant that expires in `ttlSeconds`. Approving again, as after a crash, replaces it unless a key was issued.
 */
export async function upsertGrant(tx: Tx, grant: Grant, ttlSeconds: number): Promise<void> {
  await tx.query(
    `INSERT INTO oauth_grants (workspace_id, id, secret_hash, client_id, name, origin, scopes, redirect_uri,
       code_challenge, approved_by, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + make_interval(secs => $11))
     ON CONFLICT (workspace_id, id) DO UPDATE SET secret_hash = excluded.secret_hash, scopes = excluded.scopes,
       approved_by = excluded.approved_by, expires_at = excluded.expires_at WHERE oauth_grants.key_id IS NULL`,
    [
      tx.workspace,
      grant.id,
      grant.secretHash,
      grant.clientId,
      grant.name,
      grant.origin,
      grant.scopes,
      grant.redirectUri,
      grant.codeChallenge,
      JSON.stringify(grant.approvedBy),
      ttlSeconds,
    ],
  );
}

/** Finds and locks the grant of a code. Of two concurrent exchanges, the second one waits and finds the issued key. */
export async function lockGrant(tx: Tx, id: string, secretHash: Buffer): Promise<LockedGrant | undefined> {
  const [row] = await tx.query<LockedGrant>(
    `SELECT token.id, token.secret_hash AS "secretHash", token.client_id AS "clientId", token.name, token.origin,
       token.scopes, token.redirect_uri AS "redirectUri", token.code_challenge AS "codeChallenge",
       token.approved_by AS "approvedBy", token.key_id AS "keyId", token.expires_at <= now() AS "isExpired",
       workspace.name AS "workspaceName", ${APPROVER_COLUMNS}
     FROM oauth_grants token JOIN workspaces workspace ON workspace.id = token.workspace_id
       ${APPROVER_JOIN}
     WHERE token.workspace_id = $1 AND token.id = $2 AND token.secret_hash = $3 FOR UPDATE OF token`,
    [tx.workspace, id, secretHash],
  );
  return row;
}

/** Records the API key that was issued for a grant. */
export async function recordIssuedKey(tx: Tx, id: string, keyId: string): Promise<void> {
  const em = await tx.entityManager();
  await em.nativeUpdate(GrantEntity, { workspaceId: tx.workspace, id }, { keyId });
}
