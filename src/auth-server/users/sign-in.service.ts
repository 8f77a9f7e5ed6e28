import { Inject, Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Role } from '#domain/actor/roles.js';
import type { Plan } from '#domain/plans/tiers.js';
import type { Transaction } from '#kernel/db/transaction.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { FailedAttempts } from '../oauth/oauth.rate-limiter.js';
import { SecondFactorCodes } from './second-factor-codes.js';
import { AuthDatabase } from './auth-database.js';
import { type BetterAuth, BETTER_AUTH, findSessionByCookie } from './better-auth.js';
import { readPasswordHash, readSignInMethods, type SignInMethods } from './credentials.js';
import { readMemberships } from './members.queries.js';
import { SessionCallerCache } from './session-caller.cache.js';
import { type SignInClient, toAuthHeaders, toCookieHeader } from './sign-in.http.js';
import { recordForUser } from './user-audit.js';

/** A person who can sign in. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** A workspace of a user, with the role of the user there. */
export interface UserWorkspace {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly role: Role;
}

/** The session of a request to the sign-in routes. */
export interface CurrentSession {
  readonly id: string;
  readonly user: User;
  readonly expiresAt: Date;
}

/** Who changes how they sign in, and from where. */
export interface AccountCaller {
  readonly user: User;
  /** The `Cookie` header with the session. */
  readonly cookie: string;
  readonly client: SignInClient;
}

/** By what a person proves who they are. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Code of the authenticator app, or a recovery code; an account without a second factor needs none. */
  readonly code: string | undefined;
}

/** What a sign-in returns; the cookies are `Set-Cookie` headers. */
export interface SignedIn {
  readonly user: User;
  readonly workspaces: readonly UserWorkspace[];
  readonly cookies: readonly string[];
}

/** Who is signed in, by which session, and by what else they could sign in. */
export interface CurrentUser extends SignedIn {
  readonly session: CurrentSession;
  readonly methods: SignInMethods;
}

/** A session in the list of a user. */
export interface ListedSession {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** What a user changes of themselves. A new password needs the current one and ends all other sessions. */
export interface ProfileChange {
  readonly name?: string | undefined;
  readonly password?: { readonly current: string; readonly next: string } | undefined;
}

/** Signs people in and out, and shows them their sessions. */
@Injectable()
export class SignInService {
  constructor(
    @Inject(BETTER_AUTH) private readonly auth: BetterAuth,
    private readonly database: AuthDatabase,
    private readonly failures: FailedAttempts,
    private readonly callers: SessionCallerCache,
    private readonly codes: SecondFactorCodes,
    @Inject(ENV) private readonly env: Pick<Env, 'oidc'>,
  ) {}

  /**
   * Signs a person in. The response to a wrong password is delayed more each time; a right one passes at once, so that
   * nobody can lock a person out from another network.
   * @throws HubError `sign_in_failed`, `rate_limited` if the network has several sign-ins that wait for their answer, and
   *   what {@link SecondFactorCodes.pass} throws if the account has a second factor
   */
  signIn({ email, password, code }: Credentials, client: SignInClient): Promise<SignedIn> {
    return this.failures.check(client.address, async () => {
      const body = { email: email.toLowerCase(), password };
      const answer = await this.auth.api
        .signInEmail({ body, headers: toAuthHeaders(client), returnHeaders: true })
        .catch(rejectOrRethrow);
      if (!answer) return this.fail(email, client);
      const { response, headers } =
        'twoFactorRedirect' in answer.response
          ? await this.codes.pass(body.email, code, toCookieHeader(answer.headers.getSetCookie()), client)
          : answer;
      const user = toUser(response.user);
      const workspaces = await this.database.run(tx => recordForUser(tx, user.id, 'session.create'));
      return { user, workspaces, cookies: headers.getSetCookie() };
    });
  }

  /**
   * Signs in a person by other means than a password, which the hub has checked.
   * @returns the user with the cookies of the session
   */
  async signInVerified(userId: string, client: SignInClient): Promise<SignedIn> {
    const { response, headers } = await this.auth.api.beginVerifiedSession({
      body: { userId },
      headers: toAuthHeaders(client),
      returnHeaders: true,
    });
    const workspaces = await this.database.run(tx => recordForUser(tx, userId, 'session.create'));
    return { user: toUser(response.user), workspaces, cookies: headers.getSetCookie() };
  }

  /** Checks the password of a user. @throws HubError as {@link signIn} does */
  checkPassword(user: Pick<User, 'id' | 'email'>, password: string, client: SignInClient): Promise<void> {
    return this.failures.check(client.address, async () => {
      const { password: passwords } = await this.auth.$context;
      const hash = await readPasswordHash(this.auth, user.id);
      if (!hash || !(await passwords.verify({ hash, password }))) await this.fail(user.email, client);
    });
  }

