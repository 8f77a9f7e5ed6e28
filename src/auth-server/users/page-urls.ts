/** Pages at which a person without a session uses a secret that somebody gave them. */
export type SecretPage = 'setup' | 'invite' | 'reset';

/**
 * Returns the address of a page with its secret, to be passed on to one person.
 * @param publicUrl address of the hub as browsers see it
 */
export function buildSecretPageUrl(publicUrl: string, page: SecretPage, secret: string): string {
  return `${publicUrl}/${page}/${secret}`;
}
