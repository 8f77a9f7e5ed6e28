import { PermanentError } from '#sdk/errors.js';
import type { RenewableToken } from '#sdk/http-rules.js';

/** The access tokens of one connection, for requests with `auth: 'connection'`. */
export interface AccessTokens extends RenewableToken {
  /** Returns the tokens that have been used so far, to redact them. */
  secrets(): readonly string[];
}

/** Wraps a token that was just issued and is not saved yet. There is nothing to refresh it with. */
export function useIssuedToken(token: string): AccessTokens {
  const refuse = async (): Promise<never> => {
    throw new PermanentError('The provider refuses the access token that it has just issued.');
  };
  return { current: async () => token, renew: refuse, reject: refuse, secrets: () => [token] };
}
