import { Inject, Injectable } from '@nestjs/common';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { validate as isUuid } from 'uuid';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import type { Transaction } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { newId } from '#kernel/ids.js';
import { hashSecret } from '../grants/grant-code.js';
import { FailedAttempts, OAuthRateLimiter } from '../oauth/oauth.rate-limiter.js';
import { SecondFactorService } from '../second-factor/second-factor.service.js';
import { AuthDatabase } from '../users/auth-database.js';
import type { SignInClient } from '../users/sign-in.http.js';
import {
  type AccountCaller,
  type Credentials,
  type SignedIn,
  SignInService,
  type User,
} from '../users/sign-in.service.js';
import { recordForUser } from '../users/user-audit.js';
import {
  parseRegistration,
  parseSignIn,
  readChallenge,
  type RelyingParty,
  toRelyingParty,
  verifyRegistration,
  verifySignIn,
} from './passkey-credentials.js';
import {
  deletePasskey,
  insertPasskey,
  lockPasskey,
  type Passkey,
  readPasskeys,
  readStoredPasskeys,
  recordPasskeyUse,
} from './passkeys.queries.js';

/** Most passkeys of a person. */
export const MAX_PASSKEYS = 20;
/** How long a browser may take to answer a challenge, in seconds. */
const CHALLENGE_SECONDS = 300;
/** What a challenge of a sign-in is for: it is not known yet who signs in. */
const ANYBODY = 'anybody';

/** Lets people sign in by passkeys (WebAuthn): keys of their devices, which a fingerprint, a face or a PIN unlocks. */
@Injectable()
export class PasskeysService {
  private readonly party: RelyingParty;

  constructor(
    @Inject(ENV) { publicUrl }: Pick<Env, 'publicUrl'>,
    private readonly database: AuthDatabase,
    private readonly signIns: SignInService,
    private readonly secondFactors: SecondFactorService,
    private readonly failures: FailedAttempts,
    private readonly limits: OAuthRateLimiter,
  ) {
    this.party = toRelyingParty(publicUrl);
  }

  /** Lists the passkeys of a person, the oldest first. */
  list(userId: string): Promise<Passkey[]> {
    return this.database.run(tx => readPasskeys(tx, userId));
  }

  /**
   * Returns what a browser needs to create a passkey.
   * @throws HubError `sign_in_failed` if the password is wrong, `second_factor_required` or `second_factor_failed` if the
   *   account has a second factor and the code is missing or wrong, `quota_exceeded`
   */
  async beginRegistration(
    caller: AccountCaller,
    proof: Pick<Credentials, 'password' | 'code'>,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    await this.secondFactors.reauthenticate(caller, proof);
    const { user } = caller;
    const known = await this.database.run(tx => readStoredPasskeys(tx, user.id));
    if (known.length >= MAX_PASSKEYS) throw HubError.quotaExceeded('passkeys', MAX_PASSKEYS, known.length);
    const { generateRegistrationOptions } = await import('@simplewebauthn/server');
    const options = await generateRegistrationOptions({
      rpName: 'Rapport',
      rpID: this.party.id,
      userID: new TextEncoder().encode(user.id),
      userName: user.email,
      userDisplayName: user.name,
      timeout: CHALLENGE_SECONDS * 1_000,
      excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    await this.database.run(tx => saveChallenge(tx, options.challenge, user.id));
    return options;
  }

  /**
   * Adds the passkey that a browser has created.
   * @throws HubError `passkey_failed` if it does not answer a challenge of {@link beginRegistration}, or is known already
   */
  async register({ id: userId }: User, name: string, credential: unknown): Promise<Passkey> {
    const response = parseRegistration(credential);
    const challenge = readChallenge(response);
    const isExpected = challenge !== undefined && (await this.database.run(tx => takeChallenge(tx, challenge, userId)));
    const verified = isExpected ? await verifyRegistration(response, challenge, this.party) : undefined;
    if (!verified) throw new HubError('passkey_failed');
    const { credential: created, credentialDeviceType } = verified;
    const passkey = await this.database.run(async tx => {
      const added = await insertPasskey(tx, {
        id: newId(),
        userId,
        name,
        credentialId: created.id,
        publicKey: Buffer.from(created.publicKey),
        signCount: created.counter,
        transports: response.response.transports ?? [],
        isSynced: credentialDeviceType === 'multiDevice',
      });
      if (added) await recordForUser(tx, userId, 'member.add_passkey');
      return added;
    });
    if (!passkey) throw new HubError('passkey_failed');
    return passkey;
  }

  /** Removes a passkey of a person; it signs nobody in any more. @throws HubError `not_found` */
  async remove({ id: userId }: User, id: string): Promise<void> {
    await this.database.run(async tx => {
      if (!isUuid(id) || !(await deletePasskey(tx, userId, id))) throw new HubError('not_found');
      await recordForUser(tx, userId, 'member.remove_passkey');
    });
  }

  /** Returns what a browser needs to sign in by a passkey. @throws HubError `rate_limited` */
  async beginSignIn({ address }: SignInClient): Promise<PublicKeyCredentialRequestOptionsJSON> {
    await this.limits.countRequest(address);
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
    const options = await generateAuthenticationOptions({
      rpID: this.party.id,
      timeout: CHALLENGE_SECONDS * 1_000,
      userVerification: 'required',
    });
    await this.database.run(tx => saveChallenge(tx, options.challenge, ANYBODY));
    return options;
  }

  /**
   * Signs in the person of a passkey. It needs neither password nor code: the device has checked a fingerprint, a face or a
   * PIN before it signed.
   * @throws HubError `passkey_failed`, `rate_limited`
   */
  signIn(credential: unknown, client: SignInClient): Promise<SignedIn> {
    const response = parseSignIn(credential);
    return this.failures.check(client.address, async () => {
      const challenge = readChallenge(response);
      const isExpected =
        challenge !== undefined && (await this.database.run(tx => takeChallenge(tx, challenge, ANYBODY)));
      const userId = isExpected
        ? await this.database.run(async tx => {
            const passkey = await lockPasskey(tx, response.id);
            const verified = passkey && (await verifySignIn(response, challenge, this.party, passkey));
            if (!verified) return undefined;
            await recordPasskeyUse(tx, passkey.id, verified.newCounter);
            return passkey.userId;
          })
        : undefined;
      if (userId !== undefined) return this.signIns.signInVerified(userId, client);
      await this.failures.count(`passkey ${response.id.slice(0, 100)}`, client.address);
      throw new HubError('passkey_failed');
    });
  }
}

/** Saves a challenge, which takes one response. @param purpose the user who adds a passkey, or {@link ANYBODY} */
async function saveChallenge(tx: Transaction, challenge: string, purpose: string): Promise<void> {
  await tx.query(
    `INSERT INTO rapport_auth.verifications (id, identifier, value, expires_at, created_at, updated_at)
     VALUES ($1, $2, $3, now() + interval '${CHALLENGE_SECONDS} seconds', now(), now())`,
    [newId(), toIdentifier(challenge), purpose],
  );
}

/** Uses up a challenge. @returns false if it was used before, has expired or had another purpose */
async function takeChallenge(tx: Transaction, challenge: string, purpose: string): Promise<boolean> {
  const rows = await tx.query(
    `DELETE FROM rapport_auth.verifications WHERE identifier = $1 AND value = $2 AND expires_at > now() RETURNING id`,
    [toIdentifier(challenge), purpose],
  );
  return rows.length > 0;
}

function toIdentifier(challenge: string): string {
  return `passkey-challenge ${hashSecret(challenge).toString('base64url')}`;
}
