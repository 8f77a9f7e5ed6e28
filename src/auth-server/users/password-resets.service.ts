import { Inject, Injectable } from '@nestjs/common';
import { DAY_US, type Instant, toIso } from '#domain/time/instant.js';
import { OPERATOR } from '#domain/actor/actor.js';
import type { Transaction } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { newId } from '#kernel/ids.js';
import { generateSecret, hashSecret } from '../grants/grant-code.js';
import { AuthDatabase } from './auth-database.js';
import { type BetterAuth, BETTER_AUTH } from './better-auth.js';
import { setPassword } from './credentials.js';
import { SessionCallerCache } from './session-caller.cache.js';
import { recordForUser } from './user-audit.js';

/** How long a reset works. */
const RESET_TTL_US = DAY_US;

/** A reset of a forgotten password, which the operator passes on. */
export interface PasswordReset {
  readonly token: string;
  readonly expiresAt: Instant;
}

/**
 * Creates a reset of the password of a user, which replaces an earlier one, and records it in the workspaces of the user.
 * Only the hash of its token is stored.
 * @returns undefined if nobody has the address
 */
export async function createPasswordReset(tx: Transaction, email: string): Promise<PasswordReset | undefined> {
  const address = email.toLowerCase();
  const [user] = await tx.query<{ id: string }>('SELECT id FROM rapport_auth.users WHERE email = $1', [address]);
  if (!user) return undefined;
  const token = generateSecret();
  const now = await tx.now();
  const expiresAt = now + RESET_TTL_US;
  await tx.query(
    "DELETE FROM rapport_auth.verifications WHERE value = $1 AND starts_with(identifier, 'password-reset ')",
    [user.id],
  );
  await tx.query(
    `INSERT INTO rapport_auth.verifications (id, identifier, value, expires_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $5)`,
    [newId(), toIdentifier(token), user.id, toIso(expiresAt), toIso(now)],
  );
  await recordForUser(tx, user.id, 'member.reset_password', OPERATOR);
  return { token, expiresAt };
}

/** Sets new passwords of people who forgot theirs. */
@Injectable()
export class PasswordResetsService {
  constructor(
    @Inject(BETTER_AUTH) private readonly auth: BetterAuth,
    private readonly database: AuthDatabase,
    private readonly callers: SessionCallerCache,
  ) {}

  /**
   * Sets the password of the user of a reset, once, and ends all their sessions.
   * @throws HubError `not_found` if the reset was used or replaced, or has expired
   */
  async reset(token: string, password: string): Promise<void> {
    const { password: passwords } = await this.auth.$context;
    // A wrong token costs no hash, which takes a processor for a tenth of a second.
    const sql = 'SELECT FROM rapport_auth.verifications WHERE identifier = $1 AND expires_at > now()';
    const known = await this.database.run(tx => tx.query(sql, [toIdentifier(token)]));
    if (known.length === 0) throw unknownResetError();
    const hash = await passwords.hash(password);
    await this.database.run(async tx => {
      const [row] = await tx.query<{ user_id: string }>(
        `DELETE FROM rapport_auth.verifications WHERE identifier = $1 AND expires_at > now()
         RETURNING value AS user_id`,
        [toIdentifier(token)],
      );
      if (!row) throw unknownResetError();
      await setPassword(this.auth, row.user_id, hash);
      await tx.query('DELETE FROM rapport_auth.sessions WHERE user_id = $1', [row.user_id]);
    });
    this.callers.clear();
  }
}

function unknownResetError(): HubError {
  return new HubError('not_found', {
    detail: 'This reset was used or replaced, or has expired. Ask the operator of the hub for another one.',
  });
}

function toIdentifier(token: string): string {
  return `password-reset ${hashSecret(token).toString('base64url')}`;
}
