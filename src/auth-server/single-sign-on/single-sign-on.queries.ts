import { z } from 'zod';
import type { Transaction } from '#kernel/db/transaction.js';
import { newId } from '#kernel/ids.js';
import type { User } from '../users/sign-in.service.js';
import { hashSecret } from '../grants/grant-code.js';

/** How long a person may take to sign in at the provider, in seconds. */
export const ATTEMPT_SECONDS = 600;

const ATTEMPT = z.object({
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

/** The secrets of an attempt: only the browser that began it has both. */
export interface AttemptSecrets {
  /** What the provider sends back. */
  readonly state: string;
  /** What the cookie of the browser holds. */
  readonly secret: string;
}

/** Saves an attempt, which is finished once. */
export async function insertAttempt(tx: Transaction, secrets: AttemptSecrets, attempt: Attempt): Promise<void> {
  await tx.query(
    `INSERT INTO rapport_auth.verifications (id, identifier, value, expires_at, created_at, updated_at)
     VALUES ($1, $2, $3, now() + interval '${ATTEMPT_SECONDS} seconds', now(), now())`,
    [newId(), toIdentifier(secrets), JSON.stringify(attempt)],
  );
}

/** Uses up an attempt. @returns undefined if there is none: it was begun in another browser, finished, or has expired */
export async function useAttempt(tx: Transaction, secrets: AttemptSecrets): Promise<Attempt | undefined> {
  const [row] = await tx.query<{ value: string }>(
    'DELETE FROM rapport_auth.verifications WHERE identifier = $1 AND expires_at > now() RETURNING value',
    [toIdentifier(secrets)],
  );
  return row && ATTEMPT.parse(JSON.parse(row.value));
}

function toIdentifier({ state, secret }: AttemptSecrets): string {
  return `single-sign-on ${hashSecret(`${state} ${secret}`).toString('base64url')}`;
}

/** Returns the user of an identity; undefined if nobody has connected it. */
export async function readUserOfIdentity(
  tx: Transaction,
  provider: string,
  subject: string,
): Promise<Pick<User, 'id' | 'email'> | undefined> {
  const [row] = await tx.query<Pick<User, 'id' | 'email'>>(
    `SELECT own.id, own.email FROM rapport_auth.credentials identity JOIN rapport_auth.users own ON own.id = identity.user_id
     WHERE identity.provider_id = $1 AND identity.account_id = $2`,
    [provider, subject],
  );
  return row;
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
