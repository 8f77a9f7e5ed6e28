import { createHash } from 'node:crypto';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import { betterAuth } from 'better-auth/minimal';
import type { BetterAuthOptions, BetterAuthPlugin, DBAdapter, Where } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';
import { newId } from '#kernel/ids.js';
import type { AuthSecret } from './second-factor-secrets.js';
import type { AuthDatabase } from './auth-database.js';

/** Injects {@link BetterAuth}. */
export const BETTER_AUTH = Symbol('better-auth');

/** Shortest password that is accepted, in characters. */
export const MIN_PASSWORD_LENGTH = 12;
/** Longest password that is accepted, in characters. */
export const MAX_PASSWORD_LENGTH = 128;
/** Longest code of a second factor that is read: a recovery code with spaces in it. */
export const MAX_CODE_LENGTH = 32;
/** How long a session lives after its last use, in seconds: 14 days. */
const SESSION_TTL_SECONDS = 14 * 86_400;
/** How often a session that is used is extended, in seconds: once a day. */
const SESSION_UPDATE_SECONDS = 86_400;
/** How long better-auth waits for the code after a right password, in seconds. Here both come in one request. */
const CODE_WAIT_SECONDS = 60;
/** Header in which the hub tells better-auth the address of the client. */
export const CLIENT_ADDRESS_HEADER = 'x-rapport-client-address';

/** What {@link createBetterAuth} needs. */
export interface BetterAuthSettings {
  readonly database: AuthDatabase;
  /** Address of the hub as browsers see it. */
  readonly publicUrl: string;
  /** The first one signs cookies and encrypts second factors; all of them decrypt. */
  readonly secrets: AuthSecret[];
}

/**
 * Creates better-auth for users, passwords, second factors and sessions. None of its routes is served: the hub calls its functions, and
 * decides who may sign up, how often a password may be tried, and what a session may do.
 */
export function createBetterAuth({ database, publicUrl, secrets }: BetterAuthSettings) {
  const times = { createdAt: 'created_at', updatedAt: 'updated_at' };
  return betterAuth({
    appName: 'Rapport',
    baseURL: publicUrl,
    trustedOrigins: [publicUrl],
    secrets,
    database: (options: BetterAuthOptions) =>
      hashSessionTokens(kyselyAdapter(database.kysely, { type: 'postgres', transaction: false })(options)),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
    },
    session: {
      modelName: 'sessions',
      fields: {
        ...times,
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
      },
      expiresIn: SESSION_TTL_SECONDS,
      updateAge: SESSION_UPDATE_SECONDS,
    },
    user: { modelName: 'users', fields: { ...times, emailVerified: 'email_verified' } },
    account: {
      modelName: 'credentials',
      fields: {
        ...times,
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
      },
    },
    verification: { modelName: 'verifications', fields: { ...times, expiresAt: 'expires_at' } },
    plugins: [
      verifiedSessions(),
      twoFactor({
        issuer: 'Rapport',
        twoFactorCookieMaxAge: CODE_WAIT_SECONDS,
        // SecondFactorCodes counts wrong codes, also those of people with a session.
        accountLockout: { enabled: false },
        schema: {
          user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
          twoFactor: {
            modelName: 'second_factors',
            fields: {
              userId: 'user_id',
              backupCodes: 'recovery_codes',
              failedVerificationCount: 'failed_attempts',
              lockedUntil: 'lock_ends_at',
            },
          },
        },
      }),
    ],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Its messages may hold addresses; errors reach the hub as exceptions.
    logger: { disabled: true },
    advanced: {
      cookiePrefix: 'rapport',
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
  });
}

/** Lets the hub begin the session of a person that it has verified by itself, as by a passkey. */
function verifiedSessions() {
  return {
    id: 'verified-sessions',
    endpoints: {
      beginVerifiedSession: createAuthEndpoint.serverOnly(
        { method: 'POST', body: z.object({ userId: z.string() }) },
        async ctx => {
          const { internalAdapter } = ctx.context;
          const user = await internalAdapter.findUserById(ctx.body.userId);
          if (!user) throw new Error('a session can only begin for a user');
          await setSessionCookie(ctx, { session: await internalAdapter.createSession(user.id, false), user });
          return ctx.json({ user });
        },
      ),
    },
  } satisfies BetterAuthPlugin;
}

/** Better-auth as the hub sets it up. */
export type BetterAuth = ReturnType<typeof createBetterAuth>;

/** Returns the session of a `Cookie` header with its user, and does not extend it; null if it is unknown or has ended. */
export function findSessionByCookie(auth: BetterAuth, cookie: string) {
  return auth.api.getSession({ headers: new Headers({ cookie }), query: { disableRefresh: true } });
}

/**
 * Stores session tokens as their SHA-256: who reads the table, or a backup, cannot sign in with it. A token is a random
 * text of 32 characters, so it needs no slower hash. Records that better-auth gets back have the token that it looked for.
 */
function hashSessionTokens<Adapter extends DBAdapter>(adapter: Adapter): Adapter {
  const hashed = (token: string) => createHash('sha256').update(token).digest('base64url');
  const isToken = ({ field }: Where) => field === 'token';
  const hashWhere = (model: string, where: Where[] = []): Where[] =>
    model !== 'session'
      ? where
      : where.map(each => {
          if (!isToken(each)) return each;
          const value = Array.isArray(each.value) ? each.value.map(String).map(hashed) : hashed(String(each.value));
          return { ...each, value };
        });
  const restore = <T>(model: string, where: Where[] | undefined, record: T): T => {
    const token = model === 'session' && record !== null ? where?.find(isToken)?.value : undefined;
    return typeof token === 'string' ? { ...record, token } : record;
  };
  return {
    ...adapter,
    create: async (call: Parameters<DBAdapter['create']>[0]) => {
      const token = call.model === 'session' ? call.data['token'] : undefined;
      if (typeof token !== 'string') return adapter.create(call);
      return { ...(await adapter.create({ ...call, data: { ...call.data, token: hashed(token) } })), token };
    },
    findOne: async (call: Parameters<DBAdapter['findOne']>[0]) =>
      restore(call.model, call.where, await adapter.findOne({ ...call, where: hashWhere(call.model, call.where) })),
    findMany: (call: Parameters<DBAdapter['findMany']>[0]) =>
      adapter.findMany({ ...call, ...(call.where && { where: hashWhere(call.model, call.where) }) }),
    update: async (call: Parameters<DBAdapter['update']>[0]) =>
      restore(call.model, call.where, await adapter.update({ ...call, where: hashWhere(call.model, call.where) })),
    updateMany: (call: Parameters<DBAdapter['updateMany']>[0]) =>
      adapter.updateMany({ ...call, where: hashWhere(call.model, call.where) }),
    delete: (call: Parameters<DBAdapter['delete']>[0]) =>
      adapter.delete({ ...call, where: hashWhere(call.model, call.where) }),
    deleteMany: (call: Parameters<DBAdapter['deleteMany']>[0]) =>
      adapter.deleteMany({ ...call, where: hashWhere(call.model, call.where) }),
  } as Adapter;
}
