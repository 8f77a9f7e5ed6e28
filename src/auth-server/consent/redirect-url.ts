import type { ConsentRequest } from './consent-state.service.js';

/** The authorization response to a client (RFC 6749, section 4.1.2). */
export type AuthorizationResponse =
  | { readonly code: string }
  | { readonly error: string; readonly error_description?: string };

/**
 * Builds the URL that redirects a browser to its client, with the response, the client's `state`, and the issuer
 * (`iss`, RFC 9207), which protects clients of several authorization servers from mix-up attacks.
 */
export function buildRedirectUrl(
  { uri, state }: Pick<NonNullable<ConsentRequest['redirect']>, 'uri' | 'state'>,
  response: AuthorizationResponse,
  issuer: string,
): string {
  const params = new URLSearchParams({ ...response, ...(state !== undefined && { state }), iss: issuer });
  const [url] = uri.split('#');
  return `${url}${url!.includes('?') ? '&' : '?'}${params.toString()}`;
}
