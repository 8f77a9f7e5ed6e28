import { z } from 'zod';
import type { Transaction } from '#kernel/db/transaction.js';
import { newId } from '#kernel/ids.js';
import { hashSecret } from '../grants/grant-code.js';

/** How long a person may take to sign in at the provider, in seconds. */
export const ATTEMPT_SECONDS = 600;

const ATTEMPT = z.object({
  /** SHA-256 of the secret in the cookie of the browser that began, in base64url. */
  browser: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Page of the console that opens afterwards. */
  to: z.string(),
  /** SHA-256 of the token of the invitation that is accepted, in base64url. */
  invitation: z.string().optional(),
  /** The user whose account is connected. */
  userId: z.string().optional(),
});

/** A sign-in at the provider that a browser has begun. */
export type Attempt = z.output<typeof ATTEMPT>;

/** Saves an attempt, which is finished once. @param state secret that the provider sends back */
export async function insertAttempt(tx: Transaction, state: string, attempt: Attempt): Promise<void> {
  await tx.query(
    `INSERT INTO rapport_auth.verifications (id, identifier, value, expires_at, created_at, updated_at)
     VALUES ($1, $2, $3, now() + interval '${ATTEMPT_SECONDS} seconds', now(), now())`,
    [newId(), toIdentifier(state), JSON.stringify(attempt)],
  );
}

/** Uses up the attempt of a state. @returns undefined if there is none, or it was begun in another browser */
export async function useAttempt(tx: Transaction, state: string, browser: string): Promise<Attempt | undefined> {
  const [row] = await tx.query<{ value: string }>(
    `DELETE FROM rapport_auth.verifications
     WHERE identifier = $1 AND value::jsonb ->> 'browser' = $2 AND expires_at > now() RETURNING value`,
    [toIdentifier(state), hashSecret(browser).toString('base64url')],
  );
  return row && ATTEMPT.parse(JSON.parse(row.value));
}

function toIdentifier(state: string): string {
  return `single-sign-on ${hashSecret(state).toString('base64url')}`;
}

/** Returns the user of an identity; undefined if nobody has connected it. */
export async function readUserOfIdentity(
  tx: Transaction,
  provider: string,
  subject: string,
): Promise<string | undefined> {
  const sql = 'SELECT user_id FROM rapport_auth.credentials WHERE provider_id = $1 AND account_id = $2';
  const [row] = await tx.query<{ user_id: string }>(sql, [provider, subject]);
  return row?.user_id;
}

/** Connects an identity with a user, in place of another one of the same provider. @returns false if another user has it */
export async function connectIdentity(
  tx: Transaction,
  provider: string,
  subject: string,
  userId: string,
): Promise<boolean> {
  await disconnectIdentity(tx, provider, userId);
  const rows = await tx.query(
    `INSERT INTO rapport_auth.credentials (id, user_id, provider_id, account_id, created_at, updated_at)
     VALUES ($1, $2, $3, $4, now(), now()) ON CONFLICT (provider_id, account_id) DO NOTHING RETURNING id`,
    [newId(), userId, provider, subject],
  );
  return rows.length > 0;
}

/** Removes the identity of a user at a provider. @returns false if there was none */
export async function disconnectIdentity(tx: Transaction, provider: string, userId: string): Promise<boolean> {
  const sql = 'DELETE FROM rapport_auth.credentials WHERE provider_id = $1 AND user_id = $2 RETURNING id';
  return (await tx.query(sql, [provider, userId])).length > 0;
}
