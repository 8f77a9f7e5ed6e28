import type { OidcSettings } from '#kernel/config/oidc-settings.js';
import type { Transaction } from '#kernel/db/transaction.js';
import type { BetterAuth } from './better-auth.js';

/** Under which better-auth keeps passwords. */
const PASSWORD_PROVIDER = 'credential';

/** By what a user can sign in besides passkeys. */
export interface SignInMethods {
  readonly hasPassword: boolean;
  /** Single sign-on of the hub; undefined if it has none. */
  readonly singleSignOn: { readonly providerName: string; readonly isConnected: boolean } | undefined;
}

/** Returns the name under which the identities of a provider are stored. Another issuer has other people with the same IDs. */
export function toProviderId({ issuer }: Pick<OidcSettings, 'issuer'>): string {
  return `oidc ${issuer}`;
}

/** Returns by what a user can sign in. */
export async function readSignInMethods(
  tx: Transaction,
  userId: string,
  settings: OidcSettings | undefined,
): Promise<SignInMethods> {
  const sql = 'SELECT provider_id FROM rapport_auth.credentials WHERE user_id = $1';
  const rows = await tx.query<{ provider_id: string }>(sql, [userId]);
  const providers = new Set(rows.map(({ provider_id }) => provider_id));
  return {
    hasPassword: providers.has(PASSWORD_PROVIDER),
    singleSignOn: settings && { providerName: settings.name, isConnected: providers.has(toProviderId(settings)) },
  };
}

/** Returns the hash of the password of a user; undefined if they have none. */
export async function readPasswordHash(auth: BetterAuth, userId: string): Promise<string | undefined> {
  const { internalAdapter } = await auth.$context;
  const accounts = await internalAdapter.findAccounts(userId);
  return accounts.find(({ providerId }) => providerId === PASSWORD_PROVIDER)?.password ?? undefined;
}

/** Sets the password of a user, who may have had none. */
export async function setPassword(auth: BetterAuth, userId: string, hash: string): Promise<void> {
  const { internalAdapter } = await auth.$context;
  if (await readPasswordHash(auth, userId)) await internalAdapter.updatePassword(userId, hash);
  else await internalAdapter.linkAccount({ userId, accountId: userId, providerId: PASSWORD_PROVIDER, password: hash });
}
