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

/** A grant that is locked for the exchange. */
export interface LockedGrant extends Grant {
  /** ID of the issued API key; null until one is issued. */
  readonly keyId: string | null;
  readonly isExpired: boolean;
  /** Whether the approver's key is neither revoked nor expired. */
  readonly isApproverActive: boolean;
  /** Time at which the approver's key expires; null if it does not. */
  readonly approverExpiresAt: Instant | null;
  readonly workspaceName: string;
}

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
    `SELECT g.id, g.secret_hash AS "secretHash", g.client_id AS "clientId", g.name, g.origin, g.scopes,
       g.redirect_uri AS "redirectUri", g.code_challenge AS "codeChallenge", g.approved_by AS "approvedBy",
       g.key_id AS "keyId", g.expires_at <= now() AS "isExpired", w.name AS "workspaceName",
       k.expires_at AS "approverExpiresAt",
       k.id IS NOT NULL AND k.revoked_at IS NULL AND (k.expires_at > now()) IS NOT FALSE
         OR g.approved_by->>'kind' = 'person' AND EXISTS (
           SELECT FROM memberships member WHERE member.workspace_id = g.workspace_id
             AND member.user_id = (g.approved_by->>'id')::uuid AND member.role IN ('owner', 'admin')) AS "isApproverActive"
     FROM oauth_grants g JOIN workspaces w ON w.id = g.workspace_id
       LEFT JOIN api_keys k ON k.workspace_id = g.workspace_id AND k.id = (g.approved_by->>'id')::uuid
     WHERE g.workspace_id = $1 AND g.id = $2 AND g.secret_hash = $3 FOR UPDATE OF g`,
    [tx.workspace, id, secretHash],
  );
  return row;
}

/** Records the API key that was issued for a grant. */
export async function recordIssuedKey(tx: Tx, id: string, keyId: string): Promise<void> {
  const em = await tx.entityManager();
  await em.nativeUpdate(GrantEntity, { workspaceId: tx.workspace, id }, { keyId });
}
