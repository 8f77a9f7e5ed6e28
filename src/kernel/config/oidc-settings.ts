import { z } from 'zod';

/** The provider at which people sign in by OpenID Connect, and the client of this hub there. */
export interface OidcSettings {
  /** Issuer identifier, as URLs are written: that of a host ends in a slash. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Name on the sign-in page. */
  readonly name: string;
}

/** The environment variables of single sign-on. The issuer is https, or http on this machine. */
export const oidcVariables = {
  OIDC_ISSUER: z.url().refine(isSecureOrLocal, 'must be an https address, or http on this machine').optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_NAME: z.string().trim().min(1).max(60).optional(),
};

function isSecureOrLocal(text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol === 'https:') return true;
  return url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}

/**
 * Returns the provider of the variables, by default named after its host; undefined if OIDC_ISSUER is not set.
 * @returns a sentence that names the variable that is missing
 */
export function toOidcSettings({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientId,
  OIDC_CLIENT_SECRET: clientSecret,
  OIDC_NAME: name,
}: {
  readonly [Name in keyof typeof oidcVariables]?: string | undefined;
}): OidcSettings | undefined | string {
  if (issuer === undefined) return undefined;
  const hint = 'must be set, as OIDC_ISSUER is: register this hub with the provider';
  if (clientId === undefined) return `OIDC_CLIENT_ID: ${hint}`;
  if (clientSecret === undefined) return `OIDC_CLIENT_SECRET: ${hint}`;
  const { href, host } = new URL(issuer);
  return { issuer: href, clientId, clientSecret, name: name ?? host };
}
