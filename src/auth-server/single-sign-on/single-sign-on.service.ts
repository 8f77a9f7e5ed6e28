import { Inject, Injectable } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { generateSecret, hashSecret } from '../grants/grant-code.js';
import { OAuthRateLimiter } from '../oauth/oauth.rate-limiter.js';
import { SecondFactorService } from '../second-factor/second-factor.service.js';
import { AuthDatabase } from '../users/auth-database.js';
import { toProviderId } from '../users/credentials.js';
import { InvitationsService } from '../users/invitations.service.js';
import type { SignInClient } from '../users/sign-in.http.js';
import { type AccountCaller, type Credentials, type SignedIn, SignInService } from '../users/sign-in.service.js';
import { recordForUser } from '../users/user-audit.js';
import { OidcProvider, type ProviderIdentity } from './oidc-provider.js';
import {
  type Attempt,
  connectIdentity,
  disconnectIdentity,
  insertAttempt,
  readUserOfIdentity,
  useAttempt,
} from './single-sign-on.queries.js';

/** What a person wants of single sign-on. */
export interface SingleSignOnRequest {
  /** Page of the console that opens afterwards. Default: the first one. */
  readonly to?: string | undefined;
  /** Token of the invitation that the person accepts. */
  readonly invitation?: string | undefined;
}

/** Where a browser goes to sign in, and the secret by which it is recognised when it comes back. */
export interface BegunSignIn {
  readonly url: string;
  readonly secret: string;
}

/** Who sends a browser back from the provider, and what the browser sends along. */
export interface SignInReturn {
  readonly query: URLSearchParams;
  /** Secret of {@link BegunSignIn}; undefined in a browser that has begun nothing. */
  readonly secret: string | undefined;
  readonly cookie: string;
  readonly client: SignInClient;
}

/** Where a browser goes on, with the cookies of the session that has begun, if one has. */
export interface FinishedSignIn {
  readonly to: string;
  readonly cookies: readonly string[];
}

const HOME = '/';
const SIGN_IN_PAGE = '/sign-in';

/**
 * Signs people in at the OpenID Connect provider of the operator. An account is found by the identity that its person has
 * connected with it, never by the e-mail address: an address that a provider names says nothing about an account here.
 */
@Injectable()
export class SingleSignOnService {
  constructor(
    @Inject(ENV) private readonly env: Pick<Env, 'publicUrl'>,
    private readonly provider: OidcProvider,
    private readonly database: AuthDatabase,
    private readonly signIns: SignInService,
    private readonly invitations: InvitationsService,
    private readonly secondFactors: SecondFactorService,
    private readonly limits: OAuthRateLimiter,
  ) {}

  /**
   * Begins a sign-in at the provider.
   * @throws HubError `not_found` if the hub has no single sign-on or the invitation cannot be accepted any more,
   *   `rate_limited`, `single_sign_on_unavailable`
   */
  async begin({ to, invitation }: SingleSignOnRequest, { address }: SignInClient): Promise<BegunSignIn> {
    this.provider.requireSettings();
    await this.limits.countRequest(address);
    if (invitation !== undefined) await this.invitations.find(invitation);
    return this.send({
      to: this.toOwnPage(to),
      ...(invitation !== undefined && { invitation: hashSecret(invitation).toString('base64url') }),
    });
  }

  /**
   * Begins a sign-in at the provider that connects the account of the caller with the identity there.
   * @throws HubError as {@link SecondFactorService.reauthenticate} does, `not_found`, `single_sign_on_unavailable`
   */
  async beginConnecting(
    caller: AccountCaller,
    proof: Pick<Credentials, 'password' | 'code'>,
    to: string | undefined,
  ): Promise<BegunSignIn> {
    this.provider.requireSettings();
    await this.secondFactors.reauthenticate(caller, proof);
    return this.send({ to: this.toOwnPage(to), userId: caller.user.id });
  }

  /** Ends a sign-in with which the provider sends a browser back. */
  async finish({ query, secret, cookie, client }: SignInReturn): Promise<FinishedSignIn> {
    const state = query.get('state') ?? '';
    const attempt = await this.database.run(async tx => secret && useAttempt(tx, { state, secret }));
    if (!attempt) return refuse(this.toOwnPage(SIGN_IN_PAGE), new HubError('single_sign_on_failed'));
    try {
      const identity = await this.provider.readIdentity(query, { ...attempt, state });
      if (attempt.userId !== undefined) {
        await this.connect(attempt.userId, identity, cookie);
        return { to: attempt.to, cookies: [] };
      }
      const { cookies } = await this.signIn(identity, attempt, client);
      return { to: attempt.to, cookies };
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      return refuse(attempt.userId === undefined ? this.toOwnPage(SIGN_IN_PAGE) : attempt.to, error);
    }
  }

  /**
   * Takes the identity at the provider from the account of the caller, which the password then opens.
   * @throws HubError as {@link SecondFactorService.reauthenticate} does, `not_found` if there is none
   */
  async disconnect(caller: AccountCaller, proof: Pick<Credentials, 'password' | 'code'>): Promise<void> {
    const provider = toProviderId(this.provider.requireSettings());
    await this.secondFactors.reauthenticate(caller, proof);
    await this.database.run(async tx => {
      if (!(await disconnectIdentity(tx, provider, caller.user.id)))
        throw new HubError('not_found', { detail: 'This account is not connected with single sign-on.' });
      await recordForUser(tx, caller.user.id, 'member.disconnect_single_sign_on');
    });
  }

  private async send(purpose: Pick<Attempt, 'to' | 'invitation' | 'userId'>): Promise<BegunSignIn> {
    const [state, secret] = [generateSecret(), generateSecret()];
    const checks = { nonce: generateSecret(), verifier: generateSecret() };
    const url = await this.provider.buildSignInUrl({ ...checks, state });
    await this.database.run(tx => insertAttempt(tx, { state, secret }, { ...purpose, ...checks }));
    return { url, secret };
  }

  private async signIn(identity: ProviderIdentity, { invitation }: Attempt, client: SignInClient): Promise<SignedIn> {
    const { subject, email, name } = identity;
    const provider = toProviderId(this.provider.requireSettings());
    const user = await this.database.run(tx => readUserOfIdentity(tx, provider, subject));
    if (invitation !== undefined) {
      const person = { userId: user?.id, email: user?.email ?? email, name, accountId: subject, providerId: provider };
      return this.invitations.acceptVerified(Buffer.from(invitation, 'base64url'), person, client);
    }
    if (!user) throw new HubError('single_sign_on_unknown');
    return this.signIns.signInVerified(user.id, client);
  }

  private async connect(userId: string, { subject }: ProviderIdentity, cookie: string): Promise<void> {
    const session = await this.signIns.findSession(cookie);
    if (session?.user.id !== userId) throw new HubError('single_sign_on_failed');
    const provider = toProviderId(this.provider.requireSettings());
    await this.database.run(async tx => {
      if (!(await connectIdentity(tx, provider, subject, userId))) throw new HubError('single_sign_on_taken');
      await recordForUser(tx, userId, 'member.connect_single_sign_on');
    });
  }

  /** Returns the address of a page of this hub; that of the first page for one elsewhere. */
  private toOwnPage(to = HOME): string {
    const home = new URL(HOME, this.env.publicUrl);
    const url = URL.parse(to, home.href);
    return url?.origin === home.origin ? url.href : home.href;
  }
}

function refuse(page: string, refusal: HubError): FinishedSignIn {
  const url = new URL(page);
  url.searchParams.set('refused', refusal.code);
  return { to: url.href, cookies: [] };
}
