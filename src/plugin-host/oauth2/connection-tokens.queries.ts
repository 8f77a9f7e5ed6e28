import { type Instant, toIsoOrNull } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { SealedFields } from '../connections/connection.js';

/** Tokens as they are stored. */
export interface StoredTokens {
  readonly sealed: SealedFields;
  /** When the access token expires; null if it is unknown. */
  readonly expiresAt: Instant | null;
}

/** Reads the tokens of a connection, also of one whose provider still has to learn that it has ended. */
export async function readTokens(tx: Tx, id: string): Promise<StoredTokens | undefined> {
  const [found] = await tx.query<StoredTokens>(
    `SELECT tokens AS sealed, tokens_expire_at AS "expiresAt" FROM connections
     WHERE workspace_id = $1 AND id = $2 AND tokens IS NOT NULL`,
    [tx.workspace, id],
  );
  return found;
}

/** Reserves the refresh of the tokens for `leaseMs`; returns undefined while another process has it. */
export async function leaseTokens(tx: Tx, id: string, leaseMs: number): Promise<StoredTokens | undefined> {
  const [leased] = await tx.query<StoredTokens>(
    `UPDATE connections SET tokens_leased_until = now() + make_interval(secs => $3)
     WHERE workspace_id = $1 AND id = $2 AND tokens IS NOT NULL
       AND (tokens_leased_until IS NULL OR tokens_leased_until <= now())
     RETURNING tokens AS sealed, tokens_expire_at AS "expiresAt"`,
    [tx.workspace, id, leaseMs / 1000],
  );
  return leased;
}

/** Ends a reservation, at the commit. */
export function releaseTokens(tx: Tx, id: string): void {
  tx.deferToCommit('UPDATE connections SET tokens_leased_until = NULL WHERE workspace_id = $1 AND id = $2', [
    tx.workspace,
    id,
  ]);
}

/** Replaces the tokens of a connection, at the commit. */
export function saveTokens(tx: Tx, id: string, { sealed, expiresAt }: StoredTokens): void {
  tx.deferToCommit(
    `UPDATE connections SET tokens = $3, tokens_expire_at = $4
     WHERE workspace_id = $1 AND id = $2 AND tokens IS NOT NULL`,
    [tx.workspace, id, sealed, toIsoOrNull(expiresAt)],
  );
}
