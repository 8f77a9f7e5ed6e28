import type { Instant } from '#domain/time/instant.js';
import type { Transaction } from '#kernel/db/transaction.js';

/** A passkey in the list of its person. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  /** Whether it is on several devices of the person, such as those of one account of Apple or Google. */
  readonly isSynced: boolean;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

/** A passkey with what its signatures are verified by. */
export interface StoredPasskey {
  readonly id: string;
  readonly userId: string;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly transports: string[];
}

/** A passkey that is added. */
export interface NewPasskey extends StoredPasskey {
  readonly name: string;
  readonly isSynced: boolean;
}

const LISTED = `id, name, is_synced AS "isSynced", created_at AS "createdAt", last_used_at AS "lastUsedAt"`;
const STORED = `id, user_id AS "userId", credential_id AS "credentialId", public_key AS "publicKey",
  sign_count::float8 AS "signCount", transports`;

/** Returns the passkeys of a person, the oldest first. */
export function readPasskeys(tx: Transaction, userId: string): Promise<Passkey[]> {
  const sql = `SELECT ${LISTED} FROM rapport_auth.passkeys WHERE user_id = $1 ORDER BY created_at, id`;
  return tx.query<Passkey>(sql, [userId]);
}

/** Returns the passkeys of a person with their keys. */
export function readStoredPasskeys(tx: Transaction, userId: string): Promise<StoredPasskey[]> {
  return tx.query<StoredPasskey>(`SELECT ${STORED} FROM rapport_auth.passkeys WHERE user_id = $1`, [userId]);
}

/** Finds a passkey by the ID that its authenticator has given it, and locks it. */
export async function lockPasskey(tx: Transaction, credentialId: string): Promise<StoredPasskey | undefined> {
  const sql = `SELECT ${STORED} FROM rapport_auth.passkeys WHERE credential_id = $1 FOR UPDATE`;
  const [row] = await tx.query<StoredPasskey>(sql, [credentialId]);
  return row;
}

/** Adds a passkey. @returns undefined if its credential ID is known already */
export async function insertPasskey(tx: Transaction, passkey: NewPasskey): Promise<Passkey | undefined> {
  const { id, userId, name, credentialId, publicKey, signCount, transports, isSynced } = passkey;
  const [row] = await tx.query<Passkey>(
    `INSERT INTO rapport_auth.passkeys (id, user_id, name, credential_id, public_key, sign_count, transports, is_synced)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (credential_id) DO NOTHING RETURNING ${LISTED}`,
    [id, userId, name, credentialId, publicKey, signCount, transports, isSynced],
  );
  return row;
}

/** Notes that a passkey was used, with its new count of signatures. */
export async function recordPasskeyUse(tx: Transaction, id: string, signCount: number): Promise<void> {
  await tx.query('UPDATE rapport_auth.passkeys SET sign_count = $2, last_used_at = now() WHERE id = $1', [
    id,
    signCount,
  ]);
}

/** Deletes a passkey of a person. @returns false if they have no such passkey */
export async function deletePasskey(tx: Transaction, userId: string, id: string): Promise<boolean> {
  const sql = 'DELETE FROM rapport_auth.passkeys WHERE user_id = $1 AND id = $2 RETURNING id';
  return (await tx.query(sql, [userId, id])).length > 0;
}
