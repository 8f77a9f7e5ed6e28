import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { newId } from '#kernel/ids.js';
import { FailedAttempts } from '../oauth/oauth.rate-limiter.js';
import { AuthDatabase } from './auth-database.js';
import { type BetterAuth, BETTER_AUTH } from './better-auth.js';
import { type SignInClient, toAuthHeaders } from './sign-in.http.js';
import { requireSecret } from './second-factor-secrets.js';

/** Codes of authenticator apps; every other code is taken for a recovery code. */
const APP_CODE = /^\d{6}$/;

/** Returns whether a code is one of an authenticator app by its form. Spaces in it do not count. */
export function isAppCode(code: string): boolean {
  return APP_CODE.test(removeSpaces(code));
}

/** What better-auth answers to a right code. */
export interface PassedCode {
  readonly response: { readonly user: { readonly id: string; readonly name: string; readonly email: string } };
  /** They have the cookies of a new session, if the code ended a sign-in. */
  readonly headers: Headers;
}

interface SecondFactorRow {
  readonly user_id: string;
  readonly secret: string;
  readonly is_locked: boolean;
}

/** Wrong codes in a row after which an account takes none for {@link LOCK_SECONDS}. They need the right password each. */
const MAX_WRONG_CODES = 10;
/** How long an account takes no code after {@link MAX_WRONG_CODES} wrong ones, in seconds. */
const LOCK_SECONDS = 900;

const COUNT_WRONG = `
  UPDATE rapport_auth.second_factors SET failed_attempts = (failed_attempts + 1) % ${MAX_WRONG_CODES},
    lock_ends_at = CASE WHEN failed_attempts + 1 >= ${MAX_WRONG_CODES} THEN now() + interval '${LOCK_SECONDS} seconds' END
  WHERE user_id = $1`;
const FORGET_WRONG =
  'UPDATE rapport_auth.second_factors SET failed_attempts = 0, lock_ends_at = NULL WHERE user_id = $1';

/** Checks codes of authenticator apps and recovery codes, each of which is accepted once. */
@Injectable()
export class SecondFactorCodes {
  constructor(
    @Inject(BETTER_AUTH) private readonly auth: BetterAuth,
    private readonly database: AuthDatabase,
    private readonly failures: FailedAttempts,
  ) {}

  /**
   * Accepts a code of a person whose password was right, or whose session it is. The response to a wrong code is delayed as
   * that to a wrong password is.
   * @param email address of the account in lower case
   * @param cookie of the session, or of the sign-in that waits for the code
   * @throws HubError `second_factor_required` if there is no code, `second_factor_failed`, `rate_limited` after too
   *   many wrong ones, `not_found` if the account has no second factor
   */
  async pass(email: string, code: string | undefined, cookie: string, client: SignInClient): Promise<PassedCode> {
    const typed = removeSpaces(code ?? '');
    if (typed === '') throw new HubError('second_factor_required');
    const passed = await this.database.run(tx => this.check(tx, email, typed, toAuthHeaders(client, cookie)));
    if (passed === 'locked')
      throw new HubError('rate_limited', {
        detail: `Too many wrong codes in a row. Wait ${LOCK_SECONDS / 60} minutes before the next one.`,
        retryAfterSeconds: LOCK_SECONDS,
      });
    if (passed !== 'wrong') return passed;
    await this.failures.count(`account ${email}`, client.address);
    throw new HubError('second_factor_failed');
  }

  /** Checks a code under a lock on the account, so that one code never passes twice. */
  private async check(
    tx: Transaction,
    email: string,
    code: string,
    headers: Headers,
  ): Promise<PassedCode | 'wrong' | 'locked'> {
    const [row] = await tx.query<SecondFactorRow>(
      `SELECT factor.user_id, factor.secret, factor.lock_ends_at > now() IS TRUE AS is_locked
       FROM rapport_auth.second_factors factor
       JOIN rapport_auth.users own ON own.id = factor.user_id WHERE own.email = $1 FOR UPDATE OF factor`,
      [email],
    );
    if (!row) throw new HubError('not_found', { detail: 'No second factor was set up for this account.' });
    if (row.is_locked) return 'locked';
    const passed = await this.verify(tx, row, code, headers);
    await tx.query(passed === 'wrong' ? COUNT_WRONG : FORGET_WRONG, [row.user_id]);
    return passed;
  }

  private async verify(
    tx: Transaction,
    row: SecondFactorRow,
    code: string,
    headers: Headers,
  ): Promise<PassedCode | 'wrong'> {
    const { secretConfig } = await this.auth.$context;
    requireSecret(version => typeof secretConfig !== 'string' && secretConfig.keys.has(version), row.secret);
    const call = { body: { code }, headers, returnHeaders: true } as const;
    if (!isAppCode(code)) return this.auth.api.verifyBackupCode(call).catch(toRefusal);
    // A code is right for a minute and a half; who looked over a shoulder must not use it again.
    const identifier = `used-code ${row.user_id} ${code}`;
    const used = await tx.query('SELECT FROM rapport_auth.verifications WHERE identifier = $1 AND expires_at > now()', [
      identifier,
    ]);
    if (used.length > 0) return 'wrong';
    const passed = await this.auth.api.verifyTOTP(call).catch(toRefusal);
    if (typeof passed !== 'string')
      await tx.query(
        `INSERT INTO rapport_auth.verifications (id, identifier, value, expires_at, created_at, updated_at)
         VALUES ($1, $2, $3, now() + interval '2 minutes', now(), now())`,
        [newId(), identifier, row.user_id],
      );
    return passed;
  }
}

function removeSpaces(code: string): string {
  return code.replaceAll(' ', '');
}

/** Better-auth refuses a wrong code with status 400 or 401. */
function toRefusal(error: unknown): 'wrong' {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (status === 400 || status === 401) return 'wrong';
  throw error;
}
