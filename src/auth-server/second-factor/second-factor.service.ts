import { Inject, Injectable } from '@nestjs/common';
import { OPERATOR } from '#domain/actor/actor.js';
import type { Transaction } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { AuthDatabase } from '../users/auth-database.js';
import { type BetterAuth, BETTER_AUTH, findSessionByCookie } from '../users/better-auth.js';
import { toAuthHeaders, toCookieHeader } from '../users/sign-in.http.js';
import { type AccountCaller, type Credentials, SignInService } from '../users/sign-in.service.js';
import { recordForUser } from '../users/user-audit.js';
import { isAppCode, SecondFactorCodes } from '../users/second-factor-codes.js';

/** Whether a person has a second factor. */
export interface SecondFactorState {
  readonly isEnabled: boolean;
  readonly recoveryCodesLeft: number;
}

/** A second factor that waits for its first code. */
export interface SecondFactorSetup {
  /** Address that an authenticator app reads as a QR code. */
  readonly uri: string;
  /** The secret for apps that cannot read one, in base 32. */
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** By what a person proves that the account is theirs before its second factor is changed. */
export interface SecondFactorProof {
  readonly password: string;
  readonly code: string;
}

/** Sets up the second factors of people: an authenticator app, with recovery codes for the day it is lost. */
@Injectable()
export class SecondFactorService {
  constructor(
    @Inject(BETTER_AUTH) private readonly auth: BetterAuth,
    private readonly database: AuthDatabase,
    private readonly signIns: SignInService,
    private readonly codes: SecondFactorCodes,
  ) {}

  /** Returns whether a person has a second factor, with the number of recovery codes that were not used. */
  async read(userId: string): Promise<SecondFactorState> {
    if (!(await this.isEnabled(userId))) return { isEnabled: false, recoveryCodesLeft: 0 };
    const { backupCodes } = await this.auth.api.viewBackupCodes({ body: { userId } });
    return { isEnabled: true, recoveryCodesLeft: backupCodes.length };
  }

  /**
   * Begins the setup of a second factor. It replaces a setup that was not confirmed, and holds after {@link confirm}.
   * @throws HubError `sign_in_failed` if the password is wrong, `second_factor_enabled`
   */
  async begin({ user, cookie, client }: AccountCaller, password: string): Promise<SecondFactorSetup> {
    await this.signIns.checkPassword(user, password, client);
    await this.requireDisabled(user.id);
    const setup = await this.auth.api.enableTwoFactor({ body: { password }, headers: toAuthHeaders(client, cookie) });
    if (setup.method !== 'totp') throw new Error('better-auth set up another factor than an authenticator app');
    const { totpURI: uri, backupCodes: recoveryCodes } = setup;
    return { uri, secret: new URL(uri).searchParams.get('secret')!, recoveryCodes };
  }

  /**
   * Turns the second factor on by the first code of the authenticator app. All other sessions end.
   * @returns the `Set-Cookie` headers of the session, which is a new one
   * @throws HubError `second_factor_failed`, `not_found` if none was begun, `second_factor_enabled`
   */
  async confirm({ user, cookie, client }: AccountCaller, code: string): Promise<readonly string[]> {
    await this.requireDisabled(user.id);
    // A recovery code would not show that the app has the secret.
    if (!isAppCode(code)) throw new HubError('second_factor_failed');
    const { headers } = await this.codes.pass(user.email, code, cookie, client);
    const cookies = headers.getSetCookie();
    const session = await findSessionByCookie(this.auth, toCookieHeader(cookies));
    if (!session) throw new HubError('second_factor_failed');
    await this.signIns.endOtherSessions(user.id, session.session.id);
    await this.database.run(tx => recordForUser(tx, user.id, 'member.enable_second_factor'));
    return cookies;
  }

  /**
   * Turns the second factor off.
   * @returns the `Set-Cookie` headers of the session, which is a new one
   * @throws HubError `sign_in_failed`, `second_factor_failed`, `not_found` if there is none
   */
  async disable(caller: AccountCaller, proof: SecondFactorProof): Promise<readonly string[]> {
    await this.requireEnabled(caller.user.id);
    const headers = await this.reauthenticate(caller, proof);
    const { password } = proof;
    const answer = await this.auth.api.disableTwoFactor({ body: { password }, headers, returnHeaders: true });
    await this.database.run(tx => recordForUser(tx, caller.user.id, 'member.disable_second_factor'));
    return answer.headers.getSetCookie();
  }

  /**
   * Replaces all recovery codes.
   * @throws HubError as {@link disable} does
   */
  async replaceRecoveryCodes(caller: AccountCaller, proof: SecondFactorProof): Promise<readonly string[]> {
    await this.requireEnabled(caller.user.id);
    const headers = await this.reauthenticate(caller, proof);
    const { backupCodes } = await this.auth.api.generateBackupCodes({ body: { password: proof.password }, headers });
    return backupCodes;
  }

  /**
   * Checks that the account is the caller's, before how they sign in is changed: by the password, and by a code if the
   * account has a second factor.
   * @returns the headers of the caller for better-auth
   * @throws HubError `sign_in_failed`, `second_factor_required`, `second_factor_failed`
   */
  async reauthenticate(
    { user, cookie, client }: AccountCaller,
    { password, code }: Pick<Credentials, 'password' | 'code'>,
  ): Promise<Headers> {
    await this.signIns.checkPassword(user, password, client);
    if (await this.isEnabled(user.id)) await this.codes.pass(user.email, code, cookie, client);
    return toAuthHeaders(client, cookie);
  }

  private async requireEnabled(userId: string): Promise<void> {
    if (!(await this.isEnabled(userId)))
      throw new HubError('not_found', { detail: 'This account has no second factor.' });
  }

  private async requireDisabled(userId: string): Promise<void> {
    if (await this.isEnabled(userId)) throw new HubError('second_factor_enabled');
  }

  private async isEnabled(userId: string): Promise<boolean> {
    const sql = 'SELECT FROM rapport_auth.users WHERE id = $1 AND two_factor_enabled';
    return (await this.database.run(tx => tx.query(sql, [userId]))).length > 0;
  }
}

/**
 * Removes the second factor of a person who lost it, for the operator. Sessions stay as they are.
 * @returns false if nobody with the address has one
 */
export async function removeSecondFactor(tx: Transaction, email: string): Promise<boolean> {
  const [user] = await tx.query<{ id: string }>(
    `WITH removed AS (DELETE FROM rapport_auth.second_factors factor USING rapport_auth.users own
       WHERE own.id = factor.user_id AND own.email = $1 RETURNING factor.user_id)
     UPDATE rapport_auth.users own SET two_factor_enabled = false FROM removed WHERE own.id = removed.user_id
     RETURNING own.id`,
    [email.toLowerCase()],
  );
  if (user) await recordForUser(tx, user.id, 'member.disable_second_factor', OPERATOR);
  return user !== undefined;
}