  /** Ends the session of a cookie, if it has one. @returns the `Set-Cookie` headers that clear it */
  async signOut(cookie: string): Promise<string[]> {
    const session = await this.findSession(cookie);
    const { headers } = await this.auth.api.signOut({ headers: new Headers({ cookie }), returnHeaders: true });
    if (session) await this.database.run(tx => recordForUser(tx, session.user.id, 'session.end'));
    this.callers.clear();
    return headers.getSetCookie();
  }

  /** Returns the session of a cookie; undefined if it is unknown or has ended. */
  async findSession(cookie: string): Promise<CurrentSession | undefined> {
    const found = await findSessionByCookie(this.auth, cookie);
    return found ? toCurrentSession(found) : undefined;
  }

  /** Returns who changes how they sign in. @throws HubError `unauthorized` without a session */
  async requireAccountCaller(cookie: string, client: SignInClient): Promise<AccountCaller> {
    const session = await this.findSession(cookie);
    if (!session) throw HubError.unauthorized();
    return { user: session.user, cookie, client };
  }

  /** Returns a session with the workspaces of its user, and extends it: the cookies are new once a day. */
  async readCurrent(cookie: string): Promise<CurrentUser | undefined> {
    const { headers, response } = await this.auth.api.getSession({
      headers: new Headers({ cookie }),
      returnHeaders: true,
    });
    if (!response) return undefined;
    const session = toCurrentSession(response);
    const [workspaces, methods] = await this.database.run(async tx => [
      await readMemberships(tx, session.user.id),
      await readSignInMethods(tx, session.user.id, this.env.oidc),
    ]);
    return { session, user: session.user, workspaces, methods, cookies: headers.getSetCookie() };
  }

  /** Lists the sessions of a user that have not ended, the one that was used last first. */
  async listSessions(userId: string): Promise<ListedSession[]> {
    const { internalAdapter } = await this.auth.$context;
    const sessions = await internalAdapter.listSessions(userId, { onlyActiveSessions: true });
    return sessions
      .map(({ id, createdAt, updatedAt, expiresAt, ipAddress, userAgent }) => ({
        id,
        createdAt,
        lastSeenAt: updatedAt,
        expiresAt,
        address: ipAddress || null,
        userAgent: userAgent || null,
      }))
      .toSorted((a, b) => b.lastSeenAt.getTime() - a.lastSeenAt.getTime());
  }

  /** Ends a session of a user. @throws HubError `not_found` if the user has no such session */
  async endSession(userId: string, sessionId: string): Promise<void> {
    const ended = isUuid(sessionId)
      ? await this.database.run(tx => deleteSessions(tx, userId, 'id = $2', sessionId))
      : 0;
    if (ended === 0) throw new HubError('not_found');
    this.callers.clear();
  }

  /** Ends all sessions of a user but one. @returns how many ended */
  async endOtherSessions(userId: string, currentId: string): Promise<number> {
    const ended = await this.database.run(tx => deleteSessions(tx, userId, 'id <> $2', currentId));
    this.callers.clear();
    return ended;
  }

  /** Changes the name or the password of a user. @throws HubError `sign_in_failed` if the current password is wrong */
  async changeProfile({ id, user }: CurrentSession, change: ProfileChange, client: SignInClient): Promise<User> {
    const { password } = change;
    if (password) await this.checkPassword(user, password.current, client);
    const context = await this.auth.$context;
    const hash = password && (await context.password.hash(password.next));
    await this.database.run(async tx => {
      if (change.name !== undefined) await context.internalAdapter.updateUser(user.id, { name: change.name });
      if (hash === undefined) return;
      await context.internalAdapter.updatePassword(user.id, hash);
      await deleteSessions(tx, user.id, 'id <> $2', id);
    });
    this.callers.clear();
    return { ...user, ...(change.name !== undefined && { name: change.name }) };
  }

  private async fail(email: string, { address }: SignInClient): Promise<never> {
    await this.failures.count(`account ${email.toLowerCase()}`, address);
    throw new HubError('sign_in_failed');
  }
}

/** Deletes sessions of a user and records it. @returns how many there were */
async function deleteSessions(
  tx: Transaction,
  userId: string,
  condition: 'id = $2' | 'id <> $2',
  sessionId: string,
): Promise<number> {
  const sql = `DELETE FROM rapport_auth.sessions WHERE user_id = $1 AND ${condition} RETURNING id`;
  const { length } = await tx.query(sql, [userId, sessionId]);
  if (length > 0) await recordForUser(tx, userId, 'session.end');
  return length;
}

function toUser({ id, name, email }: User): User {
  return { id, name, email };
}

function toCurrentSession({
  session,
  user,
}: {
  readonly session: { readonly id: string; readonly expiresAt: Date };
  readonly user: User;
}): CurrentSession {
  return { id: session.id, expiresAt: session.expiresAt, user: toUser(user) };
}

/** Better-auth answers a wrong address or password with an error of status 400 or 401; every other one is a fault. */
function rejectOrRethrow(error: unknown): undefined {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (status !== 400 && status !== 401) throw error;
  return undefined;
}
